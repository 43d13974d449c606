"""The root command: finds commands by hook, and imports one only when it is invoked."""

import os
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

import click

from recfw.cli.help import Context, lay_out
from recfw.cli.lazy import load
from recfw.cli.output import QUIET, choose_color, hold_tongue, quieten
from recfw.cli.settings import COLORS, LEVELS, SHARED, Settings, defaults_of, name_variables, read_settings
from recfw.errors import DataError, PluginError
from recfw.known import suggestion
from recfw.plugins import DISABLE_VARIABLE, Manager, build_manager, describe, switch
from recfw.protocols import CommandRef

BUILTIN = (
    CommandRef("run", "Play a track's tasks with agents and users, and report.", "recfw.cli.run:run"),
    CommandRef("report", "Show the figures of stored runs.", "recfw.cli.report:report"),
    CommandRef(
        "compare",
        "Compare agents on the same tasks: differences, tiers, what else differs.",
        "recfw.cli.compare:compare",
    ),
    CommandRef("runs", "List, show, watch, tag, merge and delete stored runs.", "recfw.cli.runs:runs"),
    CommandRef("export", "Write runs to a file or folder that another store can import.", "recfw.cli.export:export"),
    CommandRef("import", "Read exported runs, or another store's, into this store.", "recfw.cli.imports:import_"),
    CommandRef("trace", "Read one trial as a dialogue.", "recfw.cli.trace:trace"),
    CommandRef("judge", "Rate stored trials, without playing them again.", "recfw.cli.judge:judge"),
    CommandRef("agreement", "Hold a judge's scores against people's ratings.", "recfw.cli.agreement:agreement"),
    CommandRef("replay", "Play stored trials again and say where anything differs.", "recfw.cli.replay:replay"),
    CommandRef("submit", "Write a run, signed off, as a bundle that others can check.", "recfw.cli.submit:submit"),
    CommandRef("verify", "Check a bundle: parts, figures, scores, replay.", "recfw.cli.verify:verify"),
    CommandRef("leaderboard", "Rank a folder of bundles on a static page.", "recfw.cli.leaderboard:leaderboard"),
    CommandRef("plugins", "List, search, install, write and check plugins.", "recfw.cli.plugins:plugins"),
    CommandRef("registry", "Check a file that lists plugins.", "recfw.cli.registry:registry"),
    CommandRef("doctor", "Check the installation, the store and the environment.", "recfw.cli.doctor:doctor"),
    CommandRef("config", "Show which defaults are in force, and where from.", "recfw.cli.config:config"),
    CommandRef("completion", "Print a script that completes words in a shell.", "recfw.cli.completion:completion"),
)
PATIENT = ("doctor", "config", "completion")
"""Commands that are there to find faults: they work where plugins or configuration files are broken."""
PATIENT_BELOW = (("plugins", "check"),)
"""Those that stand below another."""

_PROVIDER, _PATIENT = "recfw.provider:", "recfw.patient"
SETTINGS, APPLIED = "recfw.settings", "recfw.applied"
"""Keys of the root context's ``meta``: what files say (or the DataError that says why not), and what was applied."""


