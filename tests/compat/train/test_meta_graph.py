"""Graphs written to `.meta` files and read again, ours and real TF1's."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.framework.node_def_pb2 import NodeDef
from tensorflow.python.framework import ops

import compat
from compat import train
from tests import warm

PROGRAM = """
import sys
import tensorflow as tf
tf.reset_default_graph()
x = tf.placeholder(tf.float32, [None, 2], name="x")
table = tf.get_variable("table", initializer=tf.constant([[1.0], [2.0], [3.0]]))
with tf.variable_scope("net"):
    w = tf.get_variable("w", initializer=tf.constant([[1.0], [-2.0]]))
count = tf.Variable(0, trainable=False, name="count", collections=[tf.GraphKeys.LOCAL_VARIABLES])
counted = tf.assign_add(count, 5, name="counted")
after = tf.add(counted, 1, name="after")
picked = tf.gather(table, [0, 2, 2])
loss = tf.add(tf.reduce_sum(tf.exp(tf.matmul(x, w))), tf.reduce_sum(picked * picked), name="loss")
step = tf.train.get_or_create_global_step()
op = tf.train.{optimizer}.minimize(loss, global_step=step, name="train")
tf.add_to_collection("mine", loss)
tf.add_to_collection("mine", op)
saver = tf.train.Saver(max_to_keep=3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver.save(sess, sys.argv[1])
    feed = {{x: [[0.1, 0.2], [0.3, 0.4]]}}
    losses = []
    for _ in range(3):
        losses.append(sess.run(loss, feed))
        sess.run(op, feed)
    print("RESULT", *losses)
"""
OPTIMIZERS = (
    "AdamOptimizer(0.1)",
    "MomentumOptimizer(0.1, 0.9)",
    "AdagradOptimizer(0.1)",
    "RMSPropOptimizer(0.1)",
    "GradientDescentOptimizer(0.1)",
)
# As programs do, once, when they are imported: a collection whose items are (weight, tensor).
ops.register_proto_function(
    "weighted",
    NodeDef,
    to_proto=lambda item, export_scope: NodeDef(name=ops.strip_name_scope(item[1].name, export_scope), op=str(item[0])),
    from_proto=lambda proto, import_scope: (
        float(proto.op),
        compat.get_default_graph().get_tensor_by_name(ops.prepend_name_scope(proto.name, import_scope)),
    ),
)
FEED = {"x:0": [[0.1, 0.2], [0.3, 0.4]]}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_graph_of_real_tf1_restores_and_trains(
    optimizer: str, run_legacy: Callable[..., str], tmp_path: Path
) -> None:
    path = str(tmp_path / "model")
    output = run_legacy(PROGRAM.format(optimizer=optimizer), path)
    wanted = [float(word) for word in output.split("RESULT")[1].split()]
    with compat.Graph().as_default() as graph, compat.Session() as sess:
        saver = train.import_meta_graph(path + ".meta")
        assert {v.op.name for v in compat.trainable_variables()} == {"table", "net/w"}
        assert [v.op.name for v in compat.local_variables()] == ["count"]
        assert [item.name for item in compat.get_collection("mine")] == ["loss:0", "train"]
        saver.restore(sess, path)
        losses = []
        for _ in range(3):
            losses.append(float(sess.run("loss:0", FEED)))
            sess.run(graph.get_operation_by_name("train"), FEED)
        np.testing.assert_allclose(losses, wanted, rtol=1e-6)
        assert sess.run("global_step:0") == 3
        sess.run(compat.local_variables_initializer())
        assert sess.run("after:0") == 6
        assert sess.run("count:0") == 5
        sess.run(compat.global_variables_initializer())
        assert float(sess.run("loss:0", FEED)) == pytest.approx(wanted[0], rel=1e-6)


def build_and_save(path: str) -> Any:
    with compat.Graph().as_default(), compat.Session() as sess:
        x = compat.placeholder(tf.float32, [None, 2], name="x")
        w = compat.get_variable("w", initializer=tf.constant([[1.0], [-2.0]]))
        extra = compat.get_variable("extra", initializer=tf.constant(1.0), trainable=False)
        loss = tf.reduce_sum(tf.exp(tf.matmul(x, w)), name="loss")
        op = train.AdamOptimizer(0.1).minimize(loss)
        compat.add_to_collection("things", "text")
        compat.add_to_collection("numbers", 3)
        saver = train.Saver([v for v in compat.global_variables() if v is not extra])
        sess.run(compat.global_variables_initializer())
        sess.run(op, FEED)
        saver.save(sess, path)
        sess.run(op, FEED)
        return sess.run(loss, FEED)


def test_our_own_graph_restores_and_trains(tmp_path: Path) -> None:
    path = str(tmp_path / "model")
    wanted = build_and_save(path)
    with compat.Graph().as_default(), compat.Session() as sess:
        saver = train.import_meta_graph(path + ".meta")
        assert [v.op.name for v in compat.trainable_variables()] == ["w"]
        assert compat.get_collection("things") == [b"text"] and compat.get_collection("numbers") == [3]
        saver.restore(sess, path)
        sess.run("Adam", FEED)
        assert sess.run("loss:0", FEED) == wanted
        with pytest.raises(tf.errors.FailedPreconditionError, match="extra"):
            sess.run("extra:0")
        again = train.Saver([v for v in compat.global_variables() if v.op.name != "extra"])
        again.save(sess, str(tmp_path / "again"))
    with compat.Graph().as_default(), compat.Session() as sess:
        train.import_meta_graph(str(tmp_path / "again.meta")).restore(sess, str(tmp_path / "again"))
        assert sess.run("loss:0", FEED) == wanted


@pytest.mark.parametrize(("scope", "prefix"), [(None, ""), ("old", "old/")])
def test_collections_that_the_program_writes_itself(tmp_path: Path, scope: str | None, prefix: str) -> None:
    path = str(tmp_path / "graph.meta")
    with compat.Graph().as_default() as graph:
        graph.add_to_collection("weighted", (0.5, tf.constant(1.0, name="a")))
        graph.add_to_collection("weighted", (2.0, tf.constant(3.0, name="b")))
        assert len(train.export_meta_graph(path).collection_def["weighted"].bytes_list.value) == 2
    with compat.Graph().as_default() as graph, compat.Session() as session:
        train.import_meta_graph(path, import_scope=scope)
        (half, first), (two, second) = graph.get_collection("weighted")
        assert (half, first.name, two, second.name) == (0.5, f"{prefix}a:0", 2.0, f"{prefix}b:0")
        assert session.run([first, second]) == [1.0, 3.0]


def test_scopes_and_input_maps(tmp_path: Path) -> None:
    path = str(tmp_path / "model")
    build_and_save(path)
    with compat.Graph().as_default(), compat.Session() as sess:
        mine = tf.constant([[0.0, 0.0]])
        saver = train.import_meta_graph(path + ".meta", import_scope="old", input_map={"x:0": mine})
        assert [v.op.name for v in compat.trainable_variables()] == ["old/w"]
        saver.restore(sess, path)
        assert sess.run("old/loss:0") == 1.0


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="adds to a graph"):
        train.import_meta_graph("x.meta")
    with pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        train.export_meta_graph()
    with compat.Graph().as_default():
        with pytest.raises(OSError, match=r"File .*none.meta does not exist"):
            train.import_meta_graph(str(tmp_path / "none.meta"))
        with pytest.raises(TypeError, match="does not take return_elements"):
            train.import_meta_graph("x.meta", return_elements=["a"])
        meta = compat.MetaGraphDef()
        node = meta.graph_def.node.add(name="v", op="VariableV2")
        node.attr["dtype"].type = tf.float32.as_datatype_enum
        node.attr["shape"].shape.SetInParent()
        select = meta.graph_def.node.add(name="s", op="RefSelect", input=["i", "v", "v"])
        select.attr["T"].type = tf.float32.as_datatype_enum
        with pytest.raises(ValueError, match="Cannot import s: the operation RefSelect takes a reference variable"):
            train.import_meta_graph(meta)


CONTROL_FLOW = """
import sys
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3, 2], name="x")
phase = tf.placeholder(tf.bool, [], name="phase")
options = {"is_training": phase, "updates_collections": None, "decay": 0.5}
hidden = tf.contrib.layers.fully_connected(
    tf.reshape(x, [-1, 6]), 4, normalizer_fn=tf.contrib.layers.batch_norm, normalizer_params=options)
states, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(3), x, dtype=tf.float32)
loss = tf.add(tf.reduce_sum(hidden), tf.reduce_sum(states), name="loss")
chosen = tf.identity(tf.cond(phase, lambda: loss * 2.0, lambda: loss + 1.0), name="chosen")
tf.train.AdamOptimizer(0.01).minimize(loss, name="train")
values = np.linspace(-1, 1, 24).reshape(4, 3, 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, sys.argv[1])
    results = []
    for training in (True, False, True, False):
        results.append(sess.run(chosen, {x: values, phase: training}))
        sess.run("train", {x: values, phase: True})
    print("RESULT", *results)
"""


def test_loops_and_branches_of_real_tf1(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    """Batch normalization updates its averages in a branch, through references; the cell runs in a loop."""
    path = str(tmp_path / "model")
    wanted = [float(word) for word in run_legacy(CONTROL_FLOW, path).split("RESULT")[1].split()]
    values = np.linspace(-1, 1, 24).reshape(4, 3, 2)
    results = []
    with compat.Graph().as_default(), compat.Session() as sess:
        train.import_meta_graph(path + ".meta").restore(sess, path)
        for training in (True, False, True, False):
            results.append(float(sess.run("chosen:0", {"x:0": values, "phase:0": training})))
            sess.run("train", {"x:0": values, "phase:0": True})
    np.testing.assert_allclose(results, wanted, rtol=2e-5)


def test_text_form(tmp_path: Path) -> None:
    with compat.Graph().as_default():
        compat.get_variable("w", [2])
        train.export_meta_graph(str(tmp_path / "graph.meta"), as_text=True)
    with compat.Graph().as_default():
        train.import_meta_graph(str(tmp_path / "graph.meta"))
        assert [v.op.name for v in compat.global_variables()] == ["w"]


def test_the_global_step_comes_back_as_a_variable() -> None:
    with compat.Graph().as_default():
        compat.assign_add(train.get_or_create_global_step(), 1, name="count")
        meta = train.export_meta_graph()
    with compat.Graph().as_default(), compat.Session() as sess:
        train.import_meta_graph(meta)
        sess.run(compat.global_variables_initializer())
        sess.run("count")
        assert train.global_step(sess, train.get_global_step()) == 1


def queued() -> tuple[Any, Any]:
    """A counter that counts batches, which a queue runner fills from a range and closes after two rounds."""
    step = compat.train.get_or_create_global_step()
    number = compat.train.range_input_producer(5, num_epochs=2, shuffle=False).dequeue()
    taken = tf.identity(compat.train.batch([number * 10], 4, allow_smaller_final_batch=True), name="taken")
    with tf.control_dependencies([taken]):
        return step, compat.assign_add(step, 1, name="count")


@pytest.mark.parametrize("scope", [None, "copy"])
def test_queue_runners_and_the_global_step_come_back(scope: str | None) -> None:
    prefix = f"{scope}/" if scope else ""
    with compat.Graph().as_default():
        queued()
        meta = compat.train.export_meta_graph()
    queues = [node for node in meta.graph_def.node if node.op == "FIFOQueueV2"]
    assert len(queues) == 2 and not any(node.attr["shared_name"].s for node in queues)
    with compat.Graph().as_default():
        compat.train.import_meta_graph(meta, import_scope=scope)
        assert compat.train.get_global_step().op.name == f"{prefix}global_step"
        seen = []
        with compat.train.MonitoredSession() as session:
            while not session.should_stop():
                seen.append(session.run(f"{prefix}taken:0").tolist())
        assert seen == [[0, 10, 20, 30], [40, 0, 10, 20], [30, 40]]
        # A session that begins later finds the queues empty and open again.
        with compat.train.MonitoredSession() as session:
            assert session.run(f"{prefix}taken:0").tolist() == seen[0]


def test_what_runs_share_comes_back_on_the_cpu() -> None:
    """All that use it: a GPU has kernels for some of them, which would find another one there."""
    with compat.Graph().as_default():
        queue = compat.FIFOQueue(3, tf.float32, shapes=[[]], name="queue")
        tf.raw_ops.Stage(values=[queue.dequeue()], name="staged")
        tf.raw_ops.Unstage(dtypes=[tf.float32], name="taken")
        meta = compat.train.export_meta_graph()
    for node in meta.graph_def.node:
        node.device = "/gpu:0"
    with compat.Graph().as_default() as graph:
        compat.train.import_meta_graph(meta)
        for name in ("queue", "staged", "taken"):
            assert graph.get_operation_by_name(name).device == "/device:CPU:0"


ON_A_CPU = """
import tensorflow as tf
devices = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], devices)
import compat
with compat.Graph().as_default():
    compat.count_up_to(compat.Variable(0, name="counter"), 2)
    compat.Variable(0.5, name="weight")
    meta = compat.train.export_meta_graph()
