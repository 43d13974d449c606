"""Figures and what a run took, as the JSON values that analyses give to scripts."""

from typing import Any

from attrs import asdict

from recfw.report.figures import RunTrials
from recfw.stats.results import Estimate


def plain_estimate(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate's value, interval and what it is over."""
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n_tasks": estimate.n_tasks,
        "n_clusters": estimate.n_clusters,
    }


def plain_operational(run: RunTrials) -> dict[str, Any]:
    """Return what tells a run from another of the same outcome: identity, versions, dates, times, tokens, cost."""
    info = run.info
    return {
        "run": info.id,
        "status": info.status,
        "created": info.created,
        "spec_digest": info.spec_digest,
        "content_digest": info.content_digest,
        "versions": info.versions,
        "spending": {role: dict(sorted(used.items())) for role, used in sorted(run.spending.items())},
        "cells": {
            cell.cell: {
                **asdict(spent),
                "trials_per_second": spent.trials / spent.seconds if spent.seconds else None,
            }
            for cell, spent in zip(run.cells, run.spent, strict=True)
        },
    }
