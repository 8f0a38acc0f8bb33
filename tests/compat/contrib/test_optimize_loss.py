"""``optimize_loss``: one step of each kind, its options, and its errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

layers = compat.contrib.layers


def run(steps: int = 1, **arguments: Any) -> tuple[float, float, int, list[str]]:
    """The variable of ``(w - 3)²`` after some steps, the last loss, the global step, the names of the variables."""
    with compat.Graph().as_default(), compat.Session() as session:
        weight = compat.get_variable("w", [], initializer=compat.zeros_initializer())
        step = compat.train.get_or_create_global_step()
        given = {"learning_rate": 0.25, "optimizer": "SGD", **arguments}
        train_op = layers.optimize_loss(tf.square(weight - 3.0), step, **given)
        session.run(compat.global_variables_initializer())
        losses = [session.run(train_op) for _ in range(steps)]
        names = [variable.name for variable in compat.global_variables()]
        return float(session.run(weight)), float(losses[-1]), int(session.run(step)), names


def test_gradient_descent() -> None:
    weight, loss, step, names = run(2)
    assert (weight, loss, step) == (2.25, 2.25, 2)
    assert names == ["w:0", "global_step:0", "OptimizeLoss/learning_rate:0"]


@pytest.mark.parametrize("name", layers.OPTIMIZER_CLS_NAMES)
def test_optimizers_by_name_move_towards_the_minimum(name: str) -> None:
    weight, _, step, _ = run(3, optimizer=name)
    assert 0.0 < weight < 6.0
    assert step == 3


def test_other_ways_to_name_an_optimizer() -> None:
    descent = compat.train.GradientDescentOptimizer
    for optimizer in (descent, lambda rate: descent(rate), descent(0.25)):
        assert run(optimizer=optimizer)[0] == 1.5
    assert run(optimizer=lambda: descent(0.25), learning_rate=None)[0] == 1.5


def test_options() -> None:
    assert run(clip_gradients=2.0)[0] == 0.5
    assert run(clip_gradients=lambda pairs: [(gradient * 0.0, variable) for gradient, variable in pairs])[0] == 0.0
    assert run(gradient_multipliers={"w:0": 0.5})[0] == 0.75
    assert run(learning_rate_decay_fn=lambda rate, step: rate * 2.0)[0] == 3.0
    assert run(increment_global_step=False)[2] == 0
    assert run(name="train")[3][-1] == "train/learning_rate:0"
    noisy = run(gradient_noise_scale=0.1)[0]
    assert noisy != 1.5
    np.testing.assert_allclose(noisy, 1.5, atol=0.25 * 0.2)


def test_update_ops_run_first() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        weight = compat.get_variable("w", [], initializer=compat.zeros_initializer())
        runs = compat.get_variable("runs", [], trainable=False, initializer=compat.zeros_initializer())
        compat.add_to_collection(compat.GraphKeys.UPDATE_OPS, compat.assign_add(runs, 1.0).op)
        train_op = layers.optimize_loss(tf.square(weight - 3.0), compat.train.get_or_create_global_step(), 0.1, "Adam")
        session.run(compat.global_variables_initializer())
        session.run(train_op)
        assert session.run(runs) == 1.0


def test_summaries() -> None:
    with compat.Graph().as_default():
        weight = compat.get_variable("w", [])
        loss = tf.square(weight - 3.0)
        layers.optimize_loss(loss, None, 0.1, "SGD", clip_gradients=1.0, summaries=layers.OPTIMIZER_SUMMARIES)
        tags = [each.op.name for each in compat.get_collection(compat.GraphKeys.SUMMARIES)]
    assert tags == [
        "OptimizeLoss/global_norm/gradient_norm",
        "OptimizeLoss/loss",
        "OptimizeLoss/gradients/w_0",
        "OptimizeLoss/gradient_norm/w_0",
        "OptimizeLoss/global_norm/clipped_gradient_norm",
    ]


def test_adaptive_clipping() -> None:
    clip = compat.contrib.slim.adaptive_clipping_fn(static_max_norm=1.0)
    weight, _, _, names = run(clip_gradients=clip)
    assert 0.0 < weight <= 0.25
    assert names[-2:] == ["OptimizeLoss/AdaptiveMaxNorm/mean:0", "OptimizeLoss/AdaptiveMaxNorm/sq_mean:0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"optimizer": "Odd"}, "Optimizer name should be one of"),
        ({"optimizer": 3}, "Unrecognized optimizer"),
        ({"optimizer": "SGD", "learning_rate": None}, "Learning rate is None"),
        ({"optimizer": lambda rate: None}, "should return subclass of Optimizer"),
        ({"learning_rate": "fast"}, "should be 0d Tensor or float"),
        ({"learning_rate": -0.5}, "Invalid learning_rate"),
        ({"summaries": ["odd"]}, "Summaries should be one of"),
        ({"clip_gradients": "much"}, "Unknown type"),
    ],
)
def test_wrong_use(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(**arguments)
