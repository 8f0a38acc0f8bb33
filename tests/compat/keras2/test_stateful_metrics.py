"""Metrics of Keras 2.2 that are layers and keep a state; the numbers are those that Keras 2.2.5 printed."""

from __future__ import annotations

from pathlib import Path

from tests.compat.keras2.process import printed

_HEAD = """\
import numpy as np
import compat.keras2.standalone as keras
from compat.keras2.standalone import backend as K

x = np.array([1, 2, -1, 3, 1, 1, -2, 4, 1, 1.])[:, None]
y = np.array([1, 1, 1, 0, 1, 1, 0, 1, 1, 0])

def shown(values):
    return [round(float(value), 4) for value in np.ravel(values)]
"""

_ARRAYS = f"""\
{_HEAD}
class Hits(keras.layers.Layer):
    def __init__(self, name="hits", **kwargs):
        super(Hits, self).__init__(name=name, **kwargs)
        self.stateful = True
        self.count = K.variable(value=0, dtype="int32")

    def reset_states(self):
        K.set_value(self.count, 0)

    def __call__(self, y_true, y_pred):
        y_true, y_pred = K.cast(y_true, "int32"), K.cast(K.round(y_pred), "int32")
        new = K.sum(K.cast(K.equal(y_pred, y_true), "int32") * y_true)
        before = self.count * 1
        self.add_update(K.update_add(self.count, new), inputs=[y_true, y_pred])
        return before + new

given = keras.layers.Input((1,))
dense = keras.layers.Dense(1, activation="sigmoid", kernel_initializer="ones")
model = keras.models.Model(given, dense(given))
hits = Hits()
model.compile(keras.optimizers.SGD(0.0), "binary_crossentropy", metrics=["acc", hits])
history = model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0, validation_data=(x, y)).history
print(shown(history["hits"]), shown(history["val_hits"]), shown(history["acc"]))
for examples in (x, y), (x[:5], y[:5]):
    print(shown(model.evaluate(*examples, batch_size=4, verbose=0)))
hits.reset_states()
print(shown(model.train_on_batch(x, y)), shown(model.train_on_batch(x, y)), shown(model.test_on_batch(x, y)))
print(model.predict(x).shape, model.stateful_metric_names)
"""

_GENERATOR = f"""\
{_HEAD}
def largest():
    layer = keras.layers.Lambda(lambda value: value, name="largest")
    layer.stateful = True
    layer.greatest = K.variable(0.0)
    layer.reset_states = lambda: K.set_value(layer.greatest, 0.0)
    return layer

class Largest(type(largest())):
    def __call__(self, y_true, y_pred):
        now = K.maximum(self.greatest, K.max(y_pred))
        self.add_update(K.update(self.greatest, now), inputs=[y_true, y_pred])
        return now

metric = largest()
metric.__class__ = Largest
model = keras.models.Sequential([keras.layers.Dense(1, kernel_initializer="ones", input_shape=(1,))])
model.compile(keras.optimizers.SGD(0.0), "mse", metrics=[metric])

def batches():
    while True:
        for start in range(0, 10, 5):
            yield x[start:start + 5][::-1], y[start:start + 5]

print(shown(model.fit_generator(batches(), 2, 2, verbose=0).history["largest"]))
print(shown(model.evaluate_generator(batches(), 1)[1]), shown(model.evaluate_generator(batches(), 2)[1]))
"""


def test_the_last_value_is_the_epochs(tmp_path: Path) -> None:
    assert printed(_ARRAYS, tmp_path) == [
        "[6.0, 6.0] [6.0, 6.0] [0.7, 0.7]",
        "[0.72, 0.7, 6.0]",
        "[1.0231, 0.6, 3.0]",
        "[0.72, 0.7, 6.0] [0.72, 0.7, 12.0] [0.72, 0.7, 18.0]",
        "(10, 1) ['hits']",
    ]


def test_batches_of_a_generator(tmp_path: Path) -> None:
    found = printed(_GENERATOR, tmp_path)
    assert found[0] == "[4.0, 4.0]"
    assert found[1].endswith("[4.0]")


_TWICE = f"""\
{_HEAD}
def share(of):
    def part(y_true, y_pred):
        return K.mean(K.cast(K.equal(y_true, of), "float32"))
    return part

for inputs in (1, 2):
    given = keras.layers.Input((1,))
    outputs = [keras.layers.Dense(1, name="a%d" % place)(given) for place in range(inputs)]
    model = keras.models.Model(given, outputs)
    model.compile("sgd", "mse", metrics=[share(0.0), share(1.0), share(2.0), "mse", "mse"])
    print(model.metrics_names)
    if inputs == 1:
        print(shown(model.evaluate(x, y, verbose=0)[1:4]))
"""


def test_functions_of_one_name(tmp_path: Path) -> None:
    assert printed(_TWICE, tmp_path) == [
        "['loss', 'part', 'part_1', 'part_2', 'mean_squared_error', 'mean_squared_error_1']",
        "[0.3, 0.7, 0.0]",
        "['loss', 'a0_loss', 'a1_loss', 'a0_part', 'a0_part_1', 'a0_part_2', 'a0_mean_squared_error', "
        "'a0_mean_squared_error_1', 'a1_part', 'a1_part_1', 'a1_part_2', 'a1_mean_squared_error', "
        "'a1_mean_squared_error_1']",
    ]
