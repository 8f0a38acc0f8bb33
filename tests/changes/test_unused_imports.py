"""Imports from TensorFlow of which nothing is read any more go; all others stay."""

from __future__ import annotations

import pytest

from tests.engine import migrated

USE = "x = lambda: (ops.reset_default_graph(), array_ops.placeholder(1))\n"
NEW = "x = lambda: (compat.reset_default_graph(), compat.placeholder(1))\n"
OPS = "from tensorflow.python.framework import ops\n"
ARRAYS = "from tensorflow.python.ops import array_ops\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"import os\n{OPS}{ARRAYS}\n", "import os\nimport compat\n\n"),
        (f"import os\n\n{OPS}{ARRAYS}\n", "import os\nimport compat\n\n"),
        (f"import os\n\n{OPS}{ARRAYS}import sys\n", "import os\n\nimport compat\nimport sys\n"),
        (f"{OPS}\n{ARRAYS}import sys\n", "\nimport compat\nimport sys\n"),
        (
            "from tensorflow.python.framework import (\n    ops,\n)\nfrom tensorflow.python.ops import array_ops\n",
            "import compat\n",
        ),
    ],
)
def test_imports_of_what_was_rewritten_go(before: str, after: str) -> None:
    assert migrated(before + USE).text == after + NEW


@pytest.mark.parametrize(
    "line",
    [
        "from tensorflow.python.framework import ops  # pylint: disable=g-direct-tensorflow-import\n",
        "from tensorflow.python.framework import ops; import sys\n",
        "from tensorflow.python.framework import ops, dtypes\n",
        "from tensorflow.python.framework import ops\n__all__ = ['ops']\n",
        "from tensorflow.python.framework import ops\ny = ops.name_from_scope_name\n",
    ],
)
def test_what_is_still_read_or_shares_its_line_stays(line: str) -> None:
    text = migrated(line + ARRAYS + "x = lambda: (ops.reset_default_graph(), ops.name_from_scope_name)\n").text
    assert line.splitlines()[0] in text


def test_a_name_that_nothing_read_stays() -> None:
    assert OPS in migrated(OPS + ARRAYS + "x = lambda: array_ops.placeholder(1)\n").text


@pytest.mark.parametrize("taken", ["from train import ops\n", "from train import *\n", "import train\ntrain.ops\n"])
def test_a_name_that_another_module_takes_stays(taken: str) -> None:
    code = f"{OPS}x = lambda: ops.reset_default_graph()\n"
    assert OPS not in migrated(code, others={"other.py": "import train\ntrain.x\n"}).text
    assert OPS in migrated(code, others={"other.py": taken}).text


def test_shims_that_nothing_needs_are_not_imported() -> None:
    """The sum that needed a shim is gone: nothing runs it."""
    code = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [])\ny = x + 1.0\nz = tf.div(x, 2.0)\n"
    text = migrated(code + "with tf.Session() as sess:\n    print(sess.run(y, {x: 1.0}))\n", tier="native").text
    assert "compat" not in text
