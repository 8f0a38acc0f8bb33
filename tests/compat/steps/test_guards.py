"""What a step must not do in silence: each of these raises, or is what TensorFlow 1.15 did."""

from __future__ import annotations

import gc
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.eager import context

import compat
from tests.compat.train.own_process import result_of

HERE = __file__.rpartition("/")[2]


def test_a_list_of_fetches_is_that_of_the_moment() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [])
        fetches, named = [x + 1.0], {"a": x + 2.0}
    step = compat.step([fetches, named], x)
    fetches.append(x)
    named["b"] = x
    assert step(1.0) == [[2.0], {"a": 3.0}]


def test_other_fetches_in_the_same_list_are_run() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [])
        first, second = x + 1.0, x + 2.0
    fetches = [first]
    assert compat.run(fetches, {x: 1.0}) == [2.0]
    fetches[0] = second
    assert compat.run(fetches, {x: 1.0}) == [3.0]


def test_fetches_that_are_gone_are_not_taken_for_new_ones() -> None:
    with compat.VariableStore():
        x = compat.Input(tf.float32, [])
        for number in range(30):
            value = compat.build(tf.add, x, float(number))
            assert compat.run({"value": value}, {x: 1.0}) == {"value": number + 1.0}
            del value
            gc.collect(0)


def test_a_builder_that_fails_half_way() -> None:
    @compat.builder
    def build(fails: bool) -> tf.Tensor:
        w = compat.get_variable("w", [], initializer=compat.zeros_initializer())
        compat.add_to_collection("losses", w * 2.0)
        if fails:
            raise KeyError("half way")
        return w * 2.0

    with compat.VariableStore():
        whole = compat.step(build(False))
        assert whole() == 0.0
    with compat.VariableStore() as store:
        with pytest.raises(KeyError, match="half way"):
            build(True)
        for use in (lambda: build(False), lambda: compat.Input(tf.float32), lambda: compat.run("w:0")):
            with pytest.raises(RuntimeError, match=r"half built.*half way"):
                use()
        assert len(store.graph.get_collection("losses")) == 1
    with compat.VariableStore():
        assert compat.run(build(False)) == 0.0
    assert whole() == 0.0


def test_a_builder_that_fails_before_it_builds_does_no_harm() -> None:
    @compat.builder
    def build(size: int) -> tf.Tensor:
        if size < 0:
            raise ValueError(size)
        return tf.zeros([size])

    with compat.VariableStore():
        with pytest.raises(ValueError, match="-1"):
            build(-1)
        assert compat.run(build(2)).shape == (2,)


def test_a_builder_that_catches_what_another_raises_is_whole() -> None:
    @compat.builder
    def build() -> tf.Tensor:
        raise ValueError(tf.zeros([2]).name)

    @compat.builder
    def build_all() -> tf.Tensor:
        try:
            return build()
        except ValueError:
            return tf.ones([2], name="ones")

    with compat.VariableStore():
        assert compat.run(build_all()).tolist() == [1.0, 1.0]
        assert compat.run("zeros:0").tolist() == [0.0, 0.0]


def test_steps_that_are_bound_say_that_their_graph_is_half_built() -> None:
    with compat.VariableStore():
        x = compat.Input(tf.float32, [])
        step = compat.step(compat.build(tf.negative, x), x)
        assert step(1.0) == step(1.0) == -1.0
        with pytest.raises(KeyboardInterrupt), compat.building():
            compat.Variable(2.0)
            raise KeyboardInterrupt
        inside = tf.function(lambda: step(1.0), autograph=False)
        for use in (lambda: step(1.0), step.get_concrete_function, inside, lambda: compat.run(x, {x: 1.0})):
            with pytest.raises(RuntimeError, match=r"half built.*KeyboardInterrupt"):
                use()


def _in_eight_threads(call: Callable[[int], Any]) -> list[Any]:
    results: list[Any] = [None] * 8
    ready = threading.Barrier(8)

    def work(number: int) -> None:
        ready.wait()
        try:
            results[number] = call(number)
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_first_calls_in_eight_threads() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [])
        count = compat.Variable(0, name="count")
        more = compat.assign_add(count, 1, use_locking=True)
        steps = [compat.step(x * float(number), x, updates=more) for number in range(4)]
    assert _in_eight_threads(lambda number: steps[number % 4](2.0)) == [2.0 * (number % 4) for number in range(8)]
    assert count.numpy() == 8
    assert len(x.graph.runs) == 4


def test_first_runs_in_eight_threads() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [])
        count = compat.Variable(0, name="count")
        fetches = [x * 2.0, compat.assign_add(count, 1, use_locking=True)]
    found = _in_eight_threads(lambda number: compat.run(fetches, {x: float(number)})[0])
    assert found == [2.0 * number for number in range(8)]
    assert count.numpy() == 8
    assert len(fetches[0].graph.runs) == 1


