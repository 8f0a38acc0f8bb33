"""Programs on `tf.contrib.rnn`, for goldens; see rnn_programs.py."""

import numpy as np

from tests.goldens.rnn_programs import initial_value, program_registry, wave  # noqa: F401

PROGRAMS, program = program_registry()

BATCH, TIME, DEPTH = 3, 4, 4
X = wave(BATCH, TIME, DEPTH)
TIME_MAJOR = np.transpose(X, [1, 0, 2]).copy()
LENGTHS = np.array([4, 1, 3], np.int32)


def _cell(name, make, **feeds):
    """A program that unrolls the cell that `make(tf.contrib.rnn, tf)` makes."""

    def build(tf, x, lengths=None):
        return tf.nn.dynamic_rnn(make(tf.contrib.rnn, tf), x, sequence_length=lengths, dtype=x.dtype)

    feeds.setdefault("x", X)
    program(name, **feeds)(build)


_cell("layer_norm_lstm", lambda rnn, tf: rnn.LayerNormBasicLSTMCell(6, norm_gain=0.7, norm_shift=0.1))
_cell("layer_norm_lstm_without", lambda rnn, tf: rnn.LayerNormBasicLSTMCell(3, layer_norm=False, forget_bias=0.5))
_cell("nas", lambda rnn, tf: rnn.NASCell(3, num_proj=2, use_bias=True), lengths=LENGTHS)
_cell("ugrnn", lambda rnn, tf: rnn.UGRNNCell(3))
_cell("intersection", lambda rnn, tf: rnn.IntersectionRNNCell(3, num_in_proj=3))
_cell("lstm_block", lambda rnn, tf: rnn.LSTMBlockCell(3, forget_bias=0.5), lengths=LENGTHS)
_cell("lstm_block_peephole", lambda rnn, tf: rnn.LSTMBlockCell(3, use_peephole=True, cell_clip=0.3))
_cell("gru_block", lambda rnn, tf: rnn.GRUBlockCell(3), lengths=LENGTHS)
_cell("gru_block_v2", lambda rnn, tf: rnn.GRUBlockCellV2(num_units=3))
_cell("coupled", lambda rnn, tf: rnn.CoupledInputForgetGateLSTMCell(3, use_peepholes=True, num_unit_shards=2))
_cell(
    "coupled_normalized",
    lambda rnn, tf: rnn.CoupledInputForgetGateLSTMCell(
        3, num_proj=2, proj_clip=0.2, layer_norm=True, state_is_tuple=False
    ),
)
_cell("grouped", lambda rnn, tf: rnn.GLSTMCell(4, num_proj=2, number_of_groups=2), lengths=LENGTHS)
_cell("sru", lambda rnn, tf: rnn.SRUCell(3))
_cell("ind_rnn", lambda rnn, tf: rnn.IndRNNCell(3))
_cell("indy_gru", lambda rnn, tf: rnn.IndyGRUCell(3))
_cell("indy_lstm", lambda rnn, tf: rnn.IndyLSTMCell(3, forget_bias=0.2))
_cell("highway", lambda rnn, tf: rnn.HighwayWrapper(rnn.GRUCell(DEPTH), couple_carry_transform_gates=False))
_cell("attention_cell", lambda rnn, tf: rnn.AttentionCellWrapper(rnn.GRUCell(3), 2, attn_vec_size=5))
_cell(
    "attention_cell_concatenated",
    lambda rnn, tf: rnn.AttentionCellWrapper(rnn.GRUCell(3), 2, attn_size=2, input_size=6, state_is_tuple=False),
)
_cell(
    "projections",
    lambda rnn, tf: rnn.OutputProjectionWrapper(
        rnn.InputProjectionWrapper(rnn.LSTMCell(3), 5, activation=tf.nn.relu), 2, activation=tf.sigmoid
    ),
)
_cell(
    "conv_2d",
    lambda rnn, tf: rnn.Conv2DLSTMCell(input_shape=[3, 4, 2], output_channels=2, kernel_shape=[2, 2]),
    x=wave(2, TIME, 3, 4, 2),
)
_cell(
    "conv_1d_by_name",
    lambda rnn, tf: rnn.Conv1DLSTMCell(input_shape=[5, 2], output_channels=2, kernel_shape=[3]),
    x=wave(2, TIME, 5, 2),
)
_cell(
    "conv_3d",
    lambda rnn, tf: rnn.Conv3DLSTMCell(input_shape=[2, 3, 2, 1], output_channels=2, kernel_shape=[2, 2, 2]),
    x=wave(2, TIME, 2, 3, 2, 1),
)
_cell(
    "conv_1d",
    lambda rnn, tf: rnn.ConvLSTMCell(1, [5, 2], 3, [3], use_bias=False, forget_bias=0.0),
    x=wave(2, TIME, 5, 2),
)


