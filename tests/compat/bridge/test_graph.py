"""`compat.Graph`: TF1's graph to the code that builds it, TF2 to everything else."""

import json
import operator
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.bridge.graph import current_graph


def test_tensors_of_a_graph_hash_and_compare_by_identity(graph):
    a, b = tf.constant(1), tf.constant(1)
    assert {a: "a", b: "b"}[a] == "a"
    assert a in [b, a] and [b, a].index(a) == 1
    assert (a == b) is False and (a == a) is True
    assert (a != b) is True and (a != a) is False and (a != 0.0) is True and operator.ne(0.0, a) is True
    compared = []
    tf.cond(tf.constant(True), lambda: compared.append(a != b) or a, lambda: b)
    assert compared == [True]


def test_eager_tensors_keep_tf2_semantics(graph):
    with tf.init_scope():
        eager = tf.constant([1, 2])
        assert tf.reduce_all(eager == tf.constant([1, 2])) and not tf.reduce_any(eager != tf.constant([1, 2]))
        with pytest.raises(TypeError, match="unhashable"):
            hash(eager)


def test_the_ambient_graph_opens_and_closes(graph):
    assert current_graph() is graph is compat.get_default_graph()
    assert tf.constant(1).graph is graph
    compat.open_graph()
    compat.close_graph()
    assert current_graph() is graph
    compat.close_graph()
    assert current_graph() is None and tf.executing_eagerly()
    assert compat.get_default_graph() is graph
    compat.open_graph()


def test_reset_gives_an_empty_graph(graph):
    tf.constant(1, name="old")
    compat.reset_default_graph()
    assert compat.get_default_graph() is not graph
    assert tf.constant(2, name="old").op.name == "old"
    with compat.Graph().as_default(), pytest.raises(AssertionError, match="nested graphs"):
        compat.reset_default_graph()


def test_a_tf_function_called_while_building_is_outside_the_graph(graph):
    seen = []

    @tf.function
    def native(x):
        seen.append(current_graph())
        return tf.where((x == 1) & (x != 2), x + 1, 0)

    result = native(tf.constant(1))
    assert seen == [None]
    with compat.Session() as session:
        assert session.run(result) == 2


def test_the_graph_is_seen_from_inside_loops_and_branches(graph):
    seen = []

    def branch():
        seen.append(current_graph())
        return 1

    tf.cond(tf.constant(True), branch, lambda: 2)
    assert seen and all(found is graph for found in seen)


def test_variables_are_eager_tf_variables(graph):
    w = compat.Variable([1.0, 2.0], name="w")
    session = compat.Session()
    session.run(w.initializer)
    session.run(w.assign_add([1.0, 1.0]).op)
    compat.close_graph()
    assert isinstance(w, tf.Variable) and w.trainable
    np.testing.assert_array_equal(w.numpy(), [2, 3])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    np.testing.assert_array_equal(tape.gradient(loss, w), [4, 6])
    w.assign([0.0, 5.0])
    compat.open_graph()
    assert session.run(w).tolist() == [0, 5]


def test_variable_names_and_ops(graph):
    first, second = compat.Variable(1), compat.Variable(2)
    assert (first.name, second.name) == ("Variable:0", "Variable_1:0")
    assert first.op.name == "Variable" and first.initializer.name == "Variable/Assign"
    assert graph.get_tensor_by_name("Variable_1:0") is graph.as_graph_element(second)


def test_initialized_value_of_another_variable(graph):
    first = compat.Variable(3.0)
    second = compat.Variable(first.initialized_value() * 2)
    with compat.Session() as session:
        session.run([first.initializer, second.initializer])
        assert session.run(second) == 6.0


def test_load_sets_the_value_at_once(graph):
    w = compat.Variable(tf.zeros([2]))
    w.load([1, 2])
    assert w.numpy().tolist() == [1, 2]
    with pytest.raises(ValueError, match="Cannot load"):
        w.load([1, 2, 3])


def test_placeholders_outside_a_graph_say_what_to_do():
    with pytest.raises(RuntimeError, match="open_graph"):
        compat.placeholder(tf.float32)


def test_a_seeded_operation_has_one_state_whatever_is_fetched_beside_it(graph):
    numbers = tf.raw_ops.RandomUniform(shape=[3], dtype=tf.float32, seed=11, seed2=22)
    view = tf.identity(numbers)
    with compat.Session() as session:
        first, second, third = session.run(numbers), session.run(view), session.run([numbers, view])[0]
    assert not np.array_equal(first, second) and not np.array_equal(second, third)
    with compat.Session() as session:
        np.testing.assert_array_equal(session.run(view), first)
        np.testing.assert_array_equal(session.run(numbers), second)


@pytest.mark.usefixtures("cpu")
@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("RandomUniform", {"dtype": tf.float32}),
        ("RandomStandardNormal", {"dtype": tf.float32}),
        ("TruncatedNormal", {"dtype": tf.float64}),
        ("RandomUniformInt", {"minval": -9, "maxval": 1000}),
    ],
)
def test_seeded_operations_give_the_bits_of_tf1(graph, operation, arguments):
    recorded = json.loads((Path(__file__).parents[2] / "goldens" / "random.json").read_text())[operation]
    numbers = getattr(tf.raw_ops, operation)(shape=[5], seed=11, seed2=22, **arguments)
    with compat.Session() as session:
        for want in recorded:
            got = session.run(numbers)
            np.testing.assert_array_equal(got, np.array(want, got.dtype))


def test_inputs_are_found_by_the_type_of_operations(graph):
    x = compat.placeholder(tf.float32, [None, 2], name="x")
    w = compat.Variable([[1.0], [2.0]], name="w")
    tf.matmul(x, w, name="y")
    assert [op.name for op in graph.get_operations() if op.type == "Placeholder"] == ["x"]
    assert graph.get_operations()[0].name == "x" and graph.get_operations()[-1].name == "y"


def test_variables_are_written_as_tensorflow_1_wrote_them(graph):
    """What `print(v)` showed in TensorFlow 1.15.5: its default variables were references."""
    w = compat.get_variable("w", [2, 1])
    n = compat.get_variable("n", [], dtype=tf.int64, use_resource=True)
    d = compat.Variable(compat.placeholder(tf.float32, [None, 2]), validate_shape=False, name="d")
    assert [str(w), repr(n), f"{d}"] == [
        "<tf.Variable 'w:0' shape=(2, 1) dtype=float32_ref>",
        "<tf.Variable 'n:0' shape=() dtype=int64>",
        "<tf.Variable 'd:0' shape=<unknown> dtype=float32_ref>",
    ]
