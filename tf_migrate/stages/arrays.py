"""NumPy's functions, and methods of arrays and containers, that compute a value of what they are given.

They change nothing, and some of them give what they are given, or a part of it: who changes that changes both.
"""

from __future__ import annotations

import ast

_OF_ONE = """
    abs absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil conj conjugate cos cosh deg2rad degrees exp exp2
    expm1 fabs fix floor invert isfinite isinf isnan isneginf isposinf log log10 log1p log2 logical_not negative
    positive rad2deg radians reciprocal rint sign signbit sin sinh sqrt square tan tanh trunc
"""
_OF_TWO = """
    add all amax amin any arctan2 argmax argmin around bitwise_and bitwise_or bitwise_xor compress concatenate copysign
    divide dot dstack equal float_power floor_divide fmax fmin fmod greater greater_equal hstack hypot inner kron
    left_shift less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor matmul max maximum median min
    minimum mod multiply nanmax nanmedian nanmin not_equal outer power ptp remainder right_shift round round_ stack
    subtract true_divide vdot vstack
"""
_OF_THREE = """
    clip cumprod cumsum mean nanmean nanstd nansum nanvar percentile prod product quantile std sum take var
"""
_OF_ANY = """
    allclose append arange argsort argwhere array array_equal array_equiv array_split asarray ascontiguousarray
    atleast_1d atleast_2d atleast_3d bincount bool bool_ broadcast_arrays broadcast_to complex128 complex64 convolve
    copy corrcoef correlate count_nonzero cov cross delete diag diagflat diff digitize dtype einsum empty empty_like
    expand_dims eye finfo flatnonzero flip fliplr flipud float float16 float32 float64 full full_like gradient histogram
    identity iinfo imag in1d indices insert int int16 int32 int64 int8 interp intersect1d isclose isin isscalar ix_
    lexsort linalg.cholesky linalg.det linalg.eig linalg.eigh linalg.inv linalg.lstsq linalg.matrix_power
    linalg.matrix_rank linalg.norm linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd linspace logspace
    meshgrid moveaxis ndim nonzero ones ones_like pad polyfit polyval ravel real repeat reshape roll rollaxis rot90
    searchsorted setdiff1d shape size sort split squeeze str_ swapaxes take_along_axis tensordot tile transpose tri tril
    triu uint16 uint32 uint64 uint8 union1d unique unravel_index vander vsplit where zeros zeros_like
"""
_GIVEN = dict.fromkeys(_OF_ONE.split(), 1) | dict.fromkeys(_OF_TWO.split(), 2) | dict.fromkeys(_OF_THREE.split(), 3)
"""How many arguments stand before the one that the result is written into."""
_WITHOUT_OUTPUT = frozenset(_OF_ANY.split())
_SHARING_WORDS = """
    array_split asarray ascontiguousarray atleast_1d atleast_2d atleast_3d bool_ broadcast_arrays broadcast_to
    complex128 complex64 diag diff einsum expand_dims flip fliplr flipud float16 float32 float64 histogram imag int16
    int32 int64 int8 ix_ linalg.matrix_power moveaxis ravel real reshape rollaxis rot90 split squeeze swapaxes transpose
    uint16 uint32 uint64 uint8 vsplit
"""
_SHARING = frozenset(_SHARING_WORDS.split())
"""Functions whose result may share the memory of what they are given."""
_SEVERAL_WORDS = """
    array_split atleast_1d atleast_2d atleast_3d broadcast_arrays gradient histogram intersect1d ix_ linalg.eig
    linalg.eigh linalg.lstsq linalg.qr linalg.slogdet linalg.svd meshgrid nonzero polyfit split unique unravel_index
    vsplit where
"""
_SEVERAL = frozenset(_SEVERAL_WORDS.split())
"""Functions that give several arrays, or may."""
_UNSET = frozenset({"empty", "empty_like"})
"""Functions that give whatever is there."""
_METHODS = {
    **dict.fromkeys(("cumprod", "cumsum", "mean", "prod", "std", "sum", "var"), 2),
    **dict.fromkeys(("all", "any", "argmax", "argmin", "astype", "dot", "max", "min", "round"), 1),
}
"""Methods that give a value of its own, and how many arguments stand before what says otherwise."""
_NEW_WORDS = """
    count decode encode endswith flatten format index join lower repeat split startswith strip tolist upper
"""
_NEW_METHODS = frozenset(_NEW_WORDS.split())
_METHODS_OF_ARRAYS = frozenset({"astype", "dot", "flatten", "mean", "ravel", "reshape", "std", "transpose", "var"})
_SHARING_METHODS = frozenset({"copy", "items", "keys", "ravel", "reshape", "transpose", "values"})
_OTHERWISE = frozenset({"Generator", "RandomState", "default_rng", "seed", "set_state", "shuffle"})


def computes(name: str, call: ast.Call) -> bool:
    """Whether a call of a function of NumPy, by its name behind `numpy.`, only computes a value."""
    if any(word.arg == "copy" or getattr(word.value, "id", "") == "object" for word in call.keywords):
        return False  # `numpy.array(rows, copy=False)` may give the array itself, one of objects holds them
    if name == "clip" and len(call.args) == 2 and isinstance(call.args[1], ast.Starred) and not call.keywords:
        return True  # The lower bound and the upper one.
    return _writes_nowhere(len(call.args) if name in _WITHOUT_OUTPUT else _GIVEN.get(name, -1), call)


def repeats(name: str, call: ast.Call) -> bool:
    """Whether such a call computes the same value again, as long as what it is given stays the same."""
    return name not in _UNSET and computes(name, call)


def shares(name: str | None) -> bool:
    """Whether what a function of NumPy, by its dotted name, gives may be what it is given, or a part of it."""
    return name is not None and name.startswith("numpy.") and name.removeprefix("numpy.") in _SHARING


def gives_one(name: str) -> bool:
    """Whether what a function of NumPy, by its dotted name, gives is one array, or a number."""
    return name.startswith("numpy.") and name.removeprefix("numpy.") not in _SEVERAL


def is_method_of_arrays(method: str) -> bool:
    """Whether arrays have a method that gives one array, and lists have none of that name."""
    return method in _METHODS_OF_ARRAYS


def method_computes(name: str, call: ast.Call) -> bool:
    """Whether a call of a method, of an array or a container, only computes a value."""
    return method_makes(name, call) or method_shares(name)


def method_makes(name: str, call: ast.Call) -> bool:
    """Whether a call of a method gives a value of its own."""
    kept = any(word.arg == "copy" for word in call.keywords)  # `astype(dtype, copy=False)` may give the array itself
    return name in _NEW_METHODS or (not kept and _writes_nowhere(_METHODS.get(name, -1), call))


def method_shares(name: str) -> bool:
    """Whether a method gives parts of its object, or another one that holds them."""
    return name in _SHARING_METHODS


def draws(name: str | None) -> bool:
    """Whether a function, by its dotted name, draws random numbers of NumPy, and changes nothing else."""
    return (name or "").startswith("numpy.random.") and (name or "").rpartition(".")[2] not in _OTHERWISE


def _writes_nowhere(given: int, call: ast.Call) -> bool:
    plain = len(call.args) <= given and all(word.arg not in ("out", None) for word in call.keywords)
    return plain and not any(isinstance(item, ast.Starred) for item in call.args)
