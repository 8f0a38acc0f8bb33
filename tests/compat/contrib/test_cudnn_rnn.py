"""cuDNN's layers without cuDNN: TF 1.15.5's names and shapes, and the numbers of its cells for any device."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.contrib import cudnn_rnn
from tests.goldens import cudnn_cases as cases

with np.load(Path(cases.__file__).with_name("cudnn.npz")) as kept:
    EXPECTED = dict(kept)
GRID = [(case, kind) for case in cases.CASES for kind in ("whole", "ended")]


def _layer(case: str, **options: Any) -> Any:
    kind, layers, direction = cases.CASES[case]
    return getattr(cudnn_rnn, kind)(layers, cases.UNITS, direction=direction, **options)


def _built(case: str) -> Any:
    layer = _layer(case)
    layer.build([None, None, cases.DEPTH])
    return layer


def _from_tf1(layer: Any, folder: Path, session: Any = None, names: Any = None) -> None:
    """Restores what a program of TF1's cells would have saved: no `opaque_kernel` among it."""
    with tf.init_scope():
        names_there = layer.saveable.names
        shapes = [part.shape for part in layer.saveable.values(tf.zeros(layer.kernel.shape))]
        tf.raw_ops.SaveV2(
            prefix=str(folder / "tf1"),
            tensor_names=names_there,
            shape_and_slices=[""] * len(shapes),
            tensors=[cases.value_for(name, shape) for name, shape in zip(names_there, shapes, strict=True)],
        )
    compat.train.Saver(names).restore(session, str(folder / "tf1"))


def _arguments(layer: Any, kind: str) -> dict[str, Any]:
    arrays = cases.initial_state(layer.num_layers, layer.num_dirs, 2 if layer.rnn_mode == "lstm" else 1)
    return {
        "initial_state": tuple(tf.constant(array) for array in arrays),
        "sequence_lengths": None if kind == "whole" else tf.constant(cases.LENGTHS),
    }


def _check(case: str, kind: str, values: Any) -> None:
    for position, value in enumerate(values):
        expected = EXPECTED[f"{case}/{kind}/{position}"]
        np.testing.assert_allclose(value, expected, rtol=1.3e-6, atol=1e-5, err_msg=str(position))


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize(("case", "kind"), GRID)
def test_natively(case: str, kind: str, traced: bool, tmp_path: Path) -> None:
    store = compat.VariableStore()
    with store:
        layer = _built(case)
    _from_tf1(layer, tmp_path, names=store)

    def step(x: tf.Tensor) -> Any:
        with store, tf.GradientTape() as tape:
            tape.watch(x)
            outputs, states = layer(x, **_arguments(layer, kind))
            total = tf.reduce_sum(outputs * outputs)
        return outputs, *states, tape.gradient(total, x)

    unknown = tf.TensorSpec([None, None, cases.DEPTH])
    call = tf.function(step, input_signature=[unknown]) if traced else step
    _check(case, kind, call(tf.constant(cases.X)))


@pytest.mark.parametrize(("case", "kind"), GRID)
def test_under_the_bridge(case: str, kind: str, graph: Any, tmp_path: Path) -> None:
    layer = _built(case)
    x = compat.placeholder(tf.float32, [None, None, cases.DEPTH])
    outputs, states = layer(x, **_arguments(layer, kind))
    gradient = compat.gradients(tf.reduce_sum(outputs * outputs), x)[0]
    with compat.Session() as session:
        _from_tf1(layer, tmp_path, session)
        _check(case, kind, session.run([outputs, *states, gradient], {x: cases.X}))


@pytest.fixture
def store() -> Iterator[compat.VariableStore]:
    with compat.VariableStore() as entered, compat.variable_scope("model"):
        yield entered


@pytest.mark.parametrize("how", ["called", "built"])
@pytest.mark.parametrize("case", list(cases.CASES))
def test_names_and_shapes(case: str, how: str, store: compat.VariableStore, tmp_path: Path) -> None:
    layer = _built(case) if how == "built" else _layer(case)
    layer(tf.constant(cases.X))
    expected = {part: EXPECTED[f"{case}/{how}/{part}"].tolist() for part in ("variables", "saved", "shapes", "biases")}
    assert [variable.name.removesuffix(":0") for variable in store.variables] == expected["variables"]
    assert layer.trainable_variables == [layer.kernel]
    assert [list(shape) for shape in layer.canonical_weight_shapes] == expected["shapes"]
    assert len(layer.canonical_bias_shapes) == expected["biases"]
    path = compat.train.Saver(store).save(None, str(tmp_path / "model"))
    assert [name for name, _ in tf.train.list_variables(path)] == sorted(expected["variables"] + expected["saved"])


@pytest.mark.parametrize("case", list(cases.CASES))
def test_save_and_restore_keep_what_it_computes(case: str, store: compat.VariableStore, tmp_path: Path) -> None:
    layer = _layer(case)
    expected, _ = layer(tf.constant(cases.X))
    saver = compat.train.Saver(store)
    path = saver.save(None, str(tmp_path / "model"))
    layer.kernel.assign(tf.zeros_like(layer.kernel))
    assert float(tf.reduce_max(tf.abs(layer(tf.constant(cases.X))[0]))) == 0.0
    saver.restore(None, path)
    np.testing.assert_allclose(layer(tf.constant(cases.X))[0], expected, atol=1e-6)


