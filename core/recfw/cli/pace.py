"""How fast something goes on and how long it will take, in words that suit slow and fast work alike."""

MINUTE = 60.0


def rate_words(rate: float) -> str:
    """Return a rate of so many a second: ``11.2/s``, below one ``24/min``, below one a minute ``1m30s each``."""
    if rate >= 1:
        return f"{rate:.1f}/s"
    if rate * MINUTE >= 1:
        return f"{rate * MINUTE:.{0 if rate * MINUTE >= 10 else 1}f}/min"
    return f"{duration(1 / rate)} each"


def pace_words(done: int, total: int, seconds: float, lanes: int = 1) -> str:
    """
    Return how fast work goes on, and how long what is left will take: ``24/min, 2m05s left``.

    Args:
        done: How many are done, one or more.
        total: How many there are.
        seconds: For how long it has gone on.
        lanes: How many go on at a time: until as many are done nothing is said of what is left, since those that are
            half done would be taken for not begun.
    """
    rate = done / max(seconds, 1e-9)
    left = f", {duration((total - done) / rate)} left" if lanes <= done < total else ""
    return rate_words(rate) + left


def duration(seconds: float) -> str:
    """Return a time in two units at most: ``42s``, ``3m10s``, ``2h05m``, ``4d03h``."""
    whole = round(seconds)
    for size, unit, below, small in ((86400, "d", 3600, "h"), (3600, "h", 60, "m"), (60, "m", 1, "s")):
        if whole >= size:
            return f"{whole // size}{unit}{whole % size // below:02}{small}"
    return f"{whole}s"
