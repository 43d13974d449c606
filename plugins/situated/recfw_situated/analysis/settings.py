"""A setting: which assistant talks to which user, on what input; trials of one setting stand in one row."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import field, fields, frozen

from recfw.model.run import Cell, ComponentSpec
from recfw.serialize import canonical, to_data
from recfw_situated.track import SituatedOptions

FULL = "none"
CONDITIONS: Mapping[str, str] = {
    FULL: "Full Context",
    "no-image": "w/o EVV",
    "no-image-no-text": "w/o EVV & Textual Caption",
}
"""Ablation -> what the paper's table 5 calls it (EVV: egocentric visual view)."""

_APART = ("tasks_file", "picture_history")
"""Options of the track, beside the ablation, on which figures depend."""


@frozen
class Setting:
    """
    What decides a row.

    Args:
        agent: The assistant's name: its model where it has one, else its own.
        user: The user's likewise.
        ablation: What was taken from the assistant's input.
        other: Options that differ from the default, as JSON; empty where none does.
        second: Whether it is of the second set of runs.
    """

    agent: str
    user: str
    ablation: str = FULL
    other: str = ""
    second: bool = False

    @property
    def row(self) -> str:
        """What the row of an assistant is called."""
        return f"{self.agent} {self.other}" if self.other else self.agent


@frozen
class Names:
    """Short, unique names of components: identity (name and options as JSON) -> name."""

    of: Mapping[str, str] = field(repr=False)

    @classmethod
    def make(cls, specs: Iterable[ComponentSpec]) -> "Names":
        """Name components by their option ``model`` or else their own name; equal ones by their options as well."""
        known = {_identity(spec): spec for spec in specs}
        groups: dict[str, list[str]] = {}
        for identity in sorted(known):
            spec = known[identity]
            groups.setdefault(str(spec.options.get("model") or spec.name), []).append(identity)
        named: dict[str, str] = {}
        for base, group in groups.items():
            telling = _telling([known[identity] for identity in group])
            for identity in group:
                words = ", ".join(f"{key} {known[identity].options.get(key, 'default')}" for key in telling)
                named[identity] = f"{base} ({words})" if words else base
        return cls(named)

    def name(self, spec: ComponentSpec) -> str:
        """Return a component's name."""
        return self.of[_identity(spec)]


def _identity(spec: ComponentSpec) -> str:
    return canonical(to_data(spec)).decode()


def _telling(specs: list[ComponentSpec]) -> list[str]:
    """Return the options in which components differ."""
    keys = sorted({key for spec in specs for key in spec.options})
    return [key for key in keys if len({canonical(spec.options.get(key)) for spec in specs}) > 1]


def setting_of(cell: Cell, agents: Names, users: Names, *, second: bool) -> Setting:
    """Return a cell's setting."""
    defaults: dict[str, Any] = {one.name: one.default for one in fields(SituatedOptions)}
    other = {key: cell.options[key] for key in _APART if cell.options.get(key, defaults[key]) != defaults[key]}
    return Setting(
        agent=agents.name(cell.roles["agent"]),
        user=users.name(user_of(cell)),
        ablation=str(cell.options.get("ablation", FULL)),
        other=canonical(other).decode() if other else "",
        second=second,
    )


def user_of(cell: Cell) -> ComponentSpec:
    """Return who plays the user in a cell."""
    return cell.roles.get("user", ComponentSpec("situated-rules"))
