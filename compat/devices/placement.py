"""The check that operations really run where they are meant to, from the graphs that the runtime has run."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..private import context

__all__ = ["Placed", "assert_placement", "placements"]

# What the runtime adds to a graph: arguments, results, transfers. They compute nothing.
_PLUMBING = re.compile(r"_(Device)?(Arg|Retval)|_(Host)?(Send|Recv)|_EagerConst|NoOp")
# Names that TensorFlow gives to what it adds where it takes control flow apart or joins two devices.
_ADDED = re.compile(r".*/_\d+")


@dataclass(frozen=True)
class Placed:
    """One operation that ran: its name, its type and the device that it ran on, such as "/device:GPU:0"."""

    name: str
    type: str
    device: str

    def __str__(self) -> str:
        return f"{self.name} ({self.type}) on {self.device}"


def assert_placement(fn: Callable[..., Any], *args: Any, no: str, ignore: Collection[str] = (), **kwargs: Any) -> Any:
    """Runs `fn` once and fails if an operation of it ran on a device that it should not have run on.

    The device that is written in a graph (`node.device`) is a request: TF 1.15 and TF2 put an operation that has no
    kernel there, such as a max-pooling of uint8 on a GPU, on the CPU without a word. Here each operation is looked up
    in the graphs that the runtime has placed, optimized and run.

    Of control flow all branches are looked at, taken or not. Functions of a `tf.data` pipeline run on the CPU by
    design and are not looked into. The check makes TensorFlow forget its compiled functions, so that the call takes
    longer than others: it is for tests and for the first step of a program.

    Args:
      fn: what to run: a `tf.function`, a function of eager operations, or `lambda: session.run(fetches, feeds)`.
      *args: its arguments.
      no: a part of a device's name: "CPU", "GPU", "CPU:1", in upper or lower case.
      ignore: types of operations that may run there all the same, such as "Shape".
      **kwargs: its keyword arguments, other than the two above.

    Returns:
      What `fn` gave.

    Raises:
      AssertionError: operations ran there; they are listed by name, type and device.
      ValueError: no operation ran at all, so that nothing was checked.

    Example:
      >>> import tensorflow as tf
      >>> @tf.function
      ... def double(x):
      ...     with tf.device("/cpu:0"):
      ...         return 2.0 * x
      >>> print(assert_placement(double, tf.constant(4.0), no="GPU").numpy())
      8.0
      >>> _ = assert_placement(double, tf.constant(4.0), no="CPU", ignore=["Const"])
      Traceback (most recent call last):
      AssertionError: ran on CPU:
        mul (Mul) on /device:CPU:0
    """
    ran: list[Placed] = []
    with _recorded(ran):
        result = fn(*args, **kwargs)
    if not ran:
        raise ValueError("assert_placement: no operation ran, so that there is nothing to check")
    wrong = [placed for placed in ran if no.upper() in placed.device.upper() and placed.type not in ignore]
    if wrong:
        raise AssertionError("\n  ".join([f"ran on {no}:", *map(str, wrong)]))
    return result


def placements(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> list[Placed]:
    """Runs `fn` once and gives what `assert_placement` judges: each operation that ran, and where.

    A cluster that XLA has compiled is one operation, of the type `_XlaRun`.

    Example:
      >>> import tensorflow as tf
      >>> [placed.type for placed in placements(tf.abs, tf.constant(-1.0))]
      ['Abs']
    """
    ran: list[Placed] = []
    with _recorded(ran):
        fn(*args, **kwargs)
    return ran


@contextmanager
def _recorded(ran: list[Placed]) -> Iterator[None]:
    """Adds what runs inside to `ran`."""
    runtime = context.context()
    runtime.ensure_initialized()
    # A function tells its placed graph when it is set up, so what is set up already has to be forgotten.
    runtime.clear_kernel_cache()
    context.enable_run_metadata()
    context.export_run_metadata()  # what ran before is told once as well
    try:
        yield
        metadata = context.export_run_metadata()
    finally:
        context.disable_run_metadata()
    ran += dict.fromkeys(
        Placed(node.name, node.op, _short(node.device))
        for graph in metadata.partition_graphs
        for node in graph.node
        if not _PLUMBING.fullmatch(node.op) and not _ADDED.fullmatch(node.name)
    )


def _short(device: str) -> str:
    return device[device.find("/device:") :] if "/device:" in device else device
