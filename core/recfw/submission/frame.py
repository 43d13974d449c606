"""The frame of a leaderboard's pages: their head, their styles, and the one script that they may run."""

import base64
import hashlib
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from recfw.report.html_style import STYLE
from recfw.report.html_tags import lines, tag, written
from recfw.report.words import one_line

SCRIPT = """
"use strict";
for (const table of document.querySelectorAll("table.sorts")) {
  const body = table.tBodies[0], titles = [...table.tHead.rows[0].cells];
  const value = (row, at) => row.cells[at].dataset.v ?? row.cells[at].textContent;
  const order = (at, up) => (one, other) => {
    const a = value(one, at), b = value(other, at), x = parseFloat(a), y = parseFloat(b);
    const both = !isNaN(x) && !isNaN(y);
    if (isNaN(x) !== isNaN(y) && titles[at].classList.contains("n")) return isNaN(x) ? 1 : -1;
    return (both ? x - y : a.localeCompare(b)) * (up ? 1 : -1);
  };
  titles.forEach((title, at) => {
    const button = document.createElement("button");
    button.append(...title.childNodes);
    title.append(button);
    button.addEventListener("click", () => {
      const before = title.getAttribute("aria-sort");
      const up = before ? before !== "ascending" : title.dataset.first !== "down";
      titles.forEach((other) => other.removeAttribute("aria-sort"));
      title.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...[...body.rows].sort(order(at, up)));
    });
  });
}
"""
"""Sorts a table by the column whose title is pressed. The page is whole without it."""

_ALLOWED = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        f"script-src 'sha256-{_ALLOWED}'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""What a browser may do with the pages: show their styles and run the script above, byte for byte; nothing else."""

BOARD_STYLE = """
table button {
  font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: .2rem 0; cursor: pointer;
  text-align: inherit;
}
table button:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
th[aria-sort="ascending"] button::after { content: " \\2191"; }
th[aria-sort="descending"] button::after { content: " \\2193"; }
table.sorts tbody th { white-space: normal; min-width: 8.5rem; max-width: 18rem; font-weight: 600; }
.by { display: block; color: var(--soft); font-weight: 400; font-size: .85em; }
.v { white-space: nowrap; }
.v::before { content: ""; display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; margin-right: .4rem;
  border: 2px solid var(--soft); }
.v.yes::before { background: var(--c2); border-color: var(--c2); }
.v.part::before { border-color: var(--c2); }
dl { display: grid; grid-template-columns: fit-content(11rem) 1fr; gap: .3rem 1rem; margin: 1rem 0; font-size: .9rem; }
dt { color: var(--soft); }
dd { margin: 0; }
code { font: .85em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
footer {
  margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .75rem; color: var(--soft); font-size: .85rem;
}
@media (max-width: 40rem) {
  table.sorts tbody th { min-width: 7rem; max-width: 9.5rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .6rem; }
}
"""


def page(title: str, content: Iterable[Element]) -> str:
    """Return a page's text; its words are escaped when it is written, so none can become markup."""
    head = lines(
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="referrer", content="no-referrer"),
        tag("title", one_line(title)),
        tag("style", STYLE + BOARD_STYLE),
    )
    body = tag("body", "\n", tag("main", "\n", *lines(*content)), "\n", *lines(tag("script", SCRIPT)))
    return written(tag("html", "\n", tag("head", "\n", *head), "\n", body, "\n", lang="en"))
