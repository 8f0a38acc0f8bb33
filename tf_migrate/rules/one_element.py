"""NumPy 2.4 makes no number of an array of one element, as `int(a)`, `float(a)` and `"%.5f" % a` did before. What a
session gives of a variable of shape `[1]` is such an array: where that shape can be told from the text, `.item()` asks
for the number. So it does for what NumPy reduces along an axis, `int(np.argmax(scores, axis=1))`, and for one choice of
`np.random.choice(n, 1)`, whose results have it in any case.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.imports import dotted
from tf_migrate.names.sessions import Holders, key_of
from tf_migrate.rules import Change, Context, Rule

Shape = tuple[int | None, ...]
"""Sizes; None stands for one that only the running program knows."""

_NUMBERS = frozenset({"int", "float", "complex"})
_FIELD = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[hlL]?(.)")
_NUMERIC = frozenset("diouxXeEfFgG")
_OF_SHAPE = {
    **dict.fromkeys(("tf.zeros", "tf.ones", "tf.random_normal", "tf.truncated_normal", "tf.random_uniform"), 0),
    **dict.fromkeys(("tf.get_variable", "tf.placeholder", "tf.reshape"), 1),
}
_OF_MATRICES = frozenset(("tf.matmul", "tf.nn.xw_plus_b", "tf.nn.relu_layer"))
_OF_UNITS = frozenset(("tf.layers.dense", "tf.contrib.layers.fully_connected"))
_ELEMENTWISE = frozenset(
    {
        *("tf.nn.bias_add", "tf.nn.softmax"),
        *("tf.abs", "tf.cast", "tf.exp", "tf.identity", "tf.log", "tf.negative", "tf.nn.relu", "tf.nn.sigmoid"),
        *("tf.nn.softplus", "tf.nn.tanh", "tf.round", "tf.sigmoid", "tf.sqrt", "tf.square", "tf.tanh", "tf.to_float"),
        *("numpy.abs", "numpy.array", "numpy.asarray", "numpy.exp", "numpy.log", "numpy.round", "numpy.sqrt"),
        "numpy.square",
    }
)
_REDUCED_WHOLLY = frozenset(f"tf.reduce_{name}" for name in ("max", "mean", "min", "prod", "sum"))
_ALONG = frozenset(("tf.argmax", "tf.argmin", "tf.arg_max", "tf.arg_min", *_REDUCED_WHOLLY))
_REDUCTIONS = frozenset(
    ("amax", "amin", "argmax", "argmin", "max", "mean", "median", "min", "prod", "ptp", "std", "sum", "var")
)
_DRAWS = frozenset((("numpy.random.choice", 1), ("numpy.random.randint", 2), ("numpy.random.uniform", 2)))
"""What draws arrays, and the place of their size."""
_DEPTH = 12
_GIVEN = -1  # the value is what a function is given of a run
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def find(context: Context) -> Iterator[Change]:
    """Looks at everything that makes a number of a value."""
    if context.tf2 or not context.builds:
        return
    shapes = Shapes(context)
    for node in _made_numbers(context):
        one = shapes.is_reduced(node, 0) or (shapes.is_fetched(node, 0) and _is_one(shapes.of(node, 0)))
        if one and not context.module.is_skipped(node):
            message = "an array of one element is no number for NumPy 2.4"
            end = context.module.source.end(node)
            plain = isinstance(node, ast.Attribute | ast.Call | ast.Name | ast.Subscript)
            edits: tuple[Edit, ...] = (Edit(end, end, ".item()" if plain else ").item()", line=True),)
            if not plain:
                start = context.module.source.start(node)
                edits = (Edit(start, start, "("), *edits)
            yield Change(context.finding(node, "TFM132", message), edits)


def _is_one(shape: Shape | None) -> bool:
    """Whether an array that makes a number has one element, and is not the number itself."""
    return shape is not None and len(shape) > 0 and set(shape) <= {1, None}


def _made_numbers(context: Context) -> Iterator[ast.expr]:
    """The expressions of which Python makes a number."""
    module = context.module
    for call in module.calls:
        word = call.func.id if isinstance(call.func, ast.Name) else ""
        plain = word in _NUMBERS and not context.names.is_bound(word)
        if len(call.args) == 1 and (plain or dotted(module, context.names, call.func).startswith("math.")):
            yield call.args[0]
    for node in ast.walk(module.tree) if "%" in module.source.text else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
            text = node.left.value if isinstance(node.left.value, str) else ""
            fields = [field for field in _FIELD.findall(text) if field != "%"]
            values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            if len(fields) == len(values):
                yield from (value for field, value in zip(fields, values, strict=True) if field in _NUMERIC)


def _says(axis: ast.expr | None) -> bool:
    """Whether an axis is given that is not None."""
    return axis is not None and not (isinstance(axis, ast.Constant) and axis.value is None)


def _size(node: ast.expr) -> int | None:
    """A size that is written as a number."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _broadcast(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of what an operator gives; None where the sizes of an operand are not known at all."""
    if left is None or right is None:
        return None
    count = max(len(left), len(right))
    pairs = zip((1,) * (count - len(left)) + left, (1,) * (count - len(right)) + right, strict=True)
    return tuple(one if other == 1 else other if one in (1, None) else one for one, other in pairs)


