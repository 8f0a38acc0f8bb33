"""Clusters of TF 1.15: one process stands for them, or TensorFlow 2's strategy takes their place."""

from __future__ import annotations

import json
import os
import threading
from typing import Any

import tensorflow as tf

_NEXT_STEP = (
    "compat runs in one process. For several workers make the step a tf.function under "
    "tf.distribute.MultiWorkerMirroredStrategy (compat.train.worker_strategy makes it from the job's flags), which "
    "needs no parameter servers, and divide losses by the global batch; docs/distribution.md shows how. "
    "Asynchronous updates, without SyncReplicasOptimizer, are not converted: tf.distribute.ParameterServerStrategy is "
    "for them."
)
# TF1's name of a job, and TF2's.
_WORKERS = {"chief": "chief", "master": "chief", "worker": "worker"}


def worker_strategy(
    cluster: Any, job_name: str, task_index: int, communication_options: Any = None
) -> tf.distribute.MultiWorkerMirroredStrategy:
    """The strategy under which the workers of a TF1 cluster train together, from the flags of the job.

    It takes the place of ``tf.train.Server`` with ``tf.train.SyncReplicasOptimizer`` and ``replica_device_setter``:
    every worker holds the variables, and gradients are summed over all workers. It sets ``TF_CONFIG`` for this process.
    Call it before TensorFlow computes anything; each worker waits here for all others.

    >>> import compat
    >>> hosts = {"ps": ["localhost:2221"], "worker": ["localhost:2222"]}       # of --ps_hosts and --worker_hosts
    >>> strategy = compat.train.worker_strategy(hosts, "worker", 0)            # doctest: +SKIP
    >>> with strategy.scope():                                                 # doctest: +SKIP
    ...     store = compat.VariableStore()

    Args:
        cluster: a ``ClusterSpec``, or a dict of jobs and their addresses; parameter servers in it are left out.
        job_name, task_index: which process of it this is.
        communication_options: a ``tf.distribute.experimental.CommunicationOptions``, or None.

    Raises:
        ValueError: the process is a parameter server, which has nothing to do, or no task of the cluster.
    """
    if job_name == "ps":
        raise ValueError("Parameter servers have nothing to do here, for each worker holds the variables: end them.")
    spec = tf.train.ClusterSpec(cluster)
    workers = {_WORKERS[job]: spec.job_tasks(job) for job in spec.jobs if job in _WORKERS}
    job = _WORKERS.get(job_name, job_name)
    if job_name not in spec.jobs or job not in workers or not 0 <= task_index < len(workers[job]):
        raise ValueError(f"There is no task {task_index} of a job {job_name!r} in {spec.as_dict()}")
    os.environ["TF_CONFIG"] = json.dumps({"cluster": workers, "task": {"type": job, "index": task_index}})
    return tf.distribute.MultiWorkerMirroredStrategy(communication_options=communication_options)


def task_count(cluster: Any) -> int:
    """How many processes a cluster has: those of a ``ClusterSpec``, ``ClusterDef`` or ``ServerDef``, or a dict."""
    definition = getattr(cluster, "cluster", None)
    spec = tf.train.ClusterSpec(cluster if definition is None else definition)
    return sum(spec.num_tasks(job) for job in spec.jobs)


class Server:
    """The only process of a cluster of one. Stands for ``tf.train.Server``.

    >>> import tensorflow as tf
    >>> import compat
    >>> server = compat.train.Server.create_local_server()
    >>> with compat.Graph().as_default(), compat.Session(server.target) as session:
    ...     int(session.run(tf.constant(2)))
    2

    Args:
        server_or_cluster_def: a ``ClusterSpec``, ``ServerDef``, or dict of jobs.
        job_name, task_index: which process of it this is.
        protocol, config, start: accepted.

    Raises:
        ValueError: the cluster has several processes; the message says what to do.
    """

    def __init__(
        self,
        server_or_cluster_def: Any,
        job_name: str | None = None,
        task_index: int | None = None,
        protocol: str | None = None,
        config: Any = None,
        start: bool = True,
    ) -> None:
        del job_name, task_index, protocol, config, start
        tasks = task_count(server_or_cluster_def)
        if tasks > 1:
            raise ValueError(f"Server for one of {tasks} processes: {_NEXT_STEP}")

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """The server of a cluster of this process alone."""
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)

    @property
    def target(self) -> str:
        """What sessions connect to: this process."""
        return ""

    def start(self) -> None:
        """Does nothing: there is nothing to connect to."""

    def join(self) -> None:
        """Waits for ever, as TF1's did."""
        threading.Event().wait()
