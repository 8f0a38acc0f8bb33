"""Small recurrent programs that TF 1.15.5 and `compat` both run, for goldens.

Each is `program(tf, inputs)`; `tf` is TensorFlow 1.15.5 itself or an object that looks like it, `inputs` are tensors by
name. It returns a structure of tensors. Runs on Python 3.7, so no newer syntax here.
"""

import numpy as np


class Program:
    """A function, the arrays it is fed, and the static shapes that its placeholders have."""

    def __init__(self, build, feeds, shapes, eager):
        self.build = build
        self.feeds = feeds
        self.shapes = shapes
        self.eager = eager


def wave(*shape, **options):
    """Numbers between -1 and 1 that are different everywhere and the same on every machine."""
    phase = options.get("phase", 0.3)
    count = int(np.prod(shape))
    return np.sin(phase + 0.7 * np.arange(count)).reshape(shape).astype(options.get("dtype", np.float32))


def program_registry():
    """An empty table of programs, and the decorator that puts programs into it under their functions' names."""
    programs = {}

    def program(name=None, eager=True, shapes=None, **feeds):
        def register(build):
            programs[name or build.__name__] = Program(build, feeds, shapes or {}, eager)
            return build

        return register

    return programs, program


def initial_value(name, shape):
    """The value that every variable of that name gets on both sides."""
    phase = sum(ord(character) * (i % 7 + 1) for i, character in enumerate(name)) % 97
    return 0.5 * wave(*shape, phase=0.1 + phase) if shape else np.float32(0.5)


PROGRAMS, program = program_registry()

BATCH, TIME, DEPTH = 3, 5, 4
X = wave(BATCH, TIME, DEPTH)
LENGTHS = np.array([5, 2, 3], np.int32)


def _unroll(tf, cell, x, **options):
    return tf.nn.dynamic_rnn(cell, x, dtype=x.dtype, **options)


def _steps(tf, x):
    return tf.unstack(x, TIME, 1)


@program(x=X)
def basic_rnn(tf, x):
    return _unroll(tf, tf.nn.rnn_cell.BasicRNNCell(3), x)


@program(x=X)
def basic_rnn_relu_by_name(tf, x):
    return _unroll(tf, tf.nn.rnn_cell.BasicRNNCell(3, activation="relu"), x)


@program(x=X, lengths=LENGTHS)
def gru(tf, x, lengths):
    return _unroll(tf, tf.nn.rnn_cell.GRUCell(3), x, sequence_length=lengths)


@program(x=X, shapes={"x": [None, None, DEPTH]})
def basic_lstm_unknown_sizes(tf, x):
    return _unroll(tf, tf.nn.rnn_cell.BasicLSTMCell(3), x)


@program(x=X.astype(np.float64))
def basic_lstm_float64(tf, x):
    return _unroll(tf, tf.nn.rnn_cell.BasicLSTMCell(3, forget_bias=0.25), x)


@program(x=X)
def basic_lstm_concatenated_state(tf, x):
    cell = tf.nn.rnn_cell.BasicLSTMCell(3, state_is_tuple=False)
    stack = tf.nn.rnn_cell.MultiRNNCell([cell, tf.nn.rnn_cell.GRUCell(2)], state_is_tuple=False)
    return _unroll(tf, stack, x)


@program(x=X, lengths=LENGTHS)
def lstm_full(tf, x, lengths):
    cell = tf.nn.rnn_cell.LSTMCell(
        6, use_peepholes=True, cell_clip=0.4, num_proj=3, proj_clip=0.3, forget_bias=0.5, activation=tf.nn.softsign
    )
    return _unroll(tf, cell, x, sequence_length=lengths)


@program(x=X)
def lstm_concatenated_projected(tf, x):
    return _unroll(tf, tf.nn.rnn_cell.LSTMCell(6, num_proj=3, state_is_tuple=False), x)


@program(x=X)
def lstm_sharded(tf, x):
    return _unroll(tf, tf.nn.rnn_cell.LSTMCell(4, num_unit_shards=2, num_proj=3, num_proj_shards=2), x)


