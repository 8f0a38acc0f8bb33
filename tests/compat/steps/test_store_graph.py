"""What TensorFlow 1 programs had of a graph and its runs, recorded in a store and run as steps.

Values in lists are what TensorFlow 1.15.5 printed for the same program.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

Pair = collections.namedtuple("Pair", "left right")


def test_order_of_reads_and_updates() -> None:
    with compat.VariableStore(), compat.building():
        v = compat.get_variable("v", [2], initializer=compat.constant_initializer([1.0, 2.0]))
        early, alias = v * 10.0, tf.identity(v)
        update = compat.assign_add(v, [1.0, 1.0])
        with tf.control_dependencies([update]):
            late = v * 100.0
            late_alias = alias * 1000.0
        reads = compat.step([early, alias, v, late, late_alias])
        updated = compat.step([early, v], updates=[update])
        assigned = compat.step([update, early])
    assert [each.tolist() for each in reads()] == [[10, 20], [2, 3], [2, 3], [200, 300], [2000, 3000]]
    assert [each.tolist() for each in updated()] == [[20, 30], [3, 4]]
    assert [each.tolist() for each in assigned()] == [[4, 5], [30, 40]]


_DRAWS = """
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
draw = tf.random_uniform([], seed=3)
drop = tf.nn.dropout(tf.ones([4]), keep_prob=0.5, seed=7)
start = tf.Variable(tf.random_normal([2], seed=11))
both = draw + 1.0
session = tf.Session()
session.run(tf.global_variables_initializer())
found = [session.run(each).tolist() for each in (draw, both, drop, draw, drop, start)]
session = tf.Session()
session.run(tf.global_variables_initializer())
print(found + [session.run(each).tolist() for each in (draw, start)])
"""


def test_a_random_operation_has_one_sequence_in_all_steps(run_legacy: Callable[..., str]) -> None:
    with compat.VariableStore() as store, compat.building():
        draw = tf.random.uniform([], seed=3)
        drop = compat.nn.dropout(tf.ones([4]), keep_prob=0.5, seed=7)
        start = compat.Variable(tf.random.normal([2], seed=11))
        both = draw + 1.0
        draw_step, both_step, drop_step, start_step = (compat.step(each) for each in (draw, both, drop, start))
    steps = (draw_step, both_step, drop_step, draw_step, drop_step, start_step)
    found = [step().tolist() for step in steps]
    store.reset()
    found += [draw_step().tolist(), start_step().tolist()]
    np.testing.assert_allclose(np.hstack(found), np.hstack(eval(run_legacy(_DRAWS))), rtol=1e-6)


_CONDITIONAL = """
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
draw = tf.random_uniform([], seed=3)
one = tf.Variable(draw)
other = tf.get_variable('other', [2], initializer=tf.truncated_normal_initializer(seed=5))
init = tf.global_variables_initializer()
session = tf.Session()
session.run(init)
found = [session.run(each).tolist() for each in (one, other, draw)]
session.run(init)
found += [session.run(each).tolist() for each in (one, other, draw)]
print(found)
"""


@pytest.mark.parametrize("kept", ["neither", "first", "both", "eager"])
def test_initializers_draw_what_they_drew(kept: str, run_legacy: Callable[..., str]) -> None:
    with compat.VariableStore():
        with compat.building():
            draw = tf.random.uniform([], seed=3)
            one = compat.Variable(draw)
            other = compat.get_variable("other", [2], initializer=compat.truncated_normal_initializer(seed=5))
            init = compat.step(updates=compat.global_variables_initializer())
            fetched = compat.step(draw)

        def again() -> None:
            compat.global_variables_initializer() if kept == "eager" else init()

        if kept != "neither":
            again()
        found = [one.numpy(), *other.numpy(), fetched()]
        if kept in ("both", "eager"):
            again()
            found += [one.numpy(), *other.numpy(), fetched()]
    expected = np.hstack(eval(run_legacy(_CONDITIONAL)))
    np.testing.assert_allclose(found, expected[: len(found)], rtol=1e-6)


def test_structures_come_back_as_they_went_in() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [None], "x")
        sparse = tf.sparse.from_dense(x)
        slices = tf.IndexedSlices(x, tf.constant([0, 1]))
        step = compat.step({"a": [x, (x * 2.0, None or x)], "b": Pair(x, {"c": sparse}), "d": slices}, x)
    found = step([1.0, 0.0])
    assert type(found["b"]) is Pair
    assert found["a"][1][0].tolist() == [2.0, 0.0]
    assert type(found["a"][1]) is tuple
    assert found["b"].right["c"].indices.tolist() == [[0]]
    assert found["d"].values.tolist() == [1.0, 0.0]
    assert type(found["a"][0]) is np.ndarray


def test_values_are_cast_as_a_session_cast_them() -> None:
    with compat.VariableStore(), compat.building():
        whole, real, truth = compat.Input(tf.int32), compat.Input(tf.float32), compat.Input(tf.bool)
        step = compat.step([whole, real, truth], whole, real, truth)
    found = step(2.7, [True, False], np.int64([0, 2]))
    assert [each.tolist() for each in found] == [2, [1.0, 0.0], [False, True]]
    assert [each.dtype for each in found] == [np.int32, np.float32, np.bool_]


def test_inputs_by_name_by_structure_and_by_default() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [], "scope/x")
        state = Pair(compat.Input(tf.float32, []), compat.Input(tf.float32, []))
        scale = compat.Input(tf.float32, [], "scale", default=2.0)
        out = (x + state.left - state.right) * scale
        step = compat.step(out, x, state, scale)
        named = compat.step(out, state=state, first=x)
    assert step(1.0, (5.0, 3.0)) == step(x=1.0, scale=2.0) if False else step(1.0, Pair(5.0, 3.0)) == 6.0
    assert step(1.0, (5.0, 3.0), scale=1.0) == 3.0
    assert named(first=1.0, state=(5.0, 3.0)) == 6.0
    assert step({x: 1.0, state: (5.0, 3.0)}) == 6.0
    assert step({x: 1.0, state.left: 5.0, state.right: 3.0, scale: 1.0}) == 3.0
    assert compat.run(out, {"scope/x:0": 1.0, state: (5.0, 3.0)}) == 6.0
    assert compat.run("mul:0", {x: 1.0, state: (5.0, 3.0)}) == 6.0


def test_a_dictionary_of_inputs_is_an_input() -> None:
    with compat.VariableStore(), compat.building():
        given = {"b": compat.Input(tf.float32, []), "a": compat.Input(tf.float32, [])}
        step = compat.step(given["a"] - given["b"], given)
    assert step({"a": 5.0, "b": 3.0}) == 2.0
    with pytest.raises(ValueError, match="keys"):
        step({"a": 5.0})


def test_any_tensor_can_be_given() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [])
        middle = x * 2.0
        step = compat.step(middle + 1.0, middle)
        v = compat.Variable(1.0)
        doubled = v * 2.0
    assert step(5.0) == 6.0
    assert compat.run(doubled, {v: 4.0}) == 8.0


def test_sparse_inputs() -> None:
    with compat.VariableStore(), compat.building():
        known = compat.SparseInput(tf.float32, [2, 2], "known")
        free = compat.SparseInput(tf.float32)
        step = compat.step([tf.sparse.to_dense(known), tf.sparse.to_dense(free)], known, free)
    value = compat.SparseTensorValue([[0, 1]], [3.0], [2, 2])
    assert [each.tolist() for each in step(value, ([[0]], [4.0], [1]))] == [[[0, 3], [0, 0]], [4]]
    assert step({known: value, free: value})[1].tolist() == [[0, 3], [0, 0]]


def test_the_shape_of_a_sparse_input_may_be_a_tensor() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.SparseInput(tf.float32, tf.constant([2, 3], tf.int64))
        step = compat.step(tf.sparse.to_dense(x), x.indices, x.values)
    assert step([[1, 2]], [5.0]).tolist() == [[0, 0, 0], [0, 0, 5]]


def test_an_input_has_the_type_of_its_default() -> None:
    with compat.VariableStore():
        x = compat.Input(None, default=np.float64([1.0]), shape=[None])
        assert x.dtype == tf.float64
        assert compat.step(x, x)([2.0, 3.0]).tolist() == [2.0, 3.0]


def test_iterators_move_where_they_are_needed() -> None:
    with compat.VariableStore(), compat.building():
        once = compat.data.make_one_shot_iterator(tf.data.Dataset.range(10)).get_next()
        count = compat.Input(tf.int64, [])
        started = compat.data.make_initializable_iterator(tf.data.Dataset.range(count))
        element = started.get_next()
        other = tf.constant(1)
    first, second, both, none = (compat.step(each) for each in (once, element, [once, element], other))
    with pytest.raises(tf.errors.FailedPreconditionError):
        second()
    compat.step((), count, updates=started.initializer)(2)
    assert [first(), second(), none(), first()] == [0, 0, 1, 1]
    assert both() == [2, 1]
    with pytest.raises(tf.errors.OutOfRangeError):
        second()
    compat.run(started.initializer, {count: 5})
    assert second() == 0


def test_tables_are_filled_before_they_are_needed() -> None:
    with compat.VariableStore(), compat.building():
        table = compat.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]))
        words = compat.Input(tf.string, [None])
        step = compat.step(table.lookup(words), words)
        compat.tables_initializer()
    assert step(["b", "a", "c"]).tolist() == [1, 0, -1]


def test_assertions_and_prints_only_where_they_are_needed(capfd: pytest.CaptureFixture[str]) -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [])
        with tf.control_dependencies([compat.assert_positive(x)]):
            checked = x * 1.0
        told = compat.Print(x, [x], "told ")
        free, safe, loud = compat.step(x * 2.0, x), compat.step(checked, x), compat.step(told, x)
    assert free(-1.0) == -2.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        safe(-1.0)
    assert "told" not in capfd.readouterr().err
    loud(3.0)
    assert "told [3]" in capfd.readouterr().err


_NAMES = """
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
x = tf.placeholder(tf.float32, [None, 2], name='loss')
with tf.name_scope('loss'):
    y = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.square(y), name='loss')
