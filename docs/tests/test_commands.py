"""Every marked command of a page works, in an empty folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pages import ROOT, pages, steps

WITH_STEPS = [page for page in pages() if any(not step.path for step in steps(page))]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", WITH_STEPS, ids=lambda page: str(page.relative_to(ROOT)))
def test_marked_commands_exit_0(page: Path, tmp_path: Path) -> None:
    """The blocks after ``<!-- run -->`` exit 0, in order, in one shell, beside the files that the page shows."""
    script = ["set -e"]
    folder = tmp_path / "folder"
    for number, step in enumerate(steps(page)):
        if step.path:
            kept = tmp_path / str(number)
            kept.write_text(step.text, encoding="utf-8")
            script.append(f"mkdir -p {Path(step.path).parent} && cp {kept} {step.path}")
        else:
            script.append(step.text)
    folder.mkdir()
    done = subprocess.run(
        ["bash", "-x", "-c", "\n".join(script)],
        cwd=folder,
        env=_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=290,
        check=False,
    )
    assert 0 == done.returncode, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def _environment(home: Path) -> dict[str, str]:
    """Return an environment with this interpreter's commands, an empty home, and nothing that steers recfw."""
    kept = {n: v for n, v in os.environ.items() if not n.startswith(("RECFW_", "PYTEST_", "PYTHON", "XDG_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "PATH": path, "HOME": str(home), "COLUMNS": "100", "NO_COLOR": "1"}
