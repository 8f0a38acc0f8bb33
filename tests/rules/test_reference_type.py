"""Types of variables that a program prints or compares: references in TensorFlow 1, plain types in TensorFlow 2."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine import migrated
from tests.native.native import printed, rewritten

HEAD = """\
import tensorflow as tf

v = tf.Variable([1.0, 2.0], name="v")
w = tf.get_variable("w", [3], tf.int32, tf.zeros_initializer())
plain = tf.get_variable("plain", [2], use_resource=True)
y = v * 2.0
names = [each.name for each in tf.trainable_variables()]
sess = tf.Session()
"""


IN_CLASS = """\
class Net(object):
    def __init__(self):
        self.w = tf.get_variable("in_class", [2])
        self.all = tf.global_variables()

    def show(self):
        LINE


Net().show()
"""


@pytest.mark.parametrize(
    "line",
    [
        "print(v.dtype)",
        "print('type %s of %r' % (v.dtype, names))",
        "print(f'{w.dtype!r}')",
        "print('{}'.format(w.dtype.name))",
        "for each in tf.global_variables():\n    print(each.name, each.shape, each.dtype)",
        "print({each.name: str(each.dtype) for each in tf.trainable_variables()})",
        "if v.dtype == tf.float32:\n    print('single')",
        "print(tf.trainable_variables()[0].dtype in (tf.float32, tf.float64))",
        IN_CLASS.replace("LINE", "print(self.w.dtype)"),
        IN_CLASS.replace("LINE", "for one in self.all: print(str(one.dtype))"),
    ],
)
def test_what_was_a_reference_is_told(line: str) -> None:
    (finding,) = [each for each in migrated(f"{HEAD}{line}\n{line}\n").findings if each.rule == "TFM152"]
    assert (finding.severity, finding.action) == ("warning", "shimmed")
    assert finding.line > 8


@pytest.mark.parametrize(
    "line",
    [
        "print(y.dtype, plain.dtype)",
        "print(v.dtype.base_dtype, v.dtype.is_floating, v.name)",
        "x = tf.zeros([2], dtype=v.dtype)",
        "print(sess.run(v).dtype)",
        "def show(v):\n    print(v.dtype)",
        "for each in [y]:\n    print(each.dtype)",
        "print(v.dtype is None)",
    ],
)
def test_other_types_are_not(line: str) -> None:
    assert not [each for each in migrated(f"{HEAD}{line}\n").findings if each.rule == "TFM152"]


def test_what_is_told_is_what_differs(run_legacy: Callable[..., str]) -> None:
    code = f"{HEAD}print(v.dtype, v.dtype == tf.float32)\nprint(v.dtype.base_dtype, y.dtype, plain.dtype)\n"
    same = "<dtype: 'float32'> <dtype: 'float32'> <dtype: 'float32'>"
    assert run_legacy(code).splitlines() == ["<dtype: 'float32_ref'> False", same]
    assert printed(rewritten(code).text).splitlines() == ["<dtype: 'float32'> True", same]
