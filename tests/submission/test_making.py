"""Bundles are the same bytes for the same run, and hold nothing that must not leave."""

from pathlib import Path

import pytest
from fakes.bench import Bench
from fakes.bundling import SIGNED, bundle_of, parts_of

from recfw.errors import DataError, UsageError
from recfw.registry import Registry
from recfw.secrets import Secrets
from recfw.serialize import digest
from recfw.store.repository import Store
from recfw.store.transfer.guard import Guard
from recfw.submission.making import check_cells, check_complete, counts_of, make_bundle, tasks_digest
from recfw.submission.manifest import LONGEST, MANIFEST, read_manifest, sign_off


def test_the_same_run_gives_the_same_bytes(bench: Bench, whole: Path, tmp_path: Path) -> None:
    """A second bundle of a run is byte for byte the first, and nothing else is left in its folder."""
    made = bundle_of(bench.registry, Path(bench.place), tmp_path / "again.tar")
    assert (tmp_path / "again.tar").read_bytes() == whole.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["again.tar"]
    assert made.size == whole.stat().st_size


def test_the_manifest_tells_what_was_asked_and_of_what(bench: Bench, whole: Path) -> None:
    """Digests, counts, cells and versions are those of the stored run."""
    manifest = read_manifest(parts_of(whole)[MANIFEST])
    with Store.open(bench.place) as store:
        run = store.run("r1")
    assert manifest.digests.content == {"fake-dialogue": run.content_digest}
    assert (manifest.digests.spec, manifest.environment.played) == (run.spec_digest, run.versions)
    assert (manifest.counts.planned, manifest.counts.completed, manifest.counts.failed) == (32, 32, 0)
    assert (manifest.cells, manifest.signed_off) == (("fake-asker", "fake-model"), SIGNED)


def test_the_tasks_digest_follows_the_tasks(bench: Bench, fakes_registry: Registry, tmp_path: Path) -> None:
    """Fewer tasks have another digest; the agent and the seed do not change it."""
    other = Bench(fakes_registry, tmp_path, concurrency=1)
    other.run(other.spec("fake-dialogue", "fake-model", seed=3), "same")
    other.run(other.spec("fake-dialogue", "fake-model", tasks=("color=red",)), "fewer")
    with Store.open(bench.place) as store, Store.open(other.place) as second:
        mine = tasks_digest(store, store.run("r1"))
        found = [tasks_digest(second, second.run(name)) == mine for name in ("same", "fewer")]
    assert found == [True, False]
    assert mine != digest([])


def test_a_credential_stays(bench: Bench, place: Path, tmp_path: Path) -> None:
    """A run that holds a credential is refused, or it is replaced; nothing is left half written."""
    with Store.open(place) as store:
        store.labels.set_note("r1", "my key is swordfish-of-mine")
        run, secrets = store.run("r1"), Secrets({"MY_API_KEY": "swordfish-of-mine"})
        out = tmp_path / "out"
        out.mkdir()
        with pytest.raises(DataError, match=r"the value of MY_API_KEY: swor…"):
            make_bundle(store, bench.registry, run, out / "x.tar", (), SIGNED, Guard(secrets))
        assert list(out.iterdir()) == []
        made = make_bundle(store, bench.registry, run, out / "x.tar", (), SIGNED, Guard(secrets, redact=True))
    assert made.manifest.redacted == 1


def test_a_run_that_lacks_trials_is_refused(bench: Bench, place: Path) -> None:
    """Which trials count is not the submitter's choice."""
    with Store.open(place) as store:
        run = store.run("r1")
        check_complete(run, counts_of(store, run))
        with store.database.write() as connection:
            connection.exec_driver_sql("update trial set status = 'interrupted' where task_id = 'red-cube' and trial=0")
            connection.exec_driver_sql("update trial set status = 'interrupted' where id = 1")
        with pytest.raises(UsageError, match=r"run r1 is not complete: \d+ of 32 trials are completed"):
            check_complete(run, counts_of(store, run))


def test_cells_come_in_the_order_of_the_run(bench: Bench) -> None:
    """Named cells are kept in the run's order; an unknown one is an error with a suggestion."""
    with Store.open(bench.place) as store:
        run = store.run("r1")
    assert check_cells(run, ["fake-model", "fake-asker"]) == ("fake-asker", "fake-model")
    with pytest.raises(UsageError, match=r"has no cell 'fake-modl' .* Did you mean 'fake-model'"):
        check_cells(run, ["fake-modl"])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "  "}, "--name is empty"),
        ({"contact": ""}, "--contact is empty"),
        ({"system": "x" * (LONGEST + 1)}, "--system is longer than"),
        ({"homepage": "http://x.org"}, "--homepage is no https:// address"),
        ({"system": "key sk-abcdefghijklmnopqrstuvwx"}, "--system holds what looks like an API key"),
    ],
)
def test_what_is_declared_is_checked(fields: dict[str, str], words: str) -> None:
    """Each field that cannot be published as it stands is refused by its option."""
    given = {"name": "A", "contact": "B", "system": "C", "homepage": "", **fields}
    with pytest.raises(UsageError, match=words):
        sign_off(given["name"], given["contact"], given["system"], given["homepage"], Secrets({}))
