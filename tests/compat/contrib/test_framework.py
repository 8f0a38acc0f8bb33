"""contrib.framework: arg scopes, finding variables, reading checkpoints into them."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

framework = compat.contrib.framework
slim = compat.contrib.slim


@framework.add_arg_scope
def paint(what: str, colour: str = "white", coats: int = 1) -> tuple[str, str, int]:
    """A function to scope."""
    return what, colour, coats


@framework.add_arg_scope
def polish(what: str, coats: int = 1) -> tuple[str, int]:
    """Another one."""
    return what, coats


def test_arg_scopes_nest_and_calls_win() -> None:
    with framework.arg_scope([paint, polish], coats=2):
        assert paint("door") == ("door", "white", 2)
        with framework.arg_scope([paint], colour="red"):
            assert paint("door") == ("door", "red", 2)
            assert paint("door", coats=5) == ("door", "red", 5)
            assert polish("floor") == ("floor", 2)
        assert paint("door") == ("door", "white", 2)
    assert paint("door") == ("door", "white", 1)


def test_an_arg_scope_can_be_entered_again() -> None:
    with framework.arg_scope([paint], colour="blue") as scope:
        pass
    with framework.arg_scope([paint], colour="green", coats=3), framework.arg_scope(scope):
        assert paint("door") == ("door", "blue", 1)
        assert framework.current_arg_scope() == scope
    with pytest.raises(ValueError, match="kwargs must be empty"), framework.arg_scope(scope, coats=1):
        pass


def test_an_error_leaves_the_scope() -> None:
    with pytest.raises(RuntimeError), framework.arg_scope([paint], colour="red"):
        raise RuntimeError
    assert paint("door") == ("door", "white", 1)


def test_wrong_arg_scopes() -> None:
    with pytest.raises(ValueError, match="not decorated"), framework.arg_scope([len]):
        pass
    with pytest.raises(TypeError, match="list/tuple"), framework.arg_scope(paint):
        pass
    assert framework.has_arg_scope(paint)
    assert not framework.has_arg_scope(len)
    assert framework.arg_scoped_arguments(paint) == ("colour", "coats")


def test_slim_and_layers_are_the_same_functions() -> None:
    layers = compat.contrib.layers
    with compat.VariableStore(), slim.arg_scope([layers.conv2d], padding="VALID", activation_fn=None):
        assert slim.conv2d(tf.ones([1, 5, 5, 1]), 2, 3).shape == (1, 3, 3, 2)
    assert framework.has_arg_scope(slim.batch_norm)


@pytest.fixture
def variables() -> Any:
    with compat.VariableStore() as store:
        with compat.variable_scope("conv1"):
            framework.model_variable("weights", [2], initializer=compat.ones_initializer())
            framework.model_variable("biases", [1], initializer=compat.zeros_initializer())
        with compat.variable_scope("conv2"):
            framework.model_variable("weights", [2], initializer=compat.ones_initializer())
        framework.local_variable(0.0, name="seen")
        framework.global_variable(1, name="step")
        yield store


def _names(found: Any) -> list[str]:
    return [variable.name for variable in found]


def test_finding_variables(variables: compat.VariableStore) -> None:
    models = ["conv1/weights:0", "conv1/biases:0", "conv2/weights:0"]
    assert _names(framework.get_model_variables()) == models
    assert _names(framework.get_variables()) == [*models, "step:0"]
    assert _names(framework.get_trainable_variables("conv1")) == models[:2]
    assert _names(framework.get_local_variables()) == ["seen:0"]
    assert _names(framework.get_variables_by_suffix("weights")) == ["conv1/weights:0", "conv2/weights:0"]
    assert _names(framework.get_variables_by_name("weights", scope="conv2")) == ["conv2/weights:0"]
    assert _names(framework.get_variables_by_name("step")) == ["step:0"]
    assert framework.get_unique_variable("conv1/biases").name == "conv1/biases:0"
    assert _names(framework.get_variables_to_restore(exclude=["conv1"])) == ["conv2/weights:0", "step:0"]
    assert _names(framework.get_variables_to_restore(include=["conv2", "step"])) == ["conv2/weights:0", "step:0"]
    everything = framework.get_variables()
    assert _names(framework.filter_variables(everything, ["weights"], ["conv2"])) == ["conv1/weights:0"]
    assert _names(framework.filter_variables(everything, ["weights"], reg_search=False)) == []
    for missing in ("conv", "nothing"):
        with pytest.raises(ValueError, match=missing):
            framework.get_unique_variable(missing)
    with pytest.raises(TypeError, match="exclude is provided"):
        framework.get_variables_to_restore(exclude="conv1")


def test_marking_model_variables_once(variables: compat.VariableStore) -> None:
    step = framework.get_unique_variable("step")
    for _ in range(2):
        framework.add_model_variable(step)
    assert _names(framework.get_model_variables("step")) == ["step:0"]


def _saved(folder: pathlib.Path) -> str:
    with compat.Graph().as_default(), compat.Session() as session:
        compat.get_variable("a", initializer=np.float32([1.0, 2.0]))
        compat.get_variable("b", initializer=np.float32([[3.0]]))
        session.run(compat.global_variables_initializer())
        return str(compat.train.Saver().save(session, str(folder / "model.ckpt")))


def test_reading_a_checkpoint(tmp_path: pathlib.Path) -> None:
    path = _saved(tmp_path)
    assert framework.list_variables(path) == [("a", [2]), ("b", [1, 1])]
    assert framework.load_variable(str(tmp_path), "b:0").tolist() == [[3.0]]
    assert framework.load_checkpoint(path).has_tensor("a")


def test_assigning_from_a_checkpoint_under_the_bridge(tmp_path: pathlib.Path) -> None:
    path = _saved(tmp_path)
    with compat.Graph().as_default(), compat.Session() as session:
        first = compat.get_variable("a", [2])
        other = compat.get_variable("other", [1, 1])
        lone = compat.get_variable("lone", [2])
        session.run(compat.global_variables_initializer())
        operation, feeds = framework.assign_from_checkpoint(path, {"a": [first, lone], "b": other})
        session.run(operation, feeds)
        assert [session.run(each).tolist() for each in (first, lone, other)] == [[1.0, 2.0], [1.0, 2.0], [[3.0]]]
        session.run(lone.initializer)
        restore = framework.assign_from_checkpoint_fn(path, [first, lone], ignore_missing_vars=True)
        first.load([0.0, 0.0], session)
        restore(session)
        assert session.run(first).tolist() == [1.0, 2.0]
        with pytest.raises(ValueError, match=r"Checkpoint is missing variable \[lone\]"):
            framework.assign_from_checkpoint(path, [lone])
        with pytest.raises(ValueError, match="must be unchanged for b"):
            framework.assign_from_checkpoint(path, {"b": first})
        assert framework.assign_from_checkpoint_fn(path, [lone], ignore_missing_vars=True) is None
        with pytest.raises(ValueError, match="empty"):
            framework.assign_from_checkpoint_fn(path, [])


def test_assigning_natively(tmp_path: pathlib.Path) -> None:
    path = _saved(tmp_path)
    with compat.VariableStore():
        first = compat.get_variable("a", [2])
        assert framework.assign_from_checkpoint(path, [first]) == (None, {})
        assert first.numpy().tolist() == [1.0, 2.0]
        framework.assign_from_values_fn({"a": np.float32([5.0, 6.0])})(None)
        assert first.numpy().tolist() == [5.0, 6.0]
        with pytest.raises(ValueError, match="wasn't found"):
            framework.assign_from_values({"missing": np.zeros(2)})


def test_assigning_values_under_the_bridge() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        first = compat.get_variable("a", [2, 1])
        compat.get_variable("ab", [1])
        operation, feeds = framework.assign_from_values({"a": np.float32([1.0, 2.0])})
        session.run(operation, feeds)
        assert session.run(first).tolist() == [[1.0], [2.0]]


def test_tensor_checks() -> None:
    assert framework.assert_same_float_dtype([tf.ones([1], tf.float64), None]) == tf.float64
    assert framework.assert_same_float_dtype() == tf.float32
    for wrong in ([tf.ones([1]), tf.ones([1], tf.float64)], [tf.ones([1], tf.int32)]):
        with pytest.raises(ValueError, match=r"dtype|floating"):
            framework.assert_same_float_dtype(wrong)
    assert int(framework.assert_scalar_int(tf.constant(3))) == 3
    for wrong_scalar in (tf.constant(1.0), tf.constant([1])):
        with pytest.raises(ValueError, match="Expected"):
            framework.assert_scalar_int(wrong_scalar)
    assert float(framework.reduce_sum_n([tf.ones([2]), tf.ones([3, 1])])) == 5.0
    assert framework.with_shape([2], tf.ones([2])).shape == (2,)
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        framework.with_same_shape(tf.ones([3]), tf.ones([2]))
    predictions, labels = framework.remove_squeezable_dimensions(tf.ones([4, 1]), tf.ones([4]))
    assert predictions.shape == labels.shape == (4,)
    assert framework.sort(tf.constant([3, 1, 2]), direction="DESCENDING").numpy().tolist() == [3, 2, 1]
    assert framework.argsort(tf.constant([3, 1, 2])).numpy().tolist() == [1, 2, 0]


def test_smart_cond() -> None:
    assert framework.smart_cond(True, lambda: 1, lambda: 2) == 1
    assert framework.smart_cond(0, lambda: 1, lambda: 2) == 2
    assert framework.smart_cond(tf.constant(False), lambda: 1, lambda: 2) == 2
    chosen = tf.function(lambda flag: framework.smart_cond(flag, lambda: tf.constant(1), lambda: tf.constant(2)))
    assert int(chosen(tf.constant(True))) == 1
    assert framework.smart_constant_value(tf.constant(True)) is True
    with pytest.raises(TypeError, match="must be a Tensor, or a Python bool"):
        framework.smart_cond("yes", lambda: 1, lambda: 2)


def test_nest() -> None:
    nest = framework.nest
    assert nest.flatten({"b": [1, 2], "a": (3,)}) == [3, 1, 2]
    assert nest.pack_sequence_as([0, (0, 0)], [1, 2, 3]) == [1, (2, 3)]
    assert nest.is_sequence([1])
    assert not nest.is_sequence("text")
    assert nest.flatten_up_to([0, 0], [[1, 2], 3]) == [[1, 2], 3]
    assert nest.map_structure_up_to([0, 0], lambda each: each * 2, [[1], 2]) == [[1, 1], 4]
    assert list(nest.yield_flattened_up_to([0, 0], [[1, 2], 3])) == [[1, 2], 3]
