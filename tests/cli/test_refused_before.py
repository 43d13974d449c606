"""What can be known to be wrong is refused in one line before a run is created, and with a next step."""

from pathlib import Path

import pytest

from recfw.errors import ExitCode

TRACK = ("run", "--track", "fake-dialogue")
LARGEST = 2**63 - 1


@pytest.fixture(autouse=True)
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer the tracks that have a fault."""
    monkeypatch.setenv("RECFW_PLUGINS", "fakes.plugin,fakes.faulty")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (
            ("run", "--track", "no-analysis"),
            ExitCode.PLUGIN,
            "the track 'no-analysis' cannot be run: no analysis 'nobody",
        ),
        (("run", "--track", "no-metric"), ExitCode.PLUGIN, "the track 'no-metric' cannot be run: no metric 'nobody"),
        (("run", "--track", "no-cells"), ExitCode.PLUGIN, "the track 'no-cells' has no default cells. Name who "),
        (("run", "--track", "same-ids"), ExitCode.DATA, "two tasks have the id 'd0'. Give every task "),
        (("run", "--track", "searching", "--retriever", "nope"), ExitCode.USAGE, "no retriever 'nope' (known: "),
        ((*TRACK, "--set", "track.size=0"), ExitCode.USAGE, "the track has no tasks under these options. Ask for "),
        ((*TRACK, "--tasks", "["), ExitCode.USAGE, "no task '['. Tasks are 'd0', 'd1', 'd2' …; `recfw run --dry-run` "),
        ((*TRACK, "--tasks", ""), ExitCode.USAGE, "no task ''. Tasks are 'd0', 'd1', 'd2' …; `recfw run --dry-run` "),
        ((*TRACK, "--tasks", "\udcff"), ExitCode.USAGE, "tasks[0]: '?' is no valid Unicode. "),
        ((*TRACK, "--role", "=x"), ExitCode.USAGE, "--role =x: write ROLE=NAME."),
        ((*TRACK, "--trials", "0"), ExitCode.USAGE, "0 trials: at least one is needed."),
        ((*TRACK, "--trials", "9" * 23), ExitCode.USAGE, f"{'9' * 23} trials: a run has at most 10,000,000, over all "),
        ((*TRACK, "--trials", "2000000"), ExitCode.USAGE, "8 tasks, over all cells, x 2,000,000 trials are too many: "),
        ((*TRACK, "--seed", "-1"), ExitCode.USAGE, f"seed -1: a seed is a whole number from 0 to {LARGEST}."),
        (
            (*TRACK, "--seed", str(2**63)),
            ExitCode.USAGE,
            f"seed {2**63}: a seed is a whole number from 0 to {LARGEST}.",
        ),
        (
            (*TRACK, "--set", f"track.size={2**63}"),
            ExitCode.USAGE,
            f"options.size: {2**63} is out of range. Whole numbers ",
        ),
        (
            (*TRACK, "--set", "limits.grace_calls=" + "9" * 20),
            ExitCode.USAGE,
            "--set limits.grace_calls: a limit is a finite number from 0 to 1,000,000,000.",
        ),
        (
            (*TRACK, "--set", "limits.repairs=1", "--set", "limits.repairs=2"),
            ExitCode.USAGE,
            "limits.repairs has several values, but limits are the same in all cells. Give one;",
        ),
    ],
)
@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_it_is_told_and_nothing_is_stored(
    recfw, tmp_path: Path, words: tuple[str, ...], code: ExitCode, told: str, dry: tuple[str, ...]
) -> None:
    """One line says what is wrong, with or without --dry-run; no run is created, and no resume is advised."""
    done = recfw(*words, *dry)
    assert (done.status, done.err.count("\n")) == (code, 1)
    assert done.err.startswith(f"Error: {told}")
    assert "--resume" not in done.err
    assert recfw("runs", "list").out.startswith("No runs are stored yet.")
    assert not (tmp_path / "journal").exists()


def test_a_limit_of_roles_is_shown_with_its_role(recfw) -> None:
    """A limit that needs a role, or has none, is answered with the words that set it."""
    words = recfw(*TRACK, "--set", "limits.turns=5").err
    assert words.endswith("repairs). It is set by role, as in --set limits.turns.agent=5.\n")
    words = recfw(*TRACK, "--set", "limits.repairs.agent=5").err
    assert words.endswith("repairs). It has no roles: --set limits.repairs=5.\n")


@pytest.mark.parametrize("option", ["--plugin", "--track", "--config", "--store", "--resume"])
def test_an_empty_word_is_no_default(recfw, option: str) -> None:
    """An empty value, as of a shell's variable that is not set, is refused and not taken for none."""
    done = recfw(*TRACK, option, "")
    told = f"Error: {option} is empty. Give it a value, or leave it out.\n"
    assert (done.status, done.err) == (ExitCode.USAGE, told)


def test_an_empty_store_is_refused_everywhere(recfw) -> None:
    """Commands that read a store refuse an empty name too."""
    assert recfw("runs", "list", "--store", "").err == "Error: --store is empty. Give it a value, or leave it out.\n"


def test_a_disabled_plugin_is_told_from_a_missing_one(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for what is disabled says so and what disables it, be it a plugin or what only it offers."""
    why = "--disable-plugin or RECFW_DISABLE_PLUGINS names fakes.faulty: leave that out to have it.\n"
    monkeypatch.setenv("RECFW_DISABLE_PLUGINS", "fakes.faulty")
    assert recfw("run", "--plugin", "fakes.faulty").err == f"Error: the plugin 'fakes.faulty' is disabled. {why}"
    assert recfw("plugins", "info", "fakes.faulty").err == f"Error: the plugin 'fakes.faulty' is disabled. {why}"
    assert recfw("run", "--track", "searching").err.endswith(f". A disabled plugin may offer it: {why}")
    assert "\n  fakes.faulty   disabled\n" in recfw("plugins", "list").out


def test_what_a_run_needs_is_there_before_it_starts(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the plugin that offers the executor no run is created."""
    monkeypatch.setenv("RECFW_DISABLE_PLUGINS", "core")
    done = recfw(*TRACK)
    assert done.err.startswith("Error: no executor 'local' (known: none). A disabled plugin may offer it: ")
    monkeypatch.setenv("RECFW_DISABLE_PLUGINS", "")
    assert recfw("runs", "list").out.startswith("No runs are stored yet.")


def test_a_retriever_that_is_not_used_may_be_left_empty(recfw) -> None:
    """The check of a retriever's name is for those that are named."""
    assert recfw("run", "--track", "searching", "--dry-run").status == ExitCode.DONE
