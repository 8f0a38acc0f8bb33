"""The step counter that TF 1.x shares through a collection."""

from __future__ import annotations

import contextlib
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from ..bridge.graph import current_graph
from .slot_creator import name_of

_READ_KEY = "global_step_read_op_cache"


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The step's current value. Stands for ``tf.train.global_step``.

    Args:
        sess: the session to ask; may be None in plain TF2.
        global_step_tensor: the counter, a variable or tensor.
    """
    if isinstance(global_step_tensor, tf.Variable) or sess is None:
        with tf.init_scope():
            return int(global_step_tensor.numpy())
    return int(sess.run(global_step_tensor))


def get_global_step(graph: Any = None) -> Any:
    """The counter of the current store or graph, or None. Stands for ``tf.train.get_global_step``.

    It is what the collection ``GLOBAL_STEP`` holds, else the variable named ``global_step``.

    Raises:
        TypeError: it is no integer scalar.
    """
    with _within(graph):
        counters = tf1.get_collection(tf1.GraphKeys.GLOBAL_STEP)
        if not counters:
            counters = [v for v in tf1.global_variables() if name_of(v) == "global_step"]
    if len(counters) != 1:
        return None
    assert_global_step(counters[0])
    return counters[0]


def create_global_step(graph: Any = None) -> Any:
    """Makes the counter: an int64 scalar named ``global_step``, 0, not trainable.

    Stands for ``tf.train.create_global_step``.

    Raises:
        ValueError: there is one already.
    """
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with _within(graph), tf1.name_scope(None):
        return tf1.get_variable(
            tf1.GraphKeys.GLOBAL_STEP,
            shape=[],
            dtype=tf.int64,
            initializer=_zero,
            trainable=False,
            collections=[tf1.GraphKeys.GLOBAL_VARIABLES, tf1.GraphKeys.GLOBAL_STEP],
        )


def get_or_create_global_step(graph: Any = None) -> Any:
    """The counter, made when there is none. Stands for ``tf.train.get_or_create_global_step``.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> step = compat.train.get_or_create_global_step()
    >>> loss = compat.Variable(1.0) ** 2
    >>> train_op = compat.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    >>> session.run(compat.global_variables_initializer())
    >>> session.run(train_op)
    >>> session.run(step)
    np.int64(1)
    """
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


def get_or_create_global_step_read(reader: str) -> Any:
    """A tensor with the counter's value in the run that fetches it, shared by all hooks; the counter without a graph.

    Args:
        reader: who needs it, for the message.

    Raises:
        RuntimeError: there is no counter.
    """
    kept = tf1.get_collection(_READ_KEY)
    if kept:
        return kept[0]
    counter = get_global_step()
    if counter is None:
        raise RuntimeError(f"Global step should be created to use {reader}.")
    if current_graph() is None:
        return counter
    with tf1.name_scope(name_of(counter) + "/"):
        read = tf.convert_to_tensor(counter) + tf.zeros([], counter.dtype)
    tf1.add_to_collection(_READ_KEY, read)
    return read


def assert_global_step(global_step_tensor: Any) -> None:
    """Checks that a counter is an integer scalar. Stands for ``tf.train.assert_global_step``.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(global_step_tensor, (tf.Variable, tf.Tensor)):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor}.')
    if not tf.as_dtype(global_step_tensor.dtype).is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}')
    shape = global_step_tensor.shape
    if shape.rank != 0 and shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {shape}')


def _within(graph: Any) -> contextlib.AbstractContextManager[Any]:
    return contextlib.nullcontext() if graph is None else graph.as_default()


def _zero(shape: Any, dtype: Any, partition_info: Any = None) -> tf.Tensor:
    del partition_info
    return tf.zeros(shape, dtype)
