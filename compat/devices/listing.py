"""Which devices this process has."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..bridge.devices import apply_config
from ..private import context, device_lib

__all__ = ["list_local_devices"]


def list_local_devices(session_config: Any = None) -> list[Any]:
    """The devices of this process; `device_lib.list_local_devices` of TF 1.15.

    Code written for TensorFlow 2 asks `tf.config.list_logical_devices()`, whose entries have the same `name` and
    `device_type`; how much memory a device may use is known here only. TF 1.15 listed `XLA_CPU` and `XLA_GPU` devices
    too, which TensorFlow 2 no longer has.

    As in TF 1.15, asking starts the devices, so settings of `tf.config` (memory growth, visible devices) come before
    it. They hold for what is listed here; the function of TensorFlow 2 itself takes a GPU's memory without them.

    Args:
      session_config: a `ConfigProto` or None; `gpu_options` and the other options that a session takes count.

    Returns:
      A list of `DeviceAttributes`: `name`, `device_type`, `memory_limit` in bytes, `physical_device_desc`,
      `incarnation` and `locality`.

    Example:
      >>> [device.name for device in list_local_devices() if device.device_type == "CPU"]
      ['/device:CPU:0']
    """
    apply_config(session_config)
    tf.config.list_logical_devices()
    return list(device_lib.list_local_devices(context.context().config))
