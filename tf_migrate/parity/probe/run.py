"""Runs one program as by hand, with random numbers aligned, and writes down what its runs computed.

    python run.py SETTINGS.json PROGRAM ARGUMENTS…

Stands alone: the interpreter of the original has no tf-migrate. PROGRAM is a file, a notebook or a module, as the
settings say.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import random
import runpy
import sys
import traceback
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))


def main() -> int:
    """Runs the program that the command line names; the exit status is the program's own, 70 where it failed."""
    with open(sys.argv[1], encoding="utf-8") as file:
        settings: dict[str, Any] = json.load(file)
    program, arguments = sys.argv[2], sys.argv[3:]
    sys.path.insert(0, HERE)
    from errors import told
    from recorder import Recorder

    recorder = Recorder(settings)
    _seed(settings["seed"])
    outcome: dict[str, Any] = {"error": None, "status": 0}
    try:
        names = _prepare(settings, recorder)
        sys.path.remove(HERE)
        _forget_own_modules()
        _execute(settings, program, arguments, names)
    except SystemExit as stop:
        outcome["status"] = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException as error:
        outcome["error"] = told(error, settings["root"])
        traceback.print_exc()
        outcome["status"] = 70
    recorder.finish(outcome)
    return int(outcome["status"])


def _seed(seed: int) -> None:
    import numpy as np

    random.seed(seed)
    np.random.seed(seed)


def _prepare(settings: dict[str, Any], recorder: Any) -> dict[str, Any]:
    """Puts everything in place before the program begins; gives the names that its modules have before all others."""
    from devices import watch_devices
    from files import watch_files
    from writes import watch_writes

    if settings["role"] == "original":
        if settings["v1"]:
            import tensorflow.compat.v1 as tf

            tf.disable_v2_behavior()
            sys.modules["tensorflow"] = tf
        else:
            import tensorflow as tf
        from sessions import watch_sessions

        watch_sessions(recorder)
    else:
        import tensorflow as tf
        from functions import watch_functions
        from sessions import watch_shims
        from steps import watch_steps
        from variables import watch_variables

        watch_functions(recorder, watch_variables(recorder))
        watch_shims(recorder)
        watch_steps(recorder)
    names: dict[str, Any] = {}
    if settings["align_random"]:
        from entropy import align_entropy
        from random_numbers import align_random
        from sets import order_sets
        from shuffling import keep_order

        names = order_sets(recorder)
        align_random(recorder)
        keep_order()
        align_entropy(recorder)
    set_seed = getattr(tf, "set_random_seed", None) or tf.random.set_seed
    set_seed(settings["seed"])
    _leave_python_numbers(settings["seed"])
    _seed(settings["seed"])  # once more: the imports may have drawn
    watch_files(recorder)
    watch_writes(recorder)
    watch_devices(recorder)
    return names


def _forget_own_modules() -> None:
    """The probe's modules are not the program's: one of its own may have the name of one of them."""
    for name, module in list(sys.modules.items()):
        if name != "__main__" and os.path.dirname(getattr(module, "__file__", None) or "") == HERE:
            del sys.modules[name]


def _leave_python_numbers(seed: int) -> None:
    """Keras 3 draws its seeds from Python's generator, of which the program would see other numbers."""
    seeds = sys.modules.get("keras.src.random.seed_generator")
    if seeds is not None:
        own = random.Random(seed)
        seeds.make_default_seed = lambda: own.randint(1, 10**9)  # type: ignore[attr-defined]


def _execute(settings: dict[str, Any], program: str, arguments: list[str], names: dict[str, Any]) -> None:
    sys.argv = [program, *arguments]
    if settings["module"]:
        sys.path.insert(0, os.getcwd())
        runpy.run_module(program, names, run_name="__main__", alter_sys=True)
        return
    sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
    if settings["cells"] is not None:
        _execute_cells(settings["cells"], os.path.abspath(program), names)
        return
    runpy.run_path(program, names, run_name="__main__")


def _execute_cells(cells: dict[str, Any], path: str, names: dict[str, Any]) -> None:
    """Runs the code of a notebook's cells, told to stand in the lines that the notebook's file has for it."""
    tree: Any = ast.parse(cells["text"])
    for node in ast.walk(tree):
        place: Any = node
        if hasattr(place, "lineno"):
            place.lineno, place.col_offset = cells["lines"][place.lineno - 1], 0
        if getattr(place, "end_lineno", None) is not None:
            place.end_lineno, place.end_col_offset = cells["lines"][place.end_lineno - 1], 0
    exec(compile(tree, path, "exec"), {**names, "__name__": "__main__", "__file__": path, "display": print})


if __name__ == "__main__":
    importlib.invalidate_caches()
    sys.exit(main())
