"""Cells as objects: sizes, states, variables, sharing, and what wrong use raises."""

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.contrib.rnn import AttentionCellWrapper, EmbeddingWrapper, LSTMBlockCell, OutputProjectionWrapper
from compat.nn import dynamic_rnn, static_rnn
from compat.nn.rnn_cell import (
    BasicLSTMCell,
    BasicRNNCell,
    DropoutWrapper,
    GRUCell,
    LSTMCell,
    LSTMStateTuple,
    MultiRNNCell,
    ResidualWrapper,
    RNNCell,
)

X = tf.constant(np.linspace(-1, 1, 24, dtype=np.float32).reshape(2, 3, 4))


@pytest.fixture
def store():
    with compat.VariableStore() as entered:
        yield entered


def names(variables):
    return [variable.name for variable in variables]


def test_sizes(store):
    assert BasicLSTMCell(3).state_size == LSTMStateTuple(3, 3)
    assert BasicLSTMCell(3, state_is_tuple=False).state_size == 6
    assert LSTMCell(5, num_proj=2).state_size == (5, 2) and LSTMCell(5, num_proj=2).output_size == 2
    stack = MultiRNNCell([GRUCell(3), BasicLSTMCell(2)])
    assert stack.state_size == (3, LSTMStateTuple(2, 2)) and stack.output_size == 2
    assert MultiRNNCell([GRUCell(3), GRUCell(2)], state_is_tuple=False).state_size == 5


def test_zero_state_has_the_structure_of_the_sizes(store):
    state = MultiRNNCell([GRUCell(3), BasicLSTMCell(2)]).zero_state(4, tf.float64)
    assert isinstance(state[1], LSTMStateTuple) and state[1].dtype == tf.float64
    np.testing.assert_array_equal(state[0], np.zeros([4, 3]))
    np.testing.assert_array_equal(state[1].h, np.zeros([4, 2]))


def test_zero_state_of_an_unknown_batch_keeps_the_depth(graph):
    batch_size = compat.placeholder(tf.int32, [])
    state = BasicLSTMCell(3).zero_state(batch_size, tf.float32)
    assert state.c.shape.as_list() == [None, 3]
    with compat.Session() as session:
        assert session.run(state.h, {batch_size: 5}).shape == (5, 3)


def test_get_initial_state_takes_batch_and_dtype_from_inputs(store):
    cell = GRUCell(3)
    assert cell.get_initial_state(inputs=X[:, 0]).shape == (2, 3)
    with pytest.raises(ValueError, match="batch size from input tensor is different"):
        cell.get_initial_state(inputs=X[:, 0], batch_size=7)
    with pytest.raises(ValueError, match="dtype from input tensor is different"):
        cell.get_initial_state(inputs=X[:, 0], dtype=tf.float64)
    with pytest.raises(ValueError, match="cannot be None"):
        cell.get_initial_state(batch_size=2)


def test_the_state_of_the_graph_can_be_fed(graph):
    cell = MultiRNNCell([BasicLSTMCell(2), BasicLSTMCell(2)])
    first = cell.zero_state(2, tf.float32)
    _, last = dynamic_rnn(cell, X, initial_state=first)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        once = session.run(last)
        feed = {
            part: value
            for pair, values in zip(first, once, strict=True)
            for part, value in zip(pair, values, strict=True)
        }
        twice = session.run(last, feed)
        np.testing.assert_array_equal(session.run(last, {first: once})[0].c, twice[0].c)
    assert isinstance(once[1], LSTMStateTuple) and not np.allclose(once[1].h, twice[1].h)


def test_a_cell_knows_its_variables(store):
    cell = LSTMCell(3, use_peepholes=True, name="mine")
    assert not cell.built and cell.variables == []
    dynamic_rnn(cell, X, dtype=tf.float32)
    expected = ["kernel", "bias", "w_f_diag", "w_i_diag", "w_o_diag"]
    assert cell.built and names(cell.trainable_variables) == [f"rnn/mine/{name}:0" for name in expected]