def test_steps_of_the_same_share_what_they_pruned() -> None:
    with compat.VariableStore(), compat.building():
        x, y = compat.Input(tf.float32, []), compat.Input(tf.float32, [])
        count = compat.Variable(0, name="count")
        total, more = x + y, compat.assign_add(count, 1)
    for number in range(3):
        assert compat.step({"total": total}, x, y, updates=more)(1.0, float(number)) == {"total": 1.0 + number}
        assert compat.step({"total": total}, y, x, updates=[more])(1.0, 2.0) == {"total": 3.0}
    assert compat.step([total], x, y)(1.0, 1.0) == [2.0] and count.numpy() == 6
    assert len(x.graph.runs) == 3


def test_building_in_eight_threads() -> None:
    def build(number: int) -> Any:
        with compat.building():
            w = compat.get_variable(f"w{number}", [], initializer=compat.constant_initializer(float(number)))
            x = compat.Input(tf.float32, [])
            return compat.step(w * x, x)(2.0)

    with pytest.raises(RuntimeError, match="while a graph is built"):
        build(0)
    compat.reset_default_graph()

    def build_and_run(number: int) -> Any:
        with compat.building():
            w = compat.get_variable(f"w{number}", [], initializer=compat.constant_initializer(float(number)))
            x = compat.Input(tf.float32, [])
            step = compat.step(w * x, x)
        return step(2.0)

    assert _in_eight_threads(build_and_run) == [2.0 * number for number in range(8)]
    assert len(compat.global_variables()) == 8


def test_steps_share_one_copy_of_a_large_constant() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.int32, [])
        large = tf.constant(np.arange(2**20, dtype=np.float32), name="large")
        small = tf.constant(np.arange(2**10, dtype=np.float32))
        steps = [compat.step(large[x + number] + small[number], x) for number in range(4)]
    assert [step(5) for step in steps] == [5.0, 7.0, 9.0, 11.0]
    runs = [run for _, run in large.graph.runs.values()]
    sizes = [context.context().get_function_def(run.pruned.name).ByteSize() for run in runs]
    assert len(sizes) == 4
    assert max(sizes) < 20_000
    assert len({id(tensor) for run in runs for tensor in run.pruned.captures}) == 1
    # The graph says what TensorFlow 1.15's said.
    assert [node.op for node in large.graph.as_graph_def().node if node.name == "large"] == ["Const"]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="says what memory a process holds")
def test_memory_for_a_constant_of_200_megabytes() -> None:
    found = result_of("tests.compat.steps.large_constant_program")
    assert found["results"] == [1000.0, 1001.0, 1002.0, 1003.0]
    first, *later = found["held"][1:]
    assert first - found["held"][0] < 1.5
    assert max(later) - first < 0.1


def test_a_step_in_a_function_is_run_at_each_call() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [])
        count = compat.Variable(0.0)
        step = compat.step([x * 2.0, count, tf.random.uniform([], seed=1)], x, updates=compat.assign_add(count, 1.0))

    @tf.function
    def outer(value: tf.Tensor) -> Any:
        return step(value)

    found = [[float(each) for each in outer(tf.constant(float(number)))] for number in range(3)]
    assert [each[:2] for each in found] == [[0.0, 1.0], [2.0, 2.0], [4.0, 3.0]]
    assert len({each[2] for each in found}) == 3


def test_a_step_is_not_called_while_a_graph_is_built() -> None:
    with compat.VariableStore():
        x = compat.Input(tf.float32, [])
        step = compat.step(compat.build(tf.negative, x), x)
        with pytest.raises(RuntimeError, match="while a graph is built"), compat.building():
            step(1.0)
        assert step(1.0) == -1.0

        @tf.function
        def inside() -> Any:
            return step(1.0)

        with pytest.raises(RuntimeError, match="while a graph is built"), compat.building():
            inside()


def test_tensors_of_another_store() -> None:
    with compat.VariableStore(), compat.building():
        x, v = compat.Input(tf.float32, [], "x"), compat.Variable(1.0, name="v")
    with compat.VariableStore():
        y = compat.Input(tf.float32, [], "y")
        with pytest.raises(RuntimeError, match="another"):
            compat.build(tf.add, x, y)
    with compat.VariableStore():
        y = compat.Input(tf.float32, [], "y")
        with pytest.raises(RuntimeError, match="not of its store"):
            compat.build(tf.add, v, y)
    with compat.VariableStore():
        y = compat.Input(tf.float32, [], "y")
        for wrong in (
            lambda: compat.step(y, x)(1.0),
            lambda: compat.step(x, y)(1.0),
            lambda: compat.step([v, y], y)(1.0),
        ):
            with pytest.raises((TypeError, ValueError)):
                wrong()
        with pytest.raises((TypeError, ValueError)):
            compat.run(y, {x: 1.0, y: 1.0})


def test_a_variable_that_no_saver_would_see() -> None:
    with compat.VariableStore():
        plain = tf.Variable(1.0)
        with pytest.raises(RuntimeError, match="no saver"):
            compat.build(tf.add, plain, 1.0)
    with compat.VariableStore(), pytest.raises(RuntimeError, match="no saver"):
        compat.build(tf.while_loop, lambda i: i < plain, lambda i: (i + plain,), (tf.constant(0.0),))
    with compat.VariableStore():
        x = compat.Input(tf.float32, [None, 2])
        with pytest.raises(RuntimeError, match="Keras 3"):
            compat.build(tf.keras.layers.Dense(3), x)


