"""Turned, shifted, sheared and zoomed images as TF 1.15's Keras made them.

`tf_keras` takes the matrix of a transformation for one of columns and rows, TF 1.15 for one of rows and columns: with
the same numbers an image turns the other way, about another point.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from tf_keras.src.preprocessing import image

__all__ = ["IMAGE", "install"]


def apply_affine_transform(
    x: Any,
    theta: float = 0,
    tx: float = 0,
    ty: float = 0,
    shear: float = 0,
    zx: float = 1,
    zy: float = 1,
    row_axis: int = 0,
    col_axis: int = 1,
    channel_axis: int = 2,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    order: int = 1,
) -> Any:
    """The image `x` turned by `theta` degrees, shifted by `tx` rows and `ty` columns, sheared and zoomed.

    Example:
      >>> apply_affine_transform(np.array([[[1.0], [2.0]], [[3.0], [4.0]]]), tx=1)[..., 0].tolist()
      [[3.0, 4.0], [3.0, 4.0]]
    """
    turn, lean = np.deg2rad(theta), np.deg2rad(shear)
    steps = (
        (theta != 0, [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]),
        (tx != 0 or ty != 0, [[1, 0, tx], [0, 1, ty], [0, 0, 1]]),
        (shear != 0, [[1, -np.sin(lean), 0], [0, np.cos(lean), 0], [0, 0, 1]]),
        (zx != 1 or zy != 1, [[zx, 0, 0], [0, zy, 0], [0, 0, 1]]),
    )
    wanted = [np.array(matrix) for changes, matrix in steps if changes]
    if not wanted:
        return x
    matrix = wanted[0]
    for step in wanted[1:]:
        matrix = np.dot(matrix, step)
    matrix = _about_center(matrix, x.shape[row_axis], x.shape[col_axis])
    transform = importlib.import_module("scipy.ndimage").affine_transform
    channels = [
        transform(channel, matrix[:2, :2], matrix[:2, 2], order=order, mode=fill_mode, cval=cval)
        for channel in np.rollaxis(x, channel_axis, 0)
    ]
    return np.rollaxis(np.stack(channels, axis=0), 0, channel_axis + 1)


def _about_center(matrix: Any, rows: int, columns: int) -> Any:
    """The matrix about the point that TF 1.15 took for an image's center."""
    row, column = rows / 2 + 0.5, columns / 2 + 0.5
    there, back = [[1, 0, row], [0, 1, column], [0, 0, 1]], [[1, 0, -row], [0, 1, -column], [0, 0, 1]]
    return np.dot(np.dot(there, matrix), back)


IMAGE = {"apply_affine_transform": apply_affine_transform}
"""Functions that are other ones here, by name."""


def install() -> None:
    """Has generators of images use it too."""
    image.apply_affine_transform = apply_affine_transform
