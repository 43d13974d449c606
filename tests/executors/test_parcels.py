"""What crosses a process boundary survives it, byte for byte."""

import pytest

from recfw.errors import DataError
from recfw.executors.parcels import Assignment, WorkOrder, pack_trial, unpack_trial
from recfw.model.run import Attachment, Cell, ComponentSpec, RunSpec, Status, Trial, TrialKey
from recfw.model.score import Score
from recfw.serialize import dumps, loads

TRIAL = Trial(
    TrialKey("a b", "t/1", 3), 2, 2**63 - 1, Status.COMPLETED, "done", "", 1.5, 2.5, 7,
    {"agent": {"replies": 1, "cost": 0.1}}, (Score("s", None, "m@1", {"error": "x"}), Score("n", 1.0, "m@1")),
    b"\x00trace\xff", (Attachment("a" * 64, "image/png", b"\x89\x00"), Attachment("b" * 64, "text/plain", b"")),
    b"\x00\xff" * 28,
)  # fmt: skip


def test_a_trial_survives() -> None:
    """A finished trial comes back equal, its blobs as they were."""
    assert unpack_trial(pack_trial(TRIAL)) == TRIAL


def test_a_trial_without_blobs_survives() -> None:
    """A failed trial may have neither events nor attachments."""
    bare = Trial(TrialKey("a", "t", 0), 1, 0, Status.FAILED, "infrastructure", "down")
    assert unpack_trial(pack_trial(bare)) == bare


@pytest.mark.parametrize("keep", [-1, -2])
def test_a_cut_off_trial_is_told(keep: int) -> None:
    """Bytes that end within the last blob are no shorter trial."""
    with pytest.raises(DataError, match="cut off"):
        unpack_trial(pack_trial(TRIAL)[:keep])


def test_a_work_order_survives() -> None:
    """A worker reads the specification that the run was started with."""
    order = WorkOrder(RunSpec("p", "t", (Cell("c", {"agent": ComponentSpec("a", {"x": [1, None]})}),)), "/j", "/c")
    assert loads(dumps(order), WorkOrder) == order
    assert loads(dumps(Assignment(TRIAL.key, 4)), Assignment) == Assignment(TRIAL.key, 4)
