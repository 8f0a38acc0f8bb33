"""Devices, as `tf.contrib.eager` listed them."""

from __future__ import annotations

import tensorflow as tf


def list_devices() -> list[str]:
    """Names of the devices of this process; stands for `tf.contrib.eager.list_devices`."""
    return [device.name for device in tf.config.list_logical_devices()]


def num_gpus() -> int:
    """How many GPUs there are; stands for `tf.contrib.eager.num_gpus`."""
    return len(tf.config.list_logical_devices("GPU"))
