"""Every command of every page works and prints what the page shows, unless the page says why it is not run here."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pages import ROOT, Step, pages, steps

OWN_TEST = {"docs/reference/mistakes.md"}  # tests/test_mistakes.py types its commands, which all fail
BESIDE = ("docs", "fixtures", "plugins", "registry.yaml")
"""What commands find in their folder of the checkout that a reader is in."""
AT_ONCE = re.compile(r"\b\d{8}-\d{6}-[a-z]{6}\b")
"""The id of a run, which no two have in common."""


def _steps() -> Iterator[tuple[str, list[Step]]]:
    for page in pages():
        name = page.relative_to(ROOT).as_posix()
        found = [step for step in steps(page.read_text(encoding="utf-8")) if not step.why_not]
        if name not in OWN_TEST and any(not step.path for step in found):
            yield name, found


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("page", "found"), [pytest.param(*each, id=each[0]) for each in _steps()])
def test_commands_exit_0_and_print_what_is_shown(
    page: str, found: list[Step], path: str, home: Path, tmp_path: Path
) -> None:
    """The page's commands exit 0, in order, in one shell, beside the page's files, and print what the page shows."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in BESIDE:
        (folder / name).symlink_to(ROOT / name)
    done = subprocess.run(
        ["bash", "-c", _script(found, tmp_path)],
        cwd=folder,
        env=_environment(home, path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=290,
        check=False,
    )
    printed = dict(enumerate(re.split(r"^\[step \d+\]\n", done.stdout, flags=re.MULTILINE)[1:]))
    last = found[max(printed, default=0)].text
    assert 0 == done.returncode, f"{page}: {last}\n{done.stdout[-3000:]}"
    missing = [f"$ {step.text}{step.shown}" for n, step in enumerate(found) if not _holds(printed[n], step.shown)]
    assert [] == missing, done.stdout


def _script(found: list[Step], kept: Path) -> str:
    """Return a shell script of a page's steps; it tells on a line of its own which one begins."""
    lines = ["set -e"]
    for number, step in enumerate(found):
        lines.append(f"printf '\\n[step {number}]\\n'")
        if step.path:
            text = kept / f"{number}.txt"
            text.write_text(step.text, encoding="utf-8")
            lines.append(f"mkdir -p {Path(step.path).parent} && cp {text} {step.path}")
        else:
            lines.append(step.text)
    return "\n".join(lines)


def _holds(printed: str, shown: str) -> bool:
    """Tell whether lines were printed as shown: … stands for anything in a line, on a line of its own for lines."""
    lines = [AT_ONCE.sub("RUN", line.rstrip()) for line in shown.splitlines() if line.strip()]
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
        for line in lines
    )
    told = "".join(AT_ONCE.sub("RUN", line.rstrip()) + "\n" for line in printed.splitlines() if line.strip())
    return re.search(f"^{pattern}", told, re.MULTILINE) is not None


def _environment(home: Path, path: str) -> dict[str, str]:
    """Return an environment with a home that is not the user's, and nothing that steers recfw."""
    steering = ("RECFW_", "PYTEST_", "PYTHONPATH", "XDG_")
    return {
        **{n: v for n, v in os.environ.items() if not n.startswith(steering)},
        "PATH": path,
        "HOME": str(home),
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }
