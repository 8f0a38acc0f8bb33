"""`VariableStore.compute`: which updates are made."""

from __future__ import annotations

from typing import Any

import pytest
import tensorflow as tf

import compat

assign_moving_average = compat.train.moving_averages.assign_moving_average


def _total() -> Any:
    return compat.get_variable("total", [], initializer=tf.zeros_initializer())


def _value(store: compat.VariableStore) -> float:
    found = store.find("total")
    assert found is not None
    return float(found.numpy())


def _function(store: compat.VariableStore, build: Any, part: int | None = None) -> Any:
    return tf.function(lambda *given: store.compute(build, *given, part=part), autograph=False)


def _several() -> tuple[Any, ...]:
    total = _total()
    update = compat.assign_add(total, 1.0)
    compat.add_to_collection("updates", update.op)
    moved = assign_moving_average(total, 10.0, 0.5, zero_debias=False)
    with tf.control_dependencies([moved]):
        waiting = tf.constant(3.0)
    return tf.constant(2.0), update, compat.get_collection("updates"), [waiting, total], waiting * 2.0


@pytest.mark.parametrize(
    ("part", "result", "left"),
    [(0, 2.0, 0.0), (1, 1.0, 1.0), (2, [None], 1.0), (3, [3.0, 5.0], 5.0), (4, 6.0, 5.0)],
)
def test_those_that_a_result_waits_for(part: int, result: Any, left: float) -> None:
    store = compat.VariableStore()
    found = _function(store, _several, part)()
    assert tf.nest.map_structure(lambda each: None if each is None else float(each), found) == result
    assert _value(store) == left


def _branching(training: Any) -> tuple[Any, ...]:
    total = _total()

    def update() -> tuple[Any, Any]:
        return compat.assign_add(total, 1.0), assign_moving_average(total, 101.0, 0.5, zero_debias=False).op

    added, moved = compat.cond(training, update, lambda: (tf.constant(0.0), tf.no_op()))
    with tf.control_dependencies([moved]):
        waiting = tf.constant(3.0)
    return added, waiting, tf.constant(1.0)


@pytest.mark.parametrize(
    ("part", "training", "left"), [(0, True, 1.0), (0, False, 0.0), (1, True, 50.5), (1, False, 0.0), (2, True, 0.0)]
)
def test_in_a_branch(part: int, training: bool, left: float) -> None:
    store = compat.VariableStore()
    _function(store, _branching, part)(tf.constant(training))
    assert _value(store) == left


def _by_methods() -> tuple[Any, ...]:
    total = _total()
    added = total.assign_add(3.0, False, "added")
    with tf.control_dependencies([added]):
        lowered = total.assign_sub(1.0, read_value=False)
    return added, lowered, total, total.assign(use_locking=True, value=8.0)


@pytest.mark.parametrize(("part", "result", "left"), [(0, 3.0, 3.0), (1, None, 2.0), (2, 0.0, 0.0), (3, 8.0, 8.0)])
def test_by_methods_of_variables(part: int, result: float | None, left: float) -> None:
    store = compat.VariableStore()
    assert _function(store, _by_methods, part)() == result
    assert _value(store) == left


def test_methods_of_variables_elsewhere() -> None:
    store = compat.VariableStore()

    @tf.function
    def step() -> Any:
        with store:
            total = _total()
            total.assign_add(3.0)
            total.assign(total * 2.0, read_value=False)
            return total.assign_sub(1.0).value()

    assert float(step()) == 5.0
    assert _value(store) == 5.0


def test_a_part_of_a_variable() -> None:
    def build() -> Any:
        whole = compat.get_variable("whole", [2], initializer=tf.zeros_initializer())
        return whole[0].assign(1.0)

    with pytest.raises(ValueError, match="update of a part of whole:0"):
        _function(compat.VariableStore(), build)()


def test_results_of_a_branch_and_of_a_loop() -> None:
    """TF 1.x fetched neither."""
    made: list[Any] = []

    def build(x: Any) -> Any:
        made.clear()
        chosen = compat.cond(x > 0.0, lambda: made.append(x + 1.0) or made[-1], lambda: x)
        looped = compat.while_loop(lambda i: i < x, lambda i: made.append(i + 1.0) or made[-1], [x - 1.0])
        return chosen + looped, made[0], made[-1].op

    assert float(_function(compat.VariableStore(), build, 0)(tf.constant(2.0))) == 5.0
    for part in (1, 2):
        with pytest.raises(ValueError, match="has been marked as not fetchable"):
            _function(compat.VariableStore(), build, part)(tf.constant(2.0))


