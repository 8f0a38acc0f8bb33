"""What a call of a TensorFlow 1.x symbol does to the graph and to its state.

Only symbols that stand here are understood; the analysis refuses every other one. A symbol is listed when TF 1.15's
operation reads nothing but its arguments, or draws random numbers, or does what its group says.
"""

from __future__ import annotations

from tf_migrate.names import drawing
from tf_migrate.names.building import INITIALIZER_CLASSES as INITIALIZER_CLASSES

_MATH = """
abs accumulate_n acos acosh add add_n angle arg_max arg_min argmax argmin asin asinh atan atan2 atanh bessel_i0
bessel_i0e bessel_i1 bessel_i1e betainc bincount ceil conj cos cosh count_nonzero cross cumprod cumsum digamma div
div_no_nan divide equal erf erfc exp expm1 floor floordiv floormod greater greater_equal igamma igammac imag
invert_permutation is_finite is_inf is_nan less less_equal lgamma log log1p log_sigmoid logical_and logical_not
logical_or logical_xor matmul maximum minimum mod multiply negative not_equal polyval pow real reciprocal reduce_all
reduce_any reduce_euclidean_norm reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_std reduce_sum
reduce_variance rint round rsqrt scalar_mul segment_max segment_mean segment_min segment_prod segment_sum sigmoid
sign sin sinh sqrt square squared_difference subtract tan tanh top_k truediv unsorted_segment_max
unsorted_segment_mean unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum
xdivy xlogy zero_fraction zeta
"""
_ARRAY = """
batch_gather batch_to_space_nd bitcast boolean_mask broadcast_to cast clip_by_average_norm clip_by_global_norm
clip_by_norm clip_by_value complex concat constant convert_to_tensor cholesky cholesky_solve depth_to_space diag
diag_part edit_distance einsum expand_dims eye fill fft gather gather_nd global_norm histogram_fixed_width identity
identity_n ifft lin_space linspace log_sigmoid matrix_band_part matrix_determinant matrix_diag
matrix_diag_part matrix_inverse matrix_set_diag matrix_solve matrix_transpose meshgrid norm one_hot ones ones_like pad
parallel_stack quantize range rank repeat reshape reverse reverse_sequence reverse_v2 saturate_cast scatter_nd
searchsorted self_adjoint_eig self_adjoint_eigvals sequence_mask setdiff1d shape shape_n size slice sort argsort
space_to_batch space_to_batch_nd space_to_depth sparse_tensor_dense_matmul split squeeze stack stop_gradient
strided_slice svd tensor_scatter_add tensor_scatter_sub tensor_scatter_update tensordot tile to_bfloat16 to_complex64
to_double to_float to_int32 to_int64 trace transpose trapz tril_indices truncatediv truncatemod unique
unique_with_counts unravel_index unstack where where_v2 zeros zeros_like
"""
_NN = """
atrous_conv2d atrous_conv2d_transpose avg_pool avg_pool1d avg_pool2d avg_pool3d batch_normalization bias_add conv1d
conv2d conv2d_backprop_filter conv2d_backprop_input conv2d_transpose conv3d conv3d_transpose convolution crelu
depthwise_conv2d depthwise_conv2d_native dilation2d elu embedding_lookup embedding_lookup_sparse erosion2d
fused_batch_norm in_top_k l2_loss l2_normalize leaky_relu local_response_normalization log_poisson_loss log_softmax
lrn max_pool max_pool1d max_pool2d max_pool3d max_pool_with_argmax moments normalize pool relu relu6 relu_layer selu
separable_conv2d sigmoid_cross_entropy_with_logits softmax softmax_cross_entropy_with_logits
softmax_cross_entropy_with_logits_v2 softplus softsign space_to_batch sparse_softmax_cross_entropy_with_logits
sufficient_statistics swish weighted_cross_entropy_with_logits weighted_moments with_space_to_batch xw_plus_b
sigmoid tanh top_k zero_fraction
"""
_IMAGE = """
adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation central_crop convert_image_dtype
crop_and_resize crop_to_bounding_box flip_left_right flip_up_down grayscale_to_rgb hsv_to_rgb pad_to_bounding_box
per_image_standardization resize resize_area resize_bicubic resize_bilinear resize_image_with_crop_or_pad
resize_images resize_nearest_neighbor rgb_to_grayscale rgb_to_hsv rot90 total_variation transpose_image
"""
_LINALG = """
adjoint band_part cholesky cholesky_solve det diag diag_part einsum expm eye inv l2_normalize logdet lstsq matmul
matrix_transpose matvec norm qr set_diag slogdet solve svd tensordot trace transpose triangular_solve
"""

