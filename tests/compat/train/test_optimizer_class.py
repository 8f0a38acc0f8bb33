"""The base class: what it accepts and refuses, and what subclasses of it may override."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train


def test_compute_and_apply_with_clipping() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant([3.0, -4.0]))
        unused = compat.get_variable("unused", initializer=tf.constant(1.0))
        optimizer = train.GradientDescentOptimizer(1.0)
        pairs = optimizer.compute_gradients(tf.reduce_sum(tf.square(w)))
        assert [v is expected for (_, v), expected in zip(pairs, (w, unused), strict=True)] == [True, True]
        assert pairs[1][0] is None
        clipped = [(None if g is None else tf.clip_by_value(g, -1.0, 1.0), v) for g, v in pairs]
        op = optimizer.apply_gradients(clipped)
        assert isinstance(op, tf.Operation) and op.name == "GradientDescent"
        sess.run(compat.global_variables_initializer())
        assert sess.run(op) is None
        np.testing.assert_array_equal(sess.run(w), [2.0, -3.0])


@pytest.mark.parametrize("gate", [train.Optimizer.GATE_NONE, train.Optimizer.GATE_OP, train.Optimizer.GATE_GRAPH])
def test_gates_grad_loss_and_names(gate: int) -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant([1.0, 2.0]))
        x = compat.get_variable("x", initializer=tf.constant([[0.0], [0.0]]), trainable=False)
        loss = w * w
        step = compat.get_variable("step", [], tf.int32, initializer=compat.zeros_initializer(), trainable=False)
        op = train.GradientDescentOptimizer(0.5).minimize(
            loss, step, [w, x], gate, grad_loss=tf.constant([1.0, 0.5]), name="mine"
        )
        assert op.name == "mine"
        sess.run(compat.global_variables_initializer())
        sess.run(op)
        np.testing.assert_array_equal(sess.run(w), [0.0, 1.0])
        assert sess.run(step) == 1


def test_learning_rates_of_every_kind() -> None:
    def trained(rate: Any, feed: Any = None) -> float:
        w = compat.get_variable("w", initializer=tf.constant(1.0), trainable=True)
        with compat.Session() as sess:
            op = train.MomentumOptimizer(rate(), 0.0).minimize(3.0 * w)
            sess.run(compat.global_variables_initializer())
            sess.run(op, feed)
            return float(sess.run(w))

    kinds: list[Any] = [
        lambda: 0.25,
        lambda: tf.constant(0.25),
        lambda: lambda: 0.25,
        lambda: compat.get_variable("rate", initializer=tf.constant(0.25), trainable=False),
        lambda: np.float32(0.25),
    ]
    for kind in kinds:
        with compat.Graph().as_default():
            assert trained(kind) == 0.25
    w = tf.Variable(1.0)
    rate = tf.Variable(0.25)
    optimizer = train.GradientDescentOptimizer(rate)
    optimizer.minimize(lambda: 3.0 * w, var_list=[w])
    rate.assign(0.5)
    optimizer.minimize(lambda: 3.0 * w)
    assert float(w) == 1.0 - 0.75 - 1.5


def test_what_is_refused() -> None:
    w = tf.Variable([1.0])
    optimizer = train.GradientDescentOptimizer(1.0)
    with pytest.raises(ValueError, match="Must specify the optimizer name"):
        train.GradientDescentOptimizer(1.0, name="")
    with pytest.raises(RuntimeError, match="should be a function when eager execution is enabled"):
        optimizer.minimize(w * w)
    with pytest.raises(ValueError, match="No variables provided"):
        optimizer.apply_gradients([])
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        optimizer.apply_gradients([(None, w)])
    with pytest.raises(TypeError, match="Gradient must be convertible to a Tensor or IndexedSlices, or None"):
        optimizer.apply_gradients([(object(), w)])
    with pytest.raises(NotImplementedError, match="Trying to update a Tensor"):
        optimizer.apply_gradients([(tf.ones([1]), tf.ones([1]))])
    with compat.Graph().as_default():
        with pytest.raises(ValueError, match="No variables to optimize"):
            optimizer.minimize(tf.constant(1.0))
        v = compat.get_variable("v", [])
        with pytest.raises(ValueError, match="gate_gradients must be one of"):
            optimizer.minimize(v * v, gate_gradients=7)
        with pytest.raises(ValueError, match="No gradients provided for any variable, check your graph"):
            optimizer.minimize(tf.constant(1.0))
        with pytest.raises(ValueError, match=r"Invalid type tf.int32 for"):
            optimizer.minimize(tf.constant(1))


def test_constraints_project_after_the_update() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant([1.0, 5.0]), constraint=lambda v: tf.maximum(v, 0.0))
        dense = train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(3.0 * w))
        sess.run(compat.global_variables_initializer())
        sess.run(dense)
        np.testing.assert_array_equal(sess.run(w), [0.0, 2.0])
        with pytest.raises(RuntimeError, match="Cannot use a constraint function on a sparse variable"):
            train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(tf.gather(w, [0])))


def test_equal_indices_are_summed_first() -> None:
    """Momentum squares nothing, but Adagrad does: (1 + 2)**2 is not 1 + 4."""
    w = tf.Variable([[0.0], [0.0], [0.0]])
    train.AdagradOptimizer(1.0, initial_accumulator_value=1.0).apply_gradients(
        [(tf.IndexedSlices(tf.constant([[1.0], [4.0], [2.0]]), tf.constant([2, 0, 2]), tf.constant([3, 1])), w)]
    )
    np.testing.assert_allclose(w.numpy().ravel(), [-4 / np.sqrt(17), 0.0, -3 / np.sqrt(10)], rtol=1e-6)


class Reference(train.Optimizer):
    """A user's optimizer, written for TF1's default variables."""

    def __init__(self, rate: float) -> None:
        super().__init__(use_locking=False, name="Reference")
        self._rate = rate

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "seen", self._name)

    def _prepare(self) -> None:
        self._rate_t = tf.convert_to_tensor(self._rate, name="rate")

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        seen = self.get_slot(var, "seen")
        noted = compat.assign_add(seen, grad)
        with tf.control_dependencies([noted]):
            return compat.assign_sub(var, grad * self._rate_t)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return compat.scatter_sub(var, grad.indices, grad.values * self._rate_t)


class Resource(train.Optimizer):
    """A user's optimizer, written for resource variables."""

    def __init__(self) -> None:
        super().__init__(use_locking=False, name="Resource")

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return handle.assign_sub(grad * 2.0)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return handle.scatter_sub(tf.IndexedSlices(grad * 2.0, indices))