@program(x=X, lengths=LENGTHS)
def stack_with_wrappers(tf, x, lengths):
    cells = tf.nn.rnn_cell
    stack = cells.MultiRNNCell(
        [
            cells.ResidualWrapper(cells.LSTMCell(DEPTH)),
            cells.DeviceWrapper(cells.GRUCell(3), "/cpu:0"),
            cells.DropoutWrapper(cells.BasicLSTMCell(2), input_keep_prob=1.0, output_keep_prob=1.0),
        ]
    )
    return _unroll(tf, stack, x, sequence_length=lengths)


@program(x=X)
def initial_state_given(tf, x):
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    state = tf.nn.rnn_cell.LSTMStateTuple(x[:, 0, :3], x[:, 1, 1:])
    return tf.nn.dynamic_rnn(cell, x, initial_state=state)


@program(x=np.transpose(X, [1, 0, 2]).copy(), lengths=LENGTHS)
def time_major(tf, x, lengths):
    with tf.variable_scope("model"):
        return _unroll(tf, tf.nn.rnn_cell.GRUCell(3, name="cell"), x, sequence_length=lengths, time_major=True)


@program(x=X)
def two_in_one_scope(tf, x):
    first, _ = _unroll(tf, tf.nn.rnn_cell.BasicRNNCell(3), x, scope="a")
    with tf.variable_scope("b"):
        second, _ = _unroll(tf, tf.nn.rnn_cell.BasicRNNCell(3), first)
    with tf.variable_scope("b", reuse=True):
        third, _ = _unroll(tf, tf.nn.rnn_cell.BasicRNNCell(3, reuse=True), first + 1)
    return second, third


@program(x=X)
def one_cell_twice(tf, x):
    cell = tf.nn.rnn_cell.GRUCell(DEPTH)
    first, _ = _unroll(tf, cell, x)
    second, _ = _unroll(tf, cell, first, scope="again")
    return first, second


@program(x=X, lengths=LENGTHS)
def bidirectional(tf, x, lengths):
    cells = tf.nn.rnn_cell
    return tf.nn.bidirectional_dynamic_rnn(
        cells.LSTMCell(3), cells.GRUCell(2), x, sequence_length=lengths, dtype=x.dtype
    )


@program(x=X)
def bidirectional_without_lengths(tf, x):
    cells = tf.nn.rnn_cell
    return tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(3), cells.GRUCell(3), x, dtype=x.dtype, scope="both")


@program(x=X, shapes={"x": [None, TIME, DEPTH]})
def static(tf, x):
    return tf.nn.static_rnn(tf.nn.rnn_cell.BasicLSTMCell(3), _steps(tf, x), dtype=x.dtype)


@program(x=X, lengths=LENGTHS)
def static_with_lengths(tf, x, lengths):
    stack = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3), tf.nn.rnn_cell.BasicLSTMCell(2)])
    return tf.nn.static_rnn(stack, _steps(tf, x), dtype=x.dtype, sequence_length=lengths)


@program(x=X, lengths=LENGTHS)
def static_bidirectional(tf, x, lengths):
    cells = tf.nn.rnn_cell
    return tf.nn.static_bidirectional_rnn(
        cells.BasicLSTMCell(3), cells.GRUCell(2), _steps(tf, x), dtype=x.dtype, sequence_length=lengths
    )


@program(x=X)
def static_bidirectional_without_lengths(tf, x):
    cells = tf.nn.rnn_cell
    return tf.nn.static_bidirectional_rnn(cells.GRUCell(3), cells.GRUCell(2), _steps(tf, x), dtype=x.dtype)


@program(x=np.transpose(X, [1, 0, 2]).copy(), lengths=LENGTHS)
def raw(tf, x, lengths):
    cell = tf.nn.rnn_cell.LSTMCell(3)
    steps = tf.TensorArray(x.dtype, size=TIME, clear_after_read=False).unstack(x)

    def loop_fn(time, output, state, loop_state):
        finished = time >= lengths
        state = cell.zero_state(BATCH, x.dtype) if output is None else state
        done = tf.reduce_all(finished)
        following = tf.cond(done, lambda: tf.zeros([BATCH, DEPTH], x.dtype), lambda: steps.read(time))
        following.set_shape([BATCH, DEPTH])
        return finished, following, state, output, (0 if loop_state is None else loop_state + 1)

    emitted, state, _ = tf.nn.raw_rnn(cell, loop_fn)
    return emitted.stack(), state