class Shapes:
    """What can be told from the text of the shapes of tensors, and of what a session gives of them."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.holders = Holders.of(context.module, context.names)

    def is_fetched(self, node: ast.expr, depth: int) -> bool:
        """Whether a value is computed from what a session gave."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.BinOp):
            return self.is_fetched(node.left, depth + 1) or self.is_fetched(node.right, depth + 1)
        if isinstance(node, ast.Call):
            if self.fetched(node) is not None:
                return True
            elementwise = dotted(self.module, self.context.names, node.func) in _ELEMENTWISE
            return elementwise and bool(node.args) and self.is_fetched(node.args[0], depth + 1)
        values = self._others(node)
        return bool(values) and all(place == _GIVEN or self.is_fetched(value, depth + 1) for value, place in values)

    def of(self, node: ast.expr, depth: int) -> Shape | None:
        """The shape of a tensor or a value; None where it is not known."""
        if depth > _DEPTH:
            return None
        if isinstance(node, ast.Constant):
            return () if isinstance(node.value, int | float | complex) else None
        if isinstance(node, ast.List | ast.Tuple):
            parts = {self.of(part, depth + 1) for part in node.elts}
            inner = parts.pop() if len(parts) == 1 else None
            return None if inner is None else (len(node.elts), *inner)
        if isinstance(node, ast.UnaryOp):
            return self.of(node.operand, depth + 1)
        if isinstance(node, ast.BinOp):
            left, right = self.of(node.left, depth + 1), self.of(node.right, depth + 1)
            return _broadcast(left, right)
        if isinstance(node, ast.Call):
            return self._of_call(node, depth)
        shapes = {self._part(value, place, depth) for value, place in self._others(node)}
        return shapes.pop() if len(shapes) == 1 else None

    def _of_call(self, node: ast.Call, depth: int) -> Shape | None:
        fetched = self.fetched(node)
        if fetched is not None:
            return self.of(fetched, depth + 1)
        symbol = dotted(self.module, self.context.names, node.func)
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        if symbol in _ALONG and len(node.args) == 2 and not named.keys() - {"name", "output_type"}:
            return self._without(self.of(node.args[0], depth + 1), node.args[1])
        if symbol in _ALONG and len(node.args) == 1 and named.keys() <= {"axis", "name", "output_type"}:
            return self._without(self.of(node.args[0], depth + 1), named.get("axis"))
        if symbol in _OF_SHAPE:
            place = _OF_SHAPE[symbol]
            shape = named.get("shape", node.args[place] if len(node.args) > place else None)
            return tuple(map(_size, shape.elts)) if isinstance(shape, ast.List | ast.Tuple) else None
        if symbol in _OF_MATRICES and len(node.args) > 1 and not {"transpose_a", "transpose_b"} & named.keys():
            shapes = [self.of(part, depth + 1) or (None, None) for part in node.args[:2]]
            return (*shapes[0][:-1], shapes[1][-1])
        if symbol in _OF_UNITS and len(node.args) > 1:
            return (*(self.of(node.args[0], depth + 1) or (None, None))[:-1], _size(node.args[1]))
        value = named.get("initial_value" if symbol == "tf.Variable" else "value", node.args[0] if node.args else None)
        if value is None or (symbol == "tf.constant" and ("shape" in named or len(node.args) > 2)):
            return None
        known = symbol in _ELEMENTWISE or symbol in ("tf.Variable", "tf.constant")
        return self.of(value, depth + 1) if known else None

    def _without(self, shape: Shape | None, axis: ast.expr | None) -> Shape | None:
        """A shape without one of its axes."""
        if isinstance(axis, ast.UnaryOp) and isinstance(axis.op, ast.USub):
            below = _size(axis.operand)
            place = None if below is None or shape is None else len(shape) - below
        else:
            place = None if axis is None else _size(axis)
        if shape is None or place is None or not 0 <= place < len(shape):
            return None
        return (*shape[:place], *shape[place + 1 :])

    def is_reduced(self, node: ast.expr, depth: int) -> bool:
        """Whether NumPy reduces something along an axis, or draws one number as an array: the result has `item()`."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.Call):
            symbol = dotted(self.module, self.context.names, node.func)
            named = {keyword.arg: keyword.value for keyword in node.keywords}
            if symbol.startswith("numpy.") and symbol.removeprefix("numpy.") in _REDUCTIONS:
                return _says(named.get("axis", node.args[1] if len(node.args) > 1 else None))
            for drawn, place in _DRAWS:
                if symbol == drawn:
                    size = named.get("size", node.args[place] if len(node.args) > place else None)
                    return isinstance(size, ast.Constant) and size.value == 1
            if isinstance(node.func, ast.Attribute) and node.func.attr in _REDUCTIONS:
                said = _says(named.get("axis", node.args[0] if node.args else None))
                return said and self.is_fetched(node.func.value, depth + 1)
            return False
        values = self._others(node)
        return bool(values) and all(place is None and self.is_reduced(value, depth + 1) for value, place in values)

    def _part(self, node: ast.expr, place: int | None, depth: int) -> Shape | None:
        """The shape of a value, or of one of those that a run gives together."""
        if place is None or place == _GIVEN:
            return self.of(node, depth + 1)
        fetched = self.fetched(node) if isinstance(node, ast.Call) else None
        if isinstance(fetched, ast.List | ast.Tuple) and place < len(fetched.elts):
            return self.of(fetched.elts[place], depth + 1)
        return None

    def is_fetched_number(self, node: ast.expr, depth: int = 0) -> bool:
        """Whether a value is one number that a session gave, and nothing else."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.Call):
            fetched = self.fetched(node)
            return fetched is not None and self._is_number(fetched, 0)
        return bool(bound := self.bound(node)) and all(
            self.is_fetched_number(value, depth + 1) if place is None else self._is_number_of(value, place)
            for value, place in bound
        )

    def _is_number_of(self, run: ast.expr, place: int) -> bool:
        fetched = self.fetched(run) if isinstance(run, ast.Call) else None
        several = isinstance(fetched, ast.List | ast.Tuple) and 0 <= place < len(fetched.elts)
        return several and isinstance(fetched, ast.List | ast.Tuple) and self._is_number(fetched.elts[place], 0)

    def _is_number(self, node: ast.expr, depth: int) -> bool:
        """Whether a tensor has no axes."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int | float)
        if isinstance(node, ast.BinOp):
            return self._is_number(node.left, depth + 1) and self._is_number(node.right, depth + 1)
        if isinstance(node, ast.Call):
            symbol = dotted(self.module, self.context.names, node.func)
            words = {keyword.arg for keyword in node.keywords}
            if symbol in _REDUCED_WHOLLY:
                return len(node.args) + ("input_tensor" in words) == 1 and words <= {"input_tensor", "name"}
            if symbol.startswith("tf.losses.") or symbol == "tf.nn.l2_loss":
                return "reduction" not in words and not symbol.startswith("tf.losses.get_")
            if symbol in _ELEMENTWISE and symbol.startswith("tf.") and node.args:
                return self._is_number(node.args[0], depth + 1)
        bound = [] if isinstance(node, ast.Call) else self.bound(node)
        return bool(bound) and all(place is None and self._is_number(value, depth + 1) for value, place in bound)

    def fetched(self, node: ast.Call) -> ast.expr | None:
        """What a call fetches from a session."""
        if not isinstance(node.func, ast.Attribute):
            return None
        if node.func.attr == "run" and self.holders.is_session(node.func.value):
            named = (keyword.value for keyword in node.keywords if keyword.arg == "fetches")
            return node.args[0] if node.args else next(named, None)
        return node.func.value if node.func.attr == "eval" and self.holders.is_element(node.func.value) else None

    def _others(self, node: ast.expr) -> list[tuple[ast.expr, int | None]]:
        """All that a name is bound to, but for what it is made of itself: `x = np.exp(x)` is like the other `x`."""
        return [(value, place) for value, place in self.bound(node) if not self._is_like_itself(node, value)]

    def _is_like_itself(self, node: ast.expr, value: ast.expr) -> bool:
        if isinstance(value, ast.BinOp):
            return self._is_like_itself(node, value.left) or self._is_like_itself(node, value.right)
        if isinstance(value, ast.Call) and dotted(self.module, self.context.names, value.func) in _ELEMENTWISE:
            return bool(value.args) and self._is_like_itself(node, value.args[0])
        return isinstance(node, ast.Name) and isinstance(value, ast.Name) and value.id == node.id

    def bound(self, node: ast.expr) -> list[tuple[ast.expr, int | None]]:
        """All that a name or attribute is bound to, and which part of it; empty where something is not known."""
        if isinstance(node, ast.Attribute):
            return self._assigned.get(f".{node.attr}", [])
        scope = self.module.binding_scope(node) if isinstance(node, ast.Name) else None
        if not isinstance(node, ast.Name) or scope is None:
            return []
        found = [(value, place) for value, place in self._assigned.get(node.id, []) if self._scope(value) is scope]
        if isinstance(scope.node, _Function):
            found += self._called_back(scope.node, node.id)
        return found if len(found) == len(scope.bindings[node.id]) else []

    def _scope(self, value: ast.expr) -> object:
        return self.module.scope_of(self.module.statement_of(value))

    @cached_property
    def _assigned(self) -> dict[str, list[tuple[ast.expr, int | None]]]:
        found: dict[str, list[tuple[ast.expr, int | None]]] = {}
        for node in self.module.assignments:
            for target in node.targets if isinstance(node, ast.Assign) else ():
                parts = list(enumerate(target.elts)) if isinstance(target, ast.Tuple | ast.List) else [(None, target)]
                for place, part in parts:
                    if isinstance(node, ast.Assign) and (key := key_of(part)) is not None:
                        found.setdefault(key, []).append((node.value, place))
        return found

    def _called_back(self, function: _Function, word: str) -> Iterator[tuple[ast.expr, int]]:
        """What SciPy's optimizers give a function: `minimize(sess, fetches=[…], loss_callback=f)`."""
        words = [argument.arg for argument in function.args.args]
        words = words[isinstance(self.module.parents[function], ast.ClassDef) :]
        for call in self.module.calls:
            named = {keyword.arg: keyword.value for keyword in call.keywords}
            callback = (key_of(named["loss_callback"]) or "") if "loss_callback" in named else ""
            fetches = named.get("fetches")
            listed = fetches.elts if isinstance(fetches, ast.List | ast.Tuple) else []
            if callback.lstrip(".") == function.name and word in words and words.index(word) < len(listed):
                yield listed[words.index(word)], _GIVEN


RULE = Rule(
    id="TFM132",
    name="one-element",
    before="""\
import tensorflow as tf

rate = tf.get_variable("rate", [1])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    value = sess.run(rate)
    print("%.5f" % value, float(sess.run(rate)))
""",
    after="""\
import tensorflow as tf
import compat

compat.open_graph()
rate = compat.get_variable("rate", [1])
with compat.Session() as sess:
    sess.run(compat.global_variables_initializer())
    value = sess.run(rate)
    print("%.5f" % value.item(), float(sess.run(rate).item()))
""",
    find=find,
)
