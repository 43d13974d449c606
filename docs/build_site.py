"""Builds the documentation site: python docs/build_site.py [FOLDER]. A broken link or an orphan page is an error."""

import logging
import sys
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Build the site into a folder (``site``); return the exit status."""
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING, stream=sys.stderr)
    folder = Path(*(sys.argv[1:] or [ROOT / "site"])).resolve()
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder))
    config.plugins.on_startup(command="build", dirty=False)
    try:
        build(config)
    except Abort as error:
        print(f"{error.message} The lines above say where.", file=sys.stderr)
        return 1
    finally:
        config.plugins.on_shutdown()
    print(f"{folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
