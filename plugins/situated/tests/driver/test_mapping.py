"""Mapping files."""

from importlib.resources import as_file, files

import pytest

from recfw.errors import DataError
from recfw_situated.driver.mapping import ANSWERS, CALLS, BuildMap, read_mapping


def test_the_example_says_what_holds_without_a_mapping():
    """The packaged example spells out the defaults, so that it can be edited."""
    with as_file(files("recfw_situated.driver") / "mapping.example.yaml") as path:
        read = read_mapping(path)
    assert (read.calls, read.answers) == (dict(CALLS), dict(ANSWERS))
    assert BuildMap(calls=read.calls, answers=read.answers) == read


def test_points_of_the_level_and_of_the_records_are_converted_both_ways():
    """A shifted and turned level is undone."""
    mapping = BuildMap(origin=(100.0, -50.0, 0.0, 90.0))
    assert mapping.to_level(10.0, 0.0) == pytest.approx((100.0, -40.0))
    assert mapping.from_level(*mapping.to_level(3.0, 4.0)) == pytest.approx((3.0, 4.0))


def test_a_function_that_a_build_lacks_has_no_command():
    """null in the mapping means that a fall-back is used."""
    mapping = BuildMap(player="BP_Shopper", calls={"drop": None, "turn": "Rotate {degrees} fast"})
    assert (mapping.call("drop"), mapping.call("turn", degrees="5")) == (None, "vbp BP_Shopper Rotate 5 fast")


def test_a_file_that_is_not_there_is_told(tmp_path):
    """The message holds the path."""
    with pytest.raises(DataError, match="cannot be read"):
        read_mapping(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- a", "a YAML mapping of fields"),
        ("calls: {turn: 'Rotate {angle}'}", "call 'turn' cannot fill {angle}: it takes {degrees}"),
        ("calls: {turn: 'Rotate {0}'}", "cannot fill {0}"),
        ("calls: {turn: 'Rotate {'}", "braces that do not match"),
        ("calls: {drop: 'Drop {object}'}", "it takes no arguments"),
        ("calls: {trun: Rotate}", "Did you mean 'turn'"),
        ("mask: {curve: foo}", "no curve 'foo' (known: auto, none,"),
        ("depth: {convention: foo}", "no convention 'foo' (known: auto, planar, ray)"),
        ("depth: {unit: -1}", "unit must be a number of cm"),
        ("depth: {unit: .nan}", "unit must be a number of cm"),
        ("scene: 3", "$.scene"),
    ],
)
def test_a_mapping_that_cannot_work_is_refused_when_it_is_read(tmp_path, text, words):
    """Whatever would fail later, in a run, is told at once with the file and the place."""
    path = tmp_path / "m.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_mapping(path)
    assert (str(path) in str(caught.value), words in str(caught.value)) == (True, True), str(caught.value)