_TEXT = """
as_string decode_base64 encode_base64 string_join string_to_hash_bucket_fast string_to_number strings.as_string
strings.format strings.join strings.length strings.lower strings.regex_replace strings.strip strings.substr
strings.to_hash_bucket_fast strings.to_number strings.upper substr regex_replace io.decode_base64 io.encode_base64
decode_raw io.decode_raw decode_csv io.decode_csv parse_single_example io.parse_single_example read_file io.read_file
"""
_MORE = """
confusion_matrix math.confusion_matrix dynamic_partition dynamic_stitch extract_image_patches
image.extract_image_patches matrix_triangular_solve sparse_to_dense io.decode_image io.decode_jpeg io.decode_png
image.decode_image image.decode_jpeg image.decode_png image.draw_bounding_boxes image.encode_jpeg image.encode_png
image.non_max_suppression image.psnr image.sobel_edges image.ssim
"""

_DECAYS = """
cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay linear_cosine_decay natural_exp_decay
piecewise_constant piecewise_constant_decay polynomial_decay
"""
DECAYS = frozenset(f"tf.train.{name}" for name in _DECAYS.split())
"""What a learning rate is at a step."""

PURE = (
    DECAYS
    | frozenset(
        f"{prefix}.{name}"
        for prefix, words in (
            ("tf", _MATH + _ARRAY + _TEXT + _MORE),
            ("tf.math", _MATH),
            ("tf.nn", _NN),
            ("tf.image", _IMAGE),
            ("tf.linalg", _LINALG),
        )
        for name in words.split()
    )
    | {"tf.dtypes.cast", "tf.debugging.is_finite", "tf.manip.roll", "tf.manip.reshape"}
)

SHAPES = frozenset(f"tf.{word}" for word in ("ones_like", "rank", "shape", "shape_n", "size", "zeros_like"))
"""Operations that need the shape of what they take, which may be known without a run."""

_SEVERAL = """
decode_csv io.decode_csv parse_single_example io.parse_single_example
clip_by_global_norm dynamic_partition identity_n linalg.eigh linalg.qr linalg.slogdet linalg.svd
math.top_k meshgrid nn.max_pool_with_argmax nn.moments nn.sufficient_statistics nn.top_k nn.weighted_moments
image.sample_distorted_bounding_box nn.fused_batch_norm self_adjoint_eig setdiff1d shape_n split svd top_k unique
unique_with_counts unstack
"""
SEVERAL = frozenset(f"tf.{name}" for name in _SEVERAL.split())
"""Operations with several results: as a whole they are no tensor."""

SEEDS = {
    f"{prefix}.{name}": position
    for prefix, position, words in (
        ("tf", 1, "random_shuffle"),
        ("tf", 2, "multinomial random_crop"),
        ("tf", 3, "random_poisson"),
        ("tf", 4, "random_gamma random_normal random_uniform truncated_normal"),
        ("tf.image", 1, "random_flip_left_right random_flip_up_down"),
        ("tf.image", 2, "random_brightness random_hue sample_distorted_bounding_box"),
        ("tf.image", 3, "random_contrast random_saturation"),
        ("tf.nn", 3, "dropout"),
        ("tf.nn", 11, "sampled_softmax_loss"),
        ("tf.random", 1, "shuffle"),
        ("tf.random", 2, "multinomial"),
        ("tf.random", 3, "categorical poisson"),
        ("tf.random", 4, "gamma normal truncated_normal uniform"),
    )
    for name in words.split()
}
"""Where TF 1.15 takes the seed of what draws random numbers, among its positional arguments."""

RANDOM = SEEDS.keys() | {"tf.nn.nce_loss"}
"""Each run draws anew; two reads of one such tensor in a run see the same numbers."""

_DTYPES = """
    bfloat16 bool complex128 complex64 double float16 float32 float64 half int16 int32 int64 int8 string uint16 uint32
    uint64 uint8
"""
DTYPES = frozenset(f"tf.{name}" for name in _DTYPES.split())

