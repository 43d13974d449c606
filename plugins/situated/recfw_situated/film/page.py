"""A film as one HTML page that needs nothing else: pictures inside it, readable on a phone, without scripts."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape

from PIL import Image

from recfw_situated.film.frames import Shot, encoded, plan_of
from recfw_situated.film.scenario import Moment, Scenario
from recfw_situated.views.labels import ASSISTANT, USER

NAMES = {USER: "the customer's view", ASSISTANT: "the same view, the assistant's marks"}

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #f6f5f2; --card: #fff; --soft: #6b6f76; --line: #dddbd5;
  --a: #e6effb; --u: #eaf5e6; --w: #fbe9e4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #17181b; --card: #202226; --soft: #a2a5ab;
  --line: #35383e; --a: #1f2f46; --u: #20351f; --w: #46261f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 84rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.3rem; margin: .2rem 0; overflow-wrap: anywhere; }
.facts { color: var(--soft); margin: 0 0 1rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; margin: 0 0 1rem;
  padding: .8rem; }
h2 { font-size: 1rem; margin: 0 0 .6rem; }
.views { display: grid; gap: .6rem; grid-template-columns: 1fr; }
@media (min-width: 60rem) { .views { grid-template-columns: 1fr 1fr; } }
figure { margin: 0; }
img { display: block; width: 100%; height: auto; border-radius: .35rem; }
figcaption { color: var(--soft); font-size: .85rem; }
.talk { display: grid; gap: .5rem; margin: .7rem 0 0; }
.talk p { margin: 0; padding: .5rem .75rem; border-radius: .6rem; overflow-wrap: anywhere; }
.assistant { background: var(--a); margin-right: 8% !important; }
.user { background: var(--u); margin-left: 8% !important; }
.broken { background: var(--w); }
.who { display: block; color: var(--soft); font-size: .8rem; }
.did { display: block; font-size: .9rem; margin-top: .2rem; font-style: italic; }
details { margin-top: .6rem; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
details img { max-width: 44rem; margin-top: .4rem; }
"""


def page(film: Scenario, shots: Sequence[Shot], title: str, errand: str) -> str:
    """
    Return the page.

    Args:
        film: What is shown.
        shots: Its pictures.
        title: Which trial it is.
        errand: What the user wanted, in lines.
    """
    facts = f"{film.scene.title} · {film.turns} turns · ended: {film.stop or 'cut off'}"
    lines = "<br>".join(escape(line.lstrip("- ")) for line in errand.splitlines())
    plans = {pose: plan_of(film, pose) for pose in dict.fromkeys(shot.moment.pose for shot in shots)}
    parts = [_section(film, shot, plans[shot.moment.pose]) for shot in shots]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{escape(title)}</h1>\n<p class="facts">{escape(facts)}</p>\n'
        f"<section><h2>What the customer wants (the assistant is not told)</h2>{lines}</section>\n"
        + "".join(parts)
        + "</main>\n</body>\n</html>\n"
    )


def _section(film: Scenario, shot: Shot, plan: Image.Image) -> str:
    moment = shot.moment
    last = moment.assistant is None and moment.user is None
    head = "At the end" if last else f"Turn {moment.turn}"
    views = "".join(
        _figure(shot.views[role], NAMES[role], f"{head}, {NAMES[role]}") for role in NAMES if role in shot.views
    )
    where = _figure(plan, "the layout map that the assistant is shown", f"{head}, where the customer is")
    return (
        f'<section>\n<h2>{head}</h2>\n<div class="views">{views}</div>\n{_talk(moment, film.stop if last else "")}'
        f"<details><summary>map</summary>{where}</details>\n</section>\n"
    )


def _talk(moment: Moment, stop: str) -> str:
    lines = []
    if moment.assistant is not None:
        lines.append(_said("assistant", "assistant", moment.assistant, moment.act))
    if moment.user is not None:
        lines.append(_said("user", "customer", moment.user, moment.action))
    lines += [f'<p class="broken">{escape(note)}</p>' for note in moment.notes]
    if stop:
        lines.append(f"<p>Ended: {escape(stop)}</p>")
    return f'<div class="talk">{"".join(lines)}</div>\n' if lines else ""


def _said(kind: str, who: str, words: str, did: str) -> str:
    below = f'<span class="did">{escape(did)}</span>' if did else ""
    return f'<p class="{kind}"><span class="who">{who}</span>{escape(words)}{below}</p>'


def _figure(image: Image.Image, caption: str, alt: str) -> str:
    data = b64encode(encoded(image)).decode()
    size = f'width="{image.width}" height="{image.height}"'
    return (
        f'<figure><img src="data:image/webp;base64,{data}" {size} alt="{escape(alt)}" loading="lazy">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )
