"""`xla_device`: what is in it is really compiled, its gradient too, and computes the same."""

from __future__ import annotations

import contextlib
import doctest
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.devices import placements, xla

Made = Callable[[Callable[[], Any]], tuple[Callable[..., Any], Any]]
X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def hard_placement() -> Iterator[None]:
    tf.config.set_soft_device_placement(False)
    yield
    tf.config.set_soft_device_placement(True)


def kinds(function: Callable[..., Any], *args: Any) -> list[str]:
    """Types of the operations that run once the function is traced; a compiled cluster is `_XlaRun`."""
    function(*args)
    return [placed.type for placed in placements(function, *args)]


def network(context: Callable[[], Any]) -> Callable[[Any], Any]:
    weights, bias = tf.Variable(np.eye(3, dtype=np.float32) / 3), tf.Variable([0.1, -0.2, 0.3])

    @tf.function
    def gradients(x: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            with context():
                linear = tf.matmul(x, weights)
                hidden = tf.nn.relu(linear + bias)
                squashed = tf.tanh(linear)
            loss = tf.math.cumsum(tf.reshape(hidden, [-1]))[-1] + tf.reduce_sum(linear * squashed)
        return loss, tape.gradient(loss, [x, weights, bias])

    return gradients


def test_the_example() -> None:
    assert doctest.testmod(xla).failed == 0


def test_one_cluster_in_a_traced_function() -> None:
    @tf.function
    def step(x: tf.Tensor) -> tf.Tensor:
        with compat.xla_device():
            y = tf.nn.relu(tf.matmul(x, x, transpose_b=True)) * 2.0
        return tf.sqrt(y)

    ran = kinds(step, tf.constant(X))
    assert ran.count("_XlaRun") == 1
    assert "Sqrt" in ran
    assert not {"MatMul", "_FusedMatMul", "Relu", "Mul"} & set(ran)
    np.testing.assert_allclose(step(tf.constant(X)), np.sqrt(2 * np.maximum(X @ X.T, 0)), rtol=1e-6)


def test_the_gradient_of_a_tape_is_compiled_too() -> None:
    plain, compiled = network(contextlib.nullcontext), network(compat.xla_device)
    for expected, got in zip(
        tf.nest.flatten(plain(tf.constant(X))), tf.nest.flatten(compiled(tf.constant(X))), strict=True
    ):
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
    assert {"ReluGrad", "TanhGrad"} <= set(kinds(plain, tf.constant(X)))
    ran = kinds(compiled, tf.constant(X))
    assert not {"MatMul", "Relu", "Tanh", "ReluGrad", "TanhGrad"} & set(ran)
    assert ran.count("_XlaRun") >= 2


def test_a_tape_around_the_function() -> None:
    weights = tf.Variable([2.0])

    @tf.function
    def forward(x: tf.Tensor) -> tf.Tensor:
        with compat.xla_device():
            return tf.sin(x * weights)

    def gradient() -> Any:
        with tf.GradientTape() as tape:
            y = forward(tf.constant([0.5]))
        return tape.gradient(y, weights)

    np.testing.assert_allclose(gradient(), 0.5 * np.cos([1.0]), rtol=1e-6)
    assert "Cos" not in kinds(gradient)


def test_gradients_of_gradients() -> None:
    @tf.function
    def second(x: tf.Tensor) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                with compat.xla_device():
                    y = x**4
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    first, again = second(tf.constant([2.0, 3.0]))
    np.testing.assert_allclose(first, [32, 108], rtol=1e-6)
    np.testing.assert_allclose(again, [48, 108], rtol=1e-6)


def test_a_tape_inside_and_one_outside() -> None:
    @tf.function
    def step(x: tf.Tensor) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with compat.xla_device():
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    y = x**3
                slope = inner.gradient(y, x)
            total = tf.reduce_sum(slope)
        return slope, outer.gradient(total, x)

    slope, curvature = step(tf.constant([1.0, 2.0]))
    np.testing.assert_allclose(slope, [3, 12], rtol=1e-6)
    np.testing.assert_allclose(curvature, [6, 12], rtol=1e-6)


@tf.custom_gradient
def tenfold(x: tf.Tensor) -> Any:
    return tf.identity(x), lambda gradient: 10.0 * gradient


TABLE = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2) / 6)


