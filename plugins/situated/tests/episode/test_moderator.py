"""The rule-based moderator, on the paper's conditions."""

import pytest

from recfw_situated.moderator import decide

YES = [
    ("Shall we go on?", "I'll leave it for today. Goodbye.", "idle"),
    ("Anything else?", "No, that's all, thank you.", "idle"),
    ("Try the next aisle.", "Never mind, I give up.", "idle"),
    ("Let me help.", "I don't need your help.", "idle"),
    ("Glad I could help, enjoy!", "I'll take it.", "idle"),
    ("Goodbye!", "Bye, see you.", "turn"),
]
NO = [
    ("What is your budget?", "About $20.", "idle"),
    ("Try the cod.", "Is there anything cheaper?", "idle"),
    ("Try the cod.", "I'll pass on it, because I want something plain.", "drop_item"),
    ("Go left.", "I can't find it, where is it?", "turn"),
    ("Look.", "Let me have a look at the cod.", "pick_up_item"),
    ("Here is the shelf.", "Goodbye old shelf, I'm off to the next.", "move_to_fixture"),
    ("Compare the two.", "Never mind the first, which one is milder?", "idle"),
]


@pytest.mark.parametrize(("case", "ends"), [*((case, True) for case in YES), *((case, False) for case in NO)])
def test_moderator(case, ends):
    """It ends what is given up or closed by both, and nothing that goes on."""
    assistant, user, action = case
    assert ends is decide([{"assistant": assistant, "user": user, "action": action, "outcome": "done"}])[0]
