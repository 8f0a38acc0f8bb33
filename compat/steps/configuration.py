"""What of a session's options still means something."""

from __future__ import annotations

from typing import Any

from ..bridge.devices import apply_config
from ..bridge.v1 import ConfigProto

__all__ = ["configure", "current_config"]

_configs: list[Any] = [None]


def configure(config: Any = None, **options: Any) -> None:
    """Takes the options of the sessions that a program had; in the place where it made one.

    Those that concern devices count, for the whole process: `allow_soft_placement`, `log_device_placement`,
    `device_count`, `gpu_options.allow_growth`, `gpu_options.visible_device_list` and a `global_jit_level` that has XLA
    compile; and `operation_timeout_in_ms`. The others say how much memory or how many threads are taken, and change no
    number. TensorFlow 2 takes those of GPUs until a device is first used; a warning names those that come later.

    Args:
      config: a `ConfigProto`, or None.
      **options: fields of a `ConfigProto`, where none is given; a dictionary for one that has fields itself.

    Raises:
      TypeError: both are given.
      ValueError: there is no such option.

    Example:
      >>> compat.configure(allow_soft_placement=True, gpu_options={"allow_growth": True})
    """
    if config is not None and options:
        raise TypeError("compat.configure takes a ConfigProto, or its fields, but not both")
    _configs[0] = ConfigProto(**options) if config is None else config
    apply_config(_configs[0])


def current_config() -> Any:
    """The options that steps run with."""
    return _configs[0]
