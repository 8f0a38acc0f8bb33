"""`compat.contrib.seq2seq` gives TF 1.15.5's values, gradients and names."""

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.contrib import seq2seq
from compat.layers import Dense
from compat.nn.rnn_cell import GRUCell
from tests.goldens.replay_rnn import Family

FAMILY = Family("seq2seq")


@pytest.mark.parametrize(("name", "mode"), FAMILY.cases())
def test_program_agrees_with_tf1(name, mode, request):
    if name in ("sampled", "scheduled_embedding"):
        request.getfixturevalue("cpu")  # A GPU draws categories by another method.
    FAMILY.check(name, mode)


@pytest.mark.usefixtures("at_length")
@pytest.mark.parametrize(("name", "mode"), FAMILY.further_cases())
def test_program_agrees_with_tf1_in_every_mode(name, mode):
    FAMILY.check(name, mode)


@pytest.mark.parametrize(("name", "dtype"), FAMILY.precise_cases())
def test_precision_agrees_with_tf1(name, dtype, request):
    if dtype == "float16":
        request.getfixturevalue("cpu")  # How far it may be off was measured there.
    FAMILY.check_precision(name, dtype)


X = tf.constant(np.linspace(-1, 1, 24, dtype=np.float32).reshape(2, 3, 4))


def wrapper(**options):
    return seq2seq.AttentionWrapper(GRUCell(3), seq2seq.LuongAttention(3, X), **options)


def decoder(helper):
    return seq2seq.BasicDecoder(GRUCell(3), helper, tf.zeros([2, 3]))


@pytest.mark.parametrize(
    ("error", "message", "wrong"),
    [
        (TypeError, "must be an AttentionMechanism", lambda: seq2seq.AttentionWrapper(GRUCell(3), X)),
        (TypeError, "cell_input_fn must be callable", lambda: wrapper(cell_input_fn=3)),
        (
            ValueError,
            "Only one of attention_layer_size",
            lambda: wrapper(attention_layer_size=2, attention_layer=Dense(2)),
        ),
        (ValueError, "exactly one per attention_mechanism", lambda: wrapper(attention_layer_size=[2, 2])),
        (TypeError, "instance of AttentionWrapperState", lambda: wrapper()(X[:, 0], tf.zeros([2, 3]))),
        (tf.errors.InvalidArgumentError, "Non-matching batch sizes", lambda: wrapper().zero_state(5, tf.float32)),
        (
            ValueError,
            "expected to be same",
            lambda: wrapper().zero_state(2, tf.float32).clone(attention=tf.ones([2, 9])),
        ),
        (
            tf.errors.InvalidArgumentError,
            "greater than zero",
            lambda: seq2seq.LuongAttention(3, X, [0, 2])(tf.ones([2, 3]), None),
        ),
        (ValueError, "Incompatible or unknown inner dim", lambda: seq2seq.LuongAttention(3, X)(tf.ones([2, 5]), None)),
        (ValueError, "mode must be", lambda: seq2seq.monotonic_attention(X[0], X[0], "soft")),
        (TypeError, "helper must be a Helper", lambda: decoder(None)),
        (TypeError, "to be type Decoder", lambda: seq2seq.dynamic_decode(GRUCell(3))),
        (ValueError, "sequence_length to be a vector", lambda: seq2seq.TrainingHelper(X, 3)),
        (ValueError, "start_tokens must be a vector", lambda: seq2seq.GreedyEmbeddingHelper(X[0], 1, 2)),
        (ValueError, "end_token must be a scalar", lambda: seq2seq.GreedyEmbeddingHelper(X[0], [1], [2])),
        (
            ValueError,
            "maximum_iterations must be a scalar",
            lambda: seq2seq.dynamic_decode(decoder(seq2seq.TrainingHelper(X, [1, 2])), maximum_iterations=[1]),
        ),
        (
            ValueError,
            "batch_size=encoder_batch_size",
            lambda: seq2seq.BeamSearchDecoder(GRUCell(3), X[0], [1, 1], 2, tf.zeros([2, 3]), beam_width=4),
        ),
        (ValueError, "known rank", lambda: seq2seq.tile_batch(tf.constant(1), 2)),
        (ValueError, "Logits must be", lambda: seq2seq.sequence_loss(X[0], X[0], X[0])),
        (ValueError, "cannot be set to True", lambda: seq2seq.sequence_loss(X, X[0], X[0], sum_over_batch=True)),
    ],
)
def test_wrong_use_raises(error, message, wrong):
    with compat.VariableStore(), pytest.raises(error, match=message):
        wrong()
