"""Names that are bound to one another in very many ways are looked at in a moment."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.steps.migration import migrated

NAMES = ("inner", "outer", "left", "right", "first", "last", "above")
PAIRS = [(one, other) for one in NAMES for other in NAMES if one != other]

# Each tensor is bound to each of the others, as the layers of a network are that loops and branches build.
RING = f"""\
import tensorflow as tf

{"".join(f"{name} = tf.ones([1])" + chr(10) for name in NAMES)}
for turn in range(3):
{"".join(f"    {one} = {other}" + chr(10) for one, other in PAIRS)}
with tf.Session() as sess:
    value = sess.run(inner)
    print("%.3f" % value, float(value), 2.0 * value)
"""
ATTRIBUTES = f"""\
import tensorflow as tf


class Net:
    def grow(self):
{"".join(f"        self.{one} = tf.abs(self.{other})" + chr(10) for one, other in PAIRS)}
    def rest(self):
{"".join(f"        self.{one} = self.{other} + self.{one}" + chr(10) for one, other in PAIRS)}
    def show(self, sess):
        out = sess.run(self.inner)
        print("%.2f %d" % (out, out), float(out), out * 0.5)
"""


@pytest.mark.parametrize("program", [RING, ATTRIBUTES], ids=["names", "attributes"])
def test_rings_of_names(program: str, tmp_path: Path) -> None:
    begun = time.process_time()
    migrated(program, tmp_path)
    assert time.process_time() - begun < 20
