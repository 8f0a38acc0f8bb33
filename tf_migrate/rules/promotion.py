"""NumPy 1 let a number of its own (`np.sqrt(6.0)`, of float64) widen no array: times an array of float32 it gave
float32. NumPy 2 gives float64, which as the first value of a variable makes that a variable of float64; and where
NumPy 1 took a number of float32 or uint8 beside Python's for one of float64 or int64, NumPy 2 stays in the small type.
`float(…)` and `int(…)` make Python's numbers of NumPy's: with these NumPy 2 gives what NumPy 1 gave.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from tf_migrate.changes.edits import Edit, wrap
from tf_migrate.eager.imports import dotted
from tf_migrate.numpy1.entering import entering
from tf_migrate.numpy1.fetched import FetchedNumbers
from tf_migrate.numpy1.functions import PAIRS, Kinds
from tf_migrate.numpy1.kinds import INT, SMALL, UNKNOWN, Kind, Operator, in_numpy1, in_numpy2, is_float
from tf_migrate.numpy1.shapes import Shapes
from tf_migrate.numpy1.values import Values, operands_of
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.module import Binding

_OPERATORS = ast.Add | ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Mod | ast.Pow
_COMPARISONS = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE
_SEARCHES = ast.In | ast.NotIn
_DIVISIONS = ast.Div | ast.FloorDiv | ast.Mod | ast.Pow
_Place = ast.BinOp | ast.Compare | ast.AugAssign | ast.Call
_Pair = tuple[Kind, Kind]
_FETCHED = Kind("array", "float32")
_FETCHED_NUMBER = Kind("scalar", "float32")
_TAKING_NUMBERS = frozenset({"float", "int", "round", "print", "str", "format"})


def find(context: Context) -> Iterator[Change]:
    """Looks at every operator, and at the functions of NumPy that bring values to one type."""
    module, text = context.module, context.module.source.text
    if not context.of_tf1 or not any(word in text for word in ("numpy", ".run(", ".eval(")):
        return
    promotion = _Promotion(context)
    places = [node for node in module.nodes if isinstance(node, _Place) and promotion.is_place(node)]
    # What stands inside of another place comes first.
    for node in sorted(places, key=lambda node: module.source.end(node) - module.source.start(node)):
        if not module.is_skipped(node):
            yield from promotion.changes(node)


class _Promotion:
    """Where NumPy 2 gives another type than NumPy 1 did, and what gives that type again."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.values = Values(context.names)
        self.found: dict[ast.expr, Kinds] = {}
        """What operators give as they are written now: a number of Python's, say."""
        bound = self.module.root.bindings.items()
        self.numpy = next((word for word, kept in bound if len(kept) == 1 and _is_numpy(kept[0])), "")

    def is_place(self, node: _Place) -> bool:
        """Whether values meet here."""
        if isinstance(node, ast.BinOp | ast.AugAssign):
            return isinstance(node.op, _OPERATORS) and not (isinstance(node, ast.BinOp) and _is_text(node.left))
        if isinstance(node, ast.Compare):
            return len(node.ops) == 1 and isinstance(node.ops[0], _COMPARISONS | _SEARCHES)
        return self._is_sum(node) or bool(self._operands(node))

    def _is_sum(self, call: ast.Call) -> bool:
        """Whether Python's own `sum` adds the elements of something."""
        named = isinstance(call.func, ast.Name) and call.func.id == "sum" and not self.context.names.is_bound("sum")
        return named and len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)

    def _operands(self, call: ast.Call) -> list[ast.expr]:
        symbol = dotted(self.module, self.context.names, call.func) if isinstance(call.func, ast.Attribute) else ""
        return operands_of(call, symbol.removeprefix("numpy.")) or [] if symbol.startswith("numpy.") else []

    def changes(self, node: _Place) -> Iterator[Change]:
        """What has to be written at a place."""
        if isinstance(node, ast.BinOp):
            yield from self._changes(node, node.op, node.left, node.right)
        elif isinstance(node, ast.AugAssign):
            yield from self._changes(node, node.op, node.target, node.value)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], _SEARCHES):
            yield from self._searched(node, node.left, node.comparators[0])
        elif isinstance(node, ast.Compare):
            yield from self._changes(node, node.ops[0], node.left, node.comparators[0])
        elif self._is_sum(node):
            yield from self._summed(node)
        else:
            first, *others = self._operands(node)
            for other in others:
                yield from self._changes(node, PAIRS.get(getattr(node.func, "attr", "")), first, other)

    def _changes(self, node: _Place, operator: Operator, left: ast.expr, right: ast.expr) -> Iterator[Change]:
        kinds = self._kinds(left), self._kinds(right)
        if isinstance(node, ast.Compare):
            kinds = self._compared(left, kinds[0]), self._compared(right, kinds[1])
        elif isinstance(node, ast.BinOp):
            kinds = self._fetched(left, *kinds), self._fetched(right, *kinds[::-1])
            if _FETCHED in (*kinds[0], *kinds[1]):
                self.found[node] = frozenset({_FETCHED})
        guessed = False
        if isinstance(node, ast.BinOp | ast.AugAssign):
            numbers = self._fetched_number(left, *kinds), self._fetched_number(right, *kinds[::-1])
            guessed = numbers != kinds and UNKNOWN in (*numbers[0], *numbers[1])
            # Whatever a number of float32 meets, as one of Python's it gives what it gave in NumPy 1.
            kinds = (_as_number(numbers[0]), _as_number(numbers[1])) if guessed else numbers
        every = list(product(*kinds))
        differing = [pair for pair in every if _differs(operator, *pair)]
        if isinstance(node, ast.AugAssign):
            differing = [pair for pair in differing if not _fits_in_place(operator, *pair)]
        if isinstance(node, ast.Compare) and (_is_exact(left) or _is_exact(right)):
            differing = [pair for pair in differing if "array" in (pair[0].form, pair[1].form)]
        ways = [(right,)] if isinstance(node, ast.AugAssign) else [(right,), (left,), (left, right)]
        for chosen in ways if differing else ():
            if all(_is_mended(operator, pair, left in chosen, right in chosen) for pair in every):
                yield from self._mended(node, operator, left, chosen, every, differing[0])
                if guessed and isinstance(node, ast.BinOp):
                    self.found[node] = frozenset({UNKNOWN})
                return
        if isinstance(node, ast.AugAssign) and differing and _are_numbers(every) and self.numpy:
            yield from self._widened(node, differing[0])
            return
        if isinstance(node, ast.BinOp) and (unranked := self._unranked(node)) is not None:
            yield unranked
        elif isinstance(node, ast.BinOp | ast.AugAssign):
            yield from self._unproved(node, (left, right), differing)

    def _searched(self, node: ast.Compare, number: ast.expr, rows: ast.expr) -> Iterator[Change]:
        """`in`: one number is compared with each of Python's in a list."""
        if isinstance(rows, ast.List | ast.Tuple | ast.Set) and all(map(_is_exact, rows.elts)):
            return
        every = list(product(self._compared(number, self._kinds(number)), self.values.elements(rows)))
        differing = [pair for pair in every if _differs(ast.Eq(), *pair)]
        single = all(left.form in ("python", "scalar") and right.form == "python" for left, right in every)
        if differing and single and all(_is_mended(ast.Eq(), pair, True, False) for pair in every):
            yield from self._mended(node, ast.Eq(), number, (number,), every, differing[0])

    def _kinds(self, node: ast.expr) -> Kinds:
        return self.found.get(node) or self.values.of(node)

    def _fetched(self, node: ast.expr, kinds: Kinds, other: Kinds) -> Kinds:
        """What meets another value: also an array that a session gave, of whatever type.

        A number of 64 bits changed the type of none in NumPy 1, and one of Python's does not in NumPy 2.
        """
        wide = all(kind.form in ("python", "scalar") and kind.dtype in ("float64", "int64") for kind in other)
        if not wide or UNKNOWN not in kinds or not self._numbers.shapes.is_fetched(node, 0):
            return kinds
        return frozenset({_FETCHED}) if self._numbers.shapes.of(node, 0) else kinds

    def _unranked(self, node: ast.BinOp) -> Change | None:
        """A number of NumPy's that meets what a session gave: an array takes it as Python's, a number as it is."""
        for number, other in ((node.right, node.left), (node.left, node.right)):
            kinds, others = self._kinds(number), self._kinds(other)
            wide = all(kind.form == "scalar" and kind.dtype in ("float64", "int64") for kind in kinds)
            words = {"float" if is_float(kind.dtype) else "int" for kind in kinds}
            read = self._with_axes_of(other)
            if not wide or len(words) != 1 or others != {UNKNOWN} or read is None or not self.numpy:
                continue
            word = words.pop()
            shapes = self._numbers.shapes
            if self.context.names.is_bound(word) or not shapes.is_fetched(other, 0) or shapes.of(other, 0) is not None:
                continue
            array = ast.unparse(read)
            before = f"({word} if {self.numpy}.ndim({array}) else {self.numpy}.{word}64)("
            edits = wrap(*self.module.source.span(number), before, ")")
            message = f"a single number of NumPy's changed the type of no array in NumPy 1; `{array}` may be one"
            return Change(self.context.finding(number, "TFM136", message), edits)
        return None

    def _with_axes_of(self, node: ast.expr) -> ast.expr | None:
        """What is only read, and has as many axes: a name, also with single numbers added to it, say."""
        if isinstance(node, ast.BinOp):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if all(kind.form in ("python", "scalar") for kind in self._kinds(one)):
                    return self._with_axes_of(other)
        return node if _is_read(node) else None

    def _fetched_number(self, node: ast.expr, kinds: Kinds, other: Kinds) -> Kinds:
        """What meets another value: also one number that a session gave, of float32.

        Of whatever type it is, beside a number with a fraction it is taken as one of Python's.
        """
        plain = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript) and UNKNOWN in kinds
        if not plain or any(kind.form in ("tensor", "other") for kind in other):
            return kinds
        small = {self._numbers.small_type(each) for each in self._handed(node)}
        if len(small) == 1 and "" not in small:
            return frozenset({Kind("scalar", small.pop())})
        if not self._is_fetched_float(node):
            return kinds
        fractions = all(kind == Kind("python", "float64") for kind in other)
        certain = fractions or all(self._numbers.has_fraction(each) for each in self._handed(node))
        return frozenset({_FETCHED_NUMBER}) if certain else kinds

    def _is_fetched_float(self, node: ast.expr) -> bool:
        return all(self._numbers.is_number(each) for each in self._handed(node))

    def _handed(self, node: ast.expr) -> list[ast.expr]:
        """An expression, or what the calls of its function in this module give for a parameter."""
        sources = self.values.sources(node) if isinstance(node, ast.Name) else []
        handed = sources[0][1] if len(sources) == 1 else None
        terms = self.values.given(handed) if handed is not None and handed.how == "parameter" else None
        known = bool(terms) and all(where is self.values for where, _ in terms or ())
        return [each for _, each in terms or ()] if known else [node]

    @cached_property
    def _numbers(self) -> FetchedNumbers:
        return FetchedNumbers(self.context.names)

    def _summed(self, call: ast.Call) -> Iterator[Change]:
        """Python's `sum` begins with its own 0: NumPy 1 then added in 64 bits."""
        rows = call.args[0]
        inner = rows.elt if isinstance(rows, ast.ListComp | ast.GeneratorExp) else None
        parts = [inner] if inner is not None else self._filling(rows)
        if parts and all(self._numbers.is_number(each) and self._numbers.has_fraction(each) for each in parts):
            kinds: Kinds = frozenset({_FETCHED_NUMBER})
        else:
            kinds = self._kinds(inner) if inner is not None else self.values.elements(rows)
        differing = [kind for kind in kinds if _differs(ast.Add(), INT, kind)]
        if not differing:
            return
        old, new = in_numpy1(ast.Add(), INT, differing[0]), in_numpy2(ast.Add(), INT, differing[0])
        words = {"float" if is_float(kind.dtype) else "int" for kind in kinds}
        if all(kind.form in ("python", "scalar") for kind in kinds) and len(words) == 1:
            word = words.pop()
            if not self.context.names.is_bound(word):
                before, around = (f"{word}(", inner) if inner is not None else (f"map({word}, ", rows)
                message = f"`sum` added in {old.dtype} in NumPy 1, and adds in {new.dtype} in NumPy 2"
                edits = wrap(*self.module.source.span(around), before, ")")
                run = isinstance(around, ast.Call) and self._shapes.fetched(around) is not None
                wrapped = tuple(replace(edit, line=run) for edit in edits)
                yield Change(self.context.finding(rows, "TFM136", message), wrapped)
                return
        dtype = next((kind.dtype for kind in differing if kind.dtype in SMALL), "")
        if dtype:
            message = f"`sum` of numbers of {dtype} was int64 in NumPy 1; NumPy 2 keeps {dtype}, and wraps around"
            yield self.context.manual(rows, "TFM136", message, "write `np.sum(…)` if these are single numbers")

    def _filling(self, rows: ast.expr) -> list[ast.expr]:
        """What is put into a list that begins empty."""
        if not isinstance(rows, ast.Name | ast.Attribute):
            return []
        begun = [source.node for _, source in self.values.sources(rows) if source is not None and source.how == "value"]
        known = len(begun) == len(self.values.sources(rows)) > 0
        made = [node.elt for node in begun if isinstance(node, ast.ListComp)]
        if not known or not all(isinstance(node, ast.ListComp) or _is_empty_list(node) for node in begun):
            return []
        key = self.values.bindings.key(rows)
        return made + (self.values.bindings.filled.get(key, []) if key is not None else [])

    def _widened(self, node: ast.AugAssign, differing: _Pair) -> Iterator[Change]:
        """An operator in place: what a number of few bits meets becomes one of 64 bits, as NumPy 1 took it."""
        old, new = in_numpy1(node.op, *differing), in_numpy2(node.op, *differing)
        edits = wrap(*self.module.source.span(node.value), f"{self.numpy}.{old.dtype}(", ")")
        message = f"NumPy 1 computed in {old.dtype} here, NumPy 2 does in {new.dtype}"
        yield Change(self.context.finding(node.value, "TFM136", message), edits)

    def _compared(self, node: ast.expr, kinds: Kinds) -> Kinds:
        """What is compared: also a number that a session gave, of float32 as nearly all are.

        To take one of another type by `float(…)` changes no comparison with a number that has a fraction.
        """
        unknown = isinstance(node, ast.Name | ast.Attribute | ast.Call) and UNKNOWN in kinds
        return frozenset({Kind("scalar", "float32")}) if unknown and self._is_fetched(node) else kinds

    def _is_fetched(self, node: ast.expr) -> bool:
        """Whether an expression is a number that a session gave, handed to a function too."""
        if self._shapes.is_fetched_number(node):
            return True
        sources = self.values.sources(node) if isinstance(node, ast.Name) else []
        handed = sources[0][1] if len(sources) == 1 else None
        terms = self.values.given(handed) if handed is not None and handed.how == "parameter" else None
        return bool(terms) and all(
            where is self.values and each is not node and self._shapes.is_fetched_number(each)
            for where, each in terms or ()
        )

    @cached_property
    def _shapes(self) -> Shapes:
        return Shapes(self.context.names)

    def _mended(
        self,
        node: _Place,
        operator: Operator,
        left: ast.expr,
        chosen: Sequence[ast.expr],
        every: Sequence[_Pair],
        differing: _Pair,
    ) -> Iterator[Change]:
        """The numbers of NumPy's as Python's, or as ones of 64 bits where the result has to stay NumPy's."""
        numbers = isinstance(node, ast.BinOp) and all(kind.form != "array" for pair in every for kind in pair)
        wide = numbers and isinstance(node, ast.BinOp) and not self._may_be_python(node)
        sides = [{pair[0] if side is left else pair[1] for pair in every} for side in chosen]
        categories = [{is_float(kind.dtype) for kind in kinds} for kinds in sides]
        words = ["float" if True in found else "int" for found in categories]
        bound = any(self.context.names.is_bound(word) for word in words)
        if wide and not self.numpy:
            if isinstance(self.module.parents[node], ast.Attribute | ast.Call):
                return
            wide = False
        if any(len(found) > 1 for found in categories) or (bound and not wide):
            return
        if numbers and isinstance(node, ast.BinOp):
            given = (pair if wide else (_python(pair[0]), _python(pair[1])) for pair in every)
            self.found[node] = frozenset((in_numpy1 if wide else in_numpy2)(operator, *pair) for pair in given)
        edits: list[Edit] = []
        for side, word in zip(chosen, words, strict=True):
            around = wrap(*self.module.source.span(side), f"{self.numpy}.{word}64(" if wide else f"{word}(", ")")
            # What a run becomes in another form covers the run, and not what is put around it.
            run = isinstance(side, ast.Call) and self._shapes.fetched(side) is not None
            edits += (replace(edit, line=run) for edit in around)
        old, new = in_numpy1(_shared(operator), *differing), in_numpy2(_shared(operator), *differing)
        message = f"NumPy 1 computed in {old.dtype} here, NumPy 2 does in {new.dtype}"
        yield Change(self.context.finding(chosen[0], "TFM136", message), tuple(edits))

    def _may_be_python(self, node: ast.BinOp) -> bool:
        """Whether a number of Python's does as well as one of NumPy's: nothing asks for more than its value.

        A division by zero is an error for Python alone.
        """
        divisor = node.right
        known = isinstance(divisor, ast.Constant) and bool(divisor.value)
        if isinstance(node.op, _DIVISIONS) and not known:
            return False
        around = self.module.parents[node]
        while isinstance(around, ast.UnaryOp):
            around = self.module.parents[around]
        if isinstance(around, ast.Call):
            return isinstance(around.func, ast.Name | ast.Attribute) and _word(around.func) in _TAKING_NUMBERS
        return isinstance(around, ast.BinOp | ast.Compare | ast.FormattedValue)

    def _unproved(
        self, node: ast.BinOp | ast.AugAssign, sides: tuple[ast.expr, ast.expr], differing: Sequence[_Pair]
    ) -> Iterator[Change]:
        """A number of float64 that meets what may be an array of a smaller type, on its way into the graph."""
        for number, other in (sides, sides[::-1]):
            kinds, others = self._kinds(number), self._kinds(other)
            wide = Kind("scalar", "float64") in kinds
            narrow = any(kind.form == "array" and kind.dtype in ("float16", "float32") for kind in others)
            if wide and (narrow or (len(kinds) == 1 and UNKNOWN in others)) and node in self._entering:
                array, text = ast.unparse(other), ast.unparse(number)
                message = f"if `{array}` is an array of float32, NumPy 2 makes this float64, where NumPy 1 made float32"
                step = f"write `float({text})` if `{array}` is an array and `{text}` a single number; leave it if not"
                yield self.context.manual(node, "TFM136", message, step)
                return
        wraps = [
            pair
            for pair in differing
            if any(kind == Kind("scalar", kind.dtype) and kind.dtype in SMALL for kind in pair)
        ]
        if wraps and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            dtype = next(kind.dtype for kind in wraps[0] if kind.dtype in SMALL)
            message = f"a single number of {dtype} was int64 here in NumPy 1; NumPy 2 keeps {dtype}, and wraps around"
            yield self.context.manual(node, "TFM136", message, "take it as `int(…)` if it is a single number")

    @cached_property
    def _entering(self) -> set[ast.expr]:
        return entering(self.values)


