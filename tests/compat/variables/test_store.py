"""The store in plain TF2: passes, retracing, several functions, build, initialize, checkpoints, errors."""

from __future__ import annotations

import pathlib
import threading
import time
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


def two_layers(x: Any) -> Any:
    with compat.variable_scope("net"):
        weights = compat.get_variable("w", [2, 2], initializer=compat.ones_initializer())
    return tf.matmul(x, weights) + compat.Variable(1.0, name="bias")


def test_each_entry_is_a_pass_over_the_same_variables() -> None:
    store = compat.VariableStore()
    for _ in range(3):
        with store:
            two_layers(tf.ones([1, 2]))
    assert [variable.name for variable in store.variables] == ["net/w:0", "bias:0"]


def test_a_second_use_in_one_pass_is_an_error() -> None:
    with compat.VariableStore():
        two_layers(tf.ones([1, 2]))
        with pytest.raises(ValueError, match="Variable net/w already exists, disallowed"):
            two_layers(tf.ones([1, 2]))


def test_retracing_finds_the_variables() -> None:
    store = compat.VariableStore()

    @tf.function(autograph=False)
    def step(x: tf.Tensor) -> tf.Tensor:
        with store:
            return two_layers(x)

    for rows in (1, 2, 3):
        np.testing.assert_allclose(step(tf.ones([rows, 2])), np.full([rows, 2], 3.0))
    assert len(store.variables) == 2


def test_functions_traced_inside_one_entry_each_are_a_pass() -> None:
    store = compat.VariableStore()
    with store:
        first = tf.function(lambda x: two_layers(x), autograph=False)
        second = tf.function(lambda x: two_layers(x) * 2.0, autograph=False)
        assert float(first(tf.ones([1, 2]))[0, 0]) == 3.0
        assert float(second(tf.ones([1, 2]))[0, 0]) == 6.0
    assert len(store.variables) == 2


def test_a_branch_belongs_to_the_trace_around_it() -> None:
    store = compat.VariableStore()

    @tf.function(autograph=False)
    def step(flag: tf.Tensor) -> tf.Tensor:
        def scaled() -> tf.Tensor:
            with compat.variable_scope("", reuse=True):
                return compat.get_variable("w", [])

        with store:
            compat.get_variable("w", [], initializer=compat.ones_initializer())
            return tf.cond(flag, scaled, lambda: tf.constant(5.0))

    assert [float(step(tf.constant(flag))) for flag in (True, False)] == [1.0, 5.0]


def test_two_stores_are_apart() -> None:
    first, second = compat.VariableStore(), compat.VariableStore()
    with first:
        outer = compat.get_variable("w", [1])
        with second:
            inner = compat.get_variable("w", [1])
        assert compat.trainable_variables() == [outer]
    assert outer is not inner
    assert second.variables == (inner,)


def test_build_makes_the_variables_once_and_seals_the_store() -> None:
    store = compat.VariableStore()
    result = store.build(lambda: two_layers(tf.zeros([1, 2])).shape)
    assert result == (1, 2)
    assert [variable.name for variable in store.variables] == ["net/w:0", "bias:0"]
    with store, pytest.raises(ValueError, match="v is not among the variables that VariableStore"):
        compat.get_variable("v", [1])
    store.build(lambda: compat.get_variable("v", [1]))
    assert len(store.variables) == 3


def test_a_step_may_reuse_what_only_the_build_created() -> None:
    store = compat.VariableStore()
    store.build(lambda: two_layers(tf.zeros([1, 2])))
    with store, compat.variable_scope("net", reuse=True):
        assert compat.get_variable("w", [2, 2]) is store.find("net/w")
        with pytest.raises(ValueError, match="Variable net/missing does not exist"):
            compat.get_variable("missing", [1])


