"""Compiled models of stand-alone Keras 2.2.5: weights of examples, and inner names; what TF 1.15.5 printed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.compat.keras2.process import printed

pytestmark = pytest.mark.usefixtures("own_tensorflow")


def test_an_optimizer_keeps_its_moments_where_weights_come_and_go(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone.layers import Dense, Input
from compat.keras2.standalone.models import Model, Sequential
from compat.keras2.standalone.optimizers import SGD

x = np.linspace(-1, 1, 16).reshape(8, 2)
y, weights = x[:, :1] * 2, np.linspace(0, 2, 8)
model = Sequential([Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile(SGD(lr=0.05, momentum=0.9), "mse", metrics=["mae"], weighted_metrics=["mse"])
found = []
for _ in range(3):
    found += model.train_on_batch(x, y)
    found += model.train_on_batch(x, y, sample_weight=weights)
found += model.evaluate(x, y, sample_weight=weights, batch_size=3, verbose=0)
given = Input((2,))
outputs = [
    Dense(1, kernel_initializer="ones", name="a")(given),
    Dense(2, activation="softmax", kernel_initializer="ones", name="b")(given),
]
model = Model(given, outputs)
model.compile(SGD(lr=0.05, momentum=0.5), ["mse", "categorical_crossentropy"])
two = np.eye(2)[[0, 1, 1, 1, 0, 1, 1, 1]]
common = {"batch_size": 4, "shuffle": False, "verbose": 0}
losses = model.fit(x, [y, two], sample_weight={"a": weights}, **common).history["loss"]
losses += model.fit(x, [y, two], class_weight={"b": {0: 3.0, 1: 1.0}}, epochs=2, **common).history["loss"]
losses += model.fit(x, [y, two], **common).history["loss"]
print(json.dumps([[float(value) for value in found], losses]))
"""
    found, losses = json.loads(printed(program, tmp_path)[-1])
    steps = np.reshape(found[:18], (6, 3))
    np.testing.assert_allclose(
        steps[:, 0], [0.01777778, 0.01642466, 0.00887188, 0.00332421, 0.00103212, 0.0011348], rtol=1e-5
    )
    np.testing.assert_allclose(
        steps[:, 1], [0.13333333, 0.11988147, 0.09395225, 0.06113729, 0.02658174, 0.02252712], rtol=1e-5
    )
    np.testing.assert_array_equal(steps[:, 2], steps[:, 0])
    np.testing.assert_allclose(found[18:], [0.00344467, 0.03830430, 0.00344467], rtol=1e-5)
    np.testing.assert_allclose(losses, [0.70884895, 1.03632659, 1.00638634, 0.64374104], rtol=1e-5)


