"""Writes docs/reference/api/*.md from the source of what plugins import: python docs/build_api.py [--check]."""

import ast
import itertools
import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generated import DOCS, keep

CORE = DOCS.parent / "core" / "recfw"
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Page(NamedTuple):
    """A page: its title, its opening words, and the modules that it is about, by their files."""

    title: str
    words: str
    modules: Sequence[str]


PAGES = {
    "protocols": Page(
        "Protocols",
        "What every kind of component must be able to do, and what it is given. A class need not inherit from these, "
        "but inheriting brings the defaults.",
        ("protocols.py", "errors.py", "serialize.py"),
    ),
    "model": Page(
        "Records",
        "The frozen records that components get and give: tasks, views, replies, traces, scores, runs, documents.",
        tuple(f"model/{name}.py" for name in (
            "task", "view", "reply", "trace", "usage", "score", "run", "results", "document", "draws", "rubric",
        )),
    ),
    "elicitation": Page(
        "Elicitation",
        "What tracks share about asking: goals and requirements, when a user tells them, proposals, users that follow "
        "rules, and a talk over a catalog that is ready to play.",
        tuple(f"elicitation/{name}.py" for name in (
            "talk", "goal", "predicates", "records", "disclosure", "proposals", "questions", "wording", "users",
            "manners", "policies", "preferences", "labels", "leaks", "consultation",
        )),
    ),
    "reporting": Page(
        "Figures and statistics",
        "What an analysis reads stored trials with, and what it computes intervals and tests by.",
        ("report/figures.py", "report/tables.py", "report/words.py", *(f"stats/{name}.py" for name in (
            "results", "passk", "intervals", "contrasts", "multiple", "signflip", "noise", "power", "agreement",
        ))),
    ),
    "testing": Page(
        "Testing",
        "What a plugin's own tests are made of, beside the [contract suites](contracts.md): episodes played in memory, "
        "typed commands, stand-ins for what a run gives to components, stored results, a provider of models.",
        (
            *(f"testing/{name}.py" for name in ("episodes", "project", "fakes", "results", "sample")),
            "testing/provider/__init__.py", "engine/request.py",
        ),
    ),
    "contracts": Page(
        "Contract suites",
        "A suite is a class to inherit from, with the component's name and the few things that only its author knows; "
        "[here](../../how-to/own-plugin.md#5-contract-suites) is how. All are imported from `recfw.testing.contracts`.",
        tuple(f"testing/contracts/{name}.py" for name in (
            "base", "tracks", "environments", "participants", "scorers", "sources", "output",
        )),
    ),
    "executors": Page(
        "Executors",
        "What an executor of your own is made of: bytes go out, workers carry them out, bytes come back.",
        tuple(f"executors/{name}.py" for name in ("jobs", "worker", "local", "parcels")),
    ),
}  # fmt: skip


def page(name: str) -> str:
    """Return a whole page."""
    title, words, modules = PAGES[name]
    note = "<!-- Written by docs/build_api.py from the source; edit the docstrings instead. -->"
    return "\n\n".join([f"# API: {title}", note, words, *(part for file in modules for part in module(file))]) + "\n"


def module(file: str) -> Iterator[str]:
    """Yield a module's parts: its docstring, then every public class and function in the order of the source."""
    source = (CORE / file).read_text(encoding="utf-8")
    tree = ast.parse(source)
    yield f"## recfw.{imported(file)}"
    yield prose(ast.get_docstring(tree) or "")
    constants = list(told_constants(tree.body))
    if constants:
        yield "\n".join(constants)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from described_class(node, source)
        elif isinstance(node, Function) and not node.name.startswith("_"):
            yield f"### {node.name}"
            yield code(f"{signature(node)}")
            yield prose(ast.get_docstring(node) or "")


def imported(file: str) -> str:
    """Return under what a module is imported, `recfw.` left out."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def told_constants(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield a line for each public constant that has a text below it."""
    for line, below in itertools.pairwise(body):
        target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
        told = (
            isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str)
        )
        names = [ast.unparse(name) for name in getattr(target, "elts", [target]) if name is not None and public(name)]
        if told and names:
            yield f"- {', '.join(f'`{name}`' for name in names)}: {first(below.value.value)}"


