"""A training step over compat against the same step over Keras and in a `tf.compat.v1` session, in one process.

    python benchmarks/compat_speed.py [layers] [cell] [optimizer]

Prints the time per step of each side in its fastest round, which other programs disturb least, and the ratio of
compat's to it; the sides take turns. `layers` is a small convolutional network, `cell` an LSTM over a sequence,
`optimizer` Adam on a dense network with an embedding. TF2's `tf.compat.v1` has no layers any more, so these have no
session beside them, and no cells, so the session's is TF1's formula under `tf.compat.v1.nn.dynamic_rnn`.

All are given their batch as NumPy arrays, as in a feed dictionary. A `tf.function` takes longer to accept these than a
session does, whatever is in it: `compat, given tensors` is the same step without that.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

import compat

ROUNDS = 25
STEPS = 10
RANDOM = np.random.RandomState(0)
IMAGES = RANDOM.rand(32, 28, 28, 1).astype(np.float32)
SEQUENCES = RANDOM.rand(32, 20, 64).astype(np.float32)
LABELS = RANDOM.randint(0, 10, 32).astype(np.int32)
IDS = RANDOM.randint(0, 1000, [256, 8]).astype(np.int32)
LABELS_OF_IDS = RANDOM.randint(0, 10, 256).astype(np.int32)
WEIGHTS = {
    "embedding": RANDOM.normal(0, 0.1, [1000, 64]).astype(np.float32),
    "hidden": RANDOM.normal(0, 0.1, [512, 256]).astype(np.float32),
    "out": RANDOM.normal(0, 0.1, [256, 10]).astype(np.float32),
}
Step = Callable[[], Any]


def layers_of_compat() -> Step:
    """Convolution, batch normalization, pooling and a dense layer of compat."""

    def model(images: Any) -> Any:
        layers = compat.layers
        x = layers.conv2d(images, 16, 3, padding="same")
        x = tf.nn.relu(layers.batch_normalization(x, training=True))
        x = layers.max_pooling2d(x, 2, 2)
        x = layers.conv2d(x, 32, 3, padding="same", activation=tf.nn.relu)
        return layers.dense(layers.flatten(layers.max_pooling2d(x, 2, 2)), 10)

    return _in_store(model, IMAGES)


def layers_of_keras() -> Step:
    """The same layers of Keras."""
    layers = tf.keras.layers
    normalization = layers.BatchNormalization()
    stack = [
        layers.Conv2D(16, 3, padding="same"),
        normalization,
        layers.ReLU(),
        layers.MaxPooling2D(2, 2),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(2, 2),
        layers.Flatten(),
        layers.Dense(10),
    ]

    def forward(x: Any) -> Any:
        for layer in stack:
            x = layer(x, training=True) if layer is normalization else layer(x)
        return x

    forward(tf.constant(IMAGES))
    return _descent(forward, IMAGES, [weight.value for layer in stack for weight in layer.trainable_weights])


def cell_of_compat() -> Step:
    """An LSTM cell of compat under `dynamic_rnn`, and a dense layer."""

    def model(sequences: Any) -> Any:
        cell = compat.nn.rnn_cell.LSTMCell(64)
        _, state = compat.nn.dynamic_rnn(cell, sequences, dtype=tf.float32)
        return compat.layers.dense(state.h, 10)

    return _in_store(model, SEQUENCES)


def cell_of_keras() -> Step:
    """An LSTM cell of Keras under its `RNN`, and a dense layer."""
    recurrent, dense = tf.keras.layers.RNN(tf.keras.layers.LSTMCell(64)), tf.keras.layers.Dense(10)

    def forward(x: Any) -> Any:
        return dense(recurrent(x))

    forward(tf.constant(SEQUENCES))
    weights = [*recurrent.trainable_weights, *dense.trainable_weights]
    return _descent(forward, SEQUENCES, [weight.value for weight in weights])


class _Lstm:
    """TF1's LSTM cell as a formula, for `tf.compat.v1.nn.dynamic_rnn`."""

    def __init__(self, units: int) -> None:
        self.output_size = units
        self.state_size = (units, units)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The state before the first step."""
        return (tf.zeros([batch_size, self.output_size], dtype),) * 2

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """The output and the state after one step."""
        c, h = state
        rows = inputs.shape[1] + self.output_size
        kernel = tf.compat.v1.get_variable("kernel", [rows, 4 * self.output_size], use_resource=True)
        bias = tf.compat.v1.get_variable("bias", [4 * self.output_size], use_resource=True)
        gates = tf.nn.bias_add(tf.matmul(tf.concat([inputs, h], 1), kernel), bias)
        i, j, f, o = tf.split(gates, 4, axis=1)
        c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(i) * tf.tanh(j)
        h = tf.sigmoid(o) * tf.tanh(c)
        return h, (c, h)


def cell_of_a_session() -> Step:
    """TF1's LSTM cell in a session of `tf.compat.v1`."""
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        sequences, labels = v1.placeholder(tf.float32, SEQUENCES.shape), v1.placeholder(tf.int32, LABELS.shape)
        _, state = v1.nn.dynamic_rnn(_Lstm(64), sequences, dtype=tf.float32)
        kernel = v1.get_variable("out", [64, 10], use_resource=True)
        bias = v1.get_variable("out_bias", [10], use_resource=True)
        loss = _loss(tf.nn.bias_add(tf.matmul(state[1], kernel), bias), labels)
        train = v1.train.GradientDescentOptimizer(0.01).minimize(loss)
        initialize = v1.global_variables_initializer()
    session = v1.Session(graph=graph)
    session.run(initialize)
    return lambda: session.run([loss, train], {sequences: SEQUENCES, labels: LABELS})[0]


