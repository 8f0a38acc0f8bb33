"""Devices of TF 1.15: scopes that take functions, and the session options that concern GPUs."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .graph import current_graph

__all__ = ["apply_gpu_options", "device"]


def device(device_name_or_function: Any) -> Any:
    """A scope whose operations go to a device; `tf.device` of TF 1.15, which took functions too.

    Args:
      device_name_or_function: a device string, None, or (in a graph) a function from operation to device string.
    """
    if callable(device_name_or_function) and current_graph() is not None:
        return tf.compat.v1.device(device_name_or_function)
    return tf.device(device_name_or_function)


def apply_gpu_options(config: Any) -> None:
    """Carries a session's `gpu_options.allow_growth` over to `tf.config`.

    TF1 took it when the first session was made; TF2 takes it until a device is first used. It and the other GPU
    options, which are not carried over, say how much memory is taken and change no number.

    Args:
      config: a `ConfigProto` or None.
    """
    options = getattr(config, "gpu_options", None)
    if options is None or not options.allow_growth:
        return
    for gpu in tf.config.list_physical_devices("GPU"):
        try:
            tf.config.experimental.set_memory_growth(gpu, True)
        except RuntimeError:
            return  # A device is in use already: it keeps the memory that it has.
