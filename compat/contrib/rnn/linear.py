"""The affine map inside old-style cells: `concat(args) kernel + bias`, variables in the current scope."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import BIAS, KERNEL
from ...variables import current_scope, get_variable, variable_scope


class Linear:
    """Makes the variables for arguments like those given, and maps arguments of that kind.

    Args:
      args: a tensor `[batch, n]`, or a list of them, of known depth.
      output_size: number of columns of the result.
      build_bias: whether a bias is added.
      bias_initializer: zeros by default.
      kernel_initializer: the scope's by default.

    Raises:
      ValueError: no arguments, or one that has not two dimensions or an unknown depth.
    """

    def __init__(
        self,
        args: Any,
        output_size: int,
        build_bias: bool,
        bias_initializer: Any = None,
        kernel_initializer: Any = None,
    ) -> None:
        tensors = _as_list(args)
        rows = sum(_depth(tensor, tensors) for tensor in tensors)
        dtype = tensors[0].dtype
        self._bias = None
        with variable_scope(current_scope()) as outer:
            self._kernel = get_variable(KERNEL, [rows, output_size], dtype=dtype, initializer=kernel_initializer)
            if build_bias:
                with variable_scope(outer) as inner:
                    inner.set_partitioner(None)
                    self._bias = get_variable(
                        BIAS,
                        [output_size],
                        dtype=dtype,
                        initializer=bias_initializer or tf.zeros_initializer(),
                    )

    def __call__(self, args: Any) -> tf.Tensor:
        tensors = _as_list(args)
        joined = tensors[0] if len(tensors) == 1 else tf.concat(tensors, 1)
        product = tf.matmul(joined, self._kernel)
        return product if self._bias is None else tf.nn.bias_add(product, self._bias)


def linear(
    args: Any,
    output_size: int,
    bias: bool,
    bias_initializer: Any = None,
    kernel_initializer: Any = None,
) -> tf.Tensor:
    """The affine map of `args`; variables as `Linear` makes them."""
    return Linear(args, output_size, bias, bias_initializer, kernel_initializer)(args)


def _as_list(args: Any) -> list[Any]:
    if args is None or (tf.nest.is_nested(args) and not args):
        raise ValueError("`args` must be specified")
    return list(args) if tf.nest.is_nested(args) else [args]


def _depth(tensor: Any, tensors: list[Any]) -> int:
    shapes = [str(each.shape) for each in tensors]
    if tensor.shape.rank != 2:
        raise ValueError(f"linear is expecting 2D arguments: {shapes}")
    if tensor.shape[1] is None:
        raise ValueError(f"linear expects shape[1] to be provided for shape {tensor.shape}, but saw None")
    return int(tensor.shape[1])