def looked_up(x: tf.Tensor, context: Callable[[], Any]) -> Any:
    with tf.GradientTape() as tape, context():
        y = tf.tanh(tf.nn.embedding_lookup(TABLE, tf.cast(x, tf.int32)))
    return tf.convert_to_tensor(tape.gradient(y, TABLE))


def jacobian(x: tf.Tensor, context: Callable[[], Any]) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        with context():
            y = tf.sin(x) * x[0]
    return tape.jacobian(y, x)


def in_a_branch(x: tf.Tensor, context: Callable[[], Any]) -> Any:
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        with context():
            y = tenfold(tf.sin(x)) + tf.stop_gradient(x) * x
    return tf.cond(x[0] > 0, lambda: tape.gradient(y, x), lambda: x)


def in_a_loop(x: tf.Tensor, context: Callable[[], Any]) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in tf.range(3):
            with context():
                y = tf.sin(y) * 2.0
    return tape.gradient(y, x)


def forward_mode(x: tf.Tensor, context: Callable[[], Any]) -> Any:
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator, context():
        y = tf.sin(x) * 2.0
    return accumulator.jvp(y)


@pytest.mark.parametrize("program", [looked_up, jacobian, in_a_branch, in_a_loop, forward_mode])
def test_gradients_are_the_same_as_without(program: Callable[..., Any]) -> None:
    x = tf.constant([0.5, 1.0, 2.0])
    plain = tf.function(lambda x: program(x, contextlib.nullcontext))(x)
    compiled = tf.function(lambda x: program(x, compat.xla_device))(x)
    assert np.any(plain)
    np.testing.assert_allclose(compiled, plain, rtol=1e-5, atol=1e-6)


def test_loops_and_branches_inside_are_compiled() -> None:
    @tf.function
    def step(x: tf.Tensor) -> Any:
        with compat.xla_device():
            y = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, tf.sin(a)), [0, x])[1]
            return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.cos(y), lambda: tf.tan(y))

    np.testing.assert_allclose(step(tf.constant([0.5])), np.cos([np.sin(np.sin(np.sin(0.5)))]), rtol=1e-6)
    assert not {"Sin", "Cos", "Tan"} & set(kinds(step, tf.constant([0.5])))


