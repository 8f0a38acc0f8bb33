"""The TF1 functions that TF2 still carries unchanged: pure, no Keras, no variables, no global state.

What stands here is the function of TF 1.15, defaults included (tests/goldens/ops.json), on TensorFlow 2.16 to
2.21; it works eagerly, in a `tf.function` and under the bridge. All else of TF1 has code of its own in compat.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ..bodies import body

OLD_NAMESPACE = _v1 = tf.compat.v1
"""Where TensorFlow 2 keeps names of TensorFlow 1, for those that are looked up when a program runs."""


def _with_body(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function of a loop whose body is built as one of the one graph of TF1."""

    @functools.wraps(function)
    def build(*args: Any, **kwargs: Any) -> Any:
        if name in kwargs:
            kwargs[name] = body(kwargs[name])
        return function(*map(body, args[:1]), *args[1:], **kwargs)

    return build


def _as_operation(function: Callable[..., Any]) -> Callable[..., Any]:
    """An assertion that gives an operation in a graph, also where all is known before anything runs."""

    @functools.wraps(function)
    def check(*args: Any, **kwargs: Any) -> Any:
        found = function(*args, **kwargs)
        return tf.no_op() if found is None and not tf.executing_eagerly() else found

    return check


# Control flow: results and arguments as TF1 (back_prop, dtype).
map_fn = _with_body(_v1.map_fn, "fn")
foldl = _with_body(_v1.foldl, "fn")
foldr = _with_body(_v1.foldr, "fn")
scan = _with_body(_v1.scan, "fn")
tuple = _v1.tuple

# Reductions and comparisons: keep_dims, reduction_indices, dimension.
reduce_sum = _v1.reduce_sum
reduce_prod = _v1.reduce_prod
reduce_max = _v1.reduce_max
reduce_min = _v1.reduce_min
reduce_mean = _v1.reduce_mean
reduce_all = _v1.reduce_all
reduce_any = _v1.reduce_any
reduce_logsumexp = _v1.reduce_logsumexp
argmax = _v1.argmax
argmin = _v1.argmin
arg_max = _v1.arg_max
arg_min = _v1.arg_min
count_nonzero = _v1.count_nonzero
bincount = _v1.bincount
confusion_matrix = _v1.confusion_matrix
norm = _v1.norm

# Arrays: argument order and names of TF1 (dim, squeeze_dims, validate_indices, optimize, conjugate last).
convert_to_tensor = _v1.convert_to_tensor
convert_to_tensor_or_indexed_slices = _v1.convert_to_tensor_or_indexed_slices
convert_to_tensor_or_sparse_tensor = _v1.convert_to_tensor_or_sparse_tensor
shape = _v1.shape
size = _v1.size
expand_dims = _v1.expand_dims
squeeze = _v1.squeeze
transpose = _v1.transpose
where = _v1.where
gather = _v1.gather
gather_nd = _v1.gather_nd
batch_gather = _v1.batch_gather
boolean_mask = _v1.boolean_mask
pad = _v1.pad
ones_like = _v1.ones_like
zeros_like = _v1.zeros_like
reverse_sequence = _v1.reverse_sequence
batch_to_space = _v1.batch_to_space
batch_to_space_nd = _v1.batch_to_space_nd
space_to_batch = _v1.space_to_batch
space_to_depth = _v1.space_to_depth
depth_to_space = _v1.depth_to_space
sparse_to_dense = _v1.sparse_to_dense
setdiff1d = _v1.setdiff1d
extract_image_patches = _v1.extract_image_patches
quantize_v2 = _v1.quantize_v2

