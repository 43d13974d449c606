"""
Test plugins against the oldest core that they declare: python .ci/floor.py PLUGIN...

A plugin's setup.cfg says `recfw>=X`. The core of that version is taken from its git tag (vX, vX.0 …), built, and
installed with the plugin's own wheel, and those that its section of tox.ini installs beside it, into a new environment;
there its tests run, those of this checkout. A tag that is missing is an error: a floor that nobody can build is
a promise that nobody has kept. Every plugin is tried; the exit status is 1 when one fails.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from configparser import ConfigParser
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GIT = shutil.which("git") or sys.exit("floor: there is no git.")
UV = (sys.executable, "-m", "uv")


def floor_of(plugin: Path) -> str:
    """Return the oldest version of core that a plugin's setup.cfg allows."""
    config = ConfigParser()
    config.read(plugin / "setup.cfg", encoding="utf-8")
    wanted = config.get("options", "install_requires", fallback="").splitlines()
    for line in wanted:
        found = re.match(r"recfw\s*(?:\[[^]]*\])?\s*.*?>=\s*([0-9][0-9a-z.]*)", line.strip())
        if found and not line.strip().startswith("recfw-"):
            return found[1]
    sys.exit(f"{plugin}/setup.cfg: install_requires names no oldest core; write recfw>=X,<Y.")


def tag_of(version: str) -> str:
    """Return the git tag of a version: vX, or with zeros that its number leaves out."""
    tags = subprocess.run([GIT, "tag"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    for name in (f"v{version}", f"v{version}.0", f"v{version}.0.0"):
        if name in tags:
            return name
    sys.exit(
        f"floor: there is no tag v{version} in this checkout (tags: {', '.join(tags) or 'none'}).\n"
        "Fetch them (git fetch --tags); or, where that core was never released, release it or raise the floor."
    )


def lines_of(section: str, key: str) -> list[str]:
    """Return the lines of a key in tox.ini."""
    config = ConfigParser(interpolation=None)
    config.read(ROOT / "tox.ini", encoding="utf-8")
    return [line for line in config.get(section, key, fallback="").splitlines() if line]


def companions(plugin: Path) -> list[Path]:
    """Return the folders of the plugins that a plugin's tests install, itself among them."""
    words = " ".join(lines_of(f"testenv:{plugin.name}", "commands_pre")).split()
    return list(dict.fromkeys([*(ROOT / word for word in words if word.startswith("plugins/")), plugin]))


def build(source: Path, wheels: Path) -> None:
    """Build a wheel of a folder."""
    subprocess.run([*UV, "build", "--quiet", "--wheel", "--out-dir", wheels, source], check=True)


@cache
def core_of(tag: str, scratch: Path) -> Path:
    """Return the wheel of the core that a tag names."""
    core, wheels = scratch / tag / "core", scratch / tag / "wheels"
    core.mkdir(parents=True)
    subprocess.run([GIT, "archive", "--output", scratch / tag / "core.tar", tag], cwd=ROOT, check=True)
    with tarfile.open(scratch / tag / "core.tar") as archive:
        archive.extractall(core, filter="data")
    build(core, wheels)
    return next(wheels.glob("*.whl"))


def check(plugin: Path, tag: str, scratch: Path) -> None:
    """Run a plugin's tests with the core that a tag names."""
    wheels, place = scratch / plugin.name / "wheels", scratch / plugin.name / "environment"
    core, beside = core_of(tag, scratch), companions(plugin)
    for folder in beside:
        build(folder, wheels)
    subprocess.run([*UV, "venv", "--quiet", "--python", sys.executable, place], check=True)
    python = place / "bin" / "python"
    install: list[str | Path] = [*UV, "pip", "install", "--quiet", "--python", python]
    for lock in (folder / "requirements.lock" for folder in beside):
        if lock.is_file():
            subprocess.run([*install, "--require-hashes", "-r", lock], check=True)
    deps = {*lines_of("test", "deps"), *lines_of(f"testenv:{plugin.name}", "deps")} - {"{[test]deps}"}
    subprocess.run([*install, *sorted(deps), core, *sorted(wheels.glob("*.whl"))], check=True)
    print(f"floor: {plugin.name} against core {tag}", flush=True)
    words = ["-c", "pyproject.toml", "--rootdir", ".", "--import-mode=importlib", "-q", plugin / "tests"]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([python, "-m", "pytest", *words], cwd=ROOT, check=True, env=clean)


def main() -> None:
    """Check every plugin that is named; all tags are looked for before anything is built."""
    plugins = [(ROOT / name).resolve() for name in sys.argv[1:]]
    if not plugins:
        sys.exit("floor: name the plugins' folders, such as plugins/books.")
    tags = {plugin: tag_of(floor_of(plugin)) for plugin in plugins}
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        for plugin, tag in tags.items():
            try:
                check(plugin, tag, Path(scratch))
            except subprocess.CalledProcessError as error:
                what = "its tests fail" if "pytest" in error.cmd else f"cannot be set up ({error})"
                faults.append(
                    f"floor: the plugin '{plugin.name}' declares recfw>={floor_of(plugin)}; against core {tag} {what}."
                )
            shutil.rmtree(Path(scratch) / plugin.name, ignore_errors=True)
    if faults:
        hint = "Raise the floor in its setup.cfg to the core that has what it uses, or let it do without."
        sys.exit("\n".join([*faults, hint]))
    print(f"floor: {', '.join(f'{plugin.name} against {tag}' for plugin, tag in tags.items())}: all green.")


if __name__ == "__main__":
    main()
