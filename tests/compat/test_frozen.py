"""Functions and Keras models as frozen graphs, and frozen graphs as functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

POINTS = np.array([[1.0, 2.0], [3.0, -4.0]], np.float32)
READ_BY_TF1 = """\
import sys
import tensorflow as tf
definition = tf.GraphDef()
with open(sys.argv[1], "rb") as file:
    definition.ParseFromString(file.read())
tf.import_graph_def(definition, name="")
with tf.Session() as session:
    print(session.run(["y:0", "norm:0"], {"x:0": [[1.0, 2.0], [3.0, -4.0]]}))
"""


class Scaled(tf.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        self.weights = tf.Variable([[2.0, 0.0], [0.0, 3.0]])

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, "x")])
    def run(self, x: Any) -> Any:
        with tf.device("/cpu:0"):
            y = tf.matmul(x, self.weights)
        return y, tf.norm(y)


@pytest.fixture
def model() -> Scaled:
    return Scaled()


@pytest.mark.parametrize("name", ["frozen.pb", "frozen.pbtxt"])
def test_there_and_back(name: str, model: Scaled, tmp_path: Path) -> None:
    graph_def = compat.freeze(model.run, ["y", "norm"], tmp_path / name)
    assert not any("Variable" in node.op or node.op == "ReadVariableOp" for node in graph_def.node)
    model.weights.assign(tf.zeros([2, 2]))  # the constants are those of the moment
    run = compat.load_frozen(tmp_path / name, ["x"], ["y", "norm"])
    y, norm = run(tf.constant(POINTS))
    np.testing.assert_array_equal(y, POINTS * [2.0, 3.0])
    np.testing.assert_allclose(norm, np.linalg.norm(POINTS * [2.0, 3.0]), rtol=1e-6)


def test_tensorflow_1_reads_it(run_legacy: Callable[..., str], model: Scaled, tmp_path: Path) -> None:
    compat.freeze(model.run, ["y", "norm"], tmp_path / "frozen.pb")
    printed = run_legacy(READ_BY_TF1, str(tmp_path / "frozen.pb"))
    y, norm = eval(printed, {"array": np.array, "float32": np.float32})
    np.testing.assert_array_equal(y, POINTS * [2.0, 3.0])
    np.testing.assert_allclose(norm, np.linalg.norm(y), rtol=1e-6)


def test_what_the_old_recipe_gives_becomes_a_function(tmp_path: Path) -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        x = compat.placeholder(tf.float32, [None, 2], name="x")
        weights = compat.Variable([[2.0, 0.0], [0.0, 3.0]])
        tf.matmul(x, weights, name="y")
        session.run(weights.initializer)
        frozen = compat.graph_util.convert_variables_to_constants(session, session.graph_def, ["y"])
    np.testing.assert_array_equal(compat.load_frozen(frozen, ["x"], ["y"])(POINTS), POINTS * [2.0, 3.0])


def test_devices_are_kept_or_forgotten(model: Scaled) -> None:
    kept, cleared = (compat.freeze(model.run, clear_devices=clear) for clear in (False, True))
    assert any(node.device for node in kept.node)
    assert not any(node.device for node in cleared.node)
    assert {"output", "output_1"} <= {node.name for node in cleared.node}


def test_an_operation_that_has_the_name_of_the_output_is_the_output() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, "x")])
    def squared(x: Any) -> Any:
        return tf.square(tf.identity(x, name="z"), name="y"), tf.negative(x)

    graph_def = compat.freeze(squared, ["y", "n"])
    assert {node.name: node.op for node in graph_def.node}["y"] == "Square"
    y, n = compat.load_frozen(graph_def, ["x"], ["y", "n"])([3.0])
    assert (y.numpy().tolist(), n.numpy().tolist()) == ([9.0], [-3.0])
    with pytest.raises(ValueError, match="has a node 'z' already"):
        compat.freeze(squared, ["y", "z"])


def test_a_keras_model_with_two_inputs() -> None:
    a, b = tf.keras.Input([2], name="a"), tf.keras.Input([2], name="b")
    model = tf.keras.Model([a, b], tf.keras.layers.Dense(1, kernel_initializer="ones")(a) - b)
    graph_def = compat.freeze(model, ["difference"])
    assert [node.name for node in graph_def.node if node.op == "Placeholder"] == ["a", "b"]
    run = compat.load_frozen(graph_def, ["a", "b"], ["difference"])
    np.testing.assert_allclose(run(POINTS, 2 * POINTS), model([POINTS, 2 * POINTS]))


def test_a_loaded_graph_can_be_saved_in_a_module(model: Scaled, tmp_path: Path) -> None:
    holder = tf.Module()
    loaded = compat.load_frozen(compat.freeze(model.run, ["y", "norm"]), ["x"], ["y"])
    holder.run = tf.function(loaded, input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    tf.saved_model.save(holder, str(tmp_path / "saved"))
    again = tf.saved_model.load(str(tmp_path / "saved"))
    np.testing.assert_array_equal(again.run(POINTS), POINTS * [2.0, 3.0])


def test_what_cannot_be_frozen(model: Scaled) -> None:
    with pytest.raises(TypeError, match="no input_signature"):
        compat.freeze(tf.function(lambda x: x))
    with pytest.raises(TypeError, match="not 3"):
        compat.freeze(3)
    with pytest.raises(ValueError, match="has 2 outputs"):
        compat.freeze(model.run, ["y"])
    with pytest.raises(ValueError, match="has a node 'x' already"):
        compat.freeze(model.run, ["x", "y"])
    with pytest.raises(ValueError, match="z"):
        compat.load_frozen(compat.freeze(model.run), ["x"], ["z"])(POINTS)
