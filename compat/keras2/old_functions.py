"""Losses and functions of the backend of stand-alone Keras 2.2, where TF 1.15's own Keras computed other ones."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from tf_keras.src import backend, losses, metrics

from .changed_functions import decoded_paths
from .ranks import OUTER_BATCH_DOT

__all__ = ["BACKEND", "LOSSES", "METRICS", "accept"]


def hinge(y_true: Any, y_pred: Any) -> tf.Tensor:
    """max(1 - y_true * y_pred, 0); labels of 0 are not turned into -1."""
    return tf.reduce_mean(tf.maximum(1.0 - y_true * y_pred, 0.0), axis=-1)


def squared_hinge(y_true: Any, y_pred: Any) -> tf.Tensor:
    """The square of max(1 - y_true * y_pred, 0); labels of 0 are not turned into -1."""
    return tf.reduce_mean(tf.square(tf.maximum(1.0 - y_true * y_pred, 0.0)), axis=-1)


def cosine_proximity(y_true: Any, y_pred: Any) -> tf.Tensor:
    """The cosine of labels and predictions, turned in its sign."""
    return -tf.reduce_sum(tf.nn.l2_normalize(y_true, axis=-1) * tf.nn.l2_normalize(y_pred, axis=-1), axis=-1)


def binary_accuracy(y_true: Any, y_pred: Any) -> tf.Tensor:
    """The share of predictions that are the label once they are rounded."""
    return tf.reduce_mean(tf.cast(tf.equal(y_true, tf.round(y_pred)), backend.floatx()), axis=-1)


def categorical_accuracy(y_true: Any, y_pred: Any) -> tf.Tensor:
    """Whether the likeliest class is the label's."""
    return tf.cast(tf.equal(tf.argmax(y_true, axis=-1), tf.argmax(y_pred, axis=-1)), backend.floatx())


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> tf.Tensor:
    """Whether the likeliest class is the label."""
    labels = tf.squeeze(y_true, -1) if y_true.shape.rank == y_pred.shape.rank else y_true
    classes = tf.cast(tf.argmax(y_pred, axis=-1), backend.floatx())
    return tf.cast(tf.equal(tf.cast(labels, backend.floatx()), classes), backend.floatx())


def _binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> tf.Tensor:
    """`K.binary_crossentropy`: probabilities are clipped and turned into logits."""
    output = tf.convert_to_tensor(output)
    if not from_logits:
        output = tf.clip_by_value(output, backend.epsilon(), 1.0 - backend.epsilon())
        output = tf.math.log(output / (1.0 - output))
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.cast(target, output.dtype), logits=output)


def _probabilities(output: Any, from_logits: bool, kind: str, name: str) -> tuple[Any, bool]:
    """The output as it is: Keras 2.2 looked for no activation behind it."""
    del kind, name
    return output, from_logits


def _resize_images(
    x: Any, height_factor: int, width_factor: int, data_format: str, interpolation: str = "nearest"
) -> tf.Tensor:
    """`K.resize_images`: pixels' corners, not their centers, are what bilinear interpolation puts on each other."""
    resize = {
        "bilinear": tf.raw_ops.ResizeBilinear,
        "nearest": tf.raw_ops.ResizeNearestNeighbor,
    }.get(interpolation)
    if resize is None:
        raise ValueError("interpolation should be one of `nearest` or `bilinear`.")
    first = data_format == "channels_first"
    image = tf.transpose(x, [0, 2, 3, 1]) if first else x
    factors = (height_factor, width_factor)
    static = [None if size is None else size * by for size, by in zip(image.shape[1:3], factors, strict=True)]
    image = resize(images=image, size=tf.shape(image)[1:3] * tf.constant(factors))
    image.set_shape([None, *static, None])
    return tf.transpose(image, [0, 3, 1, 2]) if first else image


def _ctc_decode(
    y_pred: Any,
    input_length: Any,
    greedy: bool = True,
    beam_width: int = 100,
    top_paths: int = 1,
    merge_repeated: bool = False,
) -> tuple[list[tf.Tensor], tf.Tensor]:
    """`K.ctc_decode`: the likeliest path, or the best of a beam, which merges repeated labels where that is wanted."""
    return decoded_paths(y_pred, input_length, greedy, beam_width, top_paths, merge_repeated)


def _logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    """`K.logsumexp`: log(sum(exp(x))) over an axis."""
    return tf.reduce_logsumexp(x, axis, keepdims)