with compat.Graph().as_default(), tf.device("/cpu:1"):
    compat.train.import_meta_graph(meta)
    print([(each.op.name, each.device[-5:]) for each in compat.global_variables()])
"""


def test_a_variable_is_on_the_cpu_where_a_gpu_cannot_do_what_is_done_with_it() -> None:
    """The second CPU stands for a GPU: TF1 placed a variable where all operations that take it have kernels."""
    done = warm.run([sys.executable, "-c", ON_A_CPU])
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[('counter', 'CPU:0'), ('weight', 'CPU:1')]"


def test_queue_runners_of_real_tf1_come_back(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    program = """
import sys
import tensorflow as tf
queue = tf.FIFOQueue(9, [tf.int32], shapes=[[]], name="mine")
ends = (tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError)
fed = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(fed + 7)], queue_closed_exception_types=ends))
queue.dequeue(name="taken")
tf.train.export_meta_graph(sys.argv[1])
"""
    run_legacy(program, str(tmp_path / "graph.meta"))
    with compat.Graph().as_default():
        compat.train.import_meta_graph(str(tmp_path / "graph.meta"))
        runner = compat.get_collection(compat.GraphKeys.QUEUE_RUNNERS)[-1]
        ends = (tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError)
        assert (runner.name, runner.queue_closed_exception_types) == ("mine", ends)
        assert runner.to_proto("elsewhere") is None
        seen = []
        with compat.train.MonitoredSession() as session:
            while not session.should_stop():
                seen.append(int(session.run("taken:0")))
    assert seen == [7, 8, 9, 10]


def test_iterators_and_tables_of_real_tf1_begin_anew_in_each_session(
    run_legacy: Callable[..., str], tmp_path: Path
) -> None:
    program = """
