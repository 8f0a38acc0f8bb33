"""`keras.legacy.interfaces`, and what the backend of Keras 2.2.4 had besides: as Keras 2.2.5 on TF 1.15.5 did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.compat.keras2.process import printed

pytestmark = pytest.mark.usefixtures("own_tensorflow")


def test_decorators_of_copied_layers(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone import backend as K, layers, models
from compat.keras2.standalone.legacy import interfaces

own = interfaces.generate_legacy_interface(
    allowed_positional_args=["size"], conversions=[("length", "size")], value_conversions={"mode": {"th": "first"}}
)

class Scaled(layers.Layer):
    @own
    def __init__(self, size=2, mode="last", **kwargs):
        super(Scaled, self).__init__(**kwargs)
        self.size, self.mode = size, mode

    @interfaces.legacy_add_weight_support
    def add_weight(self, name, shape, **kwargs):
        return super(Scaled, self).add_weight(name=name, shape=shape, **kwargs)

    def build(self, input_shape):
        self.kernel = self.add_weight((input_shape[-1],), "scale", initializer="ones")
        super(Scaled, self).build(input_shape)

    def call(self, x):
        return x * self.kernel * self.size

class Net(layers.Dense):
    @interfaces.legacy_dense_support
    def __init__(self, units, **kwargs):
        super(Net, self).__init__(units, **kwargs)

told = []
for wrong in (lambda: Scaled(1, 2), lambda: Scaled(length=2, size=3)):
    try:
        wrong()
    except TypeError as error:
        told.append(str(error)[:40])
scaled = Scaled(length=3, mode="th")
model = models.Sequential([Net(output_dim=2, init="one", bias=False, input_dim=2), scaled])
print(json.dumps({
    "values": model.predict(np.ones((1, 2))).tolist(),
    "weights": [weight.name for weight in model.weights],
    "mode": scaled.mode,
    "told": told,
}))
"""
    found = json.loads(printed(program, tmp_path)[-1])
    assert found["values"] == [[6.0, 6.0]]
    assert found["weights"] == ["net_1/kernel:0", "scaled_1/scale:0"]
    assert found["mode"] == "first"
    assert found["told"][0] == "`Scaled` can accept only 1 positional ar"
    assert len(found["told"]) == 2


def test_orderings_of_images_and_losses_of_tensors(tmp_path: Path) -> None:
    program = """
import json
import numpy as np
import compat
compat.open_graph()
from compat.keras2.standalone import backend as K
from compat.keras2.standalone.layers import Dense, Input
from compat.keras2.standalone.models import Model

K.set_image_dim_ordering("th")
orderings = [K.image_dim_ordering(), K.image_data_format()]
K.set_image_dim_ordering("tf")
given = Input((3,))
hidden = Dense(2, kernel_initializer="ones", name="hidden")(given)
model = Model(given, Dense(1, kernel_initializer="ones", name="last")(hidden))
model.add_loss(K.mean(K.square(hidden)) * 0.5)
model.compile("sgd", "mse")
history = model.fit(np.ones((4, 3)), np.zeros((4, 1)), epochs=1, verbose=0)
x, limits = K.constant([-2.0, 1.0, 3.0]), K.constant([1.0, 0.5, 2.0])
print(json.dumps({
    "orderings": orderings + [K.image_dim_ordering(), K.image_data_format()],
    "loss": float(history.history["loss"][0]),
    "layers": [layer.name for layer in model.layers],
    "losses": len(model.losses),
    "relu": K.get_session().run(K.relu(x, x * 0.5, limits)).tolist(),
    "clip": K.get_session().run(K.clip(x, x * 2, limits)).tolist(),
    "sum": float(K.get_session().run(K.tf.reduce_sum(K.tf.ones([3])))),
}))
"""
    found = json.loads(printed(program, tmp_path)[-1])
    assert found == {
        "orderings": ["th", "channels_first", "tf", "channels_last"],
        "loss": 40.5,
        "layers": ["input_1", "hidden", "last"],
        "losses": 1,
        "relu": [2.0, 0.5, 2.0],
        "clip": [-2.0, 2.0, 6.0],
        "sum": 3.0,
    }
