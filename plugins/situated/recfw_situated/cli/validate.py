"""``recfw situated validate``: every property of a pool of tasks, recomputed from the scenes."""

import click

from recfw.errors import ExitCode
from recfw_situated.actions.user import SCENES
from recfw_situated.scenes.load import load_scene
from recfw_situated.tasks import pool
from recfw_situated.validate import RULES
from recfw_situated.validate import validate as find_problems


@click.command()
@click.option("--tasks", "file", metavar="FILE", help="A pool of tasks. [default: the one that ships]")
@click.option("--rules", is_flag=True, help="List the rules, and stop.")
def validate(file: str | None, *, rules: bool) -> int:
    """
    Check a pool of tasks against the scenes, by code that shares nothing with the generator.

    Each problem is a line `task: rule: words`; the exit status is 1 when there is any.
    """
    if rules:
        for name, words in RULES.items():
            click.echo(f"{name}: {words}")
        return ExitCode.DONE
    tasks = pool.read_pool(file) if file else pool.shipped()
    problems = find_problems({name: load_scene(name) for name in SCENES}, tasks)
    for problem in problems:
        click.echo(f"{problem.where}: {problem.rule}: {problem.words}")
    found = {0: "No problem", 1: "1 problem"}.get(len(problems), f"{len(problems)} problems")
    click.echo(f"{found} in {len(tasks)} tasks; {len(RULES)} rules checked.")
    return ExitCode.FOUND if problems else ExitCode.DONE