def _pattern_broadcast(x: Any, broadcastable: Any) -> Any:
    """`K.pattern_broadcast`, which does nothing on TensorFlow."""
    del broadcastable
    return x


def _image_dim_ordering() -> str:
    """`K.image_dim_ordering`: "tf" for images whose channels come last, "th" for others."""
    return "th" if backend.image_data_format() == "channels_first" else "tf"


def _set_image_dim_ordering(dim_ordering: str) -> None:
    """`K.set_image_dim_ordering`: "tf" or "th"."""
    if dim_ordering not in ("tf", "th"):
        raise ValueError(f"Unknown dim_ordering: {dim_ordering}")
    backend.set_image_data_format("channels_first" if dim_ordering == "th" else "channels_last")


def _arange(start: Any, stop: Any = None, step: int = 1, dtype: Any = "int32") -> tf.Tensor:
    """`K.arange`: the end may be a tensor; below zero there is nothing."""
    if stop is None:
        start, stop = 0, tf.maximum(start, 0)
    numbers = tf.range(start, stop, delta=step, name="arange")
    return numbers if dtype == "int32" else tf.cast(numbers, dtype)


def _separable_conv1d(
    x: Any,
    depthwise_kernel: Any,
    pointwise_kernel: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: Any = 1,
) -> tf.Tensor:
    """`K.separable_conv1d`: the convolution of an image that is one pixel high."""
    stride, rate = (by if isinstance(by, int) else by[0] for by in (strides, dilation_rate))
    height = 1 if (data_format or backend.image_data_format()) == "channels_last" else 2
    image = backend.separable_conv2d(
        tf.expand_dims(x, height),
        tf.expand_dims(depthwise_kernel, 0),
        tf.expand_dims(pointwise_kernel, 0),
        strides=(stride, stride),
        padding=padding,
        data_format=data_format,
        dilation_rate=(1, rate),
    )
    return tf.squeeze(image, [height])


def _tile(x: Any, n: Any) -> tf.Tensor:
    """`K.tile`: a number, or fewer than there are dimensions, are those of the last ones."""
    times = [n] if isinstance(n, int) else list(n)
    rank = backend.ndim(x)
    if len(times) > rank:
        raise NotImplementedError(f"K.tile of {rank} dimensions by {len(times)} numbers")
    return tf.tile(x, [1] * (rank - len(times)) + times)


def _eye(size: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`K.eye`: a square, or a matrix of a pair of sizes."""
    rows, columns = size if isinstance(size, (list, tuple)) else (size, size)
    return backend.variable(tf.eye(rows, columns, dtype=dtype or backend.floatx()), dtype, name)


def _identity(x: Any, name: str | None = None) -> tf.Tensor:
    """`K.identity`: a tensor with the same content."""
    return tf.identity(x, name=name)


_CHANGED = {
    "batch_dot": OUTER_BATCH_DOT,
    "binary_crossentropy": _binary_crossentropy,
    "ctc_decode": _ctc_decode,
    "resize_images": _resize_images,
}
BACKEND = {
    **_CHANGED,
    "arange": _arange,
    "conv3d_transpose": backend.conv3d_transpose,
    "eye": _eye,
    "identity": _identity,
    "image_dim_ordering": _image_dim_ordering,
    "is_tensor": tf.is_tensor,
    "logsumexp": _logsumexp,
    "pattern_broadcast": _pattern_broadcast,
    "set_image_dim_ordering": _set_image_dim_ordering,
    "separable_conv1d": _separable_conv1d,
    "slice": tf.slice,
    "tf": tf,
    "tile": _tile,
}
LOSSES = {
    "cosine": cosine_proximity,
    "cosine_proximity": cosine_proximity,
    "hinge": hinge,
    "squared_hinge": squared_hinge,
}
METRICS = {
    **LOSSES,
    "binary_accuracy": binary_accuracy,
    "categorical_accuracy": categorical_accuracy,
    "sparse_categorical_accuracy": sparse_categorical_accuracy,
}


def accept() -> None:
    """Has Keras's own layers, losses and metrics use them, from now on in this process."""
    backend._get_logits = _probabilities
    # What is to be a number may be a tensor: `K.relu(x, max_value=limit)`, `K.clip(x, low, high)`.
    backend._constant_to_tensor = backend._to_tensor
    for module, instead in ((backend, _CHANGED), (losses, LOSSES), (metrics, METRICS)):
        for name, function in instead.items():
            setattr(module, name, function)
