"""Programs on `tf.contrib.crf`, for goldens; see rnn_programs.py."""

import numpy as np

from tests.goldens.rnn_programs import initial_value, program_registry, wave  # noqa: F401

PROGRAMS, program = program_registry()

BATCH, TIME, TAGS = 4, 5, 3
SCORES = 2 * wave(BATCH, TIME, TAGS)
LENGTHS = np.array([5, 3, 1, 0], np.int32)
INDICES = np.array([[0, 2, 1, 1, 0], [1, 1, 2, 0, 0], [2, 0, 0, 0, 0], [0, 0, 0, 0, 0]], np.int32)
BITMAP = wave(BATCH, TIME, TAGS, phase=0.2) > -0.5


@program(scores=SCORES, tags=INDICES, lengths=LENGTHS, shapes={"scores": [None, None, TAGS], "tags": [None, None]})
def likelihood_of_unknown_sizes(tf, scores, tags, lengths):
    return tf.contrib.crf.crf_log_likelihood(scores, tags, lengths)


@program(scores=SCORES, tags=INDICES.astype(np.int64), bitmap=BITMAP, lengths=LENGTHS.astype(np.int64))
def scores(tf, scores, tags, bitmap, lengths):
    crf = tf.contrib.crf
    transitions = tf.get_variable("crf/transitions", [TAGS, TAGS])
    return [
        crf.crf_log_likelihood(scores, tags, lengths, transitions)[0],
        crf.crf_sequence_score(scores, tags, lengths, transitions),
        crf.crf_multitag_sequence_score(scores, bitmap, lengths, transitions),
        crf.crf_log_norm(scores, lengths, transitions),
        crf.crf_unary_score(tags, lengths, scores),
        crf.crf_binary_score(tags, lengths, transitions),
    ]


@program(scores=SCORES, lengths=LENGTHS)
def decode(tf, scores, lengths):
    return tf.contrib.crf.crf_decode(scores, tf.get_variable("transitions", [TAGS, TAGS]), lengths)


@program(scores=SCORES[:, :1].copy(), tags=INDICES[:, :1].copy(), lengths=np.array([1, 1, 1, 0], np.int32))
def one_step(tf, scores, tags, lengths):
    crf = tf.contrib.crf
    transitions = tf.get_variable("transitions", [TAGS, TAGS])
    return [
        crf.crf_log_likelihood(scores, tags, lengths, transitions),
        crf.crf_decode(scores, transitions, lengths),
        crf.crf_multitag_sequence_score(scores, scores > 0, lengths, transitions),
    ]
