"""``recfw situated validate``: every property of a pool of tasks, recomputed from the scenes."""

import click

from recfw.errors import ExitCode, UsageError
from recfw_situated.actions.user import SCENES
from recfw_situated.scenes.load import load_scene, own_scene
from recfw_situated.tasks import pool
from recfw_situated.validate import RULES
from recfw_situated.validate import validate as find_problems


@click.command()
@click.option("--scene", metavar="NAME", help="A scene's name, or the folder of one's own. [default: both that ship]")
@click.option("--tasks", "file", metavar="FILE", help="A pool of tasks. [default: the scene's own]")
@click.option("--rules", is_flag=True, help="List the rules, and stop.")
def validate(scene: str | None, file: str | None, *, rules: bool) -> int:
    """
    Check a pool of tasks against the scenes, by code that shares nothing with the generator.

    Each problem is a line `task: rule: words`; the exit status is 1 when there is any.

    \b
    Examples:
      recfw situated validate
      recfw situated validate --scene ./my-store
    """  # noqa: D301 - click reads \b as the character that it stands for
    if rules:
        for name, words in RULES.items():
            click.echo(f"{name}: {words}")
        return ExitCode.DONE
    if scene is not None and scene not in SCENES:
        records = own_scene(scene)
        scenes, tasks = {records.name: records}, pool.read_own(records, scene, file or "")
    else:
        scenes = {name: load_scene(name) for name in SCENES if scene in {None, name}}
        found = pool.read_pool(file) if file else pool.shipped()
        if strange := next((task for task in found if task.scene not in SCENES), None):
            words = f"task '{strange.id}' is of the scene '{strange.scene}', which does not ship."
            raise UsageError(words, "Name the folder of that store with --scene.")
        tasks = tuple(task for task in found if task.scene in scenes)
    problems = find_problems(scenes, tasks)
    for problem in problems:
        click.echo(f"{problem.where}: {problem.rule}: {problem.words}")
    counted = {0: "No problem", 1: "1 problem"}.get(len(problems), f"{len(problems)} problems")
    click.echo(f"{counted} in {len(tasks)} tasks; {len(RULES)} rules checked.")
    return ExitCode.FOUND if problems else ExitCode.DONE
