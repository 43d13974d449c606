"""The reference pages say what the code says."""

import re
from types import ModuleType

import build_api
import build_cli
import build_components
import build_hooks
import pytest
from pages import ROOT

from recfw.cli.runfile import KEYS
from recfw.errors import ExitCode
from recfw.model.run import Limits

CLI = ROOT / "docs" / "reference" / "cli.md"
DESIGN = ROOT / "docs" / "explanation" / "design.md"


@pytest.fixture(autouse=True)
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every installed plugin be loaded, whatever other tests of this process leave out."""
    for name in ("RECFW_DISABLE_PLUGINS", "RECFW_PLUGINS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("script", [build_cli, build_components, build_hooks], ids=lambda script: script.__name__)
def test_generated_pages_are_current(script: ModuleType) -> None:
    """A page holds what its script writes now: all commands, components, hooks, with their options and words."""
    assert script.page() == script.TARGET.read_text(encoding="utf-8"), (
        f"python docs/{script.__name__}.py writes it anew"
    )


@pytest.mark.parametrize("name", build_api.PAGES)
def test_pages_of_the_api_are_current(name: str) -> None:
    """A page holds every public class and function of its modules, as the source has them."""
    text = (ROOT / "docs" / "reference" / "api" / f"{name}.md").read_text(encoding="utf-8")
    assert build_api.page(name) == text, "python docs/build_api.py writes it anew"


def test_modules_that_plugins_import_are_in_the_api() -> None:
    """Whatever module of core a page, a template or an example imports has its part; hooks have a page of their own."""
    told = [build_api.imported(file) for page in build_api.PAGES.values() for file in page.modules]
    places = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs" / "examples").rglob("*.py")]
    places += (ROOT / "core" / "recfw" / "templates").rglob("*.in")
    text = "\n".join(path.read_text(encoding="utf-8") for path in places)
    used = set(re.findall(r"^\s*from recfw\.([\w.]+) import", text, re.MULTILINE)) - {"hookspecs"}
    assert [] == sorted(name for name in used if not any(f"{part}.".startswith(f"{name}.") for part in told))


def test_help_texts_keep_their_lines() -> None:
    """No help text shows click's mark for kept lines as a backslash and a b (a raw docstring would)."""
    assert "\\b" not in CLI.read_text(encoding="utf-8")


def test_every_environment_variable_is_documented() -> None:
    """Every variable of recfw that core or a plugin reads stands on the command-line page."""
    sources = [*(ROOT / "core" / "recfw").rglob("*.py"), *(ROOT / "plugins").glob("*/recfw_*/**/*.py")]
    used = {
        name for path in sources for name in re.findall(r"\bRECFW_[A-Z_]*[A-Z]\b", path.read_text(encoding="utf-8"))
    }
    page = CLI.read_text(encoding="utf-8")
    assert set() == {name for name in used if f"`{name}`" not in page}


def test_every_exit_status_is_documented() -> None:
    """Every exit status has a row on the command-line page."""
    page = CLI.read_text(encoding="utf-8")
    assert [] == [int(code) for code in ExitCode if f"| {int(code)} |" not in page]


@pytest.mark.parametrize("key", KEYS)
def test_every_key_of_a_run_file_is_documented(key: str) -> None:
    """Every key of a run file has a row on its page."""
    page = (ROOT / "docs" / "how-to" / "run-file.md").read_text(encoding="utf-8")
    assert f"| `{key}` |" in page


@pytest.mark.parametrize("limit", [attribute.name for attribute in Limits.__attrs_attrs__])
def test_every_limit_is_documented(limit: str) -> None:
    """Every limit has a row in the design page's table."""
    assert re.search(rf"^\| `{limit}` \|", DESIGN.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_layers_are_those_that_lint_checks() -> None:
    """The design page lists the layers of setup.cfg, in its order."""
    contract = (ROOT / "setup.cfg").read_text(encoding="utf-8").partition("layers =\n")[2].partition("exhaustive")[0]
    layers = [name for line in contract.split() if (name := line.strip()) != "|"]
    rows = re.findall(
        r"^\| `(\w+)`(?:, `(\w+)`)? \|", _section(DESIGN.read_text(encoding="utf-8"), "Layers"), re.MULTILINE
    )
    assert layers == [name for row in rows for name in row if name]


def _section(text: str, title: str) -> str:
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
