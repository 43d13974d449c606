"""Personas: one short synthetic sentence a family, for users voiced by a language model."""

from recfw.model.draws import Draws

_WHO = (
    "a retired bus driver",
    "a night-shift nurse",
    "a first-year student",
    "a carpenter with two small children",
    "an accountant between two jobs",
    "a school librarian",
    "a chef who works late",
    "a long-distance train conductor",
    "a software tester",
    "a grandmother of five",
    "a postal worker",
    "a translator working from home",
    "a physiotherapist",
    "an amateur gardener",
    "a museum guard",
    "a taxi driver studying in the evenings",
    "a violin teacher",
    "a paramedic on leave",
    "a bicycle mechanic",
    "a newly arrived neighbour in a small town",
)
_WHEN = (
    "reads for half an hour before sleep",
    "reads on the way to work",
    "reads mostly at weekends",
    "reads in one sitting or not at all",
    "reads with a pencil at hand",
    "picks one book a month for a reading circle",
    "is packing for a long journey",
    "has just come back to reading after some years",
    "reads whenever the house is quiet",
    "is choosing something for the holidays",
)
_HOW = (
    "answers briefly",
    "is friendly and a little chatty",
    "gets to the point at once",
    "is polite and patient",
    "writes in short, plain sentences",
    "likes to be asked clear questions",
    "jokes now and then",
    "thinks aloud before deciding",
)


def draw_persona(draws: Draws) -> str:
    """Return one sentence on who the user is and how the user writes; it says nothing of the request."""
    return f"You are {draws.choice(_WHO)} who {draws.choice(_WHEN)} and {draws.choice(_HOW)}."
