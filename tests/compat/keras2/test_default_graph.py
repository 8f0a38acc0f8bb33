"""Stand-alone Keras where nobody opened a graph: functions of a library that are called from anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.compat.keras2.process import printed

pytestmark = pytest.mark.usefixtures("own_tensorflow")


def test_a_library_trains_as_in_keras_2_2(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import tensorflow as tf
import compat
from compat.keras2.standalone import backend as K
from compat.keras2.standalone.layers import Dense
from compat.keras2.standalone.models import Sequential, load_model
from compat.keras2.standalone.optimizers import SGD

def trained(optimizer):
    model = Sequential([Dense(1, kernel_initializer="ones", input_shape=(2,))])
    model.compile(optimizer, "mse", metrics=["accuracy"])
    history = model.fit(x, x[:, :1] * 2, batch_size=3, epochs=2, shuffle=False, verbose=0)
    model.save("model.h5")
    return history.history

x = np.linspace(-1, 1, 16).reshape(8, 2)
eager = tf.executing_eagerly()
rate = SGD(lr=0.1, momentum=0.9, clipnorm=0.1)
found = [eager, trained(rate), trained("sgd"), load_model("model.h5").predict(x[:1]).tolist()]
print(json.dumps(found + [float(K.get_value(K.variable(2.0))), compat.get_default_graph() is tf.constant(1.0).graph]))
"""
    eager, clipped, plain, predicted, value, is_default = json.loads(printed(program, tmp_path)[-1])
    assert (eager, value, is_default) == (True, 2.0, True)
    assert sorted(clipped) == ["acc", "loss"]
    np.testing.assert_allclose(clipped["loss"], [0.016475111, 0.004409683], rtol=1e-5)
    np.testing.assert_allclose(plain["loss"], [0.017356827, 0.015346649], rtol=1e-5)
    np.testing.assert_allclose(predicted, [[-1.87977982]], rtol=1e-5)


def test_a_store_is_a_graph(tmp_path: Path) -> None:
    program = """
import numpy as np
import tensorflow as tf
import compat
from compat.keras2.standalone.layers import Dense

with compat.VariableStore():
    x = compat.Input(tf.float32, [None, 2])
    with compat.building():
        y = Dense(1, kernel_initializer="ones")(x)
        start = compat.global_variables_initializer()
    compat.step(updates=[start])()
    print(compat.step(y, x)(np.ones((1, 2))).tolist(), tf.executing_eagerly())
"""
    assert printed(program, tmp_path)[-1] == "[[2.0]] True"
