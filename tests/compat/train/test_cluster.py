"""Clusters of one process run as TF 1.15.5's did; what several workers cannot do is refused with what to do.

Several workers are processes of their own: `test_cluster_program.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train
from compat.bridge import targets
from compat.train import cluster, workers

ONE = {"worker": ["localhost:2222"]}
THREE = {"ps": ["a:1"], "worker": ["b:1", "c:1"]}


def step_of(optimizer: Any) -> tuple[Any, Any]:
    step = train.get_or_create_global_step()
    w = compat.get_variable("w", initializer=np.ones([3], np.float32))
    loss = tf.reduce_sum(tf.square(w - [1.0, 2.0, 3.0]))
    return loss, optimizer.minimize(loss, global_step=step)


def test_one_synchronized_worker_trains_as_in_tf1(graph: Any) -> None:
    inner = train.MomentumOptimizer(0.1, 0.5)
    optimizer = train.SyncReplicasOptimizer(inner, replicas_to_aggregate=1, total_num_replicas=1)
    loss, op = step_of(optimizer)
    hooks = [optimizer.make_session_run_hook(True, num_tokens=0), train.StopAtStepHook(last_step=5)]
    server = train.Server(tf.train.ClusterSpec(ONE), job_name="worker", task_index=0)
    losses = []
    with (
        compat.device(train.replica_device_setter(ps_tasks=0)),
        train.MonitoredTrainingSession(server.target, is_chief=True, hooks=hooks) as session,
    ):
        while not session.should_stop():
            losses.append(session.run([loss, op])[0])
    # What TF 1.15.5 gave, with a queue runner in place of the direct step.
    np.testing.assert_allclose(losses, [5.0, 3.2, 1.458, 0.456, 0.0752], atol=5e-5)
    assert optimizer.get_slot_names() == ["momentum"]
    assert optimizer.get_slot(compat.trainable_variables()[0], "momentum").op.name == "w/Momentum"


def test_a_supervisor_finds_what_it_asks_for(graph: Any) -> None:
    averages = train.ExponentialMovingAverage(0.5)
    w = compat.get_variable("x", initializer=tf.constant(4.0))
    optimizer = train.SyncReplicasOptimizer(
        train.GradientDescentOptimizer(0.5), 1, variable_averages=averages, variables_to_average=[w]
    )
    op = optimizer.minimize(w * 2.0, global_step=train.get_or_create_global_step())
    runner, tokens = optimizer.get_chief_queue_runner(), optimizer.get_init_tokens_op()
    supervisor = train.Supervisor(
        local_init_op=optimizer.chief_init_op, ready_for_local_init_op=optimizer.ready_for_local_init_op
    )
    with supervisor.managed_session() as session:
        assert supervisor.start_queue_runners(session, [runner]) == []
        session.run(tokens)
        session.run(op)
        assert session.run([w, averages.average(w)]) == [3.0, 3.5]


@pytest.fixture
def two_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[train.Server]:
    """The first of two workers, which waits for no other: nothing is exchanged before a run."""
    monkeypatch.setattr(cluster, "worker_strategy", lambda *task: None)
    monkeypatch.setattr(workers, "_group", None)
    monkeypatch.setattr(targets, "_checks", {})
    yield train.Server(tf.train.ClusterSpec(THREE), "worker", 0)


@pytest.mark.parametrize("counts", [(2, None), (1, 2)])
def test_gradients_of_more_workers_than_there_are_are_refused(counts: tuple[int, int | None]) -> None:
    with pytest.raises(ValueError, match=r"2 workers, where compat has 1.*Server, made first"):
        train.SyncReplicasOptimizer(train.GradientDescentOptimizer(0.5), *counts)


@pytest.mark.parametrize("counts", [(1, 2), (4, 2), (3, 3), (1, None)])
def test_each_step_takes_one_gradient_of_each_worker(two_workers: train.Server, counts: Any) -> None:
    with pytest.raises(ValueError, match="where compat has 2 of them"):
        train.SyncReplicasOptimizer(train.GradientDescentOptimizer(0.5), *counts)


def test_asynchronous_updates_are_refused_when_the_session_is_made(two_workers: train.Server, graph: Any) -> None:
    assert two_workers.target == "grpc://b:1"
    step_of(train.GradientDescentOptimizer(0.5))
    with pytest.raises(ValueError, match=r"2 workers were asynchronous.*tf\.distribute\.ParameterServerStrategy"):
        compat.Session(two_workers.target)


def test_synchronous_updates_are_not(two_workers: train.Server, graph: Any) -> None:
    _, op = step_of(train.SyncReplicasOptimizer(train.GradientDescentOptimizer(0.5), 2))
    with compat.Session(two_workers.target) as session:
        session.run(compat.global_variables_initializer())
        # Nobody has given this worker the chief's values, and it says so before it waits for another one.
        with pytest.raises(tf.errors.InvalidArgumentError, match="never got"):
            session.run(op)


def test_a_graph_without_variables_runs_in_a_worker(two_workers: train.Server, graph: Any) -> None:
    with compat.Session(two_workers.target) as session:
        assert session.run(tf.constant(2)) == 2


def test_a_target_that_is_no_server_of_this_process_is_refused(graph: Any) -> None:
    with pytest.raises(ValueError, match="runs in this process only"):
        compat.Session("grpc://elsewhere:1")


def test_rows_of_gradients_are_refused_with_what_to_do(two_workers: train.Server, graph: Any) -> None:
    table = compat.get_variable("table", [4, 2])
    optimizer = train.SyncReplicasOptimizer(train.GradientDescentOptimizer(0.5), 2)
    loss = tf.reduce_sum(tf.gather(table, [1, 1]))
    with pytest.raises(ValueError, match=r"table.*tf\.convert_to_tensor"):
        optimizer.minimize(loss, global_step=train.get_or_create_global_step())


def test_parameter_servers_end_at_once_and_workers_serve_nobody(two_workers: train.Server) -> None:
    train.Server(tf.train.ClusterSpec(THREE), "ps", 0).join()
    with pytest.raises(ValueError, match="each process runs its own program"):
        two_workers.join()


@pytest.mark.parametrize(("job", "says"), [("trainer", "no job 'trainer'"), (None, "no job None")])
def test_a_process_that_is_not_in_the_cluster_is_refused(job: str | None, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        train.Server(tf.train.ClusterSpec(THREE), job, 0)


def test_one_worker_beside_a_parameter_server_is_alone() -> None:
    assert train.Server({"ps": ["a:1"], "worker": ["b:1"]}, "worker", 0).target == "grpc://b:1"


@pytest.mark.parametrize("device", ["/job:ps/task:0/cpu:0", "/job:worker/replica:0/task:1/device:CPU:0"])
def test_a_device_of_another_process_is_the_like_one_here(graph: Any, device: str) -> None:
    with compat.device(device):
        assert tf.constant(1.0).device == "/device:CPU:0"


def test_variables_and_operations_of_a_device_setter_are_here(graph: Any) -> None:
    with compat.device(train.replica_device_setter(worker_device="/job:worker/task:1", cluster=THREE)):
        v = compat.get_variable("v", initializer=tf.constant(2.0))
        doubled = v * 2.0
    with compat.Session() as session:
        session.run(v.initializer)
        assert session.run(doubled) == 4.0


def test_replicas_are_for_the_step_to_run_in() -> None:
    w = tf.Variable(1.0)
    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    with strategy.scope():
        train.GradientDescentOptimizer(0.5).apply_gradients([(tf.constant(1.0), w)])
    assert w.numpy() == 0.5


def test_wrong_use_of_the_optimizer(graph: Any) -> None:
    optimizer = train.SyncReplicasOptimizer(train.GradientDescentOptimizer(0.5), 1)
    w = compat.get_variable("w", initializer=tf.constant(1.0))
    for call, says in (
        (lambda: optimizer.minimize(w * 1.0), "Global step is required"),
        (lambda: optimizer.apply_gradients([]), "at least one variable"),
        (optimizer.get_chief_queue_runner, "after apply_gradients"),
        (optimizer.get_init_tokens_op, "after apply_gradients"),
    ):
        with pytest.raises(ValueError, match=says):
            call()
