"""Stand-alone Keras 2.2.5: what it printed on TF 1.15.5. Each program has a process of its own, which it changes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.compat.keras2.process import EXAMPLES, printed
from tf_migrate.facts import keras2

pytestmark = pytest.mark.usefixtures("own_tensorflow")


def test_names_optimizers_and_old_arguments(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import compat
compat.open_graph()
import compat.keras2.standalone as keras
from compat.keras2.standalone import backend as K
from compat.keras2.standalone.engine.topology import Layer
from compat.keras2.standalone.layers.core import Dense, Dropout
from compat.keras2.standalone.layers.convolutional import Conv2D
from compat.keras2.standalone.models import Model, Sequential
from compat.keras2.standalone.optimizers import SGD, Adam
from compat.keras2.standalone.utils.np_utils import to_categorical

def steps(optimizer):
    model = Sequential([Dense(1, use_bias=False, kernel_initializer="ones", input_shape=(1,))])
    model.compile(optimizer, "mse")
    found = []
    for _ in range(3):
        model.train_on_batch(np.ones((1, 1)), np.zeros((1, 1)))
        found.append(model.get_weights()[0].item())
    return found

model = Sequential()
model.add(Dense(output_dim=2, init="one", bias=False, input_dim=3))
model.add(Dropout(p=0.0))
given = keras.layers.Input((5, 5, 1))
image = Conv2D(2, 3, 3, border_mode="same", dim_ordering="tf", subsample=(2, 2), init="one")(given)
functional = Model(input=given, output=image)
model.compile("sgd", "mse", metrics=["accuracy"])
history = model.fit(np.ones((4, 3)), np.zeros((4, 2)), nb_epoch=2, verbose=0)
given, made = model.input, model.output
weight = model.layers[0].weights[0]
updates = SGD(lr=0.5).get_updates([weight], [], K.sum(made))
print(json.dumps({
    "names": [layer.name for layer in model.layers] + [weight.name],
    "shape": list(functional.output_shape),
    "history": sorted(history.history),
    "epochs": len(history.history["loss"]),
    "sgd": steps(SGD(lr=0.1, decay=1.0)),
    "adam": steps(Adam(lr=0.1)),
    "classes": to_categorical([1], 2).tolist(),
    "updates": len(updates),
    "version": keras.__version__,
}))
"""
    found = json.loads(printed(program, tmp_path)[-1])
    assert found["names"] == ["dense_1", "dropout_1", "dense_1/kernel:0"]
    assert found["shape"] == [None, 3, 3, 2]
    assert (found["history"], found["epochs"]) == (["acc", "loss"], 2)
    # Measured: 8 of 9 runs gave 0.9, 0.84, 0.798, and 11 of 12 programs a first step of 0.0744 for Adam.
    np.testing.assert_allclose(found["sgd"], [0.9, 0.84, 0.798], rtol=1e-6)
    np.testing.assert_allclose(found["adam"], [0.9255867, 0.83997715, 0.74978316], rtol=1e-6)
    assert (found["classes"], found["updates"], found["version"]) == ([[0.0, 1.0]], 3, "2.2.5")


def test_weights_of_a_model_go_through_a_file(tmp_path: Path) -> None:
    program = """
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone.layers import Dense, BatchNormalization
from compat.keras2.standalone.models import Sequential, load_model

model = Sequential([Dense(2, input_shape=(3,), activation="relu"), BatchNormalization(), Dense(1)])
model.compile("adam", "mse")
model.fit(np.ones((4, 3)), np.ones((4, 1)), verbose=0)
model.save("model.h5")
model.save_weights("weights.h5")
again = load_model("model.h5")
again.load_weights("weights.h5")
x = np.arange(6).reshape(2, 3)
print(bool(np.allclose(again.predict(x), model.predict(x))), type(again.optimizer).__name__)
"""
    assert printed(program, tmp_path)[-1] == "True Adam"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [("Dense(output_dim=2, units=2)", "are the same one"), ("Conv2D(2, 3, 3, 3)", "names for the rest")],
)
def test_arguments_that_cannot_be_meant(arguments: str, told: str, tmp_path: Path) -> None:
    program = f"""
import compat
compat.open_graph()
from compat.keras2.standalone.layers import Conv2D, Dense
try:
    {arguments}
except TypeError as error:
    print(error)
"""
    assert told in printed(program, tmp_path)[-1]


