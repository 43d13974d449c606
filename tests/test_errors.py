"""What goes wrong, in sentences."""

import pickle

import pytest

from recfw import errors
from recfw.errors import ExitCode, PluginError, RecfwError, words_of


def test_words_and_hint_are_one_line() -> None:
    """An error reads as its message and then its next step."""
    assert str(RecfwError("The door is shut.", "Open it.")) == "The door is shut. Open it."


def test_no_hint_leaves_no_blank() -> None:
    """An error without a hint ends with its message."""
    assert str(RecfwError("The door is shut.")) == "The door is shut."


def test_a_list_in_the_message_is_followed_by_the_hint_on_its_own_line() -> None:
    """A message that ends with its own line break needs no blank before the next step."""
    assert str(RecfwError("These differ:\n  a\n", "Start anew.")) == "These differ:\n  a\nStart anew."


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("UsageError", ExitCode.USAGE),
        ("PluginError", ExitCode.PLUGIN),
        ("DataError", ExitCode.DATA),
        ("StoreError", ExitCode.STORE),
        ("InfrastructureError", ExitCode.INFRASTRUCTURE),
    ],
)
def test_every_kind_has_its_exit_code(name: str, code: ExitCode) -> None:
    """Each kind of error ends the command with a status of its own."""
    assert getattr(errors, name).code == code


def test_exit_codes_are_those_of_the_design() -> None:
    """The numbers that scripts rely on."""
    assert {code.name: int(code) for code in ExitCode} == {
        "DONE": 0, "FOUND": 1, "USAGE": 2, "PLUGIN": 3, "DATA": 4, "STORE": 5, "INFRASTRUCTURE": 6,
        "INTERRUPTED": 130, "TERMINATED": 143,
    }  # fmt: skip


def test_survives_pickling() -> None:
    """An error with a hint crosses a process boundary whole."""
    found = pickle.loads(pickle.dumps(PluginError("no.", "yes.")))
    assert (type(found), found.message, found.hint) == (PluginError, "no.", "yes.")


class MuteError(Exception):
    """An exception that cannot be told."""

    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("bad"), "ValueError: bad"),
        (ValueError(), "ValueError"),
        (PluginError("It is broken.", "Mend it."), "It is broken. Mend it."),
        (MuteError(), "MuteError, which cannot say what happened"),
    ],
)
def test_anything_raised_has_words(error: BaseException, words: str) -> None:
    """An error of recfw reads as it is, another with its kind, and one whose text raises by its kind alone."""
    assert words_of(error) == words
