"""Frozen graphs of TensorFlow 1.15.5 as functions: what its sessions computed, and what functions cannot hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.framework import graph_pb2

import compat

# Writes frozen graphs, and what runs of them gave: each is a graph, its inputs, its outputs, and what was fed.
LEGACY = """
import json, sys
import numpy as np
import tensorflow as tf

def of_flow():
    x, train = tf.placeholder(tf.float32, [None, 2], "x"), tf.placeholder(tf.bool, [], "train")
    y = tf.cond(train, lambda: x * tf.Variable([2.0, 3.0]), lambda: x[:, :2])
    tf.identity(tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a + y), [0, tf.zeros_like(y)])[1], "y")

def of_cells():
    x = tf.placeholder(tf.float32, [None, 3, 2], "x")
    cell = tf.nn.rnn_cell.BasicLSTMCell(2)
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.ones([1, 3, 2]) * x, dtype=tf.float32)
    tf.reduce_mean(outputs, axis=2, name="y")

def of_drawing():
    x = tf.placeholder(tf.float32, [2], "x")
    tf.add(tf.random_uniform([2], seed=3), x, "y")
    tf.reduce_sum(tf.get_default_graph().get_tensor_by_name("y:0"), name="z")

def of_parts():
    first, second = tf.split(tf.placeholder(tf.int32, [4], "x"), 2, name="parts")
    with tf.control_dependencies([tf.Assert(first[0] > 0, [first])]):
        tf.add(first, second * tf.constant(2, name="factor"), "y")

def of_tables():
    words = tf.contrib.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    tf.identity(tf.contrib.lookup.HashTable(words, -1).lookup(tf.placeholder(tf.string, [None], "x")), "y")

def of_variables():
    tf.add(tf.Variable(1.0, name="w"), tf.placeholder(tf.float32, [], "x"), "y")

def of_iterators():
    tf.identity(tf.data.Dataset.range(3).make_one_shot_iterator().get_next(), "y")

outputs, results = {"drawing": ["y", "z"]}, []
kinds = ("flow", 1), ("cells", 1), ("drawing", 1), ("parts", 1), ("tables", 1), ("variables", 0), ("iterators", 1)
for name, kept in kinds:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        np.random.seed(0)
        tf.set_random_seed(1)
        globals()["of_" + name]()
        session.run(tf.global_variables_initializer())
        words = {} if kept else {"variable_names_blacklist": ["w"]}
        found = tf.graph_util.convert_variables_to_constants(
            session, graph.as_graph_def(), outputs.get(name, ["y"]), **words)
        with open(sys.argv[1] + "/" + name + ".pb", "wb") as file:
            file.write(found.SerializeToString())
for name, inputs, asked, feeds in json.loads(sys.argv[2]):
    with tf.Graph().as_default(), open(sys.argv[1] + "/" + name + ".pb", "rb") as file:
        definition = tf.GraphDef()
        definition.ParseFromString(file.read())
        tf.import_graph_def(definition, name="")
        with tf.Session() as session:
            results.append([session.run(asked, dict(zip(inputs, fed))).tolist() for fed in feeds])
