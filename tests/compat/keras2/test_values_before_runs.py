"""`K.get_value` and its kin read in Keras's session, which gives a variable its first value, as in TF 1.15.5."""

from __future__ import annotations

import numpy as np

import compat
from compat.keras2 import backend as K
from compat.keras2 import callbacks, layers, models, optimizers


def test_a_value_is_asked_for_before_anything_ran() -> None:
    with compat.Graph().as_default():
        model = models.Sequential([layers.Dense(1, input_shape=(2,))])
        model.compile(optimizers.Adam(lr=0.25), "mse")
        assert K.get_value(model.optimizer.lr) == 0.25
        assert K.batch_get_value([K.variable(3.0), K.variable(4.0)]) == [3.0, 4.0]


def test_a_schedule_reads_the_rate_before_the_first_step() -> None:
    with compat.Graph().as_default():
        model = models.Sequential([layers.Dense(1, input_shape=(2,))])
        model.compile(optimizers.SGD(lr=0.5), "mse")
        seen = []
        schedule = callbacks.LearningRateScheduler(lambda epoch, rate: seen.append(rate) or rate / 2.0)
        model.fit(np.array([[1.0, 2.0]]), np.array([[3.0]]), epochs=3, verbose=0, callbacks=[schedule])
        assert seen == [0.5, 0.25, 0.125]


def test_weights_are_read_where_their_graph_is_not_entered() -> None:
    with compat.Graph().as_default():
        model = models.Sequential([layers.Dense(1, input_shape=(2,), kernel_initializer="ones")])
        scale = K.variable(2.0)
    assert model.get_weights()[0].tolist() == [[1.0], [1.0]]
    assert K.get_value(scale) == 2.0


def test_weights_of_cells_have_the_names_of_their_layers() -> None:
    with compat.Graph().as_default():
        x = compat.placeholder("float32", [None, 3, 2])
        layers.LSTM(4)(x)
        layers.Bidirectional(layers.GRU(4), name="both")(x)
        layers.RNN([layers.LSTMCell(2), layers.GRUCell(2)], name="deep")(x)
        names = [variable.op.name for variable in compat.global_variables()]
    assert names[:3] == ["lstm/kernel", "lstm/recurrent_kernel", "lstm/bias"]
    assert names[3:5] == ["both/forward_gru/kernel", "both/forward_gru/recurrent_kernel"]
    assert names[9:11] == ["deep/kernel", "deep/recurrent_kernel"]


def test_updates_are_added_with_the_inputs_that_they_depend_on() -> None:
    class Counting(layers.Layer):
        def build(self, shape: object) -> None:
            self.count = self.add_weight("count", shape=(), initializer="zeros", trainable=False)

        def call(self, x: object) -> object:
            self.add_update(K.update_add(self.count, 1.0), inputs=x)
            return x

    with compat.Graph().as_default():
        model = models.Sequential([Counting(input_shape=(2,)), layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(np.array([[1.0, 2.0]]), np.array([[3.0]]), epochs=3, verbose=0)
        assert K.get_value(model.layers[0].count) == 3.0
