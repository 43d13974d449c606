"""``recfw books build --snapshot``: a catalog directory made from a snapshot, with a manifest of how it came about."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recfw_books.catalog.build import OURS, write_built
from recfw_books.catalog.folder import whole_folder
from recfw_books.catalog.records import BookCatalog, encode_books
from recfw_books.wikidata.pipeline import SIZE, Account, Built, build
from recfw_books.wikidata.reading import Rows, read_rows
from recfw_books.wikidata.rules import Rules, read_rules


def build_from_snapshot(
    snapshot: Path,
    out: Path,
    *,
    size: int = SIZE,
    labels: Path | None = None,
    rules: Path | None = None,
    force: bool = False,
) -> Built:
    """
    Build a catalog from a snapshot into a new directory, which appears complete or not at all.

    Args:
        snapshot: What :func:`recfw_books.wikidata.reading.read_rows` reads.
        out: The directory to make: ``catalog.jsonl``, ``labels.json``, ``manifest.json``.
        size: Keep the first so many works.
        labels: A file of label trees in place of the snapshot's own.
        rules: A folder of rule files in place of the plugin's (:func:`recfw_books.wikidata.rules.read_rules`).
        force: Replace ``out`` where it holds a catalog and its tasks, or nothing.

    Raises:
        UsageError: ``out`` exists and ``force`` is not set, or it is no built catalog; an option is off.
        DataError: The snapshot, the rules or the labels are faulty, or the directory cannot be written.
    """
    with whole_folder(out, force=force, ours=OURS) as new:
        known = read_rules(rules)
        rows = read_rows(snapshot)
        built = build(rows, known, size, labels)
        write_built(built.catalog, new, _origin(rows, known, built))
    return built


def _origin(rows: Rows, rules: Rules, built: Built) -> Mapping[str, Any]:
    """Return the manifest's words on where a catalog comes from: no name, clock or path enters, so that bytes last."""
    account, catalog = built.account, built.catalog
    return {
        "source": {
            "snapshot_sha256": rows.digest,
            "responses": rows.responses,
            "rows": rows.rows,
            "queries_sha256": dict(rows.queries),
            "rules_sha256": dict(rules.hashes),
            "labels": account.labels,
        },
        "counts": {**account.gathered, "eligible": account.eligible, "kept": len(catalog.books)},
        "steps": [
            {
                "step": step.name,
                "before": step.before,
                "after": step.after,
                "dropped": dict(step.dropped),
                "noted": {what: count for what, count in step.noted.items() if count},
            }
            for step in account.steps
        ],
        "corrections": _corrections(account),
        "exclusions": [
            {"rule": rule.name, "reason": rule.reason, "met": rule.name not in account.unused_exclusions}
            for rule in rules.exclusions
        ],
        "unmapped_genres": dict(account.unmapped),
        "nested_sha256": {str(size): _prefix_digest(catalog, size) for size in catalog.sizes},
    }


def _corrections(account: Account) -> list[Mapping[str, Any]]:
    return [
        {
            "entity": use.correction.entity,
            "field": use.correction.field,
            "from": use.correction.wrong,
            "to": use.correction.right,
            "reason": use.correction.reason,
            "status": use.status,
            "works": use.works,
        }
        for use in account.corrections
    ]


def _prefix_digest(catalog: BookCatalog, size: int) -> str:
    """Return SHA-256 (hex) over the canonical JSON lines of the first so many books."""
    return hashlib.sha256(encode_books(catalog.books[:size])).hexdigest()
