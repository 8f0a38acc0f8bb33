"""`RunOptions` and `RunMetadata` tell what ran and when, as they did in TF 1.15."""

import json
import threading
import time

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.client import timeline

import compat

pytestmark = pytest.mark.usefixtures("graph")

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
FULL = compat.RunOptions(trace_level=compat.RunOptions.FULL_TRACE)


@pytest.fixture(autouse=True)
def _on_the_cpu(graph):
    """Operations are put there also where TensorFlow sees a GPU, whose streams have entries of their own."""
    with tf.device("/cpu:0"):
        yield


def model():
    x = compat.placeholder(tf.float32, [None, 64], name="x")
    w = compat.get_variable("w", initializer=tf.ones([64, 64]))
    y = tf.reduce_sum(tf.nn.relu(tf.matmul(x, w, name="mm"), name="act"), name="total")
    return x, y


def traced(session, fetches, feed, options=FULL):
    metadata = compat.RunMetadata()
    return session.run(fetches, feed, options=options, run_metadata=metadata), metadata


def ran(metadata, device=CPU):
    return {
        node.node_name: node
        for stats in metadata.step_stats.dev_stats
        if stats.device == device
        for node in stats.node_stats
    }


def test_full_trace_times_the_operations_of_the_run():
    x, y = model()
    tf.exp(y, name="not_asked_for")
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        began = time.time() * 1e6
        value, metadata = traced(session, y, {x: np.ones((8, 64))})
        ended = time.time() * 1e6
    assert value == 8 * 64 * 64
    nodes = ran(metadata)
    # The names that TF 1.15.5 lists for this program, short of those that take no time there.
    assert {"mm", "act", "total"} <= set(nodes) and "not_asked_for" not in nodes
    assert nodes["act"].timeline_label == "act = Relu(mm)"
    for node in nodes.values():
        assert began - 1e4 <= node.all_start_micros <= node.all_start_micros + node.all_end_rel_micros <= ended + 1e4
    assert nodes["mm"].all_start_nanos <= nodes["act"].all_start_nanos <= nodes["total"].all_start_nanos


def test_the_timeline_of_a_run_is_a_chrome_trace_with_its_data_flow():
    x, y = model()
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        for _ in range(2):
            _, metadata = traced(session, y, {x: np.ones((8, 64))})
    trace = json.loads(timeline.Timeline(metadata.step_stats).generate_chrome_trace_format(show_memory=True))
    events = {event["args"]["name"]: event for event in trace["traceEvents"] if event["ph"] == "X"}
    assert events["act"]["args"] == {"name": "act", "op": "Relu", "input0": "mm"}


def test_a_writer_keeps_the_trace_for_tensorboard(tmp_path):
    x, y = model()
    writer = compat.summary.FileWriter(str(tmp_path))
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        _, metadata = traced(session, y, {x: np.ones((8, 64))})
    writer.add_run_metadata(metadata, "step 7", 7)
    writer.close()
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = accumulator.EventAccumulator(str(tmp_path)).Reload()
    assert events.Tags()["run_metadata"] == ["step 7"]
    assert "mm" in ran(events.RunMetadata("step 7"))


def test_metadata_without_options_is_emptied():
    x, y = model()
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        _, metadata = traced(session, y, {x: np.ones((8, 64))})
        session.run(y, {x: np.ones((8, 64))}, run_metadata=metadata)
        assert metadata == compat.RunMetadata()
        _, metadata = traced(session, y, {x: np.ones((8, 64))}, compat.RunOptions())
        assert metadata == compat.RunMetadata()


def test_partition_graphs_are_those_of_the_run_each_time():
    x, y = model()
    options = compat.RunOptions(output_partition_graphs=True)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        for _ in range(2):
            _, metadata = traced(session, y, {x: np.ones((8, 64))}, options)
            (graph,) = metadata.partition_graphs
            assert {node.name: node.device for node in graph.node}["mm"] == CPU
            assert not metadata.step_stats.dev_stats


