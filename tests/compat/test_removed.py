"""What stands in for an import of what is gone: the rest of a package runs, and any use raises."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import compat
from tests.native.trees import printed, rewritten

NAME = "tensorflow.contrib.quantize"


@pytest.mark.parametrize(
    "use",
    [
        lambda gone: gone.rewrite,
        lambda gone: gone(),
        lambda gone: gone["a"],
        lambda gone: bool(gone),
        lambda gone: setattr(gone, "flag", True),
        lambda gone: getattr(gone, "flag", None),
        lambda gone: types.new_class("Derived", (gone,)),
    ],
)
def test_every_use_raises(use: Callable[[Any], object]) -> None:
    with pytest.raises(ModuleNotFoundError, match=NAME):
        use(compat.Removed(NAME))


def test_tools_that_look_through_a_module_pass_it_by() -> None:
    gone = compat.Removed(NAME)
    assert not hasattr(gone, "__wrapped__") and NAME in repr(gone)


PACKAGE = {
    "net/__init__.py": "from net.quantized import build as quantized\nfrom net.plain import build\n",
    "net/quantized.py": "import tensorflow.contrib.quantize as q\n\n\ndef build(x):\n    return q.rewrite(x)\n",
    "net/plain.py": "import tensorflow as tf\n\n\ndef build(x):\n    return tf.log(x)\n",
    "main.py": "import tensorflow as tf\nimport net\n\nx = tf.placeholder(tf.float32)\ny = net.build(x)\n"
    "with tf.Session() as sess:\n    print(sess.run(y, {x: 1.0}))\n",
}


def test_a_package_lives_without_what_it_does_not_use(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, PACKAGE)
    assert printed(tmp_path, "main.py") == "0.0\n"
    left = [(found.path, found.line) for found in outcome.report.findings if found.action == "manual"]
    assert left == [("net/quantized.py", 1), ("net/quantized.py", 5)]


SHARDS = """\
import tensorflow as tf
from tensorflow.contrib.tpu.python.tpu import tpu_function


def replicas():
    context = tpu_function.get_tpu_context()
    return context.number_of_shards or 1


with tf.Session() as sess:
    print(sess.run(tf.constant(6.0) / replicas()))
    with tpu_function.tpu_shard_context(3):
        print(sess.run(tf.constant(6.0) / replicas()))
"""


def test_programs_that_ask_for_the_shards_of_a_tpu(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"main.py": SHARDS})
    assert printed(tmp_path, "main.py") == "6.0\n2.0\n"
    assert not [found for found in outcome.report.findings if found.action == "manual"]