_ALIASES = """
batch_to_space_nd bitcast broadcast_to cast contrib.layers.dropout contrib.layers.flatten contrib.slim.dropout
contrib.slim.flatten dtypes.cast conj convert_to_tensor einsum expand_dims identity identity_n image.central_crop
image.convert_image_dtype image.crop_to_bounding_box image.pad_to_bounding_box image.resize image.resize_images
image.resize_image_with_crop_or_pad image.rot90 image.transpose_image layers.dropout layers.flatten linalg.adjoint
linalg.band_part linalg.einsum linalg.matrix_transpose linalg.transpose manip.reshape math.conj math.pow
math.real matrix_band_part matrix_transpose nn.dropout nn.moments nn.space_to_batch nn.weighted_moments pad pow real
repeat reshape reverse reverse_v2 saturate_cast slice space_to_batch space_to_batch_nd split squeeze stop_gradient
strided_slice tile to_bfloat16 to_complex64 to_double to_float to_int32 to_int64 transpose unstack
"""
_REDUCING = "all any max mean min prod sum"
ALIASES = frozenset(f"tf.{name}" for name in _ALIASES.split()) | {
    f"{prefix}.reduce_{name}" for prefix in ("tf", "tf.math") for name in _REDUCING.split()
}
"""Their result may share the memory of a TF1 variable: fetched beside its update, it reads the new value.

Some do so where they have nothing to do: a power of 1, a dimension of one that is reduced.
"""

JOINED = frozenset({"tf.accumulate_n", "tf.add_n", "tf.concat", "tf.parallel_stack", "tf.stack"})
"""The same for those of one tensor only: of several they compute anew."""

GRAPH_SEEDS = drawing.SEEDS
"""What gives the random operations of a whole graph their seed."""
ASSIGNMENTS = {"tf.assign": "assign", "tf.assign_add": "assign_add", "tf.assign_sub": "assign_sub"}
"""Functions that update a variable, and the method that does the same."""

_OPTIMIZERS = """
    AdadeltaOptimizer AdagradOptimizer AdamOptimizer FtrlOptimizer GradientDescentOptimizer MomentumOptimizer
    RMSPropOptimizer ProximalGradientDescentOptimizer ProximalAdagradOptimizer
"""
OPTIMIZERS = frozenset(f"tf.train.{name}" for name in _OPTIMIZERS.split())

CONTRIB = ("tf.contrib.layers.", "tf.contrib.slim.")
"""Where the layers of `tf.contrib` are: slim gives the same functions once more."""


def _and_slim(symbols: frozenset[str]) -> frozenset[str]:
    layers, slim = CONTRIB
    return symbols | {symbol.replace(layers, slim) for symbol in symbols}


_HARMLESS = """
    tf.set_random_seed tf.logging.set_verbosity tf.logging.info tf.logging.warn tf.logging.error tf.logging.debug
    tf.random.set_random_seed tf.gfile.Exists tf.gfile.MakeDirs tf.gfile.DeleteRecursively tf.gfile.ListDirectory
    tf.gfile.IsDirectory tf.compat.as_bytes tf.compat.as_text tf.compat.as_str
    tf.train.summary_iterator tf.train.latest_checkpoint tf.train.get_checkpoint_state tf.train.checkpoint_exists
    tf.train.list_variables tf.train.load_variable tf.train.load_checkpoint tf.train.NewCheckpointReader
    tf.contrib.learn.preprocessing.VocabularyProcessor tf.contrib.learn.preprocessing.CategoricalVocabulary
    tf.gfile.MkDir tf.gfile.Remove tf.gfile.Glob tf.test.is_gpu_available tf.test.gpu_device_name
    tf.io.write_graph tf.train.write_graph
    tf.test.is_built_with_cuda tf.test.main tf.test.get_temp_dir tf.FixedLenFeature tf.io.FixedLenFeature
    tensorflow.python.client.device_lib.list_local_devices tf.python_io.TFRecordWriter tf.io.TFRecordWriter
    tf.train.BytesList tf.train.Example tf.train.Feature tf.train.FeatureList tf.train.FeatureLists tf.train.Features
    tf.train.FloatList tf.train.Int64List tf.train.SequenceExample tf.Summary tf.Summary.Value tf.TensorShape
    tf.disable_v2_behavior tf.disable_eager_execution tf.disable_v2_tensorshape tf.disable_tensor_equality
    tf.disable_control_flow_v2
"""
HARMLESS = frozenset(_HARMLESS.split())
"""Calls that build nothing and whose place in the program stays the same."""
HARMLESS_PREFIXES = ("tensorflow.examples.tutorials.mnist", "tf.examples.tutorials.mnist")

