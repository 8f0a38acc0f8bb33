"""`tf.train.Server` made this process one of a cluster, and sessions of one process ran operations in another.
TensorFlow 2 has no such sessions. Under `compat.train.Server` each worker keeps the variables itself, and
`SyncReplicasOptimizer` takes the mean of the gradients over TensorFlow 2's collective operations: flags, launcher and
losses stay as they were, and parameter servers end at once. Workers without `SyncReplicasOptimizer` updated
asynchronously, which gave other numbers each time and is not converted. docs/distribution.md has both, and the
program under `tf.distribute.MultiWorkerMirroredStrategy` without sessions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_ID = "TFM204"
_SERVER = "tf.train.Server"
_SYNCHRONOUS = "tf.train.SyncReplicasOptimizer"
_MESSAGE = "this process is one of a cluster: its workers keep the variables themselves and exchange gradients"
_STEP = (
    "start the workers with the flags that they had; parameter servers are not needed. Start a worker that dies again: "
    "the others wait for it and go on from the last checkpoint (docs/distribution.md)"
)
_ASYNCHRONOUS = (
    "this process is one of a cluster, and this module has no SyncReplicasOptimizer: if none is used the updates were "
    "asynchronous, and the session raises here"
)
_ASYNCHRONOUS_STEP = (
    "wrap the optimizer in `tf.train.SyncReplicasOptimizer`, another algorithm, or port it to "
    "`tf.distribute.ParameterServerStrategy` (docs/distribution.md)"
)


def find(context: Context) -> Iterator[Change]:
    """Looks at servers that are made, unless their cluster is written out and has one process."""
    synchronous = any(use.symbol == _SYNCHRONOUS for use in context.names.uses)
    for call in context.module.calls:
        if context.names.of(call.func) != _SERVER or context.module.is_skipped(call) or _is_alone(context, call):
            continue
        if synchronous:
            yield Change(context.finding(call, _ID, _MESSAGE, action="shimmed", next_step=_STEP))
        else:
            yield context.manual(call, _ID, _ASYNCHRONOUS, _ASYNCHRONOUS_STEP)


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
