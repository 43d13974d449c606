"""What loading an entry point's module costs, measured in processes of their own."""

import sys

from recfw.checking.asking import asked
from recfw.checking.findings import Notes, listed

_LIGHT = {"attr", "attrs", "pluggy", "recfw"}
_TIMES = 3
_MEASURE = """
import json, os, sys, time
import attrs
import recfw.hookspecs
out = os.dup(1)
os.dup2(2, 1)
me, before, started = os.getpid(), set(sys.modules), time.process_time()
error = ""
try:
    __import__(sys.argv[1])
except BaseException as fault:
    error = type(fault).__name__
took = time.process_time() - started
if os.getpid() != me:
    os._exit(0)  # the module forked
os.write(out, json.dumps({"error": error, "ms": took * 1000, "loaded": sorted(set(sys.modules) - before)}).encode())
"""


def look_at_weight(notes: Notes, module: str, budget: float) -> None:
    """Tell how long the module takes to import (milliseconds of CPU, best of three), and what libraries it loads."""
    seen = [asked(_MEASURE, module) for _ in range(_TIMES)]
    if any(each is None or each["error"] for each in seen):
        return  # that it cannot be loaded is told elsewhere
    runs = [each for each in seen if each is not None]
    took = round(min(float(each["ms"]) for each in runs), 1)
    heavy = _heavy(runs[0]["loaded"], module)
    if heavy:
        hint = "Import them in the hooks or in the classes that need them: this module is loaded by every command."
        notes.wrong(module, f"importing it loads {listed(heavy)}", hint, cpu_ms=took)
    if took > budget:
        hint = "Import what takes long in the hooks, or raise --budget."
        notes.wrong(module, f"importing it takes {took:g} ms of CPU, more than {budget:g}", hint, cpu_ms=took)
    if not heavy and took <= budget:
        notes.ok(module, f"{took:g} ms of CPU (budget {budget:g}), {len(runs[0]['loaded'])} modules", cpu_ms=took)


def _heavy(loaded: list[str], module: str) -> list[str]:
    """Return the libraries among the loaded modules, but Python's own, the plugin's, and what core loads anyway."""
    own = {module.partition(".")[0], *_LIGHT, *sys.stdlib_module_names}
    return sorted({name.partition(".")[0] for name in loaded} - own - {"__mp_main__"})
