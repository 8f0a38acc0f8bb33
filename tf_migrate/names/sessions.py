"""Which expressions of a module hold a session, and which hold something that a session evaluates.

Both are answered by name: a name (or attribute) counts as a session when a session was bound to it somewhere
in the module, or when nothing in the module binds it and it is called what sessions are called.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.own_nodes import returned

SESSION_CLASSES = frozenset({"tf.Session", "tf.InteractiveSession", "tf.get_default_session"})
MONITORED_CLASSES = frozenset(
    {
        "tf.train.MonitoredSession",
        "tf.train.MonitoredTrainingSession",
        "tf.train.SingularMonitoredSession",
    }
)
# Methods that return a session whatever their receiver is: tf.test.TestCase, Supervisor, SessionManager.
_SESSION_METHODS = frozenset(
    {
        "test_session",
        "cached_session",
        "managed_session",
        "prepare_or_wait_for_session",
        "prepare_session",
        "wait_for_session",
    }
)
_SESSION_LIKE = re.compile(r"_?(?:\w+_)?(?:sess|session)\d*_?")
GLOBAL_INITIALIZERS = frozenset({"tf.global_variables_initializer", "tf.initialize_all_variables"})
INITIALIZERS = GLOBAL_INITIALIZERS | frozenset(
    {
        "tf.local_variables_initializer",
        "tf.initialize_local_variables",
        "tf.initialize_variables",
        "tf.variables_initializer",
        "tf.tables_initializer",
        "tf.initialize_all_tables",
    }
)
# TensorFlow calls whose result nobody evaluates.
_NOT_TENSORS = SESSION_CLASSES | MONITORED_CLASSES
_NOT_TENSOR_PREFIXES = ("tf.app.", "tf.flags.", "tf.gfile.", "tf.logging.", "tf.test.", "tf.estimator.")


_HOLDERS = "holders of sessions"
"""The key of what is known of them in a module."""
_READING = "functions that give sessions"
"""The key of what is known of them in a tree."""


def key_of(node: ast.expr) -> str | None:
    """The name under which bindings of `node` are kept: `sess` for a name, `.sess` for any attribute."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return "." + node.attr
    return None