_cell("time_frequency", lambda rnn, tf: rnn.TimeFreqLSTMCell(3, use_peepholes=True, feature_size=4))
_cell(
    "grid",
    lambda rnn, tf: rnn.GridLSTMCell(
        2, use_peepholes=True, feature_size=2, frequency_skip=1, num_frequency_blocks=[3], cell_clip=0.3
    ),
    lengths=LENGTHS,
)
_cell(
    "grid_shared",
    lambda rnn, tf: rnn.GridLSTMCell(
        2, True, True, feature_size=2, frequency_skip=2, num_frequency_blocks=[2], state_is_tuple=False
    ),
)
_cell(
    "grid_blocks",
    lambda rnn, tf: rnn.GridLSTMCell(
        2,
        feature_size=2,
        frequency_skip=1,
        num_frequency_blocks=[1, 2],
        start_freqindex_list=[0, 1],
        end_freqindex_list=[2, 4],
        couple_input_forget_gates=True,
    ),
)
_cell(
    "grid_bidirectional",
    lambda rnn, tf: rnn.BidirectionalGridLSTMCell(
        2,
        use_peepholes=True,
        feature_size=3,
        frequency_skip=1,
        num_frequency_blocks=[2],
        couple_input_forget_gates=True,
        backward_slice_offset=-1,
    ),
)


@program(x=X)
def cudnn_compatible(tf, x):
    cells = tf.contrib.cudnn_rnn
    first, _ = tf.nn.dynamic_rnn(cells.CudnnCompatibleLSTMCell(3), x, dtype=x.dtype, scope="lstm")
    return tf.nn.dynamic_rnn(cells.CudnnCompatibleGRUCell(2), first, dtype=x.dtype, scope="gru")


@program(x=X)
def embedding_wrapper(tf, x):
    cell = tf.contrib.rnn.EmbeddingWrapper(tf.nn.rnn_cell.GRUCell(3), 7, 2)
    steps = [tf.cast(tf.abs(3 * step[:, 0]), tf.int32) for step in tf.unstack(x, axis=1)]
    return tf.contrib.rnn.static_rnn(cell, steps, dtype=x.dtype)


@program(x=X, time=np.cumsum(np.abs(wave(BATCH, TIME, 1, phase=2.0)), 1))
def phased(tf, x, time):
    cell = tf.contrib.rnn.PhasedLSTMCell(3, use_peepholes=True, ratio_on=0.4)
    return tf.nn.dynamic_rnn(cell, (time, x), dtype=x.dtype)


@program(x=TIME_MAJOR, lengths=LENGTHS)
def lstm_block_fused(tf, x, lengths):
    return tf.contrib.rnn.LSTMBlockFusedCell(3, use_peephole=True)(x, dtype=x.dtype, sequence_length=lengths)


@program(x=TIME_MAJOR)
def lstm_block_fused_backwards(tf, x):
    cell = tf.contrib.rnn.TimeReversedFusedRNN(tf.contrib.rnn.LSTMBlockFusedCell(3, cell_clip=0.2))
    return cell(x, dtype=x.dtype)


@program(x=TIME_MAJOR, lengths=LENGTHS)
def fused_adaptors(tf, x, lengths):
    rnn = tf.contrib.rnn
    static = rnn.FusedRNNCellAdaptor(rnn.GRUCell(2))
    dynamic = rnn.FusedRNNCellAdaptor(rnn.GRUCell(2), use_dynamic_rnn=True)
    return [
        static(x, dtype=x.dtype, sequence_length=lengths, scope="a"),
        dynamic(tf.unstack(x), dtype=x.dtype, scope="b"),
    ]


@program(x=X, lengths=LENGTHS)
def stacks(tf, x, lengths):
    rnn = tf.contrib.rnn

    def cells():
        return [rnn.GRUCell(2), rnn.BasicLSTMCell(2)]

    dynamic = rnn.stack_bidirectional_dynamic_rnn(cells(), cells(), x, dtype=x.dtype, sequence_length=lengths)
    static = rnn.stack_bidirectional_rnn(cells(), cells(), tf.unstack(x, axis=1), dtype=x.dtype, scope="static")
    return dynamic, static


@program(x=X, lengths=LENGTHS)
def cell_of_a_user(tf, x, lengths):
    class Leaky(tf.contrib.rnn.LayerRNNCell):
        state_size = output_size = 3

        def build(self, inputs_shape):
            self._kernel = self.add_variable("kernel", [DEPTH, 3])
            self.built = True

        def call(self, inputs, state):
            new = 0.5 * state + tf.tanh(tf.matmul(inputs, self._kernel))
            return new, new

    return tf.nn.dynamic_rnn(Leaky(name="leaky"), x, sequence_length=lengths, dtype=x.dtype)


@program(x=TIME_MAJOR)
def fused_cell_of_a_user(tf, x):
    rnn = tf.contrib.rnn

    class Sums(rnn.FusedRNNCell):
        def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
            return tf.cumsum(inputs), tf.reduce_sum(inputs, 0)

    if not isinstance(rnn.LSTMBlockFusedCell(3), rnn.LSTMBlockWrapper):
        raise TypeError("a fused cell of one kernel is a wrapper of that kernel")
    return rnn.TimeReversedFusedRNN(Sums())(x)
