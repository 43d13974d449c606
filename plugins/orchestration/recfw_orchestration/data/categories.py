"""Lists of categories that one string holds, joined with commas that some categories hold themselves."""

WITH_COMMAS = (
    "Beer, Wine & Spirits",
    "Books, Mags, Music & Video",
    "Used, Vintage & Consignment",
    "Wills, Trusts, & Probates",
)
"""Categories of the Yelp data set whose names hold commas."""


def split_categories(joined: str) -> tuple[str, ...]:
    """Return the categories of a string, each once, in order."""
    for whole in WITH_COMMAS:
        joined = joined.replace(whole, whole.replace(",", "\0"))
    parts = (" ".join(part.replace("\0", ",").split()) for part in joined.split(","))
    return tuple(dict.fromkeys(part for part in parts if part))
