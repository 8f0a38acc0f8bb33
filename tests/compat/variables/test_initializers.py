"""Initializers give TF 1.15.5's values for a seed, natively and under the bridge."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import initializers
from tests import goldens
from tests.goldens import initializer_cases
from tests.goldens.replay_rnn import TF1

KEPT = np.load(pathlib.Path(next(iter(goldens.__path__))) / "initializers.npz")
each_case = pytest.mark.parametrize("name", initializer_cases.CASES)


def make(name: str) -> tf.Variable:
    builder, shape, dtype = initializer_cases.CASES[name]
    return TF1.get_variable("v", shape, dtype=getattr(tf, dtype), initializer=builder(TF1))


def check(name: str, value: np.ndarray) -> None:
    assert value.dtype == KEPT[name].dtype
    # The draws are the same bits; only the QR decomposition differs in its last units.
    tolerance = 2e-6 if name.startswith("orthogonal") else 1e-7
    np.testing.assert_allclose(value, KEPT[name], rtol=tolerance, atol=tolerance)


@each_case
@pytest.mark.usefixtures("cpu")
def test_natively(name: str) -> None:
    # Twice: a second variable with the same seed must begin the sequence again.
    for _ in range(2):
        with compat.VariableStore():
            check(name, make(name).numpy())


@each_case
@pytest.mark.usefixtures("cpu")
def test_under_the_bridge(name: str) -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        variable = make(name)
        session.run(variable.initializer)
        check(name, session.run(variable))


def test_a_part_is_scaled_as_the_whole_would_be() -> None:
    whole = initializers.variance_scaling_initializer(scale=3.0, distribution="uniform", seed=1)
    with compat.VariableStore(), compat.variable_scope("p", partitioner=compat.fixed_size_partitioner(50)):
        parts = list(compat.get_variable("w", [100, 4], initializer=whole))
    values = np.concatenate([part.numpy() for part in parts])
    limit = np.sqrt(3.0 * 3.0 / 100)
    assert 0.9 * limit < np.abs(values).max() <= limit


def test_configuration_makes_the_same_again() -> None:
    first = initializers.variance_scaling_initializer(2.0, "fan_out", seed=4)
    again = type(first).from_config(first.get_config())
    assert again.get_config() == first.get_config()
    assert initializers.constant_initializer([1.0], tf.float64).get_config() == {"value": [1.0], "dtype": "float64"}


@pytest.mark.parametrize(
    ("make_wrong", "message"),
    [
        (lambda: initializers.variance_scaling_initializer(0.0), "positive"),
        (lambda: initializers.variance_scaling_initializer(mode="fan"), "mode"),
        (lambda: initializers.variance_scaling_initializer(distribution="cauchy"), "distribution"),
        (lambda: initializers.random_normal_initializer(dtype=tf.int32), "floating"),
        (lambda: initializers.orthogonal_initializer()([3]), "two-dimensional"),
        (lambda: initializers.identity_initializer()([3]), "2D"),
        (lambda: initializers.constant_initializer([1, 2, 3])([2]), "Too many elements"),
    ],
)
def test_wrong_use(make_wrong: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_wrong()  # type: ignore[operator]


def test_constant_checks_its_shape_when_asked() -> None:
    with pytest.raises(TypeError, match="shape"):
        initializers.constant_initializer([1, 2], verify_shape=True)([3])
    with pytest.raises(TypeError, match="Invalid type"):
        initializers.constant_initializer(object())
