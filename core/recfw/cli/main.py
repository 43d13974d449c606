"""
The ``recfw`` command: invokes the root command, and tells errors in one line.

Only the standard library is imported above, so that Ctrl-C is answered in words while everything else is still loading.
"""

import errno
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

    from recfw.cli.output import hold_tongue, own_environment, tell  # noqa: PLC0415
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
        tell(f"Error: {lines(str(error))}")
        status = error.code
    except click.exceptions.NoArgsIsHelpError as error:
        tell(error.format_message())
        status = ExitCode.USAGE
    except click.ClickException as error:
        vars(error)["message"] = one_line(error.message)  # it may quote words that steer a terminal
        error.show()
        status = ExitCode.USAGE
    except (KeyboardInterrupt, click.Abort):
        tell("Interrupted.")
        status = ExitCode.INTERRUPTED
    except BrokenPipeError:
        hold_tongue()
    except OSError as error:
        if error.filename is not None or error.errno not in {errno.ENOSPC, errno.EIO, errno.EFBIG}:
            raise
        hold_tongue()
        tell(f"Error: the output cannot be written ({error.strerror}).")
        status = ExitCode.DATA
    except SystemExit as error:
        tell(f"Error: code of a plugin asked to exit (SystemExit: {one_line(str(error))}).")
        status = ExitCode.PLUGIN
    return int(status)


if __name__ == "__main__":
    main()