def test_a_traced_training_step_updates_as_an_untraced_one():
    x, y = model()
    step = compat.train.GradientDescentOptimizer(0.5).minimize(y)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        session.run(step, {x: np.ones((1, 64))})
        _, metadata = traced(session, step, {x: np.ones((1, 64))})
        (w,) = session.run(compat.trainable_variables())
    np.testing.assert_array_equal(w, np.zeros((64, 64)))
    assert any(node.startswith("gradients/") for node in ran(metadata))


def test_only_what_the_run_itself_did_is_in_its_trace():
    x, y = model()
    busy, stop = tf.matmul(x, x, transpose_b=True, name="busy"), threading.Event()
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())

        def work():
            while not stop.is_set():
                session.run(busy, {x: np.ones((64, 64))})

        thread = threading.Thread(target=work)
        thread.start()
        try:
            runs = [ran(traced(session, y * 2.0, {x: np.ones((8, 64))})[1]) for _ in range(5)]
        finally:
            stop.set()
            thread.join()
    assert all("mm" in nodes and "busy" not in nodes for nodes in runs)
    assert not any(name.startswith("_send") for nodes in runs for name in nodes)


def test_loops_and_branches_are_traced_inside():
    x = compat.placeholder(tf.float32, [8, 8])
    _, y = compat.while_loop(
        lambda i, y: i < 5, lambda i, y: (i + 1, tf.matmul(y, y, name="inner") / 8.0), [tf.constant(0), x]
    )
    z = compat.cond(tf.reduce_sum(y) > 0, lambda: tf.matmul(y, y, name="chosen"), lambda: tf.tanh(y, name="other"))
    with compat.Session() as session:
        _, metadata = traced(session, z, {x: np.ones((8, 8))})
    names = [node.node_name.rpartition("/")[2] for node in metadata.step_stats.dev_stats[0].node_stats]
    assert (names.count("inner"), names.count("chosen"), names.count("other")) == (5, 1, 0)


def test_a_callable_takes_options():
    x, y = model()
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        call = session.make_callable(y, [x], accept_options=True)
        metadata = compat.RunMetadata()
        assert call(np.ones((1, 64)), options=FULL, run_metadata=metadata) == 64 * 64
    assert "mm" in ran(metadata)


def test_a_profile_of_the_program_and_a_trace_of_a_run_do_not_go_together(tmp_path):
    x, y = model()
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        tf.profiler.experimental.start(str(tmp_path))
        try:
            with pytest.raises(RuntimeError, match="stop it before"):
                traced(session, y, {x: np.ones((1, 64))})
        finally:
            tf.profiler.experimental.stop()
        traced(session, y, {x: np.ones((1, 64))})


def test_traced_runs_in_threads_wait_for_each_other():
    x, y = model()
    seen = []
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        threads = [
            threading.Thread(target=lambda: seen.append(traced(session, y, {x: np.ones((8, 64))})[1])) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [sum(node == "mm" for node in ran(metadata)) for metadata in seen] == [1] * 4


def test_options_of_another_kind_are_an_error():
    _, y = model()
    with compat.Session() as session, pytest.raises(TypeError, match="RunOptions"):
        session.run(y, options="FULL_TRACE", run_metadata=compat.RunMetadata())


def test_a_run_that_waits_too_long_ends():
    queue = compat.FIFOQueue(3, tf.float32)
    with compat.Session() as session:
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(queue.dequeue(), options=compat.RunOptions(timeout_in_ms=100))
        session.run(queue.enqueue(3.0))
        assert session.run(queue.dequeue(), options=compat.RunOptions(timeout_in_ms=60_000)) == 3
    impatient = compat.Session(config=compat.ConfigProto(operation_timeout_in_ms=100))
    with impatient, pytest.raises(tf.errors.DeadlineExceededError):
        impatient.run(queue.dequeue())
