"""The CSV files of a human evaluation: what is written for people to fill in, and who may see which."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from recfw_situated.human.plan import Visit
from recfw_situated.judging.rubric import rubric
from recfw_situated.profiles.records import GENDERS, LEVELS, STYLES
from recfw_situated.tasks.records import SituatedTask

ASSIGNMENT, QUESTIONNAIRE, PROFILES, TASKS, QUESTIONS = (
    "assignment.csv", "questionnaire.csv", "profiles.csv", "tasks.csv", "questions.csv",
)  # fmt: skip
KEYS = ("participant", "session", "task", "assistant")
"""First columns of a questionnaire; ``assistant`` is a letter."""
COMMENT = "comment"
LOW, HIGH = 1, 5

_POINTS = tuple(str(point) for point in range(LOW, HIGH + 1))
PROFILE: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("persona",), ()),
    "gender": GENDERS,
    **dict.fromkeys(("age_group", "employment", "occupation", "household", "housing", "transport", "storage"), ()),
    **dict.fromkeys(("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"), _POINTS),
    "behaviour_style": STYLES,
    **dict.fromkeys(
        (
            "patience",
            "price_sensitivity",
            "explanation_seeking",
            "substitute_willingness",
            "navigation_following",
            "talkativeness",
        ),
        LEVELS,
    ),
}
"""Field of the profile form -> its values; empty for free words. The fields are those of simulated shoppers."""


def items() -> tuple[str, ...]:
    """Return the seven items, which are the judge's dimensions."""
    return tuple(criterion.name for criterion in rubric().criteria)


def written(plan: Sequence[Visit], tasks: Mapping[str, SituatedTask]) -> dict[str, str]:
    """
    Return file name -> text of all files.

    ``assignment.csv`` tells which letter is which assistant and is for the experimenter alone; the others name none.
    """
    used = dict.fromkeys(visit.task for visit in plan)
    people = dict.fromkeys(visit.participant for visit in plan)
    blanks = [""] * (len(items()) + 1)
    return {
        ASSIGNMENT: _csv(
            (*KEYS[:3], "letter", "assistant"),
            ((v.participant, v.session, v.task, v.letter, v.assistant) for v in plan),
        ),
        QUESTIONNAIRE: _csv(
            (*KEYS, *items(), COMMENT), ((v.participant, v.session, v.task, v.letter, *blanks) for v in plan)
        ),
        PROFILES: _csv(("participant", *PROFILE), ((code, *[""] * len(PROFILE)) for code in people)),
        TASKS: _csv(
            ("task", "request", "looking_for", "wishes", "unwanted", "budget_usd"),
            (_task(tasks[name]) for name in used),
        ),
        QUESTIONS: _csv(
            ("item", "question", *_POINTS),
            ((c.name, c.question, *(c.anchors.get(p, "") for p in range(LOW, HIGH + 1))) for c in rubric().criteria),
        ),
    }


def _task(task: SituatedTask) -> tuple[object, ...]:
    goal = task.goal
    wishes, unwanted = ("; ".join(wish.words for wish in held) for held in (goal.preferences, goal.unwanted))
    return task.id, goal.request, f"{goal.category_words}, for {goal.use}", wishes, unwanted, f"{goal.budget:g}"


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