@dataclass(frozen=True)
class Holders:
    """The names of one module that hold sessions, monitored sessions, graph elements and initializers."""

    names: Names
    bound: dict[str, list[ast.expr]]
    parameters: frozenset[str]
    elements: frozenset[str]
    returned: Mapping[str, list[ast.expr]]
    """What the functions of the module give, by `name`, and its methods, by `.name`."""
    classes: frozenset[str]
    has_own_evaluation: bool = False
    """Whether a class of the module, or of those that it imports, has a method `eval`."""

    @classmethod
    def of(cls, names: Names) -> Holders:
        """What the module of `names` binds, collected once."""
        found = names.readings.get(_HOLDERS) or names.readings.setdefault(_HOLDERS, cls._collected(names))
        assert isinstance(found, Holders)
        return found

    @classmethod
    def _collected(cls, names: Names) -> Holders:
        module = names.module
        bound: dict[str, list[ast.expr]] = defaultdict(list)
        for key, value in _bindings(module):
            bound[key].append(value)
        parameters = frozenset(
            argument.arg
            for node in module.functions
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        )
        classes = frozenset(node.name for node in module.nodes if isinstance(node, ast.ClassDef))
        elements, has_eval = _graph_elements(bound, names), _defines_evaluation(names)
        return cls(names, bound, parameters, elements, _given_by_functions(module), classes, has_eval)

    def is_session(self, node: ast.expr) -> bool:
        """Whether `node` is a session, monitored ones included."""
        return self._is_made(node, SESSION_CLASSES | MONITORED_CLASSES, frozenset())

    def is_monitored(self, node: ast.expr) -> bool:
        """Whether `node` is a session of the MonitoredSession family."""
        return self._is_made(node, MONITORED_CLASSES, frozenset(), by_name=False)

    def is_element(self, node: ast.expr) -> bool:
        """Whether `node` is a tensor or an operation, as far as the module shows."""
        return _is_element(node, self.elements, self.names)

    def is_initializer(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
        """Whether running `node` initializes variables or tables and does nothing else."""
        if isinstance(node, ast.List | ast.Tuple):
            return bool(node.elts) and all(self.is_initializer(item, seen) for item in node.elts)
        if isinstance(node, ast.Call):
            symbol = self.names.resolve(node.func)
            if symbol == "tf.group":
                return bool(node.args) and all(self.is_initializer(item, seen) for item in node.args)
            method = node.func.attr if isinstance(node.func, ast.Attribute) else None
            return symbol in INITIALIZERS if symbol is not None else method == "make_initializer"
        if isinstance(node, ast.Attribute) and node.attr in ("initializer", "initializer_op"):
            return True
        key = key_of(node)
        if key is None or key in seen:
            return False
        values = self.bound.get(key, [])
        return bool(values) and all(self.is_initializer(value, seen | {key}) for value in values)

    def _is_made(self, node: ast.expr, makers: frozenset[str], seen: frozenset[str], *, by_name: bool = True) -> bool:
        if isinstance(node, ast.Call):
            symbol = self.names.resolve(node.func)
            if symbol is not None:
                return symbol in makers
            if by_name and isinstance(node.func, ast.Attribute) and _makes_session(node.func):
                return True
            if isinstance(node.func, ast.Name) and node.func.id == "dict":
                return bool(node.keywords) and all(self._is_made(each.value, makers, seen) for each in node.keywords)
            called = f"{key_of(node.func)}()"
            given = [] if called in seen or not self._is_own(node.func) else self._given_by(node.func)
            if any(self._is_made(value, makers, seen | {called}, by_name=False) for value in given):
                return True
            return self._is_given_elsewhere(node.func, makers, by_name)
        if isinstance(node, ast.Subscript | ast.Starred):
            return self._is_made(node.value, makers, seen, by_name=False)
        if isinstance(node, ast.List | ast.Tuple | ast.Dict):  # what holds sessions alone gives one
            held = node.values if isinstance(node, ast.Dict) else node.elts
            return bool(held) and all(self._is_made(value, makers, seen, by_name=by_name) for value in held)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp):
            made = node.value if isinstance(node, ast.DictComp) else node.elt
            return self._is_made(made, makers, seen, by_name=by_name)
        if isinstance(node, ast.BoolOp):
            return any(self._is_made(value, makers, seen, by_name=by_name) for value in node.values)
        if isinstance(node, ast.IfExp):
            sides = (node.body, node.orelse)
            return any(self._is_made(value, makers, seen, by_name=by_name) for value in sides)
        key = key_of(node)
        if key is None or key in seen or self.names.resolve(node) is not None:
            return False
        values = self.bound.get(key, [])
        if any(self._is_made(value, makers, seen | {key}, by_name=by_name) for value in values):
            return True
        unknown = all(map(self._is_given, values)) or key in self.parameters or key.startswith(".")
        return by_name and unknown and _SESSION_LIKE.fullmatch(key.lstrip(".")) is not None

    def _is_given(self, value: ast.expr) -> bool:
        """Whether a function gives a value of which nothing is known here: the name that it gets says what it is."""
        if not isinstance(value, ast.Call) or self.names.resolve(value.func) is not None:
            return False
        word = (key_of(value.func) or "").lstrip(".")
        return not self._given_by(value.func) and not word[:1].isupper()

    def _given_by(self, function: ast.expr) -> list[ast.expr]:
        """What functions, or methods, of a name give."""
        return self.returned.get(key_of(function) or "", [])

    def _is_own(self, function: ast.expr) -> bool:
        """Whether a function is the module's, or a method one of an object of the module's classes."""
        if isinstance(function, ast.Name):
            return True
        owner = function.value if isinstance(function, ast.Attribute) else function
        made = owner.func if isinstance(owner, ast.Call) else owner
        if isinstance(made, ast.Name) and made.id in {"cls", "self", *self.classes}:
            return True
        values = (value for value in self.bound.get(key_of(owner) or "", []) if isinstance(value, ast.Call))
        return any(isinstance(value.func, ast.Name) and value.func.id in self.classes for value in values)

    def _is_given_elsewhere(self, func: ast.expr, makers: frozenset[str], by_name: bool) -> bool:
        """Whether a function of another module of the tree is called that returns a session."""
        names = self.names
        home, word = names.definition(func) or ("", "")
        module = names.index.tree(home) if home not in ("", names.module.name) else None
        known = names.index.readings.setdefault(_READING, {})
        if module is None or not isinstance(known, dict):
            return False
        key = home, word, makers, by_name
        if key not in known:
            known[key] = False  # while that is being asked
            other = Holders.of(Names(module, names.index, names.compat_module))
            values = other.returned.get(word, [])
            known[key] = any(other._is_made(value, makers, frozenset(), by_name=by_name) for value in values)
        return bool(known[key])


