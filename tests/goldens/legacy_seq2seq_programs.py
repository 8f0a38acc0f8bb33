"""Programs on `tf.contrib.legacy_seq2seq`, for goldens; see rnn_programs.py."""

import numpy as np

from tests.goldens.rnn_programs import initial_value, program_registry, wave  # noqa: F401

PROGRAMS, program = program_registry()

BATCH, IN, OUT = 3, 4, 3
X = wave(BATCH, IN, 2)
Y = wave(BATCH, OUT, 2, phase=1.1)
SYMBOLS = np.array([[1, 4, 2, 0], [3, 3, 1, 2], [0, 2, 4, 4]], np.int32)
TARGETS = np.array([[5, 1, 2], [0, 3, 4], [2, 2, 1]], np.int32)
WEIGHTS = np.array([[1, 1, 0], [1, 0.5, 0.25], [0, 0, 0]], np.float32)


def _cell(tf, size=3):
    return tf.nn.rnn_cell.BasicLSTMCell(size)


def _steps(tf, *tensors):
    return [tf.unstack(tensor, axis=1) for tensor in tensors]


@program(x=X, y=Y)
def rnn_decoder_with_loop(tf, x, y):
    cell = _cell(tf, 2)
    encoder, decoder = _steps(tf, x, y)
    _, state = tf.nn.static_rnn(cell, encoder, dtype=x.dtype)

    def loop(previous, i):
        w = tf.get_variable("w", [2, 2]) if i < 0 else projection
        return tf.matmul(previous, w)

    with tf.variable_scope("other"):
        projection = tf.get_variable("projection", [2, 2])
    return tf.contrib.legacy_seq2seq.rnn_decoder(decoder, state, _cell(tf, 2), loop_function=loop, scope="rnnlm")


@program(x=X, y=Y)
def basic(tf, x, y):
    stack = tf.nn.rnn_cell.MultiRNNCell([_cell(tf), tf.nn.rnn_cell.GRUCell(2)])
    return tf.contrib.legacy_seq2seq.basic_rnn_seq2seq(*_steps(tf, x, y), stack)


@program(x=X, y=Y)
def tied(tf, x, y):
    return tf.contrib.legacy_seq2seq.tied_rnn_seq2seq(*_steps(tf, x, y), _cell(tf))


def _embedding(name, kind, eager=True, **options):
    def build(tf, symbols, targets, feed=None):
        encoder, decoder = _steps(tf, symbols, targets)
        given = dict(options)
        if feed is not None:
            given["feed_previous"] = feed
        if given.pop("project", False):
            given["output_projection"] = (tf.get_variable("W", [3, 6]), tf.get_variable("B", [6]))
        seq2seq = getattr(tf.contrib.legacy_seq2seq, kind)
        sizes = (6,) if "tied" in kind else (5, 6)
        return seq2seq(encoder, decoder, _cell(tf), *sizes, 4, **given)

    feeds = {"symbols": SYMBOLS, "targets": TARGETS}
    if options.pop("feed", False):
        feeds["feed"] = np.array(True)
    program(name, eager=eager, **feeds)(build)


_embedding("embedding", "embedding_rnn_seq2seq")
_embedding("embedding_fed_back", "embedding_rnn_seq2seq", feed_previous=True, project=True)
# TF1 branches in the graph; an eager run takes one branch only, with other variable names in no case.
_embedding("embedding_decided_by_tensor", "embedding_rnn_seq2seq", feed=True)
_embedding("embedding_tied", "embedding_tied_rnn_seq2seq", feed_previous=True)
_embedding("attention", "embedding_attention_seq2seq", num_heads=2)
_embedding("attention_initial", "embedding_attention_seq2seq", initial_state_attention=True, feed_previous=True)
_embedding("attention_decided_by_tensor", "embedding_attention_seq2seq", feed=True)


@program(symbols=SYMBOLS, targets=TARGETS)
def one_to_many(tf, symbols, targets):
    encoder, first = _steps(tf, symbols, targets)
    return tf.contrib.legacy_seq2seq.one2many_rnn_seq2seq(
        encoder, {"a": first, "b": first[:2]}, _cell(tf), {"a": _cell(tf), "b": _cell(tf)}, 5, {"a": 6, "b": 6}, 4
    )


@program(logits=wave(BATCH, OUT, 6), targets=TARGETS, weights=WEIGHTS)
def losses(tf, logits, targets, weights):
    arguments = _steps(tf, logits, targets, weights)
    legacy = tf.contrib.legacy_seq2seq
    return [
        legacy.sequence_loss_by_example(*arguments),
        legacy.sequence_loss_by_example(*arguments, average_across_timesteps=False),
        legacy.sequence_loss(*arguments),
        legacy.sequence_loss(*arguments, average_across_batch=False),
        legacy.sequence_loss(
            *arguments,
            softmax_loss_function=lambda labels, logits: tf.cast(labels, tf.float32) * tf.reduce_sum(logits, 1),
        ),
    ]


@program(symbols=SYMBOLS, targets=TARGETS, weights=WEIGHTS)
def buckets(tf, symbols, targets, weights):
    encoder, decoder, weights = _steps(tf, symbols, targets, weights)
    legacy = tf.contrib.legacy_seq2seq
    return legacy.model_with_buckets(
        encoder,
        decoder,
        decoder,
        weights,
        [(2, 2), (4, 3)],
        lambda x, y: legacy.embedding_rnn_seq2seq(x, y, _cell(tf), 5, 6, 4),
    )


@program(x=X, symbols=TARGETS)
def decoders(tf, x, symbols):
    legacy = tf.contrib.legacy_seq2seq
    (decoder,) = _steps(tf, symbols)
    state = _cell(tf).zero_state(BATCH, tf.float32)
    attended = legacy.attention_decoder(_steps(tf, x)[0], state, x, _cell(tf), output_size=2, num_heads=2)
    embedded = legacy.embedding_rnn_decoder(decoder, state, _cell(tf), 6, 4)
    both = legacy.embedding_attention_decoder(decoder, state, x, _cell(tf), 6, 4)
    return attended, embedded, both
