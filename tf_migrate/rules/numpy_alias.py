"""NumPy 1.24 took away its names of Python's own types (`np.float`), and NumPy 2 its second names (`np.NaN`,
`np.product`) and `newshape=`. TensorFlow 2.16 and later need NumPy 1.26 at least, where a program of TensorFlow 1's
time would end at the first of them. Each becomes what it stood for, in modules without TensorFlow too; what has no
exact successor is told. The functions that `np.lib` gave as well are `np`'s own, `np.asscalar(a)` is `a.item()`,
`a.tostring()` is `a.tobytes()`, `np.asfarray(a)` is `np.asarray(a, dtype=float)`. (Rows that differ in shape make no
array any more: that is TFM150's.)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.imports import dotted, is_foreign_method
from tf_migrate.rules import Change, Context, Rule

_TYPES = {"bool": "bool", "int": "int", "float": "float", "complex": "complex", "object": "object", "str": "str"} | {
    "long": "int",
    "unicode": "str",
}
_SECOND_NAMES = {
    **dict.fromkeys(("NaN", "NAN"), "nan"),
    **dict.fromkeys(("Inf", "Infinity", "infty", "PINF"), "inf"),
    **dict.fromkeys(("unicode_", "str0"), "str_"),
    **dict.fromkeys(("string_", "bytes0"), "bytes_"),
    **dict.fromkeys(("complex_", "cfloat"), "complex128"),
    "float_": "float64",
    "singlecomplex": "complex64",
    "longfloat": "longdouble",
    **dict.fromkeys(("clongfloat", "longcomplex"), "clongdouble"),
    "void0": "void",
    "int0": "intp",
    "uint0": "uintp",
    "typeDict": "sctypeDict",
    **{
        name: f"exceptions.{name}"
        for name in ("AxisError", "ComplexWarning", "RankWarning", "TooHardError", "VisibleDeprecationWarning")
    },
    "bool8": "bool_",
    "object0": "object_",
    "product": "prod",
    "cumproduct": "cumprod",
    "sometrue": "any",
    "alltrue": "all",
    "round_": "round",
    "row_stack": "vstack",
    "mat": "asmatrix",
    "rank": "ndim",
}
_GONE = {
    "in1d": "use `np.isin`, whose result has the shape of its first argument",
    "trapz": "use `np.trapezoid` (NumPy 2) or `scipy.integrate.trapezoid`",
    "msort": "use `np.sort(a, axis=0)`",
    "NINF": "write `-np.inf`",
    "alen": "use `len`",
    **dict.fromkeys(("NZERO", "PZERO"), "write `-0.0` or `0.0`"),
    "cast": "use `np.asarray(a, dtype)`",
    "compat": "write for Python 3 alone",
    "disp": "use `print`",
    "fastCopyAndTranspose": "use `a.T.copy()`",
    "find_common_type": "use `np.result_type` or `np.promote_types`",
    **dict.fromkeys(("issctype", "issubclass_", "issubsctype", "obj2sctype"), "use `np.issubdtype` or `issubclass`"),
    **dict.fromkeys(("maximum_sctype", "sctypes", "nbytes"), "name the types themselves"),
    "loads": "use `pickle.loads`",
    **dict.fromkeys(("mafromtxt", "ndfromtxt", "recfromcsv", "recfromtxt"), "use `np.genfromtxt`"),
    "math": "import `math` and use that",
    "safe_eval": "use `ast.literal_eval`",
    "set_string_function": "use `np.set_printoptions`",
    **dict.fromkeys(
        ("fv", "ipmt", "irr", "mirr", "nper", "npv", "pmt", "ppmt", "pv", "rate"), "use the package numpy-financial"
    ),
    **dict.fromkeys(("deprecate", "lookfor", "set_numeric_ops", "source", "who"), "leave it out"),
}
_ALONE = {
    "asscalar": "give `lambda a: a.item()` in its place",
    "asfarray": "give `lambda a: np.asarray(a, dtype=float)` in its place",
}
"""What has a successor where it is called, and a step where it is only named."""
_PERCENTILES = ("percentile", "quantile", "nanpercentile", "nanquantile")
_METHODS = {
    "itemset": "assign to the element: `a[i] = value`",
    "ptp": "use `np.ptp(a)`",
}
"""What arrays themselves lost, and nothing else of Python has."""
# What `numpy.lib` of NumPy 1.18 had beside `numpy`, and NumPy 2 has in `numpy` alone.
_NAMES_OF_LIB = """
angle append apply_along_axis apply_over_axes array_split asarray_chkfinite average bartlett bincount blackman
broadcast_arrays broadcast_to column_stack common_type copy corrcoef cov delete diag diag_indices
diag_indices_from diagflat diff digitize dsplit dstack ediff1d expand_dims extract eye fill_diagonal fix flip
fliplr flipud fromregex genfromtxt get_include gradient hamming hanning histogram histogram2d
histogram_bin_edges histogramdd hsplit i0 imag info insert interp intersect1d iscomplex iscomplexobj isin
isneginf isposinf isreal isrealobj issubdtype iterable ix_ kaiser kron load loadtxt mask_indices median meshgrid
mintypecode nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile
nanprod nanquantile nanstd nansum nanvar ndenumerate ndindex packbits pad percentile piecewise place poly poly1d
polyadd polyder polydiv polyfit polyint polymul polysub polyval put_along_axis quantile ravel_multi_index real
real_if_close roots rot90 save savetxt savez savez_compressed select setdiff1d setxor1d sinc sort_complex split
take_along_axis tile tri tril tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from
typename union1d unique unpackbits unravel_index unwrap vander vectorize vsplit
"""
_OF_LIB = frozenset(_NAMES_OF_LIB.split())


def find(context: Context) -> Iterator[Change]:
    """Looks at every attribute of NumPy that has one of the names, and at the calls of two functions."""
    for name in (*_TYPES, *_SECOND_NAMES, *_GONE):
        for node in context.module.attributes.get(name, ()):
            if isinstance(node.ctx, ast.Load) and _is(context, node, name) and not context.module.is_skipped(node):
                yield _changed(context, node, name)
    for node in context.module.attributes.get("lib", ()):
        around = context.module.parents[node]
        if isinstance(around, ast.Attribute) and around.attr in _OF_LIB and _is(context, node, "lib"):
            yield from _of_lib(context, node, around)
    for name, step in _ALONE.items():
        for node in context.module.attributes.get(name, ()):
            called = context.module.parents[node]
            alone = not isinstance(called, ast.Call) or called.func is not node
            if alone and _is(context, node, name) and not context.module.is_skipped(node):
                yield context.manual(node, "TFM126", f"NumPy has no `{name}` any more", step, f"numpy.{name}")
    for name, step in _METHODS.items():
        for node in context.module.attributes.get(name, ()):
            if is_foreign_method(context.module, context.names, node) and not context.module.is_skipped(node):
                yield context.manual(node, "TFM126", f"arrays of NumPy 2 have no `{name}`", step)
    for node in context.module.attributes.get("tostring", ()):
        call = context.module.parents[node]
        plain = isinstance(call, ast.Call) and not call.args and {each.arg for each in call.keywords} <= {"order"}
        if plain and is_foreign_method(context.module, context.names, node) and not context.module.is_skipped(node):
            end = context.module.source.end(node)
            finding = context.finding(node, "TFM126", "`tostring()` of an array was `tobytes()`, which alone is left")
            yield Change(finding, (Edit(end - len("tostring"), end, "tobytes"),))
    for call in context.module.calls:
        if not context.module.is_skipped(call):
            yield from _called(context, call)


def _is(context: Context, node: ast.expr, name: str) -> bool:
    return dotted(context.module, context.names, node) == f"numpy.{name}"


def _changed(context: Context, node: ast.Attribute, name: str) -> Change:
    symbol, source = f"numpy.{name}", context.module.source
    if name in _GONE:
        return context.manual(node, "TFM126", f"NumPy has no `{name}` any more", _GONE[name], symbol)
    if name in _SECOND_NAMES:
        edit = Edit(source.end(node) - len(name), source.end(node), _SECOND_NAMES[name])
        instead = f"np.{_SECOND_NAMES[name]}"
    else:
        instead = _TYPES[name]
        if context.names.is_bound(instead):
            step = f"use Python's own `{instead}`, which the module has another meaning for"
            return context.manual(node, "TFM126", f"NumPy has no `{name}` any more", step, symbol)
        edit = Edit(*source.span(node), instead)
    return Change(context.finding(node, "TFM126", f"`np.{name}` stood for `{instead}`", symbol=symbol), (edit,))


def _called(context: Context, call: ast.Call) -> Iterator[Change]:
    keywords = [keyword.arg for keyword in call.keywords]
    if "newshape" in keywords and _is(context, call.func, "reshape"):
        yield _reshaped(context, call)
    elif _is(context, call.func, "asscalar"):
        yield _scalar(context, call)
    elif _is(context, call.func, "asfarray"):
        yield _floats(context, call)
    elif "interpolation" in keywords and any(_is(context, call.func, name) for name in _PERCENTILES):
        word = call.keywords[keywords.index("interpolation")]
        start = context.module.source.start(word)
        edit = Edit(start, start + len("interpolation"), "method")
        yield Change(context.finding(call, "TFM126", "`interpolation` of percentiles is `method`"), (edit,))
    elif "sep" not in keywords and len(call.args) < 4 and _is(context, call.func, "fromstring"):
        step = "use `np.frombuffer`, which takes bytes; its result cannot be written to"
        yield context.manual(call, "TFM126", "`np.fromstring` takes text alone in NumPy 2.3", step)


def _reshaped(context: Context, call: ast.Call) -> Change:
    first, source = call.keywords[0], context.module.source
    if first.arg != "newshape" or len(call.args) != 1 or isinstance(call.args[0], ast.Starred):
        step = "give the shape as the second argument"
        return context.manual(call, "TFM126", "`np.reshape` has no `newshape` any more", step)
    edit = Edit(source.start(first), source.start(first.value), "")
    return Change(context.finding(call, "TFM126", "`np.reshape` takes the shape by its place"), (edit,))


def _of_lib(context: Context, lib: ast.Attribute, node: ast.Attribute) -> Iterator[Change]:
    if not context.module.is_skipped(node):
        edit = Edit(context.module.source.end(lib.value), context.module.source.end(lib), "")
        message = f"`np.lib.{node.attr}` is `np.{node.attr}`"
        yield Change(context.finding(node, "TFM126", message, symbol=f"numpy.lib.{node.attr}"), (edit,))


def _floats(context: Context, call: ast.Call) -> Change:
    """`np.asfarray(a)` as `np.asarray(a, dtype=float)`: what is no floating type was float64 there."""
    source, symbol = context.module.source, "numpy.asfarray"
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred) or context.names.is_bound("float"):
        step = "use `np.asarray` with a floating dtype"
        return context.manual(call, "TFM126", "NumPy has no `asfarray` any more", step, symbol)
    end, array = source.end(call.func), source.end(call.args[0])
    edits = Edit(end - len("asfarray"), end, "asarray"), Edit(array, array, ", dtype=float")
    return Change(context.finding(call, "TFM126", "`np.asfarray(a)` made floats", symbol=symbol), edits)


def _scalar(context: Context, call: ast.Call) -> Change:
    """`np.asscalar(a)` as `a.item()`, which is all that it did."""
    source, symbol = context.module.source, "numpy.asscalar"
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        return context.manual(call, "TFM126", "NumPy has no `asscalar` any more", "call `.item()` of the array", symbol)
    array = call.args[0]
    plain = isinstance(array, ast.Attribute | ast.Call | ast.Name | ast.Subscript) and "\n" not in source.segment(array)
    before, after = ("", ".item()") if plain else ("(", ").item()")
    edits = (
        Edit(source.start(call), source.start(array), before),
        Edit(source.end(array), source.end(call), after, line=True),
    )
    return Change(context.finding(call, "TFM126", "`np.asscalar(a)` was `a.item()`", symbol=symbol), edits)


RULE = Rule(
    id="TFM126",
    name="numpy-alias",
    before="""\
import numpy as np
import tensorflow as tf

def mask(sizes):
    found = np.zeros(sizes, np.bool)
    return np.reshape(found, newshape=[-1]) if np.product(sizes) < np.Inf else tf.constant(found)
""",
    after="""\
import numpy as np
import tensorflow as tf

def mask(sizes):
    found = np.zeros(sizes, bool)
    return np.reshape(found, [-1]) if np.prod(sizes) < np.inf else tf.constant(found)
""",
    find=find,
)
