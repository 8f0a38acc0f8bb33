"""Names of a script that are bound behind its back, through `__main__`, `sys.modules` or a frame: it stays bridged.

TensorFlow 1 had built its graph by then; a function would read what they hold when it is traced.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.native import made_native, refuses
from tests.native.trees import reasons, rewritten, tiers

SCRIPT = """\
import sys
import tensorflow as tf
{beside}
x = tf.placeholder(tf.float32, [])
SCALE = 2.0
z = x * SCALE + 1.0
with tf.Session() as sess:
    {change}
    print(sess.run(z, {{x: 3.0}}))
"""
OWN = (
    'setattr(sys.modules[__name__], "SCALE", 5.0)',
    'vars(sys.modules[__name__])["SCALE"] = 5.0',
    'sys.modules["__main__"].SCALE = 5.0',
    '__import__("__main__").SCALE = 5.0',
    'sys._getframe(0).f_globals["SCALE"] = 5.0',
    '(lambda: 1).__globals__["SCALE"] = 5.0',
    "import __main__; __main__.SCALE = 5.0",
    'eval("globals().update(SCALE=5.0)")',
    'text = "globals().update(SCALE=5.0)"; eval(text)',
    "eval(\"setattr(sys.modules[__name__], 'SCALE', 5.0)\")",
    'getattr(sys, "modules")[__name__].SCALE = 5.0',
    "modules = sys.modules; modules[__name__].SCALE = 5.0",
    "sys.modules.get(__name__).SCALE = 5.0",
    "__import__(__name__).SCALE = 5.0",
    "import importlib; importlib.import_module(__name__).SCALE = 5.0",
    'import builtins; builtins.exec("SCALE = 5.0", globals())',
    'from builtins import exec as execute; execute("SCALE = 5.0")',
)
OTHER = (
    'import sys\n\ndef change():\n    sys.modules["__main__"].SCALE = 5.0\n',
    'import sys\n\ndef change():\n    setattr(sys.modules["__main__"], "SCALE", 5.0)\n',
    "def change():\n    import __main__\n    __main__.SCALE = 5.0\n",
    'import importlib\n\ndef change():\n    importlib.import_module("__main__").SCALE = 5.0\n',
    'import sys\n\ndef change():\n    sys._getframe(1).f_globals["SCALE"] = 5.0\n',
)


@pytest.mark.parametrize("change", OWN)
def test_by_the_script_itself(change: str) -> None:
    refuses(SCRIPT.format(beside="", change=change), "__main__`")


LOOKING = (
    "print(eval('1 + 1'))",
    'print("numpy" in sys.modules)',
    "print(len(sys.modules) > 0, sorted(sys.modules)[:0])",
)


@pytest.mark.parametrize("looking", LOOKING)
def test_a_look_binds_nothing(looking: str) -> None:
    code = SCRIPT.format(beside="", change=looking)
    assert made_native(code).text.count(looking) == 1


@pytest.mark.parametrize("module", OTHER)
def test_by_another_module(module: str, tmp_path: Path) -> None:
    script = SCRIPT.format(beside="import helper", change="helper.change()")
    outcome = rewritten(tmp_path, {"train.py": script, "helper.py": module})
    assert tiers(outcome) == {"bridge"}
    assert "another module may bind names of a script through `__main__`" in reasons(outcome)[0]


def test_other_uses_of_the_word(tmp_path: Path) -> None:
    """Asking whether the module is the script, or for a module that was imported, binds nothing."""
    asking = 'if __name__ == "__main__":\n    print("numpy" in sys.modules)\n'
    made_native(SCRIPT.format(beside=asking, change="print(len(sys.modules) > 0)"))
    script = SCRIPT.format(beside="import helper", change="helper.change()")
    module = 'def change():\n    pass\n\nif __name__ == "__main__":\n    change()\n'
    assert tiers(rewritten(tmp_path, {"train.py": script, "helper.py": module})) == {"native"}


def test_in_tensorflow_1(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    """The graph keeps what it was built with."""
    for number, module in enumerate(OTHER):
        (tmp_path / f"helper{number}.py").write_text(module)
    beside = "".join(f"import helper{number}\n" for number in range(len(OTHER)))
    changes = [*OWN, *(f"helper{number}.change(); assert SCALE == 5.0; SCALE = 2.0" for number in range(len(OTHER)))]
    program = SCRIPT.format(beside=f"sys.path.insert(0, {str(tmp_path)!r})\n{beside}", change="\n    ".join(changes))
    assert run_legacy(program) == "7.0\n"
