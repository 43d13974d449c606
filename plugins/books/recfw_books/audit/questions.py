"""What annotators are asked of a record and of a family; the paper names the subjects, the sentences are ours."""

from collections.abc import Mapping

RECORD, FAMILY = "record", "family"

QUESTIONS: Mapping[str, Mapping[str, str]] = {
    RECORD: {
        "1": "Is it one literary work: no edition, series, article, chapter, play, poem or short story?",
        "2": "Are title and authors those of this work?",
        "3": "Is the year that of its first publication?",
        "4": "Does every genre fit it?",
        "5": "Are original language and country of origin right?",
    },
    FAMILY: {
        "1": "Is every requirement unambiguous: would two readers judge the same books by it?",
        "2": "Do the three variants ask for the same book, and differ only in when something is told?",
        "3": "Do the user's sentences say what the requirements demand, no more and no less?",
        "4": "Does nothing that the user says give a hidden value away?",
        "5": "Where no book is right: could somebody plausibly ask for this? (n/a where there is one.)",
    },
}
"""Kind of item -> number of the question -> its sentence; answers stand in the columns ``answer_1`` to ``answer_5``."""

ANSWERS = ("yes", "no", "n/a")
NUMBERS = ("1", "2", "3", "4", "5")


def instructions(records: int, families: int) -> str:
    """Return what annotators read first."""
    asked = "\n\n".join(
        f"For a {kind}:\n" + "\n".join(f"  answer_{number}  {words}" for number, words in questions.items())
        for kind, questions in QUESTIONS.items()
    )
    return f"""Audit of {records} records and {families} task families

Two people fill in one file each, annotator-a.csv and annotator-b.csv, without talking about it and without looking at
key.csv. Both files hold the same items, in different orders. Each line is one item: what to look at stands in the
column 'shown'; the answers go into answer_1 to answer_5 ({", ".join(ANSWERS)}), a reason for every 'no' into 'note'. An
answer that you cannot find out stays empty; it is counted.

{asked}

Keep the columns and the names of the items as they are. When both are done:

  recfw books audit agreement annotator-a.csv annotator-b.csv
"""
