"""What goes wrong, in sentences: one exception with a next step, and the exit codes of the command line."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit status of every command."""

    DONE = 0
    FOUND = 1
    USAGE = 2
    PLUGIN = 3
    DATA = 4
    STORE = 5
    INFRASTRUCTURE = 6
    INTERRUPTED = 130
    TERMINATED = 143


class RecfwError(Exception):
    """
    An error that a person can act on.

    Args:
        message: What is wrong, as a sentence that names the thing.
        hint: The next step, as a sentence; empty where the message already holds it.
    """

    code: ExitCode = ExitCode.INFRASTRUCTURE

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        between = "" if self.message.endswith("\n") else " "
        return f"{self.message}{between}{self.hint}".rstrip()

    def __reduce__(self) -> tuple[type["RecfwError"], tuple[str, ...]]:
        return type(self), (self.message, self.hint)


class UsageError(RecfwError):
    """The words of the command, or an option's value, are off."""

    code = ExitCode.USAGE


class PluginError(RecfwError):
    """A plugin cannot be loaded, breaks a protocol, or clashes with another."""

    code = ExitCode.PLUGIN


class DataError(RecfwError):
    """A task file, catalog, registry or trace does not hold what it must."""

    code = ExitCode.DATA


class StoreError(RecfwError):
    """The result store cannot be read or written."""

    code = ExitCode.STORE


class InfrastructureError(RecfwError):
    """
    Something outside the agent failed: a server, a provider, a worker. Never scored as the agent's.

    Args:
        message: What is wrong.
        hint: The next step.
        kind: A word by which failures are counted, such as ``rate_limit`` or ``timeout``.
    """

    code = ExitCode.INFRASTRUCTURE

    def __init__(self, message: str, hint: str = "", kind: str = "infrastructure") -> None:
        super().__init__(message, hint)
        self.kind = kind

    def __reduce__(self) -> tuple[type["InfrastructureError"], tuple[str, ...]]:
        return type(self), (self.message, self.hint, self.kind)


class OutageError(InfrastructureError):
    """
    Nothing further can succeed until a person acts: a key is refused, a provider is down. It stops the run.

    What was finished is stored, and the trials that it met are run again by resume.
    """

    def __init__(self, message: str, hint: str = "", kind: str = "outage") -> None:
        super().__init__(message, hint, kind)


def words_of(error: BaseException, *, bare: bool = False) -> str:
    """
    Return what was raised, in words: an error of recfw as it reads, anything else as ``Kind: what it says``.

    ``bare`` leaves the kind out. An exception is foreign code too: one whose ``__str__`` raises is told by its kind.
    """
    kind = type(error).__name__
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 - whatever a foreign __str__ raises
        return f"{kind}, which cannot say what happened"
    if isinstance(error, RecfwError) or (bare and said):
        return said
    return f"{kind}: {said}" if said else kind


def reading_fault(error: OSError | ValueError | RecursionError) -> str:
    """Return why a file cannot be read, as a clause: not Python's words for it."""
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case OSError():
            return f"the system says: {(error.strerror or type(error).__name__).lower()}"
        case UnicodeDecodeError():
            return f"it is no UTF-8 text, from byte {error.start} on"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return "its name or what it holds is none that can be read"
