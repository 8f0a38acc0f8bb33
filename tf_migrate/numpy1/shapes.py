"""Shapes that the text tells: of tensors, of what a session gives of them, and of what NumPy makes of that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tf_migrate.eager.imports import dotted
from tf_migrate.names.canonical import Names
from tf_migrate.names.sessions import Holders, key_of
from tf_migrate.numpy1.bindings import parameters
from tf_migrate.numpy1.questions import Answers, asked_once
from tf_migrate.numpy1.values import Values
from tf_migrate.syntax.local_flow import definitions
from tf_migrate.syntax.own_nodes import returned

Shape = tuple[int | None, ...]
"""Sizes; None stands for one that only the running program knows."""

_OF_SHAPE = {
    **dict.fromkeys(("tf.zeros", "tf.ones", "tf.random_normal", "tf.truncated_normal", "tf.random_uniform"), 0),
    **dict.fromkeys(("tf.get_variable", "tf.placeholder", "tf.reshape"), 1),
    "tf.constant": 2,
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


class Shapes:
    """What can be told from the text of the shapes of tensors, and of what a session gives of them."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.module = names.module
        self.holders = Holders.of(names)
        self.answers: Answers = {}

    @asked_once
    def is_fetched(self, node: ast.expr, depth: int) -> bool:
        """Whether a value is computed from what a session gave."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.BinOp):
            return self.is_fetched(node.left, depth + 1) or self.is_fetched(node.right, depth + 1)
        if isinstance(node, ast.Call):
            if self.fetched(node) is not None:
                return True
            elementwise = dotted(self.module, self.names, node.func) in _ELEMENTWISE
            return elementwise and bool(node.args) and self.is_fetched(node.args[0], depth + 1)
        values = self._others(node)
        return bool(values) and all(place == _GIVEN or self.is_fetched(value, depth + 1) for value, place in values)

    @asked_once
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
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return _broadcast(self.of(node.left, depth + 1), self.of(node.comparators[0], depth + 1))
        if isinstance(node, ast.Call):
            return self._of_call(node, depth)
        shapes = {self._part(value, place, depth) for value, place in self._others(node)}
        return shapes.pop() if len(shapes) == 1 else None

    def _of_call(self, node: ast.Call, depth: int) -> Shape | None:
        fetched = self.fetched(node)
        if fetched is not None:
            return self.of(fetched, depth + 1)
        symbol = dotted(self.module, self.names, node.func)
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        kept = named.keys() & {"keepdims", "keep_dims"}
        if symbol in _REDUCED_WHOLLY and len(node.args) == 1 and kept and not named.keys() - {"name", *kept}:
            whole = self.of(node.args[0], depth + 1)
            says = any(isinstance(named[word], ast.Constant) and named[word].value is True for word in kept)  # type: ignore[attr-defined]
            return (1,) * len(whole) if says and whole is not None else None
        if symbol in _ALONG and len(node.args) == 2 and not named.keys() - {"name", "output_type"}:
            return self._without(self.of(node.args[0], depth + 1), node.args[1])
        if symbol in _ALONG and len(node.args) == 1 and named.keys() <= {"axis", "name", "output_type"}:
            return self._without(self.of(node.args[0], depth + 1), named.get("axis"))
        place = _OF_SHAPE.get(symbol)
        if place is not None and (symbol != "tf.constant" or "shape" in named or len(node.args) > place):
            shape = named.get("shape", node.args[place] if len(node.args) > place else None)
            return tuple(map(_size, shape.elts)) if isinstance(shape, ast.List | ast.Tuple) else None
        if symbol in _OF_MATRICES and len(node.args) > 1 and not {"transpose_a", "transpose_b"} & named.keys():
            shapes = [self.of(part, depth + 1) or (None, None) for part in node.args[:2]]
            return (*shapes[0][:-1], shapes[1][-1])
        if symbol in _OF_UNITS and len(node.args) > 1:
            return (*(self.of(node.args[0], depth + 1) or (None, None))[:-1], _size(node.args[1]))
        value = named.get("initial_value" if symbol == "tf.Variable" else "value", node.args[0] if node.args else None)
        known = symbol in _ELEMENTWISE or symbol in ("tf.Variable", "tf.constant")
        return self.of(value, depth + 1) if known and value is not None else None

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

    @asked_once
    def is_reduced(self, node: ast.expr, depth: int) -> bool:
        """Whether NumPy reduces something along an axis, or draws one number as an array: the result has `item()`."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.Call):
            symbol = dotted(self.module, self.names, node.func)
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
        """The shape of a value, or of one of those that stand or that a run gives together."""
        if place is None or place == _GIVEN:
            return self.of(node, depth + 1)
        several = self.fetched(node) if isinstance(node, ast.Call) else node
        if isinstance(several, ast.List | ast.Tuple) and place < len(several.elts):
            return self.of(several.elts[place], depth + 1)
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

    @asked_once
    def _is_number(self, node: ast.expr, depth: int) -> bool:
        """Whether a tensor has no axes."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int | float)
        if isinstance(node, ast.BinOp):
            return self._is_number(node.left, depth + 1) and self._is_number(node.right, depth + 1)
        if isinstance(node, ast.Call):
            symbol = dotted(self.module, self.names, node.func)
            words = {keyword.arg for keyword in node.keywords}
            if symbol in _REDUCED_WHOLLY:
                return len(node.args) + ("input_tensor" in words) == 1 and words <= {"input_tensor", "name"}
            if symbol.startswith("tf.losses.") or symbol == "tf.nn.l2_loss":
                return "reduction" not in words and not symbol.startswith("tf.losses.get_")
            if symbol in _ELEMENTWISE and symbol.startswith("tf.") and node.args:
                return self._is_number(node.args[0], depth + 1)
            if symbol.startswith("tf."):
                return self.of(node, depth + 1) == ()
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
        if isinstance(value, ast.Call) and dotted(self.module, self.names, value.func) in _ELEMENTWISE:
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
        for callback, fetches in self._callbacks if word in words else ():
            if callback == function.name and words.index(word) < len(fetches):
                yield fetches[words.index(word)], _GIVEN

    @cached_property
    def _callbacks(self) -> list[tuple[str, list[ast.expr]]]:
        """The functions that optimizers give what they fetch, with that."""
        found = []
        for call in self.module.calls:
            named = {keyword.arg: keyword.value for keyword in call.keywords}
            callback, fetches = named.get("loss_callback"), named.get("fetches")
            if callback is not None and isinstance(fetches, ast.List | ast.Tuple):
                found.append(((key_of(callback) or "").lstrip("."), fetches.elts))
        return found


class FollowedShapes(Shapes):
    """Shapes of what functions of the tree return too, and of sums that grow."""

    @classmethod
    def known(cls, names: Names) -> FollowedShapes:
        """The shapes of a module, whose answers all that ask share."""
        found = names.readings.setdefault("followed shapes", cls(names))
        assert isinstance(found, FollowedShapes)
        return found

    @cached_property
    def values(self) -> Values:
        """What calls mean."""
        return Values(self.names)

    @asked_once
    def is_fetched(self, node: ast.expr, depth: int) -> bool:
        """Whether a value is computed from what a session gave, by whichever function."""
        if isinstance(node, ast.Call) and self.fetched(node) is None and depth <= _DEPTH:
            found = self._returned(node)
            if found:
                return all(shapes.is_fetched(value, depth + 1) for shapes, value in found)
        if isinstance(node, ast.Name) and depth <= _DEPTH:
            added, values = self._added(node), self._others(node)
            if added:
                return any(self.is_fetched(value, depth + 1) for value in added)
            parts = [self._parts(value, place) for value, place in values]
            if any(parts):
                return all(part and all(one.is_fetched(value, depth + 1) for one, value in part) for part in parts)
        return super().is_fetched(node, depth)

    @asked_once
    def of(self, node: ast.expr, depth: int) -> Shape | None:
        """The shape of a tensor or a value; what is added to a name makes it broader."""
        if isinstance(node, ast.Name) and depth <= _DEPTH and (added := self._added(node)):
            begun = {self._part(value, place, depth) for value, place in self._begun(node)}
            shape = begun.pop() if len(begun) == 1 else None
            for value in added:
                shape = _broadcast(shape, self.of(value, depth + 1))
            return shape
        if isinstance(node, ast.Subscript) and is_number_of_vector(self.names, node):
            return ()
        if isinstance(node, ast.Attribute) and depth <= _DEPTH and not self.bound(node):
            shapes = {
                None
                if source is None or source.how != "value" or not isinstance(source.node, ast.expr)
                else FollowedShapes.known(values.names).of(source.node, depth + 1)
                for values, source in self.values.sources(node)
            }
            return shapes.pop() if len(shapes) == 1 else None
        return super().of(node, depth)

    def _of_call(self, node: ast.Call, depth: int) -> Shape | None:
        if depth > _DEPTH:
            return None
        by = self._fetched_by(node, depth)
        if by is not None:
            return by[0].of(by[1], depth + 1)
        shapes = {where.of(value, depth + 1) for where, value in self._returned(node)}
        return shapes.pop() if len(shapes) == 1 else super()._of_call(node, depth)

    def _part(self, node: ast.expr, place: int | None, depth: int) -> Shape | None:
        by = self._fetched_by(node, depth) if isinstance(node, ast.Call) and place is not None and place >= 0 else None
        if by is not None and isinstance(by[1], ast.List | ast.Tuple) and place is not None and place < len(by[1].elts):
            return by[0].of(by[1].elts[place], depth + 1)
        parts = self._parts(node, place)
        if parts:
            shapes = {where.of(value, depth + 1) for where, value in parts}
            return shapes.pop() if len(shapes) == 1 else None
        return super()._part(node, place, depth)

    def _parts(self, node: ast.expr, place: int | None) -> list[tuple[FollowedShapes, ast.expr]]:
        """What functions return at a place of their tuples; empty where they return anything else."""
        found = self._returned(node) if isinstance(node, ast.Call) and place is not None and place >= 0 else []
        tuples = [(where, value) for where, value in found if isinstance(value, ast.Tuple) and place < len(value.elts)]  # type: ignore[operator]
        if len(tuples) < len(found):
            return []
        return [(where, value.elts[place]) for where, value in tuples if isinstance(value, ast.Tuple)]  # type: ignore[index]

    def _returned(self, call: ast.Call) -> list[tuple[FollowedShapes, ast.expr]]:
        """All that the functions of the tree return which a call means; empty where these are not known."""
        found: list[tuple[FollowedShapes, ast.expr]] = []
        for values, function in self.values.functions(call) or ():
            where = self if values.module is self.module else FollowedShapes.known(values.names)
            nodes = returned(function)
            if not nodes:
                return []
            found += [(where, node) for node in nodes]
        return found

    def _fetched_by(self, call: ast.Call, depth: int) -> tuple[FollowedShapes, ast.expr] | None:
        """What a call fetches: of a session, or by a function, as `def get(tensor): return sess.run(tensor)`."""
        own = self.fetched(call)
        if own is not None:
            return self, own
        functions = self.values.functions(call) or ()
        found = self._returned(call)
        if depth > _DEPTH or len(functions) != 1 or len(found) != 1 or not isinstance(found[0][1], ast.Call):
            return None
        by = found[0][0]._fetched_by(found[0][1], depth + 1)
        words = parameters(functions[0][1])
        if by is None or not isinstance(by[1], ast.Name) or by[1].id not in words:
            return by
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        place = words.index(by[1].id) - (words[0] in ("self", "cls"))
        given = named.get(by[1].id, call.args[place] if 0 <= place < len(call.args) else None)
        return None if given is None else (self, given)

    def _added(self, node: ast.Name) -> list[ast.expr]:
        """What is added to a name in its place."""
        scope = self.module.binding_scope(node)
        found = self._augmented.get(node.id, ())
        return [each.value for each in found if scope is not None and self._scope(each.value) is scope]

    def _begun(self, node: ast.Name) -> list[tuple[ast.expr, int | None]]:
        """What a name is bound to before something is added."""
        scope = self.module.binding_scope(node)
        return [(value, place) for value, place in self._assigned.get(node.id, []) if self._scope(value) is scope]

    @cached_property
    def _augmented(self) -> dict[str, list[ast.AugAssign]]:
        found: dict[str, list[ast.AugAssign]] = {}
        for node in self.module.nodes:
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                found.setdefault(node.target.id, []).append(node)
        return found


def is_number_of_vector(names: Names, node: ast.expr) -> bool:
    """Whether an expression is one number of an array that NumPy made with one axis."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    made = [each.value if each.kind == "value" else None for each in definitions(names.module, node.value)]
    return (_size(node.slice) is not None or _counts(names, node.slice)) and all(
        isinstance(each, ast.Call)
        and dotted(names.module, names, each.func) in ("numpy.empty", "numpy.ones", "numpy.zeros")
        and len(each.args) > 0
        and _size(each.args[0]) is not None
        for each in made
    )


def _counts(names: Names, index: ast.expr) -> bool:
    """Whether a name counts: `for i in range(n)`."""
    return isinstance(index, ast.Name) and all(
        each.kind == "item"
        and isinstance(each.value, ast.Call)
        and isinstance(each.value.func, ast.Name)
        and each.value.func.id in ("range", "xrange")
        for each in definitions(names.module, index)
    )


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