def test_variables_made_by_get_variable_in_call_belong_to_the_cell(store):
    class Cell(RNNCell):
        state_size = output_size = 4

        def call(self, inputs, state):
            w = compat.get_variable("w", [4])
            fixed = compat.get_variable("fixed", [4], trainable=False)
            return inputs * w + fixed, state

    cell = Cell()
    dynamic_rnn(cell, X, dtype=tf.float32)
    assert names(cell.trainable_weights) == ["rnn/cell/w:0"]
    assert names(cell.non_trainable_weights) == ["rnn/cell/fixed:0"]


def test_a_stack_has_the_variables_of_its_cells(store):
    stack = MultiRNNCell([GRUCell(3), BasicRNNCell(2)])
    dynamic_rnn(stack, X, dtype=tf.float32)
    assert names(stack.variables)[-1] == "rnn/multi_rnn_cell/cell_1/basic_rnn_cell/bias:0"
    assert len(stack.trainable_variables) == 6
    stack.trainable = False
    assert stack.trainable_variables == [] and len(stack.non_trainable_variables) == 6


def test_two_cells_of_one_name_need_reuse(store):
    dynamic_rnn(GRUCell(3), X, dtype=tf.float32)
    with pytest.raises(ValueError, match=r"rnn/gru_cell/gates/kernel already exists"):
        dynamic_rnn(GRUCell(3), X, dtype=tf.float32)
    with compat.variable_scope("", reuse=True):
        dynamic_rnn(GRUCell(3), X, dtype=tf.float32)
    assert len(store.variables) == 4


def test_a_trace_finds_the_variables_of_another(store):
    cell = DropoutWrapper(BasicLSTMCell(3), output_keep_prob=1.0)

    @tf.function
    def run(x):
        with store:
            return dynamic_rnn(cell, x, dtype=tf.float32)[0]

    outputs = run(X)
    np.testing.assert_allclose(run(X[:1]), outputs[:1], rtol=1.3e-6, atol=1e-5)
    assert names(store.variables) == ["rnn/basic_lstm_cell/kernel:0", "rnn/basic_lstm_cell/bias:0"]


def test_static_shapes_are_kept(graph):
    x = compat.placeholder(tf.float32, [None, None, 4])
    outputs, state = dynamic_rnn(BasicLSTMCell(3), x, dtype=tf.float32)
    assert outputs.shape.as_list() == [None, None, 3] and state.h.shape.as_list() == [None, 3]
    fixed, _ = dynamic_rnn(GRUCell(3), compat.placeholder(tf.float32, [2, 5, 4]), dtype=tf.float32, scope="fixed")
    assert fixed.shape.as_list() == [2, 5, 3]


def test_no_time_step_gives_the_first_state(graph):
    x = compat.placeholder(tf.float32, [2, None, 4])
    outputs, state = dynamic_rnn(GRUCell(3), x, dtype=tf.float32)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        values = session.run([outputs, state], {x: np.zeros([2, 0, 4])})
    assert values[0].shape == (2, 0, 3)
    np.testing.assert_array_equal(values[1], np.zeros([2, 3]))


def test_lengths_of_another_batch_are_refused(graph):
    x = compat.placeholder(tf.float32, [None, 3, 4])
    lengths = compat.placeholder(tf.int32, [None])
    outputs, _ = dynamic_rnn(GRUCell(3), x, sequence_length=lengths, dtype=tf.float32)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="Expected shape for Tensor"):
            session.run(outputs, {x: np.zeros([2, 3, 4]), lengths: [1, 2, 3]})


