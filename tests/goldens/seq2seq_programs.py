"""Programs on `tf.contrib.seq2seq`, for goldens; see rnn_programs.py."""

import numpy as np

from tests.goldens.rnn_programs import initial_value, program_registry, wave  # noqa: F401

PROGRAMS, program = program_registry()

BATCH, IN, OUT, SYMBOLS = 3, 5, 4, 6
MEMORY = wave(BATCH, IN, 4)
X = wave(BATCH, OUT, 3, phase=0.9)
MEMORY_LENGTHS = np.array([5, 2, 4], np.int32)
LENGTHS = np.array([4, 3, 1], np.int32)
TARGETS = np.array([[5, 1, 2, 0], [0, 3, 4, 4], [2, 2, 1, 0]], np.int32)
WEIGHTS = np.array([[1, 1, 0, 0], [1, 0.5, 0.25, 2], [0, 0, 0, 0]], np.float32)


def _attention(program_name, make, **options):
    """A program that unrolls an attention cell whose mechanism `make(tf.contrib.seq2seq, …)` makes."""

    def build(tf, memory, x, lengths):
        mechanism = make(tf.contrib.seq2seq, tf, memory, lengths)
        cell = tf.contrib.seq2seq.AttentionWrapper(
            tf.nn.rnn_cell.GRUCell(3), mechanism, alignment_history=True, **options
        )
        outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=x.dtype)
        histories = state.alignment_history
        histories = histories if isinstance(histories, tuple) else (histories,)
        return outputs, state._replace(alignment_history=()), [history.stack() for history in histories]

    program(program_name, memory=MEMORY, x=X, lengths=MEMORY_LENGTHS)(build)


_attention("luong", lambda s, tf, memory, lengths: s.LuongAttention(3, memory), attention_layer_size=2)
_attention(
    "luong_scaled",
    lambda s, tf, memory, lengths: s.LuongAttention(3, memory, lengths, scale=True, probability_fn=tf.sigmoid),
    output_attention=False,
)
_attention("bahdanau", lambda s, tf, memory, lengths: s.BahdanauAttention(5, memory, lengths), attention_layer_size=3)
_attention(
    "bahdanau_normalized",
    lambda s, tf, memory, lengths: s.BahdanauAttention(5, memory, lengths, normalize=True),
    cell_input_fn=lambda inputs, attention: inputs * attention[:, :3],
)
_attention(
    "bahdanau_monotonic",
    lambda s, tf, memory, lengths: s.BahdanauMonotonicAttention(5, memory, score_bias_init=0.3),
)
_attention(
    "luong_monotonic",
    lambda s, tf, memory, lengths: s.LuongMonotonicAttention(3, memory, lengths, scale=True, mode="recursive"),
)
_attention(
    "two_mechanisms",
    lambda s, tf, memory, lengths: [s.LuongAttention(3, memory), s.BahdanauAttention(2, memory[:, 1:] * 2)],
    attention_layer_size=[2, 3],
    name="both",
)


@program(memory=MEMORY, x=X, lengths=LENGTHS)
def training(tf, memory, x, lengths):
    s = tf.contrib.seq2seq
    cell = s.AttentionWrapper(
        tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(3), tf.nn.rnn_cell.GRUCell(3)]),
        s.LuongAttention(3, memory),
        attention_layer_size=4,
    )
    decoder = s.BasicDecoder(
        cell,
        s.TrainingHelper(x, lengths),
        cell.zero_state(BATCH, tf.float32),
        output_layer=tf.layers.Dense(SYMBOLS, name="projection"),
    )
    outputs, state, final_lengths = s.dynamic_decode(decoder, impute_finished=True)
    return outputs, state, final_lengths


def _greedy(name, helper, **options):
    def build(tf, state):
        embedding = tf.get_variable("embedding", [SYMBOLS, 2])
        decoder = tf.contrib.seq2seq.BasicDecoder(
            tf.nn.rnn_cell.GRUCell(3),
            helper(tf.contrib.seq2seq, tf, embedding),
            state,
            output_layer=tf.layers.Dense(SYMBOLS),
        )
        return tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=6, **options)

    program(name, eager=name != "sampled", state=wave(BATCH, 3, phase=2.0))(build)


