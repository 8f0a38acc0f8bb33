"""Small TensorFlow 1 programs of layers, made at random: unnamed and shared layers, batch normalization, regularizers,
objects that are called as layers are.

What layers compute cannot be asked of this TensorFlow, which has none of TensorFlow 1's: only 1.15.5 can tell.
"""

from __future__ import annotations

import random
import textwrap

_HEAD = """\
import functools

import numpy as np
import tensorflow as tf
from tensorflow.contrib import slim

DATA = np.sin(np.arange(96.0)).reshape(6, 16).astype(np.float32)
LABELS = np.cos(np.arange(12.0)).reshape(6, 2).astype(np.float32)
mode = "train"


def weights(turn):
    return tf.constant_initializer(np.sin(np.arange(2.0) + turn) / 2)
"""
_ACTIVATIONS = ("tf.nn.relu", "tf.nn.tanh", "tf.nn.sigmoid", "None")
_REGULARIZERS = ("tf.contrib.layers.l2_regularizer(0.1)", "slim.l1_regularizer(0.05)", "penalize")
_PLAIN = ("tf.train.GradientDescentOptimizer(0.05)", "tf.train.MomentumOptimizer(0.02, 0.9)")
_OPTIMIZERS = (*_PLAIN, "tf.train.AdamOptimizer(0.01)", "tf.train.RMSPropOptimizer(0.01)")
_PHASES = ("tf.placeholder(tf.bool, [])", "tf.placeholder_with_default(False, [])")
_PENALTIES = (
    "tf.losses.get_regularization_loss()",
    "tf.reduce_sum(tf.losses.get_regularization_losses())",
    "sum(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))",
)
_LISTED = (
    "tf.trainable_variables('net')",
    "tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='net')",
    "[v for v in tf.trainable_variables() if v.name.startswith('net/')]",
)
_CELLS = (
    "tf.nn.rnn_cell.BasicLSTMCell(3)",
    "tf.nn.rnn_cell.GRUCell(3)",
    "tf.nn.rnn_cell.BasicRNNCell(3)",
    "tf.nn.rnn_cell.LSTMCell(3)",
    "tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3) for _ in range(2)])",
)


_OBJECTS = """\
class Dense(object):
    def __init__(self, size, turn, activation=None, name="dense"):
        with tf.variable_scope(name):
            self.size = size
            self.turn = turn
            self.activation = activation
            self.name = name

    def weights(self):
        return weights(self.turn)

    def __call__(self, t):
        return tf.layers.dense(t, self.size, self.activation, kernel_initializer=self.weights(), name=self.name)


class Norm(object):
    def __init__(self, name, decay=0.5):
        self.decay = decay
        self.name = name

    def __call__(self, t, training=True):
        return slim.batch_norm(
            t, decay=self.decay, epsilon=0.1, is_training=training, updates_collections=None, scope=self.name
        )
"""


