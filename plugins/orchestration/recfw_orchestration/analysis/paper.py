"""What the paper's text tells of its results (its appendix tables are not public text): shares in [0, 1]."""

from collections.abc import Mapping

HITS: Mapping[str, Mapping[str, float]] = {
    "L3": {"GPT-5.4": 0.9667, "Claude-Sonnet-4.5": 0.95, "Qwen-2.5-7B-it": 0.5276},
    "L4": {"best proprietary": 0.5405, "second proprietary": 0.4459},
}
"""Level -> model -> hit ratio (sections 4.1.3 and 4.1.4)."""

ERRORS: Mapping[str, float] = {
    "dependency_failure": 0.541,
    "retrieval_miss": 0.536,
    "premature_end": 0.077,
    "unproductive_exploration": 0.009,
    "no_clear_failure": 0.185,
}
"""Share of GPT-5.4's L4 trajectories that people gave each error (section D.3)."""

SPEARMAN = 0.88
"""Over models, of rule-based parameter accuracy and judged appropriateness at L2 (section 4.1.2)."""