class Halving(train.AdamOptimizer):
    """A user's subclass of a built-in optimizer."""

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return super()._apply_dense(grad * 0.0, var)

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        raise AssertionError("TF1's default variables are no resource variables")

    def _finish(self, update_ops: Any, name_scope: Any) -> Any:
        with tf.control_dependencies([op for op in update_ops if op is not None]):
            return tf.group(super()._finish(update_ops, "beta"), name=name_scope)


def test_subclasses_under_the_bridge() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant([1.0, 2.0]))
        rows = compat.get_variable("rows", initializer=tf.constant([[1.0], [2.0]]))
        loss = tf.reduce_sum(w * w) + tf.reduce_sum(tf.gather(rows, [1, 1]))
        reference, resource, halving = Reference(0.25), Resource(), Halving()
        ops = [reference.minimize(loss), resource.minimize(loss), halving.minimize(loss, name="halved")]
        assert [op.name for op in ops] == ["Reference", "Resource", "halved"]
        sess.run(compat.global_variables_initializer())
        sess.run(ops[0])
        np.testing.assert_array_equal(sess.run(w), [0.5, 1.0])
        np.testing.assert_array_equal(sess.run(rows), [[1.0], [1.5]])
        np.testing.assert_array_equal(sess.run(reference.get_slot(w, "seen")), [2.0, 4.0])
        sess.run(ops[1])
        np.testing.assert_array_equal(sess.run(w), [-1.5, -3.0])
        np.testing.assert_array_equal(sess.run(rows), [[1.0], [-2.5]])
        sess.run(ops[2])
        np.testing.assert_array_equal(sess.run(w), [-1.5, -3.0])
        assert sess.run(halving._get_non_slot_variable("beta1_power")) == np.float32(0.9) * np.float32(0.9)
        assert [v.op.name for v in reference.variables()] == ["rows/Reference", "w/Reference"]


@pytest.mark.parametrize("traced", [False, True])
def test_subclasses_natively(traced: bool) -> None:
    w = tf.Variable([1.0, 2.0], name="w")
    reference, resource = Reference(0.25), Resource()

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        reference.apply_gradients([(tape.gradient(loss, w), w)])
        resource.apply_gradients([(tf.constant([1.0, 1.0]), w)])

    (tf.function(step) if traced else step)()
    np.testing.assert_array_equal(w.numpy(), [-1.5, -1.0])
    np.testing.assert_array_equal(reference.get_slot(w, "seen").numpy(), [2.0, 4.0])


def test_gradients_of_a_traced_loss() -> None:
    w = tf.Variable([1.0, 2.0])
    optimizer = train.GradientDescentOptimizer(0.5)

    @tf.function
    def step(x: Any) -> Any:
        loss = tf.reduce_sum(w * x)
        optimizer.minimize(loss, var_list=[w])
        return loss

    assert float(step(tf.constant([2.0, 4.0]))) == 10.0
    np.testing.assert_array_equal(w.numpy(), [0.0, 0.0])