class LayerProgram:
    """One program; `text` is its source. Each run prints what it gives behind a word of its own."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"layers {seed}")
        self.turn = 0
        self.moves = self.random.random() < 0.6
        self.drops = self.random.random() < 0.3
        self.penalized = self.random.random() < 0.5
        self.two = self.random.random() < 0.4
        self.objects = self.random.random() < 0.3
        self.tensors = ["y", "loss"]
        self.scopes: dict[str, str] = {}
        functions = [self._net("net")]
        if self.two:
            functions.append(self._net("other"))
        if self.penalized:
            functions.insert(0, "def penalize(t):\n    return 0.1 * tf.reduce_sum(tf.square(t))\n")
        if self.objects:
            functions.insert(0, _OBJECTS)
        graph = self._graph()
        runs = self._runs()
        self.parts = functions
        self.text = self._arranged(graph, runs)

    def _net(self, name: str) -> str:
        """A function of layers; its input is a matrix."""
        lines = [f"def {name}(t, training=True, reuse=None):"]
        body = [line for _ in range(self.random.randint(1, 4)) for line in self._layer()]
        body.append(f"return {self._dense('t', 2, 'None')}")
        scope = self.random.choice([f'"{name}", reuse=reuse', f'"{name}", reuse=tf.AUTO_REUSE', f'"{name}"', ""])
        if scope:
            self.scopes[name] = scope
            lines.append(f"    with tf.variable_scope({scope}):")
            body = [f"    {line}" for line in body]
        return "\n".join([*lines, *(f"    {line}" for line in body)]) + "\n"

    def _layer(self) -> list[str]:
        """One or more statements that make `t` anew."""
        kinds = ["dense", "dense", "variable", "fully_connected", "conv", "loop", "partial", "rnn"]
        kinds += ["normalized", "normalized", "slim norm"] * self.moves + ["dropped"] * self.drops
        kinds += ["object"] * 3 * self.objects + ["norm object"] * (self.objects and self.moves)
        kind = self.random.choice(kinds)
        activation = self.random.choice(_ACTIVATIONS)
        size = self.random.randint(2, 4)
        self.turn += 1
        weights = f"weights({self.turn})"
        if kind == "dense":
            return [f"t = {self._dense('t', size, activation)}"]
        if kind == "variable":
            regular = f", regularizer={self._regularizer()}" if self.penalized else ""
            return [
                f'w = tf.get_variable("w{self.turn}", [t.shape[-1], {size}], initializer={weights}{regular})',
                f'b = tf.get_variable("b{self.turn}", [{size}], initializer=tf.zeros_initializer())',
                "t = tf.nn.tanh(tf.matmul(t, w) + b)",
            ]
        if kind == "fully_connected":
            scope = self.random.choice(["", f", scope='fc{self.turn}'"])
            made = f"slim.fully_connected(t, {size}, activation_fn={activation}, weights_initializer={weights}{scope})"
            return [f"t = {made}"]
        if kind == "conv":
            made = f"tf.layers.conv1d(t[:, :, None], 2, 2, padding='same', kernel_initializer={weights})"
            return [f"t = {made}", self.random.choice(["t = tf.layers.flatten(t)", "t = tf.reduce_max(t, 2)"])]
        if kind == "loop":
            return [
                f"for i in range({self.random.randint(1, 3)}):",
                f"    t = {self._dense('t', size, activation, 'i')}",
            ]
        if kind == "partial":
            made = f"functools.partial(tf.layers.dense, activation={activation}, kernel_initializer={weights})"
            return [f"dense = {made}", f"t = dense(dense(t, {size}), 3)"]
        if kind == "rnn":
            cell = self.random.choice(_CELLS)
            scope = self.random.choice(["", f", scope='rnn{self.turn}'"])
            around = [f"with tf.variable_scope('cells{self.turn}', initializer={weights}):"]
            return [
                *around,
                f"    steps, _ = tf.nn.dynamic_rnn({cell}, t[:, :, None], dtype=tf.float32{scope})",
                "t = steps[:, -1]",
            ]
        if kind == "object":
            made = f"Dense({size}, {self.turn}, {activation}, name='object{self.turn}')"
            return self.random.choice([[f"t = {made}(t)"], [f"layer = {made}", "t = layer(t)"]])
        if kind == "norm object":
            return [f"t = Norm('norm{self.turn}')(t, training)"]
        if kind == "normalized":
            momentum = self.random.choice(["", ", momentum=0.5"])
            return [f"t = tf.layers.batch_normalization(t, training=training, epsilon=0.1{momentum})"]
        if kind == "slim norm":
            inplace = self.random.choice(["", ", updates_collections=None"])
            return [f"t = slim.batch_norm(t, decay=0.5, epsilon=0.1, is_training=training{inplace})"]
        return ["t = tf.layers.dropout(t, 0.0, training=training)"]

    def _dense(self, given: str, size: int, activation: str, also: str = "") -> str:
        self.turn += 1
        turn = f"{self.turn} + {also}" if also else str(self.turn)
        named = self.random.random() < 0.3
        name = (f", name='dense{self.turn}_%d' % {also}" if also else f", name='dense{self.turn}'") if named else ""
        regular = f", kernel_regularizer={self._regularizer()}" if self.penalized and self.random.random() < 0.6 else ""
        return f"tf.layers.dense({given}, {size}, {activation}, kernel_initializer=weights({turn}){regular}{name})"

    def _regularizer(self) -> str:
        return self.random.choice(_REGULARIZERS)

    def _graph(self) -> list[str]:
        """Placeholders, what the functions compute of them, a loss and a step."""
        choice = self.random
        lines = [
            "x = tf.placeholder(tf.float32, [None, 16], name='x')",
            "labels = tf.placeholder(tf.float32, [None, 2])",
        ]
        self.fed_phase = self.moves and choice.random() < 0.6
        training = "training" if self.fed_phase else "True"
        if self.fed_phase:
            lines.append(f"training = {choice.choice(_PHASES)}")
        lines.append(f"y = net(x, {training})")
        if "reuse" in self.scopes.get("net", "") and choice.random() < 0.5:
            # Two updates of the same averages come in an order that TensorFlow 1 leaves open, and stay.
            reuse = "" if "AUTO" in self.scopes["net"] else ", True"
            lines.append(f"again = net(x * 0.5, {'False' if self.moves else training}{reuse})")
            self.tensors.append("again")
        error = choice.choice(["tf.reduce_mean(tf.square(y - labels))", "tf.losses.mean_squared_error(labels, y)"])
        if self.two:
            lines.append(f"z = other({choice.choice(['x', 'y', 'tf.concat([x, y], 1)'])}, {training})")
            self.tensors.append("z")
            error += " + tf.reduce_mean(tf.square(z))"
        if self.penalized:
            lines.append(f"penalty = {choice.choice(_PENALTIES)}")
            error += " + penalty"
        lines += [f"loss = {error}", *self._step()]
        return [*lines, "saver = tf.train.Saver()"] if choice.random() < 0.4 else lines

    def _step(self) -> list[str]:
        """The training step: of some variables or of all, with gradients that are clipped, behind the updates."""
        choice = self.random
        lines = self._optimizer()
        variables = counts = ""
        if self.two and "net" in self.scopes and choice.random() < 0.6:
            lines.append(f"chosen = {choice.choice(_LISTED)}")
            variables = ", var_list=chosen"
        if choice.random() < 0.3:
            lines.append("global_step = tf.train.get_or_create_global_step()")
            counts = ", global_step=global_step"
        if choice.random() < 0.3:
            lines.append(f"gradients, held = zip(*optimizer.compute_gradients(loss{variables}))")
            lines.append("gradients, _ = tf.clip_by_global_norm(gradients, 1.0)")
            step = f"step = optimizer.apply_gradients(zip(gradients, held){counts})"
        else:
            step = f"step = optimizer.minimize(loss{variables}{counts})"
        if not self.moves or choice.random() < 0.3:
            return [*lines, step]
        updates = "tf.get_collection(tf.GraphKeys.UPDATE_OPS)"
        if choice.random() < 0.5:
            lines.append(f"updates = {updates}")
            updates = "updates"
        return [*lines, f"with tf.control_dependencies({updates}):", f"    {step}"]

    def _optimizer(self) -> list[str]:
        """The optimizer; in some programs a condition chooses it.

        A bias in front of batch normalization has no gradient but for rounding, which Adam makes a whole step of.
        """
        optimizers = _PLAIN if self.moves else _OPTIMIZERS
        made = self.random.choice(optimizers)
        if self.random.random() < 0.7:
            return [f"optimizer = {made}"]
        other = f"    optimizer = {self.random.choice(optimizers)}"
        return [f"if mode == '{self.random.choice(['train', 'test'])}':", other, "else:", f"    optimizer = {made}"]

    def _runs(self) -> list[str]:
        choice = self.random
        lines = []
        for number in range(choice.randint(2, 4)):
            lines += self._run(number)
        return lines

    def _run(self, number: int) -> list[str]:
        choice = self.random
        training = choice.random() < 0.6
        fetched = choice.sample(self.tensors, choice.randint(1, len(self.tensors)))
        phase = f", training: {training or choice.random() < 0.3}" if self.fed_phase else ""
        feed = f"{{x: DATA, labels: LABELS{phase}}}"
        shown = f"print('run{number}', [np.asarray(v).ravel()[:3].tolist() for v in values])"
        if training:
            fetches = f"[step, {', '.join(fetched)}]" if choice.random() < 0.7 else f"[{', '.join(fetched)}, step]"
            values = "_, *values" if fetches.startswith("[step") else "*values, _"
        else:
            fetches, values = f"[{', '.join(fetched)}]", "values"
        loop = f"for _ in range({choice.randint(1, 3)}):"
        return [loop, f"    {values} = sess.run({fetches}, {feed})", f"    {shown}"]

    def _arranged(self, graph: list[str], runs: list[str]) -> str:
        """The program as a script, or in a function."""
        within = ["sess.run(tf.global_variables_initializer())", *runs]
        session = ["with tf.Session() as sess:", *(f"    {line}" for line in within)]
        if self.random.random() < 0.3:
            session = ["sess = tf.Session()", *within]
        program = [*graph, *session]
        defined = "\n\n".join(["", *self.parts])
        if self.random.random() < 0.5:
            return f"{_HEAD}{defined}\n\n" + "\n".join(program) + "\n"
        inner = textwrap.indent("\n".join(program), "    ")
        called = self.random.choice(["train()", "if mode == 'train':\n    train()\nelse:\n    print('nothing')"])
        return f"{_HEAD}{defined}\n\ndef train():\n{inner}\n\n\n{called}\n"
