"""Rebuild the embedded catalog: ``python -m recfw_books.catalog.fiction --out DIR [--seed N] [--count N]``."""

import argparse
import sys
from pathlib import Path

from recfw_books.catalog.fiction.generate import COUNT, SEED, generate
from recfw_books.catalog.records import write_catalog


def main(arguments: list[str] | None = None) -> int:
    """Write ``catalog.jsonl.gz`` and ``labels.json`` into a directory and print the catalog's digest."""
    parser = argparse.ArgumentParser(prog="python -m recfw_books.catalog.fiction", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the directory to write into")
    parser.add_argument("--seed", type=int, default=SEED, help="names the draws (the shipped catalog's: %(default)s)")
    parser.add_argument("--count", type=int, default=COUNT, help="how many works (%(default)s)")
    options = parser.parse_args(arguments)
    catalog = generate(options.count, options.seed)
    write_catalog(catalog, options.out, compress=True)
    sys.stdout.write(f"{len(catalog.books)} books, digest {catalog.digest}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
