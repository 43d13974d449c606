"""How a run is carried out: budgets, calibration, checks before the first trial, answers that are kept, keys."""

import json
import os
import sqlite3
from collections.abc import Callable

import pytest
from fakes.metered import notes

from recfw.cli.carrying import read_variables
from recfw.errors import DataError
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]


@pytest.fixture
def metered(recfw: Recfw, tmp_path, monkeypatch) -> Recfw:
    """Give what types commands where the metered components are, which leave notes in a folder."""
    folder = tmp_path / "notes"
    folder.mkdir()
    monkeypatch.setenv("RECFW_PLUGINS", "fakes.plugin,fakes.metered")
    monkeypatch.setenv("FAKES_NOTES", str(folder))
    return recfw


RUN = ("run", "--track", "fake-dialogue", "--agent", "metered", "--concurrency", "1")


def _stored() -> int:
    with sqlite3.connect(os.environ["RECFW_STORE"]) as connection:
        return connection.execute("SELECT count(*) FROM trial WHERE status = 'completed'").fetchone()[0]


def test_no_trial_begins_past_the_cost(metered: Recfw) -> None:
    """A run stops when its budget is spent, says so and how to go on, and exits 1."""
    done = metered(*RUN, "--max-cost", "0.09")
    assert (1, 3) == (done.status, _stored())
    assert "Stopped: --max-cost 0.0900 USD is reached: 0.1200 USD spent, and 0 trials in play." in done.err
    assert "run --resume" in done.err


def test_what_was_spent_before_counts(metered: Recfw) -> None:
    """A resumed run has only what its budget leaves."""
    metered(*RUN, "--max-cost", "0.09")
    again = metered("run", "--resume", "latest", "--max-cost", "0.09")
    assert (1, 3) == (again.status, _stored())
    more = metered("run", "--resume", "latest", "--max-cost", "0.17", "--concurrency", "1")
    assert (1, 5) == (more.status, _stored())


def test_tokens_are_a_budget_too(metered: Recfw) -> None:
    """Tokens read and written are counted together."""
    done = metered(*RUN, "--max-tokens", "100")
    assert (1, 2) == (done.status, _stored())


def test_a_budget_in_money_needs_a_price(metered: Recfw) -> None:
    """Where no price is known, the run stops after the first trial and says what to do."""
    done = metered(*RUN, "--max-cost", "1", "--set", "agent.price=none")
    assert (1, 1) == (done.status, _stored())
    assert "price of what fills 'agent' is not known" in done.err
    assert "--max-tokens" in done.err


@pytest.mark.parametrize("wrong", ["soon", "0", "-1s", "1y"])
def test_a_time_span_is_one(metered: Recfw, wrong: str) -> None:
    """A time span that is none is refused with how to write one."""
    done = metered(*RUN, "--max-time", wrong)
    assert 2 == done.status
    assert "Write 90s, 15m, 2h or 1d" in done.err


def test_calibration_plays_a_sample_and_projects(metered: Recfw) -> None:
    """A calibration spends on some trials, estimates the whole with an interval, and leaves the rest to resume."""
    done = metered(*RUN, "--calibrate", "4")
    assert (0, 4) == (done.status, _stored())
    assert "Estimated for the 8 trials that were pending, by 4 of them:" in done.out
    assert "cost: 0.3200 USD (95 % interval 0.3200 USD to 0.3200 USD)" in done.out
    metered("run", "--resume", "latest")
    assert 8 == _stored()


def test_every_model_is_checked_once_before_the_first_trial(metered: Recfw, tmp_path) -> None:
    """Agent and judge are asked once each, and what that cost is said."""
    done = metered(*RUN, "--judge", "metered-judge")
    assert 0 == done.status
    assert ([""], [""]) == (notes(tmp_path / "notes", "checked"), notes(tmp_path / "notes", "judge-checked"))
    assert "Checked agent 'metered': it answers" in done.err
    assert "3 + 1 tokens, 0.010000 USD" in done.err


def test_a_check_that_fails_stores_nothing(metered: Recfw) -> None:
    """A refused key is told before anything is stored, with the next step."""
    done = metered(*RUN, "--set", "agent.check=refused")
    assert 6 == done.status
    assert (
        "Error: agent 'metered': the key is refused. Set METERED_KEY. Skip this check with --no-preflight." in done.err
    )
    assert "No runs are stored" in metered("runs", "list").out
    assert 0 == metered(*RUN, "--set", "agent.check=refused", "--no-preflight").status


