"""What a judge may be asked of a dialogue: qualities that identifiers cannot tell. Ours, not the paper's."""

from recfw.model.rubric import Criterion, Rubric, Transcript, transcript_of
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw_books.user.brief import facts_text

DIALOGUE = Rubric(
    name="dialogue",
    instructions=(
        "You rate how a book recommender talked with a user who wants one book from a fixed catalog. You are shown "
        "what the user required and when it was to tell it, the whole dialogue, and the recommender's tool calls, "
        "which the user did not see. Whether the book was right is checked elsewhere: rate only what you are asked. "
        "Judge by what stands in the dialogue, not by what you know of books."
    ),
    criteria=(
        Criterion(
            "asking",
            "Did the recommender ask for what it needed to know, and only for that?",
            {
                1: "It asked nothing although it lacked requirements, or asked again what it had been told.",
                3: "It asked for some of what it lacked, or mixed useful questions with needless ones.",
                5: "It asked early for everything it lacked, plainly, and for nothing else.",
            },
        ),
        Criterion(
            "grounding",
            "Do its statements about books agree with what its tools had answered?",
            {
                1: "It states facts that no tool gave, or that contradict one.",
                3: "Most statements come from its tools; a few have no source in them.",
                5: "Everything it says of a book stands in an answer of its tools.",
            },
        ),
        Criterion(
            "use_of_verdicts",
            "Did it make use of what the user said of its proposals, and of questions that were declined?",
            {
                1: "It repeats what was rejected, or goes on as if nothing had been said.",
                3: "It moves on after a rejection without learning from it.",
                5: "Each proposal takes every earlier rejection and declined question into account.",
            },
        ),
        Criterion(
            "clarity",
            "Is it clear, brief and pleasant to talk with?",
            {
                1: "Confusing, rambling, or it shows the user its inner workings.",
                3: "Understandable, at times wordy or stiff.",
                5: "Clear, brief and kind throughout.",
            },
        ),
    ),
)


def transcript(task: Task, trace: Trace) -> Transcript:
    """Return what a judge is shown of a trial: the user's requirements with their tags, and the dialogue."""
    return Transcript(f"The user's requirements:\n{facts_text(task.private)}", transcript_of(trace).dialogue)
