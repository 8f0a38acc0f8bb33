"""Steps as parts of TensorFlow 2: in functions and data sets, with gradients, in checkpoints and SavedModels."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests import warm
from tests.compat.train.own_process import result_of

_LOADS = """
import sys
import numpy as np
import tensorflow as tf
model = tf.saved_model.load(sys.argv[1])
print("compat" in sys.modules, model.predict(np.float32([[1, 2]]))["out"].numpy().tolist())
print(float(model.learn(np.float32([[1, 2]]), np.float32([[1]]))), len(model.store._variables))
print(model.signatures["serving_default"](tf.constant([[1.0, 2.0]]))["out"].numpy().tolist())
"""


class Net:
    @compat.builder
    def __init__(self) -> None:
        self.x = compat.Input(tf.float32, [None, 2], "x")
        self.y = compat.Input(tf.float32, [None, 1], "y")
        self.w = compat.get_variable("w", [2, 1], initializer=compat.constant_initializer(0.5))
        self.out = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.out))
        self.train_op = compat.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.learn_step = compat.step(self.loss, self.x, self.y, updates=self.train_op)
        self.predict_step = compat.step({"out": self.out}, self.x)


def _net() -> tuple[compat.VariableStore, Net]:
    with compat.VariableStore() as store:
        return store, Net()


def test_tensors_in_and_out_of_a_function() -> None:
    _, net = _net()

    @tf.function
    def twice(x: tf.Tensor) -> Any:
        out = net.predict_step(x)["out"]
        assert tf.is_symbolic_tensor(out)
        assert out.shape.as_list() == [3, 1]
        return 2.0 * out

    assert twice(tf.ones([3, 2])).numpy().tolist() == [[2.0]] * 3
    net.w.assign([[1.0], [1.0]])
    assert twice(tf.ones([3, 2])).numpy().tolist() == [[4.0]] * 3


def test_a_step_learns_inside_of_a_function() -> None:
    _, net = _net()
    _, other = _net()
    x, y = np.float32([[1, 2]]), np.float32([[1]])

    @tf.function
    def learn() -> Any:
        return tf.while_loop(lambda i, _: i < 3, lambda i, _: (i + 1, net.learn_step(x, y)), (0, 0.0))[1]

    expected = [other.learn_step(x, y) for _ in range(3)][-1]
    np.testing.assert_allclose(learn(), expected)
    np.testing.assert_allclose(net.w.numpy(), other.w.numpy())


def test_gradients_go_through_a_step() -> None:
    _, net = _net()

    @tf.function
    def gradients(x: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(net.predict_step(x)["out"] ** 2)
        return tape.gradient(loss, [x, net.w])

    to_x, to_w = gradients(tf.constant([[1.0, 2.0]]))
    assert to_x.numpy().tolist() == [[1.5, 1.5]]
    assert to_w.numpy().tolist() == [[3.0], [6.0]]
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(net.predict_step.get_concrete_function()(tf.constant([[1.0, 2.0]]))["out"] ** 2)
    assert tape.gradient(loss, net.w).numpy().tolist() == [[3.0], [6.0]]


def test_order_of_reads_and_updates_in_a_function() -> None:
    def built() -> tuple[Any, Any]:
        with compat.VariableStore(), compat.building():
            v = compat.get_variable("v", [], initializer=compat.constant_initializer(1.0))
            early = v * 10.0
            update = compat.assign_add(v, 1.0)
            with tf.control_dependencies([update]):
                late = v * 100.0
            return compat.step([early, late, v]), compat.step([early, v], updates=update)

    steps, again = built(), built()

    @tf.function
    def both() -> Any:
        return steps[0](), steps[1]()

    inside = tf.nest.map_structure(float, both())
    assert inside == tf.nest.map_structure(float, (again[0](), again[1]()))
    assert inside == ([10.0, 200.0, 2.0], [20.0, 3.0])


def test_a_step_maps_a_data_set() -> None:
    _, net = _net()
    rows = tf.data.Dataset.from_tensor_slices(np.ones([4, 2], np.float32)).batch(2).map(net.predict_step)
    assert [row["out"].numpy().tolist() for row in rows] == [[[1.0], [1.0]]] * 2


def test_a_step_updates_and_draws_for_each_element_of_a_data_set() -> None:
    def built() -> tuple[Any, Any]:
        with compat.VariableStore(), compat.building():
            x = compat.Input(tf.float32, [], "x")
            count = compat.get_variable("count", [], initializer=compat.zeros_initializer())
            drawn = tf.random.uniform([], seed=2)
            return compat.step([x * 2.0, drawn, count], x, updates=compat.assign_add(count, 1.0)), count

    (step, count), (again, _) = built(), built()
    rows = tf.data.Dataset.from_tensor_slices(np.float32([1, 2, 3])).map(step)
    for _ in range(2):
        found = [[float(each) for each in row] for row in rows]
        assert found == [[float(each) for each in again(value)] for value in (1.0, 2.0, 3.0)]
    assert count.numpy() == 6.0


def test_sparse_values_in_a_function() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.SparseInput(tf.float32, [2, 2])
        step = compat.step(x * 2.0, x)
    assert step(([[0, 1]], [3.0], [2, 2])).values.tolist() == [6.0]

    @tf.function
    def inside(given: tf.SparseTensor) -> Any:
        return tf.sparse.to_dense(step(given))

    assert inside(tf.sparse.from_dense([[0.0, 3.0], [0.0, 0.0]])).numpy().tolist() == [[0.0, 6.0], [0.0, 0.0]]


def test_a_checkpoint_of_a_store(tmp_path: Path) -> None:
    store, net = _net()
    checkpoint = tf.train.Checkpoint(store=store)
    path = checkpoint.save(tmp_path / "model")
    net.w.assign([[7.0], [7.0]])
    checkpoint.restore(path).assert_consumed()
    assert net.w.numpy().tolist() == [[0.5], [0.5]]

    module = tf.Module()
    module.store = store
    assert [variable.name for variable in module.trainable_variables] == ["w:0"]


def test_a_checkpoint_is_restored_into_other_stores(tmp_path: Path) -> None:
    store, net = _net()
    net.w.assign([[7.0], [8.0]])
    path = tf.train.Checkpoint(store=store).save(tmp_path / "model")
    other_store, other = _net()
    tf.train.Checkpoint(store=other_store).restore(path).assert_consumed()
    assert other.predict_step([[1.0, 1.0]])["out"].tolist() == [[15.0]]

    empty = compat.VariableStore()
    status = tf.train.Checkpoint(store=empty).restore(path)
    with empty:
        later = Net()  # Its initial value is not what it begins with: the checkpoint has one.
    status.assert_consumed()
    assert later.predict_step([[1.0, 1.0]])["out"].tolist() == [[15.0]]


def test_a_saved_model_of_steps_needs_no_compat(tmp_path: Path) -> None:
    store, net = _net()
    module = tf.Module()
    module.store = store
    module.predict = net.predict_step.get_concrete_function()
    module.learn = net.learn_step.get_concrete_function()
    tf.saved_model.save(module, tmp_path / "saved", signatures=module.predict)
    done = warm.run([sys.executable, "-c", _LOADS, str(tmp_path / "saved")], cwd=tmp_path)
    assert done.stdout.splitlines() == ["False [[1.5]]", "0.25 1", "[[1.0]]"], done.stderr


@pytest.mark.parametrize("names", [["x"], ["y", "x"]])
def test_a_concrete_function_of_some_inputs(names: list[str]) -> None:
    with compat.VariableStore(), compat.building():
        x, y = compat.Input(tf.float32, [], "x"), compat.Input(tf.float32, [], "y", default=3.0)
        step = compat.step(x - y, x, y)
    function = step.get_concrete_function(*[{"x": x, "y": y}[name] for name in names])
    given = [{"x": 1.0, "y": 2.0}[name] for name in names]
    assert float(function(*map(tf.constant, given))) == (-2.0 if names == ["x"] else -1.0)


def _decay(x: Any, w: Any) -> Any:
    return tf.gradients(w * x, w)


def _learn(x: Any, w: Any) -> Any:
    return compat.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_mean(w * x))


def _clip(x: Any, w: Any) -> Any:
    optimizer = compat.train.AdamOptimizer(0.1)
    pairs = optimizer.compute_gradients(tf.reduce_sum(w * x))
    return optimizer.apply_gradients([(tf.clip_by_norm(gradient, 1.0), each) for gradient, each in pairs])


def _normalize(x: Any, w: Any) -> Any:
    out = compat.layers.batch_normalization(w * x[:, None], training=True)
    with tf.control_dependencies(compat.get_collection(compat.GraphKeys.UPDATE_OPS)):
        return compat.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(out**2))


@pytest.mark.parametrize("build", [_decay, _learn, _clip, _normalize])
def test_a_step_that_does_not_need_the_loss_is_part_of_a_function(build: Any, tmp_path: Path) -> None:
    """Gradients are colocated with operations that such a step is pruned of."""

    def built() -> tuple[compat.VariableStore, Any]:
        with compat.VariableStore() as store, compat.building():
            x = compat.Input(tf.float32, [None], "x")
            w = compat.get_variable("w", [1], initializer=compat.constant_initializer(2.0))
            made = build(x, w)
            return store, compat.step((), x, updates=made) if isinstance(made, tf.Operation) else compat.step(made, x)

    (store, step), (other, again) = built(), built()
    inside = tf.function(lambda x: step(x), autograph=False)
    for value in ([1.0, 4.0], [3.0]):
        for mine, theirs in zip(tf.nest.flatten(inside(tf.constant(value))), again(value), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-6)
    for mine, theirs in zip(store.variables, other.variables, strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-6)
    module = tf.Module()
    module.store, module.step = store, step.get_concrete_function()
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    loaded.step(tf.constant([2.0]))
    again([2.0])
    values = {variable.name: variable.numpy() for variable in loaded.store._variables.values()}
    for variable in other.variables:
        np.testing.assert_allclose(values[variable.name], variable.numpy(), rtol=1e-6)


def _loop(x: Any, w: Any) -> Any:
    cell = compat.nn.rnn_cell.BasicLSTMCell(3)
    return compat.nn.dynamic_rnn(cell, tf.reshape(x * w, [1, -1, 1]), dtype=tf.float32)[0]


def _branch(x: Any, w: Any) -> Any:
    return tf.cond(w[0] > 0.0, lambda: x * w, lambda: x)


def _custom(x: Any, w: Any) -> Any:
    return tf.custom_gradient(lambda t: (t, lambda upstream: upstream * 10.0))(x * w)


@pytest.mark.parametrize("build", [_loop, _branch, _custom])
def test_gradients_through_a_step_are_those_of_its_graph(build: Any) -> None:
    with compat.VariableStore() as store, compat.building():
        x = compat.Input(tf.float32, [None], "x")
        w = compat.get_variable("w", [1], initializer=compat.constant_initializer(2.0))
        total = tf.reduce_sum(build(x, w) ** 2)
        kernels = list(store.trainable_variables)
        total_step, gradient_step = compat.step(total, x), compat.step(tf.gradients(total, [x, *kernels]), x)

    @tf.function(autograph=False)
    def outside(x: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = total_step(x)
        return tape.gradient(total, [x, *kernels])

    for mine, theirs in zip(outside(tf.constant([1.0, -2.0])), gradient_step([1.0, -2.0]), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)


_SERVES = """
import sys
import tensorflow as tf
model = tf.saved_model.load(sys.argv[1])
print("compat" in sys.modules, model.serve(tf.constant([[1.0, 2.0]])).numpy().tolist())
"""


def test_an_exported_function_that_calls_a_step(tmp_path: Path) -> None:
    store, net = _net()
    net.w.assign([[1.0], [2.0]])
    module = tf.Module()
    module.store = store
    signature = [tf.TensorSpec([None, 2], tf.float32)]
    module.serve = tf.function(lambda x: net.predict_step(x)["out"] + 1.0, input_signature=signature)
    tf.saved_model.save(module, tmp_path)
    command = [sys.executable, "-c", _SERVES, str(tmp_path)]
    done = warm.run(command, cwd=tmp_path)
    assert done.stdout.splitlines() == ["False [[6.0]]"], done.stderr


def test_a_step_that_draws_under_a_seed_is_not_for_a_saved_model(tmp_path: Path) -> None:
    with compat.VariableStore() as store, compat.building():
        step = compat.step(tf.random.uniform([], seed=3))
    module = tf.Module()
    module.store, module.draw = store, step.get_concrete_function()
    assert 0.0 < float(module.draw()) < 1.0
    tf.saved_model.save(module, tmp_path)
    with pytest.raises(tf.errors.NotFoundError, match="random_sequences"):
        tf.saved_model.load(tmp_path).draw()


def test_a_step_that_looks_into_a_table_is_not_for_a_saved_model(tmp_path: Path) -> None:
    with compat.VariableStore() as store, compat.building():
        words = compat.Input(tf.string, [None])
        step = compat.step(compat.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"])).lookup(words), words)
    inside = tf.function(lambda words: step(words), autograph=False)
    assert inside(tf.constant(["b", "c"])).numpy().tolist() == step(["b", "c"]).tolist() == [1, -1]
    module = tf.Module()
    module.store, module.find = store, step.get_concrete_function()
    tf.saved_model.save(module, tmp_path)
    with pytest.raises(tf.errors.FailedPreconditionError, match="initialized"):
        tf.saved_model.load(tmp_path).find(tf.constant(["b"]))


def test_a_function_of_python_in_a_step_calls_another_step() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [], "x")
        count = compat.Variable(3.0)
        inner = compat.step(count * x, x, updates=compat.assign_add(count, 1.0))
        outer = compat.step(compat.py_func(inner, [x], tf.float32) + 1.0, x)
    assert [outer(2.0), outer(2.0), count.numpy()] == [7.0, 9.0, 5.0]


def test_towers_and_replicas_on_two_devices() -> None:
    found = result_of("tests.compat.steps.replicas_program")
    assert found["towers"] == [[[1.5, 3.5], [-0.375, -0.875]], -1.5, ["CPU:0", "CPU:1"]]
    assert found["replicas"] == [[[3.0, 6.0], [9.0, 12.0]], 3.0]
    in_a_store, on_the_bridge = found["scope"]
    assert in_a_store == on_the_bridge