@program(x=X, lengths=LENGTHS)
def users_cell_with_get_variable(tf, x, lengths):
    class Cell(tf.nn.rnn_cell.RNNCell):
        @property
        def state_size(self):
            return (3, tf.TensorShape([2, 2]))

        @property
        def output_size(self):
            return {"sum": 3, "square": tf.TensorShape([2, 2])}

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or type(self).__name__):
                w = tf.get_variable("w", [DEPTH + 3, 3])
                with tf.variable_scope("inner"):
                    b = tf.get_variable("b", [2, 2])
                total = tf.tanh(tf.matmul(tf.concat([inputs, state[0]], 1), w))
                square = state[1] * 0.5 + b + tf.reshape(inputs, [-1, 2, 2])
                return {"sum": total, "square": square}, (total, square)

    return _unroll(tf, Cell(), x, sequence_length=lengths)


@program(x=X)
def users_cell_with_call_and_build(tf, x):
    class Call(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 3

        def call(self, inputs, state):
            w = tf.get_variable("w", [DEPTH + 3, 3])
            state = tf.tanh(tf.matmul(tf.concat([inputs, state], 1), w))
            return state, state

    class Build(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 2

        def build(self, inputs_shape):
            self.w = self.add_variable("kernel", [3, 2])
            self.b = self.add_variable("bias", [2], trainable=False)
            self.built = True

        def call(self, inputs, state):
            state = tf.nn.relu(tf.matmul(inputs, self.w) + self.b + state)
            return state, state

    return _unroll(tf, tf.nn.rnn_cell.MultiRNNCell([Call(), Build()]), x)


@program(x=X)
def cell_called_directly(tf, x):
    cell = tf.nn.rnn_cell.LSTMCell(3)
    state = cell.zero_state(BATCH, x.dtype)
    outputs = []
    with tf.variable_scope("loop") as scope:
        for step in range(2):
            if step:
                scope.reuse_variables()
            output, state = cell(x[:, step], state)
            outputs.append(output)
    other = tf.nn.rnn_cell.GRUCell(2)
    output, _ = other(x[:, 0], other.zero_state(BATCH, x.dtype), scope="named")
    return outputs, state, output


@program(x=X, lengths=LENGTHS, eager=False)
def seeded_dropout(tf, x, lengths):
    # Eager kernels go on with their sequences from call to call, so only graphs give TF1's bits, and only where no
    # two steps run at the same time.
    cells = tf.nn.rnn_cell
    stack = cells.MultiRNNCell([cells.BasicLSTMCell(8), cells.GRUCell(7)])
    cell = cells.DropoutWrapper(stack, input_keep_prob=0.7, output_keep_prob=0.6, state_keep_prob=0.5, seed=11)
    return _unroll(tf, cell, x, sequence_length=lengths, parallel_iterations=1)


@program(x=X, eager=False)
def variational_dropout(tf, x):
    cells = tf.nn.rnn_cell
    return _unroll(
        tf,
        cells.DropoutWrapper(
            cells.BasicLSTMCell(8),
            input_keep_prob=0.7,
            output_keep_prob=tf.constant(0.6) * 1.0,
            state_keep_prob=0.5,
            variational_recurrent=True,
            input_size=tf.TensorShape([DEPTH]),
            dtype=x.dtype,
            seed=5,
        ),
        x,
    )


@program(x=X, eager=False)
def chosen_dropout(tf, x):
    cells = tf.nn.rnn_cell

    def chosen(part):
        return (True, False) if isinstance(part, tuple) and not hasattr(part, "c") else True

    stack = cells.MultiRNNCell([cells.GRUCell(8), cells.BasicLSTMCell(7)])
    cell = cells.DropoutWrapper(stack, state_keep_prob=0.5, seed=3, dropout_state_filter_visitor=chosen)
    return _unroll(tf, cell, x, parallel_iterations=1)


@program(x=X, lengths=LENGTHS, shapes={"x": [None, None, DEPTH], "lengths": [None]})
def lengths_of_unknown_batch(tf, x, lengths):
    return _unroll(tf, tf.nn.rnn_cell.GRUCell(3), x, sequence_length=lengths)
