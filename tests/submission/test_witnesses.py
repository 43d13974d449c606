"""Bundles that earlier versions wrote are read, checked and ranked today."""

import hashlib
from pathlib import Path

import pytest

from recfw.registry import Registry
from recfw.submission.board import rows_of, tables_of
from recfw.submission.entries import bundles_in, gather
from recfw.submission.opening import contradictions, open_bundle
from recfw.submission.rescoring import rescore

WITNESSES = Path(__file__).parent / "witnesses"
FROZEN = {"bundle-1.tar": "ebd9066d9d62e91d354147d9efa0dc4b2ae2ea8a855e6e6cdec3d29d23f0bf7f"}


@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_bundle_is_read(name: str, tmp_path: Path, fakes_registry: Registry) -> None:
    """It is the file that it was; its parts, what it declares, and its scores are as they were."""
    assert hashlib.sha256((WITNESSES / name).read_bytes()).hexdigest() == FROZEN[name]
    with open_bundle(WITNESSES / name, tmp_path) as bundle:
        assert (bundle.sha256, contradictions(bundle)) == (FROZEN[name], [])
        found = rescore(bundle.store, bundle.run, fakes_registry)
    assert (found.trials, found.examples) == (32, [])


def test_frozen_bundles_are_ranked(fakes_registry: Registry) -> None:
    """Their figures follow from their scores still, and their submitted cells have their means."""
    *_, found = gather(bundles_in(WITNESSES), fakes_registry, None)
    assert found.left_out == []
    lines = [line for table in tables_of(rows_of(found.entries), fakes_registry) for line in table.lines]
    assert [(line.row.name, line.tier, line.value) for line in lines] == [("fake-model (A. Nother)", 1, 1.0)]
