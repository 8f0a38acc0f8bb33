"""What is frozen in stand-alone Keras, and what it then updates, as in Keras 2.2.5."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compat.keras2.process import printed

_FLAGS = """\
from compat.keras2.standalone.layers import LSTM, RNN, BatchNormalization, Bidirectional, Dense, Input, LSTMCell
from compat.keras2.standalone.layers import TimeDistributed
from compat.keras2.standalone.models import Model, Sequential


def counts(layer):
    return len(layer.trainable_weights), len(layer.non_trainable_weights), layer.trainable


given, steps = Input((3,)), Input((2, 3))
shared = Dense(3)
base = Model(given, shared(given))
other = Model(given, Dense(3)(shared(given)))
base.trainable = False
print(counts(base), counts(other), [counts(layer) for layer in other.layers])
inner = Sequential([Dense(2, input_shape=(3,)), BatchNormalization()])
outer = Model(given, inner(given))
inner.trainable = False
print(counts(inner), counts(outer), [counts(layer) for layer in inner.layers])
outer.trainable, inner.trainable = False, True
print(counts(inner), counts(outer))
outer.trainable = True
for layer in inner.layers:
    layer.trainable = False
inner.trainable = True
print(counts(outer), counts(inner))
around, both = TimeDistributed(Dense(2)), Bidirectional(LSTM(2))
cells, hidden = RNN([LSTMCell(2), LSTMCell(3)]), LSTM(2)
for layer in (around, both, cells, hidden):
    layer(steps)
    layer.trainable = False
print(counts(around), counts(around.layer), counts(both), counts(both.forward_layer), counts(both.backward_layer))
print(counts(cells), [counts(cell) for cell in cells.cell.cells], counts(hidden), counts(hidden.cell))
"""

_GAN = """\
import numpy as np
from compat.keras2.standalone.layers import BatchNormalization, Dense, Input
from compat.keras2.standalone.models import Model, Sequential
from compat.keras2.standalone.optimizers import SGD

random = np.random.RandomState(0)
X, Z, ONES = random.rand(8, 4).astype("float32"), random.rand(8, 2).astype("float32") * 3, np.ones((8, 1))


def moving():
    return [[round(float(value.sum()), 3) + 0.0 for value in layer.get_weights()[2:]] for layer in (normal, made)]


normal, made = BatchNormalization(momentum=0.8), BatchNormalization(momentum=0.8)
sure = {"kernel_initializer": "ones"}
inner = Sequential([Dense(4, input_dim=4, **sure), normal, Dense(1, **sure)])
given, noise = Input((4,)), Input((2,))
critic = Model(given, inner(given)) if WRAPPED else inner
generator = Sequential([Dense(4, input_dim=2, **sure), made])
critic.compile(SGD(0.0), "mse")
if BEFORE:
    critic.train_on_batch(X, ONES)
critic.trainable = False
both = Model(noise, critic(generator(noise)))
both.compile(SGD(0.0), "mse")
critic.train_on_batch(X, ONES)
both.train_on_batch(Z, ONES)
critic.train_on_batch(X * 2, ONES)
print(moving(), [len(each.updates) for each in (critic, both, inner, generator, normal)])
critic.trainable = True
critic.compile(SGD(0.0), "mse")
critic.train_on_batch(X * 2, ONES)
both.train_on_batch(Z, ONES)
print(moving(), [len(each.updates) for each in (critic, both, inner, generator, normal)])
print(len(inner.get_updates_for(inner.inputs)), len(inner.get_updates_for(critic.inputs)))
"""


def test_a_model_is_frozen_without_its_layers(tmp_path: Path) -> None:
    assert printed(_FLAGS, tmp_path) == [
        "(0, 2, False) (4, 0, True) [(0, 0, False), (2, 0, True), (2, 0, True)]",
        "(0, 6, False) (0, 6, True) [(2, 0, True), (2, 2, True)]",
        "(4, 2, True) (0, 6, False)",
        "(0, 6, True) (0, 6, True)",
        "(0, 2, False) (0, 2, False) (0, 6, False) (0, 3, False) (0, 3, False)",
        "(0, 6, False) [(3, 0, True), (3, 0, True)] (0, 3, False) (3, 0, True)",
    ]


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(
    ("before", "frozen", "trained"),
    [(False, [0.0, 4.0], [18.472, 3.307]), (True, [13.022, 1.844], [14.868, 2.339])],
)
def test_what_is_frozen_moves_no_averages_unless_its_training_was_made_before(
    tmp_path: Path, wrapped: bool, before: bool, frozen: list[float], trained: list[float]
) -> None:
    generator, calls = [11.62, 6.27], (2, 6) if wrapped else (0, 4)
    assert printed(f"WRAPPED, BEFORE = {wrapped}, {before}\n{_GAN}", tmp_path) == [
        f"{[frozen, generator]} {[0, 2, calls[0], 2, calls[1]]}",
        f"{[trained, generator]} {[2, 4, 2, 2, calls[1]]}",
        f"0 {2 if wrapped else 0}",
    ]


def test_an_update_that_is_reached_in_two_ways_is_one(tmp_path: Path) -> None:
    program = """
from compat.keras2.standalone.layers import BatchNormalization, Input
from compat.keras2.standalone.models import Model

shared = BatchNormalization()
given, other, third = Input((3,)), Input((3,)), Input((3,))
inner = Model(given, shared(given))
model = Model(other, shared(inner(other)))
print([len(each.updates) for each in (shared, inner, model)], len(model.get_updates_for(None)))
around = Model(third, model(inner(third)))
print([len(each.updates) for each in (shared, inner, model, around)])
"""
    assert printed(program, tmp_path) == ["[6, 2, 4] 0", "[12, 2, 4, 6]"]