# Mathematics: names that TF2 gave up, and defaults that changed.
scalar_mul = _v1.scalar_mul
div = _v1.div
floor_div = _v1.floor_div
to_float = _v1.to_float
to_double = _v1.to_double
to_int32 = _v1.to_int32
to_int64 = _v1.to_int64
to_bfloat16 = _v1.to_bfloat16
to_complex64 = _v1.to_complex64
to_complex128 = _v1.to_complex128
clip_by_average_norm = _v1.clip_by_average_norm
verify_tensor_all_finite = _v1.verify_tensor_all_finite
accumulate_n = _v1.accumulate_n

# Sparse tensors: sp_input first, thresh, concat_dim, split_dim.
sparse_add = _v1.sparse_add
sparse_concat = _v1.sparse_concat
sparse_merge = _v1.sparse_merge
sparse_reduce_max = _v1.sparse_reduce_max
sparse_reduce_max_sparse = _v1.sparse_reduce_max_sparse
sparse_reduce_sum = _v1.sparse_reduce_sum
sparse_reduce_sum_sparse = _v1.sparse_reduce_sum_sparse
sparse_segment_mean = _v1.sparse_segment_mean
sparse_segment_sqrt_n = _v1.sparse_segment_sqrt_n
sparse_segment_sum = _v1.sparse_segment_sum
sparse_split = _v1.sparse_split
serialize_sparse = _v1.serialize_sparse
serialize_many_sparse = _v1.serialize_many_sparse
SparseTensorValue = _v1.SparseTensorValue
sparse_matmul = _v1.sparse_matmul

# Strings and records: SparseTensor results, bytes= and input= names.
decode_csv = _v1.decode_csv
decode_raw = _v1.decode_raw
parse_example = _v1.parse_example
parse_single_example = _v1.parse_single_example
reduce_join = _v1.reduce_join
string_split = _v1.string_split
string_to_hash_bucket = _v1.string_to_hash_bucket
string_to_number = _v1.string_to_number
substr = _v1.substr
string_length = _v1.strings.length
string_split_v2 = _v1.strings.split
substr_v2 = _v1.strings.substr

# Assertions: they give an op to depend on, and take data and summarize.
assert_equal = _v1.assert_equal
assert_none_equal = _v1.assert_none_equal
assert_greater = _v1.assert_greater
assert_greater_equal = _v1.assert_greater_equal
assert_less = _v1.assert_less
assert_less_equal = _v1.assert_less_equal
assert_near = _v1.assert_near
assert_positive = _v1.assert_positive
assert_negative = _v1.assert_negative
assert_non_negative = _v1.assert_non_negative
assert_non_positive = _v1.assert_non_positive
assert_integer = _as_operation(_v1.assert_integer)
assert_rank = _v1.assert_rank
assert_rank_at_least = _v1.assert_rank_at_least
assert_rank_in = _v1.assert_rank_in
assert_scalar = _v1.assert_scalar
assert_type = _as_operation(_v1.assert_type)
assert_shapes = _v1.debugging.assert_shapes

# Linear algebra.
matrix_diag = _v1.linalg.diag
matrix_diag_part = _v1.linalg.diag_part
trace = _v1.linalg.trace
matrix_transpose = _v1.linalg.matrix_transpose
tensor_diag_part = _v1.linalg.tensor_diag_part
matmul = _v1.linalg.matmul

# Random ops: the argument order of TF1.
multinomial = _v1.multinomial
random_poisson = _v1.random.poisson
stateless_multinomial = _v1.random.stateless_multinomial

# Python in the graph, printing.
py_func = _v1.py_func
Print = _v1.Print

# Gradients: colocate_gradients_with_ops and gate_gradients in TF1's places.
gradients = _v1.gradients
hessians = _v1.hessians

# Colocation.
colocate_with = _v1.colocate_with
container = _v1.container

