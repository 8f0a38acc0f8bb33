"""Summaries, one or many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ... import summary


def _tag(tensor: Any, name: str | None, prefix: str | None) -> str:
    tag = name or str(tensor.name).partition(":")[0]
    return f"{prefix}/{tag}" if prefix else tag


def add_histogram_summary(tensor: Any, name: str | None = None, prefix: str | None = None) -> Any:
    """A histogram. Stands for ``slim.summaries.add_histogram_summary``."""
    return summary.histogram(_tag(tensor, name, prefix), tensor)


def add_image_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Images. Stands for ``slim.summaries.add_image_summary``."""
    del print_summary
    return summary.image(_tag(tensor, name, prefix), tensor)


def add_scalar_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """A scalar, printed too when asked. Stands for ``slim.summaries.add_scalar_summary``."""
    tag = _tag(tensor, name, prefix)
    if print_summary:
        with tf.control_dependencies([tf.print(tag, tensor)]):
            tensor = tf.identity(tensor)
    return summary.scalar(tag, tensor)


def add_zero_fraction_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """The share of zeros. Stands for ``slim.summaries.add_zero_fraction_summary``."""
    tag = f"{_tag(tensor, name, prefix)}/Fraction_of_Zero_Values"
    return add_scalar_summary(tf.math.zero_fraction(tensor), tag, print_summary=print_summary)


def add_histogram_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """Histograms. Stands for ``slim.summaries.add_histogram_summaries``."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """Images. Stands for ``slim.summaries.add_image_summaries``."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_scalar_summaries(tensors: Sequence[Any], prefix: str | None = None, print_summary: bool = False) -> list[Any]:
    """Scalars. Stands for ``slim.summaries.add_scalar_summaries``."""
    return [add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors]


def add_zero_fraction_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """Shares of zeros. Stands for ``slim.summaries.add_zero_fraction_summaries``."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]
