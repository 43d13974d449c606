"""Where keys come from: the environment, never an option."""

import os

from recfw_litellm.options import ModelOptions
from recfw_litellm.wire import Blame, Fault


def key_for(options: ModelOptions, usual: str = "") -> str:
    """
    Return the key to send; empty where there is none and none was named.

    Args:
        options: They may name a variable.
        usual: The variable to look at where they do not.

    Raises:
        Fault: They name one that is not set.
    """
    name = options.api_key_env
    if name and not os.environ.get(name, "").strip():
        words = f"The environment variable {name}, which api_key_env names, is not set."
        raise Fault("authentication", Blame.FATAL, words)
    return os.environ.get(name or usual, "").strip() if name or usual else ""
