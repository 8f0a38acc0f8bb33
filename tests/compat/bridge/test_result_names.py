"""Results of functions have the names that TF 1.15.5 gave them, and updates its inputs: programs look for them."""

from __future__ import annotations

import pytest
import tensorflow as tf

import compat

pytestmark = pytest.mark.usefixtures("graph")


def test_branches_end_with_a_merge():
    flag, x = compat.placeholder(tf.bool, [], name="flag"), compat.placeholder(tf.float32, [2], name="x")
    first, second = compat.cond(flag, lambda: (x * 2.0, x), lambda: (x, x + 1.0), name="choice")
    assert (first.name, second.name) == ("choice/Merge:0", "choice/Merge_1:0")
    dropped = compat.layers.dropout(x, 0.5, training=flag, name="drop")
    assert dropped.name == "drop/cond/Merge:0"
    with compat.Session() as session:
        found = session.run("choice/Merge_1:0", {"flag:0": False, "x:0": [1.0, 2.0]})
        assert found.tolist() == [2.0, 3.0]


def test_loops_end_with_exits():
    n = compat.placeholder(tf.int32, [], name="n")
    loop = compat.while_loop(lambda i, _: i < n, lambda i, s: (i + 1, s + tf.cast(i, tf.float32)), [0, 0.5])
    assert [each.name for each in loop] == ["while/Exit:0", "while/Exit_1:0"]
    counted = compat.while_loop(lambda i: i < 9, lambda i: i + 2, [0], maximum_iterations=n)
    assert counted.name == "while_1/Exit_1:0"
    inputs = compat.placeholder(tf.float32, [2, 3, 4])
    outputs, state = compat.nn.dynamic_rnn(compat.nn.rnn_cell.GRUCell(5), inputs, dtype=tf.float32, time_major=True)
    assert (outputs.name, state.name) == ("rnn/TensorArrayStack/TensorArrayGatherV3:0", "rnn/while/Exit_3:0")
    with compat.Session() as session:
        assert session.run("while/Exit_1:0", {n: 3}) == 3.5
        assert session.run("while_1/Exit_1:0", {n: 2}) == 4


def test_a_loop_has_its_gradient_by_its_named_result():
    x = compat.placeholder(tf.float32, [])
    _, cubed = compat.while_loop(lambda i, _: i < 2, lambda i, s: (i + 1, s * x), [0, x])
    with compat.Session() as session:
        assert session.run(tf.gradients(cubed, x), {x: 2.0}) == [12.0]


def test_layers_and_lookups():
    x = compat.placeholder(tf.float32, [2, 4])
    image = compat.placeholder(tf.float32, [1, 4, 4, 1])
    table = compat.get_variable("table", [3, 2])
    assert compat.nn.dropout(x, 0.5, name="drop").name == "drop/mul_1:0"
    assert [tf.nn.max_pool2d(image, 2, 2, "SAME").name for _ in range(2)] == ["MaxPool:0", "MaxPool_1:0"]
    assert tf.nn.avg_pool2d(image, 2, 2, "SAME").name == "AvgPool:0"
    assert tf.gather(table, [0]).name == "GatherV2:0"
    assert compat.map_fn(tf.abs, x).name == "map/TensorArrayStack/TensorArrayGatherV3:0"
    assert table.read_value().name == "read:0"


@pytest.mark.parametrize("kind", ["assign", "assign_add", "assign_sub"])
def test_what_an_update_was_given_can_be_fed(kind):
    variable = compat.get_variable("v", initializer=[1.0, 2.0])
    one = getattr(compat, kind)(variable, [5.0, 5.0])
    other = getattr(variable, kind)([6.0, 6.0], name="other")
    assert (one.op.name.replace("_", "").lower(), other.name) == (kind.replace("_", ""), "other:0")
    with compat.Session() as session:
        for update in (one, other):
            session.run(variable.initializer)
            session.run(update.op, {update.op.inputs[1]: [10.0, 20.0]})
            expected = {"assign": [10, 20], "assign_add": [11, 22], "assign_sub": [-9, -18]}[kind]
            assert session.run(variable).tolist() == expected


def test_a_fetched_update_shows_what_later_ones_left():
    variable = compat.get_variable("v", initializer=1.0)
    first = variable.assign(5.0)
    with tf.control_dependencies([first]):
        second = variable.assign_add(2.0)
    with compat.Session() as session:
        session.run(variable.initializer)
        assert session.run([first, second, variable]) == [7.0, 7.0, 7.0]


@pytest.mark.parametrize("use_resource", [False, True])
def test_no_gradient_goes_through_an_update_of_a_default_variable(use_resource):
    variable = compat.get_variable("v", initializer=2.0, use_resource=use_resource)
    other = compat.get_variable("w", initializer=3.0)
    loss = variable.assign(other * other) * 5.0 + variable.assign_add(1.0) * other
    of_variable, of_other = tf.gradients(loss, [variable, other])
    assert (of_variable is None) is not use_resource
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert session.run(of_other) in (3.0, 4.0, 9.0, 10.0)
