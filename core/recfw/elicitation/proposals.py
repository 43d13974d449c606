"""Proposals in what an agent says: tags such as ``[[candidate_id:ID]]``, of which the user judges the first."""

import re

TAG = re.compile(r"\[\[\s*candidate_id\s*:([^\[\]\n]*)\]\]", re.IGNORECASE)

_SHOWN = 80


def proposals(text: str) -> list[str]:
    """Return the ids in a text's proposal tags, in order, each once, cut to 80 characters; an empty tag is none."""
    return list(dict.fromkeys(named[:_SHOWN] for match in TAG.findall(text) if (named := match.strip())))