tag = tf.summary.scalar('loss', loss)
step = tf.train.AdamOptimizer(0.1).minimize(loss, name='learn')
more = tf.train.AdamOptimizer(0.1).minimize(loss)
with tf.name_scope('loss'):
    z = tf.multiply(y, 2.0, name='z')
print([each.name for each in (x, y, loss, tag, z, step, more)])
print([v.name for v in tf.global_variables()])
print([v.op.name for v in tf.trainable_variables()])
print(tf.Summary.FromString(tf.Session().run(tag, {loss: 1.0})).value[0].tag)
"""


def test_names_are_those_of_tensorflow_1(run_legacy: Callable[..., str]) -> None:
    told = []
    with compat.VariableStore():
        x = compat.Input(tf.float32, [None, 2], name="loss")
        with compat.building(), compat.name_scope("loss"):
            y = compat.layers.dense(x, 1, kernel_initializer=compat.ones_initializer())
        with compat.building():
            loss = tf.reduce_mean(tf.square(y), name="loss")
            tag = compat.summary.scalar("loss", loss)
            step = compat.train.AdamOptimizer(0.1).minimize(loss, name="learn")
        with compat.building():
            more = compat.train.AdamOptimizer(0.1).minimize(loss)
            with compat.name_scope("loss"):
                z = tf.multiply(y, 2.0, name="z")
        told.append([each.name for each in (x, y, loss, tag, z, step, more)])
        told.append([v.name for v in compat.global_variables()])
        told.append([v.op.name for v in compat.trainable_variables()])
        told.append(compat.Summary.FromString(compat.run(tag, {loss: 1.0})).value[0].tag)
    assert [str(each) for each in told] == run_legacy(_NAMES).splitlines()


def test_a_graph_grows_while_the_program_runs() -> None:
    with compat.VariableStore():
        x = compat.Input(tf.float32, [])
        found = []
        for number in range(3):
            with compat.building():
                w = compat.Variable(float(number))
                value = w * x
            found.append(compat.run(value, {x: 2.0}))
        assert found == [0.0, 2.0, 4.0]
        assert [v.name for v in compat.global_variables()] == ["Variable:0", "Variable_1:0", "Variable_2:0"]


def test_a_namespace_a_store() -> None:
    def model(start: float) -> tuple[compat.VariableStore, Any, Any]:
        with compat.VariableStore() as store, compat.building():
            x = compat.Input(tf.float32, [], "x")
            w = compat.get_variable("w", [], initializer=compat.constant_initializer(start))
            loss = tf.square(w * x)
            op = compat.train.GradientDescentOptimizer(0.1).minimize(loss)
            return store, compat.step(loss, x, updates=op), w

    (one, learn_one, w_one), (two, learn_two, w_two) = model(1.0), model(2.0)
    assert [learn_one(1.0), learn_two(1.0), learn_one(1.0)] == pytest.approx([1.0, 4.0, 0.64])
    assert w_one.name == w_two.name == "w:0"
    assert float(w_two.numpy()) == pytest.approx(1.6)
    assert len(one.variables) == len(two.variables) == 1


@pytest.mark.parametrize("by_name", [True, False])
def test_queue_runners_need_no_session(by_name: bool) -> None:
    with compat.VariableStore():
        with compat.building():
            queue = compat.FIFOQueue(10, [tf.int32], shapes=[[]])
            count = compat.Variable(0, trainable=False)
            compat.train.add_queue_runner(compat.train.QueueRunner(queue, [queue.enqueue(compat.assign_add(count, 1))]))
            element = queue.dequeue()
        coord = tf.train.Coordinator()
        start = compat.train.start_queue_runners
        threads = start(coord=coord) if by_name else start(coord)
        step = compat.step(element)
        assert [step() for _ in range(20)] == list(range(1, 21))
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=10)


_SAVES = """
import sys
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
with tf.Session() as session:
    saver = tf.train.import_meta_graph(sys.argv[1] + '.meta')
    saver.restore(session, sys.argv[1])
    print(session.run('out:0', {'x:0': 3.0}), [v.name for v in tf.global_variables()])
