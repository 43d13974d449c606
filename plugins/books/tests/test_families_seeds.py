"""Fresh sets for many seeds: each is drawn within a minute, and holds whatever the validator recomputes."""

import os
from pathlib import Path

import pytest

from recfw.testing.project import Project

SEEDS = range(20)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_twenty_seeds_in_a_row(tmp_path: Path) -> None:
    """Seeds 0 to 19, as typed: drawn in less than 60 s of CPU each, and valid."""
    project = Project(tmp_path, {})
    for seed in SEEDS:
        started = of_children()
        assert project.type("books", "generate", "--seed", str(seed), "--out", f"set{seed}").status == 0
        assert of_children() - started < 60
        done = project.type("books", "validate", "--catalog", f"set{seed}")
        assert (done.status, done.out.split("; ")[0]) == (
            0,
            f"No problem in 150 families, 450 tasks (set{seed}/tasks.jsonl)",
        )


def of_children() -> float:
    """Return the CPU seconds of ended child processes."""
    spent = os.times()
    return spent.children_user + spent.children_system
