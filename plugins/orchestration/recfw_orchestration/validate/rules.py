"""The table of rules: what the validator demands, by name."""

from collections.abc import Mapping
from types import MappingProxyType

RULES: Mapping[str, str] = MappingProxyType(
    {
        "form": "a task has all its parts and no others, of their types; calls come after the calls that they need",
        "candidates": "at least 20 distinct candidates of the store, the target among them; the domain's tools",
        "held-out": "the target is the user's held-out interaction, of which the store shows nothing else",
        "utility": "the user liked the target (4 stars or more); beyond L1, several servers bear on the choice",
        "named": "the request names neither the target's title nor any candidate's id",
        "structure": "one call (L1), independent calls (L2), a chain (L3), side by side with fan-in (L4)",
        "ambiguity": "one, two or three distinct ambiguity types; 40/40/20 in each cell by largest remainder",
        "consistency": "each fuzzy phrase stands in the request, as its pattern has it, and means what gold does",
        "solvability": "request, context or earlier results tell every argument and every number of the answer rule",
        "kinds": "words, numbers, coordinates, times and lists are compared as such, all else to the letter",
        "schema": "every gold call's live arguments fit its tool's strict schema",
        "execution": "every gold call succeeds and finds something; none repeats another",
        "values": "recorded values of dependent arguments are what live results give",
        "answer": "the answer rule leaves the target alone",
        "material": "without any one call, the target is not the one answer any more",
        "tolerance": "at both ends of every tolerance, and with other allowed values, the target is still the answer",
        "optional": "without what may be left out the answer is the same, and what is asked after it is allowed",
        "repeated": "no two tasks have the same id, or the same request",
        "phrasings": "at least 30 distinct phrasings of each ambiguity type, none in more than 3 % of the tasks",
        "popularity": "the target is not the best known, or best rated, candidate more often than chance",
        "marked": "the target's place among the candidates tells nothing",
        "counts": "the paper's number of tasks of each domain and level",
        "tools": "each of the 32 tools is gold in at least five tasks",
    }
)
"""Rule -> the sentence that it enforces."""
