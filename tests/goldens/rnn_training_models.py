"""A language model and a translator with attention, trained for goldens; runs on Python 3.7.

`model(tf, inputs)` gives the loss; `feeds(step)` the arrays of a step.
"""

import numpy as np

from tests.goldens.rnn_programs import initial_value  # noqa: F401

STEPS = 50
LEARNING_RATE = 0.01
CLIP = 1.0
BATCH, TIME, SYMBOLS, UNITS = 4, 7, 11, 8


def _text(step, length):
    """Symbols with a pattern that can be learned, other ones at each step."""
    start = (np.arange(BATCH) * 3 + step * 5) % SYMBOLS
    return ((start[:, np.newaxis] + 2 * np.arange(length) ** 2) % SYMBOLS).astype(np.int32)


class LanguageModel:
    """Two LSTM layers under `dynamic_rnn`, softmax over symbols, lengths that vary."""

    @staticmethod
    def feeds(step):
        text = _text(step, TIME + 1)
        lengths = 1 + (np.arange(BATCH) + step) % TIME
        return {"inputs": text[:, :-1], "targets": text[:, 1:], "lengths": lengths.astype(np.int32)}

    @staticmethod
    def loss(tf, inputs, targets, lengths):
        embedding = tf.get_variable("embedding", [SYMBOLS, UNITS])
        cells = [tf.nn.rnn_cell.LSTMCell(UNITS, use_peepholes=True), tf.nn.rnn_cell.BasicLSTMCell(UNITS)]
        outputs, _ = tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.MultiRNNCell(cells),
            tf.nn.embedding_lookup(embedding, inputs),
            sequence_length=lengths,
            dtype=tf.float32,
        )
        logits = tf.layers.dense(outputs, SYMBOLS, name="logits")
        weights = tf.sequence_mask(lengths, TIME, dtype=tf.float32)
        return tf.contrib.seq2seq.sequence_loss(logits, targets, weights)


class Translator:
    """A bidirectional encoder, and a decoder with Bahdanau attention that is fed the truth."""

    @staticmethod
    def feeds(step):
        text = _text(step, TIME)
        lengths = 2 + (np.arange(BATCH) + step) % (TIME - 1)
        mask = np.arange(TIME) < lengths[:, np.newaxis]
        targets = np.where(mask, (text + 1) % SYMBOLS, 0).astype(np.int32)
        return {"source": text, "targets": targets, "lengths": lengths.astype(np.int32)}

    @staticmethod
    def loss(tf, source, targets, lengths):
        cells, s2s = tf.nn.rnn_cell, tf.contrib.seq2seq
        embedding = tf.get_variable("embedding", [SYMBOLS, UNITS])
        (forward, backward), (_, state) = tf.nn.bidirectional_dynamic_rnn(
            cells.GRUCell(UNITS),
            cells.GRUCell(UNITS),
            tf.nn.embedding_lookup(embedding, source),
            sequence_length=lengths,
            dtype=tf.float32,
        )
        mechanism = s2s.BahdanauAttention(UNITS, tf.concat([forward, backward], 2), lengths, normalize=True)
        cell = s2s.AttentionWrapper(cells.GRUCell(UNITS), mechanism, attention_layer_size=UNITS)
        first = cell.zero_state(BATCH, tf.float32).clone(cell_state=state)
        shifted = tf.concat([tf.zeros([BATCH, 1], tf.int32), targets[:, :-1]], 1)
        helper = s2s.TrainingHelper(tf.nn.embedding_lookup(embedding, shifted), lengths)
        projection = tf.layers.Dense(SYMBOLS, use_bias=False, name="projection")
        outputs, _, _ = s2s.dynamic_decode(s2s.BasicDecoder(cell, helper, first, output_layer=projection))
        steps = tf.shape(outputs.rnn_output)[1]
        weights = tf.sequence_mask(lengths, steps, dtype=tf.float32)
        return s2s.sequence_loss(outputs.rnn_output, targets[:, :steps], weights)


MODELS = {"language_model": LanguageModel, "translator": Translator}
