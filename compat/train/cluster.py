"""Clusters of TF 1.15: their workers train together over TensorFlow 2's collective operations."""

from __future__ import annotations

import itertools
import json
import os
import threading
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .. import logging
from ..bridge.targets import register_target
from . import workers

_ASYNCHRONOUS = (
    "no SyncReplicasOptimizer updates the variables of this graph, so the updates of its {count} workers were "
    "asynchronous: which worker's gradient met which values was never the same twice, and compat does not do it. Wrap "
    "the optimizer in compat.train.SyncReplicasOptimizer, which is another algorithm (the batch is then that of all "
    "workers), or take tf.distribute.ParameterServerStrategy; docs/distribution.md shows both."
)
_SERVES = (
    "This worker was to run what another process places on it. Here each process runs its own program: give each "
    "worker the training program, with compat.train.SyncReplicasOptimizer (docs/distribution.md)."
)
_free_ports = itertools.count(1)  # Nothing listens there; sessions know servers by their targets.
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
    with tf.init_scope():
        return tf.distribute.MultiWorkerMirroredStrategy(communication_options=communication_options)


class Server:
    """This process as one of a cluster's. Stands for ``tf.train.Server``.

    Sessions on its ``target`` share the values of variables by name, whatever their graphs.

    Parameter servers have nothing to do, for each worker holds the variables: their ``join()`` returns at once. Several
    workers train together by ``SyncReplicasOptimizer``, over TensorFlow 2's collective operations. Such a worker makes
    its server before anything else of TensorFlow, and waits there for all others.

    A ``MonitoredTrainingSession`` that loses another worker has its whole process begin again, with the same arguments;
    the chief saves a checkpoint before. Once the lost one is started again, all go on from the last checkpoint.

    >>> import tensorflow as tf
    >>> import compat
    >>> server = compat.train.Server.create_local_server()
    >>> with compat.Graph().as_default(), compat.Session(server.target) as session:
    ...     int(session.run(tf.constant(2)))
    2

    Args:
        server_or_cluster_def: a ``ClusterSpec``, ``ClusterDef``, ``ServerDef``, or dict of jobs. The workers are the
            jobs ``chief``, ``master`` and ``worker``; other jobs are left out.
        job_name, task_index: which process of it this is; those of a ``ServerDef``, or of the only process, if None.
        protocol, config, start: accepted.

    Raises:
        ValueError: the cluster has no such process.
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
        del protocol, config, start
        definition = getattr(server_or_cluster_def, "cluster", None)
        spec = tf.train.ClusterSpec(server_or_cluster_def if definition is None else definition)
        if definition is not None:
            job_name = server_or_cluster_def.job_name if job_name is None else job_name
            task_index = server_or_cluster_def.task_index if task_index is None else task_index
        self._job = _only(spec, job_name)
        self._target = ""
        task_index = 0 if task_index is None else task_index
        self._workers = sum(spec.num_tasks(job) for job in spec.jobs if job in _WORKERS)
        if self._workers > 1 and self._job in _WORKERS:
            self._connect(spec, task_index)
        elif self._workers <= 1:
            self._listen(spec, task_index, lambda graph: None)

    def _connect(self, spec: Any, task_index: int) -> None:
        workers.within_workers(lambda: worker_strategy(spec, self._job, task_index))
        chiefs = [job for job in spec.jobs if _WORKERS.get(job) == "chief"]
        workers.connect(self._workers, self._job in chiefs if chiefs else task_index == 0)
        self._listen(spec, task_index, self._require_synchronous)

    def _listen(self, spec: Any, task_index: int, check: Callable[[Any], None]) -> None:
        host, _, port = spec.task_address(self._job, task_index).rpartition(":")
        self._target = f"grpc://{host}:{next(_free_ports) if port == '0' else port}"
        register_target(self._target, check)

    def _require_synchronous(self, graph: Any) -> None:
        group = workers.current_workers()
        if group is not None and not group.is_synchronized(graph) and graph.get_collection("trainable_variables"):
            raise ValueError(_ASYNCHRONOUS.format(count=self._workers))

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """The server of a cluster of this process alone."""
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)

    @property
    def target(self) -> str:
        """What sessions connect to."""
        return self._target

    def start(self) -> None:
        """Does nothing: there is nothing to connect to."""

    def join(self) -> None:
        """Returns at once in a parameter server, and waits for ever where there is one process, as TF1's did.

        Raises:
            ValueError: this is one of several workers, which compat gives no work from outside.
        """
        if self._job == "ps":
            logging.info("A parameter server has nothing to do: each worker holds the variables.")
        elif self._workers > 1:
            raise ValueError(_SERVES)
        else:
            threading.Event().wait()


def _only(spec: Any, job_name: str | None) -> str:
    """The job of this process.

    Raises:
        ValueError: there is no such job, or none is named and there are several.
    """
    if job_name is None and len(spec.jobs) == 1:
        return str(spec.jobs[0])
    if job_name not in spec.jobs:
        raise ValueError(f"There is no job {job_name!r} in {spec.as_dict()}")
    return str(job_name)