import sys
import tensorflow as tf
numbers = tf.data.Dataset.range(5).map(lambda x: x * 2)
tf.identity(tf.data.make_one_shot_iterator(numbers).get_next(), name="one_shot")
started = tf.data.make_initializable_iterator(numbers)
tf.identity(started.get_next(), name="initializable")
table = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer([1, 2], [3, 4]), 0)
tf.identity(table.lookup(tf.constant(2)), name="found")
tf.group(started.initializer, tf.tables_initializer(), name="begin")
tf.train.export_meta_graph(sys.argv[1])
"""
    run_legacy(program, str(tmp_path / "graph.meta"))
    with compat.Graph().as_default():
        compat.train.import_meta_graph(str(tmp_path / "graph.meta"), import_scope="copy")
        for _ in range(2):
            with compat.Session() as sess:
                sess.run("copy/begin")
                first = sess.run(["copy/one_shot:0", "copy/initializable:0", "copy/found:0"])
                # A run of other fetches goes on with the same iterators.
                then = [int(sess.run(name)) for name in ("copy/one_shot:0", "copy/initializable:0")]
            assert (first, then) == ([0, 0, 4], [2, 2])


def test_what_a_store_has_built_is_exported_behind_the_building_code(tmp_path: Path) -> None:
    with compat.VariableStore():
        with compat.building():
            x = compat.Input(tf.float32, [], "x")
            tf.multiply(x, compat.get_variable("w", []), name="y")
        meta = train.export_meta_graph(filename=str(tmp_path / "line.meta"))
        written = train.export_meta_graph(clear_devices=True, saver_def=train.Saver().as_saver_def())
    assert (tmp_path / "line.meta").exists()
    assert {"x", "w", "y"} <= {node.name for node in meta.graph_def.node}
    assert written.saver_def.restore_op_name == "save/restore_all"


def test_variables_that_a_store_imports_are_fetched(tmp_path: Path) -> None:
    with compat.VariableStore():
        with compat.building():
            compat.get_variable("w", [], initializer=compat.constant_initializer(3.0))
        train.export_meta_graph(filename=str(tmp_path / "line.meta"))
    with compat.VariableStore():
        with compat.building():
            train.import_meta_graph(str(tmp_path / "line.meta"))
        (w,) = compat.global_variables()
        compat.run(w.initializer)
        assert compat.run({"w": w, "named": "w:0"}) == {"w": 3.0, "named": 3.0}


LOADED = """
import sys
import tensorflow as tf
from google.protobuf import text_format
folder = sys.argv[1]
with tf.Graph().as_default(), tf.Session() as sess:
    tf.train.import_meta_graph(folder + "/alone.meta").restore(sess, folder + "/model")
    print("RESULT", *sess.run("y:0", {"x:0": [2.0]}))
