"""Datasets that are shuffled and repeated: TensorFlow 1 made one step of both, which had an order of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.engine import migrated

HEAD = "import tensorflow as tf\n\nrows = tf.data.Dataset.range(8)\n"
TOLD = {
    "in one chain": ("it = rows.shuffle(5, seed=5).repeat(2).make_one_shot_iterator()\n", 4),
    "a seed in its place": ("rows = rows.shuffle(5, SEED).repeat()\n", 4),
    "one statement behind the other": (
        "def batches(data, training):\n    if training:\n        data = data.shuffle(buffer_size=5, seed=1)\n"
        "    data = data.repeat()\n    return data.batch(2)\n",
        6,
    ),
    "attributes": (
        "class Data:\n    def __init__(self):\n        self.rows = rows.map(abs).shuffle(5, seed=1)\n"
        "        self.rows = self.rows.repeat(None)\n",
        6,
    ),
    "the seed of the graph": ("tf.set_random_seed(3)\nrows = rows.shuffle(5)\nrows = rows.repeat(3)\n", 5),
    "the function of both": ("rows = rows.apply(tf.data.experimental.shuffle_and_repeat(5, 2, seed=5))\n", 4),
    "the function of contrib": ("rows = rows.apply(tf.contrib.data.shuffle_and_repeat(5, None, 7))\n", 4),
}


def told(code: str) -> list[int]:
    return [finding.line for finding in migrated(code).findings if finding.rule == "TFM144"]


@pytest.mark.parametrize(("code", "line"), TOLD.values(), ids=[*TOLD])
def test_where_the_order_is_another(code: str, line: int) -> None:
    assert told(HEAD + code) == [line]


@pytest.mark.parametrize(
    "code",
    [
        "rows = rows.shuffle(5).repeat()\n",
        "rows = rows.shuffle(5, seed=None).repeat()\n",
        "rows = rows.repeat(2).shuffle(5, seed=5)\n",
        "rows = rows.shuffle(5, seed=5).batch(2).repeat(2)\n",
        "rows = rows.shuffle(5, seed=5)\nrows = rows.batch(2)\nrows = rows.repeat(2)\n",
        "rows = rows.shuffle(5, seed=5).repeat(1)\n",
        "rows = rows.shuffle(5, seed=5, reshuffle_each_iteration=False).repeat(2)\n",
        "import numpy as np\nodd = np.arange(3)\nnp.random.shuffle(odd)\nodd = odd.repeat(2)\n",
    ],
)
def test_where_it_is_the_same(code: str) -> None:
    assert told(HEAD + code) == []


ORDERS = """\
import tensorflow as tf

rows = tf.data.Dataset.range(8)
orders = [
    rows.shuffle(5, seed=5).repeat(2),
    rows.shuffle(5, seed=5, reshuffle_each_iteration=False).repeat(2),
    rows.shuffle(5, seed=5).map(lambda row: row).repeat(2),
    rows.repeat(2).shuffle(5, seed=5),
    rows.shuffle(5, seed=5).repeat(1),
]
taken = [data.make_one_shot_iterator().get_next() for data in orders]
with tf.Session() as sess:
    for each in taken:
        print([int(sess.run(each)) for _ in range(8)])
"""


def test_the_orders_of_tensorflow_1(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    """What is told of has another order, and nothing else."""
    after = migrated(ORDERS)
    assert [finding.line for finding in after.findings if finding.rule == "TFM144"] == [5]
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = warm.run([sys.executable, "-c", after.text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    lines = list(zip(run_legacy(ORDERS).splitlines(), done.stdout.splitlines(), strict=True))
    assert [before == now for before, now in lines] == [False, True, True, True, True]