def test_results_that_only_read_variables() -> None:
    """They need no values of what else is computed."""

    def build(training: Any, x: Any) -> tuple[Any, ...]:
        total = _total()
        added = compat.cond(training, lambda: compat.assign_add(total, x), lambda: total - x)
        return added, (total, tf.reshape(2.0 * total, [1]), 5.0), [total, x], total + tf.random.normal([], seed=1)

    store = compat.VariableStore()
    specs = tf.TensorSpec([], tf.bool), tf.TensorSpec([], tf.float32)

    def reading(part: int) -> Any:
        return tf.function(lambda: store.compute(build, *map(compat.unfed, specs), part=part), autograph=False)

    add = tf.function(lambda *given: store.compute(build, *given, part=0), input_signature=specs, autograph=False)
    read = reading(1)
    assert [each.numpy().tolist() for each in read()] == [0.0, [0.0], 5.0]
    assert float(add(True, 3.0)) == 3.0
    assert float(add(False, 1.0)) == 2.0
    assert [each.numpy().tolist() for each in read()] == [3.0, [6.0], 5.0]
    for other in (2, 3):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Placeholder"):
            reading(other)()


def test_an_update_in_a_branch_that_only_another_result_needs() -> None:
    def build(x: Any) -> tuple[Any, Any]:
        with tf.control_dependencies([compat.assign_add(_total(), 1.0)]):
            waiting = tf.identity(x)
        return compat.cond(x > 0.0, lambda: (waiting + 1.0, x + 2.0), lambda: (x, x))

    for part, left in ((0, 1.0), (1, 0.0)):
        store = compat.VariableStore()
        _function(store, build, part)(tf.constant(1.0))
        assert _value(store) == left


def test_a_moving_average_of_a_layer() -> None:
    def build() -> tuple[Any, Any]:
        y = compat.layers.batch_normalization(tf.constant([[2.0], [4.0]]), momentum=0.5, training=True)
        return y, compat.get_collection(compat.GraphKeys.UPDATE_OPS)

    store = compat.VariableStore()
    _function(store, build, 0)()
    mean = store.find("batch_normalization/moving_mean")
    assert mean is not None
    assert mean.numpy().tolist() == [0.0]
    _function(store, build, 1)()
    assert mean.numpy().tolist() == [1.5]


def test_names_of_variables_are_those_of_one_pass() -> None:
    store = compat.VariableStore()

    def build() -> Any:
        with compat.variable_scope(None, default_name="part"):
            return compat.get_variable("w", [], initializer=tf.ones_initializer()) + 0.0

    _function(store, build)()
    _function(store, build)()
    assert [variable.name for variable in store.variables] == ["part/w:0"]


def _in_a_loop() -> Any:
    total = _total()
    return tf.while_loop(lambda i: i < 3.0, lambda i: [compat.assign_add(total, 1.0)], [0.0])[0]


def _read_before() -> Any:
    total = _total()
    value = tf.identity(total)
    return value, compat.assign_add(total, 1.0)


def _read_before_and_computed_behind() -> Any:
    total = _total()
    value = tf.identity(total)
    with tf.control_dependencies([compat.assign_add(total, 1.0)]):
        return value * 2.0


def _read_of_a_resource() -> Any:
    total = compat.get_variable("total", [], initializer=tf.zeros_initializer(), use_resource=True)
    return total, compat.assign_add(total, 1.0)


def _read_in_no_order() -> Any:
    total = _total()
    update = compat.assign_add(total, 1.0)
    return update, total * 2.0


def _read_in_a_branch_in_no_order() -> Any:
    total = _total()
    update = compat.assign_add(total, 1.0)
    return update, compat.cond(tf.constant(2.0) > 1.0, lambda: total * 3.0, lambda: 0.0)


def _read_in_a_branch_before() -> Any:
    total = _total()
    value = compat.cond(tf.constant(2.0) > 1.0, lambda: tf.identity(total), lambda: 0.0)
    return value, compat.assign_add(total, 1.0)


def _replaced_twice() -> Any:
    total = _total()
    return compat.assign(total, 1.0).op, compat.assign_add(total, 2.0).op