def _differs(operator: Operator, left: Kind, right: Kind) -> bool:
    shared = _shared(operator)
    return in_numpy1(shared, left, right).dtype != in_numpy2(shared, left, right).dtype


def _is_empty_list(node: ast.AST) -> bool:
    return (isinstance(node, ast.List) and not node.elts) or ast.unparse(node) == "list()"


def _as_number(kinds: Kinds) -> Kinds:
    """What is not known as a number of Python's."""
    return frozenset(INT if kind == UNKNOWN else kind for kind in kinds)


def _are_numbers(pairs: Sequence[_Pair]) -> bool:
    """Whether single numbers of NumPy's meet Python's, of one category."""
    single = all(left.form == "scalar" and right.form == "python" for left, right in pairs)
    return single and len({is_float(kind.dtype) for pair in pairs for kind in pair}) == 1


def _shared(operator: Operator) -> Operator:
    """The operator by which a type is told: what a comparison computes in is none of its result."""
    return None if isinstance(operator, ast.cmpop) else operator


def _is_mended(operator: Operator, pair: _Pair, left: bool, right: bool) -> bool:
    """Whether the result has NumPy 1's type again with numbers of Python's on the sides told."""
    if any(not kind.dtype for kind in pair) or any(
        kind.form not in ("python", "scalar") for kind, chosen in zip(pair, (left, right), strict=True) if chosen
    ):
        return False
    written = _python(pair[0]) if left else pair[0], _python(pair[1]) if right else pair[1]
    shared = _shared(operator)
    return in_numpy1(shared, *pair).dtype == in_numpy2(shared, *written).dtype


