"""Two sets of arrays side by side: how many values, how far apart, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tf_migrate.parity.scenario import Tolerance

Array = np.ndarray[Any, Any]

_MOST_GROWTH = 1000
# (relative, absolute): how far two kernels of the same operation may be apart, by the type of the values.
TOLERANCES = {"float16": (1e-3, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


@dataclass(frozen=True)
class Difference:
    """One array of the original against the migrated program's of the same name.

    Attributes:
      name: the array's name.
      values: how many values were compared.
      absolute: the largest absolute difference.
      relative: the difference there, relative to the original's value.
      ulps: the largest distance in units in the last place; None where values are not floating point.
      index: where the largest absolute difference is.
      excess: the largest difference in units of what is allowed at that place; for exact values the difference itself.
      lost: how many values are NaN in both.
      problem: why the arrays cannot be compared or do not agree; None where they agree.
    """

    name: str
    values: int = 0
    absolute: float = 0.0
    relative: float = 0.0
    ulps: float | None = None
    index: tuple[int, ...] = ()
    problem: str | None = None
    excess: float = 0.0
    lost: int = 0


def compare(
    original: Mapping[str, Array], migrated: Mapping[str, Array], rtol: float | None = None, atol: float | None = None
) -> list[Difference]:
    """Compares arrays by name, sorted by name; what one side lacks is a difference too.

    Args:
      original: the original's arrays.
      migrated: the migrated program's.
      rtol: relative tolerance; by the array's type when None.
      atol: absolute tolerance; by the array's type when None.
    """
    differences = []
    for name in sorted({*original, *migrated}):
        if name not in migrated:
            differences.append(Difference(name, problem="missing in the migrated program"))
        elif name not in original:
            differences.append(Difference(name, problem="missing in the original"))
        else:
            differences.append(compare_arrays(name, original[name], migrated[name], rtol, atol))
    return differences


def tolerance_of(dtype: np.dtype[Any], steps: int = 0) -> Tolerance:
    """What is allowed for a type, after so many steps of training.

    Training carries the difference of one step on to all that follow: bounds grow with the number of steps, up to
    a thousand times.
    """
    rtol, atol = TOLERANCES.get(dtype.name, (0.0, 0.0))
    growth = min(1 + steps, _MOST_GROWTH)
    return Tolerance(rtol * growth, atol * growth)


def compare_arrays(
    name: str, want: Array, got: Array, rtol: float | None = None, atol: float | None = None
) -> Difference:
    """Compares two arrays; a tolerance that is None is that of the original's type."""
    if want.shape != got.shape or want.dtype != got.dtype:
        problem = f"{want.dtype}{list(want.shape)} became {got.dtype}{list(got.shape)}"
        return Difference(name, problem=problem, excess=float("inf"))
    return _compare_one(name, want, got, rtol, atol)


def _compare_one(name: str, want: Array, got: Array, rtol: float | None, atol: float | None) -> Difference:
    if want.dtype.kind not in "fc":
        return _compare_exact(name, want, got)
    if not want.size:
        return Difference(name)
    default_rtol, default_atol = TOLERANCES.get(want.dtype.name, (0.0, 0.0))
    rtol = default_rtol if rtol is None else rtol
    atol = default_atol if atol is None else atol
    lost = np.isnan(want) & np.isnan(got)
    same = (want == got) | lost
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.where(same, 0.0, np.abs(got.astype(np.float64) - want.astype(np.float64)))
    distance = np.where(np.isnan(distance), np.inf, distance)
    index = tuple(int(i) for i in np.unravel_index(int(distance.argmax()), distance.shape))
    scale = float(np.abs(want[index]))
    absolute = float(distance[index])
    bound = atol + rtol * np.abs(np.where(np.isfinite(want), want, 0).astype(np.float64))
    close = distance <= bound
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = float(np.nan_to_num(distance / bound, nan=0.0, posinf=np.inf).max())
    return Difference(
        name,
        values=int(want.size),
        absolute=absolute,
        relative=absolute / scale if scale else (0.0 if not absolute else float("inf")),
        ulps=_ulps(want, got) if want.dtype.kind == "f" else None,
        index=index,
        problem=None if bool(close.all()) else f"{int((~close).sum())} of {want.size} values beyond the tolerance",
        excess=excess,
        lost=int(lost.sum()),
    )


def _compare_exact(name: str, want: Array, got: Array) -> Difference:
    unequal = np.asarray(want != got)
    wrong = int(unequal.sum())
    if not wrong:
        return Difference(name, values=int(want.size))
    index = tuple(int(i) for i in np.argwhere(unequal)[0])
    absolute = 1.0
    if want.dtype.kind in "iu":
        absolute = float(np.abs(want.astype(np.float64) - got.astype(np.float64)).max())
    problem = f"{wrong} of {want.size} values are not equal"
    return Difference(name, int(want.size), absolute, float("inf"), None, index, problem, absolute)


def _ulps(want: Array, got: Array) -> float:
    """The largest number of representable values between the two arrays' elements."""
    integer = {2: np.int16, 4: np.int32, 8: np.int64}.get(want.dtype.itemsize)
    finite = np.isfinite(want) & np.isfinite(got)
    if integer is None or not finite.any():
        return 0.0

    def ordered(array: Array) -> Array:
        bits = np.ascontiguousarray(array[finite]).view(integer).astype(np.float64)
        return np.asarray(np.where(bits < 0, -(2.0 ** (8 * want.dtype.itemsize - 1)) - bits, bits))

    return float(np.abs(ordered(want) - ordered(got)).max())
