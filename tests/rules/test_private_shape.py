"""The private shape of a tensor: TensorFlow 2 keeps a pair there."""

from __future__ import annotations

import pytest

from tests.engine import migrated
from tests.native.native import printed

RANKS = """\
import tensorflow as tf


class Report:
    def __init__(self, *tensors):
        self.tensors = tensors

    def rows(self):
        return [(len(each._shape), each._shape_val.as_list()) for each in self.tensors]


x = tf.placeholder(tf.float32, [2, 3])
print(Report(x, tf.reduce_sum(x)).rows(), x.op.outputs[0]._shape[1] == 3)
"""


def test_the_shape_is_meant() -> None:
    result = migrated(RANKS)
    assert printed(result.text) == "[(2, [2, 3]), (0, [])] True\n"
    assert sum(finding.rule == "TFM134" for finding in result.findings) == 3


@pytest.mark.parametrize(
    "line",
    [
        "def __init__(self): self._shape = 3",
        "def rank(self): return len(self._shape)",
        "_shape = ()\n    def rank(self, other): return other._shape",
    ],
)
def test_attributes_of_the_program_stay(line: str) -> None:
    code = f"import tensorflow as tf\nx = tf.placeholder(tf.float32)\nclass A:\n    {line}\n"
    assert line in migrated(code).text
