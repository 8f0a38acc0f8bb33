"""Functions that are called without a search for their graph compute and refuse what they did before."""

from __future__ import annotations

import functools
import itertools
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.eager.polymorphic_function import tracing_compilation

import compat
from tests import warm

VECTOR = tf.TensorSpec([None], tf.float32)


def doubled(x: Any) -> Any:
    return 2.0 * x


class Unreadable:
    """An argument that fails in a way of its own when it is converted."""

    def __array__(self, *_: Any) -> Any:
        raise RuntimeError("no array")


def both(function: Callable[..., Any], *signature: tf.TensorSpec) -> tuple[Any, Any]:
    """A function called directly, and as TensorFlow calls it."""
    direct = compat.fast_dispatch(tf.function(function, input_signature=signature))
    return direct, tf.function(function, input_signature=signature)


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Has one item for each call that looked its graph up."""
    calls = []
    call_function = tracing_compilation.call_function

    def counted(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        return call_function(*args, **kwargs)

    monkeypatch.setattr(tracing_compilation, "call_function", counted)
    return calls


@pytest.mark.parametrize(
    "given",
    [
        np.array([1.5, -2.0], np.float32),
        np.array([0.1, 1e-40], np.float64),
        np.array([1, 2, 3]),
        np.zeros([0], np.float32),
        np.arange(12, dtype=np.float32)[::3],
        [1, 2.5],
        (3.0,),
        tf.constant([4.0]),
        tf.Variable([5.0]),
    ],
    ids=["float32", "float64", "int64", "empty", "strided", "list", "tuple", "tensor", "variable"],
)
def test_results_are_the_same(given: Any, looked_up: list[int]) -> None:
    direct, plain = both(doubled, VECTOR)
    direct([1.0])
    looked_up.clear()
    result = direct(given)
    assert not looked_up
    assert result.dtype == tf.float32
    for _ in range(2):
        np.testing.assert_array_equal(result, plain(given))
    assert looked_up


@pytest.mark.parametrize(
    "given",
    [[[1.0]], 1.0, tf.constant([1]), np.array(["a"]), None, Unreadable()],
    ids=["matrix", "number", "integers", "strings", "None", "unreadable"],
)
def test_what_the_signature_does_not_admit_is_refused_alike(given: Any) -> None:
    direct, plain = both(doubled, VECTOR)
    direct([1.0])
    with pytest.raises(Exception) as expected:
        plain(given)
    with pytest.raises(expected.type) as raised:
        direct(given)
    assert str(raised.value).splitlines()[:1] == str(expected.value).splitlines()[:1]


@pytest.mark.parametrize("given", [(), ([1.0], [2.0])], ids=["too few", "too many"])
def test_arguments_are_counted(given: tuple[Any, ...]) -> None:
    direct, _ = both(doubled, VECTOR)
    direct([1.0])
    with pytest.raises(TypeError):
        direct(*given)


def test_several_kinds_of_results() -> None:
    counter = tf.Variable(0)

    def several(x: Any) -> Any:
        return {"twice": 2.0 * x, "parts": (x, [x + 1.0, None])}

    def nothing() -> None:
        counter.assign_add(1)

    direct, plain = both(several, VECTOR)
    for _ in range(3):
        tf.nest.map_structure(np.testing.assert_array_equal, direct([1.0]), plain([1.0]))
    count = compat.fast_dispatch(tf.function(nothing))
    assert [count() for _ in range(3)] == [None, None, None]
    assert counter.numpy() == 3


def test_a_graph_is_made_once_and_then_not_looked_up(looked_up: list[int]) -> None:
    traces = []

    def traced(x: Any) -> Any:
        traces.append(1)
        return tf.reduce_sum(x)

    direct, _ = both(traced, VECTOR)
    assert [direct(np.ones(size)).numpy() for size in (1, 2, 3, 2)] == [1.0, 2.0, 3.0, 2.0]
    assert len(traces) == 1
    assert direct.experimental_get_tracing_count() == 1
    looked_up.clear()
    assert direct(np.ones(4)).numpy() == 4.0
    assert not looked_up
    assert direct(x=np.ones(4)).numpy() == 4.0
    assert looked_up


def test_variables_made_at_the_first_call_stay() -> None:
    made: list[tf.Variable] = []

    def count(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(0.0))
        return made[0].assign_add(tf.reduce_sum(x))

    direct, _ = both(count, VECTOR)
    assert [direct([1.0]).numpy() for _ in range(4)] == [1.0, 2.0, 3.0, 4.0]


@functools.cache
def weight() -> tf.Variable:
    return tf.Variable(0.5)


def drawn(x: Any) -> Any:
    return tf.random.uniform([3], seed=7) + 0.0 * tf.reduce_sum(x)


def drawn_in_a_branch(x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) < 1.0, lambda: weight() * drawn(x), lambda: tf.zeros([3]))


def drawn_in_a_loop(x: Any) -> Any:
    return tf.while_loop(lambda i, _: i < 1, lambda i, _: (i + 1, weight() * drawn(x)), (0, tf.zeros([3])))[1]


def drawn_in_a_function(x: Any) -> Any:
    return tf.function(drawn)(x)


def counted_in_python(x: Any) -> Any:
    counter = itertools.count()
    return tf.numpy_function(lambda x: np.append(x, [next(counter), 1.0]), [tf.cast(x, tf.float64)], tf.float64)


@pytest.mark.parametrize(
    "function",
    [drawn, drawn_in_a_branch, drawn_in_a_loop, drawn_in_a_function, counted_in_python],
    ids=lambda f: f.__name__,
)
def test_what_kernels_keep_goes_on_between_both_ways(function: Callable[..., Any]) -> None:
    tf.random.set_seed(1)
    weight()
    direct, _ = both(function, VECTOR)
    first = [direct([0.0]).numpy(), direct([0.0]).numpy(), direct(x=[0.0]).numpy(), direct([0.0]).numpy()]
    tf.random.set_seed(1)
    _, plain = both(function, VECTOR)
    np.testing.assert_array_equal(first, [plain([0.0]).numpy() for _ in range(4)])
    assert len({row[1] for row in np.array(first)}) == 4


CELL = """\
import compat
import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context