def test_layers_of_the_program_and_lists(tmp_path: Path) -> None:
    program = """
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone import backend as K, layers, models

class Scale(layers.Layer):
    def build(self, shape):
        self.kept = K.variable([3.0], name="kept")
        self.scale = K.variable(K.ones((2,)), name="scale")
        self.inner = layers.Dense(2)
        self.shift = self.add_weight(name="shift", shape=(2,), initializer="ones")
        self.trainable_weights = [self.shift, self.scale]
        super().build(shape)

    def call(self, x):
        self.inner(x)
        return x * self.scale + self.shift * self.kept

model = models.Sequential([Scale(input_shape=(2,))])
print([each.shape for each in model.get_weights()], model.predict(np.array([[2.0, 3.0]])).tolist())
a, b = K.placeholder(shape=(None,)), K.placeholder(shape=(None,))
print(K.function([a, b], [a + b])([[1.0, 2.0], [3.0, 4.0]])[0].tolist())
"""
    assert printed(program, tmp_path) == ["[(2,), (2,)] [[5.0, 6.0]]", "[4.0, 6.0]"]


def test_what_it_had_besides_is_there(tmp_path: Path) -> None:
    program = f"""
import importlib
import numpy as np
import compat
compat.open_graph()
import compat.keras2.standalone as keras
from compat.keras2.standalone import backend as K
for path, names in {keras2.STANDALONE!r}.items():
    module = importlib.import_module("compat.keras2.standalone." + path) if path else keras
    print(path, [name for name in names if not hasattr(module, name)])
x = K.constant([[0.0, 0.0], [1.0, 2.0]])
print(["%.4f" % each for each in K.eval(K.logsumexp(x, axis=1))], K.eval(K.slice(x, [1, 0], [1, 2])).tolist())
print(K.pattern_broadcast(x, [True]) is x)
"""
    assert printed(program, tmp_path) == [
        " []",
        "backend []",
        "legacy []",
        "legacy.interfaces []",
        "models []",
        "optimizers []",
        "wrappers []",
        "['0.6931', '2.3133'] [[1.0, 2.0]]",
        "True",
    ]


