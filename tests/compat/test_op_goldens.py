"""Losses, metrics and functions against TF 1.15.5: eagerly, in a `tf.function`, and under the bridge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.goldens import op_cases as cases

GOLDENS = Path(__file__).resolve().parent.parent / "goldens"

EXPECTED = np.load(GOLDENS / "ops.npz")
PURE = [("LOSSES", name) for name in cases.LOSSES] + [("FUNCTIONS", name) for name in cases.FUNCTIONS]
# exp, log and reductions differ in the last units between the two TensorFlows.
RTOL, ATOL = 1.3e-6, 1e-5
# A random op of its own seed starts its sequence in each program, but eager ones go on from the call before.
ONLY_IN_GRAPHS = {"random_seeded", "contrib_alpha_dropout_seeded"}


def _check(group: str, name: str, result: Any) -> None:
    for position, value in enumerate(tf.nest.flatten(result)):
        expected = EXPECTED[f"{group}/{name}/{position}"]
        found = np.asarray(value)
        if expected.dtype.kind == "U":
            assert found.astype("U").tolist() == expected.tolist()
            continue
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, RTOL, ATOL)


@pytest.mark.parametrize(("group", "name"), PURE)
def test_eager(group: str, name: str) -> None:
    if name in ONLY_IN_GRAPHS:
        pytest.skip("has no sequence of its own eagerly")
    result = getattr(cases, group)[name](compat, tf)
    _check(group, name, tf.nest.map_structure(lambda part: part.numpy(), result))


@pytest.mark.parametrize(("group", "name"), PURE)
def test_function(group: str, name: str, request: pytest.FixtureRequest) -> None:
    if name == "random_seeded":
        request.getfixturevalue("cpu")  # A GPU draws categories by another method.
    result = tf.function(lambda: getattr(cases, group)[name](compat, tf))()
    _check(group, name, tf.nest.map_structure(lambda part: part.numpy(), result))


@pytest.mark.parametrize(("group", "name"), PURE)
def test_bridge(group: str, name: str, graph: Any) -> None:
    result = getattr(cases, group)[name](compat, tf)
    with compat.Session() as session:
        _check(group, name, session.run(result))


@pytest.mark.parametrize("name", list(cases.LOSSES))
def test_loss_is_collected_under_tf1s_name(name: str, graph: Any) -> None:
    loss = cases.LOSSES[name](compat, tf)
    assert compat.get_collection(compat.GraphKeys.LOSSES) == [loss]
    assert loss.name == str(EXPECTED[f"LOSSES/{name}/name"])


DIFFERENTIATED = [(name, "float32") for name in cases.GRADIENTS] + list(cases.PRECISIONS.items())


def _check_gradient(name: str, dtype: str, value: Any, gradient: Any) -> None:
    for what, found in (("value", value), ("gradient", gradient)):
        expected = EXPECTED[f"GRADIENTS/{name}/{dtype}/{what}"]
        found = np.asarray(found)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, RTOL, ATOL)


@pytest.mark.parametrize(("name", "dtype"), DIFFERENTIATED)
@pytest.mark.parametrize("traced", [False, True])
def test_gradient_natively(name: str, dtype: str, traced: bool) -> None:
    def step(x: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = cases.GRADIENTS[name](compat, tf, x)
        return value, tf.convert_to_tensor(tape.gradient(value, x))

    # A function whose rows are not known beforehand.
    function = tf.function(step, input_signature=[tf.TensorSpec([None, 3], dtype)]) if traced else step
    if traced and name == "resize":
        pytest.skip("its reshape needs the size")
    _check_gradient(name, dtype, *function(tf.constant(cases.X.astype(dtype))))


@pytest.mark.parametrize(("name", "dtype"), DIFFERENTIATED)
def test_gradient_under_the_bridge(name: str, dtype: str, graph: Any) -> None:
    x = compat.placeholder(dtype, [None, 3])
    value = cases.GRADIENTS[name](compat, tf, x)
    gradient = tf.convert_to_tensor(compat.gradients(value, x)[0])
    with compat.Session() as session:
        _check_gradient(name, dtype, *session.run([value, gradient], {x: cases.X}))


def _rows() -> Any:
    return zip(cases.TRUTH, cases.SCORES, cases.WEIGHTS, cases.RANKED, strict=True)


@pytest.mark.parametrize("name", list(cases.METRICS))
def test_metric_under_the_bridge(name: str, graph: Any) -> None:
    feeds = [
        compat.placeholder(tf.int64, [4]),
        compat.placeholder(tf.float32, [4]),
        compat.placeholder(tf.float32, [4]),
        compat.placeholder(tf.float32, [1, 4]),
    ]
    value, update = cases.METRICS[name](compat, tf, *feeds)
    with compat.Session() as session:
        session.run(compat.local_variables_initializer())
        updates = [session.run(update, dict(zip(feeds, row, strict=True))) for row in _rows()]
        np.testing.assert_allclose(updates, EXPECTED[f"METRICS/{name}/updates"], RTOL, ATOL)
        np.testing.assert_allclose(session.run(value), EXPECTED[f"METRICS/{name}/value"], RTOL, ATOL)
    names = sorted(variable.name for variable in compat.local_variables())
    assert names == EXPECTED[f"METRICS/{name}/names"].tolist()[1:]


@pytest.mark.parametrize("name", [name for name in cases.METRICS if f"METRICS/{name}/float64/value" in EXPECTED])
def test_metric_of_float64(name: str) -> None:
    with compat.VariableStore() as store:
        for row, expected in zip(_rows(), EXPECTED[f"METRICS/{name}/float64/updates"], strict=True):
            wide = [part.astype(np.float64) if part.dtype == np.float32 else part for part in row]
            with store:
                value, update = cases.METRICS[name](compat, tf, *map(tf.constant, wide))
            assert update.dtype.as_numpy_dtype == expected.dtype
            np.testing.assert_allclose(update, expected, RTOL, ATOL)
    expected = EXPECTED[f"METRICS/{name}/float64/value"]
    assert value.dtype.as_numpy_dtype == expected.dtype
    np.testing.assert_allclose(value, expected, RTOL, ATOL)


@pytest.mark.parametrize("name", list(cases.METRICS))
def test_metric_natively(name: str) -> None:
    store = compat.VariableStore()

    @tf.function
    def step(*row: tf.Tensor) -> Any:
        with store:
            return cases.METRICS[name](compat, tf, *row)

    results = [step(*map(tf.constant, row)) for row in _rows()]
    updates = [update.numpy() for _, update in results]
    np.testing.assert_allclose(updates, EXPECTED[f"METRICS/{name}/updates"], RTOL, ATOL)
    np.testing.assert_allclose(results[-1][0], EXPECTED[f"METRICS/{name}/value"], RTOL, ATOL)
