"""`tf.logging` of TF 1.15: TensorFlow's own logger under TF1's names."""

from __future__ import annotations

import logging as _logging
import sys
from collections import Counter
from typing import Any

import tensorflow as tf

DEBUG = _logging.DEBUG
INFO = _logging.INFO
WARN = _logging.WARN
ERROR = _logging.ERROR
FATAL = _logging.FATAL

_calls: Counter[tuple[str, int]] = Counter()
# The record names the caller of these functions, not their own line here.
_CALLER = {"stacklevel": 2}


def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at `level`; stands for `tf.logging.log`."""
    tf.get_logger().log(level, msg, *args, **{**_CALLER, **kwargs})


def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at `DEBUG`; stands for `tf.logging.debug`."""
    tf.get_logger().debug(msg, *args, **{**_CALLER, **kwargs})


def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at `INFO`; stands for `tf.logging.info`."""
    tf.get_logger().info(msg, *args, **{**_CALLER, **kwargs})


def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at `WARN`; stands for `tf.logging.warning` and `tf.logging.warn`."""
    tf.get_logger().warning(msg, *args, **{**_CALLER, **kwargs})


warn = warning


def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at `ERROR`; stands for `tf.logging.error`."""
    tf.get_logger().error(msg, *args, **{**_CALLER, **kwargs})


def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at `FATAL` and goes on, as TF1 did; stands for `tf.logging.fatal`."""
    tf.get_logger().critical(msg, *args, **{**_CALLER, **kwargs})


def TaskLevelStatusMessage(msg: Any) -> None:
    """Logs a status at `ERROR`; stands for `tf.logging.TaskLevelStatusMessage`."""
    tf.get_logger().error(msg, **_CALLER)


def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at the number `level`; stands for `tf.logging.vlog`."""
    tf.get_logger().log(level, msg, *args, **{**_CALLER, **kwargs})


def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Logs when `condition` is true; stands for `tf.logging.log_if`."""
    if condition:
        tf.get_logger().log(level, msg, *args, **_CALLER)


def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs at the first call of this line and then at every `n`-th; stands for `tf.logging.log_every_n`."""
    if _count_of_caller() % n == 0:
        tf.get_logger().log(level, msg, *args, **_CALLER)


def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs at the first `n` calls of this line; stands for `tf.logging.log_first_n`."""
    if _count_of_caller() < n:
        tf.get_logger().log(level, msg, *args, **_CALLER)


def flush() -> None:
    """Flushes the handlers; stands for `tf.logging.flush`."""
    for handler in tf.get_logger().handlers:
        handler.flush()


def get_verbosity() -> int:
    """The level from which on messages are shown; stands for `tf.logging.get_verbosity`."""
    return tf.get_logger().getEffectiveLevel()


def set_verbosity(v: int | str) -> None:
    """Sets the level from which on messages are shown; stands for `tf.logging.set_verbosity`.

    Example:
      >>> set_verbosity(INFO)
    """
    tf.get_logger().setLevel(v)


def _count_of_caller() -> int:
    caller = sys._getframe(2)
    place = (caller.f_code.co_filename, caller.f_lineno)
    count = _calls[place]
    _calls[place] += 1
    return count