class Commands(click.Group):
    """The root group: core's commands and those that plugins offer."""

    context_class = Context

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the configuration files before any word is understood."""
        found, applied = _settings()
        ctx = super().make_context(info_name, args, parent, **extra)
        ctx.meta[SETTINGS], ctx.meta[APPLIED] = found, applied
        return ctx

    def invoke(self, ctx: click.Context) -> Any:
        """Invoke a command; where whoever reads its output leaves (`| head`), it ends without a word."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would make a SystemExit of it, which nobody could tell from a plugin's
            hold_tongue()
            return 0

    def _refs(self, ctx: click.Context) -> dict[str, CommandRef]:
        manager = manager_of(ctx)
        found = {ref.name: ref for ref in BUILTIN}
        for plugin, ref in manager.collect("recfw_register_commands"):
            if not isinstance(ref, CommandRef) or not all(
                isinstance(text, str) for text in (ref.name, ref.summary, ref.target)
            ):
                message = f"{describe(plugin)} offers {type(ref).__name__} among its commands, which is no CommandRef."
                raise PluginError(message, switch(plugin.name))
            if ref.name in found:
                message = f"{describe(plugin)} offers the command '{ref.name}', which exists already."
                raise PluginError(message, switch(plugin.name))
            found[ref.name] = ref
            ctx.find_root().meta[_PROVIDER + ref.name] = plugin.name
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, core's first."""
        return list(self._refs(ctx))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, its defaults set by variables and files."""
        command = self.bare_command(ctx, cmd_name)
        if command is None or _is_patient(ctx, cmd_name):
            return command
        if defaults := defaults_of(command, cmd_name, settings_in(ctx)):
            ctx.default_map = {**(ctx.default_map or {}), cmd_name: defaults}
        return command

    def bare_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, whatever files say of its options."""
        if _is_patient(ctx, cmd_name):
            patient = load(next(ref for ref in BUILTIN if ref.name == cmd_name))
            lay_out(patient)
            return patient
        ref = self._refs(ctx).get(cmd_name)
        if ref is None:
            return None
        command = load(ref, ctx.find_root().meta.get(_PROVIDER + cmd_name, ""))
        name_variables(command, cmd_name)
        lay_out(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; an unknown one gets the closest known name."""
        if tuple(args[:2]) in PATIENT_BELOW:
            ctx.meta[_PATIENT] = args[0]
        if args and _is_patient(ctx, args[0]):
            return super().resolve_command(ctx, args)
        refs = self._refs(ctx)
        check_sections(settings_in(ctx), refs)
        if args and not args[0].startswith("-") and args[0] not in refs:
            message = f"no command '{args[0]}' (known: {', '.join(refs)})."
            raise click.UsageError(f"{message} {suggestion(args[0], refs)}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(ref.name, ref.summary) for ref in self._refs(ctx).values()])


def _is_patient(ctx: click.Context, name: str) -> bool:
    return name in PATIENT or ctx.meta.get(_PATIENT) == name


def _settings() -> tuple[Settings | DataError, dict[str, str]]:
    """Return what configuration files say, and the variables that were set by what stands above their sections."""
    try:
        found = read_settings()
        shared = found.shared()
    except DataError as error:
        return error, {}
    applied = {}
    for key, setting in shared.items():
        variable, value = SHARED[key], setting.value
        if not os.environ.get(variable):
            applied[variable] = key
            os.environ[variable] = ",".join(value) if isinstance(value, list) else str(value)
    return found, applied


def settings_in(ctx: click.Context) -> Settings:
    """Return what configuration files say; DataError where they cannot be read."""
    found = ctx.find_root().meta.get(SETTINGS, Settings())
    if isinstance(found, DataError):
        raise found
    return found if isinstance(found, Settings) else Settings()


def check_sections(settings: Settings, refs: Iterable[str]) -> None:
    """Refuse a section that no command has; what stands in one is checked when its command is loaded."""
    names = [*refs, *PATIENT]
    for key, setting in settings.values.items():
        section = key.partition(".")[0]
        if "." in key and section not in names:
            raise DataError(f"{setting.file}: no command has the section [{section}].", suggestion(section, names))


def manager_of(ctx: click.Context) -> Manager:
    """Return the plugins, loaded once per invocation."""
    root = ctx.find_root()
    if not isinstance(root.obj, Manager):
        root.obj = build_manager()
    return root.obj


def _disable(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001 - click's signature
    """Disable plugins before any is loaded; worker processes inherit it."""
    names = [*filter(None, os.environ.get(DISABLE_VARIABLE, "").split(",")), *value]
    if value:
        os.environ[DISABLE_VARIABLE] = ",".join(dict.fromkeys(names))
    return value


def _log(ctx: click.Context, param: click.Parameter, value: str | None) -> None:  # noqa: ARG001 - click's signature
    """Log to standard error; worker processes inherit it."""
    if value:
        from recfw.executors.logs import VARIABLE, set_up_logging  # noqa: PLC0415 - 10 ms that nobody else needs

        os.environ[VARIABLE] = value
        set_up_logging(value)


def _color(ctx: click.Context, param: click.Parameter, value: str) -> None:  # noqa: ARG001 - click's signature
    choose_color(ctx, value, os.environ)


def _quiet(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001 - click's signature
    if value:
        quieten(ctx)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--disable-plugin",
    metavar="NAME",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_disable,
    help="Go on without this plugin (may be repeated).",
)
@click.option(
    "--log-level",
    type=click.Choice(LEVELS),
    metavar="LEVEL",
    envvar="RECFW_LOG_LEVEL",
    expose_value=False,
    callback=_log,
    help=f"Log to standard error: {', '.join(LEVELS)}.",
)
@click.option(
    "--color",
    type=click.Choice(COLORS),
    metavar="WHEN",
    default="auto",
    envvar="RECFW_COLOR",
    expose_value=False,
    callback=_color,
    help="Colours: auto, always or never. [default: auto]",
)
@click.option(
    "-q",
    "--quiet",
    is_flag=True,
    envvar="RECFW_QUIET",
    expose_value=False,
    callback=_quiet,
    help=QUIET,
)
@click.version_option(version("recfw"), "--version", "-V", prog_name="recfw", message="%(prog)s %(version)s")
def cli() -> None:
    """
    Evaluate conversational and agentic recommenders.

    Start with `recfw run --plugin NAME`, which plays a track's tasks with its reference agents and prints a table;
    `recfw plugins list` names what is installed.
    """
