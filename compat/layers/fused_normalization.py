"""The kernel that TF 1.15 took for batch normalization of images."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .. import counting

# TF1 raised smaller epsilons to what cuDNN accepts, on every device.
_LEAST_EPSILON = 1.001e-5


def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Batch normalization of ``[batch, height, width, channels]`` in one kernel.

    Args:
        mean, variance: the statistics to normalize with when not training.

    Returns:
        The output, and the mean and the variance (with Bessel's correction) of the batch, when training.
    """
    counting.add((mean is None) + (variance is None) - 1)  # TF1 made a constant for each that is not given.
    empty = tf.constant([], dtype=scale.dtype)
    outputs = tf.raw_ops.FusedBatchNormV3(
        x=x,
        scale=scale,
        offset=offset,
        mean=empty if mean is None else mean,
        variance=empty if variance is None else variance,
        epsilon=max(epsilon, _LEAST_EPSILON),
        data_format=data_format,
        is_training=is_training,
        name=name,
    )
    return outputs[0], outputs[1], outputs[2]
