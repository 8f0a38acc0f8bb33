"""Weights that are reached in two ways, which TF 1.15.5 and Keras 2.2.5 list and train more than once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.keras2 import layers, models, optimizers
from tests.compat.keras2.process import printed

X = np.arange(12, dtype=np.float32).reshape(4, 3) / 10
Y = np.ones((4, 3), np.float32)

_ALONE = """\
import numpy as np
from compat.keras2.standalone import optimizers
from compat.keras2.standalone.layers import BatchNormalization, Dense, Input, TimeDistributed
from compat.keras2.standalone.models import Model, Sequential

X, Y = np.arange(12, dtype=np.float32).reshape(4, 3) / 10, np.ones((4, 3), np.float32)


def counts(model):
    lists = model.weights, model.trainable_weights, model.non_trainable_weights, model.get_weights(), model.layers
    return [*map(len, lists), model.count_params()]


shared = Dense(3)
given, other = Input((3,)), Input((3,))
inner = Model(given, shared(given))
nested = Model(other, shared(inner(other)))
print(counts(nested), counts(Model(other, inner(inner(other)))))
sequences = Input((2, 3))
in_steps = Model(sequences, TimeDistributed(shared)(shared(sequences)))
in_steps.trainable = False
print(counts(in_steps))
first = Dense(3, input_shape=(3,))
print(counts(Sequential([first, BatchNormalization(), first])))
for optimizer in (optimizers.SGD(0.01), optimizers.SGD(0.01, momentum=0.9), optimizers.Adam(0.01)):
    nested.set_weights([np.full_like(value, 0.5) for value in nested.get_weights()])
    nested.compile(optimizer, "mse")
    losses = [round(float(nested.train_on_batch(X, Y)), 4) for _ in range(3)]
    print(losses, [round(float(value.sum()), 4) for value in nested.get_weights()[:2]])
    print(len(optimizer.weights))
"""


def _dense(**arguments: Any) -> Any:
    return layers.Dense(3, kernel_initializer="ones", **arguments)


def _nested() -> Any:
    shared = _dense()
    given, other = layers.Input((3,)), layers.Input((3,))
    return models.Model(other, shared(models.Model(given, shared(given))(other)))


def _twice_in_one() -> Any:
    shared, given = _dense(), layers.Input((3,))
    return models.Model(given, shared(shared(given)))


class _Attributes(models.Model):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.first = _dense()
        self.second = self.first
        self.listed = [self.first, layers.BatchNormalization(), self.first]
        self.inner = models.Sequential([self.first])

    def call(self, x: Any) -> Any:
        return self.inner(self.second(self.first(x)))


class _Layer(layers.Layer):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.first = _dense()
        self.second = self.first
        self.inner = models.Sequential([self.first])

    def call(self, x: Any) -> Any:
        return self.inner(self.second(self.first(x)))


def _called(model: Any) -> Any:
    model(tf.constant(X))
    return model


def _with_own_layer() -> Any:
    around = _Layer()
    return _called(models.Sequential([around, around.first]))


_MODELS: list[tuple[Callable[[], Any], int, int]] = [
    (_nested, 4, 24),
    (_twice_in_one, 2, 12),
    (lambda: _called(_Attributes()), 8, 48),
    (lambda: _called(_Layer()), 4, 24),
    (_with_own_layer, 6, 36),
]


@pytest.mark.parametrize(("make", "weights", "parameters"), _MODELS)
@pytest.mark.parametrize("in_graph", [False, True])
def test_each_way_to_a_weight_lists_it(make: Callable[[], Any], weights: int, parameters: int, in_graph: bool) -> None:
    with compat.Graph().as_default() if in_graph else tf.init_scope():
        model = make()
        lists = model.weights, model.trainable_weights, model.variables, model.trainable_variables
        assert [*map(len, lists), model.count_params()] == [*[weights] * 4, parameters]
        model.trainable = False
        assert (len(model.trainable_weights), len(model.non_trainable_weights)) == (0, weights)


@pytest.mark.parametrize(
    ("make", "sums"),
    [
        (_nested, ([7.8534, -0.316], [6.2432, -0.8057], [6.0322, -0.876], [5.8213, -0.9463])),
        (_twice_in_one, ([7.8534, -0.316], [7.0483, -0.5608], [6.9583, -0.5908], [6.8683, -0.6208])),
    ],
)
def test_fit_trains_a_weight_once_and_who_applies_gradients_to_the_list_twice(
    make: Callable[[], Any], sums: tuple[list[float], ...]
) -> None:
    model = make()
    model.compile(optimizers.SGD(0.01), "mse")
    model.fit(X, Y, epochs=1, batch_size=4, verbose=0)
    assert _sums(model) == pytest.approx(sums[0], abs=2e-4)
    optimizer = optimizers.Adam(0.01)
    for given, after in zip((compat.train.GradientDescentOptimizer(0.01), optimizer), sums[1:3], strict=True):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(tf.constant(X)) ** 2)
        weights = model.trainable_variables
        given.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        assert _sums(model) == pytest.approx(after, abs=2e-4)
    assert len(optimizer.weights) == 5
    optimizers.Adam(0.01).minimize(lambda: tf.reduce_mean(model(tf.constant(X)) ** 2), model.trainable_variables)
    assert _sums(model) == pytest.approx(sums[3], abs=2e-4)


def test_fit_of_a_graph_trains_a_weight_once() -> None:
    with compat.Graph().as_default():
        model = _nested()
        model.compile(optimizers.SGD(0.01), "mse")
        model.fit(X, Y, epochs=1, batch_size=4, verbose=0)
        assert [round(float(value.sum()), 4) for value in model.get_weights()] == [7.8534, -0.316, 7.8534, -0.316]
        model.set_weights([np.full_like(value, place) for place, value in enumerate(model.get_weights())])
        assert [float(value.sum()) for value in model.get_weights()] == [18.0, 9.0, 18.0, 9.0]


def test_keras_2_2_trains_a_weight_as_often_as_it_lists_it(tmp_path: Any) -> None:
    assert printed(_ALONE, tmp_path) == [
        "[4, 4, 0, 4, 3, 12] [2, 2, 0, 2, 2, 12]",
        "[4, 0, 4, 4, 3, 12]",
        "[6, 4, 2, 6, 2, 24]",
        "[2.7822, 1.4546, 0.8733] [3.5007, 1.1836]",
        "5",
        "[2.7822, 1.4546, 0.3591] [2.5112, 0.8739]",
        "5",
        "[2.7822, 2.3436, 1.9001] [4.0509, 1.3502]",
        "13",
    ]


def _sums(model: Any) -> list[float]:
    return [float(value.sum()) for value in model.get_weights()][:2]
