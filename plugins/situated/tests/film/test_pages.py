"""A film as a page and as an animated picture, from pictures that are given."""

import io
import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest
from PIL import Image

from recfw_situated.film.frames import Shot
from recfw_situated.film.page import page
from recfw_situated.film.scenario import Moment, Scenario
from recfw_situated.film.strip import cards, strip
from recfw_situated.scenes.records import Pose, Scene

START = Pose(0.0, 0.0, 0.0)
VIEWS = {"user": (10, 120, 30), "assistant": (20, 40, 200)}


def shots(*moments: Moment) -> tuple[Shot, ...]:
    """Return a picture of one colour for each moment and role."""
    return tuple(Shot(m, {role: Image.new("RGB", (320, 240), ink) for role, ink in VIEWS.items()}) for m in moments)


@pytest.fixture(scope="module")
def film(supermarket: Scene) -> Scenario:
    """Two turns and the end."""
    start = supermarket.start
    moments = (
        Moment(1, start, assistant="Is <b>this</b> it?", act="Greet", user="Yes & no", action="idle; done"),
        Moment(
            2, start, assistant="Here.", user="Thanks.", action="add_to_cart; done", notes=("the user spoke labels: 3",)
        ),
        Moment(3, start),
    )
    return Scenario(supermarket, moments, "success_cart_added")


@pytest.fixture(scope="module")
def text(film: Scenario) -> str:
    """Return the page of the film."""
    return page(film, shots(*film.moments), "a <cell>", "- a & b")


class Parsed(HTMLParser):
    """Collects what a page refers to, and checks that its tags are balanced."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag and what it refers to."""
        self.tags.add(tag)
        self.sources += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag not in {"meta", "img", "br", "link"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Check that the innermost open tag is closed."""
        assert self.open.pop() == tag


def parsed(text: str) -> Parsed:
    """Return a page's parts."""
    parser = Parsed()
    parser.feed(text)
    return parser


def test_a_page_needs_nothing_else(text: str) -> None:
    """Every picture is inside it, it has no script, and its tags are balanced."""
    found = parsed(text)
    assert (found.open, {source.partition(",")[0] for source in found.sources}) == ([], {"data:image/webp;base64"})
    assert found.tags.isdisjoint({"script", "link", "iframe"})


def test_a_page_has_both_views_and_the_map_of_each_moment(text: str) -> None:
    """Three moments with three pictures each, which decode."""
    found = parsed(text).sources
    sizes = [Image.open(io.BytesIO(b64decode(source.partition(",")[2]))).size for source in found]
    assert (len(sizes), sizes[:2]) == (9, [(320, 240), (320, 240)])


def test_a_page_is_made_for_phones(text: str) -> None:
    """It takes the device's width, and pictures are as wide as there is room."""
    assert ('content="width=device-width' in text, "img { display: block; width: 100%" in text) == (True, True)


def test_words_are_escaped(text: str) -> None:
    """What roles say is text, whatever it looks like."""
    assert re.findall(r"Is &lt;b&gt;this&lt;/b&gt; it\?|Yes &amp; no|a &lt;cell&gt;</h1>|a &amp; b", text) == [
        "a &lt;cell&gt;</h1>", "a &amp; b", "Is &lt;b&gt;this&lt;/b&gt; it?", "Yes &amp; no"
    ]  # fmt: skip


def test_broken_rules_and_the_ending_are_shown(text: str) -> None:
    """Spoken labels stand beside the dialogue, and the page ends with how it ended."""
    assert ("the user spoke labels: 3" in text, "Ended: success_cart_added" in text) == (True, True)


def test_a_strip_has_a_frame_a_speaker(film: Scenario) -> None:
    """Assistant and user by turns, each above its own view, then the end."""
    held = list(cards(film, shots(*film.moments)))
    assert [card.role for card in held] == ["assistant", "user", "assistant", "user", ""]
    assert [card.picture.getpixel((0, 0)) for card in held[:2]] == [VIEWS["assistant"], VIEWS["user"]]


def test_a_strip_is_an_animated_png(film: Scenario) -> None:
    """All frames have one size, show their view, and stand long enough to be read."""
    image = Image.open(io.BytesIO(strip(film, shots(*film.moments))))
    assert (image.format, getattr(image, "n_frames", 1), image.size[0]) == ("PNG", 5, 320)
    image.seek(1)
    assert (image.convert("RGB").getpixel((5, 5)), image.info["duration"] >= 2200) == (VIEWS["user"], True)


def test_long_words_are_cut_where_there_is_no_room(supermarket: Scene) -> None:
    """A speech of two hundred words ends in dots; the frame does not grow without end."""
    moment = Moment(1, START, assistant="word " * 200, user="Yes.")
    image = Image.open(io.BytesIO(strip(Scenario(supermarket, (moment,), ""), shots(moment))))
    assert image.size[1] < 700


def test_one_role_alone_can_be_filmed(film: Scenario) -> None:
    """With one role's pictures both speakers stand above them."""
    film = Scenario(film.scene, film.moments[:1], "")
    only = [Shot(shot.moment, {"user": shot.views["user"]}) for shot in shots(*film.moments)]
    assert {card.picture.getpixel((0, 0)) for card in cards(film, only)} == {VIEWS["user"]}
    assert len(parsed(page(film, only, "x", "")).sources) == 2