def described_class(node: ast.ClassDef, source: str) -> Iterator[str]:
    """Yield a class's parts: its head with fields, its docstring, its public methods."""
    yield f"### {node.name}"
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    fields = [field(line, source) for line in node.body if isinstance(line, ast.AnnAssign) and public(line.target)]
    fields += [written(line, source) for line in node.body if isinstance(line, ast.Assign) and "Enum" in bases]
    head = f"class {node.name}({bases})" if bases else f"class {node.name}"
    yield code("\n".join([f"{head}:", *(f"    {line}" for line in fields)]) if fields else head)
    yield prose(ast.get_docstring(node) or "")
    methods = [line for line in node.body if isinstance(line, Function) and not line.name.startswith("_")]
    if methods:
        yield "Methods:\n\n" + "\n".join(
            f"- `{signature(m, bound=True)}`: {first(ast.get_docstring(m) or '')}" for m in methods
        )


def public(target: ast.expr) -> bool:
    """Tell whether a field is for others."""
    return isinstance(target, ast.Name) and not target.id.startswith("_")


def field(line: ast.AnnAssign, source: str) -> str:
    """Return a field's line; a default that attrs makes from a call is shown by what it makes."""
    value = line.value
    if isinstance(value, ast.Call) and ast.unparse(value.func) in {"field", "attrs.field"}:
        given = {word.arg: written(word.value, source) for word in value.keywords}
        default = given.get("default", f"{given['factory']}()" if "factory" in given else "")
        text = f"{ast.unparse(line.target)}: {written(line.annotation, source)}"
        return f"{text} = {default}" if default else text
    return written(line, source)


def written(node: ast.AST, source: str) -> str:
    """Return code as the source has it, which is as `ruff format` leaves it."""
    return ast.get_source_segment(source, node) or ast.unparse(node)


def signature(node: Function, *, bound: bool = False) -> str:
    """Return a function's line, without ``self`` where ``bound``."""
    arguments = ast.unparse(node.args)
    if bound:
        arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    marks = {ast.unparse(mark).split("(")[0].rpartition(".")[2] for mark in node.decorator_list}
    if marks & {"property", "cached_property"}:
        return f"{node.name}{returns}"
    return f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}{node.name}({arguments}){returns}"


def code(text: str) -> str:
    """Return a block of Python."""
    return f"```python\n{text}\n```"


def first(docstring: str) -> str:
    """Return a docstring's first paragraph in one line."""
    return marked(" ".join(docstring.split("\n\n", maxsplit=1)[0].split()))


def prose(docstring: str) -> str:
    """Return a docstring as Markdown: paragraphs, and lists under Args, Attributes, Returns and Raises."""
    parts = []
    for block in docstring.split("\n\n"):
        title, _, body = block.partition(":\n")
        if title in {"Args", "Attributes", "Raises", "Returns"}:
            entries = re.split(r"\n(?=    \S)", body)
            lines = [re.sub(r"^(\w+(?: \([^)]*\))?): ", r"`\1`: ", " ".join(entry.split())) for entry in entries]
            parts.append(f"{title}:\n\n" + "\n".join(f"- {marked(line)}" for line in lines))
        elif block.startswith("- "):
            parts.append(
                "\n".join(f"- {marked(' '.join(entry.split()))}" for entry in re.split(r"(?:^|\n)- ", block)[1:])
            )
        elif re.match(r"\s+\S", block) or "::" in block:
            parts.append(code(block.strip("\n")))
        else:
            parts.append(marked(" ".join(block.split())))
    return "\n\n".join(part for part in parts if part)


def marked(words: str) -> str:
    """Return words with code as Markdown has it, and what would be taken for markup left as it is read."""
    words = re.sub(r":mod:`([\w.]+)`", r"``\1``", words)
    words = re.sub(r":meth:`~?(?:[\w.]+\.)?(\w+\.\w+)`", r"``\1``", words)
    words = re.sub(r":\w+:`~?(?:[\w.]+\.)?(\w+)`", r"``\1``", words).replace("``", "`")
    return "".join(
        part if number % 2 else part.replace("<", "&lt;").replace("*", r"\*")
        for number, part in enumerate(re.split(r"(`[^`]*`)", words))
    )


def main() -> int:
    """Write the pages, or with ``--check`` say whether they are current."""
    return max(keep(DOCS / "reference" / "api" / f"{name}.md", page(name), __file__) for name in PAGES)


if __name__ == "__main__":
    sys.exit(main())
