"""`assert_placement`: what really ran where, on two CPU devices and, where there is one, a GPU."""

from __future__ import annotations

import doctest
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.devices import placement, placements
from tests import warm

ROOT = Path(__file__).resolve().parents[3]
# Devices are laid out before TensorFlow starts, so in a process of its own.
TWO_DEVICES = """
import tensorflow as tf, compat
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)

@tf.function
def step(x):
    with tf.device("CPU:1"):
        y = tf.sin(x)
    y = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, tf.exp(a)), [0, y])[1]
    with tf.device("CPU:1"):
        return tf.cond(tf.reduce_sum(y) > 0.0, lambda: tf.abs(y), lambda: tf.negative(y))

def told(function, *args, no):
    try:
        compat.assert_placement(function, *args, no=no)
    except AssertionError as error:
        return sorted(line.split("(")[1].split(")")[0] for line in str(error).splitlines()[1:])

x = tf.constant([1.0])
step(x)  # what is compiled already is looked at all the same
print("first", [kind for kind in told(step, x, no="CPU:0") if kind in ("Sin", "Exp", "Abs", "Neg")])
print("second", [kind for kind in told(step, x, no="cpu:1") if kind in ("Sin", "Exp", "Abs", "Neg")])
with compat.Graph().as_default():
    p = compat.placeholder(tf.float32, [])
    with tf.device("/device:CPU:1"):
        q = tf.sin(p)
    r = tf.cumsum(tf.stack([q, q]))
    with compat.Session() as session:
        session.run(r, {p: 1.0})
        print("bridge", told(lambda: session.run(r, {p: 1.0}), no="CPU:1"), told(session.run, r, {p: 1.0}, no="CPU:0"))
def eager():
    with tf.device("CPU:1"):
        return tf.sin(x)
print("eager", told(eager, no="CPU:1"))
"""


def test_the_examples() -> None:
    assert doctest.testmod(placement).failed == 0


def test_two_devices() -> None:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), CUDA_VISIBLE_DEVICES="")
    done = warm.run([sys.executable, "-c", TWO_DEVICES], env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "first ['Exp']",
        "second ['Abs', 'Neg', 'Sin']",
        "bridge ['Sin'] ['Const', 'Cumsum', 'Pack']",
        "eager ['Sin']",
    ]


@pytest.mark.usefixtures("cpu")
def test_gives_the_result_and_lists_what_ran_wrong() -> None:
    @tf.function
    def step(x: Any, factor: float) -> Any:
        return tf.sin(x, name="wave") * factor

    assert compat.assert_placement(step, tf.constant(0.0), factor=2.0, no="GPU").numpy() == 0
    with pytest.raises(AssertionError) as caught:
        compat.assert_placement(step, tf.constant(0.0), factor=2.0, no="CPU", ignore=("Const", "Mul"))
    assert str(caught.value) == "ran on CPU:\n  wave (Sin) on /device:CPU:0"


@pytest.mark.usefixtures("cpu")
def test_looks_at_the_run_and_not_at_the_request() -> None:
    """The device asked for is not there (soft placement): what TF1's check of `node.device` could not see."""

    @tf.function
    def step(x: Any) -> Any:
        with tf.device("/gpu:0"):
            return tf.nn.max_pool2d(x, 2, 2, "VALID")

    images = tf.ones([1, 4, 4, 1], tf.uint8)
    requests = [op.device for op in step.get_concrete_function(images).graph.get_operations() if op.type == "MaxPool"]
    assert not any("CPU" in device for device in requests)
    with pytest.raises(AssertionError, match=r"MaxPool2d \(MaxPool\) on /device:CPU:0"):
        compat.assert_placement(step, images, no="CPU")


def test_functions_inside_functions() -> None:
    inner = tf.function(lambda x: tf.sin(x))
    outer = tf.function(lambda x: tf.cumsum(inner(x)))
    ran = [placed.type for placed in placements(outer, tf.constant([1.0]))]
    assert {"Sin", "Cumsum"} <= set(ran)


def test_a_keras_model() -> None:
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
    ran = {placed.type for placed in placements(model, np.ones((2, 4), np.float32))}
    assert "MatMul" in ran


def test_what_ran_before_is_not_listed() -> None:
    tf.function(lambda x: tf.cumsum(x))(tf.constant([1.0]))
    assert [placed.type for placed in placements(tf.function(lambda x: tf.sin(x)), tf.constant([1.0]))] == ["Sin"]


def test_nothing_ran() -> None:
    tf.sin(1.0)
    with pytest.raises(ValueError, match="no operation ran"):
        compat.assert_placement(lambda: 1, no="CPU")


def test_errors_of_the_function_come_out_and_recording_ends() -> None:
    def fails() -> None:
        raise KeyError("own")

    with pytest.raises(KeyError, match="own"):
        compat.assert_placement(fails, no="CPU")
    assert [placed.type for placed in placements(tf.sin, tf.constant(0.0))] == ["Sin"]


@pytest.mark.usefixtures("gpu")
def test_uint8_pooling_runs_on_the_cpu_of_a_gpu_machine() -> None:
    def pool(x: Any) -> Any:
        with tf.device("/gpu:0"):
            return tf.nn.max_pool2d(x, 2, 2, "VALID")

    with pytest.raises(AssertionError, match="MaxPool"):
        compat.assert_placement(tf.function(pool), tf.ones([1, 4, 4, 1], tf.uint8), no="CPU")
    compat.assert_placement(tf.function(pool), tf.ones([1, 4, 4, 1]), no="CPU", ignore=["Const"])