@pytest.mark.parametrize(
    ("error", "message", "wrong"),
    [
        (TypeError, "is not an RNNCell", lambda: dynamic_rnn(object(), X, dtype=tf.float32)),
        (ValueError, "you must give a dtype", lambda: dynamic_rnn(GRUCell(3), X)),
        (ValueError, "must be a vector", lambda: dynamic_rnn(GRUCell(3), X, [[1, 2]], dtype=tf.float32)),
        (ValueError, "at least 3|least rank 3|rank at least", lambda: dynamic_rnn(GRUCell(3), X[0], dtype=tf.float32)),
        (TypeError, "inputs must be a sequence", lambda: static_rnn(GRUCell(3), X, dtype=tf.float32)),
        (ValueError, "must not be empty", lambda: static_rnn(GRUCell(3), [], dtype=tf.float32)),
        (ValueError, "floating point", lambda: GRUCell(3, dtype=tf.int32)),
        (ValueError, "floating point", lambda: BasicRNNCell(3)(X[:, 0], tf.zeros([2, 3], tf.int32))),
        (ValueError, "expected ndim=2, found ndim=3", lambda: GRUCell(3)(X, tf.zeros([2, 3]))),
        (ValueError, "Unknown activation", lambda: GRUCell(3, activation="no such")),
        (ValueError, "at least one cell", lambda: MultiRNNCell([])),
        (TypeError, "must be a list or tuple", lambda: MultiRNNCell(GRUCell(3))),
        (ValueError, "state_is_tuple", lambda: MultiRNNCell([BasicLSTMCell(3)], state_is_tuple=False)),
        (ValueError, "output_keep_prob must be between 0 and 1", lambda: DropoutWrapper(GRUCell(3), 1.0, 1.5)),
        (ValueError, "dtype must be provided", lambda: DropoutWrapper(GRUCell(3), variational_recurrent=True)),
        (TypeError, "is not an RNNCell", lambda: ResidualWrapper(lambda x, s: (x, s))),
        (ValueError, "not compatible|are incompatible", lambda: ResidualWrapper(GRUCell(3))(X[:, 0], tf.zeros([2, 3]))),
        (ValueError, "attn_length should be greater", lambda: AttentionCellWrapper(GRUCell(3), 0)),
        (ValueError, "must be > 0", lambda: EmbeddingWrapper(GRUCell(3), 0, 2)),
        (ValueError, "output_size must be > 0", lambda: OutputProjectionWrapper(GRUCell(3), 0)),
        (ValueError, "tuple with length 2", lambda: LSTMBlockCell(3)(X[:, 0], [X[:, 0, :3]])),
        (TypeError, "Inconsistent internal state", lambda: LSTMStateTuple(tf.zeros(1), tf.zeros(1, tf.int32)).dtype),
    ],
)
def test_wrong_use_raises(store, error, message, wrong):
    with pytest.raises(error, match=message):
        wrong()


def test_unknown_depth_is_refused(graph):
    with pytest.raises(ValueError, match="depth of inputs"):
        dynamic_rnn(GRUCell(3), compat.placeholder(tf.float32, [2, 5, None]), dtype=tf.float32)


def test_dropout_scales_what_it_keeps(store):
    class Ones(RNNCell):
        state_size = output_size = 1000

        def call(self, inputs, state):
            return tf.ones([2, 1000]), (state + 1)

    cell = DropoutWrapper(Ones(), output_keep_prob=tf.constant(0.25))
    outputs, state = cell(X[:, 0], cell.zero_state(2, tf.float32))
    assert set(np.unique(outputs)) == {0.0, 4.0} and 0.2 < np.mean(outputs.numpy() > 0) < 0.3
    np.testing.assert_array_equal(state, np.ones([2, 1000]))


def test_variational_dropout_drops_the_same_columns_at_every_step(store):
    cell = DropoutWrapper(BasicRNNCell(50), output_keep_prob=0.5, variational_recurrent=True, dtype=tf.float32)
    outputs, _ = dynamic_rnn(cell, X, dtype=tf.float32)
    dropped = outputs.numpy() == 0
    assert 5 < dropped[0, 0].sum() < 45
    np.testing.assert_array_equal(dropped, np.broadcast_to(dropped[:1, :1], dropped.shape))
