"""`error.op` and `error.node_def` of what a run raises: the operation that failed, as TensorFlow 1 gave it."""

from __future__ import annotations

from typing import Any

import pytest
import tensorflow as tf

import compat


def build(x: Any) -> dict[str, tf.Tensor]:
    with tf.name_scope("deep"):
        cut = tf.reshape(x, [2, 2], name="square")
        checked = tf.debugging.check_numerics(tf.math.log(x), "no number", name="check")

    def body(turn: Any) -> Any:
        with tf.device("/cpu:0"):  # A GPU gathers 0 from where there is nothing, and goes on for ever.
            return turn + tf.cast(tf.gather(x, turn + 7, name="pick"), tf.int32)

    return {
        "deep/square": cut,
        "deep/check": checked,
        "loop/pick": compat.while_loop(lambda turn: turn < 2, body, [0], name="loop"),
        "cond/inner": compat.cond(x[0] > -1.0, lambda: tf.reshape(x, [2, 2], name="inner"), lambda: x),
    }


NAMES = [
    ("deep/square", "Reshape"),
    ("deep/check", "CheckNumerics"),
    ("loop/pick", "GatherV2"),
    ("cond/inner", "Reshape"),
]


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_in_a_session(name: str, kind: str) -> None:
    with compat.Graph().as_default() as graph, compat.Session() as session:
        x = compat.placeholder(tf.float32, [None], name="x")
        built = build(x)
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(built[name], {x: [0.0, 1.0, 2.0]})
        assert (caught.value.op.name, caught.value.op.type, caught.value.node_def.name) == (name, kind, name)
        if "/pick" not in name and "/inner" not in name:
            assert caught.value.op is graph.get_operation_by_name(name)


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_in_steps(name: str, kind: str) -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [None], "x")
        step = compat.step(build(x)[name], x)
    for _ in range(2):  # The second call takes a shorter way.
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            step([0.0, 1.0, 2.0])
        assert (caught.value.op.name, caught.value.op.type) == (name, kind)


def test_an_input_without_its_value() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [], "x")
        step = compat.step(x + 1.0)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        step()
    assert caught.value.op is x.op and caught.value.node_def.name == "x"


def test_the_end_of_the_data() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        given = compat.data.make_one_shot_iterator(tf.data.Dataset.range(1)).get_next()
        session.run(given)
        with pytest.raises(tf.errors.OutOfRangeError) as caught:
            session.run(given)
        assert caught.value.op.type == "IteratorGetNext"


def test_messages_begin_with_what_went_wrong() -> None:
    """As TensorFlow 1.15.5 wrote them: programs print the first line, or compare how it begins."""
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [None], "x")
        checked = tf.debugging.check_numerics(tf.math.log(x), "bad log")
        cut = tf.reshape(x, [2, 2])
        step, other = compat.step(checked, x), compat.step([cut], x)
    with compat.Graph().as_default(), compat.Session() as session:
        row = compat.data.make_one_shot_iterator(tf.data.Dataset.range(1)).get_next()
        session.run(row)
        with pytest.raises(tf.errors.OutOfRangeError) as ended:
            session.run(row)
    assert ended.value.message.startswith("End of sequence")
    for _ in range(2):  # The second call takes a shorter way.
        with pytest.raises(tf.errors.InvalidArgumentError) as first:
            step([-1.0])
        assert first.value.message.startswith("bad log : Tensor had NaN values")
        with pytest.raises(tf.errors.InvalidArgumentError) as second:
            other([1.0])
        assert second.value.message.startswith("Input to reshape is a tensor with 1 values, but the requested shape")
