"""How far float16 results may lie from TF 1.15.5's."""

from __future__ import annotations

import numpy as np

# Measured over layers, cells, decoders and optimizers: at most 2.14 (Adadelta's squares), mostly below 1.
FACTOR = 2.5


def bound(half: np.ndarray, wide: np.ndarray | None) -> float:
    """The absolute bound for an array: some of what float16 cost TF 1.15.5 itself.

    That is the largest distance of its float16 result from its float64 one, where it had a kernel for float64, and one
    rounding of the array's largest number.
    """
    values = np.asarray(half, np.float64)
    finite = np.isfinite(values)
    if not finite.any():
        return 0.0
    own = 0.0 if wide is None else float(np.abs(values - np.asarray(wide, np.float64))[finite].max())
    return FACTOR * (own + 2.0**-10 * float(np.abs(values[finite]).max()))
