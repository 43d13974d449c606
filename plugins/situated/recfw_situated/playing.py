"""What this track's participants that are code share: they look at pictures only where a run asks for all of them."""

from recfw.model.view import View
from recfw.protocols import Context


async def look(context: Context, view: View) -> None:
    """Look at the pictures that a View lists under ``look`` (``pictures=all``), so that the trace keeps them."""
    for handle in view.facts.get("look", ()):
        if context.look is not None:
            await context.look(handle)
