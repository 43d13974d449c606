"""A bundle is held against what this installation comes to; what cannot be checked is said."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from fakes.bench import Bench
from fakes.bundling import bundle_of, parts_of, put_together
from fakes.dialogue import Asker, DialogueTrack, Met

from recfw.model.run import TrialKey
from recfw.model.score import Score
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import checksum, pack_trace, trace_lines
from recfw.store.repository import Store
from recfw.store.writing import score_checksum
from recfw.submission.manifest import FIGURES
from recfw.submission.opening import open_bundle
from recfw.submission.verdict import Finding, Outcome, Verdict, keep, kept
from recfw.submission.verifying import Extent, Verification

ALL = Extent()
SAME, DIFFERS, UNCHECKED, NOTE = Outcome.SAME, Outcome.DIFFERS, Outcome.UNCHECKED, Outcome.NOTE


@pytest.fixture
def findings(tmp_path: Path, fakes_registry: Registry) -> Callable[..., list[Finding]]:
    """A function that gives what is found in a bundle."""

    def find(path: Path, registry: Registry = fakes_registry, extent: Extent = ALL) -> list[Finding]:
        scratch = tmp_path / f"scratch-{len(list(tmp_path.iterdir()))}"
        scratch.mkdir()
        with open_bundle(path, scratch) as bundle:
            return list(Verification(bundle, registry, scratch / "cache", extent).findings())

    return find


def told(found: list[Finding]) -> dict[str, list[Outcome]]:
    """Return topic -> outcomes."""
    topics: dict[str, list[Outcome]] = {}
    for finding in found:
        topics.setdefault(finding.topic, []).append(finding.outcome)
    return topics


def test_a_sound_bundle_is_verified(whole: Path, findings) -> None:
    """Everything is the same; the replies of the model, which cannot be computed anew, are named."""
    found = findings(whole)
    assert told(found) == {"what is declared": [SAME], "figures": [SAME], "scores": [SAME], "replay": [SAME]}
    assert found[-1].words.endswith("replies of models (agent fake-model) were read from the traces")
    assert Verdict("x", findings=tuple(found)).word == "verified"


def test_other_figures_than_the_scores_give_are_found(whole: Path, findings, tmp_path: Path) -> None:
    """Figures that were improved by hand are named with both values."""
    parts = parts_of(whole)
    figures = orjson.loads(parts[FIGURES])
    figures["cells"]["fake-asker"]["figures"]["agent_turns"]["value"] += 0.25
    found = findings(put_together(tmp_path / "x.tar", {**parts, FIGURES: orjson.dumps(figures)}))
    assert found[1] == Finding(
        "figures", DIFFERS, "cells.fake-asker.figures.agent_turns.value: 3.25 declared, 3.0 found"
    )


def test_a_last_digit_is_no_difference(whole: Path, findings, tmp_path: Path) -> None:
    """Another processor rounds the last digits otherwise."""
    parts = parts_of(whole)
    figures = orjson.loads(parts[FIGURES])
    figures["cells"]["fake-asker"]["figures"]["agent_turns"]["value"] *= 1 + 1e-14
    assert told(findings(put_together(tmp_path / "x.tar", {**parts, FIGURES: orjson.dumps(figures)})))["figures"] == [
        SAME
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m["counts"].update(completed=31), "counts.completed: 31 declared, 32 found"),
        (lambda m: m.update(track="fake-rounds"), 'track: "fake-rounds" declared'),
        (lambda m: m["digests"].update(tasks="0" * 64), "digests.tasks"),
        (lambda m: m["digests"].update(content={"fake-dialogue": "0" * 64}), "digests.content.fake-dialogue"),
        (lambda m: m["environment"]["played"].update(recfw="9"), 'played with.recfw: "9" declared'),
        (lambda m: m.update(cells=["other"]), "cells: the run has no cell 'other'"),
    ],
)
def test_a_manifest_that_says_something_else_is_found(
    whole: Path, findings, tmp_path: Path, change, words: str
) -> None:
    """What the manifest repeats of the run is held against it."""
    found = findings(put_together(tmp_path / "x.tar", parts_of(whole), change))[0]
    assert (found.outcome, words in found.words) == (DIFFERS, True)


def alter_score(place: Path, value: float) -> None:
    """Give one score another value, and the checksum that fits it."""
    with Store.open(place) as store, store.database.write() as connection:
        row = connection.exec_driver_sql("select * from score where metric = 'success' limit 1").one()
        told = score_checksum(row.metric, row.scorer, value, {})
        where = "trial_id = ? and metric = ? and scorer = ?"
        values = (value, told, row.trial_id, row.metric, row.scorer)
        connection.exec_driver_sql(f"update score set value = ?, checksum = ? where {where}", values)


def test_a_score_that_the_trace_does_not_give_is_found(bench: Bench, place: Path, findings, tmp_path: Path) -> None:
    """A score that was altered with all that depends on it differs from what the metric says here."""
    alter_score(place, 0.0)
    bundle_of(bench.registry, place, tmp_path / "x.tar")
    found = {finding.topic: finding for finding in findings(tmp_path / "x.tar", extent=Extent(replay=False))}
    assert found["figures"].outcome == SAME
    assert found["scores"].outcome == DIFFERS
    assert found["scores"].words.startswith("1 of 32 trials are scored otherwise here: ")


def test_a_score_that_was_removed_is_found(bench: Bench, place: Path, findings, tmp_path: Path) -> None:
    """Leaving a trial's score out is no way to a better mean."""
    with Store.open(place) as store, store.database.write() as connection:
        connection.exec_driver_sql("delete from score where metric = 'success' and trial_id = 1")
    bundle_of(bench.registry, place, tmp_path / "x.tar")
    assert told(findings(tmp_path / "x.tar", extent=Extent(replay=False)))["scores"] == [DIFFERS]


