"""`tf.saved_model.main_op` of TF 1.15: what to run after a SavedModel was loaded."""

from __future__ import annotations

import tensorflow as tf

from ..lookup.resource import tables_initializer
from ..variables.initialization import global_variables_initializer, local_variables_initializer


def main_op() -> tf.Operation:
    """Initializes variables and tables; stands for `tf.saved_model.main_op.main_op`."""
    init = tf.group(global_variables_initializer(), local_variables_initializer())
    return tf.group(init, tables_initializer())


def main_op_with_restore(restore_op: tf.Operation) -> tf.Operation:
    """`main_op`, then an operation that restores; stands for `tf.saved_model.main_op.main_op_with_restore`."""
    with tf.control_dependencies([main_op()]):
        return tf.group(restore_op)
