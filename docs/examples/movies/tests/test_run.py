"""The track is played from the command line; slips are named."""

import json

import pytest

from recfw.engine.request import RunRequest, build_spec, parse_setting
from recfw.errors import UsageError
from recfw.testing.episodes import sample_registry
from recfw.testing.project import Project

AFEW = ("--tasks", "seen-01-*", "--tasks", "none-*", "--agent", "movies-careful", "--agent", "movies-shy")
SIGNED = ("--name", "A", "--contact", "a@example.org", "--system", "As they come.", "--sign-off")


def test_a_run_is_replayed_resumed_submitted_and_verified(project: Project) -> None:
    """`recfw run` prints the track's own table; replay finds no difference, resume nothing to do, verify no fault.

    The shy agent offers nothing: each of its policies has no value, and n = 0.
    """
    done = project.type("run", "--plugin", "movies", *AFEW)
    assert done.status == 0, done.err
    assert "policies, where they applied" in done.out
    assert project.type("replay").status == 0
    assert project.type("run", "--resume", "latest").status == 0
    figures = json.loads(project.type("report", "--format", "json").out)["figures"]
    policies = figures["runs"][0]["cells"]["movies-shy"]["policies"]
    assert {(None, 0)} == {(one["value"], one["n"]) for one in policies.values()}
    assert project.type("submit", "latest", "--out", "mine.tar", *SIGNED).status == 0
    verified = project.type("verify", "mine.tar")
    assert (0, True) == (verified.status, "verified" in verified.out)


def test_a_policy_that_does_not_exist_is_named() -> None:
    """A slip in the option `ignore` stops the run with the policies that there are."""
    slip = RunRequest(
        track="movies", roles={"agent": ("movies-careful",)}, settings=(parse_setting("agent.ignore=histry"),)
    )
    with pytest.raises(UsageError, match=r"'ignore' names no policy 'histry' \(known: history,"):
        build_spec(sample_registry(), slip)