def _fits_in_place(operator: Operator, left: Kind, right: Kind) -> bool:
    """Whether an operator in place gives an array what it gave in NumPy 1: what is computed is put into its type."""
    if left.form != "array":
        return False
    made = in_numpy2(operator, left, right).dtype
    return is_float(left.dtype) or (not is_float(made) and left.dtype.startswith("u") == made.startswith("u"))


def _python(kind: Kind) -> Kind:
    if kind.form not in ("python", "scalar"):
        return kind
    return Kind("python", "float64" if is_float(kind.dtype) else "bool" if kind.dtype == "bool" else "int64")


def _is_exact(node: ast.expr) -> bool:
    """Whether a number that is written out is one of float32: a comparison with it says the same."""
    if isinstance(node, ast.UnaryOp):
        return _is_exact(node.operand)
    value = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(value, int | float) or abs(value) > 1e30:
        return False
    return bool(struct.unpack("f", struct.pack("f", value))[0] == value)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_numpy(binding: Binding) -> bool:
    return isinstance(binding, tuple) and isinstance(binding[0], ast.Import) and binding[1].name == "numpy"


def _is_read(node: ast.expr) -> bool:
    """Whether an expression only reads a name, or an attribute of one."""
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_read(node.value))


def _word(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


RULE = Rule(
    id="TFM136",
    name="promotion",
    before="""\
import numpy as np
import tensorflow as tf

scale = np.sqrt(6.0 / 10)
start = scale * (2 * np.random.rand(4, 6).astype(np.float32) - 1)
y = tf.matmul(tf.placeholder(tf.float32, [None, 4]), start)
""",
    after="""\
import numpy as np
import tensorflow as tf
import compat

scale = np.sqrt(6.0 / 10)
start = float(scale) * (2 * np.random.rand(4, 6).astype(np.float32) - 1)
compat.open_graph()
y = tf.matmul(compat.placeholder(tf.float32, [None, 4]), start)
""",
    find=find,
)
