"""The track ``situated``: its roles, tasks and world under one set of options."""

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from attrs import define, evolve, field, frozen

from recfw.errors import UsageError
from recfw.model.rubric import Rubric, Transcript
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import CARRIED, PATH, Context, Environment, Problem, Resources, RoleSpec, Track, World
from recfw.serialize import digest, to_data
from recfw_situated import prompts
from recfw_situated.actions import assistant, user
from recfw_situated.actions.user import SCENES
from recfw_situated.briefs import MODERATOR_SCHEMA, Briefs
from recfw_situated.driver.mapping import BuildMap, read_mapping
from recfw_situated.driver.pool import Stores
from recfw_situated.environment import Setup, SituatedEnvironment
from recfw_situated.judging.rubric import rubric
from recfw_situated.judging.transcript import transcript
from recfw_situated.meaning import Meaning
from recfw_situated.planning.paths import Planner
from recfw_situated.scenes.files import folder_of
from recfw_situated.scenes.load import load_scene, own_scene
from recfw_situated.scenes.records import Scene
from recfw_situated.tasks import pool
from recfw_situated.tasks.records import SituatedTask, public_of, to_task
from recfw_situated.validate import validate
from recfw_situated.views.labels import ASSISTANT, USER
from recfw_situated.views.looking import Memory
from recfw_situated.views.observe import Labeller
from recfw_situated.views.sights import Eyes
from recfw_situated.watch import Watch

RULES = "1"
"""Version of the rules of actions, endings and views; part of the content digest."""
TURNS = 20
BOTH = "both"
KNOWN = (BOTH, *SCENES)
ABLATIONS = {"none": "", "no-image": "no-image", "no-image-no-text": "no-image-no-text"}


@frozen
class SituatedOptions:
    """
    What changes the content or the world.

    Args:
        scene: ``both``, ``supermarket`` or ``furnishings``; or the folder of a store of one's own.
        ablation: What is taken from the assistant's input: ``none``, ``no-image``, or ``no-image-no-text``.
        pictures: ``none`` makes a picture only for a component that looks at it; ``all`` makes and stores every one.
        picture_history: How many past views keep their picture in a role's conversation.
        tasks_file: A pool of tasks to play; empty for the 200 that ship, or ``tasks.json`` of a store of one's own.
        host: Where a packaged build listens; with ``port``.
        port: Its port, or several with commas: one for each episode at a time (``--concurrency``); empty starts
            simulators of our own.
        mapping: What a packaged build calls things, a YAML file.
        simulators: How many simulators of our own a worker process runs for a scene at most; further episodes wait
            for one, as long as the limit ``world_seconds`` allows.
    """

    scene: str = field(default="both", metadata=PATH)
    ablation: str = "none"
    pictures: str = "none"
    picture_history: int = 3
    tasks_file: str = field(default="", metadata=PATH)
    host: str = field(default="127.0.0.1", metadata=CARRIED)
    port: str = field(default="", metadata=CARRIED)
    mapping: str = field(default="", metadata=PATH)
    simulators: int = field(default=64, metadata=CARRIED)


@define
class _Desk:
    """What one scene's episodes share in a worker process."""

    setup: Setup
    stores: Stores
    labeller: Labeller
    memory: Memory | None


class SituatedWorld:
    """What a worker holds: a desk for each scene, which lends a store to each episode."""

    def __init__(self, desks: Mapping[str, _Desk]) -> None:
        self._desks = desks

    @asynccontextmanager
    async def _episode(self, task: Task, context: Context) -> AsyncIterator[Environment]:
        desk = self._desks[task.public["scene"]]
        turns = context.limits.turns.get("agent", TURNS)
        async with desk.stores.lend() as store:
            eyes = Eyes(store.scene, store.palette)
            pose = await store.pose()
            watch = Watch(store, eyes, desk.labeller, desk.memory, pose)
            setup = desk.setup
            if turns != setup.briefs.turns:
                setup = evolve(setup, briefs=evolve(setup.briefs, turns=turns))
            yield SituatedEnvironment(task, setup, watch, turns)

    def episode(self, task: Task, context: Context) -> AbstractAsyncContextManager[Environment]:
        """Return an environment for one episode, with a store of its own."""
        return self._episode(task, context)


