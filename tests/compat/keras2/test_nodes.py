"""Calls of layers, and the axis of a batch normalization: as TF 1.15.5's own Keras and Keras 2.2.5 have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import tensorflow as tf

import compat
from compat.keras2 import layers, models
from tests.compat.keras2.process import printed

_NETWORK = """\
a, b = Input((3,)), Input((2,))
joined = concatenate([Dense(2, name="x")(a), b], name="c")
Model([a, b], Dense(1, name="o")(joined))
"""

_CALLS = f"""\
from compat.keras2.standalone.layers import Dense, Input, concatenate
from compat.keras2.standalone.models import Model

{_NETWORK}
for node in joined._keras_history[0]._inbound_nodes:
    print([tuple(tensor.shape.as_list()) for tensor in node.input_tensors], len(node.output_tensors))
    print(node.input_shapes, node.output_shapes, node.node_indices, node.tensor_indices)
    print([layer.name for layer in node.inbound_layers], node.outbound_layer.name, node.outbound_layer.output_shape)
first = a._keras_history[0]._outbound_nodes[0]
print(first.input_shapes, first.node_indices, len(first.input_tensors), first.outbound_layer.input_shape)
"""

_UPDATES = """\
import compat.keras2.standalone.backend as K
from compat.keras2.standalone.layers import BatchNormalization, Input

normalization = BatchNormalization(momentum=0.5)
images = Input((2,))
normalization(images)
updates = []
for node in normalization._inbound_nodes:
    for tensor in node.input_tensors:
        updates += normalization.get_updates_for(tensor)
K.function([images, K.learning_phase()], [normalization.moving_mean], updates)([[[1.0, 2.0], [3.0, 4.0]], 1])
print(K.get_value(normalization.moving_mean).round(3).tolist())
"""

_AXES = """\
import json
from compat.keras2.standalone.layers import BatchNormalization, Conv2D, Input
from compat.keras2.standalone.models import Model, model_from_json

images = Input((4, 4, 2))
third = BatchNormalization(axis=3, name="third")
last = BatchNormalization(name="last")
model = Model(images, last(third(images)))
print(third.axis, last.axis, last.axis == -1, last.axis in (-1, 3), last.get_config()["axis"])
print([layer["config"].get("axis") for layer in json.loads(model.to_json())["config"]["layers"]])
again = model_from_json(model.to_json())
print(again.layers[-1].axis, len(again.get_weights()))
"""


def test_calls_of_layers_of_the_stand_alone_package(tmp_path: Path) -> None:
    assert printed(_CALLS, tmp_path) == [
        "[(None, 2), (None, 2)] 1",
        "[(None, 2), (None, 2)] [(None, 4)] [0, 0] [0, 0]",
        "['x', 'input_2'] c (None, 4)",
        "[(None, 3)] [0] 1 (None, 3)",
    ]


def test_updates_by_the_tensors_of_a_node(tmp_path: Path) -> None:
    assert printed(_UPDATES, tmp_path) == ["[2.0, 3.0]"]


def test_the_axis_is_the_number_that_was_given(tmp_path: Path) -> None:
    assert printed(_AXES, tmp_path) == ["3 -1 True True -1", "[None, 3, -1]", "-1 8"]


def test_where_inputs_of_a_call_come_from() -> None:
    with compat.Graph().as_default():
        given, other = layers.Input((3,)), layers.Input((2,))
        dense = layers.Dense(2)
        joined = layers.Concatenate()([dense(given), other])
        twice = dense(given)
        layer, again = joined._keras_history[0], layers.Dense(1)
        again(twice)
    assert (
        json.dumps([layer._inbound_nodes[0].node_indices, layer._inbound_nodes[0].tensor_indices]) == "[[0, 0], [0, 0]]"
    )
    assert (again._inbound_nodes[0].node_indices, again._inbound_nodes[0].tensor_indices) == (1, 0)


def test_a_model_has_a_node_of_its_own_before_those_of_its_calls() -> None:
    with compat.Graph().as_default():
        x, y = layers.Input((3,), name="x"), layers.Input((3,), name="y")
        model = models.Model(x, layers.Dense(2)(x), name="m")
        called = model(y)
        outer = models.Model(y, layers.Dense(1)(called))
        assert [[layer.name for layer in _flat(node.inbound_layers)] for node in model._inbound_nodes] == [[], ["y"]]
        assert model._inbound_nodes[0].outbound_layer is model
        assert (called._keras_history.node_index, len(model._outbound_nodes)) == (1, 1)
        assert [len(layer._inbound_nodes) for layer in outer.layers] == [1, 2, 1]
        again = models.model_from_json(outer.to_json())
        assert [len(layer._inbound_nodes) for layer in again.layers] == [1, 2, 1]
        assert model.get_input_at(0) is x and model.get_input_at(1) is y
        assert (model.get_output_shape_at(0), model.output.shape.as_list()) == ((None, 2), [None, 2])


def test_a_list_of_layers_keeps_one_node_of_its_own_while_it_grows() -> None:
    with compat.Graph().as_default():
        model = models.Sequential([layers.Dense(2, input_shape=(3,))])
        model.add(layers.BatchNormalization())
        assert len(model._inbound_nodes) == 1
        model.pop()
        model(layers.Input((3,)))
        assert [len(_flat(node.inbound_layers)) for node in model._inbound_nodes] == [0, 1]
        later = models.Sequential([layers.Dense(2)])
        assert len(later._inbound_nodes) == 0
        result = later(layers.Input((3,)))
        assert len(later._inbound_nodes) == 1 and later.output is result and later.output_shape == (None, 2)


def _flat(found: object) -> list[Any]:
    return tf.nest.flatten(found)  # type: ignore[no-any-return]


def test_a_stand_alone_model_gives_the_same_for_the_same_tensors(tmp_path: Path) -> None:
    program = """\
import numpy as np
import compat.keras2.standalone.backend as K
from compat.keras2.standalone.layers import BatchNormalization, Dense, Dropout, Input
from compat.keras2.standalone.models import Model, Sequential
x, y = Input((8,)), Input((8,))
model = Model(x, Dropout(0.5)(x))
f = K.function([y, K.learning_phase()], [model(y) - model(y)])
print(abs(f([np.ones((2, 8)), 1])[0]).sum())
normal = Sequential([Dense(8, input_shape=(8,)), BatchNormalization()])
print(len(normal.updates), len(normal.layers[-1].updates))
outer = Model(y, normal(y))
normal(y)
print(len(outer.updates), len(normal.updates), len(normal.layers[-1].updates), len(normal.get_updates_for(y)))
"""
    assert printed(program, tmp_path) == ["0.0", "2 2", "2 2 4 2"]
