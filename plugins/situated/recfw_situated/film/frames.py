"""Renders a film's frames: the store is put into each moment's state and looked at, over the driver's own socket."""

import asyncio
import io
from collections.abc import Sequence

from attrs import evolve, field, frozen
from PIL import Image

from recfw.errors import InfrastructureError
from recfw_situated.driver.pool import Stores
from recfw_situated.driver.store import Done
from recfw_situated.driver.unreal import OCCUPIED, UnrealStore
from recfw_situated.film.scenario import Moment, Scenario
from recfw_situated.scenes.map import draw_map
from recfw_situated.scenes.records import Pose
from recfw_situated.views.labels import ASSISTANT, USER, place_labels
from recfw_situated.views.looking import PICTURE, look
from recfw_situated.views.overlay import overlay
from recfw_situated.views.sights import Eyes

ROLES = (ASSISTANT, USER)
_NUDGE = 0.01
"""cm: traces hold poses to four decimals, and one who stood at a wall may be in it by less than that."""
_STEPS = sorted(
    ((a, b) for a in (0.0, -_NUDGE, _NUDGE) for b in (0.0, -_NUDGE, _NUDGE)), key=lambda at: at[0] ** 2 + at[1] ** 2
)


@frozen
class Shot:
    """The pictures of one moment: role -> its view with its marks."""

    moment: Moment
    views: dict[str, Image.Image] = field(repr=False)


def shoot(
    film: Scenario, stores: Stores, roles: Sequence[str] = ROLES, size: tuple[int, int] = PICTURE
) -> tuple[Shot, ...]:
    """
    Render every moment of a film.

    Args:
        film: What to show.
        stores: Stores of its scene; left closed behind.
        roles: Whose marks are drawn.
        size: Of the pictures in pixels.

    Raises:
        InfrastructureError: A store does not start or answer, or cannot be put into a moment's state.
    """
    return asyncio.run(_shoot(film, stores, roles, size))


async def _shoot(film: Scenario, stores: Stores, roles: Sequence[str], size: tuple[int, int]) -> tuple[Shot, ...]:
    shots: list[Shot] = []
    async with stores, stores.lend() as store:
        eyes = Eyes(store.scene, store.palette)
        for moment in film.moments:
            pose = await _stage(store, moment)
            sights = await look(store, eyes, pose)
            frame = await store.frame(*size, rgb=True)
            views = {role: overlay(frame, eyes, sights, moment.labels[role]).image for role in roles}
            shots.append(Shot(moment, views))
    return tuple(shots)


async def _stage(store: UnrealStore, moment: Moment) -> Pose:
    """Put the store into a moment's state; return the pose that it took."""
    await store.reset()
    pose = await _place(store, moment.pose)
    for instance in moment.cart:
        if store.scene.stores:
            _expect(await store.cart(instance), instance)
        else:
            _expect(await store.pick(instance), instance)
            _expect(await store.cart(), instance)
    if moment.held:
        _expect(await store.pick(moment.held), moment.held)
    if moment.shown:
        _expect(await store.show_item(moment.shown), moment.shown)
    return pose


async def _place(store: UnrealStore, pose: Pose) -> Pose:
    for right, forward in _STEPS:
        try:
            return await store.place(evolve(pose, x=pose.x + right, y=pose.y + forward))
        except InfrastructureError as error:
            if error.kind != OCCUPIED:
                raise
            last = error
    raise last


def _expect(done: Done, instance: str) -> None:
    if not done.success:
        words = f"The store cannot be put into the episode's state: {instance}: {done.reason}"
        raise InfrastructureError(words, "Is it the build on which the run was played?", kind="protocol")


def plan_of(film: Scenario, pose: Pose, width: int = 640) -> Image.Image:
    """Return the assistant's layout map with the user on it."""
    labels = {(str(kind), name): label for (kind, name), label in place_labels(film.scene, ASSISTANT).items()}
    return draw_map(film.scene, pose=pose, labels=labels, waypoints=False, width=width)


def encoded(image: Image.Image, form: str = "webp") -> bytes:
    """Return a picture's bytes: ``webp``, small, for pages; ``png``, exact."""
    held = io.BytesIO()
    if form == "png":
        image.save(held, "PNG", optimize=True)
    else:
        image.save(held, "WEBP", quality=82, method=4)
    return held.getvalue()
