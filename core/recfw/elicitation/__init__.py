"""What tracks share about asking: predicates and operators, label trees, reveal tags, disclosure, leak detection."""

from recfw.elicitation.disclosure import Answer, Disclosure, Fact, Told
from recfw.elicitation.labels import LabelTree
from recfw.elicitation.leaks import leaked
from recfw.elicitation.predicates import Op, Predicate, Reveal, failed, holds

__all__ = [
    "Answer",
    "Disclosure",
    "Fact",
    "LabelTree",
    "Op",
    "Predicate",
    "Reveal",
    "Told",
    "failed",
    "holds",
    "leaked",
]
