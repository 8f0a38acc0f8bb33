"""A call of a step, and a run on the bridge, against a `tf.compat.v1` session's run of the same graph.

    python benchmarks/steps_speed.py [NAME ...]

Prints, for each network, the time per call of all three and their ratios, interleaved in one process, and the same for
the CPU seconds of building the graph and of the first call. Without names the form of moved statements follows
(`native_speed.py`).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import native_speed
import numpy as np
import tensorflow as tf

import compat
from compat.steps.graph import StoreGraph

v1 = tf.compat.v1
ROUNDS = 15

Built = tuple[list[Any], Any, list[Any]]
"""Inputs, loss and updates."""


def _weights(lib: Any, name: str, *shape: int) -> Any:
    value = np.random.RandomState(len(name)).standard_normal(shape).astype(np.float32) * 0.1
    options = {} if lib is compat else {"use_resource": True}
    return lib.get_variable(name, list(shape), initializer=tf.constant_initializer(value), **options)


def _input(lib: Any, dtype: Any, shape: Any) -> Any:
    in_steps = lib is compat and isinstance(compat.get_default_graph(), StoreGraph)
    return compat.Input(dtype, shape) if in_steps else lib.placeholder(dtype, shape)


def _trained(lib: Any, loss: Any, optimizer: Any = None) -> list[Any]:
    return [(optimizer or lib.train.AdamOptimizer(0.001)).minimize(loss)]


def tiny(lib: Any) -> tuple[Built, list[Any]]:
    x = _input(lib, tf.float32, [None, 3])
    loss = tf.reduce_mean(tf.matmul(x, _weights(lib, "w", 3, 2)) ** 2)
    return ([x], loss, _trained(lib, loss, lib.train.GradientDescentOptimizer(0.1))), [np.ones([4, 3], np.float32)]


def mlp(lib: Any) -> tuple[Built, list[Any]]:
    x, y = _input(lib, tf.float32, [None, 784]), _input(lib, tf.int64, [None])
    hidden = tf.nn.relu(tf.matmul(x, _weights(lib, "w1", 784, 128)) + _weights(lib, "b1", 128))
    logits = tf.matmul(hidden, _weights(lib, "w2", 128, 10)) + _weights(lib, "b2", 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
    return ([x, y], loss, _trained(lib, loss)), [np.ones([64, 784], np.float32), np.arange(64) % 10]


def conv(lib: Any) -> tuple[Built, list[Any]]:
    x, y = _input(lib, tf.float32, [None, 28, 28, 1]), _input(lib, tf.int64, [None])
    t = tf.nn.relu(tf.nn.conv2d(x, _weights(lib, "k1", 5, 5, 1, 16), 2, "SAME"))
    t = tf.nn.relu(tf.nn.conv2d(t, _weights(lib, "k2", 5, 5, 16, 32), 2, "SAME"))
    logits = tf.matmul(tf.reshape(t, [-1, 7 * 7 * 32]), _weights(lib, "w", 7 * 7 * 32, 10))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
    return ([x, y], loss, _trained(lib, loss)), [np.ones([32, 28, 28, 1], np.float32), np.arange(32) % 10]


def lstm(lib: Any) -> tuple[Built, list[Any]]:
    x = _input(lib, tf.float32, [16, 20, 32])
    kernel, bias = _weights(lib, "kernel", 96, 256), _weights(lib, "bias", 256)
    c = h = tf.zeros([16, 64])
    for part in tf.unstack(x, axis=1):
        i, j, f, o = tf.split(tf.matmul(tf.concat([part, h], 1), kernel) + bias, 4, 1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
    loss = tf.reduce_mean(h**2)
    return ([x], loss, _trained(lib, loss)), [np.ones([16, 20, 32], np.float32)]


def dcgan(lib: Any) -> tuple[Built, list[Any]]:
    z, real = _input(lib, tf.float32, [None, 32]), _input(lib, tf.float32, [None, 16, 16, 3])
    t = tf.nn.relu(tf.reshape(tf.matmul(z, _weights(lib, "g/w", 32, 4 * 4 * 32)), [-1, 4, 4, 32]))
    t = tf.nn.relu(tf.nn.conv2d_transpose(t, _weights(lib, "g/k1", 5, 5, 16, 32), [16, 8, 8, 16], 2))
    fake = tf.tanh(tf.nn.conv2d_transpose(t, _weights(lib, "g/k2", 5, 5, 3, 16), [16, 16, 16, 3], 2))
    kernels = _weights(lib, "d/k1", 5, 5, 3, 16), _weights(lib, "d/k2", 5, 5, 16, 32), _weights(lib, "d/w", 512, 1)

    def judge(image: Any) -> Any:
        t = tf.nn.leaky_relu(tf.nn.conv2d(image, kernels[0], 2, "SAME"))
        t = tf.nn.leaky_relu(tf.nn.conv2d(t, kernels[1], 2, "SAME"))
        return tf.matmul(tf.reshape(t, [-1, 512]), kernels[2])

    real_logits, fake_logits = judge(real), judge(fake)
    cross = tf.nn.sigmoid_cross_entropy_with_logits
    d_loss = tf.reduce_mean(cross(tf.ones_like(real_logits), real_logits))
    d_loss += tf.reduce_mean(cross(tf.zeros_like(fake_logits), fake_logits))
    updates = [lib.train.AdamOptimizer(0.0002, beta1=0.5).minimize(d_loss, var_list=list(kernels))]
    return ([z, real], d_loss, updates), [np.ones([16, 32], np.float32), np.ones([16, 16, 16, 3], np.float32)]


def embeddings(lib: Any) -> tuple[Built, list[Any]]:
    words, labels = _input(lib, tf.int32, [None]), _input(lib, tf.float32, [None])
    table = _weights(lib, "table", 20_000, 64)
    score = tf.reduce_sum(tf.nn.embedding_lookup(table, words) * _weights(lib, "w", 64), 1)
    loss = tf.reduce_mean((score - labels) ** 2)
    updates = _trained(lib, loss, lib.train.AdagradOptimizer(0.1))
    return ([words, labels], loss, updates), [np.arange(128, dtype=np.int32) * 7, np.ones([128], np.float32)]


def step_of(network: Callable[[Any], Any]) -> Callable[[], Any]:
    with compat.VariableStore(), compat.building():
        (inputs, loss, updates), values = network(compat)
    step = compat.step(loss, *inputs, updates=updates)
    return lambda: step(*values)


def bridge_of(network: Callable[[Any], Any]) -> Callable[[], Any]:
    with compat.Graph().as_default():
        return _run_of(network, compat)


def session_of(network: Callable[[Any], Any]) -> Callable[[], Any]:
    with tf.Graph().as_default():
        return _run_of(network, v1)


def _run_of(network: Callable[[Any], Any], lib: Any) -> Callable[[], Any]:
    (inputs, loss, updates), values = network(lib)
    session = lib.Session()
    session.run(lib.global_variables_initializer())
    feed = dict(zip(inputs, values, strict=True))
    return lambda: session.run([loss, *updates], feed)[0]


def _first(make: Callable[[Callable[[Any], Any]], Callable[[], Any]], network: Any) -> tuple[float, Callable[[], Any]]:
    start = time.process_time()
    call = make(network)
    call()
    return time.process_time() - start, call


def _time(call: Callable[[], Any], number: int) -> float:
    start = time.perf_counter()
    for _ in range(number):
        call()
    return (time.perf_counter() - start) / number


FORMS = {"step": step_of, "bridge": bridge_of, "session": session_of}


def compare(network: Callable[[Any], Any]) -> None:
    """Prints the times of a network in each form, and their ratios to a session's."""
    # The fastest of three: the first of them in a process meets what no form has to do twice.
    firsts = {form: min(_first(make, network)[0] for _ in range(3)) for form, make in FORMS.items()}
    calls = {form: _first(make, network)[1] for form, make in FORMS.items()}
    number = max(5, int(0.05 / _time(calls["session"], 5)))
    rounds = [{form: _time(call, number) for form, call in calls.items()} for _ in range(ROUNDS)]
    print(f"{network.__name__:12} session {min(each['session'] for each in rounds) * 1e3:7.3f} ms", end="")
    for form in ("step", "bridge"):
        ratio = statistics.median(each[form] / each["session"] for each in rounds)
        fastest = min(each[form] for each in rounds) / min(each["session"] for each in rounds)
        print(f"; {form} ratio {ratio:.2f}, of the fastest {fastest:.2f}", end="")
    print(f"; built and first call {firsts['session']:.2f} CPU s", end="")
    for form in ("step", "bridge"):
        print(f", {form} ratio {firsts[form] / firsts['session']:.2f}", end="")
    print(flush=True)


def main(names: list[str]) -> None:
    """Prints a line for each network, and for each program in the form of moved statements."""
    for network in (tiny, mlp, conv, lstm, dcgan, embeddings):
        if not names or network.__name__ in names:
            compare(network)
    if not names:
        native_speed.main()


if __name__ == "__main__":
    main(sys.argv[1:])
