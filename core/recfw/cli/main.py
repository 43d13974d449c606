"""
The ``recfw`` command: invokes the root command, and tells errors in one line.

Only the standard library is imported above, so that Ctrl-C is answered in words while everything else is still loading.
"""

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    try:
        status = invoke(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        status = 130
    sys.exit(status)


def invoke(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status."""
    if "_RECFW_COMPLETE" in os.environ:
        from recfw.cli.complete import complete  # noqa: PLC0415 - a shell waits

        return complete(os.environ)
    import click  # noqa: PLC0415 - see the module's docstring

    from recfw.cli.output import hold_tongue, own_environment  # noqa: PLC0415
    from recfw.cli.root import cli  # noqa: PLC0415
    from recfw.errors import ExitCode, RecfwError  # noqa: PLC0415
    from recfw.report.words import one_line, printable  # noqa: PLC0415

    words, status = None if arguments is None else list(arguments), ExitCode.DONE
    try:
        with own_environment():
            given = cli.main(args=words, prog_name="recfw", standalone_mode=False)
        return given if isinstance(given, int) else int(status)
    except RecfwError as error:
        lines = printable if error.message.endswith("\n") else one_line  # only what was written as several lines is
        click.echo(f"Error: {lines(str(error))}", err=True)
        status = error.code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        status = ExitCode.USAGE
    except click.ClickException as error:
        vars(error)["message"] = one_line(error.message)  # it may quote words that steer a terminal
        error.show()
        status = ExitCode.USAGE
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        status = ExitCode.INTERRUPTED
    except BrokenPipeError:
        hold_tongue()
    except SystemExit as error:
        click.echo(f"Error: code of a plugin asked to exit (SystemExit: {one_line(str(error))}).", err=True)
        status = ExitCode.PLUGIN
    return int(status)


if __name__ == "__main__":
    main()
