"""Embeddings of contrib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ...bridge.v1 import embedding_lookup
from ...bridge.v1 import safe_embedding_lookup_sparse as _safe_lookup
from ...variables.name_scope import name_scope
from ...variables.partition import PartitionedVariable
from ...variables.variable_scope import variable_scope
from ..framework.variables import model_variable


def embed_sequence(
    ids: Any,
    vocab_size: int | None = None,
    embed_dim: int | None = None,
    unique: bool = False,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: Any = None,
) -> Any:
    """Looks up a vector for each id. Stands for ``tf.contrib.layers.embed_sequence``.

    Variable ``embeddings`` ``[vocab_size, embed_dim]`` in the scope ``EmbedSequence``, or the one named.

    Args:
        ids: integers ``[batch, length]``.
        unique: looks up each different id once.

    Returns:
        ``[batch, length, embed_dim]``.

    Raises:
        ValueError: a size is missing and nothing is reused.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            "Must specify vocab size and embedding dimension when not reusing. "
            f"Got vocab_size={vocab_size} and embed_dim={embed_dim}"
        )
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        shape = None if vocab_size is None or embed_dim is None else [vocab_size, embed_dim]
        embeddings = model_variable(
            "embeddings", shape=shape, initializer=initializer, regularizer=regularizer, trainable=trainable
        )
        return embedding_lookup_unique(embeddings, ids) if unique else embedding_lookup(embeddings, ids)


def bow_encoder(
    ids: Any,
    vocab_size: int,
    embed_dim: int,
    sparse_lookup: bool = True,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: Any = None,
) -> Any:
    """The mean of the vectors of the ids. Stands for ``tf.contrib.layers.bow_encoder``.

    Args:
        ids: integers ``[batch, length]``, dense or sparse.
        sparse_lookup: leaves out ids that are zero (of dense ids), as padding.

    Returns:
        ``[batch, embed_dim]``.

    Raises:
        ValueError: a size is missing.
        TypeError: sparse ids without ``sparse_lookup``.
    """
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = model_variable(
            "embeddings",
            shape=[vocab_size, embed_dim],
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        if not sparse_lookup:
            if isinstance(ids, tf.SparseTensor):
                raise TypeError("ids are expected to be dense Tensor, got: %s", ids)
            return tf.reduce_mean(embedding_lookup(embeddings, ids), axis=1)
        sparse = ids if isinstance(ids, tf.SparseTensor) else tf.sparse.from_dense(ids)
        return safe_embedding_lookup_sparse([embeddings], sparse, combiner="mean", default_id=0)


def embedding_lookup_unique(params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None) -> Any:
    """Looks up each different id once, and spreads the vectors.

    Stands for ``tf.contrib.layers.embedding_lookup_unique``.
    """
    with name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = tf.convert_to_tensor(ids)
        unique, places = tf.unique(tf.reshape(ids, [-1]))
        vectors = embedding_lookup(params, unique, partition_strategy)
        spread = tf.gather(vectors, places)
        outputs = tf.reshape(spread, tf.concat([tf.shape(ids), tf.shape(vectors)[1:]], 0))
        outputs.set_shape(ids.shape.concatenate(vectors.shape[1:]))
        return outputs


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str | None = None,
    default_id: int | None = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: float | None = None,
) -> Any:
    """Combines the vectors of sparse ids; negative ids and weights are left out, empty rows give zeros.

    Stands for ``tf.contrib.layers.safe_embedding_lookup_sparse``.

    Args:
        combiner: ``mean`` unless said, ``sqrtn`` or ``sum``.
        default_id: the id for empty rows.

    Raises:
        ValueError: no weights.
    """
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    parts: Sequence[Any] = (
        list(embedding_weights)
        if isinstance(embedding_weights, PartitionedVariable | list | tuple)
        else [embedding_weights]
    )
    return _safe_lookup(
        parts,
        sparse_ids,
        sparse_weights,
        combiner=combiner or "mean",
        default_id=default_id,
        name=name,
        partition_strategy=partition_strategy,
        max_norm=max_norm,
    )
