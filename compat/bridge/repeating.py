"""One operation many times in one call: a loop inside TensorFlow, with no Python between two rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .pruning import Pruned
from .runtime import function_caller

__all__ = ["repeated"]


def repeated(pruned: Pruned, times: int, soft_placement: bool) -> Callable[..., Any]:
    """The call of a function without feeds and results, `times` times over, or until it raises.

    Args:
      pruned: the function; it must touch no variable, as sessions take turns with those between calls only.
      times: how often.
      soft_placement: as for `prune`.
    """

    def loop(*captures: tf.Tensor) -> Any:
        def body(done: tf.Tensor) -> tf.Tensor:
            call = tf.raw_ops.StatefulPartitionedCall(args=list(captures), Tout=[], f=pruned.name)
            with tf.control_dependencies([call]):
                return done + 1

        return tf.while_loop(lambda done: done < times, body, [tf.constant(0)], parallel_iterations=1)

    with tf.init_scope():
        function = tf.function(loop, autograph=False).get_concrete_function(*pruned.captures)
    name = function.function_def.signature.name
    caller = function_caller(name, [*pruned.captures, *function.captured_inputs], 1, soft_placement)

    def call(manager: Any) -> None:
        # Both functions are gone with the objects that made them.
        assert function and pruned
        caller([], manager)

    return call