_LAYERS = """
tf.layers.average_pooling1d tf.layers.average_pooling2d tf.layers.average_pooling3d tf.layers.conv1d tf.layers.conv2d
tf.layers.conv2d_transpose tf.layers.conv3d tf.layers.dense tf.layers.flatten tf.layers.max_pooling1d
tf.layers.max_pooling2d tf.layers.max_pooling3d tf.layers.separable_conv2d tf.contrib.layers.avg_pool2d
tf.contrib.layers.conv2d tf.contrib.layers.conv2d_transpose tf.contrib.layers.convolution2d
tf.contrib.layers.convolution2d_transpose tf.contrib.layers.flatten tf.contrib.layers.fully_connected
tf.contrib.layers.linear tf.contrib.layers.max_pool2d tf.contrib.layers.relu tf.nn.dynamic_rnn tf.nn.static_rnn
tf.nn.bidirectional_dynamic_rnn tf.nn.static_bidirectional_rnn tf.contrib.rnn.static_rnn
tf.contrib.rnn.static_bidirectional_rnn
"""
BATCH_NORM = frozenset(f"{prefix}batch_norm" for prefix in CONTRIB)
AVERAGING = BATCH_NORM | {"tf.layers.batch_normalization"}
"""Layers that keep moving averages, the updates of which they put into a collection, or make in place."""
LAYERS = _and_slim(frozenset(_LAYERS.split())) | AVERAGING
"""Calls that may create variables in the graph's store, under names that depend on the order of the calls."""

_WITHOUT_VARIABLES = """
tf.layers.average_pooling1d tf.layers.average_pooling2d tf.layers.average_pooling3d tf.layers.dropout tf.layers.flatten
tf.layers.max_pooling1d tf.layers.max_pooling2d tf.layers.max_pooling3d tf.contrib.layers.avg_pool2d
tf.contrib.layers.dropout tf.contrib.layers.flatten tf.contrib.layers.max_pool2d
"""
WITHOUT_VARIABLES = _and_slim(frozenset(_WITHOUT_VARIABLES.split()))
"""Layers that no variable is made for, so that nothing depends on the order of their calls."""

RANDOM_LAYERS = _and_slim(frozenset({"tf.layers.dropout", "tf.contrib.layers.dropout"}))

LAYER_SEEDS = {
    "tf.contrib.layers.dropout": 6,
    "tf.contrib.rnn.DropoutWrapper": 7,
    "tf.contrib.slim.dropout": 6,
    "tf.layers.dropout": 3,
    "tf.nn.rnn_cell.DropoutWrapper": 7,
}
"""The same for layers and cells."""

_CELLS = "BasicLSTMCell BasicRNNCell DropoutWrapper GRUCell LSTMCell MultiRNNCell RNNCell ResidualWrapper"
KERAS_CELLS = frozenset({"tf.keras.layers.SimpleRNNCell"})
"""Cells that TF 1.15 named by how many of them the graph had; `dynamic_rnn` unrolls them."""
CELLS = KERAS_CELLS | {f"{prefix}.{name}" for prefix in ("tf.nn.rnn_cell", "tf.contrib.rnn") for name in _CELLS.split()}
"""Objects whose calls create variables in the store."""

REGULARIZERS = _and_slim(frozenset(f"tf.contrib.layers.{name}_regularizer" for name in ("l1", "l1_l2", "l2", "sum")))
"""Functions that make what layers call for each variable that they make."""

_LOSSES = """
absolute_difference cosine_distance hinge_loss huber_loss log_loss mean_pairwise_squared_error mean_squared_error
sigmoid_cross_entropy softmax_cross_entropy sparse_softmax_cross_entropy
"""
COLLECTED = frozenset(f"tf.losses.{name}" for name in _LOSSES.split())
"""Operations that also put their result into a collection, which nothing the native tier understands reads."""
PURE |= COLLECTED | {"tf.contrib.seq2seq.sequence_loss", "tf.summary.merge"}