@pytest.mark.parametrize("value", [2**40, -(2**31) - 1, [2**40]])
def test_a_value_that_its_input_cannot_hold(value: int | list[int]) -> None:
    with compat.VariableStore():
        x = compat.Input(tf.int32, None, "x")
        step = compat.step(compat.build(tf.identity, x), x)
        for call in (lambda: step(value), lambda: compat.run(x, {x: value})):
            with pytest.raises(TypeError, match="x:0"):
                call()
        assert step(2**31 - 1) == 2**31 - 1


def test_a_value_of_another_shape() -> None:
    with compat.VariableStore():
        x = compat.Input(tf.float32, [None, 2], "x")
        step = compat.step(x, x)
        with pytest.raises(ValueError, match="x:0"):
            step([1.0, 2.0])

        @tf.function
        def inside() -> Any:
            return step(tf.zeros([2]))

        with pytest.raises(ValueError, match="x:0"):
            inside()


@pytest.mark.parametrize("signature", [None, [None], [None, None]])
def test_a_shape_that_a_function_knows_when_it_runs(signature: list[None] | None) -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [None, 2], "x")
        step = compat.step(x * [[1.0, 10.0]], x)
    inside = tf.function(lambda x: step(x), input_signature=[tf.TensorSpec(signature)], autograph=False)
    if signature == [None]:
        with pytest.raises(ValueError, match="x:0"):
            inside(tf.ones([2]))
        return
    assert inside(tf.ones([1, 2])).numpy().tolist() == [[1.0, 10.0]]
    for wrong in (tf.ones([2, 1]), tf.ones([1, 1])):  # They would be made wider in silence.
        with pytest.raises(tf.errors.InvalidArgumentError, match="compatible with expected shape"):
            inside(wrong)


def test_an_input_that_is_not_given() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [], "x")
        y = compat.Input(tf.float32, [], "y")
        total = x + y
    with pytest.raises(TypeError, match=rf"no value for y .*{HERE}:\d+"):
        compat.step(total, x, y)(1.0)
    with pytest.raises(ValueError, match=rf"{HERE}:\d+ made needs a value for the input y .*{HERE}:\d+"):
        compat.step(total, x)(1.0)
    with pytest.raises(ValueError, match=rf"compat.run needs a value for the input y .*{HERE}:\d+"):
        compat.run(total, {x: 1.0})


def test_what_was_computed_at_once_is_no_fetch() -> None:
    with compat.VariableStore():
        v = compat.Variable(1.0)
        with pytest.raises(TypeError, match="not built"):
            compat.step(tf.constant(1.0))
        with pytest.raises(TypeError, match="not built"):
            compat.step((), updates=[compat.assign(v, 2.0)])
        with pytest.raises(TypeError, match="updates nothing"):
            compat.step((), updates=[v])


def test_the_words_do_not_belong_into_the_bridge() -> None:
    with compat.Graph().as_default():
        with pytest.raises(RuntimeError, match=r"compat\.Input belongs"):
            compat.Input(tf.float32)
        with pytest.raises(RuntimeError, match=r"compat\.VariableStore"):
            compat.step(tf.constant(1.0))

    @tf.function
    def function() -> Any:
        return compat.Input(tf.float32)

    with pytest.raises(RuntimeError, match=r"compat\.Input belongs"):
        function()


def test_building_code_that_is_not_marked_raises() -> None:
    with compat.VariableStore():
        x = compat.Input(tf.float32, [])
        with pytest.raises((TypeError, NotImplementedError)):
            tf.add(x, 1.0)


def test_wrong_calls() -> None:
    with compat.VariableStore(), compat.building():
        x, y = compat.Input(tf.float32, [], "x"), compat.Input(tf.float32, [], "y")
        step = compat.step(x, x)
        none = compat.step(x, None)
    for args, kwargs, error in (
        ((1.0, 2.0), {}, TypeError),
        ((1.0,), {"x": 1.0}, TypeError),
        ((), {"z": 1.0}, TypeError),
        (({y: 1.0, x: 1.0},), {}, ValueError),
    ):
        with pytest.raises(error):
            step(*args, **kwargs)
    with pytest.raises(TypeError, match="None is among the inputs"):
        none(1.0)


def test_private_interfaces_of_tensorflow_are_the_bridges() -> None:
    for path in Path(compat.steps.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"tensorflow\.python|__internal__|compat\.v1", text), path


@pytest.mark.skipif(sys.version_info < (3, 11), reason="errors have no notes")
def test_an_error_names_the_line_that_built_what_failed() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [None, None], "x")
        product = tf.matmul(x, x, name="product")
    step = compat.step(product, x)
    for call in (lambda: step(np.ones([2, 3])), lambda: compat.run(product, {x: np.ones([2, 3])})):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            call()
        (note,) = caught.value.__notes__
        assert re.match(rf"product was built in .*{HERE}:\d+; it was run by ", note)
