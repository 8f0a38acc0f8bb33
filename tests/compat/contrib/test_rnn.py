"""The cells of `compat.contrib.rnn` give TF 1.15.5's values, gradients and names."""

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.contrib import rnn
from tests.goldens.replay_rnn import Family

FAMILY = Family("contrib_rnn")
PEEPHOLE = "lstm_block_peephole"
"""TensorFlow's kernel for GPUs has other gradients of it than that for CPUs, by two in a hundred."""


@pytest.mark.parametrize(("name", "mode"), FAMILY.cases())
def test_program_agrees_with_tf1(name, mode, request):
    if name == PEEPHOLE:
        request.getfixturevalue("cpu")
    FAMILY.check(name, mode)


@pytest.mark.usefixtures("at_length")
@pytest.mark.parametrize(("name", "mode"), FAMILY.further_cases())
def test_program_agrees_with_tf1_in_every_mode(name, mode, request):
    if name == PEEPHOLE:
        request.getfixturevalue("cpu")
    FAMILY.check(name, mode)


@pytest.mark.parametrize(("name", "dtype"), FAMILY.precise_cases())
def test_precision_agrees_with_tf1(name, dtype, request):
    if dtype == "float16":
        request.getfixturevalue("cpu")  # How far it may be off was measured there.
    FAMILY.check_precision(name, dtype)


@pytest.mark.parametrize("in_function", [False, True])
def test_a_compiled_cell_gives_what_the_cell_gives(in_function):
    store = compat.VariableStore()
    cell = rnn.GRUCell(3)
    x = tf.constant(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))

    def run(wrapped):
        with store:
            return wrapped(x, wrapped.zero_state(2, tf.float32))[0]

    expected = run(cell)
    call = tf.function(run, autograph=False) if in_function else run
    np.testing.assert_allclose(call(rnn.CompiledWrapper(cell)), expected, rtol=1e-5)


def test_dropout_of_the_candidate_leaves_the_rest():
    x = tf.ones([2, 4])
    with compat.VariableStore() as store:
        kept = rnn.LayerNormBasicLSTMCell(400, layer_norm=False)
        state = kept.zero_state(2, tf.float32)
        _, full = kept(x, state)
        dropping = rnn.LayerNormBasicLSTMCell(400, layer_norm=False, dropout_keep_prob=0.25, reuse=True)
        _, dropped = dropping(x, state, scope="layer_norm_basic_lstm_cell")
    assert len(store.variables) == 2
    ratio = (dropped.c / full.c).numpy()
    np.testing.assert_allclose(ratio[ratio != 0], 4.0, rtol=1e-5)
    assert 0.6 < np.mean(ratio == 0) < 0.9


@pytest.mark.parametrize(
    ("error", "message", "wrong"),
    [
        (ValueError, "Exactly one of", lambda: rnn.GRUBlockCell()),
        (ValueError, "cell_size 3 vs 2", lambda: rnn.GRUBlockCell(3)(tf.ones([2, 4]), tf.ones([2, 2]))),
        (ValueError, "Either initial_state or dtype", lambda: rnn.LSTMBlockFusedCell(3)(tf.ones([5, 2, 4]))),
        (ValueError, "divisible by number_of_groups", lambda: rnn.GLSTMCell(3, number_of_groups=2)),
        (ValueError, "Invalid input_shape", lambda: rnn.ConvLSTMCell(2, [3, 1], 2, [2, 2])),
        (ValueError, "Must specify num_frequency_blocks", lambda: rnn.GridLSTMCell(3)),
        (
            ValueError,
            "input size == output size",
            lambda: rnn.IntersectionRNNCell(3)(tf.ones([2, 4]), tf.ones([2, 3])),
        ),
        (ValueError, "same depth", lambda: rnn.stack_bidirectional_rnn([rnn.GRUCell(2)], [rnn.GRUCell(2)] * 2, [])),
        (ValueError, "Too many shards", lambda: _coupled_with_too_many_shards()),
    ],
)
def test_wrong_use_raises(error, message, wrong):
    with compat.VariableStore(), pytest.raises(error, match=message):
        wrong()


def _coupled_with_too_many_shards():
    cell = rnn.CoupledInputForgetGateLSTMCell(2, num_unit_shards=9)
    return cell(tf.ones([2, 4]), cell.zero_state(2, tf.float32))