for event in tf.train.summary_iterator(sys.argv[2]):
    if event.HasField('graph_def'):
        print(sorted(node.name for node in tf.GraphDef.FromString(event.graph_def).node if node.op != 'Const'))
"""


def test_tensorflow_1_reads_checkpoints_and_graphs(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    with compat.VariableStore():
        eager = compat.Variable(2.0, name="eager")
        with compat.building() as graph:
            x = compat.Input(tf.float32, [], "x")
            w = compat.get_variable("w", [], initializer=compat.constant_initializer(5.0))
            tf.add(w * x, eager, name="out")
            saver = compat.train.Saver()
        path = saver.save(tmp_path / "model")
        writer = compat.summary.FileWriter(str(tmp_path / "log"), graph)
        writer.close()
    (events,) = (tmp_path / "log").iterdir()
    told = run_legacy(_SAVES, path, str(events)).splitlines()
    assert told[0] == "17.0 ['eager/handle:0', 'w/handle:0']"
    assert {"x", "w", "out", "mul"} <= set(eval(told[1]))


def test_freezing_under_the_names_of_tensorflow_1() -> None:
    with compat.VariableStore():
        with compat.building():
            x = compat.Input(tf.float32, [], "x")
            w = compat.get_variable("w", [], initializer=compat.constant_initializer(5.0))
            tf.multiply(w, x, name="out")
        w.assign(6.0)
        graph_def = compat.get_default_graph().as_graph_def()
        frozen = compat.graph_util.convert_variables_to_constants(graph_def, ["out"])
        assert {node.name: node.op for node in frozen.node if "read" not in node.name.lower()} == {
            "x": "Placeholder",
            "w": "Const",
            "out": "Mul",
        }
    assert float(compat.FrozenGraph(frozen).function(["import/x:0"], "import/out:0")(tf.constant(2.0))) == 12.0


def test_freezing_without_a_session_takes_its_other_arguments_by_name() -> None:
    with compat.VariableStore():
        with compat.building():
            w = compat.get_variable("w", [], initializer=compat.constant_initializer(5.0))
            v = compat.get_variable("v", [], initializer=compat.constant_initializer(3.0))
            tf.multiply(w, v, name="out")
        graph_def = compat.get_default_graph().as_graph_def()
        freeze = compat.graph_util.convert_variables_to_constants
        for frozen in (
            freeze(graph_def, ["out"], variable_names_blacklist=["w"]),
            freeze(input_graph_def=graph_def, output_node_names=["out"], variable_names_blacklist=["w"]),
        ):
            kinds = {node.name: node.op for node in frozen.node}
            assert kinds["v"] == "Const"
            assert kinds["w"] != "Const"


def test_options_and_metadata_of_a_run() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [100, 100])
        product = tf.matmul(x, x)
    metadata = compat.RunMetadata()
    options = compat.RunOptions(trace_level=compat.RunOptions.FULL_TRACE)
    compat.run(product, {x: np.ones([100, 100])}, options=options, run_metadata=metadata)
    named = {node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats}
    assert product.op.name in named


def test_an_external_optimizer_needs_no_session() -> None:
    with compat.VariableStore(), compat.building():
        goal = compat.Input(tf.float32, [])
        w = compat.get_variable("w", [2], initializer=compat.zeros_initializer())
        optimizer = compat.contrib.opt.ScipyOptimizerInterface(tf.reduce_sum((w - goal) ** 2))
    optimizer.minimize(feed_dict={goal: 3.0})
    np.testing.assert_allclose(w.numpy(), [3.0, 3.0], rtol=1e-5)


def test_initial_values_from_a_checkpoint(tmp_path: Path) -> None:
    with compat.VariableStore():
        with compat.building():
            compat.Variable(7.0, name="old")
            saver = compat.train.Saver()
        path = saver.save(tmp_path / "model")
    with compat.VariableStore() as store:
        with compat.building():
            v = compat.Variable(1.0, name="new")
        with compat.building():
            compat.train.init_from_checkpoint(path, {"old": v})
        assert v.numpy() == 7.0
        v.assign(2.0)
        store.reset()
        assert v.numpy() == 7.0


def test_restored_values_stay(tmp_path: Path) -> None:
    def build() -> Any:
        v = compat.Variable(1.0, name="v")
        saver = compat.train.Saver()
        if tf.train.latest_checkpoint(tmp_path):
            saver.restore(tf.train.latest_checkpoint(tmp_path))
        return v, saver

    with compat.VariableStore():
        v, saver = compat.build(build)
        v.assign(5.0)
        saver.save(tmp_path / "model")
    with compat.VariableStore():
        v, _ = compat.build(build)
        assert v.numpy() == 5.0


def test_devices() -> None:
    with compat.VariableStore(), compat.building():
        with compat.device("/cpu:0"):
            placed = tf.constant(1.0) + 1.0
        with compat.device(lambda operation: "/cpu:0"):
            chosen = tf.constant(2.0) + 1.0
    assert placed.device.lower().endswith("cpu:0")
    assert chosen.device.lower().endswith("cpu:0")
    assert compat.run([placed, chosen]) == [2.0, 3.0]


def test_an_optimizer_tells_its_variables_behind_the_building_code() -> None:
    with compat.VariableStore():
        with compat.building():
            w = compat.get_variable("watched", [2], initializer=compat.ones_initializer())
            optimizer = compat.train.AdamOptimizer(0.1)
            train = optimizer.minimize(tf.reduce_sum(w * w))
        compat.step(updates=[train])()
        named = [variable.op.name for variable in optimizer.variables()]
        assert named == ["beta1_power", "beta2_power", "watched/Adam", "watched/Adam_1"]
        assert [power.op.name for power in optimizer._get_beta_accumulators()] == named[:2]
        assert np.isclose(optimizer._get_non_slot_variable("beta1_power").numpy(), 0.9**2)


def test_an_optimizer_of_eager_code_tells_its_own_beside_a_graph() -> None:
    with compat.VariableStore():
        with compat.building():
            compat.get_variable("of_the_graph", [2], initializer=compat.ones_initializer())
        w, optimizer = tf.Variable([1.0, 2.0]), compat.train.AdamOptimizer(0.1)
        optimizer.apply_gradients([(tf.ones([2]), w)])
        assert len(optimizer.variables()) == 4


def test_no_default_store_begins_inside_of_a_scope() -> None:
    compat.reset_default_graph()
    with compat.variable_scope("lost"), pytest.raises(ValueError, match="begin inside of the scope 'lost'"):
        compat.build(compat.get_default_graph)
    with compat.building():
        w = compat.get_variable("w", [])
    assert w.op.name == "w"
    compat.reset_default_graph()
