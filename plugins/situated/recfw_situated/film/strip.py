"""A film as an animated PNG: upright frames, the speaker's view above, what it says and does below."""

import io
from collections.abc import Iterator, Sequence

from attrs import frozen
from PIL import Image, ImageDraw, ImageFont

from recfw_situated.film.frames import Shot
from recfw_situated.film.scenario import Scenario
from recfw_situated.scenes.records import Color
from recfw_situated.views.labels import ASSISTANT, USER

MARGIN, LINE, GAP, FONT, SMALL = 16, 27, 6, 21, 17
LEAST_LINES, MOST_LINES = 4, 11
PAPER, INK, SOFT = (250, 249, 246), (28, 30, 33), (96, 100, 106)
BANDS: dict[str, Color] = {ASSISTANT: (38, 92, 160), USER: (44, 120, 60), "": (90, 90, 96)}
SHORTEST, LONGEST, EACH_WORD = 2200, 9000, 280
"""Milliseconds that a frame stands: at least, at most, and for each word."""


@frozen
class Card:
    """One frame: a picture, a heading on a band of the role's colour, words, and what is done in smaller letters."""

    role: str
    head: str
    words: str
    below: str
    picture: Image.Image

    @property
    def milliseconds(self) -> int:
        """How long it stands."""
        return min(LONGEST, SHORTEST + EACH_WORD * len(f"{self.words} {self.below}".split()))


def cards(film: Scenario, shots: Sequence[Shot]) -> Iterator[Card]:
    """Yield the frames: of each turn one for the assistant and one for the user, and the last view."""
    for shot in shots:
        moment = shot.moment
        where = f"Turn {moment.turn} of {film.turns}"
        user, assistant = (shot.views.get(role, next(iter(shot.views.values()))) for role in (USER, ASSISTANT))
        notes = " ".join(f"[{note}]" for note in moment.notes)
        if moment.assistant is not None:
            yield Card(ASSISTANT, f"{where}: assistant", moment.assistant, f"{moment.act} {notes}".strip(), assistant)
        if moment.user is not None:
            yield Card(USER, f"{where}: customer", moment.user, moment.action, user)
        if moment.assistant is None and moment.user is None:
            yield Card("", "At the end", f"Ended: {film.stop or 'cut off'}", "", user)


def strip(film: Scenario, shots: Sequence[Shot]) -> bytes:
    """Return the animated PNG; it plays in a loop."""
    held = list(cards(film, shots))
    lines = max(LEAST_LINES, *(min(MOST_LINES, _height(card)) for card in held))
    frames = [_drawn(card, lines) for card in held]
    data = io.BytesIO()
    frames[0].save(
        data,
        "PNG",
        save_all=True,
        append_images=frames[1:],
        duration=[card.milliseconds for card in held],
        loop=0,
    )
    return data.getvalue()


def _height(card: Card) -> int:
    """Return how many lines a card's text takes."""
    width = card.picture.width - 2 * MARGIN
    return len(_wrapped(card.words, FONT, width)) + len(_wrapped(card.below, SMALL, width))


def _drawn(card: Card, lines: int) -> Image.Image:
    picture = card.picture.convert("RGB")
    width, band = picture.width, LINE + 8
    image = Image.new("RGB", (width, picture.height + band + lines * LINE + GAP + MARGIN), PAPER)
    image.paste(picture, (0, 0))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, picture.height, width, picture.height + band), fill=BANDS[card.role])
    draw.text((MARGIN, picture.height + 5), card.head, font=ImageFont.load_default(FONT), fill=PAPER)
    top, room = picture.height + band + 8, lines
    for text, size, ink in ((card.words, FONT, INK), (card.below, SMALL, SOFT)):
        shown = _wrapped(text, size, width - 2 * MARGIN)
        if len(shown) > room:
            shown = [*shown[: max(0, room - 1)], f"{shown[room - 1]} ..."] if room else []
        for line in shown:
            draw.text((MARGIN, top), line, font=ImageFont.load_default(size), fill=ink)
            top += LINE
        top += GAP
        room -= len(shown)
    return image


def _wrapped(text: str, size: int, width: int) -> list[str]:
    """Return text in lines that fit."""
    font = ImageFont.load_default(size)
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
