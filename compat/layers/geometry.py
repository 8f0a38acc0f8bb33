"""Sizes, paddings and data formats of convolutions and pooling."""

from __future__ import annotations

from typing import Any


def as_tuple(value: Any, length: int, name: str) -> tuple[int, ...]:
    """A tuple of ``length`` ints out of one int or as many.

    Raises:
        ValueError: another length, or something else than ints.
    """
    if isinstance(value, int):
        return (value,) * length
    problem = f"The `{name}` argument must be a tuple of {length} integers. Received: {value}"
    try:
        values = tuple(value)
    except TypeError:
        raise ValueError(problem) from None
    if len(values) != length:
        raise ValueError(problem)
    try:
        return tuple(int(each) for each in values)
    except (TypeError, ValueError):
        raise ValueError(problem) from None


def normalized_data_format(value: str | None) -> str:
    """``channels_last`` (also for None) or ``channels_first``.

    Raises:
        ValueError: another one.
    """
    data_format = "channels_last" if value is None else value.lower()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError(
            f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {value}'
        )
    return data_format


def normalized_padding(value: Any) -> Any:
    """``valid``, ``same`` or ``causal``; explicit paddings are left alone.

    Raises:
        ValueError: another one.
    """
    if isinstance(value, list | tuple):
        return value
    padding = value.lower()
    if padding not in {"valid", "same", "causal"}:
        raise ValueError(
            f'The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", only for `Conv1D`). '
            f"Received: {padding}"
        )
    return padding


def kernel_format(data_format: str, rank: int) -> str:
    """TensorFlow's name of a data format, for inputs with ``rank`` spatial axes: ``NHWC``, ``NCW``, …"""
    spatial = {1: "W", 2: "HW", 3: "DHW"}[rank]
    return f"N{spatial}C" if data_format == "channels_last" else f"NC{spatial}"


def deconvolved_length(
    length: Any, size: int, padding: str, output_padding: int | None, stride: int, dilation: int = 1
) -> Any:
    """Length of an axis after a transposed convolution; None for an unknown one, a tensor for a tensor."""
    if length is None:
        return None
    size = size + (size - 1) * (dilation - 1)
    if output_padding is None:
        return length * stride + max(size - stride, 0) if padding == "valid" else length * stride
    pad = size // 2 if padding == "same" else 0
    return (length - 1) * stride + size - 2 * pad + output_padding