@pytest.mark.parametrize("workers", ["0", "2"])
def test_an_outage_stops_the_run(metered: Recfw, workers: str) -> None:
    """When nothing further can succeed, no trial is begun, what was finished stays, and resume is named."""
    words = (*RUN, "--workers", workers, "--set", "agent.outage=d3")
    done = metered(*words)
    assert 6 == done.status
    assert "the provider refuses the key. Get another." in done.err
    assert "run --resume" in done.err
    assert 0 < _stored() < 8


def test_an_outage_of_a_judge_stops_the_run_and_keeps_the_trial(metered: Recfw) -> None:
    """The trial that could not be judged is stored without that score."""
    done = metered(*RUN, "--judge", "metered-judge", "--set", "judge.outage=d0", "--set", "judge.check=nothing")
    assert 6 == done.status
    assert "the judge's provider is down." in done.err
    assert 1 <= _stored() < 8


@pytest.mark.parametrize(("workers", "processes"), [("0", "1"), ("2", "2")])
def test_components_are_told_how_the_run_is_carried_out(metered: Recfw, tmp_path, workers, processes) -> None:
    """The folder of answers, whether anything may be sent, and how many processes share a limit."""
    (tmp_path / "answers").mkdir()
    metered(*RUN, "--workers", workers, "--cache", str(tmp_path / "answers"), "--cache-only", "--no-preflight")
    told = notes(tmp_path / "notes", "equipped")
    assert {f"{tmp_path / 'answers'} True {processes}"} == set(told)


def test_kept_answers_alone_need_a_folder(metered: Recfw, tmp_path) -> None:
    """--cache-only without a folder that exists is refused."""
    assert "--cache-only needs a cache" in metered(*RUN, "--cache-only").err
    assert "no such folder" in metered(*RUN, "--cache-only", "--cache", str(tmp_path / "none")).err


def test_a_run_may_be_resumed_at_another_pace(metered: Recfw, tmp_path) -> None:
    """An option on how something is carried out may differ when a run is resumed; any other is refused by name."""
    metered(*RUN, "--max-cost", "0.01")
    refused = metered("run", "--resume", "latest", "--set", "agent.price=0.02")
    assert 2 == refused.status
    assert "cells.metered.roles.agent.options.price: 0.01 -> 0.02" in refused.err
    assert 0 == metered("run", "--resume", "latest", "--set", "agent.pace=7").status
    assert {"0", "7"} == set(notes(tmp_path / "notes", "pace"))
    assert "this run has no component 'nobody'" in metered(
        "run", "--resume", "latest", "--set", "nobody.pace=7"
    ).err  # fmt: skip


def test_the_report_tells_every_role_and_judge_apart(metered: Recfw) -> None:
    """Tokens by kind, cost and seconds a reply of agent and judge stand in the report."""
    metered(*RUN, "--judge", "metered-judge")
    figures = json.loads(metered("report", "--format", "json").out)["operational"]["runs"][0]
    assert {"agent", "user", "judge"} == set(figures["cells"]["metered"]["usage"])
    assert {"input_tokens": 800, "output_tokens": 160, "cost": pytest.approx(0.08)} == figures["spending"]["judge"]
    agent = figures["spending"]["agent"]
    assert (32, 320, 128, 64) == tuple(
        agent[name] for name in ("replies", "input_tokens", "cached_tokens", "reasoning_tokens")
    )


def test_keys_come_from_a_file(tmp_path) -> None:
    """Names, quoted values, comments and ``export`` are read."""
    file = tmp_path / "keys"
    file.write_text("# keys\nexport A_KEY='a b'\nB = \"c#d\"\n\nC=e # mine\nD=\n")
    assert {"A_KEY": "a b", "B": "c#d", "C": "e", "D": ""} == read_variables(str(file))


def test_a_file_of_keys_is_never_quoted(tmp_path) -> None:
    """A line that is none is named by its number, not by what it holds."""
    file = tmp_path / "keys"
    file.write_text("A=1\nsk-secret\n")
    with pytest.raises(DataError, match="line 2") as caught:
        read_variables(str(file))
    assert "secret" not in str(caught.value)
    with pytest.raises(DataError, match="cannot be read"):
        read_variables(str(tmp_path / "none"))
