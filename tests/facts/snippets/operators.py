"""TF 1.x calls of linear operators, quantization, audio and function tools; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

A = np.array([[4.0, 1.0], [1.0, 3.0]], np.float32)
V = np.array([1.0, 2.0], np.float32)
X = np.array([-1.0, 0.3, 2.0], np.float32)


def dense(operator):
    """An operator's matrix, and what it makes of another."""
    return operator.to_dense(), operator.matmul(A)


def full():
    """An operator of a full matrix."""
    return tf.linalg.LinearOperatorFullMatrix(tf.constant(A))


@tf.function
def doubled(x):
    """A function of TensorFlow."""
    return x * 2


def held():
    """What a module tracks."""
    module = tf.Module(name="m")
    return module.name


SNIPPETS = {
    "tf.linalg.LinearOperatorFullMatrix": lambda: dense(full()),
    "tf.linalg.LinearOperatorDiag": lambda: dense(tf.linalg.LinearOperatorDiag(V)),
    "tf.linalg.LinearOperatorIdentity": lambda: dense(tf.linalg.LinearOperatorIdentity(2)),
    "tf.linalg.LinearOperatorScaledIdentity": lambda: dense(
        tf.linalg.LinearOperatorScaledIdentity(2, tf.constant(3.0))
    ),
    "tf.linalg.LinearOperatorLowerTriangular": lambda: dense(tf.linalg.LinearOperatorLowerTriangular(tf.constant(A))),
    "tf.linalg.LinearOperatorZeros": lambda: dense(tf.linalg.LinearOperatorZeros(2)),
    "tf.linalg.LinearOperatorAdjoint": lambda: dense(tf.linalg.LinearOperatorAdjoint(full())),
    "tf.linalg.LinearOperatorInversion": lambda: dense(tf.linalg.LinearOperatorInversion(full())),
    "tf.linalg.LinearOperatorComposition": lambda: dense(tf.linalg.LinearOperatorComposition([full(), full()])),
    "tf.linalg.LinearOperatorBlockDiag": lambda: tf.linalg.LinearOperatorBlockDiag([full(), full()]).to_dense(),
    "tf.linalg.LinearOperatorKronecker": lambda: tf.linalg.LinearOperatorKronecker([full(), full()]).to_dense(),
    "tf.linalg.LinearOperatorLowRankUpdate": lambda: dense(
        tf.linalg.LinearOperatorLowRankUpdate(tf.linalg.LinearOperatorDiag(V), tf.constant(A))
    ),
    "tf.linalg.LinearOperatorHouseholder": lambda: dense(tf.linalg.LinearOperatorHouseholder(tf.constant(V))),
    "tf.linalg.LinearOperatorToeplitz": lambda: dense(
        tf.linalg.LinearOperatorToeplitz(tf.constant([1.0, 2.0]), tf.constant([1.0, 3.0]))
    ),
    "tf.linalg.LinearOperatorCirculant": lambda: tf.linalg.LinearOperatorCirculant(
        tf.constant([1.0 + 0j, 2.0])
    ).to_dense(),
    "tf.linalg.LinearOperatorCirculant2D": lambda: tf.linalg.LinearOperatorCirculant2D(
        tf.constant([[1.0 + 0j, 2.0]])
    ).to_dense(),
    "tf.linalg.LinearOperatorCirculant3D": lambda: tf.linalg.LinearOperatorCirculant3D(
        tf.constant([[[1.0 + 0j, 2.0]]])
    ).to_dense(),
    "tf.linalg.LinearOperator": lambda: isinstance(full(), tf.linalg.LinearOperator),
    "tf.fake_quant_with_min_max_args": lambda: tf.fake_quant_with_min_max_args(X, -1.0, 1.0, 4),
    "tf.fake_quant_with_min_max_args_gradient": lambda: tf.fake_quant_with_min_max_args_gradient(X, X, -1.0, 1.0),
    "tf.fake_quant_with_min_max_vars": lambda: tf.fake_quant_with_min_max_vars(X, -1.0, 1.0),
    "tf.fake_quant_with_min_max_vars_gradient": lambda: tf.fake_quant_with_min_max_vars_gradient(X, X, -1.0, 1.0),
    "tf.fake_quant_with_min_max_vars_per_channel": lambda: tf.fake_quant_with_min_max_vars_per_channel(
        X, np.float32([-1, -1, 0]), np.float32([1, 1, 1])
    ),
    "tf.fake_quant_with_min_max_vars_per_channel_gradient": lambda: (
        tf.fake_quant_with_min_max_vars_per_channel_gradient(X, X, np.float32([-1, -1, 0]), np.float32([1, 1, 1]))
    ),
    "tf.quantize": lambda: tf.cast(tf.quantize(X, -2.0, 2.0, tf.quint8)[0], tf.int32),
    "tf.dequantize": lambda: tf.dequantize(tf.quantize(X, -2.0, 2.0, tf.quint8)[0], -2.0, 2.0),
    "tf.quantized_concat": lambda: tf.quantized_concat(
        0, [tf.quantize(X, -2.0, 2.0, tf.quint8)[0]] * 2, [-2.0, -2.0], [2.0, 2.0]
    )[1],
    "tf.quantization.quantize_and_dequantize": lambda: tf.quantization.quantize_and_dequantize(
        X, -2.0, 2.0, range_given=True
    ),
    "tf.audio.encode_wav": lambda: tf.audio.encode_wav(np.float32([[0.0], [0.5]]), 8000),
    "tf.audio.decode_wav": lambda: tf.audio.decode_wav(tf.audio.encode_wav(np.float32([[0.0], [0.5]]), 8000)),
    "tf.function": lambda: doubled(tf.constant(3)),
    "tf.autograph.experimental.do_not_convert": lambda: tf.autograph.experimental.do_not_convert(lambda: 3)(),
    "tf.Module": held,
    "tf.timestamp": lambda: tf.timestamp() > 0,
    "tf.get_logger": lambda: tf.get_logger().name,
    "tf.convert_to_tensor_or_sparse_tensor": lambda: tf.convert_to_tensor_or_sparse_tensor([1.0]),
    "tf.convert_to_tensor_or_indexed_slices": lambda: tf.convert_to_tensor_or_indexed_slices([1.0]),
    "tf.SparseTensorValue": lambda: tf.SparseTensorValue([[0]], [1.0], [2]).dense_shape,
    "tf.IndexedSlicesSpec": lambda: isinstance(tf.IndexedSlicesSpec(), tf.TypeSpec),
    "tf.TensorArraySpec": lambda: isinstance(tf.TensorArraySpec(), tf.TypeSpec),
    "tf.TypeSpec": lambda: isinstance(tf.TensorSpec([1]), tf.TypeSpec),
    "tf.vectorized_map": lambda: tf.vectorized_map(lambda x: x * 2, tf.constant(X)),
    "tf.config.experimental.list_physical_devices": lambda: len(tf.config.experimental.list_physical_devices("CPU")),
    "tf.config.get_soft_device_placement": lambda: isinstance(tf.config.get_soft_device_placement(), bool),
    "tf.compat.forward_compatible": lambda: tf.compat.forward_compatible(2018, 1, 1),
    "tf.sysconfig.get_include": lambda: isinstance(tf.sysconfig.get_include(), str),
    "tf.sysconfig.get_lib": lambda: isinstance(tf.sysconfig.get_lib(), str),
    "tf.sysconfig.get_compile_flags": lambda: isinstance(tf.sysconfig.get_compile_flags(), list),
    "tf.sysconfig.get_link_flags": lambda: isinstance(tf.sysconfig.get_link_flags(), list),
    "tf.test.is_built_with_gpu_support": lambda: isinstance(tf.test.is_built_with_gpu_support(), bool),
    "tf.test.is_built_with_rocm": lambda: tf.test.is_built_with_rocm(),
    "tf.distribute.get_strategy": lambda: tf.distribute.get_strategy().num_replicas_in_sync,
    "tf.distribute.has_strategy": lambda: tf.distribute.has_strategy(),
    "tf.distribute.in_cross_replica_context": lambda: tf.distribute.in_cross_replica_context(),
    "tf.distribute.get_replica_context": lambda: tf.distribute.get_replica_context() is not None,
    "tf.distribute.ReduceOp": lambda: tf.distribute.ReduceOp.SUM.value,
    "tf.train.sdca_fprint": lambda: tf.train.sdca_fprint(["a", "b"]),
}
