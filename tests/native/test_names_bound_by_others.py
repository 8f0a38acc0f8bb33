"""Names of a module that the modules which import it bind: a graph kept what it was built with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers

MODEL = """\
import tensorflow as tf

SCALE = 2.0


def scaled(x):
    return x * SCALE


x = tf.placeholder(tf.float32, [])
z = {z} + 1.0
sess = tf.Session()


def run(value):
    return sess.run(z, {{x: value}})
"""
BOUND = (
    "model.SCALE = 5.0",
    "model.SCALE += 5.0",
    "model.SCALE, other = 5.0, 1",
    'setattr(model, "SCALE", 5.0)',
    'vars(model)["SCALE"] = 5.0',
    'model.__dict__["SCALE"] = 5.0',
    "same = model\nsame.SCALE = 5.0",
    "for each in (model,):\n    each.SCALE = 5.0",
    "def change(module):\n    module.SCALE = 5.0\n\n\nchange(model)",
    "def change():\n    import model as m\n    m.SCALE = 5.0\n\n\nchange()",
    'from unittest import mock\nmock.patch("model.SCALE", 5.0).start()',
    'from unittest import mock\nmock.patch.object(model, "SCALE", 5.0).start()',
)
SCRIPT = "import model\n\n{}\nprint(model.run(3.0))\n"
ASKED = "print(model.SCALE == 2.0, model.SCALE)"


@pytest.mark.parametrize("z", ["x * SCALE", "scaled(x)"])
@pytest.mark.parametrize("bound", BOUND)
def test_bridged(bound: str, z: str, tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"model.py": MODEL.format(z=z), "train.py": SCRIPT.format(bound)})
    assert tiers(outcome) == {"bridge"}
    assert printed(tmp_path, "train.py") == "7.0\n"


def test_the_reason(tmp_path: Path) -> None:
    texts = {"model.py": MODEL.format(z="x * SCALE"), "train.py": SCRIPT.format(BOUND[0]), "kept.py": ""}
    outcome = rewritten(tmp_path, texts, kept=("train.py",))
    assert reasons(outcome) == ["another module may bind `SCALE`, which the graph was built with (model.py:16)"]


def test_by_a_module_between(tmp_path: Path) -> None:
    texts = {
        "model.py": MODEL.format(z="x * SCALE"),
        "tools.py": "import model\n",
        "train.py": "import tools\n\ntools.model.SCALE = 5.0\nprint(tools.model.run(3.0))\n",
    }
    assert tiers(rewritten(tmp_path, texts)) == {"bridge"}
    assert printed(tmp_path, "train.py") == "7.0\n"


@pytest.mark.parametrize("looking", ["", ASKED, "import other\nother.SCALE = 5.0", "SCALE = 5.0"])
def test_native_where_nothing_binds_them(looking: str, tmp_path: Path) -> None:
    texts = {"model.py": MODEL.format(z="x * SCALE"), "train.py": SCRIPT.format(looking)}
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"native"}, reasons(outcome)


def test_in_tensorflow_1(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL.format(z="scaled(x)"))
    changes = "".join(
        f"{bound}\nassert model.SCALE != 2.0\nprint(model.run(3.0))\nmodel.SCALE = 2.0\n" for bound in BOUND
    )
    program = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport model\n{changes}"
    assert run_legacy(program) == "7.0\n" * len(BOUND)