def test_training_as_keras_2_2_had_it(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone import backend as K
from compat.keras2.standalone.layers import BatchNormalization, Dense, Dropout, LSTM, Masking
from compat.keras2.standalone.models import Sequential
from compat.keras2.standalone.optimizers import SGD
def fill(model):
    random = np.random.RandomState(1)
    model.set_weights([random.uniform(0.2, 0.8, size=weight.shape) for weight in model.get_weights()])
    return model

def worst(true, made):
    return K.max(K.abs(true - made))

np.random.seed(7)
random = np.random.RandomState(0)
x, y = random.normal(size=(7, 3)), np.eye(2)[[0, 1, 1, 0, 1, 0, 0]]
found = {}
first = Dense(4, input_shape=(3,), kernel_initializer="he_normal")
model = Sequential([first, Dropout(0.5), Dense(2, activation="softmax")])
found["drawn"] = [weight.ravel()[0].item() for weight in model.get_weights()[::2]]
found["orthogonal"] = Sequential([LSTM(2, input_shape=(3, 1))]).get_weights()[1][0].tolist()
model = fill(Sequential([Dense(2, input_shape=(3,), activation="softmax")]))
model.compile(SGD(lr=0.1, clipnorm=0.1), "binary_crossentropy", metrics=["accuracy", worst])
weights, known = {0: 0.5, 1: 2.0}, (x[:4], y[:4])
history = model.fit(x, y, batch_size=3, epochs=2, verbose=0, validation_data=known, class_weight=weights)
found["history"] = {name: values for name, values in sorted(history.history.items())}
regular = Dense(2, use_bias=False, input_shape=(3,), activity_regularizer="l2")
model = fill(Sequential([regular, BatchNormalization(momentum=0.9)]))
model.compile(SGD(lr=0.0), "mse")
found["loss"] = [float(model.train_on_batch(x, y)), float(model.train_on_batch(x[:4], y[:4]))]
found["moved"] = [weight.tolist() for weight in model.get_weights()[-2:]]
model = fill(Sequential([Masking(0.0, input_shape=(3, 1)), LSTM(2, return_sequences=True)]))
model.compile("sgd", "hinge", metrics=["mae"])
long = np.array([[[1.0], [2.0], [0.0]], [[3.0], [0.0], [0.0]]])
found["masked"] = [float(value) for value in model.test_on_batch(long, np.ones((2, 3, 2)))]
both = Sequential([Dense(2, input_shape=(2,), name="a"), Dense(1, name="b")])
both.layers[0].trainable = False
found["order"] = [weight.name for weight in both.weights]
print(json.dumps(found))
"""
    found = json.loads(printed(program, tmp_path)[-1])
    # Seeds are NumPy's, and orthogonal matrices its numbers.
    np.testing.assert_allclose(found["drawn"], [-0.7551893, -0.3354673], rtol=1e-5)
    np.testing.assert_allclose(found["orthogonal"][:3], [-0.0231977, -0.7959539, 0.0390313], rtol=1e-4)
    # A metric's value is its batches', by their sizes; gradients are cut together; orders follow from one another.
    history = {
        "acc": [0.42857143, 0.42857143],
        "loss": [0.67009727, 0.66034358],
        "val_acc": [0.5, 0.5],
        "val_loss": [0.66397589, 0.66381979],
        "val_worst": [0.60610913, 0.61536977],
        "worst": [0.58664863, 0.59326491],
    }
    assert sorted(found["history"]) == sorted(history)
    for name, values in history.items():
        np.testing.assert_allclose(found["history"][name], values, rtol=1e-5, err_msg=name)
    # A regularizer of outputs adds its sum; moving averages have no bias to where they began.
    np.testing.assert_allclose(found["loss"], [0.4898868, 0.4245797], rtol=1e-5)
    np.testing.assert_allclose(found["moved"], [[0.6571423, 0.9563617], [0.2682301, 0.5629485]], rtol=1e-5)
    # The mean is over what a mask leaves; hinge takes labels as they are.
    np.testing.assert_allclose(found["masked"], [0.5151637, 0.5151637], rtol=1e-5)
    assert found["order"] == ["b/kernel:0", "b/bias:0", "a/kernel:0", "a/bias:0"]


def test_updates_that_are_pairs(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone import backend as K, layers, models

class Center(layers.Layer):
    def build(self, shape):
        self.center = self.add_weight(name="center", shape=(2,), initializer="zeros", trainable=False)
        self.calls = self.add_weight(name="calls", shape=(), initializer="zeros", trainable=False)
        super(Center, self).build(shape)

    def call(self, x):
        self.add_update((self.center, self.center * 0.5 + K.mean(x, axis=0)), x)
        self.add_update([K.update_add(self.calls, 1.0), (self.calls, self.calls)][:1])
        return K.sum(K.square(x - self.center), axis=1, keepdims=True)

    def compute_output_shape(self, shape):
        return shape[0], 1

model = models.Sequential([layers.Dense(2, kernel_initializer="ones", trainable=False, input_shape=(2,)), Center()])
model.compile("sgd", "mse")
losses = [float(model.train_on_batch(np.ones((4, 2)), np.zeros((4, 1)))) for _ in range(3)]
print(json.dumps([losses, [weight.tolist() for weight in model.layers[1].get_weights()]]))
"""
    losses, weights = json.loads(printed(program, tmp_path)[-1])
    np.testing.assert_allclose(losses, [64.0, 0.0, 4.0], rtol=1e-6)
    assert weights == [[3.5, 3.5], 3.0]


def test_tensorflow_sees_every_weight_as_trainable(tmp_path: Path) -> None:
    program = """
import tensorflow as tf
import compat
compat.open_graph()
from compat.keras2.standalone import backend as K
from compat.keras2.standalone.layers import BatchNormalization, Dense, Layer

class Counted(Layer):
    def build(self, shape):
        self.calls = self.add_weight("calls", shape=(1,), initializer="zeros", trainable=False)
        super().build(shape)

    def call(self, x):
        return x + self.calls

bn, counted = BatchNormalization(), Counted()
counted(bn(compat.placeholder(tf.float32, (None, 3))))
K.variable(1.0)
print([variable.op.name for variable in compat.trainable_variables()])
print(len(bn.trainable_weights), len(bn.non_trainable_weights), len(counted.trainable_weights))
"""
    assert printed(program, tmp_path) == [
        "['batch_normalization_1/gamma', 'batch_normalization_1/beta', 'batch_normalization_1/moving_mean', "
        "'batch_normalization_1/moving_variance', 'counted_1/calls', 'Variable']",
        "2 2 0",
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str, tmp_path: Path) -> None:
    program = f"""
import doctest
import importlib
import compat
import compat.keras2.standalone
module = importlib.import_module({name!r})
print(doctest.testmod(module, extraglobs={{"compat": compat}}, optionflags=doctest.NORMALIZE_WHITESPACE).failed)
"""
    assert printed(program, tmp_path) == ["0"]