with tf.Graph().as_default(), tf.Session() as sess:
    definition = text_format.Parse(open(folder + "/graph.pbtxt").read(), tf.GraphDef())
    tf.import_graph_def(definition, name="")
    sess.run([each.name for each in sess.graph.get_operations() if each.type == "AssignVariableOp"][:2])
    print("RESULT", *sess.run("y:0", {"x:0": [2.0]}))
"""


def test_graphs_without_a_saver_and_as_text_are_read_by_real_tf1(
    run_legacy: Callable[..., str], tmp_path: Path
) -> None:
    with compat.Graph().as_default() as graph, compat.Session() as session:
        x = compat.placeholder(tf.float32, [None], name="x")
        scale = compat.get_variable("scale", initializer=tf.constant(3.0))
        bias = compat.get_variable("net/bias", [1], initializer=compat.ones_initializer())
        branch = compat.cond(scale > 1.0, lambda: x * scale, lambda: x)
        tf.identity(branch + tf.reshape(tf.matmul([[1.0]], [bias]), [1]), name="y")
        session.run(compat.global_variables_initializer())
        train.Saver().save(session, str(tmp_path / "model"), write_meta_graph=False)
        train.export_meta_graph(str(tmp_path / "alone.meta"))
        tf.io.write_graph(graph, str(tmp_path), "graph.pbtxt")
        assert session.run("y:0", {"x:0": [2.0]}).tolist() == [7.0]
    lines = [line for line in run_legacy(LOADED, str(tmp_path)).splitlines() if line.startswith("RESULT")]
    assert lines == ["RESULT 7.0", "RESULT 7.0"]
    with compat.Graph().as_default(), compat.Session() as session:
        train.import_meta_graph(str(tmp_path / "alone.meta")).restore(session, str(tmp_path / "model"))
        assert session.run("y:0", {"x:0": [2.0]}).tolist() == [7.0]