def optimizer_of_compat(as_tensors: bool = False) -> Step:
    """compat's Adam in a function."""
    variables = [tf.Variable(value, name=name) for name, value in WEIGHTS.items()]
    return _optimized(variables, compat.train.AdamOptimizer(1e-4).apply_gradients, as_tensors)


def optimizer_of_keras() -> Step:
    """Keras's Adam in a function."""
    variables = [tf.Variable(value, name=name) for name, value in WEIGHTS.items()]
    optimizer = tf.keras.optimizers.Adam(1e-4)
    optimizer.build(variables)
    return _optimized(variables, optimizer.apply_gradients)


def optimizer_of_a_session() -> Step:
    """TF1's Adam in a session of `tf.compat.v1`."""
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        ids, labels = v1.placeholder(tf.int32, [None, 8]), v1.placeholder(tf.int32, [None])
        variables = [v1.get_variable(name, initializer=value, use_resource=True) for name, value in WEIGHTS.items()]
        loss = _loss(_network(variables, ids), labels)
        train = v1.train.AdamOptimizer(1e-4).minimize(loss)
        initialize = v1.global_variables_initializer()
    session = v1.Session(graph=graph)
    session.run(initialize)
    return lambda: session.run([loss, train], {ids: IDS, labels: LABELS_OF_IDS})[0]


def _network(variables: Any, ids: Any) -> Any:
    embedding, hidden, out = variables
    rows = tf.reshape(tf.gather(embedding, ids), [-1, 512])
    return tf.matmul(tf.nn.relu(tf.matmul(rows, hidden)), out)


def _loss(logits: Any, labels: Any) -> Any:
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def _in_store(model: Callable[[Any], Any], batch: Any) -> Step:
    store = compat.VariableStore()
    store.build(model, tf.constant(batch))

    def forward(x: Any) -> Any:
        with store:
            return model(x)

    return _descent(forward, batch, store.trainable_variables)


def _descent(forward: Callable[[Any], Any], batch: Any, variables: Any) -> Step:
    """A step of plain gradient descent."""

    @tf.function(autograph=False)
    def step(x: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = _loss(forward(x), labels)
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.01 * gradient)
        return loss

    return lambda: step(batch, LABELS).numpy()


def _optimized(variables: Any, apply_gradients: Callable[[Any], Any], as_tensors: bool = False) -> Step:
    @tf.function(autograph=False)
    def step(ids: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = _loss(_network(variables, ids), labels)
        apply_gradients(list(zip(tape.gradient(loss, variables), variables, strict=True)))
        return loss

    batch = [tf.constant(IDS), tf.constant(LABELS_OF_IDS)] if as_tensors else [IDS, LABELS_OF_IDS]
    return lambda: step(*batch).numpy()


CASES: dict[str, dict[str, Callable[[], Step]]] = {
    "layers": {"compat": layers_of_compat, "Keras": layers_of_keras},
    "cell": {"compat": cell_of_compat, "Keras": cell_of_keras, "a tf.compat.v1 session": cell_of_a_session},
    "optimizer": {
        "compat": optimizer_of_compat,
        "Keras": optimizer_of_keras,
        "a tf.compat.v1 session": optimizer_of_a_session,
        "compat, given tensors,": partial(optimizer_of_compat, as_tensors=True),
    },
}


def measure(makers: dict[str, Callable[[], Step]]) -> dict[str, float]:
    """Seconds per step of each side in its fastest round."""
    steps = {name: make() for name, make in makers.items()}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for step in steps.values():
        step()
        step()
    for _ in range(ROUNDS):
        for name, step in steps.items():
            began = time.perf_counter()
            for _ in range(STEPS):
                step()
            times[name].append((time.perf_counter() - began) / STEPS)
    return {name: min(values) for name, values in times.items()}


def main(chosen: list[str]) -> None:
    """Measures the chosen cases, all by default."""
    for case in chosen or list(CASES):
        fastest = measure(CASES[case])
        ours = fastest.pop("compat")
        print(f"{case}: compat {ours * 1e3:.2f} ms per step")
        for name, value in fastest.items():
            print(f"  {name} {value * 1e3:.2f} ms, ratio {ours / value:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
