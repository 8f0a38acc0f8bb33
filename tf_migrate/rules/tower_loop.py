"""Towers, a loop over devices that builds the model on each and averages the gradients, become replicas of one
`tf.distribute.MirroredStrategy` where the native tier finds the plain form: the loop's body is what each replica runs
(`compat.train.Towers`), and the optimizer sums the gradients. Elsewhere they stay as they are, and the finding says
why: the bridge builds each tower on its device and gives TensorFlow 1's numbers. docs/distribution.md shows the step,
with what is not the same: batch normalization keeps its moving averages for each replica, and elements of a queue were
dealt out to the towers.
"""

from __future__ import annotations

from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule
from tf_migrate.stages.towers.reading import tower_loops

_ID = "TFM203"
_MESSAGE = "a loop over devices that builds a tower on each: it runs as it did, on the devices that it names"
_STEP = (
    "for replicas of `tf.distribute.MirroredStrategy` make the loop's body the function that "
    "`compat.train.Towers(devices).replicated` takes, and divide the loss by the number of towers "
    "(docs/distribution.md)"
)


def find(context: Context) -> Iterator[Change]:
    """Looks at loops around `with tf.device(...)` whose device changes from turn to turn and that take gradients."""
    for loop in tower_loops(context.module, context.names.of):
        if not context.module.is_skipped(loop):
            yield Change(context.finding(loop, _ID, _MESSAGE, action="shimmed", next_step=_STEP))


RULE = Rule(
    id=_ID,
    name="tower-loop",
    before="""\
import tensorflow as tf


def build(model, optimizer, parts):
    towers = []
    for i, part in enumerate(parts):
        with tf.device("/gpu:%d" % i), tf.variable_scope("net", reuse=i > 0):
            towers.append(optimizer.compute_gradients(model(part)))
    return [(tf.reduce_mean([g for g, _ in pairs], axis=0), pairs[0][1]) for pairs in zip(*towers)]
""",
    after="""\
import tensorflow as tf
import compat


def build(model, optimizer, parts):
    towers = []
    for i, part in enumerate(parts):
        with tf.device("/gpu:%d" % i), compat.variable_scope("net", reuse=i > 0):
            towers.append(optimizer.compute_gradients(model(part)))
    return [(tf.reduce_mean([g for g, _ in pairs], axis=0), pairs[0][1]) for pairs in zip(*towers)]
""",
    find=find,
)
