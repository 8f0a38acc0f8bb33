"""`tf.test.create_local_cluster` for the cluster that is this process alone."""

from __future__ import annotations

from typing import Any

from ..train.cluster import Server

__all__ = ["create_local_cluster"]


def create_local_cluster(
    num_workers: int,
    num_ps: int,
    protocol: str = "grpc",
    worker_config: Any = None,
    ps_config: Any = None,
) -> tuple[list[Server], list[Server]]:
    """The servers of a cluster for a test: workers, parameter servers. Stands for ``tf.test.create_local_cluster``.

    >>> import tensorflow as tf
    >>> import compat
    >>> (worker,), servers = compat.test.create_local_cluster(num_workers=1, num_ps=0)
    >>> with compat.Graph().as_default(), compat.Session(worker.target) as session:
    ...     int(session.run(tf.constant(2))), servers
    (2, [])

    Args:
        num_workers: 1, which is this process.
        num_ps: 0.
        protocol, worker_config, ps_config: accepted.

    Raises:
        ValueError: the cluster has several processes; the message says what to do.
    """
    del protocol, ps_config
    if num_workers != 1 or num_ps:
        raise ValueError(
            f"a cluster of {num_workers} workers and {num_ps} parameter servers inside of one process: test with one "
            "worker and no parameter server; docs/distribution.md says how several train together"
        )
    return [Server({"worker": ["localhost:0"]}, config=worker_config)], []