def test_cells_for_any_device_go_on_with_its_checkpoint(tmp_path: Path) -> None:
    lstm = compat.VariableStore()
    with lstm:
        layer = _built("lstm_stacked")
        expected, (h, c) = layer(tf.constant(cases.X))
    path = compat.train.Saver(lstm).save(None, str(tmp_path / "model"))
    with compat.VariableStore() as cells:
        stacked = compat.nn.rnn_cell.MultiRNNCell([cudnn_rnn.CudnnCompatibleLSTMCell(cases.UNITS) for _ in range(2)])
        outputs = [compat.nn.dynamic_rnn(stacked, tf.constant(cases.X), dtype=tf.float32, time_major=True, scope="rnn")]
    compat.train.Saver(cells).restore(None, path)
    with cells:
        outputs, states = compat.nn.dynamic_rnn(stacked, tf.constant(cases.X), dtype=tf.float32, time_major=True)
    np.testing.assert_allclose(outputs, expected, atol=1e-6)
    np.testing.assert_allclose([state.h for state in states], h, atol=1e-6)
    np.testing.assert_allclose([state.c for state in states], c, atol=1e-6)


def test_training_moves_both_biases_of_a_gate(store: compat.VariableStore) -> None:
    layer = _layer("gru")
    layer(tf.constant(cases.X))
    layer.kernel.assign(cases.value_for("kernel", layer.kernel.shape))
    before = layer.saveable.values(layer.kernel.read_value())
    optimizer = compat.train.GradientDescentOptimizer(0.5)
    optimizer.minimize(lambda: tf.reduce_sum(layer(tf.constant(cases.X))[0]), var_list=[layer.kernel])
    after = layer.saveable.values(layer.kernel.read_value())
    assert all(np.abs(one - other).max() > 0 for one, other in zip(before, after, strict=True))
    # A checkpoint knows their sum only; halved and added again it is the same.
    again = layer.saveable.values(layer.saveable.value(after))
    for one, other in zip(after, again, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("dtype", [tf.float16, tf.float64])
def test_other_types_and_batch_first(dtype: tf.DType, store: compat.VariableStore) -> None:
    layer = _layer("lstm_both_ways", dtype=dtype)
    first = np.swapaxes(cases.X, 0, 1)
    outputs, states = layer(tf.constant(first, dtype), time_major=False)
    again, turned = layer(tf.constant(cases.X, dtype))
    assert outputs.dtype == dtype and outputs.shape == [cases.BATCH, cases.TIME, 2 * cases.UNITS]
    np.testing.assert_array_equal(np.swapaxes(outputs, 0, 1), again)
    np.testing.assert_array_equal(np.swapaxes(states[0], 0, 1), turned[0])


def test_dropout_is_between_the_layers_in_training_only(store: compat.VariableStore) -> None:
    one = cudnn_rnn.CudnnLSTM(1, cases.UNITS, dropout=0.9)
    np.testing.assert_array_equal(one(tf.constant(cases.X))[0], one(tf.constant(cases.X), training=False)[0])
    two = cudnn_rnn.CudnnLSTM(2, cases.UNITS, dropout=0.9, seed=3)
    expected = two(tf.constant(cases.X), training=False)[0]
    assert np.abs(two(tf.constant(cases.X))[0] - expected).max() > 1e-3
    np.testing.assert_array_equal(two(tf.constant(cases.X), training=False)[0], expected)


def test_wrong_use(store: compat.VariableStore) -> None:
    with pytest.raises(ValueError, match="Invalid direction: sideways"):
        cudnn_rnn.CudnnGRU(1, 3, direction="sideways")
    with pytest.raises(ValueError, match="Invalid input_mode: none"):
        cudnn_rnn.CudnnGRU(1, 3, input_mode="none")
    with pytest.raises(ValueError, match="Only support float16, float32, float64"):
        cudnn_rnn.CudnnGRU(1, 3, dtype=tf.int32)
    with pytest.raises(NotImplementedError, match="no matrices on its inputs"):
        cudnn_rnn.CudnnLSTM(1, cases.DEPTH, input_mode="auto_select")(tf.constant(cases.X))
    with pytest.raises(ValueError, match="3 dims"):
        cudnn_rnn.CudnnLSTM(1, 3).build([2, 3])
    with pytest.raises(ValueError, match="last dimension"):
        cudnn_rnn.CudnnLSTM(1, 3).build([None, None, None])
    with pytest.raises(RuntimeError, match="before input shape is known"):
        _ = cudnn_rnn.CudnnLSTM(1, 3).canonical_weight_shapes
    with pytest.raises(TypeError, match="expecting tuple"):
        _layer("gru")(tf.constant(cases.X), initial_state=[tf.zeros([2, 3, 3])])
