"""What NumPy's functions and methods give, by the kinds of what they are given."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping

from tf_migrate.numpy1.kinds import DTYPES, FLOAT, INT, UNKNOWN, Kind, as_float, is_float, promoted

Kinds = frozenset[Kind]

PAIRS: Mapping[str, ast.operator | None] = {
    **dict.fromkeys(("maximum", "minimum", "fmax", "fmin", "fmod", "remainder", "mod", "arctan2", "hypot")),
    "add": ast.Add(),
    "subtract": ast.Sub(),
    "multiply": ast.Mult(),
    "divide": ast.Div(),
    "true_divide": ast.Div(),
    "power": ast.Pow(),
    "floor_divide": ast.FloorDiv(),
}
"""Functions of two numbers, and the operators that they are."""

_OF_FLOATS = frozenset(
    {
        *("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin"),
        *("arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "floor", "ceil", "trunc"),
        *("rint", "fabs", "deg2rad", "rad2deg", "radians", "degrees", "sinc"),
    }
)
_OF_THE_SAME = frozenset(
    {"abs", "absolute", "square", "negative", "positive", "sign", "round", "around", "round_", "nan_to_num", "real"}
)
_MEANS = frozenset({"mean", "std", "var", "nanmean", "nanstd", "nanvar", "average", "median"})
_SUMS = frozenset({"sum", "prod", "nansum", "nanprod", "product"})
_EXTREMES = frozenset({"max", "min", "amax", "amin", "nanmax", "nanmin", "ptp"})
_REDUCING = _MEANS | _SUMS | _EXTREMES
_MAKING = {"zeros": 1, "ones": 1, "empty": 1, "eye": 3, "identity": 1}
"""Functions that make arrays of a shape, and the position of the type."""
_LIKE = {"zeros_like": 1, "ones_like": 1, "empty_like": 1, "full_like": 2}
_ARRAYS = {"array": 1, "asarray": 1, "asanyarray": 1, "ascontiguousarray": 1}
_KEEPING = frozenset(
    {
        *("transpose", "flip", "fliplr", "flipud", "rot90", "roll", "sort", "cumsum", "cumprod", "copy", "tril"),
        *("triu", "diff", "expand_dims", "ravel", "repeat", "tile", "pad", "diag", "swapaxes", "broadcast_to"),
    }
)
"""Functions that give an array of the type that they are given."""
_METHODS_KEEPING = frozenset({"copy", "transpose", "flatten", "ravel", "repeat", "cumsum", "view", "T"})
_DRAWN = {
    **dict.fromkeys(("uniform", "normal", "laplace", "logistic", "gumbel", "beta", "gamma", "lognormal"), 2),
    **dict.fromkeys(("exponential", "standard_gamma", "rayleigh", "poisson"), 1),
    **dict.fromkeys(("random_sample", "random", "ranf", "sample", "standard_normal", "standard_exponential"), 0),
}
"""Functions that draw numbers, and the position of the size."""
_WHOLE = frozenset({"poisson"})
GENERATOR = Kind("other", "generator")


def dtype_of(node: ast.expr | None, dotted: str) -> str:
    """The type that an expression names: `np.float32`, `"float32"`, `float`; empty where it is not known."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        name = {"float": "float64", "int": "int64", "f": "float32", "f4": "float32", "d": "float64"}.get(
            node.value, node.value
        )
        return name if name in DTYPES else ""
    if isinstance(node, ast.Name) and node.id in ("float", "int", "bool"):
        return {"float": "float64", "int": "int64", "bool": "bool"}[node.id]
    library, _, name = dotted.rpartition(".")
    if library not in ("numpy", "tf"):
        return ""
    name = {"float": "float64", "float_": "float64", "int": "int64", "int_": "int64", "bool_": "bool"}.get(name, name)
    return {"double": "float64", "single": "float32", "half": "float16"}.get(name, name) if name else ""


def called(name: str, given: list[Kinds], dtype: str, size: bool | None) -> Kinds | None:
    """What `numpy.<name>` gives; None for a function that is not known.

    `given` has the kinds of the arguments, `dtype` what the call says of the type, empty where it says nothing and
    `?` where that is not known; `size` tells whether it says along which axis, or how many numbers; None where that
    is not known.
    """
    first = given[0] if given else frozenset({UNKNOWN})
    if name in DTYPES or name in ("float_", "int_", "bool_", "double", "single"):
        made = {"float_": "float64", "int_": "int64", "bool_": "bool", "double": "float64", "single": "float32"}
        return frozenset(_typed(kind, made.get(name, name)) for kind in first)
    if dtype == "?":
        return None
    if name in _OF_FLOATS:
        # Of what is not known it may well be a number.
        return _each(first, as_float, dtype) | ({Kind("scalar", "float64")} if UNKNOWN in first else set())
    if name in _OF_THE_SAME or name in _KEEPING:
        return _each(first, lambda kept: kept, dtype, array=name in _KEEPING)
    if name in _REDUCING:
        return _reduced(name, first, dtype, size)
    if name in _MAKING:
        return frozenset({Kind("array", dtype or "float64")})
    if name in _LIKE:
        return _each(first, lambda kept: dtype or kept, dtype)
    if name in _ARRAYS:
        return _each(first, lambda kept: kept, dtype)
    if name == "linspace":
        return frozenset({Kind("array", dtype or "float64")})
    if name == "arange":
        return _counted(given, dtype)
    if name == "full" and len(given) > 1:
        return frozenset({Kind("array", dtype)}) if dtype else _each(given[1], lambda kept: kept, "", array=True)
    if name == "linalg.norm":
        return _each(first, as_float, "", number=True) if size is False else None
    return None