def _defines_evaluation(names: Names) -> bool:
    """Whether a class has a method `eval`, in the module or in those of the tree that it imports."""
    module = names.module
    if "eval" not in module.attributes:
        return False
    others = (names.index.tree(name) for name in names.index.imported_by(module.name))
    return any(
        isinstance(function, ast.FunctionDef) and function.name == "eval"
        for one in (module, *others)
        if one is not None
        for function in one.functions
    )


def _makes_session(method: ast.Attribute) -> bool:
    own = isinstance(method.value, ast.Name) and method.value.id == "self"
    return method.attr in _SESSION_METHODS or (own and method.attr == "session")


def _bindings(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """Every (name or .attribute, value) that assignments and `with … as` of the module bind."""
    for node in module.assignments:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _pairs(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
            if node.value is not None:
                yield from _pairs(node.target, node.value)
        else:
            for item in node.items:
                if item.optional_vars is not None:
                    yield from _pairs(item.optional_vars, item.context_expr)

    for loop in module.nodes:
        if isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension):
            yield from _pairs(loop.target, loop.iter)


def _given_by_functions(module: Module) -> dict[str, list[ast.expr]]:
    """What functions give, by their names, and methods, by theirs behind a dot."""
    found: dict[str, list[ast.expr]] = defaultdict(list)
    for function in module.functions:
        if not isinstance(function, ast.Lambda):
            dot = "." if isinstance(module.parents[function], ast.ClassDef) else ""
            found[dot + function.name] += returned(function) or []
    return found


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Tuple | ast.List):
        whole = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        parts = value.elts if whole and isinstance(value, ast.Tuple | ast.List) else [value] * len(target.elts)
        for element, part in zip(target.elts, parts, strict=True):
            yield from _pairs(element, part)
        return
    held = target
    while isinstance(held, ast.Subscript):
        held = held.value
    key = key_of(held)
    if key is not None:
        yield key, value if held is target else ast.copy_location(ast.List([value], ast.Load()), value)


def _graph_elements(bound: dict[str, list[ast.expr]], names: Names) -> frozenset[str]:
    known: frozenset[str] = frozenset()
    while True:
        grown = known | {
            key for key, values in bound.items() if any(_is_element(value, known, names) for value in values)
        }
        if grown == known:
            return known
        known = grown


def _is_element(node: ast.expr, known: frozenset[str], names: Names) -> bool:
    if isinstance(node, ast.Call):
        symbol = names.resolve(node.func)
        if symbol is not None:
            return symbol not in _NOT_TENSORS and not symbol.startswith(_NOT_TENSOR_PREFIXES)
        return isinstance(node.func, ast.Attribute) and _is_element(node.func.value, known, names)
    if isinstance(node, ast.BinOp):
        return _is_element(node.left, known, names) or _is_element(node.right, known, names)
    if isinstance(node, ast.UnaryOp):
        return _is_element(node.operand, known, names)
    if isinstance(node, ast.List | ast.Tuple | ast.Dict):
        parts = node.values if isinstance(node, ast.Dict) else node.elts
        return bool(parts) and all(_is_element(part, known, names) for part in parts)
    if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp):
        return _is_element(node.value if isinstance(node, ast.DictComp) else node.elt, known, names)
    if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in ("initializer", "op")):
        return _is_element(node.value, known, names)
    return key_of(node) in known
