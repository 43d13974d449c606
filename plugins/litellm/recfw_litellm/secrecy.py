"""JSON values without the credentials that this process knows of."""

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from recfw.secrets import Secrets


def redactor(environ: Mapping[str, str]) -> Callable[[Any], Any]:
    """Return a function that gives JSON values back as they are, or with ``[redacted]`` for what is a credential."""
    secrets = Secrets(environ)

    def walk(value: Any) -> Any:
        match value:
            case str():
                return secrets.redact(value)
            case dict():
                return {secrets.redact(str(name)): walk(item) for name, item in value.items()}
            case list() | tuple():
                return [walk(item) for item in value]
            case _:
                return value

    def redacted(values: Any) -> Any:
        # Most values hold none, which one look at their text tells; in it a replacement could break an escape.
        return walk(values) if secrets.find(orjson.dumps(values).decode()) else values

    return redacted
