"""The shipped task set is the generator's own, of the first seed."""

from importlib.resources import files

from recfw_books.catalog.load import load_catalog
from recfw_books.families.generate import generate
from recfw_books.taskfile import TASKS_FILE, encode_tasks


def test_the_shipped_tasks_are_those_of_seed_0():
    """Drawing families of seed 0 for the embedded catalog gives the shipped file, byte for byte."""
    shipped = (files("recfw_books") / "data" / TASKS_FILE).read_bytes()
    assert encode_tasks(generate(load_catalog(None), 0)) == shipped