def drawn(name: str, given: list[Kinds], dtype: str, size: bool | None) -> Kinds | None:
    """What a function of `numpy.random`, or of a generator, gives."""
    if name in ("rand", "randn"):
        return frozenset({Kind("array", "float64") if given else FLOAT})
    if name in ("randint", "random_integers"):
        number = dtype or "int64"
        return None if size is None or number == "?" else frozenset({Kind("array", number) if size else INT})
    if name in ("RandomState", "default_rng"):
        return frozenset({GENERATOR})
    if name not in _DRAWN or size is None or dtype:
        return None
    if size:
        return frozenset({Kind("array", "int64" if name in _WHOLE else "float64")})
    plain = all(kind.form in ("python", "scalar") for kinds in given for kind in kinds)
    return frozenset({INT if name in _WHOLE else FLOAT}) if plain else None


def size_place(name: str) -> int | None:
    """The position of the argument of a function that draws which tells how many numbers."""
    return 2 if name in ("randint", "random_integers") else _DRAWN.get(name)


def dtype_place(name: str) -> int | None:
    """The position of the argument of a function that tells the type."""
    places = {**_MAKING, **_LIKE, **_ARRAYS, "arange": 3, "linspace": 5, "full": 2}
    return places.get(name, 2 if name in ("mean", "std", "var", "sum", "prod") else None)


def method(name: str, of: Kinds, dtype: str, size: bool | None) -> Kinds | None:
    """What a method of an array or number gives; None where it is not known."""
    if name == "astype":
        return frozenset(_typed(kind, dtype) for kind in of) if dtype not in ("", "?") else None
    if name == "item":
        return frozenset(Kind("python", _of_python(kind.dtype)) if kind.dtype else UNKNOWN for kind in of)
    if name == "reshape":
        return _each(of, lambda kept: kept, "", array=True)
    if name in _METHODS_KEEPING:
        return _each(of, lambda kept: kept, dtype)
    return None if dtype == "?" or name not in _REDUCING else _reduced(name, of, dtype, size)


def _of_python(dtype: str) -> str:
    return "float64" if is_float(dtype) else "bool" if dtype == "bool" else "int64"


def _typed(kind: Kind, dtype: str) -> Kind:
    """A value as one of a type: a number stays one, a list is an array."""
    if kind.form in ("python", "scalar"):
        return Kind("scalar", dtype)
    return Kind("array", dtype, kind.deep) if kind.form in ("array", "list", "row") else UNKNOWN


def _each(
    kinds: Kinds, change: Callable[[str], str], dtype: str, *, array: bool = False, number: bool = False
) -> Kinds:
    """The kinds with another type each; arrays, or numbers, where the function makes these of all."""
    found = set()
    for kind in kinds:
        if not kind.dtype:
            found.add(kind if kind.form == "tensor" else UNKNOWN)
            continue
        is_array = array or (kind.form in ("array", "list", "row") and not number)
        found.add(Kind("array" if is_array else "scalar", dtype or change(kind.dtype), is_array and kind.deep))
    return frozenset(found)


def _reduced(name: str, kinds: Kinds, dtype: str, size: bool | None) -> Kinds:
    """What a sum, mean or maximum gives; where it is made along an axis, that may be an array or a number."""

    def change(kept: str) -> str:
        if name in _MEANS:
            return kept if is_float(kept) else "float64"
        if name in _SUMS and not is_float(kept):
            return "uint64" if kept.startswith("u") else "int64"
        return kept

    if size is False:
        return _each(kinds, change, dtype, number=True)
    numbers = _each(frozenset(kind for kind in kinds if not kind.deep), change, dtype, number=True)
    return numbers | frozenset(kind._replace(deep=False) for kind in _each(kinds, change, dtype, array=True))


def _counted(given: list[Kinds], dtype: str) -> Kinds | None:
    """What `np.arange` gives."""
    every = frozenset(kind for kinds in given for kind in kinds)
    if dtype or not every or any(kind.form not in ("python", "scalar") for kind in every):
        return frozenset({Kind("array", dtype)}) if dtype else None
    return frozenset({Kind("array", functools.reduce(promoted, (kind.dtype for kind in every), "int64"))})
