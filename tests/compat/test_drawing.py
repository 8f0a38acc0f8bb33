"""Numbers drawn by a seed: each operation begins a sequence of its own, as in TensorFlow 1."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.random import first_draw

# What TensorFlow 1.15.5 gives: tf.truncated_normal([3], seed=11).
TRUNCATED = [1.40394282, -1.68962789, -0.21134049]


def test_each_call_begins_anew() -> None:
    first, second = (first_draw(tf.random.truncated_normal, [3], seed=11).numpy() for _ in range(2))
    assert first.tolist() == second.tolist()
    np.testing.assert_allclose(first, TRUNCATED, rtol=1e-6)


def test_operations_of_one_function_and_its_next_call() -> None:
    @tf.function
    def draw() -> tuple[tf.Tensor, tf.Tensor]:
        return first_draw(tf.random.normal, [2], seed=11), first_draw(tf.random.normal, [2], seed=11)

    once, again = draw(), draw()
    assert once[0].numpy().tolist() == once[1].numpy().tolist()
    assert once[0].numpy().tolist() != again[0].numpy().tolist()


@pytest.mark.parametrize(
    "initializer",
    [
        compat.random_uniform_initializer(seed=3),
        compat.random_normal_initializer(seed=3),
        compat.truncated_normal_initializer(seed=3),
        compat.glorot_uniform_initializer(seed=3),
        compat.variance_scaling_initializer(seed=3),
        compat.variance_scaling_initializer(distribution="untruncated_normal", seed=3),
        compat.uniform_unit_scaling_initializer(seed=3),
        compat.orthogonal_initializer(seed=3),
        compat.contrib.layers.xavier_initializer(seed=3),
        compat.contrib.layers.variance_scaling_initializer(seed=3),
    ],
    ids=lambda initializer: type(initializer).__name__,
)
def test_initializers_with_a_seed_begin_anew(initializer: object) -> None:
    assert callable(initializer)
    values = [initializer([4, 4]).numpy().tolist() for _ in range(2)]
    assert values[0] == values[1]


def test_initializers_without_a_seed_go_on() -> None:
    initializer = compat.random_normal_initializer()
    assert initializer([4]).numpy().tolist() != initializer([4]).numpy().tolist()
