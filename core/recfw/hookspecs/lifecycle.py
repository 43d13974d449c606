"""
Hooks that observe a run, in the parent process.

Arguments are frozen and nothing is returned: an observer cannot alter or break a run. A failing observer is recorded,
and raised only under ``--strict``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recfw.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from recfw.model.results import RunInfo
    from recfw.model.run import Trial


@hookspec
def recfw_run_started(run: RunInfo, pending: int) -> None:
    """
    Observe that a run starts or is resumed.

    Called after the run is stored and before its first trial.

    Args:
        run: The stored run: what was asked, the digests, the versions.
        pending: How many trials are still to be run.
    """


@hookspec
def recfw_trial_finished(run: RunInfo, trial: Trial) -> None:
    """
    Observe that an attempt of a trial was stored, whether completed or failed.

    Called after the transaction that stored it.

    Args:
        run: The stored run.
        trial: The attempt with its scores; ``trial.trace`` is packed (:func:`recfw.serialize.unpack_trace`).
    """


@hookspec
def recfw_run_finished(run: RunInfo, status: str) -> None:
    """
    Observe that a run stopped.

    Called once, after the last trial was stored.

    Args:
        run: The stored run.
        status: ``completed``, ``incomplete`` (trials failed as infrastructure) or ``interrupted``.
    """