def test_gradients_by_the_inner_names_of_a_model(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone import backend as K
from compat.keras2.standalone.layers import Conv2D, Dense, Dropout, Flatten, Input
from compat.keras2.standalone.models import Model, Sequential

given = Input((4, 4, 1))
conv = Conv2D(2, 3, kernel_initializer="ones")(given)
made = Dense(2, activation="softmax", kernel_initializer="zeros")(Dropout(0.5)(Flatten()(conv)))
model = Model(given, made)
model.compile("sgd", "categorical_crossentropy", metrics=["accuracy"])
x, y = np.arange(64.0).reshape(4, 4, 4, 1) / 64, np.eye(2)[[0, 1, 0, 1]]
inputs = model.inputs + model.targets + model.sample_weights + [K.learning_phase()]
values = K.function(inputs, [model.total_loss] + model.metrics_tensors)([x, y, np.ones(4), 0])
gradients = K.function(inputs, K.gradients(model.total_loss, model.trainable_weights))([x, y, [1, 2, 0, 1], 0])
model._make_test_function()
print(json.dumps({
    "values": [float(value) for value in values],
    "gradients": [float(np.abs(value).sum()) for value in gradients],
    "tested": [float(value) for value in model.test_function([x, y, np.ones(4), 0])],
    "shapes": [given._keras_shape, conv._keras_shape, made._keras_shape],
    "phases": [model.uses_learning_phase, Model(given, conv).uses_learning_phase, made._uses_learning_phase],
    "names": [tensor.name for tensor in model.targets + model.sample_weights],
    "inbound": [node.inbound_layers[0].name for node in model.layers[-1]._inbound_nodes],
    "inner": isinstance(Sequential([Dense(1, input_shape=(2,))]).model, Model),
}))
"""
    found = json.loads(printed(program, tmp_path)[-1])
    np.testing.assert_allclose(found["values"], [0.69314718, 0.5], rtol=1e-5)
    np.testing.assert_allclose(found["gradients"], [0.0, 0.0, 35.625, 0.66666669], rtol=1e-5)
    np.testing.assert_allclose(found["tested"], [0.69314718, 0.5], rtol=1e-5)
    assert found["shapes"] == [[None, 4, 4, 1], [None, 2, 2, 2], [None, 2]]
    assert found["phases"] == [True, False, True]
    assert found["names"] == ["dense_1_target:0", "dense_1_sample_weights:0"]
    assert (found["inbound"], found["inner"]) == (["dropout_1"], True)


def test_callbacks_see_what_validates(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone.callbacks import Callback
from compat.keras2.standalone.layers import Dense, Dropout
from compat.keras2.standalone.models import Sequential

class F1(Callback):
    def on_epoch_begin(self, epoch, logs=None):
        given = self.validation_data
        self.found = given if given is None else [np.shape(array) for array in given]

    def on_epoch_end(self, epoch, logs={}):
        if self.validation_data:
            logs["val_hits"] = float((self.model.predict(self.validation_data[0]) > 0).sum())

def batches():
    while True:
        yield x, y

x, y = np.linspace(-1, 1, 16).reshape(8, 2), np.ones((8, 1))
found = []
for rate in (None, 0.5):
    layers = [Dense(1, kernel_initializer="ones", input_shape=(2,))] + ([Dropout(rate)] if rate else [])
    model = Sequential(layers)
    model.compile("sgd", "mse")
    for fit in (
        lambda f1: model.fit(x, y, validation_split=0.25, verbose=0, callbacks=[f1]),
        lambda f1: model.fit(x, y, validation_data=(x[:4], y[:4], np.ones(4)), verbose=0, callbacks=[f1]),
        lambda f1: model.fit(x, y, verbose=0, callbacks=[f1]),
        lambda f1: model.fit_generator(batches(), 2, validation_data=(x, y), verbose=0, callbacks=[f1]),
    ):
        f1 = F1()
        history = fit(f1).history
        found.append([f1.found, sorted(history)])
print(json.dumps(found))
"""
    found = json.loads(printed(program, tmp_path)[-1])
    seen = [([[size, 2], [size, 1], [size]], ["loss", "val_hits", "val_loss"]) for size in (2, 4, 8)]
    seen.insert(2, ([], ["loss"]))
    assert found == [[arrays + phase * bool(arrays), keys] for phase in ([], [[]]) for arrays, keys in seen]


def test_a_layer_that_is_taken_out_of_a_models_layers_is_gone(tmp_path: Path) -> None:
    program = """
import numpy as np
from compat.keras2.standalone.layers import Dense, Input
from compat.keras2.standalone.models import Model, Sequential

X = np.arange(12, dtype=np.float32).reshape(4, 3)


def made():
    given = found = Input((3,))
    for units, name in ((4, "a"), (2, "b"), (2, "c")):
        found = Dense(units, kernel_initializer="ones", name=name)(found)
    return Model(given, found)


def sums(model):
    return float(model.predict(X).sum())


model = made()
model.layers.pop()
print([layer.name for layer in model.layers], len(model.get_weights()), len(model.weights), model.count_params())
print(sums(model), sums(Model(model.input, model.layers[-1].output)))
model.outputs = [model.layers[-1].output]
model.layers[-1].outbound_nodes = []
cut = Model(model.inputs, model.outputs)
print([layer.name for layer in cut.layers], cut.output_shape, cut.layers[-1].outbound_nodes)
model = made()
del model.layers[-1]
for layer in model.layers:
    layer.trainable = False
top = Model(model.input, Dense(1, kernel_initializer="ones")(model.layers[-1].output))
print(len(top.trainable_weights), sums(top))
moved = Sequential()
for layer in model.layers:
    moved.add(layer)
print([layer.name for layer in moved.layers], sums(moved), moved.output_shape)
"""
    assert printed(program, tmp_path) == [
        "['input_1', 'a', 'b'] 4 4 26",
        "1056.0 528.0",
        "['input_1', 'a', 'b'] (None, 2) []",
        "2 528.0",
        "['a', 'b'] 528.0 (None, 2)",
    ]
