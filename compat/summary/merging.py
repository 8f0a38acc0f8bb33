"""Several summaries as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from .tags import clean_tag, collect, function_graph


def merge(inputs: Sequence[Any], collections: Iterable[str] | None = None, name: str | None = None) -> tf.Tensor:
    """All values of several summaries in one. Stands for ``tf.summary.merge``.

    Args:
        inputs: serialized summaries, as the functions here make them.
        collections: which collections it joins; none by default.
        name: name of the operation.

    Raises:
        tf.errors.InvalidArgumentError: two values have one tag.
    """
    name = clean_tag(name)
    with tf1.name_scope(name, "Merge"):
        merged = tf.raw_ops.MergeSummary(inputs=list(inputs), name=name)
        collect(merged, collections, ())
    return merged


def merge_all(
    key: str = tf1.GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None
) -> tf.Tensor | None:
    """All summaries of a collection as one; None where there are none. Stands for ``tf.summary.merge_all``.

    In plain TF2 they are those of this pass: of this call of the function, or of this trace. In a ``tf.function`` they
    are all that were made in it so far, within a store or not.

    Args:
        key: the collection, ``SUMMARIES`` by default.
        scope: only summaries whose names match this regular expression.
        name: name of the operation.
    """
    graph = function_graph()
    summaries = (tf1 if graph is None else graph).get_collection(key, scope)
    return merge(summaries, name=name) if summaries else None
