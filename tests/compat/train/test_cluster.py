"""Clusters of one process run as TF 1.15.5's did; larger ones are refused with what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train

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


@pytest.mark.parametrize(
    "make",
    [
        lambda: train.SyncReplicasOptimizer(train.GradientDescentOptimizer(0.5), 2),
        lambda: train.SyncReplicasOptimizer(train.GradientDescentOptimizer(0.5), 1, total_num_replicas=2),
        lambda: train.Server(tf.train.ClusterSpec(THREE), "worker", 0),
    ],
)
def test_several_processes_are_refused_with_what_to_do(make: Any) -> None:
    with pytest.raises(ValueError, match=r"MultiWorkerMirroredStrategy.*global batch"):
        make()


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


def test_a_server_of_several_names_the_strategy_of_asynchronous_updates() -> None:
    with pytest.raises(ValueError, match=r"Asynchronous updates.*tf\.distribute\.ParameterServerStrategy"):
        train.Server(tf.train.ClusterSpec(THREE), "worker", 0)
