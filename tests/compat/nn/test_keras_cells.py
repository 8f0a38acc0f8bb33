"""Keras's `SimpleRNNCell` under `dynamic_rnn` gives TF 1.15.5's values and names, natively and under the bridge."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import compat

X = np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 12
# What TensorFlow 1.15.5 computes with the weights that `_fill` sets.
OUTPUTS = [
    [[-0.749679, 0.995812], [0.579798, 0.999937], [0.0, 0.0]],
    [[-0.863147, 0.997848], [0.417225, 0.999968], [-0.737527, 0.999975]],
]
STATE = [[0.579798, 0.999937], [-0.737527, 0.999975]]
MORE = [
    [[0.548458, 0.58257], [0.834232, 0.989773], [0.941253, 0.999534]],
    [[0.702893, 0.935031], [0.960286, 0.999853], [0.965935, 0.999962]],
]
NAMES = [
    "one/rnn/while/simple_rnn_cell/kernel:0",
    "one/rnn/while/simple_rnn_cell/recurrent_kernel:0",
    "one/rnn/while/simple_rnn_cell/bias:0",
    "rnn/while/simple_rnn_cell_1/kernel:0",
    "rnn/while/simple_rnn_cell_1/recurrent_kernel:0",
]


def _fill(variables):
    """First values, in the order in which TensorFlow 1.15.5 made the variables: the kernels, then the bias."""
    for index, name in enumerate(NAMES):
        (variable,) = (variable for variable in variables if variable.name == name)
        values = np.linspace(-1, 1 + index, int(np.prod(variable.shape)))
        variable.assign(values.reshape(variable.shape).astype(np.float32))


def _build(cells):
    with compat.variable_scope("one"):
        outputs, state = compat.nn.dynamic_rnn(cells[0], tf.constant(X), sequence_length=[2, 3], dtype=tf.float32)
    more, _ = compat.nn.dynamic_rnn(cells[1], tf.constant(X), dtype=tf.float32)
    return outputs, state, more


def _check(results):
    for result, expected in zip(results, (OUTPUTS, STATE, MORE), strict=True):
        np.testing.assert_allclose(result, expected, rtol=0, atol=2e-6)


def _own_cells():
    first = compat.nn.rnn_cell.KerasSimpleRNNCell(2)
    second = compat.nn.rnn_cell.KerasSimpleRNNCell(2, "sigmoid", use_bias=False, name="simple_rnn_cell_1")
    return first, second


@pytest.mark.parametrize("eager", [True, False])
def test_own_cells(eager):
    store = compat.VariableStore()

    def run():
        with store:
            return _build(_own_cells())

    run = run if eager else tf.function(run)
    run()
    assert sorted(variable.name for variable in store.variables) == sorted(NAMES)
    _fill(store.variables)
    _check(run())


def test_cells_of_keras_under_the_bridge():
    cells = (
        tf.keras.layers.SimpleRNNCell(2, name="simple_rnn_cell"),
        tf.keras.layers.SimpleRNNCell(2, activation="sigmoid", use_bias=False, name="simple_rnn_cell_1"),
    )
    with compat.Graph().as_default():
        results = _build(cells)
        variables = compat.trainable_variables()
        with compat.Session() as sess:
            sess.run(compat.global_variables_initializer())
            with tf.init_scope():
                _fill(variables)
            _check(sess.run(results))


def test_a_cell_that_is_used_again_shares_its_weights():
    store, cell = compat.VariableStore(), compat.nn.rnn_cell.KerasSimpleRNNCell(2)
    with store:
        first, _ = compat.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32)
        second, _ = compat.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32, scope="again")
    assert len(store.variables) == 3
    np.testing.assert_array_equal(first, second)


def _with_dropout(units):
    return tf.keras.layers.SimpleRNNCell(units, dropout=0.5)


@pytest.mark.parametrize(
    "cell",
    [
        tf.keras.layers.GRUCell,
        tf.keras.layers.LSTMCell,
        compat.keras.layers.GRUCell,
        compat.keras.layers.LSTMCell,
        _with_dropout,
    ],
)
def test_cells_that_tf1_made_another_way(cell):
    with compat.VariableStore(), pytest.raises(TypeError, match="Keras cell"):
        compat.nn.dynamic_rnn(cell(2), tf.constant(X), dtype=tf.float32)


def test_unknown_words():
    with pytest.raises(ValueError, match="initializer: no_such"):
        compat.nn.rnn_cell.KerasSimpleRNNCell(2, kernel_initializer="no_such")
    with pytest.raises(ValueError, match="no_such"):
        compat.nn.rnn_cell.KerasSimpleRNNCell(2, "no_such")