class SituatedTrack(Track):
    """Situated recommendation: an assistant guides a shopper through a 3D store (the SituRecBench paper)."""

    name: ClassVar[str] = "situated"
    summary: ClassVar[str] = "Guide a shopper who sees, walks and inspects through a 3D store"
    Options: ClassVar[type] = SituatedOptions
    version: ClassVar[str] = "1"
    roles: ClassVar[Mapping[str, RoleSpec]] = {
        "agent": RoleSpec("agents", "index-guided", evaluated=True),
        "user": RoleSpec("users", "situated-rules"),
        "moderator": RoleSpec("participants", "situated-moderator"),
    }
    limits: ClassVar[Limits] = Limits(turns={"agent": TURNS}, seconds={"agent": 1800.0}, repairs=2)
    metrics: ClassVar[Sequence[str]] = ("situated", "situated-conduct", "effort")
    analyses: ClassVar[Sequence[str]] = ("situated", "situated-paper", "summary")
    split_by: ClassVar[Sequence[str]] = ("scene", "subset")
    clustered_by: ClassVar[str] = "profile"
    rubrics: ClassVar[Mapping[str, Rubric]] = {"dialogue": rubric()}

    def __init__(self, options: SituatedOptions | None = None) -> None:
        chosen = options if options is not None else SituatedOptions()
        if Path(chosen.scene).name in KNOWN and not (Path(chosen.scene) / "scene.yaml").is_file():
            chosen = evolve(chosen, scene=Path(chosen.scene).name)  # a folder of that name is here by chance
        _check(chosen)
        self.options = chosen

    def default_cells(self) -> Sequence[Cell]:
        """Return the three assistants that are code, with the rule-based user and moderator."""
        others = {"user": ComponentSpec("situated-rules"), "moderator": ComponentSpec("situated-moderator")}
        names = ("index-guided", "talk-only", "wanderer")
        return tuple(Cell(name, {"agent": ComponentSpec(name), **others}) for name in names)

    def tasks(self) -> Sequence[Task]:
        """Return every task of the chosen scenes, in the bank's order."""
        public = {name: public_of(scene) for name, scene in self._scenes.items()}
        return tuple(to_task(task, public[task.scene]) for task in self._tasks)

    def content_digest(self) -> str:
        """Return the SHA-256 (hex) of scenes, tasks, prompts, schemas and rules under these options."""
        return digest(
            {
                "scenes": {name: scene.digest for name, scene in self._scenes.items()},
                "tasks": hashlib.sha256(pool.encode(list(self._tasks))).hexdigest(),
                "prompts": {name: prompts.template(name) for name in prompts.NAMES},
                "schemas": [MODERATOR_SCHEMA, *(f(name) for name in SCENES for f in _SCHEMAS)],
                "mapping": None if self._mapping is None else to_data(self._mapping),
                "ablation": self.options.ablation,
                "picture_history": self.options.picture_history,
                "rules": RULES,
            }
        )

    def validate(self) -> Sequence[Problem]:
        """Check the tasks against the scenes, by code that shares nothing with what drew them."""
        return validate(self._scenes, self._tasks)

    def transcript(self, task: Task, trace: Trace) -> Transcript:
        """Return what a judge is shown of a trial: names, words and outcomes, no labels and no hidden fields."""
        return transcript(task, trace, self._scenes[str(task.public["scene"])])

    @asynccontextmanager
    async def _open(self, resources: Resources) -> AsyncIterator[World]:  # noqa: ARG002 - nothing is asked of it
        async with AsyncExitStack() as stack:
            desks: dict[str, _Desk] = {}
            for name, scene in self._scenes.items():
                stores = await stack.enter_async_context(self._stores(scene))
                memory = None if self.options.port else Memory()
                labeller = Labeller(scene)
                desks[name] = _Desk(self._setup(scene, labeller), stores, labeller, memory)
            yield SituatedWorld(desks)

    def open(self, resources: Resources) -> AbstractAsyncContextManager[World]:
        """Hold the stores of each scene, which start when they are first needed."""
        return self._open(resources)

    def _stores(self, scene: Scene) -> Stores:
        ports = [int(port) for port in self.options.port.split(",") if port.strip()]
        addresses = tuple((self.options.host, port) for port in ports)
        source = self.options.scene if self._own else ""
        return Stores(scene, addresses, self._mapping, most=self.options.simulators, source=source)

    @cached_property
    def _mapping(self) -> BuildMap | None:
        return read_mapping(Path(self.options.mapping)) if self.options.mapping else None

    def _setup(self, scene: Scene, labeller: Labeller) -> Setup:
        chosen = self.options
        briefs = Briefs(scene, ABLATIONS[chosen.ablation], TURNS, chosen.picture_history, labeller)
        places = {role: labeller.places(role) for role in (USER, ASSISTANT)}
        return Setup(scene, briefs, Meaning(scene, places), Planner(scene), labeller.names(), chosen.pictures)

    @cached_property
    def _scenes(self) -> Mapping[str, Scene]:
        if self._own:
            scene = own_scene(self.options.scene)
            return {scene.name: scene}
        chosen = SCENES if self.options.scene == BOTH else (self.options.scene,)
        return {name: load_scene(name) for name in chosen}

    @property
    def _own(self) -> bool:
        """Whether the scene is a store of one's own."""
        return self.options.scene not in KNOWN

    @cached_property
    def _tasks(self) -> tuple[SituatedTask, ...]:
        if self._own:
            (scene,) = self._scenes.values()
            return pool.read_own(scene, self.options.scene, self.options.tasks_file)
        found = pool.read_pool(self.options.tasks_file) if self.options.tasks_file else pool.shipped()
        return tuple(task for task in found if task.scene in self._scenes)


_SCHEMAS = (assistant.reply_schema, user.reply_schema)


def _check(chosen: SituatedOptions) -> None:
    """Raise UsageError where an option has no such value."""
    known = {
        "ablation": tuple(ABLATIONS),
        "pictures": ("none", "all"),
    }
    for name, values in known.items():
        if getattr(chosen, name) not in values:
            raise UsageError(f"no {name} '{getattr(chosen, name)}' (known: {', '.join(values)}).")
    folder_of(chosen.scene if chosen.scene != BOTH else SCENES[0])
    ports = [port.strip() for port in chosen.port.split(",")] if chosen.port else []
    if not all(port.isdigit() and 0 < int(port) < 65536 for port in ports):
        raise UsageError(f"port '{chosen.port}' is no port number, nor several with commas.")
    if ports and chosen.scene == BOTH:
        raise UsageError("a packaged build shows one scene.", "Add --set track.scene=supermarket or furnishings.")
    if chosen.simulators < 1 or chosen.picture_history < 0:
        raise UsageError("simulators must be at least 1, picture_history at least 0.")
