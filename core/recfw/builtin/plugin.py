"""The hooks of core's own components; each imports its classes only when it is called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from recfw.hookspecs import hookimpl


@hookimpl
def recfw_register_agents() -> Iterable[type[Any]]:
    """Offer the scripted agent."""
    from recfw.builtin.scripted import ScriptedAgent

    return [ScriptedAgent]


@hookimpl
def recfw_register_users() -> Iterable[type[Any]]:
    """Offer the scripted user, and the rule-based ones that suit any track with their facts in its user's View."""
    from recfw.builtin.scripted import ScriptedUser
    from recfw.elicitation.users import CostlyUser, CritiquingUser, RulesUser, SoftUser

    return [ScriptedUser, RulesUser, CritiquingUser, CostlyUser, SoftUser]


@hookimpl
def recfw_register_metrics() -> Iterable[type[Any]]:
    """Offer what every track can count."""
    from recfw.builtin.metrics import Effort

    return [Effort]


@hookimpl
def recfw_register_analyses() -> Iterable[type[Any]]:
    """Offer the default analysis and the comparison."""
    from recfw.builtin.compare import Compare
    from recfw.builtin.summary import Summary

    return [Summary, Compare]


@hookimpl
def recfw_register_renderers() -> Iterable[type[Any]]:
    """Offer terminal, Markdown, HTML, LaTeX, CSV and JSON."""
    from recfw.report.render_csv import CsvRenderer
    from recfw.report.render_html import HtmlRenderer
    from recfw.report.render_json import JsonRenderer
    from recfw.report.render_latex import LatexRenderer
    from recfw.report.render_markdown import MarkdownRenderer
    from recfw.report.render_terminal import TerminalRenderer

    return [TerminalRenderer, MarkdownRenderer, HtmlRenderer, LatexRenderer, CsvRenderer, JsonRenderer]


@hookimpl
def recfw_register_executors() -> Iterable[type[Any]]:
    """Offer the local executor."""
    from recfw.executors.local import LocalExecutor

    return [LocalExecutor]
