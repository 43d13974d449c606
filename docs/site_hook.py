"""
Takes the pages outside docs/ into the site, and leads links to where their targets stand there.

A page keeps its path in the repository, less ``docs/``. Links are written for the repository's own view; each is
rewritten here. One that leads to a file which the site does not have is a warning, and under ``strict`` an error.
"""

import logging
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = (
    "README.md", "CHANGELOG.md", "changelog.d/README.md", "fixtures/*.md", "plugins/*/README.md",
    "plugins/situated/recfw_situated/simulator/dialect.md",
)  # fmt: skip
"""Patterns of pages outside docs/ that the site has."""

_LOG = logging.getLogger("mkdocs.hooks.site_hook")
_FENCE = re.compile(r"^(?P<indent> *)(?P<marks>```+)[^`\n]*\n.*?^(?P=indent)(?P=marks)$", re.MULTILINE | re.DOTALL)
_CODE_OR_LINK = re.compile(r"`[^`\n]*`(?!\])|(?P<before>\]\()(?P<target>[^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages outside docs/."""
    for pattern in OUTSIDE:
        for path in sorted(ROOT.glob(pattern)):
            place = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, in_site(place), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return a page with its links rewritten, those in code left as they are."""
    del config
    here = in_repository(page.file.src_uri)

    def rewritten(match: re.Match[str]) -> str:
        if not match["target"] or re.match(r"[a-z]+:|#", match["target"]):
            return match[0]
        path, mark, anchor = match["target"].partition("#")
        target = in_site(posixpath.normpath(posixpath.join(posixpath.dirname(here), path)))
        if files.get_file_from_path(target) is None:
            _LOG.warning("%s: %s is not in the site (docs/site_hook.py says what is).", here, path)
        return f"]({posixpath.relpath(target, posixpath.dirname(page.file.src_uri) or '.')}{mark}{anchor})"

    parts, end = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [_CODE_OR_LINK.sub(rewritten, markdown[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, _CODE_OR_LINK.sub(rewritten, markdown[end:])])


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    r"""Return a page with the ``\|`` that keeps a table's cell together shown as ``|`` in code, as elsewhere."""
    del page, config, files
    return re.sub(r"<code>[^<]*</code>", lambda match: match[0].replace(r"\|", "|"), html)


def in_site(path: str) -> str:
    """Return a file's path in the site from that in the repository."""
    return "readme.md" if path == "README.md" else path.removeprefix("docs/")


def in_repository(path: str) -> str:
    """Return a page's path in the repository from that in the site."""
    if path == "readme.md":
        return "README.md"
    outside = any(Path(path).match(pattern) and (ROOT / path).is_file() for pattern in OUTSIDE)
    return path if outside else f"docs/{path}"
