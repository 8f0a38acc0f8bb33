"""The product of a kernel with inputs and state, whose gradient is taken apart."""

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.nn.rnn_cell import product
from compat.nn.rnn_cell.product import joint_product

RANDOM = np.random.RandomState(3)
INPUTS, STATE, KERNEL = (tf.constant(RANDOM.normal(size=shape), tf.float32) for shape in ([7, 5], [7, 3], [8, 12]))


def plain(inputs, state, kernel):
    return tf.matmul(tf.concat([inputs, state], 1), kernel)


def first_and_second(multiply):
    """The product, its gradients, and the gradients of a norm of these."""
    given = [INPUTS, STATE, KERNEL]
    with tf.GradientTape() as outer:
        outer.watch(given)
        with tf.GradientTape() as inner:
            inner.watch(given)
            values = multiply(*given)
            loss = tf.reduce_sum(tf.sin(values))
        first = inner.gradient(loss, given)
        penalty = tf.add_n([tf.reduce_sum(gradient**3) for gradient in first])
    return [values, *first, *outer.gradient(penalty, given)]


@pytest.mark.parametrize("traced", [False, True])
def test_first_and_second_gradients_are_those_of_the_plain_product(traced):
    found = tf.function(first_and_second)(joint_product) if traced else first_and_second(joint_product)
    for ours, expected in zip(found, first_and_second(plain), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-4)
    np.testing.assert_array_equal(found[0], plain(INPUTS, STATE, KERNEL))


def test_inputs_of_unknown_depth():
    @tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([None, 3]), tf.TensorSpec([None, 12])])
    def gradients(*given):
        return tf.gradients(tf.sin(joint_product(*given)), given)

    for ours, expected in zip(gradients(INPUTS, STATE, KERNEL), first_and_second(plain)[1:4], strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-5)


def test_data_costs_no_gradient():
    @tf.function
    def gradients(state, kernel):
        return tf.gradients(tf.sin(joint_product(INPUTS, state, kernel)), [state, kernel])

    graph = gradients.get_concrete_function(STATE, KERNEL).graph
    found = [op.outputs[0].shape.as_list() for op in reached(graph.outputs) if op.type == "MatMul"]
    assert sorted(found) == [[7, 3], [7, 12], [8, 12]], "of the state, forwards, of the kernel; none of the inputs"


def reached(tensors):
    waiting, seen = [tensor.op for tensor in tensors], set()
    while waiting:
        op = waiting.pop()
        if op not in seen:
            seen.add(op)
            waiting += [tensor.op for tensor in op.inputs]
    return seen


def test_a_loop_takes_the_gradient_apart(monkeypatch):
    store, taken = compat.VariableStore(), []
    apart = product._gradients
    monkeypatch.setattr(product, "_gradients", lambda op, *grads: taken.append(op.type) or apart(op, *grads))
    cell = compat.nn.rnn_cell.LSTMCell(4)

    @tf.function(autograph=False)
    def gradients():
        with tf.GradientTape() as tape, store:
            _, state = compat.nn.dynamic_rnn(cell, tf.ones([2, 3, 5]), dtype=tf.float32)
        return tape.gradient(state.h, store.trainable_variables)

    store.build(lambda: cell(tf.ones([2, 5]), cell.zero_state(2, tf.float32)))
    gradients()
    assert taken == ["IdentityN"]


def test_a_saved_model_can_be_trained_on(tmp_path):
    store = compat.VariableStore()
    cell = compat.nn.rnn_cell.GRUCell(4)
    inputs = tf.constant(RANDOM.normal(size=[2, 3, 5]), tf.float32)

    def model(x):
        with store:
            return compat.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0]

    store.build(model, inputs)
    module = tf.Module()
    module.store = store
    module.model = tf.function(model, input_signature=[tf.TensorSpec([None, 3, 5])])
    tf.saved_model.save(module, str(tmp_path / "model"))
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    expected, found = gradients_by_name(model, inputs), gradients_by_name(loaded.model, inputs)
    assert len(found) == 4 and found.keys() == expected.keys()
    for name, gradient in found.items():
        np.testing.assert_allclose(gradient, expected[name], rtol=1e-5, atol=1e-6)


def gradients_by_name(model, inputs):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(inputs))
    variables = tape.watched_variables()
    return {v.name: gradient for v, gradient in zip(variables, tape.gradient(loss, variables), strict=True)}


def test_the_graph_of_the_bridge_has_tf1s_operations(graph):
    made = joint_product(INPUTS, STATE, KERNEL)
    assert made.op.type == "MatMul" and made.op.inputs[0].op.type == "ConcatV2"
