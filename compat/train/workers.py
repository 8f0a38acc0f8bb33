"""The workers of a cluster that train one model together, each with the variables in its own memory.

TensorFlow 2's collective operations carry what they exchange; ``tf.distribute.MultiWorkerMirroredStrategy`` connects
the processes for them.
"""

from __future__ import annotations

import itertools
import os
import sys
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import tensorflow as tf

from .. import logging
from ..bridge.graph import get_default_graph

LOST = (tf.errors.AbortedError, tf.errors.UnavailableError)
# TensorFlow counts the groups of its own strategies from 1.
_FIRST_GROUP = 10_000
_SENT_AS_THEY_ARE = (tf.bool, tf.float16, tf.float32, tf.float64, tf.int32, tf.int64)


class _Channel:
    """One sequence of exchanges. Every worker goes through it in the same order; each exchange has a number."""

    def __init__(self, size: int, group: int) -> None:
        self._size = size
        self._group = group
        with tf.init_scope():
            self._number = tf.Variable(0, trainable=False, dtype=tf.int32)

    def mean(self, value: tf.Tensor) -> tf.Tensor:
        """The mean of the workers' values, which all of them get."""
        return tf.raw_ops.CollectiveReduceV2(
            input=value, merge_op="Add", final_op="Div", ordering_token=[], **self._keys()
        )

    def send(self, value: tf.Tensor) -> None:
        """Gives all others a value."""
        tf.raw_ops.CollectiveBcastSendV2(input=value, **self._keys())

    def receive(self, shape: Any, dtype: tf.DType) -> tf.Tensor:
        """The value that another one sends."""
        return tf.raw_ops.CollectiveBcastRecvV2(shape=tf.constant(shape, tf.int32), T=dtype, **self._keys())

    def _keys(self) -> dict[str, Any]:
        with tf.control_dependencies([self._number.assign_add(1, read_value=False)]):
            number = self._number.read_value()
        return {"group_size": self._size, "group_key": self._group, "instance_key": number}


class WorkerGroup:
    """The workers, seen from one of them.

    Args:
        size: how many there are.
        is_chief: whether it is the one whose variables count.
    """

    def __init__(self, size: int, is_chief: bool) -> None:
        self.size = size
        self.is_chief = is_chief
        self._groups = itertools.count(_FIRST_GROUP)
        self._shared = self._channel()
        with tf.init_scope():
            self._is_shared = tf.Variable(False, trainable=False)
        self._synchronized: weakref.WeakSet[Any] = weakref.WeakSet()

    def mean(self, tensors: Sequence[tf.Tensor]) -> list[tf.Tensor]:
        """The means over the workers of what each of them computes; one exchange for all tensors of a type.

        Raises when it is run:
            tf.errors.InvalidArgumentError: the variables of this worker never got the chief's values.
            tf.errors.UnavailableError: a worker is gone.
        """
        self._synchronized.add(get_default_graph())
        found: dict[int, tf.Tensor] = {}
        with tf.control_dependencies([self._check_shared()]):
            for dtype in dict.fromkeys(tensor.dtype for tensor in tensors):
                places = [place for place, tensor in enumerate(tensors) if tensor.dtype == dtype]
                flat = [tf.reshape(tensors[place], [-1]) for place in places]
                mean = self._channel().mean(tf.concat(flat, 0))
                parts = tf.split(mean, [tf.size(part) for part in flat], num=len(flat))
                for place, part in zip(places, parts, strict=True):
                    found[place] = tf.ensure_shape(tf.reshape(part, tf.shape(tensors[place])), tensors[place].shape)
        return [found[place] for place in range(len(tensors))]

    def share(self, variables: Sequence[tf.Variable]) -> None:
        """Gives the variables of all workers the chief's values; each waits here for the others.

        Raises:
            ValueError: a variable's size or type cannot be sent.
        """
        with tf.init_scope():
            for variable in variables:
                self._share(variable)
            self._is_shared.assign(True)

    def is_synchronized(self, graph: Any) -> bool:
        """Whether updates in the graph are those of all workers."""
        return graph in self._synchronized

    def _share(self, variable: tf.Variable) -> None:
        if not variable.shape.is_fully_defined() or variable.dtype == tf.string:
            raise ValueError(f"{variable.name} has no size that is known, or is a string: workers cannot share it.")
        dtype, shape = variable.dtype, variable.shape.as_list()
        if dtype in _SENT_AS_THEY_ARE:
            if self.is_chief:
                self._shared.send(variable.read_value())
            else:
                variable.assign(self._shared.receive(shape, dtype))
            return
        size = variable.shape.num_elements() * dtype.size
        if self.is_chief:
            raw = np.frombuffer(np.asarray(variable.read_value()).tobytes(), np.uint8)
            self._shared.send(tf.constant(raw.astype(np.int32)))
        else:
            raw = self._shared.receive([size], tf.int32).numpy().astype(np.uint8)
            variable.assign(np.frombuffer(raw.tobytes(), dtype.as_numpy_dtype).reshape(shape))

    def _check_shared(self) -> tf.Operation:
        says = (
            "This worker's variables never got the chief's values: make the session by MonitoredTrainingSession, "
            "Supervisor or SessionManager."
        )
        return tf.debugging.Assert(self._is_shared.read_value(), [says])

    def _channel(self) -> _Channel:
        return _Channel(self.size, next(self._groups))


_group: WorkerGroup | None = None


def current_workers() -> WorkerGroup | None:
    """The workers that this process is one of; None where it is the only one."""
    return _group


def connect(size: int, is_chief: bool) -> None:
    """Makes this process one of several workers, for its life."""
    global _group
    _group = WorkerGroup(size, is_chief)


def share_with_workers(session: Any, variables: Sequence[tf.Variable]) -> None:
    """Gives the variables of a new session the chief's values, where this process is one of several workers.

    A process that finds another one gone meanwhile begins again.
    """
    if _group is None:
        return
    with session.turn():
        within_workers(lambda: _group.share(variables))


def within_workers(call: Callable[[], Any]) -> Any:
    """The result of a call; where another worker is lost meanwhile, this process begins again."""
    try:
        return call()
    except LOST as error:
        begin_again(error)


def begin_again(error: Exception) -> NoReturn:
    """Starts this process' program anew in its place: what connects it to lost workers cannot be mended."""
    logging.warning("A worker is gone (%s). This one begins again, from the last checkpoint.", str(error)[:200])
    os.environ.pop("TF_CONFIG", None)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