def _replaced_beside_a_branch() -> Any:
    total = _total()
    added = compat.cond(tf.constant(2.0) > 1.0, lambda: compat.assign_add(total, 1.0), lambda: 0.0)
    return added, compat.assign(total, 2.0)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (_read_in_a_branch_in_no_order, "another order than TF 1.x"),
        (_read_in_a_branch_before, "another order than TF 1.x"),
        (_replaced_twice, "any one first"),
        (_replaced_beside_a_branch, "another order than TF 1.x"),
        (_in_a_loop, "the body of a loop"),
        (_read_before, "another order than TF 1.x"),
        (_read_before_and_computed_behind, "another order than TF 1.x"),
        (_read_of_a_resource, "another order than TF 1.x"),
        (_read_in_no_order, "another order than TF 1.x"),
    ],
)
def test_what_cannot_be_told(build: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _function(compat.VariableStore(), build)()


def test_what_is_computed_before_an_update() -> None:
    def build() -> Any:
        total = _total()
        value = total * 2.0
        with tf.control_dependencies([value]):
            return value, compat.assign_add(total, 1.0), total

    store = compat.VariableStore()
    assert [float(each) for each in _function(store, build)()] == [0.0, 1.0, 1.0]


@pytest.mark.parametrize(("training", "expected"), [(True, [6.0, 1.0, 6.0]), (False, [2.0, 0.0, 2.0])])
def test_what_only_one_of_two_branches_does(training: bool, expected: list[float]) -> None:
    """TensorFlow 1.15.5 gives the same."""

    def build(training: Any) -> Any:
        total = _total()
        made = compat.cond(training, lambda: compat.assign(total, 6.0), lambda: compat.assign(total, 2.0))
        with tf.control_dependencies([made]):
            made = tf.identity(made)
        return made, compat.cond(training, lambda: 1.0, lambda: 0.0), total

    store = compat.VariableStore()
    assert [float(each) for each in _function(store, build)(tf.constant(training))] == expected


def test_a_branch_that_reads_where_the_other_one_updates() -> None:
    """TensorFlow 1.15.5 gives the same, in either order: no run does both."""

    def build(training: Any) -> Any:
        total = _total()
        made = compat.cond(training, lambda: compat.assign_add(total, 1.0), lambda: 0.0)
        return made, compat.cond(training, lambda: 5.0, lambda: total * 2.0)

    function = _function(compat.VariableStore(), build)
    values = [[float(each) for each in function(tf.constant(training))] for training in (True, False, True)]
    assert values == [[1.0, 5.0], [0.0, 2.0], [2.0, 5.0]]


def test_two_updates_that_add() -> None:
    def build() -> Any:
        total = _total()
        return compat.assign_add(total, 1.0).op, compat.assign_add(total, 2.0).op

    store = compat.VariableStore()
    _function(store, build)()
    assert _value(store) == 3.0


def test_code_that_is_another_one_each_time() -> None:
    times: list[int] = []

    def build() -> Any:
        times.append(0)
        total = _total()
        for _ in times:
            compat.assign_add(total, 1.0)
        return tf.constant(1.0)

    with pytest.raises(ValueError, match="traced again"):
        _function(compat.VariableStore(), build)()


def _counting() -> Any:
    """Code whose values tell how often it has been called; TF 1.x called it once."""
    times: list[int] = []

    def build() -> Any:
        times.append(0)
        count, total = float(len(times)), _total()
        chosen = compat.cond(total < 1.0, lambda: tf.constant(count), lambda: tf.constant(0.0))
        looped = compat.while_loop(lambda i: i < count, lambda i: i + 1.0, [tf.constant(0.0)])
        return tf.constant(3.0), tf.constant(1.0) * count, compat.assign_add(total, count), chosen, looped, count

    return build


@pytest.mark.parametrize("part", range(1, 6))
def test_values_that_are_others_each_time(part: int) -> None:
    with pytest.raises(ValueError, match="computes something else when it is traced again"):
        _function(compat.VariableStore(), _counting(), part)()


def test_another_part_of_what_is_another_one_each_time() -> None:
    store, build = compat.VariableStore(), _counting()
    assert float(_function(store, build, 0)()) == 3.0
    with pytest.raises(ValueError, match="computes something else when it is traced again"):
        _function(store, build, 0)()


def test_shapes_of_their_own() -> None:
    store = compat.VariableStore()
    function = _function(store, lambda given: (tf.reduce_sum(given) * float(given.shape[0]), _total()), 0)
    assert [float(function(tf.ones([size]))) for size in (1, 2)] == [1.0, 4.0]


def test_a_value_that_is_there_from_the_start() -> None:
    store = compat.VariableStore()

    def build() -> Any:
        first = compat.get_variable("first", [], initializer=tf.constant_initializer(4.0))
        return compat.get_variable("second", initializer=first.initialized_value()) + 0.0

    assert float(_function(store, build)()) == 4.0


def test_variables_that_are_others_each_time() -> None:
    store = compat.VariableStore()
    numbers = iter(range(9))

    def build() -> Any:
        return compat.get_variable(f"w{next(numbers)}", [], initializer=tf.ones_initializer()) + 0.0

    with pytest.raises(ValueError, match="must not create variables"):
        _function(store, build)()


def _training(optimizer: Any) -> Any:
    def build() -> tuple[Any, ...]:
        total = _total()
        loss = tf.square(total - 4.0)
        step = compat.train.get_or_create_global_step()
        return loss, optimizer.minimize(loss, global_step=step), step

    return build


OPTIMIZERS = {
    "plain": lambda: compat.train.GradientDescentOptimizer(0.25),
    "with slots": lambda: compat.train.MomentumOptimizer(0.25, 0.5),
    "with steps of its own": lambda: compat.train.AdamOptimizer(2.0),
}


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_a_loss_alone_does_not_train(kind: str) -> None:
    store = compat.VariableStore()
    build = _training(OPTIMIZERS[kind]())
    loss, train, step = (_function(store, build, part) for part in range(3))
    assert [float(loss()), float(loss()), int(step()), _value(store)] == [16.0, 16.0, 0, 0.0]
    assert train() is None
    assert [float(loss()), int(step())] == [4.0, 1] and _value(store) == pytest.approx(2.0, abs=1e-5)


def test_a_loss_with_its_step_is_that_of_before() -> None:
    store = compat.VariableStore()
    both = _function(store, lambda: _training(OPTIMIZERS["plain"]())()[:2])
    losses = [float(both()[0]) for _ in range(2)]
    assert losses == [16.0, 4.0] and _value(store) == 3.0


def test_a_kernel_that_nothing_waits_for_is_refused() -> None:
    store = compat.VariableStore()

    def build() -> tuple[Any, ...]:
        update = tf.raw_ops.ResourceApplyGradientDescent(var=_total().handle, alpha=0.5, delta=2.0)
        with tf.control_dependencies([update]):
            waiting = tf.constant(6.0)
        return tf.constant(5.0), waiting

    with pytest.raises(ValueError, match="ResourceApplyGradientDescent"):
        _function(store, build, 0)()
    assert _value(store) == 0.0
    assert float(_function(store, build, 1)()) == 6.0
    assert _value(store) == -1.0


def test_methods_of_the_stores_variables_are_told_apart() -> None:
    store = compat.VariableStore()

    def build(training: Any) -> tuple[Any, ...]:
        total = _total()
        tf.cond(training, lambda: total.assign_add(1.5).op, lambda: tf.no_op())
        return tf.constant(5.0), total.assign_add(0.5)

    assert float(_function(store, build, 0)(tf.constant(True))) == 5.0
    assert _value(store) == 0.0
    assert float(_function(store, build, 1)(tf.constant(True))) == 0.5


def test_a_method_of_another_variable_is_an_update_too() -> None:
    """What `v.assign_add` gives of a plain `tf.Variable` in a trace is of a variable's class."""
    store, plain = compat.VariableStore(), tf.Variable(0.0)

    def build() -> tuple[Any, ...]:
        return tf.constant(5.0), plain.assign_add(1.5)

    with pytest.raises(ValueError, match="AssignAddVariableOp"):
        _function(store, build, 0)()
    assert float(plain) == 0.0
    assert float(_function(store, build, 1)()) == float(plain) == 1.5


def test_a_method_in_a_branch_is_refused() -> None:
    store, plain = compat.VariableStore(), tf.Variable(0.0)

    def build(training: Any) -> tuple[Any, ...]:
        tf.cond(training, lambda: plain.assign_add(1.5).op, lambda: tf.no_op())
        return (tf.constant(5.0),)

    with pytest.raises(ValueError, match="AssignAddVariableOp"):
        _function(store, build, 0)(tf.constant(True))