_greedy("greedy", lambda s, tf, e: s.GreedyEmbeddingHelper(e, tf.constant([1, 2, 3]), 4), output_time_major=True)
_greedy(
    "greedy_by_function",
    lambda s, tf, e: s.GreedyEmbeddingHelper(lambda ids: 3 * tf.nn.embedding_lookup(e, ids), tf.constant([1, 0, 5]), 2),
    impute_finished=True,
    scope="other",
)
_greedy(
    "sampled",
    lambda s, tf, e: s.SampleEmbeddingHelper(e, tf.constant([1, 2, 3]), 4, softmax_temperature=0.5, seed=7),
    parallel_iterations=1,
)
_greedy(
    "inferred",
    lambda s, tf, e: s.InferenceHelper(
        sample_fn=lambda outputs: outputs[:, :2],
        sample_shape=[2],
        sample_dtype=tf.float32,
        start_inputs=e[:BATCH],
        end_fn=lambda ids: ids[:, 0] > 0.1,
        next_inputs_fn=tf.tanh,
    ),
)
_greedy(
    "custom",
    lambda s, tf, e: s.CustomHelper(
        lambda: (tf.tile([False], [BATCH]), e[:BATCH]),
        lambda time, outputs, state: tf.cast(tf.argmax(outputs, 1), tf.int32),
        lambda time, outputs, state, sample_ids: (
            tf.tile([time > 2], [BATCH]),
            tf.nn.embedding_lookup(e, sample_ids) + tf.cast(time, tf.float32),
            state,
        ),
    ),
)


def _scheduled(name, helper):
    def build(tf, x, lengths):
        embedding = tf.get_variable("embedding", [SYMBOLS, 3])
        decoder = tf.contrib.seq2seq.BasicDecoder(
            tf.nn.rnn_cell.GRUCell(SYMBOLS),
            helper(tf.contrib.seq2seq, tf, x, lengths, embedding),
            tf.zeros([BATCH, SYMBOLS]),
        )
        return tf.contrib.seq2seq.dynamic_decode(decoder, parallel_iterations=1)

    program(name, eager=False, x=X, lengths=LENGTHS)(build)


_scheduled(
    "scheduled_embedding",
    lambda s, tf, x, lengths, e: s.ScheduledEmbeddingTrainingHelper(x, lengths, e, 0.6, seed=3, scheduling_seed=4),
)
_scheduled(
    "scheduled_output",
    lambda s, tf, x, lengths, e: s.ScheduledOutputTrainingHelper(
        x, lengths, 0.6, seed=3, next_inputs_fn=lambda outputs: outputs[:, :3]
    ),
)


def _beam(name, attention=False, **options):
    def build(tf, state, memory, lengths):
        s = tf.contrib.seq2seq
        embedding = tf.get_variable("embedding", [SYMBOLS, 2])
        cell = tf.nn.rnn_cell.GRUCell(4)
        state = s.tile_batch(state, 3)
        if attention:
            mechanism = s.BahdanauAttention(3, s.tile_batch(memory, 3), s.tile_batch(lengths, 3))
            cell = s.AttentionWrapper(cell, mechanism, attention_layer_size=2, alignment_history=True)
            state = cell.zero_state(3 * BATCH, tf.float32).clone(cell_state=state)
        decoder = s.BeamSearchDecoder(
            cell,
            embedding,
            tf.fill([BATCH], 1),
            2,
            state,
            beam_width=3,
            output_layer=tf.layers.Dense(SYMBOLS, use_bias=False),
            **options,
        )
        return s.dynamic_decode(decoder, maximum_iterations=5)

    # TF1 sorts histories by beams only where their length is unknown, as it never is eagerly.
    feeds = {"state": wave(BATCH, 4, phase=1.5), "memory": MEMORY, "lengths": MEMORY_LENGTHS}
    program(name, eager=not attention, shapes={"memory": [BATCH, None, 4]}, **feeds)(build)


