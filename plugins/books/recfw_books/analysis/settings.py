"""The factors of an experiment: which agent, interface, catalog size, prompt and user a cell of a run played with."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, field, fields_dict, frozen

from recfw.model.run import Cell, ComponentSpec
from recfw.serialize import canonical, to_data
from recfw_books.track import BooksOptions

RULES_USER = "books-rules"
SCRIPTED = ("popularity", "eliminating", "no-ask", "frugal", "insistent", "pleasing", "unheeding")
"""The agents that are scripts, the paper's first: the tests are of them only where a run has no other agent."""

WHOLE = 20_000
"""Size of the paper's whole catalog; a size of 0 and this one are the same."""

INTERFACES = ("structured", "keyword")

USUAL: Mapping[str, str] = {
    "prompt": "base",
    "user": RULES_USER,
    "retriever": "impact",
    "catalog": "",
    "other": "",
}
"""The paper's main experiment: the factors that its tables hold fixed."""

_DEFAULT = {name: attribute.default for name, attribute in fields_dict(BooksOptions).items()}
_TASK_OPTIONS = ("tasks_file", "task_seed")
"""Options that decide which tasks there are: runs are held together by the tasks' content, not by these."""

_FACTORS = ("interface", "size", "prompt", "field_list", "retriever", "catalog", *_TASK_OPTIONS)


@frozen(order=True)
class Setting:
    """
    One combination of factors.

    Args:
        agent: The agent, by a name that is short and unique among the runs under analysis.
        interface: ``structured`` or ``keyword``.
        size: Books in play; 0 for the whole catalog.
        prompt: The agent's prompt; ``base+fields`` where the keyword prompt lists the fields.
        user: The user, named as agents are.
        retriever: What is behind the keyword interface; empty for the structured one.
        catalog: The catalog; empty for the embedded one.
        other: Any other option of the track that is not at its default, as JSON; empty for none.
    """

    agent: str
    interface: str
    size: int = 0
    prompt: str = "base"
    user: str = RULES_USER
    retriever: str = ""
    catalog: str = ""
    other: str = ""

    @property
    def name(self) -> str:
        """Return agent and interface, and whatever else is not as the paper's main experiment has it."""
        words = [size_words(self.size)] if self.size else []
        for factor, usual in USUAL.items():
            value = getattr(self, factor)
            if value != usual and (value or factor != "retriever"):
                words.append(f"user {value}" if factor == "user" else value)
        return ", ".join([f"{self.agent} {self.interface}", *words])


def size_words(size: int) -> str:
    """Return a catalog's size in a word: ``5k``, ``whole``."""
    if not size:
        return "whole"
    return f"{size // 1000}k" if size % 1000 == 0 else str(size)


@frozen
class Names:
    """
    Short, unique names of components.

    Args:
        of: Identity (name and options as JSON) -> name.
    """

    of: Mapping[str, str] = field(repr=False)

    @classmethod
    def make(cls, specs: Iterable[ComponentSpec]) -> "Names":
        """
        Name components: by the option ``model`` where there is one, else by their own name.

        Components that this does not tell apart get their own name too, or the options in which they differ.
        """
        known = {_identity(spec): spec for spec in specs}
        groups: dict[str, list[str]] = {}
        for identity in sorted(known):
            groups.setdefault(str(known[identity].options.get("model") or known[identity].name), []).append(identity)
        return cls({i: name for base, group in groups.items() for i, name in _apart(base, group, known).items()})

    def name(self, spec: ComponentSpec) -> str:
        """Return a component's name."""
        return self.of[_identity(spec)]


def _identity(spec: ComponentSpec) -> str:
    return canonical(to_data(spec)).decode()


def _apart(base: str, group: list[str], known: Mapping[str, ComponentSpec]) -> dict[str, str]:
    if len(group) == 1:
        return {group[0]: base}
    options = {identity: {"component": known[identity].name, **known[identity].options} for identity in group}
    keys = sorted({key for one in options.values() for key in one})
    telling = [key for key in keys if len({canonical(one.get(key)) for one in options.values()}) > 1]
    return {
        identity: f"{base} ({', '.join(f'{key} {_text(one.get(key))}' for key in telling)})"
        for identity, one in options.items()
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value).decode()


def user_of(cell: Cell) -> ComponentSpec:
    """Return who plays the user in a cell."""
    return cell.roles.get("user", ComponentSpec(RULES_USER))


def is_voiced(spec: ComponentSpec) -> bool:
    """Tell whether a user is one that a model voices: it names a model, or is no user of this plugin."""
    return "model" in spec.options or not spec.name.startswith("books-")


def setting_of(cell: Cell, agents: Names, users: Names) -> Setting | None:
    """Return a cell's setting; None where nobody plays the agent."""
    if "agent" not in cell.roles:
        return None
    given = {**_DEFAULT, **cell.options}
    other = {
        name: value
        for name, value in sorted(cell.options.items())
        if name not in _FACTORS and (name not in _DEFAULT or value != _DEFAULT[name])
    }
    setting = Setting(
        agent=agents.name(cell.roles["agent"]),
        interface=str(given["interface"]),
        size=0 if given["size"] == WHOLE else int(given["size"]),
        prompt=f"{given['prompt']}{'+fields' if given['field_list'] else ''}",
        user=users.name(user_of(cell)),
        catalog=str(given["catalog"]),
        other=canonical(other).decode() if other else "",
    )
    return evolve(setting, retriever=str(given["retriever"])) if setting.interface == "keyword" else setting
