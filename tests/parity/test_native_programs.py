"""Programs whose native form looks different: data that loops hand over, several optimizers, steps that share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.parity.test_command import run, trees
from tf_migrate.parity.analysis import analyse

pytestmark = pytest.mark.usefixtures("as_v1_graph")

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


GRAPH = """
x = tf.placeholder(tf.float32, [None, 3])
v = tf.Variable(tf.random_normal([2]), name="v")
w = tf.Variable(tf.random_normal([2]), name="v")
h = tf.layers.dense(x, 2) * v + w
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(h, {x: np.ones((2, 3))}))
"""
RESET = "tf.reset_default_graph()"
BRIDGED = GRAPH.replace("sess.run(h, {x: np.ones((2, 3))})", "sess.make_callable(h, [x])(np.ones((2, 3)))")


@pytest.mark.parametrize(
    ("graphs", "tiers"),
    [
        ((GRAPH, GRAPH), {"native": 2}),
        ((GRAPH, BRIDGED + "    print(sess.run(h, {x: np.zeros((1, 3))}))\n", GRAPH), {"native": 2, "bridge": 2}),
        ((BRIDGED, GRAPH), {"native": 1, "bridge": 1}),
    ],
)
def test_graphs_in_turn_begin_with_values_of_their_own(
    graphs: tuple[str, ...], tiers: dict[str, int], tmp_path: Path
) -> None:
    legacy, new = trees(tmp_path, "import numpy as np\nimport tensorflow as tf\n" + RESET.join(graphs))
    assert analyse(legacy, new).tiers == tiers
    status, output = run(legacy, new, "--", "train.py")
    assert (status, "parity:" in output) == (0, True), output
    text = (new / "train.py").read_text()
    (new / "train.py").write_text(text[::-1].replace("2 ,x(esned", "2 ,x + x(esned", 1)[::-1])
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "differs: run" in output


def test_a_port_by_hand_has_no_site_on_the_bridge(tmp_path: Path) -> None:
    """Its steps have other names than the rewriting would give, and it makes no session."""
    legacy, sample = tmp_path / "legacy", ROOT / "samples" / "growing_fetches"
    shutil.copytree(sample, legacy, ignore=shutil.ignore_patterns("ported", "__pycache__"))
    assert analyse(legacy, sample / "ported").tiers == {"native": 2, "dynamic": 1}