_beam("beam_search")
_beam("beam_search_length_penalty", length_penalty_weight=0.8)
_beam("beam_search_attention", attention=True)
_beam("beam_search_coverage_penalty", attention=True, coverage_penalty_weight=0.5, length_penalty_weight=1.1)


@program(memory=MEMORY)
def functions(tf, memory):
    s = tf.contrib.seq2seq
    choose = tf.sigmoid(memory[:, :, 0])
    before = tf.nn.softmax(memory[:, :, 1])
    step_ids = tf.constant([[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]], [[3, 3, 2]]])
    parents = tf.constant([[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]], [[0, 2, 1]]])
    return [
        s.hardmax(memory),
        s.safe_cumprod(choose, axis=1, exclusive=True),
        s.monotonic_attention(choose, before, "recursive"),
        s.monotonic_attention(choose, before, "parallel"),
        s.monotonic_attention(tf.round(choose), s.hardmax(before), "hard"),
        s.tile_batch((memory, memory[:, 0]), 2),
        s.gather_tree(step_ids, parents, tf.constant([4]), 10),
        s.gather_tree(step_ids, parents, tf.constant([3]), 5),
        s.gather_tree(step_ids, parents, tf.constant([4]), 3),
    ]


@program(logits=wave(BATCH, OUT, SYMBOLS), targets=TARGETS, weights=WEIGHTS)
def losses(tf, logits, targets, weights):
    s = tf.contrib.seq2seq

    def loss(time, batch, sum_time=False, sum_batch=False, **options):
        return s.sequence_loss(logits, targets, weights, time, batch, sum_time, sum_batch, **options)

    return [
        loss(True, True),
        loss(True, False),
        loss(False, True),
        loss(False, False),
        loss(False, False, True, True),
        loss(False, False, True, False),
        loss(False, False, False, True),
        loss(True, True, softmax_loss_function=lambda labels, logits: tf.reduce_sum(tf.square(logits), 1)),
    ]


@program(memory=MEMORY, x=X, lengths=MEMORY_LENGTHS)
def users_mechanism_and_stack(tf, memory, x, lengths):
    s, cells = tf.contrib.seq2seq, tf.nn.rnn_cell

    class Cumulative(s.BahdanauAttention):
        """Sees where it has been, as location-sensitive attention does."""

        def __call__(self, query, state):
            with tf.variable_scope(None, "cumulative_attention", [query]):
                processed = tf.expand_dims(self.query_layer(query), 1)
                location = tf.layers.dense(tf.expand_dims(state, 2), self._num_units, use_bias=False, name="location")
                v = tf.get_variable("v", [self._num_units], dtype=tf.float32)
                energy = tf.reduce_sum(v * tf.tanh(self._keys + processed + location), [2])
            alignments = self._probability_fn(energy, state)
            return alignments, alignments + state

    class Stack(cells.MultiRNNCell):
        """The first cell attends, the others see what it saw."""

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or "multi_rnn_cell"):
                with tf.variable_scope("cell_0_attention"):
                    output, attention = self._cells[0](inputs, state[0])
                states = [attention]
                for i, cell in enumerate(self._cells[1:], 1):
                    with tf.variable_scope("cell_{}".format(i)):  # noqa: UP032
                        output, new = cell(tf.concat([output, attention.attention], -1), state[i])
                    states.append(new)
            return output, tuple(states)

    attentive = s.AttentionWrapper(
        cells.GRUCell(3), Cumulative(4, memory, lengths), attention_layer_size=None, output_attention=False
    )
    residual = cells.ResidualWrapper(cells.GRUCell(3), residual_fn=lambda inputs, outputs: outputs + inputs[:, :3])
    cell = Stack([attentive, residual])
    helper = s.TrainingHelper(x, tf.constant(LENGTHS))
    return s.dynamic_decode(s.BasicDecoder(cell, helper, cell.zero_state(BATCH, tf.float32)))