def test_a_failed_build_leaves_the_store_open() -> None:
    store = compat.VariableStore()
    with pytest.raises(ZeroDivisionError):
        store.build(lambda: 1 // 0)
    with store:
        compat.get_variable("v", [1])
    assert len(store.variables) == 1


def test_another_pass_must_ask_for_the_same_shape_and_dtype() -> None:
    store = compat.VariableStore()
    with store:
        compat.get_variable("w", [2])
    with store, pytest.raises(ValueError, match=r"share variable w, but specified shape \(3,\) and found shape \(2,\)"):
        compat.get_variable("w", [3])
    with store, pytest.raises(ValueError, match="specified dtype float64 and found dtype float32"):
        compat.get_variable("w", [2], dtype=tf.float64)


def test_initialize_sets_initial_values_again() -> None:
    store = compat.VariableStore()
    with store:
        constant = compat.get_variable("c", [2], initializer=compat.constant_initializer(3.0))
        drawn = compat.get_variable("d", [100])
        counted = compat.Variable(7)
    before = drawn.numpy()
    for variable in (constant, counted):
        variable.assign(tf.zeros_like(variable))
    store.initialize([constant])
    assert counted.numpy() == 0
    store.initialize()
    np.testing.assert_array_equal(constant, [3.0, 3.0])
    assert counted.numpy() == 7
    assert not np.array_equal(drawn.numpy(), before)


def test_initializers_act_at_once_natively() -> None:
    store = compat.VariableStore()
    with store:
        trained = compat.get_variable("a", [], initializer=compat.ones_initializer())
        local = compat.get_local_variable("b", [], initializer=compat.ones_initializer())
        for variable in (trained, local):
            variable.assign(5.0)
        compat.local_variables_initializer()
        assert [float(trained), float(local)] == [5.0, 1.0]
        compat.global_variables_initializer()
        assert float(trained) == 1.0
        assert compat.report_uninitialized_variables().numpy().tolist() == []
        assert bool(compat.is_variable_initialized(trained))


def test_an_initial_value_computed_in_a_trace_is_lifted_out_of_it() -> None:
    store = compat.VariableStore()

    @tf.function(autograph=False)
    def step(x: tf.Tensor) -> tf.Tensor:
        with store:
            first = compat.Variable(tf.range(3.0) * 2.0, name="first")
            second = compat.Variable(first.read_value() + 1.0, name="second")
            return x + first + second

    np.testing.assert_allclose(step(tf.zeros([3])), [1.0, 5.0, 9.0])
    store.find("second").assign([0.0, 0.0, 0.0])
    store.initialize()
    np.testing.assert_allclose(store.find("second"), [1.0, 3.0, 5.0])


def test_an_initial_value_from_an_argument_is_refused() -> None:
    store = compat.VariableStore()

    @tf.function(autograph=False)
    def step(x: tf.Tensor) -> tf.Tensor:
        with store:
            return x + compat.Variable(x * 2.0)

    with pytest.raises(ValueError, match="depends on an argument of the function that is being traced"):
        step(tf.ones([2]))


def test_a_checkpoint_holds_the_variables_and_nothing_else(tmp_path: pathlib.Path) -> None:
    store = compat.VariableStore()
    with store:
        two_layers(tf.ones([1, 2]))
        compat.add_to_collection("mine", store.variables[0])
    path = tf.train.Checkpoint(store=store).write(str(tmp_path / "saved"))
    names = [name for name, _ in tf.train.list_variables(path)]
    assert sum(name.endswith("VARIABLE_VALUE") for name in names) == 2
    for variable in store.variables:
        variable.assign(tf.zeros_like(variable))
    tf.train.Checkpoint(store=store).read(path).assert_consumed()
    np.testing.assert_array_equal(store.find("net/w"), np.ones([2, 2]))


def test_collections_of_variables_stay_and_others_belong_to_the_pass() -> None:
    store = compat.VariableStore()
    with store:
        variable = compat.get_variable("w", [1], trainable=False)
        compat.add_to_collection("mine", variable)
        compat.add_to_collection("mine", "loss")
        compat.add_to_collections(["mine", "yours"], 3)
        assert compat.get_collection("mine") == [variable, "loss", 3]
        compat.get_collection_ref("yours").append(4)
        assert compat.get_collection("yours") == [3, 4]
    with store:
        assert compat.get_collection("mine") == [variable]
        assert compat.get_collection("yours") == []
        assert compat.global_variables() == [variable]
        assert compat.trainable_variables() == []


def test_an_eager_pass_sees_what_a_trace_inside_it_creates() -> None:
    store = compat.VariableStore()
    with store:
        assert compat.trainable_variables() == []
        tf.function(lambda: two_layers(tf.ones([1, 2])), autograph=False)()
        assert [variable.name for variable in compat.trainable_variables()] == ["net/w:0", "bias:0"]


def test_module_properties_keep_the_order_of_creation() -> None:
    store = compat.VariableStore()
    with store:
        for name in ("z", "a", "m"):
            compat.get_variable(name, [1], trainable=name != "a")
    assert [variable.name for variable in store.variables] == ["z:0", "a:0", "m:0"]
    assert [variable.name for variable in store.trainable_variables] == ["z:0", "m:0"]
    with tf.GradientTape() as tape:
        loss = tf.add_n([tf.reduce_sum(variable) for variable in store.variables])
    assert len(tape.gradient(loss, store.trainable_variables)) == 2


def test_without_a_store_the_error_says_how_to_get_one() -> None:
    for use in (lambda: compat.get_variable("w", [1]), lambda: compat.Variable(1.0), compat.trainable_variables):
        with pytest.raises(ValueError, match=r"store = compat.VariableStore\(\)"):
            use()


def test_properties_of_created_variables() -> None:
    def clip(value: Any) -> Any:
        return tf.clip_by_value(value, 0.0, 1.0)

    with compat.VariableStore():
        variable = compat.get_variable("w", [2], constraint=clip, trainable=False)
        loose = compat.Variable([1.0, 2.0], validate_shape=False, dtype=tf.float64)
        assert variable.constraint is clip
        assert not variable.trainable
        assert loose.dtype == tf.float64
        loose.assign([1.0, 2.0, 3.0])
        assert isinstance(variable, compat.Variable)
        assert not isinstance(1.0, compat.Variable)


def test_default_initializers_by_dtype() -> None:
    with compat.VariableStore():
        assert compat.get_variable("i", [2], tf.int32).numpy().tolist() == [0, 0]
        assert compat.get_variable("b", [2], tf.bool).numpy().tolist() == [False, False]
        assert compat.get_variable("s", [1], tf.string).numpy().tolist() == [b""]
        limit = np.sqrt(6.0 / 7.0)
        assert np.abs(compat.get_variable("f", [3, 4])).max() <= limit
        with pytest.raises(ValueError, match="An initializer for variable c of"):
            compat.get_variable("c", [2], tf.complex64)


def test_initializers_of_other_kinds() -> None:
    with compat.VariableStore():
        assert compat.get_variable("none", initializer=lambda: tf.constant([1.0, 2.0])).shape == [2]
        assert compat.get_variable("value", initializer=np.float32([[3.0]])).numpy().tolist() == [[3.0]]
        assert compat.get_variable("tf2", [2], initializer=tf.ones_initializer()).numpy().tolist() == [1.0, 1.0]
        with pytest.raises(ValueError, match=r"Shape of a new variable \(open\) must be fully defined"):
            compat.get_variable("open", [None, 2])
        with pytest.raises(ValueError, match="don't match"):
            compat.get_variable("typed", initializer=np.float32(1.0), dtype=tf.int32)


def test_functions_that_are_traced_in_several_threads_share_their_variables() -> None:
    store = compat.VariableStore()

    def slowly(shape: object, dtype: object = None, partition_info: object = None) -> tf.Tensor:
        time.sleep(0.05)
        return tf.zeros(shape, dtype)

    def function() -> Any:
        @tf.function
        def compute() -> tf.Tensor:
            with store:
                return tf.identity(compat.get_variable("w", [2], initializer=slowly))

        return compute

    functions = [function() for _ in range(4)]
    threads = [threading.Thread(target=compute) for compute in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    (variable,) = store.variables
    variable.assign([1.0, 2.0])
    assert [compute().numpy().tolist() for compute in functions] == [[1.0, 2.0]] * 4


def test_stores_of_a_family_share_the_collections_that_code_names() -> None:
    class Net:
        pass

    def make(store: compat.VariableStore) -> list[str]:
        with store:
            compat.get_variable("w", [], collections=["mine", compat.GraphKeys.GLOBAL_VARIABLES])
            return [variable.name for variable in compat.get_collection("mine")]

    one, two, other = (compat.VariableStore(family=kind) for kind in (Net, Net, type("Other", (), {})))
    assert make(one) == make(other) == ["w:0"]
    assert make(two) == ["w:0", "w:0"]
    with one:
        assert len(compat.get_collection("mine")) == 1, "those made later are none of its own"
    with two:
        shared = compat.get_collection("mine")
        assert shared[0] is one.variables[0] and shared[1] is two.variables[0]
        assert len(compat.global_variables()) == len(two.variables) == len(two.trainable_variables) == 1


def test_a_checkpoint_of_a_store_holds_none_of_its_family(tmp_path: pathlib.Path) -> None:
    class Net:
        pass

    stores = [compat.VariableStore(family=Net) for _ in range(2)]
    for number, store in enumerate(stores):
        with store:
            compat.get_variable(f"w{number}", [], collections=["mine", compat.GraphKeys.GLOBAL_VARIABLES])
    path = tf.train.Checkpoint(store=stores[1]).write(str(tmp_path / "saved"))
    names = [name for name, _ in tf.train.list_variables(path)]
    assert any("w1" in name for name in names) and not any("w0" in name for name in names)


def test_unnamed_variables_of_eager_code_and_of_a_builder_are_two() -> None:
    store = compat.VariableStore()
    with store:
        compat.Variable(1.0)

    def build() -> Any:
        return compat.Variable(5.0) * 2.0

    with pytest.raises(ValueError, match=r"Two variables without a name would both be 'Variable'"):
        store.build(build)


def test_a_builder_called_eagerly_and_in_a_function_makes_the_same_unnamed_variables() -> None:
    store = compat.VariableStore()

    def build() -> Any:
        return [compat.Variable(float(number)) for number in range(3)]

    with store:
        eager = build()

    @tf.function
    def total() -> Any:
        with store:
            return tf.add_n([variable.read_value() for variable in build()])

    assert float(total()) == 3.0
    assert [variable.name for variable in eager] == ["Variable:0", "Variable_1:0", "Variable_2:0"]
    assert len(store.variables) == 3


def test_a_store_that_is_entered_in_an_open_graph_is_the_one_asked(graph: Any) -> None:
    store = compat.VariableStore()
    compat.get_variable("of_the_graph", initializer=1.0)
    with store:
        compat.get_variable("of_the_store", initializer=2.0)
        assert [variable.name for variable in compat.global_variables()] == ["of_the_store:0"]
        with compat.Graph().as_default():
            compat.get_variable("of_another_graph", initializer=2.0)
            assert [variable.name for variable in compat.global_variables()] == ["of_another_graph:0"]
    assert [variable.name for variable in compat.global_variables()] == ["of_the_graph:0"]
