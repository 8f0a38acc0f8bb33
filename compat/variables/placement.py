"""Variables on a GPU, and what TensorFlow has for those on a CPU only.

TF 1.x put a variable on the CPU that such an operation needs, for it saw the whole graph first. In TF2 a variable lies
on the GPU before anybody knows what is done with it, and the operation raises.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..bridge.runtime import ANONYMOUS, HOST
from ..counting import counted

__all__ = ["count_on_the_host", "lies_on_a_gpu"]


def lies_on_a_gpu(variable: Any) -> bool:
    """Whether a GPU holds the value of `variable`."""
    return tf.DeviceSpec.from_string(variable.device or "").device_type == "GPU"


def count_on_the_host(variable: Any, limit: int, name: str) -> tf.Tensor:
    """What `tf.raw_ops.ResourceCountUpTo` does, by a variable on the CPU that is gone afterwards.

    Raises:
        tf.errors.OutOfRangeError: `variable` has reached `limit`.
    """
    with counted(1):
        value = tf.raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype)
        with tf.device(HOST):
            counter = tf.raw_ops.VarHandleOp(dtype=variable.dtype, shape=[], shared_name=ANONYMOUS)
            started = tf.raw_ops.AssignVariableOp(resource=counter, value=value)
            with _behind(started):
                before = tf.raw_ops.ResourceCountUpTo(resource=counter, limit=limit, T=variable.dtype, name=name)
        changed = tf.raw_ops.AssignVariableOp(resource=variable.handle, value=before + 1)
        with _behind(changed):
            return tf.identity(before)


def _behind(operation: Any) -> Any:
    return tf.control_dependencies([] if operation is None else [operation])