def test_an_event_that_did_not_happen_is_found(bench: Bench, place: Path, findings, tmp_path: Path) -> None:
    """A tool's answer that was rewritten, with all checksums, is found by playing the trial again."""
    rewrite_an_event(place)
    bundle_of(bench.registry, place, tmp_path / "x.tar")
    found = [finding for finding in findings(tmp_path / "x.tar") if finding.topic == "replay"]
    assert (found[0].outcome, "cone" in found[0].words) == (DIFFERS, True)


def rewrite_an_event(place: Path) -> None:
    """Rewrite a tool's answer in one trace, and give it the checksums that fit."""
    with Store.open(place) as store, store.database.write() as connection:
        row = connection.exec_driver_sql("select trial_id, data from trace limit 1").one()
        lines = [line.replace(b'"shape":"cube"', b'"shape":"cone"') for line in trace_lines(bytes(row.data))]
        altered = (pack_trace(lines), b"".join(map(checksum, lines)), row.trial_id)
        connection.exec_driver_sql("update trace set data = ?, checksums = ? where trial_id = ?", altered)


def test_a_missing_plugin_is_said(whole: Path, findings) -> None:
    """Without the track its figures are checked still, and what is missing is named."""
    bare = Registry(build_manager({"RECFW_DISABLE_PLUGINS": "books,litellm,orchestration,situated"}))
    found = findings(whole, bare)
    assert told(found) == {
        "what is declared": [SAME],
        "figures": [SAME],
        "scores": [UNCHECKED],
        "replay": [UNCHECKED],
    }
    assert "no track 'fake-dialogue'" in found[2].words


def test_other_content_is_said(whole: Path, findings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the installed content is another, scores are computed anew and nothing is played."""
    monkeypatch.setattr(DialogueTrack, "content_digest", lambda self: "0" * 64)
    found = findings(whole)
    assert (told(found)["scores"], told(found)["replay"]) == ([SAME], [UNCHECKED])
    assert "played on other content" in found[-1].words


def test_another_version_of_a_metric_is_said(whole: Path, findings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of a version that is not here are taken as declared, and named; versions are told."""
    monkeypatch.setattr(Met, "version", "2")
    found = told(findings(whole, extent=Extent(replay=False)))
    assert (found["versions"], found["scores"]) == ([NOTE], [SAME, UNCHECKED])


def test_a_replay_with_other_versions_accuses_nobody(
    bench: Bench, place: Path, findings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a component has another version here, a replay that differs is told as what could not be checked."""
    rewrite_an_event(place)
    bundle_of(bench.registry, place, tmp_path / "x.tar")
    monkeypatch.setattr(Asker, "version", "2", raising=False)
    found = [finding for finding in findings(tmp_path / "x.tar") if finding.topic == "replay"]
    assert (found[0].outcome, "cone" in found[0].words) == (UNCHECKED, True)


def test_a_judges_scores_are_taken_as_declared(bench: Bench, place: Path, findings, tmp_path: Path) -> None:
    """What a judge said cannot be computed anew, and its identity is named."""
    with Store.open(place) as store:
        store.add_scores("r1", {(TrialKey("fake-asker", _task(store), 0), 1): [Score("kind", 1.0, "judge@model")]})
    bundle_of(bench.registry, place, tmp_path / "x.tar")
    found = findings(tmp_path / "x.tar", extent=Extent(replay=False))
    assert [f.words.endswith("judge@model (1)") for f in found if f.outcome == UNCHECKED][:1] == [True]


def _task(store: Store) -> str:
    return next(iter(store.tasks("r1")))


def test_a_sample_is_told_as_one(whole: Path, findings) -> None:
    """Of what was not played again it is said so."""
    found = findings(whole, extent=Extent(sample=3))
    assert [finding.words for finding in found if finding.outcome == UNCHECKED] == [
        "29 of 32 completed trials were not played again"
    ]


def test_a_verdict_is_kept_under_its_bundle(tmp_path: Path) -> None:
    """What is kept is read back; one of another bundle, or none at all, is not taken for it."""
    verdict = Verdict("a" * 64, "1", (Finding("replay", UNCHECKED, "left out"),))
    path = keep(verdict, tmp_path / "verdicts")
    assert kept("a" * 64, tmp_path / "verdicts") == verdict
    assert kept("b" * 64, tmp_path / "verdicts") is None
    path.rename(path.with_name(f"{'b' * 64}.json"))
    with pytest.raises(Exception, match="is a verdict on another bundle"):
        kept("b" * 64, tmp_path / "verdicts")
