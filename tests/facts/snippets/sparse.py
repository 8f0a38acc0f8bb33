"""TF 1.x calls on sparse and ragged tensors and sets; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

D = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]], np.float32)


def sparse():
    """A sparse 2 by 3 matrix."""
    return tf.SparseTensor([[0, 0], [0, 2], [1, 1]], np.float32([1, 2, 3]), [2, 3])


def other():
    """Another one."""
    return tf.SparseTensor([[0, 0], [1, 2]], np.float32([10, 20]), [2, 3])


def ragged():
    """A ragged tensor of two rows."""
    return tf.ragged.constant([[1, 2, 3], [4]])


SNIPPETS = {
    "tf.SparseTensor": lambda: tf.SparseTensor(indices=[[0, 1]], values=[5.0], dense_shape=[1, 3]),
    "tf.sparse_add": lambda: tf.sparse_add(sparse(), other()),
    "tf.sparse_add / thresh": lambda: tf.sparse_add(sparse(), other(), thresh=5.0),
    "tf.sparse_add / dense": lambda: tf.sparse_add(sparse(), D),
    "tf.sparse_concat": lambda: tf.sparse_concat(1, [sparse(), other()]),
    "tf.sparse_concat / expand": lambda: tf.sparse_concat(0, [sparse(), other()], "c", True),
    "tf.sparse_split": lambda: tf.sparse_split(sp_input=sparse(), num_split=2, axis=1),
    "tf.sparse_reduce_sum": lambda: tf.sparse_reduce_sum(sparse(), 1),
    "tf.sparse_reduce_sum / reduction_axes": lambda: tf.sparse_reduce_sum(sparse(), reduction_axes=0, keep_dims=True),
    "tf.sparse_reduce_max": lambda: tf.sparse_reduce_max(sparse(), 1, True),
    "tf.sparse_reduce_sum_sparse": lambda: tf.sparse_reduce_sum_sparse(sparse(), 1),
    "tf.sparse_reduce_max_sparse": lambda: tf.sparse_reduce_max_sparse(sparse(), reduction_axes=1, keep_dims=True),
    "tf.sparse_tensor_dense_matmul": lambda: tf.sparse_tensor_dense_matmul(sparse(), D, adjoint_b=True),
    "tf.sparse.matmul": lambda: tf.sparse.matmul(sparse(), D.T),
    "tf.sparse_tensor_to_dense": lambda: tf.sparse_tensor_to_dense(sparse(), -1.0),
    "tf.sparse_to_dense": lambda: tf.sparse_to_dense([[0, 1], [1, 2]], [2, 3], [5, 6]),
    "tf.sparse_to_dense / default_value": lambda: tf.sparse_to_dense([1, 3], [4], [5.0, 6.0], -1.0, True, "d"),
    "tf.sparse_to_indicator": lambda: tf.sparse_to_indicator(tf.SparseTensor([[0, 0], [1, 0]], [2, 0], [2, 1]), 3),
    "tf.sparse_reshape": lambda: tf.sparse_reshape(sparse(), [3, 2]),
    "tf.sparse_reorder": lambda: tf.sparse_reorder(tf.SparseTensor([[1, 0], [0, 0]], [2.0, 1.0], [2, 1])),
    "tf.sparse_reset_shape": lambda: tf.sparse_reset_shape(sparse(), [3, 4]),
    "tf.sparse_retain": lambda: tf.sparse_retain(sparse(), [True, False, True]),
    "tf.sparse_slice": lambda: tf.sparse_slice(sparse(), [0, 1], [2, 2]),
    "tf.sparse_softmax": lambda: tf.sparse_softmax(sparse()),
    "tf.sparse_transpose": lambda: tf.sparse_transpose(sparse()),
    "tf.sparse_maximum": lambda: tf.sparse_maximum(sparse(), other()),
    "tf.sparse_minimum": lambda: tf.sparse_minimum(sparse(), other()),
    "tf.sparse_mask": lambda: tf.sparse_mask(
        tf.IndexedSlices(tf.constant(D), tf.constant([3, 5]), tf.constant([6, 3])), [5]
    ),
    "tf.sparse_fill_empty_rows": lambda: tf.sparse_fill_empty_rows(
        tf.SparseTensor([[0, 0]], [1.0], [2, 1]), default_value=9.0
    ),
    "tf.sparse_matmul": lambda: tf.sparse_matmul(D, D.T, a_is_sparse=True),
    "tf.sparse_merge": lambda: tf.sparse_merge(
        tf.SparseTensor([[0, 0], [1, 0]], np.int64([2, 0]), [2, 1]),
        tf.SparseTensor([[0, 0], [1, 0]], [5.0, 6.0], [2, 1]),
        3,
    ),
    "tf.sparse.from_dense": lambda: tf.sparse.from_dense(D),
    "tf.sparse.eye": lambda: tf.sparse.eye(2),
    "tf.sparse.expand_dims": lambda: tf.sparse.expand_dims(sparse(), 0),
    "tf.sparse.cross": lambda: tf.sparse.cross(
        [tf.SparseTensor([[0, 0]], ["a"], [1, 1]), tf.SparseTensor([[0, 0]], ["b"], [1, 1])]
    ),
    "tf.sparse.cross_hashed": lambda: tf.sparse.cross_hashed(
        [tf.SparseTensor([[0, 0]], ["a"], [1, 1]), tf.SparseTensor([[0, 0]], ["b"], [1, 1])], 100
    ),
    "tf.serialize_sparse": lambda: tf.shape(tf.serialize_sparse(sparse())),
    "tf.serialize_sparse / name": lambda: tf.shape(tf.serialize_sparse(sparse(), "s", tf.string)),
    "tf.serialize_many_sparse": lambda: tf.deserialize_many_sparse(tf.serialize_many_sparse(sparse(), "s"), tf.float32),
    "tf.deserialize_many_sparse": lambda: tf.deserialize_many_sparse(tf.serialize_many_sparse(sparse()), tf.float32),
    "tf.IndexedSlices": lambda: tf.IndexedSlices(tf.constant(D), tf.constant([0, 2])),
    "tf.sets.set_union": lambda: tf.sets.set_union([[1, 2]], [[2, 3]]),
    "tf.sets.set_intersection": lambda: tf.sets.set_intersection([[1, 2]], [[2, 3]]),
    "tf.sets.set_difference": lambda: tf.sets.set_difference([[1, 2]], [[2, 3]]),
    "tf.sets.set_size": lambda: tf.sets.set_size(tf.sparse.from_dense([[1, 2], [3, 0]])),
    "tf.ragged.constant": lambda: tf.ragged.constant([[1.0], [2.0, 3.0]]),
    "tf.ragged.range": lambda: tf.ragged.range([2, 0]),
    "tf.ragged.stack": lambda: tf.ragged.stack([ragged(), ragged()]),
    "tf.ragged.boolean_mask": lambda: tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]),
    "tf.ragged.map_flat_values": lambda: tf.ragged.map_flat_values(tf.negative, ragged()),
    "tf.ragged.row_splits_to_segment_ids": lambda: tf.ragged.row_splits_to_segment_ids([0, 2, 3]),
    "tf.ragged.segment_ids_to_row_splits": lambda: tf.ragged.segment_ids_to_row_splits([0, 0, 2]),
    "tf.ragged.stack_dynamic_partitions": lambda: tf.ragged.stack_dynamic_partitions([1, 2, 3], [0, 1, 0], 2),
    "tf.RaggedTensor": lambda: tf.RaggedTensor.from_row_lengths([1, 2, 3], [2, 1]),
    "tf.SparseTensorSpec": lambda: tf.SparseTensorSpec([2], tf.int32).dtype,
    "tf.RaggedTensorSpec": lambda: tf.RaggedTensorSpec([2, None], tf.int32).is_compatible_with(ragged()),
}
