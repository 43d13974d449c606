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
