"""A plugin of hook interface 1.0: it offers something by every hook, and imports only what a plugin may."""

from recfw.hookspecs import hookimpl

HEARD = []


@hookimpl
def recfw_register_tracks():
    """Offer tracks."""
    from witness_1_0_parts import Coins

    return [Coins]


@hookimpl
def recfw_register_agents():
    """Offer agents."""
    from witness_1_0_parts import Guesser

    return [Guesser]


@hookimpl
def recfw_register_users():
    """Offer users."""
    from witness_1_0_parts import Holder

    return [Holder]


@hookimpl
def recfw_register_participants():
    """Offer participants."""
    from witness_1_0_parts import Referee

    return [Referee]


@hookimpl
def recfw_register_catalogs():
    """Offer catalogs."""
    from witness_1_0_parts import Sides

    return [Sides]


@hookimpl
def recfw_register_retrievers():
    """Offer retrievers."""
    from witness_1_0_parts import Exact

    return [Exact]


@hookimpl
def recfw_register_judges():
    """Offer judges."""
    from witness_1_0_parts import Brief

    return [Brief]


@hookimpl
def recfw_register_metrics():
    """Offer metrics."""
    from witness_1_0_parts import Guessed

    return [Guessed]


@hookimpl
def recfw_register_analyses():
    """Offer analyses."""
    from witness_1_0_parts import Tally

    return [Tally]


@hookimpl
def recfw_register_renderers():
    """Offer renderers."""
    from witness_1_0_parts import Bare

    return [Bare]


@hookimpl
def recfw_register_executors():
    """Offer executors."""
    from recfw.executors.local import LocalExecutor

    class Near(LocalExecutor):
        name = "witness-near"

    return [Near]


@hookimpl
def recfw_register_commands():
    """Offer commands."""
    from recfw.protocols import CommandRef

    return [CommandRef("witness", "Say hello.", "witness_1_0_parts:witness")]


@hookimpl
def recfw_run_started(run, pending):
    """Hear of run started."""
    HEARD.append(("started", run.id, pending))


@hookimpl
def recfw_trial_finished(run, trial):
    """Hear of trial finished."""
    HEARD.append(("trial", str(trial.key)))


@hookimpl
def recfw_run_finished(run, status):
    """Hear of run finished."""
    HEARD.append(("finished", status))
