"""Optimizers that programs derive from stand-alone Keras 2.2.5's, and files with optimizers: TF 1.15.5's numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.compat.keras2.process import printed

pytestmark = pytest.mark.usefixtures("own_tensorflow")

OWN = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone import backend as K
from compat.keras2.standalone.layers import Dense, Input
from compat.keras2.standalone.legacy import interfaces
from compat.keras2.standalone.models import Model, Sequential, load_model
from compat.keras2.standalone.optimizers import Optimizer

class AdamW(Optimizer):
    def __init__(self, lr=0.001, beta_1=0.9, beta_2=0.999, weight_decay=1e-4, **kwargs):
        super(AdamW, self).__init__(**kwargs)
        with K.name_scope(self.__class__.__name__):
            self.iterations = K.variable(0, dtype="int64", name="iterations")
            self.lr = K.variable(lr, name="lr")
            self.beta_1 = K.variable(beta_1, name="beta_1")
            self.beta_2 = K.variable(beta_2, name="beta_2")
            self.wd = K.variable(weight_decay, name="weight_decay")

    @interfaces.legacy_get_updates_support
    def get_updates(self, loss, params):
        grads = self.get_gradients(loss, params)
        self.updates = [K.update_add(self.iterations, 1)]
        t = K.cast(self.iterations, K.floatx()) + 1
        rate = self.lr * (K.sqrt(1. - K.pow(self.beta_2, t)) / (1. - K.pow(self.beta_1, t)))
        ms = [K.zeros(K.int_shape(p), dtype=K.dtype(p)) for p in params]
        vs = [K.zeros(K.int_shape(p), dtype=K.dtype(p)) for p in params]
        self.weights = [self.iterations] + ms + vs
        for p, g, m, v in zip(params, grads, ms, vs):
            m_t = (self.beta_1 * m) + (1. - self.beta_1) * g
            v_t = (self.beta_2 * v) + (1. - self.beta_2) * K.square(g)
            self.updates.append(K.update(m, m_t))
            self.updates.append(K.update(v, v_t))
            self.updates.append(K.update(p, p - rate * m_t / (K.sqrt(v_t) + 1e-8) - self.lr * self.wd * p))
        return self.updates

    def get_config(self):
        return {"lr": float(K.get_value(self.lr)), "weight_decay": float(K.get_value(self.wd))}

class Accumulated(Optimizer):
    def __init__(self, lr=0.1, momentum=0.5, **kwargs):
        super(Accumulated, self).__init__(**kwargs)
        self.iterations = K.variable(0, dtype="int64", name="iterations")
        self.lr, self.momentum = K.variable(lr, name="lr"), K.variable(momentum, name="momentum")
        self.every = K.variable(2, dtype="int64")

    def get_updates(self, loss, params):
        grads = self.get_gradients(loss, params)
        self.updates = [K.update_add(self.iterations, 1)]
        switch = K.cast(K.equal((self.iterations + 1) % self.every, 0), K.floatx())
        moments, sums = ([K.zeros(K.int_shape(p)) for p in params] for _ in range(2))
        self.weights = [self.iterations] + moments + sums
        for p, g, m, s in zip(params, grads, moments, sums):
            g = g + s
            v = self.momentum * m - (self.lr * g / K.cast(self.every, K.floatx()))
            self.updates.append(K.update(m, (1 - switch) * m + switch * v))
            self.updates.append(K.update(s, (1 - switch) * g))
            self.updates.append(K.update(p, p + switch * v))
        return self.updates

x = np.linspace(-1, 1, 16).reshape(8, 2)
model = Sequential([
    Dense(3, activation="sigmoid", kernel_initializer="ones", input_shape=(2,)), Dense(1, kernel_initializer="ones")
])
model.compile(loss="mse", optimizer=AdamW(lr=0.01, weight_decay=0.1))
decayed = [float(model.train_on_batch(x, x[:, :1] * 2)) for _ in range(3)]
K.set_value(model.optimizer.lr, 0.05)
model.save("own.h5")
again = load_model("own.h5", custom_objects={"AdamW": AdamW})
shapes = [list(weight.shape) for weight in again.optimizer.get_weights()]
decayed.append(float(again.train_on_batch(x, x[:, :1] * 2)))
given = Input((2,))
model = Model(given, Dense(1, kernel_initializer="ones")(given))
model.compile(Accumulated(), "mse")
summed = [float(model.train_on_batch(x, x[:, :1] * 3 + 1)) for _ in range(5)]
names = [weight.name for weight in model.optimizer.weights]
print(json.dumps({
    "decayed": decayed, "shapes": shapes, "steps": int(K.get_value(again.optimizer.iterations)), "summed": summed,
    "names": names,
}))
"""

RESUMED = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone.layers import Dense
from compat.keras2.standalone.models import Sequential, load_model
from compat.keras2.standalone.optimizers import SGD, RMSprop

x = np.linspace(-1, 1, 16).reshape(8, 2)
found = []
for optimizer in (SGD(lr=0.1, momentum=0.9), RMSprop(lr=0.05), "adam"):
    model = Sequential([Dense(1, kernel_initializer="ones", input_shape=(2,))])
    model.compile(loss="mse", optimizer=optimizer)
    model.save("fresh.h5")
    model.fit(x, x[:, :1] * 2, epochs=3, verbose=0, batch_size=4, shuffle=False)
    model.save("model.h5")
    variables = len(compat.global_variables())
    again = load_model("model.h5")
    added = len(compat.global_variables()) - variables
    kept = [weight.tolist() for weight in again.optimizer.get_weights()]
    losses = [float(each.train_on_batch(x, x[:, :1] * 2)) for each in (model, again) for _ in range(3)]
    fresh = load_model("fresh.h5")
    fresh.train_on_batch(x, x[:, :1] * 2)
    found.append([added, kept, losses[:3], losses[3:], len(fresh.optimizer.weights)])
print(json.dumps(found))
"""


def test_optimizers_of_the_program(tmp_path: Path) -> None:
    found = json.loads(printed(OWN, tmp_path)[-1])
    np.testing.assert_allclose(found["decayed"], [2.882, 2.807, 2.722, 2.64], atol=6e-3)
    assert found["shapes"] == [[], [2, 3], [3], [3, 1], [1], [2, 3], [3], [3, 1], [1]]
    assert found["steps"] == 4
    np.testing.assert_allclose(found["summed"], [1.0133, 1.0133, 0.6779, 0.6779, 0.3413], atol=1e-4)
    assert found["names"][1] == "training_2/Accumulated/Variable:0"


def test_a_model_from_a_file_trains_on_as_the_one_that_was_saved(tmp_path: Path) -> None:
    found = json.loads(printed(RESUMED, tmp_path)[-1])
    assert [added for added, *_ in found] == [2 + 4 + 2, 2 + 4 + 2, 2 + 5 + 6]
    for _, kept, losses, again, fresh in found:
        np.testing.assert_allclose(again, losses, rtol=1e-5)
        assert fresh == len(kept)
    assert [len(kept) for _, kept, *_ in found] == [3, 2, 7]  # as TF 1.15.5 gives
