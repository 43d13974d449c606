"""What loading a statistics module costs: the light ones load nothing heavy."""

import subprocess
import sys


def test_light_modules_load_neither_numpy_nor_scipy() -> None:
    """Records, pass^k and Holm can be imported without numpy or scipy."""
    code = (
        "import sys, recfw.stats.results, recfw.stats.passk, recfw.stats.multiple\n"
        "print(sorted({'numpy', 'scipy'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_figure_without_an_interval_loads_no_scipy() -> None:
    """Tasks of one cluster have a mean, and no resampling that a short run would wait for."""
    code = (
        "import sys; from recfw.stats.intervals import cluster_interval\n"
        "print(cluster_interval({'a': 0.5, 'b': 1.0}, {'a': 'c', 'b': 'c'}).value, 'scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0.75 False"
