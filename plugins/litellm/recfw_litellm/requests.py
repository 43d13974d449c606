"""A View as a request: which parameters are sent, and which answer is wanted of a model that answers differently."""

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import orjson
from attrs import evolve

from recfw.errors import UsageError
from recfw.model.view import View
from recfw.secrets import find
from recfw_litellm.options import PlayerOptions
from recfw_litellm.structured import SCHEMA_MODES, format_of, words_of_schema
from recfw_litellm.tools import Names, tool_of
from recfw_litellm.views import Thoughts, messages_of
from recfw_litellm.wire import Request

MOST_SEED = 2**31
"""Providers take seeds of 32 bits with a sign."""

RESERVED = (
    "model",
    "messages",
    "tools",
    "response_format",
    "stream",
    "n",
    "api_key",
    "api_base",
    "base_url",
    "timeout",
)
"""Parameters that ``extra`` may not hold, since the plugin sets them or relies on their absence."""


def check_options(options: Any, component: str, schema: str = "auto") -> None:
    """
    Refuse options that cannot work, before anything starts.

    Raises:
        UsageError: The model is missing, a reserved parameter is given, the seed or the way to ask for a schema is
            unknown, or a key stands among the options.
    """
    if not options.model.strip():
        raise UsageError(f"'{component}' needs a model.", "--set agent.model=… names it, such as openai/gpt-….")
    if options.seed not in {"trial", "none"} and not _number(options.seed):
        raise UsageError(f"option 'seed' is trial, none or a number from 0 to {MOST_SEED - 1}, not '{options.seed}'.")
    if schema not in SCHEMA_MODES:
        raise UsageError(f"option 'schema' is one of {', '.join(SCHEMA_MODES)}, not '{schema}'.")
    for name in RESERVED:
        if name in options.extra:
            raise UsageError(f"option 'extra' may not hold '{name}'.", _INSTEAD.get(name, "Leave it out."))
    for name, value in (("extra", orjson.dumps(options.extra).decode()), ("api_base", options.api_base)):
        if find(value) or (name == "api_base" and "@" in value.partition("://")[2].partition("/")[0]):
            words = f"option '{name}' holds what looks like a key: options are stored with the run."
            raise UsageError(words, "Put it into an environment variable, and name that with the option api_key_env.")


_INSTEAD: Mapping[str, str] = {
    "api_key": "Keys come from the environment or --env-file; the option api_key_env names another variable.",
    "api_base": "It is an option of its own.",
    "base_url": "The option api_base holds the address.",
    "model": "It is an option of its own.",
    "timeout": "It is an option of its own.",
}


def _number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and int(text) < MOST_SEED


def params_of(options: Any, seed: int) -> dict[str, Any]:
    """Return the parameters that options ask for; ``seed`` is the trial's."""
    asked = {
        "temperature": options.temperature,
        "top_p": options.top_p,
        "seed": {"trial": seed % MOST_SEED, "none": None}.get(options.seed, options.seed),
        "reasoning_effort": options.reasoning_effort or None,
        "max_tokens": options.max_tokens,
    }
    if isinstance(asked["seed"], str):
        asked["seed"] = int(asked["seed"])
    return {name: value for name, value in asked.items() if value is not None}


def taken(params: Mapping[str, Any], takes: Collection[str] | None) -> dict[str, Any]:
    """Return the parameters that a model takes, all of them where that is not known."""
    return {name: value for name, value in params.items() if takes is None or name in takes}


class Requests:
    """
    Makes the requests of one episode.

    Args:
        options: Which model, and how.
        seed: The trial's seed.
        role: Who asks.
        takes: The parameters that the model takes; None where that is not known.
    """

    def __init__(self, options: PlayerOptions, seed: int, role: str, takes: Collection[str] | None) -> None:
        self._options, self._seed, self._role, self._takes = options, seed, role, takes
        by_format = takes is None or "response_format" in takes
        self._schema = options.schema if by_format or options.schema != "auto" else "words"
        self._params = {**taken(params_of(options, seed), takes), **options.extra}
        self._asked: Counter[str] = Counter()

    def request(self, view: View, names: Names, pictures: Mapping[str, str], thoughts: Thoughts) -> Request:
        """Return the request for a View; a body that was asked before in this episode asks for the next answer."""
        options, params = self._options, dict(self._params)
        if view.tools and options.parallel_tools is not None:
            params |= taken({"parallel_tool_calls": options.parallel_tools}, self._takes)
        request = Request(
            options.model,
            messages_of(view, names, pictures, thoughts, words_of_schema(view, self._schema)),
            tuple(tool_of(tool, names) for tool in view.tools),
            format_of(view, self._schema),
            params,
            options.api_base,
        )
        body = hashlib.sha256(orjson.dumps(request.body(), option=orjson.OPT_SORT_KEYS)).hexdigest()
        self._asked[body] += 1
        return evolve(request, sample=(self._seed, self._role, self._asked[body]))
