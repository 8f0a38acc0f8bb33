"""Runs the cases of layer_cases.py with compat, in each way it can be used, and compares with TF 1.15.5's goldens."""

from __future__ import annotations

import functools
import pathlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.goldens.half_precision import bound
from tests.goldens.replay_rnn import TF1

Arrays = dict[str, np.ndarray]
MODES = ("eager", "function", "bridge")
PRECISIONS = ("float16", "float64")
HERE = pathlib.Path(__file__).parent


@functools.cache
def goldens(cases: ModuleType) -> dict[str, np.ndarray]:
    """The arrays that make_layers.py kept for a module of cases."""
    with np.load(HERE / (cases.__name__.rpartition(".")[2].replace("_cases", "") + "s.npz")) as kept:
        return dict(kept)


def check(cases: ModuleType, case: Any, mode: str, rtol: float = 1.3e-6, atol: float = 1e-5) -> None:
    """Runs one case in one mode and compares everything that was kept."""
    kept = goldens(cases)
    prefix = case.__name__ + "/"
    expected = {key[len(prefix) :]: kept[key] for key in kept if key.startswith(prefix)}
    expected = {key: value for key, value in expected.items() if not key.startswith(PRECISIONS)}
    weighting = cases.value_for("weighting", expected["output"].shape)
    got = {"eager": _eagerly, "function": _in_function, "bridge": _under_bridge}[mode](cases, case, weighting)
    assert list(got["names"]) == list(expected["names"])
    assert list(got["trainable"]) == list(expected["trainable"])
    assert sorted(got) == sorted(expected)
    for key, value in expected.items():
        if value.dtype.kind != "U":
            np.testing.assert_allclose(got[key], value, rtol=rtol, atol=atol, err_msg=f"{case.__name__}/{key}")


def check_precision(cases: ModuleType, case: Any, dtype: str) -> None:
    """Compares the output and the gradient of the input for another precision."""
    given = tf.constant(cases.distinct(cases.input_for(case)).astype(dtype))
    store = compat.VariableStore()
    with store:
        case(TF1, given)
    _load(cases, store.variables)
    with store, tf.GradientTape() as tape:
        tape.watch(given)
        output = case(TF1, given)
        square = output * output
    gradient = tape.gradient(square, given)
    kept = goldens(cases)
    for name, value in (("output", output), ("gradient", given if gradient is None else gradient)):
        assert value.dtype == dtype
        expected = kept[f"{case.__name__}/{dtype}/{name}"]
        wide = kept.get(f"{case.__name__}/float64/{name}")
        rtol, atol = (0.0, bound(expected, wide)) if dtype == "float16" else (1e-6, 1e-7)
        np.testing.assert_allclose(value, expected, rtol=rtol, atol=atol, err_msg=name)


def check_saved(cases: ModuleType, case: Any, path: str) -> None:
    """Saves the variables by their names, and loads them into a store that was built anew."""
    given = tf.constant(cases.input_for(case))
    first, second = compat.VariableStore(), compat.VariableStore()
    for store in (first, second):
        store.build(case, TF1, given)
    if not first.variables:
        return
    _load(cases, first.variables)
    saved = compat.train.Saver(first).save(None, path)
    names = [name for name, _ in tf.train.list_variables(saved)]
    assert names == sorted(variable.name[:-2] for variable in first.variables)
    compat.train.Saver(second).restore(None, saved)
    for one, other in zip(first.variables, second.variables, strict=True):
        np.testing.assert_array_equal(one, other)


def _eagerly(cases: ModuleType, case: Any, weighting: np.ndarray) -> Arrays:
    store = compat.VariableStore()
    given = tf.constant(cases.input_for(case))
    with store:
        case(TF1, given)
    _load(cases, store.variables)
    with store, tf.GradientTape() as tape:
        if given.dtype.is_floating:
            tape.watch(given)
        output = case(TF1, given)
        loss = tf.reduce_sum(output * weighting)
        losses = compat.get_collection(compat.GraphKeys.REGULARIZATION_LOSSES)
        updated = bool(compat.get_collection(compat.GraphKeys.UPDATE_OPS))
        trained = compat.trainable_variables()
    gradients = tape.gradient(loss, [given, *trained])
    return _kept(store.variables, trained, given.dtype, output, gradients, losses, updated)


