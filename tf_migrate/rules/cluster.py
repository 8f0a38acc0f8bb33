"""`tf.train.Server` made this process one of a cluster, and sessions of one process ran operations in another.
TensorFlow 2 has no such sessions. A cluster of one runs on `compat`; several workers need
`tf.distribute.MultiWorkerMirroredStrategy`, which `compat.train.worker_strategy` makes from the job's flags. That is
another shape of program, so it is left to a person; docs/distribution.md has it whole. Workers without
`SyncReplicasOptimizer` updated asynchronously, which gave other numbers each time and is not converted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_ID = "TFM204"
_SERVER = "tf.train.Server"
_SYNCHRONOUS = "tf.train.SyncReplicasOptimizer"
_MESSAGE = "this process is one of a cluster; with several processes in it `compat.train.Server` raises here"
_STEP = (
    "train under `compat.train.worker_strategy(cluster, job_name, task_index)`, and divide the loss by the global "
    "batch (docs/distribution.md)"
)
_ASYNCHRONOUS = (
    "this module has no SyncReplicasOptimizer: if none is used the updates were asynchronous, and synchronous workers "
    "are another algorithm"
)


def find(context: Context) -> Iterator[Change]:
    """Looks at servers that are made, unless their cluster is written out and has one process."""
    synchronous = any(use.symbol == _SYNCHRONOUS for use in context.names.uses)
    for call in context.module.calls:
        if context.names.of(call.func) != _SERVER or context.module.is_skipped(call) or _is_alone(context, call):
            continue
        message = _MESSAGE if synchronous else f"{_MESSAGE}; {_ASYNCHRONOUS}"
        yield context.manual(call, _ID, message, _STEP)


def _is_alone(context: Context, call: ast.Call) -> bool:
    """Whether the cluster is a literal with one address."""
    given = call.args[0] if call.args else next((word.value for word in call.keywords if word.arg), None)
    if isinstance(given, ast.Call) and context.names.of(given.func) == "tf.train.ClusterSpec" and given.args:
        given = given.args[0]
    if not isinstance(given, ast.Dict) or not all(isinstance(tasks, ast.List) for tasks in given.values):
        return False
    return sum(len(tasks.elts) for tasks in given.values if isinstance(tasks, ast.List)) == 1


RULE = Rule(
    id=_ID,
    name="cluster",
    before="""\
import tensorflow as tf


def serve(flags):
    cluster = tf.train.ClusterSpec({"ps": flags.ps_hosts.split(","), "worker": flags.worker_hosts.split(",")})
    return tf.train.Server(cluster, job_name=flags.job_name, task_index=flags.task_index)
""",
    after="""\
import tensorflow as tf
import compat


def serve(flags):
    cluster = tf.train.ClusterSpec({"ps": flags.ps_hosts.split(","), "worker": flags.worker_hosts.split(",")})
    return compat.train.Server(cluster, job_name=flags.job_name, task_index=flags.task_index)
""",
    find=find,
)
