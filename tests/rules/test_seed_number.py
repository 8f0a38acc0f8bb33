"""Random numbers of a graph's seed, behind what TensorFlow 1 counted other operations for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.engine import migrated
from tf_migrate.files.discover import discover
from tf_migrate.names import draw_order
from tf_migrate.names.canonical import Names
from tf_migrate.options import Options
from tf_migrate.pipeline import run
from tf_migrate.report.model import Finding

HEAD = "import tensorflow as tf\n\ntf.set_random_seed(7)\nx = tf.placeholder(tf.float32, [None, 3, 2])\n"
RECURRENT = (
    "tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.ones_initializer()), x, dtype=tf.float32)"
)

IN_FUNCTIONS = f"def first():\n    return {RECURRENT}\n\ndef second():\n    return tf.get_variable('w', [2])\n\n"
TOLD = {
    "a layer behind a loop": (f"h, _ = {RECURRENT}\ny = tf.layers.dense(h, 2)\n", 5, "tf.nn.dynamic_rnn"),
    "numbers behind a training step": (
        "y = tf.layers.dense(x, 2)\ntf.train.AdamOptimizer().minimize(tf.reduce_sum(y))\nz = tf.random_normal([2])\n",
        6,
        "tf.train.Optimizer.minimize",
    ),
    "in functions that the program calls in this order": (
        f"{IN_FUNCTIONS}first()\nsecond()\n",
        6,
        "tf.nn.dynamic_rnn",
    ),
    "behind a layer of Keras": (
        "h = tf.keras.layers.Flatten()(x)\nh = tf.keras.layers.Activation('tanh')(h)\ny = tf.layers.dense(h, 2)\n",
        5,
        "tf.keras.layers.Flatten",
    ),
    "a layer of Keras behind another": (
        "from tensorflow.keras.layers import Dense, LSTM\nh = Dense(2)(x)\nh = LSTM(2)(h)\ny = Dense(3)(h)\n",
        7,
        "tf.keras.layers.LSTM",
    ),
    "again in a loop": (
        "for _ in range(2):\n    y = tf.layers.dense(x, 2)\n    z = tf.cond(tf.constant(True), lambda: y, lambda: y)\n",
        7,
        "tf.cond",
    ),
    "in methods that nobody is seen to call": (
        "class Net:\n    def loss(self):\n        return tf.layers.dense(x, 2)\n\n"
        "    def step(self, loss):\n        return tf.gradients(loss, [x])\n",
        10,
        "tf.gradients",
    ),
    "a layer behind normalization of slim": (
        "from tensorflow.contrib import slim\nh = slim.batch_norm(x, is_training=tf.placeholder(tf.bool))\n"
        "y = slim.fully_connected(h, 2)\n",
        6,
        "tf.contrib.slim.batch_norm",
    ),
    "the second layer of a network that a tensor tells whether it trains": (
        "from tensorflow.contrib.slim.nets import resnet_v2\nt = tf.placeholder(tf.bool)\n"
        "y = resnet_v2.resnet_v2_50(x, 3, t)\n",
        7,
        "tf.contrib.slim.nets.resnet_v2.resnet_v2_50",
    ),
    "normalization that a tensor tells whether it trains": (
        "h = tf.layers.batch_normalization(x, training=tf.placeholder(tf.bool))\ny = tf.nn.dropout(h, 0.5)\n",
        5,
        "tf.layers.batch_normalization",
    ),
    "weights of a cell in its loop": (
        "cell = tf.contrib.rnn.BasicLSTMCell(3)\nh, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)\n",
        6,
        "tf.nn.dynamic_rnn",
    ),
    "dropout of cells that a function makes": (
        "def cell():\n    plain = tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.ones_initializer())\n"
        "    return tf.nn.rnn_cell.DropoutWrapper(plain, 0.5)\n\n"
        "cells = tf.nn.rnn_cell.MultiRNNCell([cell() for _ in range(2)])\n"
        "h, _ = tf.nn.dynamic_rnn(cells, x, dtype=tf.float32)\n",
        10,
        "tf.nn.dynamic_rnn",
    ),
    "cells behind another loop": (
        f"h, _ = {RECURRENT}\ncell = tf.nn.rnn_cell.LSTMCell(2)\n"
        "y, _ = tf.nn.static_rnn(cell, [h[:, 0]], dtype=tf.float32)\n",
        5,
        "tf.nn.dynamic_rnn",
    ),
    "in a branch": (
        "y = tf.cond(tf.constant(True), lambda: tf.random_uniform([2]), lambda: tf.zeros([2]))\n",
        5,
        "tf.cond",
    ),
    "in a function that a loop calls": (
        "def noisy(row):\n    return row + tf.random_normal([2])\n\ny = tf.map_fn(noisy, x)\n",
        8,
        "tf.map_fn",
    ),
    "in one of many cases": (
        "noise = [(tf.constant(True), lambda: tf.random_normal([]))]\n"
        "y = tf.case([(tf.constant(True), lambda: tf.random_normal([]))], default=lambda: tf.constant(0.0))\n",
        6,
        "tf.case",
    ),
    "images of a dataset": (
        "class Data:\n    def augment(self, image):\n        return tf.image.random_brightness(image, 0.4)\n\n"
        "    def batches(self):\n        return tf.data.Dataset.from_tensors(x).repeat().map(self.augment)\n\n"
        "Data().batches()\n",
        10,
        "tf.data.Dataset.map",
    ),
    "a dataset that is shuffled behind gradients": (
        "g = tf.gradients(x, [x])\ndata = tf.data.Dataset.range(9)\ndata = data.shuffle(9)\n",
        5,
        "tf.gradients",
    ),
    "a dataset that is shuffled in another": (
        "data = tf.data.Dataset.range(2).flat_map(lambda i: tf.data.Dataset.range(4).shuffle(4))\n",
        5,
        "tf.data.Dataset.flat_map",
    ),
    "weights of a loss in their place": (
        "h = tf.losses.absolute_difference(x, x, tf.placeholder(tf.float32))\ny = tf.random_uniform([2])\n",
        5,
        "tf.losses.absolute_difference",
    ),
}


def told(code: str) -> list[Finding]:
    return [finding for finding in migrated(code).findings if finding.rule == "TFM138"]


@pytest.mark.parametrize(("code", "line", "symbol"), TOLD.values(), ids=[*TOLD])
def test_what_is_drawn_behind(code: str, line: int, symbol: str) -> None:
    (finding,) = told(HEAD + code)
    assert (finding.line, finding.severity) == (line, "warning")
    assert f"`{symbol}`" in finding.message
    assert finding.next_step is not None


@pytest.mark.parametrize(
    "code",
    [
        f"y = tf.layers.dense(x, 2)\nh, _ = {RECURRENT}\n",
        "y = tf.layers.dense(x, 2)\ntf.train.AdamOptimizer().minimize(tf.reduce_sum(y))\n",
        f"h, _ = {RECURRENT}\ny = tf.random_normal([2], seed=3)\n",
        "h = tf.layers.batch_normalization(x, training=True)\ny = tf.nn.dropout(h, 0.5)\n",
        f"{IN_FUNCTIONS}second()\nfirst()\n",
        "v = tf.get_variable('v', [2])\nu = tf.assign(v, v + 1.0)\ny = tf.random_normal([2])\n",
        "y = tf.cond(tf.random_uniform([]) < 0.5, lambda: x, lambda: -x)\n",
        "cell = tf.nn.rnn_cell.GRUCell(3)\ny, _ = tf.nn.static_rnn(cell, [x[:, 0]], dtype=tf.float32)\n",
        "y = tf.map_fn(lambda row: row + tf.random_normal([2], seed=3), x)\n",
        "import random\ng = tf.gradients(x, [x])\nrows = [1, 2]\nrandom.shuffle(rows)\nsome = random.sample(rows, 1)\n",
        "g = tf.gradients(x, [x])\ndata = tf.data.Dataset.range(9).shuffle(9, seed=1)\n",
    ],
)
def test_nothing_is_said_of_what_stands_before(code: str) -> None:
    assert told(HEAD + code) == []


def test_nothing_is_said_of_what_runs_at_once() -> None:
    code = "import tensorflow as tf\ntf.enable_eager_execution()\ntf.set_random_seed(7)\nv = tf.Variable(1.0)\n"
    code += "tf.train.GradientDescentOptimizer(0.1).minimize(lambda: v * v)\nprint(tf.random_uniform([2]))\n"
    assert told(code) == []
    graph = code.replace("tf.enable_eager_execution()\n", "").replace("lambda: v", "v")
    assert len(told(graph)) == 1


def test_nothing_is_said_without_a_seed() -> None:
    code = HEAD.replace("tf.set_random_seed(7)\n", "")
    assert told(f"{code}h, _ = {RECURRENT}\ny = tf.layers.dense(h, 2)\n") == []


@pytest.mark.parametrize("drawn", ["seed_of_its_own", "none"])
def test_modules_of_a_program(drawn: str, tmp_path: Path) -> None:
    """The layers are made first, and the training step behind them: in that order, or with more drawn at last."""
    (tmp_path / "net.py").write_text("import tensorflow as tf\n\ndef net(x):\n    return tf.layers.dense(x, 1)\n")
    last = "" if drawn == "seed_of_its_own" else "print(tf.random_normal([2]))\n"
    (tmp_path / "train.py").write_text(
        "import tensorflow as tf\nfrom net import net\n\n"
        "tf.set_random_seed(1)\nx = tf.placeholder(tf.float32, [None, 2])\n"
        f"loss = tf.reduce_sum(net(x))\nstep = tf.train.AdamOptimizer().minimize(loss)\n{last}"
    )
    command = [sys.executable, "-m", "tf_migrate", "check", str(tmp_path)]
    done = warm.run(command, cwd=ROOT)
    assert ("TFM138" in done.stdout) is bool(last)


def test_a_module_of_many_programs_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve modules that import each other, each of which seeds a graph: each is a program with all the others."""
    names = [f"part_{number}" for number in range(12)]
    for name in names:
        imports = "".join(f"import {other}\n" for other in names if other != name)
        text = (
            "import tensorflow as tf\n\n\ndef built(x):\n    tf.set_random_seed(1)\n    return tf.layers.dense(x, 1)\n"
        )
        (tmp_path / f"{name}.py").write_text(imports + text)
    read: list[str] = []
    reading = draw_order.read

    def counted(names: Names) -> draw_order.Reading:
        read.append(names.module.name)
        return reading(names)

    monkeypatch.setattr(draw_order, "read", counted)
    options = Options(paths=(tmp_path,), root=tmp_path, jobs=1)
    run(discover(options).code, options)
    assert sorted(read) == sorted(names)