def _in_function(cases: ModuleType, case: Any, weighting: np.ndarray) -> Arrays:
    """In a function that does not know the size of the batch beforehand."""
    store = compat.VariableStore()
    array = cases.input_for(case)
    seen: dict[str, Any] = {}

    def step(x: tf.Tensor) -> Any:
        with store, tf.GradientTape() as tape:
            tape.watch(x)
            output = case(TF1, x)
            loss = tf.reduce_sum(output * weighting)
            losses = compat.get_collection(compat.GraphKeys.REGULARIZATION_LOSSES)
            seen["updated"] = bool(compat.get_collection(compat.GraphKeys.UPDATE_OPS))
            seen["trained"] = compat.trainable_variables()
        gradients = tape.gradient(loss, [x, *seen["trained"]])
        seen["reached"] = [each is not None for each in gradients]
        return output, [tf.convert_to_tensor(each) for each in gradients if each is not None], losses

    store.build(case, TF1, tf.zeros(array.shape, array.dtype))
    _load(cases, store.variables)
    unknown = tf.TensorSpec([None, *array.shape[1:]], array.dtype)
    output, present, losses = tf.function(step, input_signature=[unknown], autograph=False)(tf.constant(array))
    remaining = iter(present)
    gradients = [next(remaining) if reached else None for reached in seen["reached"]]
    return _kept(store.variables, seen["trained"], tf.as_dtype(array.dtype), output, gradients, losses, seen["updated"])


def _under_bridge(cases: ModuleType, case: Any, weighting: np.ndarray) -> Arrays:
    array = cases.input_for(case)
    with compat.Graph().as_default(), compat.Session() as session:
        x = compat.placeholder(tf.as_dtype(array.dtype), (None, *array.shape[1:]))
        output = case(TF1, x)
        variables = compat.global_variables()
        trained = compat.trainable_variables()
        session.run(compat.global_variables_initializer())
        _load(cases, variables)
        feed = {x: array}
        value = session.run(output, feed)
        loss = tf.reduce_sum(output * weighting)
        sources = ([x] if x.dtype.is_floating else []) + trained
        gradients = compat.gradients(loss, sources)
        fetched = [None if each is None else session.run(tf.convert_to_tensor(each), feed) for each in gradients]
        losses = session.run(compat.get_collection(compat.GraphKeys.REGULARIZATION_LOSSES), feed)
        updates = compat.get_collection(compat.GraphKeys.UPDATE_OPS)
        session.run(updates, feed)
        padded = fetched if x.dtype.is_floating else [None, *fetched]
        return _kept(variables, trained, x.dtype, value, padded, losses, bool(updates))


def _load(cases: ModuleType, variables: Any) -> None:
    with tf.init_scope():
        for variable in variables:
            variable.assign(cases.value_for(variable.name[:-2], variable.shape.as_list()))


def _kept(
    variables: Any, trained: Any, dtype: tf.DType, output: Any, gradients: Any, losses: Any, updated: bool
) -> Arrays:
    kept = {"output": np.asarray(output), "losses": np.array(losses, np.float32)}
    kept["names"] = np.array([variable.name for variable in variables], "U")
    kept["trainable"] = np.array([variable.name for variable in trained], "U")
    names = ["input", *(variable.name for variable in trained)]
    for name, gradient in zip(names, gradients, strict=True):
        if gradient is not None and (name != "input" or dtype.is_floating):
            dense = tf.convert_to_tensor(gradient) if isinstance(gradient, tf.IndexedSlices) else gradient
            kept["gradient/" + name] = np.asarray(dense)
    if updated:
        kept.update({"after/" + variable.name: variable.numpy() for variable in variables})
    return kept


def parametrize(cases: ModuleType) -> Any:
    """Marks a test to run for every case of a module in every mode."""
    rows = [
        pytest.param(case, mode, id=f"{case.__name__}-{mode}")
        for case in cases.CASES
        for mode in (MODES[2:] if case in cases.BRIDGE_ONLY else MODES)
    ]
    return pytest.mark.parametrize(("case", "mode"), rows)


def parametrize_precisions(cases: ModuleType) -> Any:
    """Marks a test to run for every case in every other precision in which TF 1.15.5 computed it."""
    kept = goldens(cases)
    rows = [
        pytest.param(case, dtype, id=f"{case.__name__}-{dtype}")
        for case in cases.CASES
        for dtype in PRECISIONS
        if f"{case.__name__}/{dtype}/output" in kept
    ]
    return pytest.mark.parametrize(("case", "dtype"), rows)
