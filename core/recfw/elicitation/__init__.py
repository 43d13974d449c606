"""
What tracks share about asking.

Predicates, operators, label trees, reveal tags; the disclosure rules and the manners of rule-based users; preferences
that grade; leak detection. :mod:`recfw.elicitation.users` has the users that any track can name,
:mod:`recfw.elicitation.talk` a talk over a catalog that any track can play in, :mod:`recfw.elicitation.policies` rules
on what an agent may offer.
"""

from recfw.elicitation.disclosure import Answer, Disclosure, Fact, Told
from recfw.elicitation.labels import LabelTree
from recfw.elicitation.leaks import leaked
from recfw.elicitation.predicates import Op, Predicate, Reveal, failed, holds
from recfw.elicitation.preferences import Preference, grade

__all__ = [
    "Answer",
    "Disclosure",
    "Fact",
    "LabelTree",
    "Op",
    "Predicate",
    "Preference",
    "Reveal",
    "Told",
    "failed",
    "grade",
    "holds",
    "leaked",
]
