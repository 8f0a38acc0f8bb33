"""Matrices of a checkpoint whose rows or columns stand for words, put in the order of another vocabulary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import tensorflow as tf


class VocabInfo(NamedTuple):
    """How a variable's vocabulary changed; stands for ``tf.train.VocabInfo`` and ``tf.estimator.VocabInfo``.

    Attributes:
        new_vocab: file of the variable's words, one a line.
        new_vocab_size: how many of them it has rows (or columns) for.
        num_oov_buckets: rows (or columns) after them, for other words; they start from ``backup_initializer``.
        old_vocab: file of the words in the checkpoint.
        old_vocab_size: how many of them count; -1 for all.
        backup_initializer: takes a shape and gives values for what the checkpoint lacks; zeros when None.
        axis: 0 when words are rows, 1 when they are columns.
    """

    new_vocab: str
    new_vocab_size: int
    num_oov_buckets: int
    old_vocab: str
    old_vocab_size: int = -1
    backup_initializer: Callable[..., Any] | None = None
    axis: int = 0


def remapped(info: VocabInfo, shape: tuple[int, int], offset: int, checkpoint: str, name: str) -> tf.Tensor:
    """The value of a matrix, or of some of its rows, under the new vocabulary.

    Args:
        info: the vocabularies.
        shape: rows and columns wanted, those for other words with them.
        offset: the first row's number in the whole matrix.
        checkpoint: the checkpoint's path.
        name: the matrix's name there.

    Raises:
        ValueError: the axis is neither 0 nor 1, or the sizes do not add up to the shape.
    """
    initializer = info.backup_initializer or tf.zeros
    rows, columns = shape
    if info.axis == 0:
        spare = min(rows, max(0, offset + rows - info.new_vocab_size))
        loaded = rows - spare
        if not loaded:
            return tf.convert_to_tensor(initializer([spare, columns]))
        order, present = _order(info, offset, loaded)
        absent = (loaded - present) * columns
        value = _load(checkpoint, name, (order, []), initializer([absent, 1]), (loaded, columns))
        return tf.concat([value, initializer([spare, columns])], 0) if spare else value
    if info.axis != 1:
        raise ValueError(f"The only supported values for the axis argument are 0 and 1.  Provided axis: {info.axis}")
    loaded, spare = info.new_vocab_size, info.num_oov_buckets
    if columns != loaded + spare:
        raise ValueError(f"Expected 2nd dim of shape to be {loaded} + {spare}, but received shape: {list(shape)}")
    order, present = _order(info, 0, loaded)
    row_order = tf.range(offset, offset + rows, dtype=tf.int64)
    absent = rows * (loaded - present)
    value = _load(checkpoint, name, (row_order, order), initializer([absent, 1]), (rows, loaded))
    return tf.concat([value, initializer([rows, spare])], 1) if spare else value


def _order(info: VocabInfo, offset: int, count: int) -> tuple[tf.Tensor, tf.Tensor]:
    """For each new word the old one's number, -1 where there was none; and how many there were."""
    remapping, present = tf.raw_ops.GenerateVocabRemapping(
        new_vocab_file=info.new_vocab,
        old_vocab_file=info.old_vocab,
        new_vocab_offset=offset,
        num_new_vocab=count,
        old_vocab_size=info.old_vocab_size if info.axis == 0 else -1,
    )
    return remapping, present


def _load(checkpoint: str, name: str, orders: tuple[Any, Any], missing: Any, shape: tuple[int, int]) -> tf.Tensor:
    return tf.raw_ops.LoadAndRemapMatrix(
        ckpt_path=checkpoint,
        old_tensor_name=name,
        row_remapping=orders[0],
        col_remapping=orders[1] if tf.is_tensor(orders[1]) else tf.zeros([0], tf.int64),
        initializing_values=tf.reshape(missing, [-1]),
        num_rows=shape[0],
        num_cols=shape[1],
    )
