"""Programs whose native form looks different: data that loops hand over, several optimizers, steps that share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.parity.test_command import run, trees
from tf_migrate.parity.analysis import analyse

GOLDEN = Path(__file__).parents[1] / "native" / "golden"


def test_a_placeholder_that_holds_its_default(tmp_path: Path) -> None:
    program = """
import tensorflow as tf
x = tf.placeholder(tf.float32, [None], name="x")
rate = tf.placeholder_with_default(0.5, [], name="rate")
scaled = tf.reduce_sum(x) * rate
with tf.Session() as sess:
    for number in range(3):
        print(sess.run(scaled, {x: [1.0, 2.0]}), sess.run(scaled, {x: [1.0], rate: 2.0}))
"""
    legacy, new = trees(tmp_path, program)
    assert "Session" not in (new / "train.py").read_text()
    status, output = run(legacy, new, "--", "train.py")
    assert (status, "parity:" in output) == (0, True), output
    (new / "train.py").write_text((new / "train.py").read_text().replace("0.5", "0.25"))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "differs: input" in output


@pytest.mark.parametrize("name", ["dataset_iterators", "ensemble", "fed_dataset", "saver"])
def test_parity(tmp_path: Path, name: str) -> None:
    legacy, new = trees(tmp_path, (GOLDEN / name / "before.py").read_text())
    assert "Session" not in (new / "train.py").read_text()
    status, output = run(legacy, new, "--", "train.py")
    assert status == 0, output
    assert "parity:" in output


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_what_only_speaks_of_sessions(tier: str, tmp_path: Path) -> None:
    program = """'tf.Session() runs it.'
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
sess = tf.InteractiveSession()
print(sess.run(x * 2.0, {x: 1.0}))
"""
    legacy, new = trees(tmp_path, program, tier=tier)
    assert "Session()" in (new / "train.py").read_text()
    assert analyse(legacy, new).tiers == {tier: 1}
