"""Devices of TF 1.15: scopes that take functions, and the session options that concern GPUs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .graph import current_graph

__all__ = ["apply_config", "device"]


def device(device_name_or_function: Any) -> Any:
    """A scope whose operations go to a device; `tf.device` of TF 1.15, which took functions too.

    Args:
      device_name_or_function: a device string, None, or (in a graph) a function from operation to device string.
    """
    if callable(device_name_or_function) and current_graph() is not None:
        return tf.compat.v1.device(device_name_or_function)
    return tf.device(device_name_or_function)


def apply_config(config: Any) -> None:
    """Carries the options of a session that concern devices over to `tf.config` and `tf.debugging`, for the process.

    Carried over are `log_device_placement`, a `global_jit_level` that has XLA compile, `gpu_options.allow_growth`,
    `gpu_options.visible_device_list` and a `device_count` of no GPUs; `allow_soft_placement` is the session's own. The
    other options say how much memory or how many threads are taken and change no number. TF1 took the options when the
    first session was made; TF2 takes those of GPUs until a device is first used, and a warning names those that come
    later.

    Args:
      config: a `ConfigProto` or None.
    """
    if config is None:
        return
    if config.log_device_placement:
        tf.debugging.set_log_device_placement(True)
    if config.graph_options.optimizer_options.global_jit_level > 0:
        tf.config.optimizer.set_jit("autoclustering")
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return
    visible = _visible(config, gpus)
    if visible != gpus and not _taken(tf.config.set_visible_devices, visible, "GPU"):
        option = "visible_device_list" if visible else "device_count"
        warnings.warn(
            f"compat.Session: {option} comes too late, for the GPUs are in use: call `tf.config.set_visible_devices` "
            "or set CUDA_VISIBLE_DEVICES before the graph is built",
            stacklevel=3,
        )
    # Those that have begun to work keep the memory that they have, which changes no number.
    if config.gpu_options.allow_growth:
        for gpu in visible:
            _taken(tf.config.experimental.set_memory_growth, gpu, True)


def _visible(config: Any, gpus: list[Any]) -> list[Any]:
    """The GPUs that a session may see."""
    if config.device_count.get("GPU", 1) == 0:
        return []
    listed = config.gpu_options.visible_device_list
    return [gpus[int(number)] for number in listed.split(",")] if listed else gpus


def _taken(set_option: Callable[..., None], *values: Any) -> bool:
    """Whether TF2 still takes an option of a device."""
    try:
        set_option(*values)
    except RuntimeError:
        return False
    return True
