"""Clusters of TF 1.15, so far as one process can stand for them."""

from __future__ import annotations

import threading
from typing import Any

import tensorflow as tf

_NEXT_STEP = (
    "compat runs in one process. For several, make the step a tf.function under "
    "tf.distribute.MultiWorkerMirroredStrategy (workers alone) or tf.distribute.ParameterServerStrategy (with "
    "parameter servers), give each process its TF_CONFIG, and divide losses by the global batch."
)


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