# Neural networks: losses per example. `softmax_cross_entropy_with_logits` lets no gradient into the labels.
softmax = _v1.nn.softmax
log_softmax = _v1.nn.log_softmax
softmax_cross_entropy_with_logits = _v1.nn.softmax_cross_entropy_with_logits
softmax_cross_entropy_with_logits_v2 = _v1.nn.softmax_cross_entropy_with_logits_v2
sparse_softmax_cross_entropy_with_logits = _v1.nn.sparse_softmax_cross_entropy_with_logits
sigmoid_cross_entropy_with_logits = _v1.nn.sigmoid_cross_entropy_with_logits
weighted_cross_entropy_with_logits = _v1.nn.weighted_cross_entropy_with_logits
nce_loss = _v1.nn.nce_loss
sampled_softmax_loss = _v1.nn.sampled_softmax_loss
ctc_loss = _v1.nn.ctc_loss
ctc_loss_v2 = _v1.nn.ctc_loss_v2
ctc_beam_search_decoder = _v1.nn.ctc_beam_search_decoder
in_top_k = _v1.nn.in_top_k

# Neural networks: activations, dropout, normalization.
dropout = _v1.nn.dropout
crelu = _v1.nn.crelu
leaky_relu = _v1.nn.leaky_relu
relu_layer = _v1.nn.relu_layer
xw_plus_b = _v1.nn.xw_plus_b
moments = _v1.nn.moments
weighted_moments = _v1.nn.weighted_moments
sufficient_statistics = _v1.nn.sufficient_statistics
fused_batch_norm = _v1.nn.fused_batch_norm
batch_norm_with_global_normalization = _v1.nn.batch_norm_with_global_normalization
quantized_avg_pool = _v1.nn.quantized_avg_pool
quantized_conv2d = _v1.nn.quantized_conv2d
quantized_max_pool = _v1.nn.quantized_max_pool
quantized_relu_x = _v1.nn.quantized_relu_x

# Neural networks: convolution and pooling (filter, value, use_cudnn_on_gpu, rate).
conv1d = _v1.nn.conv1d
conv2d = _v1.nn.conv2d
conv2d_backprop_filter = _v1.nn.conv2d_backprop_filter
conv2d_backprop_input = _v1.nn.conv2d_backprop_input
conv2d_transpose = _v1.nn.conv2d_transpose
conv3d = _v1.nn.conv3d
conv3d_backprop_filter = _v1.nn.conv3d_backprop_filter
conv3d_backprop_filter_v2 = _v1.nn.conv3d_backprop_filter_v2
conv3d_transpose = _v1.nn.conv3d_transpose
convolution = _v1.nn.convolution
depthwise_conv2d = _v1.nn.depthwise_conv2d
depthwise_conv2d_native = _v1.nn.depthwise_conv2d_native
separable_conv2d = _v1.nn.separable_conv2d
dilation2d = _v1.nn.dilation2d
erosion2d = _v1.nn.erosion2d
avg_pool = _v1.nn.avg_pool
max_pool = _v1.nn.max_pool
max_pool_with_argmax = _v1.nn.max_pool_with_argmax
pool = _v1.nn.pool
fractional_avg_pool = _v1.nn.fractional_avg_pool
fractional_max_pool = _v1.nn.fractional_max_pool

# Neural networks: embeddings (partition_strategy, 'mod' unless said).
embedding_lookup = _v1.nn.embedding_lookup
embedding_lookup_sparse = _v1.nn.embedding_lookup_sparse
safe_embedding_lookup_sparse = _v1.nn.safe_embedding_lookup_sparse

# Images: TF1's sampling grid (align_corners, no half-pixel centres) and result types.
ResizeMethod = _v1.image.ResizeMethod
crop_and_resize = _v1.image.crop_and_resize
draw_bounding_boxes = _v1.image.draw_bounding_boxes
extract_glimpse = _v1.image.extract_glimpse
extract_patches = _v1.image.extract_patches
resize_images = _v1.image.resize_images
resize_area = _v1.image.resize_area
resize_bicubic = _v1.image.resize_bicubic
resize_bilinear = _v1.image.resize_bilinear
resize_nearest_neighbor = _v1.image.resize_nearest_neighbor
resize_image_with_pad = _v1.image.resize_image_with_pad
sample_distorted_bounding_box = _v1.image.sample_distorted_bounding_box

