"""The plugin template: which files a new distribution has, and their text."""

from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable

from attrs import frozen

LICENCES = ("MIT", "BSD-3-Clause", "Apache-2.0", "Proprietary")
"""Names of licences whose text there is; all but the last are SPDX identifiers."""


@frozen
class Kind:
    """
    What a new plugin offers.

    Args:
        word: The kind in words.
        command: What tries the plugin, ``{name}`` standing for its name.
        next_steps: What to change first.
        suffix: Ending of its class's name; empty where the kind has modules of its own.
    """

    word: str
    command: str
    next_steps: str
    suffix: str = ""

    @property
    def many(self) -> str:
        """The kind as hooks name it."""
        return "analyses" if self.word == "analysis" else f"{self.word}s"


_SAMPLE = "RECFW_PLUGINS=recfw.testing.sample recfw run --track sample"
_SERVED = "Which tracks it understands can be said in its class's `tracks`; none stands for all."
KINDS: Mapping[str, Kind] = {
    "track": Kind(
        "track",
        "recfw run --plugin {name}",
        "Replace `data/catalog.json` and `data/tasks.json` by your own, then `FIELDS` and `BRIEF` in `track.py`. Where "
        "a talk\nwith the tools `list_items` and `recommend` is not what you want, subclass `CatalogTalk`, or write an "
        "`Environment`\nof your own.",
    ),
    "agent": Kind("agent", f"{_SAMPLE} --agent {{name}}", f"Replace `reply` in `agent.py`. {_SERVED}", "Agent"),
    "user": Kind("user", f"{_SAMPLE} --user {{name}}", f"Replace the voice in `user.py`. {_SERVED}", "User"),
    "judge": Kind("judge", f"{_SAMPLE} --judge {{name}}", "Replace `judge` and `identity` in `judge.py`.", "Judge"),
    "metric": Kind(
        "metric",
        "recfw plugins info {name}",
        "Replace `score` and `figures` in `metric.py`. A track names what scores its trials in its `metrics`.",
        "Metric",
    ),
    "retriever": Kind(
        "retriever",
        "recfw plugins info {name}",
        "Replace `build` and `search` in `retriever.py`. A track that takes `--retriever` can be run with it.",
        "Retriever",
    ),
    "catalog": Kind(
        "catalog",
        "recfw plugins info {name}",
        "Replace `data/catalog.json`, or how `catalog.py` reads it. A track that takes `--catalog` can be run with it.",
        "Catalog",
    ),
    "analysis": Kind(
        "analysis",
        f"{_SAMPLE} && recfw report --analysis {{name}}",
        "Replace `report` in `analysis.py`. A track that names it first in its `analyses` shows it after each run.",
        "Analysis",
    ),
    "renderer": Kind(
        "renderer",
        f"{_SAMPLE} && recfw report --format {{name}}",
        "Replace `render` in `renderer.py`; `suffixes` are the endings of files that `recfw report --out` gives it.",
        "Renderer",
    ),
    "executor": Kind("executor", f"{_SAMPLE} --executor {{name}}", "Replace `execute` in `executor.py`.", "Executor"),
}
_DATA = {"track": ("common/catalog.json", "track/tasks.json"), "catalog": ("common/catalog.json",)}
_MODULES = {
    "track": {
        "track.py": "the track: catalog, tasks, roles, limits, and the check of its content",
        "components.py": "the reference agent and the metric",
        "data/": "the catalog and the tasks",
    },
    "catalog": {"catalog.py": "the catalog", "data/": "its items"},
}


def distribution_files(name: str, kind: str, author: str, licence: str, year: int) -> dict[str, str]:
    """
    Return the files of a new distribution, path -> text.

    Args:
        name: The plugin's name: small letters, digits and single hyphens, a letter first.
        kind: One of ``KINDS``.
        author: Who holds the copyright, on one line.
        licence: One of ``LICENCES``.
        year: Of the copyright.
    """
    chosen, package = KINDS[kind], f"recfw_{name.replace('-', '_')}"
    modules = _MODULES.get(kind, {f"{kind}.py": f"the {chosen.word}"})
    values = {
        "name": name,
        "dist": f"recfw-{name}",
        "package": package,
        "title": "".join(part.capitalize() for part in name.split("-")),
        "kind": kind,
        "kinds": chosen.many,
        "word": chosen.word,
        "suffix": chosen.suffix,
        "summary": f"The {chosen.word} {name} for recfw",
        "licence": licence,
        "licence_expression": "LicenseRef-Proprietary" if licence == "Proprietary" else licence,
        "year": str(year),
        "attrs_requirement": "" if kind == "track" else "\n    attrs>=24.2",
        "attrs_row": "" if kind == "track" else "\n| attrs | options as frozen records, as in core |",
        "core_range": core_range(version("recfw")),
        "command": chosen.command.format(name=name),
        "next_steps": chosen.next_steps,
        "files": "\n".join(f"| `{package}/{module}` | {words} |" for module, words in modules.items()),
        "author": author,  # and last, so that nothing in it is taken for one of the above
    }
    in_cfg = values | {"author": author.replace("%", "%%")}  # where a single one would refer to another line
    return {
        path: _filled(source, in_cfg if path == "setup.cfg" else values)
        for path, source in _sources(kind, package, licence).items()
    }


def core_range(now: str) -> str:
    """Return the range of recfw that a plugin made today declares: from this minor version to the next breaking one."""
    major, minor = (int(part) for part in now.split(".")[:2])
    return f">={major}.{minor},<{major + 1}.0" if major else f">=0.{minor},<0.{minor + 1}"


def _sources(kind: str, package: str, licence: str) -> dict[str, Traversable]:
    """Return path -> template."""
    root = files("recfw") / "templates"
    names = {
        "setup.cfg": "common/setup.cfg",
        "pyproject.toml": "common/pyproject.toml",
        "tox.ini": "common/tox.ini",
        "README.md": "common/README.md",
        "CHANGELOG.md": "common/CHANGELOG.md",
        ".gitignore": "common/gitignore",
        ".github/workflows/tests.yml": "common/ci.yml",
        f"{package}/__init__.py": "common/init.py",
        f"{package}/plugin.py": "track/plugin.py" if kind == "track" else "common/plugin.py",
        "tests/conftest.py": "common/conftest.py",
        "tests/test_plugin.py": "common/test_plugin.py",
        "tests/test_contracts.py": f"{kind}/test_contracts.py",
    }
    for module in _MODULES.get(kind, {f"{kind}.py": ""}):
        if module.endswith(".py"):
            names[f"{package}/{module}"] = f"{kind}/{module}"
    names |= {f"{package}/data/{source.partition('/')[2]}": source for source in _DATA.get(kind, ())}
    if (root / kind / "test_run.py.in").is_file():
        names["tests/test_run.py"] = f"{kind}/test_run.py"
    found = {path: root / f"{name}.in" for path, name in names.items()}
    empty = root / "common" / "py.typed.in"
    return {**found, "LICENSE": root / "licences" / f"{licence}.txt", f"{package}/py.typed": empty}


def _filled(source: Traversable, values: Mapping[str, str]) -> str:
    text = source.read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"{{{{{key}}}}}", value)
    return text
