"""A call of the bridge against a `tf.compat.v1` session's run, on a tiny graph and on a real training step.

    python benchmarks/bridge_speed.py

Prints, for each graph, the time per call of both and their ratio, interleaved in one process.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

import compat

v1 = tf.compat.v1
ROUNDS = 15


def tiny_bridge() -> Callable[[], Any]:
    with compat.Graph().as_default():
        x = compat.placeholder(tf.float32, [None, 3])
        w = compat.get_variable("w", [3, 2])
        step, loss = _sgd(tf.matmul(x, w), w)
        return _runner(compat.Session(), [loss, step], x, np.ones([4, 3], np.float32), compat)


def tiny_session() -> Callable[[], Any]:
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 3])
        w = v1.get_variable("w", [3, 2], use_resource=True)
        step, loss = _sgd(tf.matmul(x, w), w)
        return _runner(v1.Session(), [loss, step], x, np.ones([4, 3], np.float32), v1)


def conv_bridge() -> Callable[[], Any]:
    with compat.Graph().as_default():
        x = compat.placeholder(tf.float32, [None, 28, 28, 1])
        step, loss = _conv_step(x, compat.get_variable)
        return _runner(compat.Session(), [loss, step], x, _images(), compat)


def conv_session() -> Callable[[], Any]:
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 28, 28, 1])
        step, loss = _conv_step(x, lambda *a: v1.get_variable(*a, use_resource=True))
        return _runner(v1.Session(), [loss, step], x, _images(), v1)


def _images() -> Any:
    return np.random.RandomState(0).rand(64, 28, 28, 1).astype(np.float32)


def _sgd(output: Any, *weights: Any) -> tuple[Any, Any]:
    loss = tf.reduce_mean(output**2)
    gradients = tf.gradients(loss, list(weights))
    updates = [
        tf.raw_ops.ResourceApplyGradientDescent(var=w.handle, alpha=0.01, delta=g)
        for w, g in zip(weights, gradients, strict=True)
    ]
    return tf.group(*updates), loss


def _conv_step(x: Any, get_variable: Callable[..., Any]) -> tuple[Any, Any]:
    first = get_variable("first", [5, 5, 1, 32])
    second = get_variable("second", [5, 5, 32, 64])
    dense = get_variable("dense", [7 * 7 * 64, 10])
    net = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, first, 1, "SAME")), 2, 2, "SAME")
    net = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(net, second, 1, "SAME")), 2, 2, "SAME")
    return _sgd(tf.matmul(tf.reshape(net, [-1, 7 * 7 * 64]), dense), first, second, dense)


def _runner(session: Any, fetches: Any, x: Any, value: Any, module: Any) -> Callable[[], Any]:
    session.run(module.global_variables_initializer())
    return lambda: session.run(fetches, {x: value})


def seconds_per_call(call: Callable[[], Any], calls: int) -> float:
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - begin) / calls


def compare(name: str, bridge: Callable[[], Any], session: Callable[[], Any], calls: int) -> None:
    for call in (bridge, session):
        seconds_per_call(call, max(3, calls // 10))
    pairs = [(seconds_per_call(bridge, calls), seconds_per_call(session, calls)) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(side) * 1e6 for side in zip(*pairs, strict=True))
    ratio = statistics.median(b / s for b, s in pairs)
    print(f"{name:<12} bridge {ours:9.1f} us   session {theirs:9.1f} us   ratio {ratio:.2f}")


def main() -> None:
    print(f"TensorFlow {tf.__version__}")
    compare("tiny graph", tiny_bridge(), tiny_session(), 500)
    compare("conv step", conv_bridge(), conv_session(), 4)


if __name__ == "__main__":
    main()