# Protocol buffers and versions: data, no behaviour.
ConfigProto = _v1.ConfigProto
GPUOptions = _v1.GPUOptions
GraphOptions = _v1.GraphOptions
OptimizerOptions = _v1.OptimizerOptions
RunOptions = _v1.RunOptions
RunMetadata = _v1.RunMetadata
GraphDef = _v1.GraphDef
NodeDef = _v1.NodeDef
AttrValue = _v1.AttrValue
NameAttrList = _v1.NameAttrList
MetaGraphDef = _v1.MetaGraphDef
HistogramProto = _v1.HistogramProto
Event = _v1.Event
LogMessage = _v1.LogMessage
SessionLog = _v1.SessionLog
TensorInfo = _v1.TensorInfo
Summary = _v1.Summary
SummaryMetadata = _v1.SummaryMetadata
SummaryDescription = _v1.summary.SummaryDescription
TaggedRunMetadata = _v1.summary.TaggedRunMetadata
SaverDef = _v1.train.SaverDef
TFLiteConverter = _v1.lite.TFLiteConverter

# Shapes and types.
Dimension = _v1.Dimension
dimension_value = _v1.dimension_value
dimension_at_index = _v1.dimension_at_index
DeviceSpec = _v1.DeviceSpec
QUANTIZED_DTYPES = _v1.QUANTIZED_DTYPES
RaggedTensorValue = _v1.ragged.RaggedTensorValue
ragged_constant_value = _v1.ragged.constant_value

# Testing: finite differences.
compute_gradient = _v1.test.compute_gradient
compute_gradient_error = _v1.test.compute_gradient_error
assert_equal_graph_def = _v1.test.assert_equal_graph_def
StubOutForTesting = _v1.test.StubOutForTesting

# Placement and graphs: told by node and name.
replica_device_setter = _v1.train.replica_device_setter
must_run_on_cpu = _v1.graph_util.must_run_on_cpu
tensor_shape_from_node_def_name = _v1.graph_util.tensor_shape_from_node_def_name
add_check_numerics_ops = _v1.add_check_numerics_ops

# Gradients gathered over steps, and code that one thread at a time may run.
ConditionalAccumulator = _v1.ConditionalAccumulator
ConditionalAccumulatorBase = _v1.ConditionalAccumulatorBase
CriticalSection = _v1.CriticalSection

# Reading records.
tf_record_iterator = _v1.io.tf_record_iterator
TFRecordCompressionType = _v1.io.TFRecordCompressionType

# Distributions: tensors in, tensors out.
Bernoulli = _v1.distributions.Bernoulli
Beta = _v1.distributions.Beta
Categorical = _v1.distributions.Categorical
Dirichlet = _v1.distributions.Dirichlet
DirichletMultinomial = _v1.distributions.DirichletMultinomial
Distribution = _v1.distributions.Distribution
Exponential = _v1.distributions.Exponential
Gamma = _v1.distributions.Gamma
Laplace = _v1.distributions.Laplace
Multinomial = _v1.distributions.Multinomial
Normal = _v1.distributions.Normal
RegisterKL = _v1.distributions.RegisterKL
ReparameterizationType = _v1.distributions.ReparameterizationType
StudentT = _v1.distributions.StudentT
Uniform = _v1.distributions.Uniform
kl_divergence = _v1.distributions.kl_divergence
FULLY_REPARAMETERIZED = _v1.distributions.FULLY_REPARAMETERIZED
NOT_REPARAMETERIZED = _v1.distributions.NOT_REPARAMETERIZED

# Errors and the numbers that protocol buffers have for them.
error_code_from_exception_type = _v1.errors.error_code_from_exception_type
exception_type_from_error_code = _v1.errors.exception_type_from_error_code
