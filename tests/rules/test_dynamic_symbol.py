"""Names that show only when the program runs are looked up in the namespaces that TensorFlow 1 had."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine import migrated, refuses, unchanged
from tests.steps.migration import migrated as migrated_program
from tests.steps.migration import said_by

HEAD = "import tensorflow as tf\n\ndef f(name):\n    "


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("getattr(tf.train, name)", "getattr(compat.tf1.train, name)"),
        ("getattr(tf.nn, name, None)", "getattr(compat.tf1.nn, name, None)"),
        ("getattr(tf, name + 'Optimizer')", "getattr(compat.tf1.Namespace(), name + 'Optimizer')"),
        ("getattr(tf.train, 'AdamOptimizer')", "getattr(compat.tf1.train, 'AdamOptimizer')"),
        ("getattr(tf.logging, name)", "getattr(compat.logging, name)"),
        ("hasattr(tf.nn, name)", "hasattr(compat.tf1.nn, name)"),
        ("tf.train.__dict__[name]", "compat.tf1.train.__dict__[name]"),
        ("[v for k, v in vars(tf.train).items()]", "[v for k, v in vars(compat.tf1.train).items()]"),
    ],
)
def test_names_known_at_run_time(line: str, becomes: str) -> None:
    result = migrated(HEAD + f"return {line}\n")
    assert result.text.endswith(f"return {becomes}\n")
    assert not any(found.action == "manual" for found in result.findings)


@pytest.mark.parametrize("text", ["'tf.train.' + name", "f'tf.nn.{name}'", "'tf.train.%sOptimizer' % name"])
def test_texts_that_name_a_symbol_as_a_whole(text: str) -> None:
    found = refuses(HEAD + f"return eval({text})\n", "tf.nn" if "nn" in text else "tf.train")
    assert (found.line, found.column, found.rule) == (4, 12, "TFM106")


def test_texts_that_name_symbols_elsewhere() -> None:
    known = "import tensorflow as tf\n\nLAYERS = {'log': 'tf.log', 'exp': 'tf.exp'}\n\n\ndef f(name):\n    "
    assert refuses(known + "return eval(LAYERS[name])\n", "tf.log").line == 7
    unchanged(known.replace("tf.log", "tf.exp") + "return eval(LAYERS[name])\n")


@pytest.mark.parametrize(
    "line",
    [
        "return getattr(name, 'train')",
        "return getattr(tf.nn, 'relu')",
        "return getattr(tf.keras.datasets, name)",
        "return getattr(tf.float32, name)",
        "return hasattr(tf.nn, 'relu')",
        "getattr = name; return getattr",
        "return eval('tf' + name)",
        "return name.__dict__",
    ],
)
def test_other_lookups(line: str) -> None:
    unchanged(HEAD + line + "\n")


CONFIGURED = """\
import tensorflow as tf

config = {"optimizer": "Adam", "activation": "tanh", "decay": "exponential_decay"}
x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
y = getattr(tf.nn, config["activation"])(tf.matmul(x, w))
loss = tf.reduce_mean(tf.square(y))
step = tf.train.get_or_create_global_step()
rate = getattr(tf.train, config["decay"])(0.1, step, 2, 0.5)
train = getattr(tf.train, config["optimizer"] + "Optimizer")(rate).minimize(loss, global_step=step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        print("%.4f" % sess.run([loss, train], {x: [[1.0, 1.0]]})[0])
"""
REGISTRY = """\
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--opt", default="momentum")
parser.add_argument("--act", default="elu")
args = parser.parse_args([])
OPTIMIZERS = {
    name[: -len("Optimizer")].lower(): kind
    for name, kind in vars(tf.train).items()
    if name.endswith("Optimizer") and name != "Optimizer"
}


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [3])
        self.w = tf.Variable([1.0, -2.0, 3.0])
        out = self.activation(args.act)(self.x * self.w)
        self.loss = getattr(tf, "reduce_" + "sum")(tf.square(out))
        self.train_op = OPTIMIZERS[args.opt](0.1, momentum=0.5).minimize(self.loss)

    def activation(self, name):
        if name in tf.nn.__dict__:
            return tf.nn.__dict__[name]
        return getattr(tf, name) if hasattr(tf, name) else tf.identity


model = Model()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, loss = sess.run([model.train_op, model.loss], {model.x: [0.5, 0.5, 0.25]})
        print("%.4f" % loss)
"""


@pytest.mark.parametrize("program", [CONFIGURED, REGISTRY], ids=["a configuration", "a registry"])
def test_programs_that_look_names_up(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated_program(program, tmp_path).contents["main.py"].decode()
    assert said_by(text, tmp_path) == run_legacy(program)