def test_the_gradient_of_a_loop_inside() -> None:
    @tf.function
    def step(x: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            with compat.xla_device():
                y = tf.while_loop(lambda i, _: i < 2, lambda i, a: (i + 1, tf.sin(a)), [0, x])[1]
        return tape.gradient(y, x)

    np.testing.assert_allclose(step(tf.constant([0.5])), [np.cos(np.sin(0.5)) * np.cos(0.5)], rtol=1e-6)


def test_nests_in_device_scopes_both_ways() -> None:
    @tf.function
    def step(x: tf.Tensor) -> Any:
        with tf.device("/cpu:0"):
            before = tf.reduce_max(x)
            with compat.xla_device("/device:CPU:0"):
                inside = tf.sin(before)
            after = tf.add(inside, x)
        with compat.xla_device(), tf.device("/cpu:0"):
            return tf.cos(after)

    ran = kinds(step, tf.constant([0.5]))
    assert {"Max", "AddV2"} <= set(ran)
    assert not {"Sin", "Cos"} & set(ran)
    graph = step.get_concrete_function(tf.constant([0.5])).graph
    devices = {operation.type: operation.device for operation in graph.get_operations()}
    assert devices["Sin"].endswith("CPU:0")


def test_under_the_bridge_with_an_optimizer() -> None:
    with compat.Graph().as_default():
        x = compat.placeholder(tf.float32, [None, 3])
        with tf.device("/cpu:0"), compat.xla_device("/device:CPU:0"):
            weights = compat.get_variable("w", initializer=np.ones((3, 1), np.float32))
            loss = tf.reduce_sum(tf.tanh(tf.matmul(x, weights)))
        train = compat.train.GradientDescentOptimizer(0.5).minimize(loss)
        with compat.Session() as session:
            session.run(compat.global_variables_initializer())
            ran = [placed.type for placed in placements(session.run, train, {x: X})]
            value = session.run(weights)
    assert not {"Tanh", "TanhGrad", "MatMul"} & set(ran)
    expected = 1 - 0.5 * X.T @ (1 - np.tanh(X @ np.ones((3, 1))) ** 2)
    np.testing.assert_allclose(value, expected, rtol=1e-5)


def test_a_decorated_function_must_be_compiled() -> None:
    @compat.xla_device("/cpu:0")
    def double(x: tf.Tensor) -> tf.Tensor:
        """Twice."""
        return tf.sin(x) * 2.0

    x = tf.constant(X)
    assert double.__name__ == "double"
    np.testing.assert_allclose(double(x), 2 * np.sin(X), rtol=1e-6)
    assert "HloModule" in double.__wrapped__.experimental_get_compiler_ir(x)(stage="hlo")
    concrete = double.__wrapped__.get_concrete_function(x)
    assert concrete.function_def.attr["_XlaMustCompile"].b
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = double(x)
    np.testing.assert_allclose(tape.gradient(y, x), 2 * np.cos(X), rtol=1e-6)


def test_a_decorated_function_of_no_device_is_a_compiled_function() -> None:
    double = compat.xla_device()(lambda x: tf.sin(x) * 2.0)
    assert "HloModule" in double.experimental_get_compiler_ir(tf.constant(X))(stage="hlo")


def test_eager_code_is_told_so() -> None:
    with pytest.raises(RuntimeError, match=r"inside of a tf\.function, or as a decorator"), compat.xla_device():
        tf.sin(1.0)


def test_what_xla_cannot_compile_is_named() -> None:
    @tf.function
    def step(x: tf.Tensor) -> Any:
        with compat.xla_device():
            return tf.strings.as_string(tf.sin(x), name="text")

    with pytest.warns(UserWarning, match=r"XLA has no kernel for text \(AsString\).*runs uncompiled"):
        assert step(tf.constant(0.0)).numpy().startswith(b"0.0")


def test_without_soft_placement_it_is_an_error_as_in_tf1(hard_placement: None) -> None:
    @tf.function
    def step(x: tf.Tensor) -> Any:
        with compat.xla_device("/cpu:0"):
            return tf.strings.as_string(x)

    with pytest.raises(NotImplementedError, match="AsString"):
        step(tf.constant(0.0))


def test_an_error_inside_comes_out_as_it_is() -> None:
    @tf.function
    def step(x: tf.Tensor) -> Any:
        with compat.xla_device():
            return tf.matmul(x, x)

    with pytest.raises(ValueError, match="Dimensions must be equal"):
        step(tf.constant(X))


@pytest.mark.usefixtures("gpu")
def test_on_a_gpu() -> None:
    @tf.function
    def step(x: tf.Tensor) -> Any:
        with tf.device("/gpu:0"):
            y = tf.matmul(x, x, transpose_b=True)
            with compat.xla_device("/device:GPU:0"):
                z = tf.tanh(y) * 2.0
            return tf.sqrt(tf.abs(z))

    ran = placements(step, tf.constant(X))
    assert [placed.device for placed in ran if placed.type == "_XlaRun"] == ["/device:GPU:0"]
    assert "Tanh" not in [placed.type for placed in ran]