def slope(x):
    state = hidden = tf.zeros([tf.shape(x)[0], 2])
    for _ in range(2):
        update, gate = tf.split(tf.matmul(tf.concat([x, hidden], 1), tf.ones([4, 4])), 2, axis=1)
        state = state * tf.sigmoid(gate) + update
        hidden = tf.tanh(state) * gate
    return tf.gradients(tf.reduce_sum(hidden), x)[0]

for size in (None, 3):
    signature = [tf.TensorSpec([size, 2], tf.float32)]
    slopes = []
    for decorator in (compat.fast_dispatch, lambda function: function):
        function = decorator(tf.function(slope, input_signature=signature, autograph=False))
        context.context().enable_graph_collection()
        slopes.append(function(np.ones((3, 2))).numpy())
        graphs = context.context().export_run_metadata().function_graphs
        context.context().disable_graph_collection()
        print("BroadcastGradientArgs" in {node.op for graph in graphs for node in graph.post_optimization_graph.node})
    np.testing.assert_array_equal(*slopes)
    assert slopes[0].all()
"""


def test_gradients_are_simplified_as_those_of_a_session_were() -> None:
    # In a process of its own: what is collected are the graphs of all functions that run.
    done = warm.run([sys.executable, "-c", CELL])
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "True", "False", "False"]


def test_a_tape_sees_through(looked_up: list[int]) -> None:
    weight = tf.Variable(3.0)

    def scaled(x: Any) -> Any:
        return tf.reduce_sum(weight * x)

    direct, _ = both(scaled, VECTOR)
    direct([1.0])
    given = tf.constant([1.0, 2.0])
    looked_up.clear()
    with tf.GradientTape() as tape:
        tape.watch(given)
        total = direct(given)
    assert looked_up
    slopes = tape.gradient(total, [given, weight])
    assert [value.numpy().tolist() for value in slopes] == [[3.0, 3.0], 3.0]


def test_run_eagerly_runs_the_python_code() -> None:
    seen = []

    def watched(x: Any) -> Any:
        seen.append(tf.executing_eagerly())
        return 2.0 * x

    direct, _ = both(watched, VECTOR)
    direct([1.0])
    direct([1.0])
    tf.config.run_functions_eagerly(True)
    try:
        assert direct(tf.constant([2.0])).numpy().tolist() == [4.0]
    finally:
        tf.config.run_functions_eagerly(False)
    assert seen == [False, True]


def test_inside_another_function() -> None:
    direct, _ = both(doubled, VECTOR)
    direct([1.0])

    @tf.function
    def outer(x: Any) -> Any:
        return direct(x) + 1.0

    assert outer(tf.constant([1.0])).numpy().tolist() == [3.0]
    with tf.Graph().as_default():
        assert not tf.executing_eagerly()
        assert direct(tf.constant([1.0])).graph is tf.compat.v1.get_default_graph()


def test_under_a_strategy() -> None:
    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    with strategy.scope():
        weight = tf.Variable(2.0)
    direct, _ = both(lambda x: weight * x, VECTOR)
    direct([1.0])
    result = strategy.run(direct, (tf.constant([3.0]),))
    assert strategy.experimental_local_results(result)[0].numpy().tolist() == [6.0]


def test_methods_have_a_graph_for_each_object() -> None:
    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = tf.Variable(factor)

        @compat.fast_dispatch
        @tf.function(input_signature=[VECTOR])
        def scaled(self, x: Any) -> Any:
            return self.factor * x

    three, five = Scale(3.0), Scale(5.0)
    for _ in range(3):
        assert (three.scaled([1.0]).numpy(), five.scaled([1.0]).numpy()) == (3.0, 5.0)


def test_errors_name_the_line() -> None:
    def checked(x: Any) -> Any:
        return tf.debugging.check_numerics(x, "not a number")

    direct, plain = both(checked, VECTOR)
    direct([1.0])
    for function in (direct, plain):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"(?s)Graph execution error.*{Path(__file__).name}"):
            function([float("nan")])


def test_what_is_saved_is_the_function(tmp_path: Path) -> None:
    root = tf.Module()
    root.run, _ = both(doubled, VECTOR)
    root.run([1.0])
    root.run([1.0])
    tf.saved_model.save(root, str(tmp_path))
    assert tf.saved_model.load(str(tmp_path)).run(tf.constant([2.0])).numpy().tolist() == [4.0]


def test_threads_share_a_graph() -> None:
    total = tf.Variable(0.0)
    direct, _ = both(lambda x: total.assign_add(tf.reduce_sum(x)), VECTOR)
    workers = [threading.Thread(target=lambda: [direct([1.0]) for _ in range(50)]) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert total.numpy() == 200.0
    assert direct.experimental_get_tracing_count() == 1


def test_others_are_called_as_they_were() -> None:
    unsigned = compat.fast_dispatch(tf.function(doubled))
    assert [unsigned(tf.constant(value)).numpy() for value in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]
    ragged = compat.fast_dispatch(
        tf.function(lambda x: x.nrows(), input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
    )
    assert [ragged(tf.ragged.constant([[1.0], []])).numpy() for _ in range(3)] == [2, 2, 2]
    assert compat.fast_dispatch(doubled) is doubled


PAIRS = ((VECTOR, VECTOR), VECTOR)


@pytest.mark.parametrize("given", [((1.0, [2.0]), [3.0]), [[1.0], ([2.0], 3.0)], {"a": 1.0, "b": 2.0, "c": 3.0}])
@pytest.mark.parametrize("by_name", [False, True])
def test_a_structure_takes_as_many_parts_in_any_other(given: Any, by_name: bool, looked_up: list[int]) -> None:
    leaf = functools.partial(np.full, [2])
    given = tf.nest.map_structure(leaf, given)

    def joined(x: Any, state: Any) -> Any:
        (a, b), c = state
        return x + a + 10.0 * b + 100.0 * c

    direct = compat.fast_dispatch(tf.function(joined, input_signature=[VECTOR, PAIRS]))
    for _ in range(2):
        value = direct(state=given, x=[1, 2]) if by_name else direct([1, 2], given)
        assert value.numpy().tolist() == [322.0, 323.0]
    assert len(looked_up) <= 1
    assert direct.experimental_get_tracing_count() == 1


def test_a_structure_takes_no_fewer_parts() -> None:
    direct = compat.fast_dispatch(tf.function(lambda state: state[1], input_signature=[PAIRS]))
    with pytest.raises(ValueError, match="2"):
        direct([[1.0], [2.0]])
