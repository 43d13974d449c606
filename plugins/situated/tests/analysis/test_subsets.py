"""The partition of the shipped tasks into four subsets, drawn here once more from the specification."""

from random import Random

from recfw_situated.tasks.pool import shipped


def test_each_scenes_shoppers_are_shuffled_with_seed_42() -> None:
    """Per scene: Random(42), shoppers in the bank's order, the k-th of a shuffled shopper's tasks goes to subset k."""
    expected = {}
    for scene in ("supermarket", "furnishings"):
        draw = Random(42)
        tasks: dict[str, list[str]] = {}
        for task in shipped():
            if task.profile.scene == scene:
                tasks.setdefault(task.profile.id, []).append(task.id)
        for four in tasks.values():
            draw.shuffle(four)
            expected |= {name: subset for subset, name in enumerate(four, 1)}
    assert {task.id: task.subset for task in shipped()} == expected


def test_each_subset_has_25_tasks_of_all_25_shoppers() -> None:
    """Four subsets a scene, each with one task of every shopper."""
    groups: dict[tuple[str, int], list[str]] = {}
    for task in shipped():
        groups.setdefault((task.profile.scene, task.subset), []).append(task.profile.id)
    assert {key: (len(names), len(set(names))) for key, names in groups.items()} == {
        (scene, subset): (25, 25) for scene in ("supermarket", "furnishings") for subset in (1, 2, 3, 4)
    }