print(json.dumps(results))
"""
POINTS = [[1.0, 2.0], [3.0, -4.0]]
RUNS: list[tuple[str, list[str], str, list[list[Any]]]] = [
    ("flow", ["x:0", "train:0"], "y:0", [[POINTS, True], [POINTS, False]]),
    ("cells", ["x:0"], "y:0", [[[[[1.0, 2.0]] * 3]]]),
    ("drawing", ["x:0"], "y:0", [[[0, 0]], [[1, 1]], [[0, 0]]]),
    ("drawing", ["y:0"], "z:0", [[[1, 2.5]]]),
    ("parts", ["x:0"], "y:0", [[[1.9, 2.2, 3, 4]], [[5, 6, True, False]]]),
    ("parts", ["parts:1", "x:0"], "y:0", [[[7, 8], [1, 2, 3, 4]]]),
    ("parts", ["factor:0", "x:0"], "y:0", [[10, [1, 2, 3, 4]]]),
    ("parts", ["x:0"], "x:0", [[[1.9, 2, 3, 4]]]),
]


@pytest.fixture(scope="module")
def frozen(run_legacy: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """The folder of the frozen graphs, and what TensorFlow 1.15.5 computed."""
    folder = tmp_path_factory.mktemp("graphs")
    return folder, json.loads(run_legacy(LEGACY, str(folder), json.dumps(RUNS)))


def loaded(frozen: tuple[Path, list[Any]], name: str, prefix: str = "") -> compat.FrozenGraph:
    return compat.FrozenGraph(graph_pb2.GraphDef.FromString((frozen[0] / f"{name}.pb").read_bytes()), prefix)


@pytest.mark.parametrize("index", range(len(RUNS)))
@pytest.mark.parametrize("eager", [False, True])
def test_computes_what_a_session_computed(index: int, eager: bool, frozen: tuple[Path, list[Any]]) -> None:
    name, inputs, output, feeds = RUNS[index]
    tf.config.run_functions_eagerly(eager)
    try:
        function = loaded(frozen, name).function(inputs, output)
        found = [function(*fed) for fed in feeds]
    finally:
        tf.config.run_functions_eagerly(False)
    for value, expected in zip(found, frozen[1][index], strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-6)


def test_seeded_numbers_begin_with_each_function(frozen: tuple[Path, list[Any]]) -> None:
    graph = loaded(frozen, "drawing")
    for _ in range(2):
        function = graph.function(["x:0"], "y:0")
        np.testing.assert_allclose([function(*fed) for fed in RUNS[2][3]], frozen[1][2], rtol=1e-6)
    assert len({tuple(value) for value in frozen[1][2]}) == 3


def test_functions_that_draw_the_same_numbers(frozen: tuple[Path, list[Any]]) -> None:
    graph = loaded(frozen, "drawing")
    graph.function(["x:0"], "y:0")
    graph.function(["y:0"], "z:0")  # needs none of them
    with pytest.raises(ValueError, match="two functions would draw the seeded random numbers of random_uniform"):
        graph.function(["x:0"], "z:0")


@pytest.mark.parametrize(
    ("name", "kind"), [("tables", "HashTableV2"), ("variables", "VariableV2"), ("iterators", "OneShotIterator")]
)
def test_what_keeps_a_state(name: str, kind: str, frozen: tuple[Path, list[Any]]) -> None:
    graph = loaded(frozen, name)
    with pytest.raises(ValueError, match=rf"\({kind}\) keeps a state between runs.* --tier bridge"):
        graph.function(["x:0"] if name != "iterators" else [], "y:0")


def test_names_begin_with_what_the_import_was_given(frozen: tuple[Path, list[Any]]) -> None:
    for prefix, name in (("import", "import/x:0"), ("net/", "net/x:0"), ("", "x:0")):
        graph = loaded(frozen, "parts", prefix)
        assert graph.function([name], [name])([1, 2, 3, 4])[0].numpy().tolist() == [1, 2, 3, 4]
    with pytest.raises(KeyError, match="'x:0' refers to a Tensor which does not exist"):
        loaded(frozen, "parts", "import").function(["x:0"], "import/y:0")


def test_errors_of_names_and_values(frozen: tuple[Path, list[Any]]) -> None:
    graph = loaded(frozen, "parts")
    with pytest.raises(ValueError, match="Operation, not a Tensor"):
        graph.function(["x"], "y:0")
    with pytest.raises(KeyError, match="missing"):
        graph.function(["x:0"], "missing:0")
    with pytest.raises(ValueError, match="given twice"):
        graph.function(["x:0", "x:0"], "y:0")
    function = graph.function(["x:0"], "y:0")
    with pytest.raises(ValueError, match=r"Cannot feed value of shape \(2,\) for Tensor 'x:0'"):
        function([1, 2])
    with pytest.raises(TypeError, match="takes 1 values, not 2"):
        function([1, 2, 3, 4], 5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
        function([0, 2, 3, 4])
    with pytest.raises(tf.errors.InvalidArgumentError, match="must feed a value for placeholder"):
        graph.function([], "y:0")()


def test_the_definition_may_be_filled_anew(frozen: tuple[Path, list[Any]]) -> None:
    definition = graph_pb2.GraphDef.FromString((frozen[0] / "parts.pb").read_bytes())
    graph = compat.FrozenGraph(definition, "")
    definition.Clear()
    assert graph.function(["x:0"], "y:0")([1, 2, 3, 4]).numpy().tolist() == [7, 10]


def test_a_function_is_made_once_and_called_in_functions(frozen: tuple[Path, list[Any]]) -> None:
    graph = loaded(frozen, "flow")
    function = graph.function(["x:0", "train:0"], "y:0")
    assert graph.function(["x:0", "train:0"], "y:0") is function
    inside = tf.function(lambda x: function(x, tf.constant(True)) + 1.0)
    np.testing.assert_allclose(inside(tf.constant(POINTS)), np.array(frozen[1][0][0]) + 1.0)
