"""What the expressions of a tree's modules may be for NumPy: read off names, functions, and what these are given."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cached_property, reduce
from typing import TypeAlias

from tf_migrate.eager.imports import dotted
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.numpy1.bindings import Bindings, Function, Source, parameters
from tf_migrate.numpy1.contents import DISPLAYS, collected, constant, is_display, keeps_axes, of_shape, parts
from tf_migrate.numpy1.functions import (
    GENERATOR,
    PAIRS,
    Kinds,
    called,
    drawn,
    dtype_of,
    dtype_place,
    method,
    size_place,
)
from tf_migrate.numpy1.kinds import BOOL, FLOAT, INT, OTHER, TENSOR, UNKNOWN, Kind, Operator, in_numpy1
from tf_migrate.numpy1.questions import Answers
from tf_migrate.numpy1.rounds import Rounds, settled
from tf_migrate.syntax.own_nodes import returned
from tf_migrate.syntax.parameters import defaults

_READING = "numpy1"
_CALL = "__call__"
_DEEPEST = 40
_WORD = re.compile(rb"[A-Za-z_]\w*")
_NOTHING: Kinds = frozenset()
_UNKNOWN: Kinds = frozenset({UNKNOWN})
_PYTHON = {"float": FLOAT, "int": INT, "len": INT, "bool": BOOL, "ord": INT, "hash": INT, "id": INT}
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.GeneratorExp
_RESHAPED = frozenset({"T", "real", "flat"})
_LIMITS = frozenset({"eps", "epsneg", "max", "min", "resolution", "tiny"})
"""What `np.finfo` tells of a type, as numbers of that type."""
_COUNTS = frozenset({"size", "ndim", "nbytes", "itemsize"})
_CONSTANTS = frozenset(f"{library}.{name}" for library in ("numpy", "math") for name in ("pi", "e", "inf", "nan"))
_HOLDING = ("list", "tuple", "sorted", "reversed", "set")


class Tree:
    """The modules of a tree, read when they are asked for, and what is known of their expressions."""

    def __init__(self, index: Index, compat_module: str) -> None:
        self.index = index
        self.compat_module = compat_module
        self.rounds = Rounds[tuple[str, ast.AST], Kind]()
        self.depth = 0
        self._values: dict[str, Values | None] = {}

    @classmethod
    def of(cls, names: Names) -> Tree:
        """The tree that a module belongs to, one for all its modules."""
        found = names.index.readings.setdefault(_READING, cls(names.index, names.compat_module))
        assert isinstance(found, Tree)
        index, module = names.index, names.module
        known = index.library is None or index.text(module.name) == module.source.raw
        return found if known else found._apart()

    def _apart(self) -> Tree:
        """The tree for a text that is none of its files, such as a migrated one, which the others do not see."""
        found = copy(self)
        found.rounds = self.rounds.apart()
        found._values, found._mentions = dict(self._values), self._mentions
        return found

    def values(self, name: str) -> Values | None:
        """The values of a module of the tree; None where it cannot be read."""
        if name not in self._values:
            module = self.index.tree(name)
            self._values[name] = None if module is None else Values(Names(module, self.index, self.compat_module), self)
        return self._values[name]

    def add(self, values: Values) -> None:
        """Takes in a module that was read already."""
        self._values[values.module.name] = values

    def mentioning(self, word: str, besides: str) -> Iterator[Values]:
        """The values of the other modules whose text has a word."""
        for name in self._mentions.get(word, ()):
            values = self.values(name) if name != besides else None
            if values is not None:
                yield values

    @cached_property
    def _mentions(self) -> dict[str, list[str]]:
        """By words: the modules whose text has them."""
        found: dict[str, list[str]] = {}
        for name in self.index.exports:
            for word in {match.decode() for match in _WORD.findall(self.index.text(name))}:
                found.setdefault(word, []).append(name)
        return found


Term: TypeAlias = "tuple[Values, ast.expr]"
"""An expression, and the values of the module that it stands in."""


class Values:
    """What the expressions of one module may be."""

    def __init__(self, names: Names, tree: Tree | None = None) -> None:
        self.names = names
        self.module = names.module
        self.tree = tree or Tree.of(names)
        self.bindings = Bindings(names)
        self.answers: Answers = {}
        self._arguments: dict[tuple[Function, str], list[Term] | None] = {}
        self._classes: dict[ast.expr, tuple[Values, ast.ClassDef] | None] = {}
        if tree is None:
            self.tree.add(self)

    def of(self, node: ast.expr) -> Kinds:
        """What an expression may be; `UNKNOWN` is among it where not all is known.

        Rounds are made until nothing is added, since values may lean on one another.
        """
        rounds = self.tree.rounds
        if ("kinds", node) in rounds.settled:
            return rounds.known.get(("kinds", node)) or _UNKNOWN
        return settled([rounds], lambda: self.kinds(node)) or _UNKNOWN

    def kinds(self, node: ast.expr) -> Kinds:
        """What an expression may be, as far as this round knows."""
        return self._once("kinds", node, self._kinds)

    def elements(self, node: ast.expr) -> Kinds:
        """What the elements of an expression's value may be."""
        return self._once("elements", node, self._elements)

    def _once(self, question: str, node: ast.expr, answer: Callable[[ast.expr], Kinds]) -> Kinds:
        tree, key = self.tree, (question, node)
        if tree.rounds.is_open(key):
            if tree.depth >= _DEEPEST:
                return _UNKNOWN
            tree.rounds.round.add(key)
            tree.depth += 1
            tree.rounds.add(key, answer(node))
            tree.depth -= 1
        return tree.rounds.known.get(key, _NOTHING)

    # -- expressions --

    def _kinds(self, node: ast.expr) -> Kinds:
        if isinstance(node, ast.Constant):
            return frozenset({constant(node.value)})
        if isinstance(node, ast.Name | ast.Attribute):
            return self._name(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
            left, right = self.kinds(node.left), self.kinds(node.right)
            longer = isinstance(node.op, ast.Add | ast.Mult) and is_display(node.left, node.right)
            if longer and all(kind.form in ("list", "row", "python") for kind in (*left, *right)):
                return collected(self.elements(node))
            return operated(node.op, left, right)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return operated(node.ops[0], self.kinds(node.left), self.kinds(node.comparators[0]))
        if isinstance(node, ast.UnaryOp):
            return frozenset({BOOL}) if isinstance(node.op, ast.Not) else self.kinds(node.operand)
        if isinstance(node, ast.IfExp):
            return self.kinds(node.body) | self.kinds(node.orelse)
        if isinstance(node, ast.BoolOp):
            return self._joined(node.values)
        if isinstance(node, ast.NamedExpr):
            return self.kinds(node.value)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, DISPLAYS | _COMPREHENSIONS):
            return collected(self.elements(node))
        return frozenset({OTHER}) if isinstance(node, ast.Dict | ast.JoinedStr | ast.Lambda) else _UNKNOWN

    def _joined(self, nodes: Iterable[ast.expr]) -> Kinds:
        return _NOTHING.union(*(self.kinds(node) for node in nodes))

    def _subscript(self, node: ast.Subscript) -> Kinds:
        kinds = self.kinds(node.value)
        if kinds and all(kind.form == "array" for kind in kinds):
            one = isinstance(node.slice, ast.Constant)
            numbers = {Kind("scalar", kind.dtype) for kind in kinds if not (kind.deep and one)}
            arrays = {kind._replace(deep=False) for kind in kinds}
            return (
                kinds
                if isinstance(node.slice, ast.Slice)
                else frozenset(arrays if keeps_axes(node.slice) else arrays | numbers)
            )
        if isinstance(node.slice, ast.Slice):
            return kinds
        place = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(place, int) and isinstance(node.value, DISPLAYS) and place < len(node.value.elts):
            return self.kinds(node.value.elts[place])
        return self.elements(node.value)

    def _elements(self, node: ast.expr) -> Kinds:
        if isinstance(node, DISPLAYS):
            return _NOTHING.union(
                *(
                    self.elements(each.value) if isinstance(each, ast.Starred) else self.kinds(each)
                    for each in node.elts
                )
            )
        if isinstance(node, _COMPREHENSIONS):
            return self.kinds(node.elt)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._elements_of_name(node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self.elements(node.value)
        if isinstance(node, ast.BinOp) and is_display(node.left, node.right):
            if isinstance(node.op, ast.Add):
                return self.elements(node.left) | self.elements(node.right)
            if isinstance(node.op, ast.Mult):
                return self.elements(node.left if is_display(node.left) else node.right)
        if isinstance(node, ast.IfExp):
            return self.elements(node.body) | self.elements(node.orelse)
        if isinstance(node, ast.Call):
            word = self._builtin(node)
            if word == "range":
                return frozenset({INT})
            if word in _HOLDING and len(node.args) == 1:
                return self.elements(node.args[0])
            functions = self.functions(node)
            if functions is not None:
                return self._of_returned(functions, lambda values, value: values.elements(value))
        return parts(self.kinds(node))

    def _elements_of_name(self, node: ast.Name | ast.Attribute) -> Kinds:
        shaped = isinstance(node, ast.Name) and self.bindings.is_shape(node)
        if shaped or (isinstance(node, ast.Attribute) and node.attr == "shape"):
            return frozenset({INT})
        found = self._joined(self.bindings.filled.get(self.bindings.key(node) or (0, ""), ()))
        for values, source in self.sources(node):
            if source is None:
                found |= _UNKNOWN
            elif source.how == "value" and isinstance(source.node, ast.expr):
                found |= values.elements(source.node)
            else:
                found |= parts(values._source(source))
        return found

    # -- names --

    def _name(self, node: ast.Name | ast.Attribute) -> Kinds:
        path = dotted(self.module, self.names, node)
        if path in _CONSTANTS:
            return frozenset({FLOAT})
        if path.startswith(("tf.", "compat.", "numpy.")):
            return frozenset({OTHER})
        if isinstance(node, ast.Attribute):
            known = self._of_array(node)
            if known is not None:
                return known
        found = _NOTHING
        for values, source in self.sources(node):
            found |= _UNKNOWN if source is None else values._source(source)
        counted = UNKNOWN in found and isinstance(node, ast.Name) and self.bindings.is_count(node)
        return found - _UNKNOWN | {INT} if counted else found

    def _of_array(self, node: ast.Attribute) -> Kinds | None:
        """What an attribute of an array is."""
        if node.attr == "shape":
            return frozenset({Kind("list", "int64")})
        if node.attr in _LIMITS and isinstance(node.value, ast.Call) and len(node.value.args) == 1:
            of = node.value.args[0]
            dtype = dtype_of(of, dotted(self.module, self.names, of))
            if dtype and dotted(self.module, self.names, node.value.func) == "numpy.finfo":
                return frozenset({Kind("scalar", dtype)})
        if node.attr in _COUNTS or node.attr in _RESHAPED:
            kinds = self.kinds(node.value)
            if kinds and all(kind.form in ("array", "scalar") for kind in kinds):
                return frozenset({INT}) if node.attr in _COUNTS else kinds
        return None

    def sources(self, node: ast.Name | ast.Attribute) -> list[tuple[Values, Source | None]]:
        """All that binds a name or attribute, None where something is not known."""
        made = self.names.definition(node)
        other = self.tree.values(made[0]) if made is not None else None
        if made is not None and other is not None and other is not self:
            return other._bound(other.bindings.of_name(other.module.root, made[1]))
        if isinstance(node, ast.Name):
            scope = self.bindings.scope(node)
            return self._bound(None if scope is None else self.bindings.of_name(scope, node.id))
        if not self._is_object(node.value):
            return [(self, None)]
        every = self._bound(self.bindings.of_attribute(node.attr) or None)
        for values in self.tree.mentioning(node.attr, self.module.name):
            if found := values.bindings.of_attribute(node.attr):
                every = [pair for pair in every if pair[1] is not None] + values._bound(found)
        return every

    def _bound(self, sources: list[Source] | None) -> list[tuple[Values, Source | None]]:
        return [(self, None)] if sources is None else [(self, source) for source in sources]

    def _is_object(self, node: ast.expr) -> bool:
        """Whether an expression means an object of a class of the program, or a class."""
        if isinstance(node, ast.Name) and node.id in ("self", "cls"):
            return True
        return isinstance(node, ast.Name | ast.Attribute) and self._class_of(node, 0) is not None

    def _class_of(self, node: ast.expr, depth: int) -> tuple[Values, ast.ClassDef] | None:
        """The class that an expression is an object of, or means itself."""
        if isinstance(node, ast.Call):
            node = node.func
        if isinstance(node, ast.Name | ast.Attribute):
            home, word = self.names.definition(node) or (self.module.name, getattr(node, "id", ""))
            values = self.tree.values(home)
            if values is not None and word in values.bindings.classes:
                return values, values.bindings.classes[word]
            if depth < 2:
                return self._class_bound(node, depth)
        return None

    def _class_bound(self, node: ast.Name | ast.Attribute, depth: int) -> tuple[Values, ast.ClassDef] | None:
        """The class of the objects that are bound to a name; none while that is being asked already."""
        if node not in self._classes:
            self._classes[node] = None
            self._classes[node] = self._class_of_bound(node, depth)
        return self._classes[node]

    def _class_of_bound(self, node: ast.Name | ast.Attribute, depth: int) -> tuple[Values, ast.ClassDef] | None:
        found = set()
        for values, source in self.sources(node):
            made = source.node if source is not None and source.how == "value" else None
            found.add(values._class_of(made, depth + 1) if isinstance(made, ast.Call) else None)
        return found.pop() if len(found) == 1 else None

    def _source(self, source: Source) -> Kinds:
        """What a name is by one of its bindings."""
        node = source.node
        if source.how == "parameter" and isinstance(node, Function):
            terms = self.given(source)
            return _UNKNOWN if not terms else _NOTHING.union(*(values.kinds(each) for values, each in terms))
        if source.how == "augmented" and isinstance(node, ast.AugAssign):
            return self._augmented(node)
        if not isinstance(node, ast.expr):
            return _UNKNOWN
        if source.how == "part":
            return self._part(node, source.place)
        return self.kinds(node) if source.how == "value" else self.elements(node)

    def _augmented(self, node: ast.AugAssign) -> Kinds:
        """What an operator in place gives: an array keeps its type."""
        if not isinstance(node.target, ast.Name | ast.Attribute):
            return _UNKNOWN
        before = self.kinds(node.target)
        found = operated(node.op, before, self.kinds(node.value))
        arrays = frozenset(kind for kind in before if kind.form == "array")
        return frozenset(kind for kind in found if kind.form != "array") | arrays

    def _part(self, node: ast.expr, place: int) -> Kinds:
        """What one of the values is that an expression gives together."""
        functions = self.functions(node) if isinstance(node, ast.Call) else None
        if functions is None:
            return self.elements(node)

        def part(values: Values, value: ast.expr) -> Kinds:
            tuple_ = isinstance(value, ast.Tuple) and place < len(value.elts)
            return (
                values.kinds(value.elts[place]) if tuple_ and isinstance(value, ast.Tuple) else values.elements(value)
            )

        return self._of_returned(functions, part)

    # -- calls --

    def _builtin(self, call: ast.Call) -> str:
        """The name of Python's own function that is called."""
        word = call.func.id if isinstance(call.func, ast.Name) else ""
        return word if isinstance(call.func, ast.Name) and self.bindings.scope(call.func) is None else ""

    def _call(self, call: ast.Call) -> Kinds:
        word = self._builtin(call)
        if word in _PYTHON:
            return frozenset({_PYTHON[word]})
        if word in ("abs", "round", "sum", "max", "min") and call.args:
            return self._chosen(word, call)
        if word in (*_HOLDING, "range") and call.args:
            return collected(self.elements(call))
        symbol = dotted(self.module, self.names, call.func)
        if symbol.startswith("math."):
            return frozenset({FLOAT})
        if symbol.startswith("numpy."):
            return self._of_numpy(call, symbol.removeprefix("numpy."))
        if symbol.startswith(("tf.", "compat.")):
            return frozenset({TENSOR})
        functions = self.functions(call)
        if functions is not None:
            return self._of_returned(functions, lambda values, value: values.kinds(value))
        if isinstance(call.func, ast.Attribute):
            return self._of_method(call, call.func)
        return _UNKNOWN

    def _chosen(self, word: str, call: ast.Call) -> Kinds:
        if word in ("abs", "round"):
            return self.kinds(call.args[0])
        each = self._joined(call.args) if len(call.args) > 1 and word != "sum" else self.elements(call.args[0])
        return operated(ast.Add(), frozenset({INT}), each) if word == "sum" else each

    def _of_numpy(self, call: ast.Call, name: str) -> Kinds:
        if any(isinstance(each, ast.Starred) for each in call.args) and name not in ("random.rand", "random.randn"):
            return _UNKNOWN
        named = {keyword.arg: self.kinds(keyword.value) for keyword in call.keywords if keyword.arg is not None}
        if len(named) < len(call.keywords):
            return _UNKNOWN
        given = [_UNKNOWN if isinstance(each, ast.Starred) else self.kinds(each) for each in call.args]
        operands = operands_of(call, name)
        if operands is not None:
            kinds = [self.kinds(each) for each in operands]
            return reduce(lambda left, right: operated(PAIRS.get(name), left, right), kinds)
        if name.startswith("random."):
            return self._drawn(call, name.removeprefix("random."), given)
        found = called(name, given, self._dtype(call, name), _has_axis(call))
        shape = call.args[0] if name in ("zeros", "ones", "empty", "full") and call.args else _keyword(call, "shape")
        return _UNKNOWN if found is None else of_shape(found, shape)

    def _drawn(self, call: ast.Call, name: str, given: list[Kinds]) -> Kinds:
        place = size_place(name)
        size = _keyword(call, "size") or (call.args[place] if place is not None and len(call.args) > place else None)
        sized: bool | None = size is not None
        if isinstance(size, ast.Name | ast.Attribute):
            shaped = isinstance(size, ast.Name) and self.bindings.is_shape(size)
            sized = True if shaped or self._is_given(size) else None
        elif isinstance(size, ast.Constant) and size.value is None:
            sized = False
        found = drawn(name, given[:place] if place is not None else given, self._dtype(call, name), sized)
        several = size if place is not None else ast.Tuple(call.args, ast.Load())
        return _UNKNOWN if found is None else of_shape(found, several)

    def _is_given(self, node: ast.Name | ast.Attribute) -> bool:
        """Whether a size is a number or several: not None."""
        return not {OTHER, UNKNOWN} & self.kinds(node)

    def _of_method(self, call: ast.Call, func: ast.Attribute) -> Kinds:
        of = self.kinds(func.value)
        if any(kind == GENERATOR for kind in of) and len(of) == 1:
            return self._drawn(call, func.attr, [self.kinds(each) for each in call.args])
        if of and all(kind.form == "tensor" for kind in of):
            return _UNKNOWN if func.attr in ("eval", "numpy", "run") else of
        if func.attr == "astype" and isinstance(func.value, ast.Call):
            # Python's own numbers have no such method.
            of = frozenset(kind for kind in of if kind.form != "python")
        if not of or any(kind.form not in ("array", "scalar") for kind in of):
            return _UNKNOWN
        found = method(func.attr, of, self._dtype(call, func.attr), _has_axis(call, of_method=True))
        shape = (
            None
            if func.attr != "reshape"
            else call.args[0]
            if len(call.args) == 1
            else ast.Tuple(call.args, ast.Load())
        )
        return _UNKNOWN if found is None else of_shape(found, shape)

    def _dtype(self, call: ast.Call, name: str) -> str:
        """The type that a call asks for; `?` where that is not known."""
        place = 0 if name == "astype" else dtype_place(name)
        node = _keyword(call, "dtype") or (call.args[place] if place is not None and len(call.args) > place else None)
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return ""
        return dtype_of(node, dotted(self.module, self.names, node)) or "?"

    # -- functions --

    def functions(self, call: ast.Call) -> list[tuple[Values, Function]] | None:
        """The functions of the tree that a call may mean; None where it may mean others."""
        func = call.func
        made = self.names.definition(func)
        if made is not None:
            other = self.tree.values(made[0])
            found = None if other is None else other.bindings.function(other.module.root, made[1])
            return None if other is None or found is None else _plain([(other, found)])
        if isinstance(func, ast.Name):
            scope = self.bindings.scope(func)
            found = None if scope is None else self.bindings.function(scope, func.id)
            if found is not None:
                return _plain([(self, found)])
        if isinstance(func, ast.Attribute) and self._is_object(func.value):
            owner = None if getattr(func.value, "id", "") in ("self", "cls") else self._class_of(func.value, 0)
            values = self if owner is None else owner[0]
            if every := values.bindings.methods.get(func.attr, []):
                return _plain([(values, each) for each in every])
        called = self._called_object(func)
        return None if called is None else _plain([called])

    def _called_object(self, func: ast.expr) -> tuple[Values, Function] | None:
        """The method `__call__` of the class that a called expression is an object of."""
        owner = self._class_bound(func, 0) if isinstance(func, ast.Name | ast.Attribute) else None
        found = () if owner is None else owner[0].bindings.methods.get(_CALL, ())
        return next(((owner[0], each) for each in found if owner and owner[0].module.parents[each] is owner[1]), None)

    def _of_returned(self, functions: list[tuple[Values, Function]], ask: Callable[[Values, ast.expr], Kinds]) -> Kinds:
        found = _NOTHING
        for values, function in functions:
            nodes = returned(function)
            if nodes is None:
                return _UNKNOWN
            found |= _NOTHING.union(*(ask(values, node) for node in nodes)) if nodes else {OTHER}
        return found

    def given(self, source: Source) -> list[Term] | None:
        """What the calls of a function give for a parameter, and its default; None where not all are known."""
        if not isinstance(source.node, Function):
            return None
        function, word = key = source.node, source.word
        if key not in self._arguments:
            self._arguments[key] = None
            self._arguments[key] = self._all_given(function, word)
        return self._arguments[key]

    def _all_given(self, function: Function, word: str) -> list[Term] | None:
        calls = self._calls_of(function)
        if calls is None:
            return None
        names = parameters(function)
        bound = not isinstance(function, ast.Lambda) and isinstance(self.module.parents[function], ast.ClassDef)
        default = dict(defaults(function.args)).get(word)
        found: list[Term] = []
        for values, call in calls:
            place = names.index(word) - bound
            inside = call.args[: place + 1]
            if any(isinstance(each, ast.Starred) for each in inside) or any(each.arg is None for each in call.keywords):
                return None
            value = _keyword(call, word) or (call.args[place] if 0 <= place < len(call.args) else None)
            if value is None and default is None:
                return None
            found.append((self, default) if value is None and default is not None else (values, value or default))  # type: ignore[arg-type]
        return found

    def _calls_of(self, function: Function) -> list[tuple[Values, ast.Call]] | None:
        """All calls of a function; None where it is handed on, decorated, or called by Python itself."""
        if isinstance(function, ast.Lambda):
            return self._calls_of_lambda(function)
        if function.decorator_list:
            return None
        owner = self.module.parents[function]
        word = function.name
        if isinstance(owner, ast.ClassDef) and word == _CALL:
            return None if self._has_subclass(owner) else self._calls_of_objects(function, owner)
        if isinstance(owner, ast.ClassDef) and word.startswith("__"):
            if word != "__init__" or self._has_subclass(owner):
                return None
            word = owner.name
            owner = self.module.parents[owner]
        found = list(self._calls_here(word, function, owner))
        for values in self.tree.mentioning(word, self.module.name):
            found += values._calls_from_outside(word, self.module.name, isinstance(owner, ast.ClassDef))
        return None if None in found else [each for each in found if each is not None]

    def _calls_of_lambda(self, function: ast.Lambda) -> list[tuple[Values, ast.Call]] | None:
        """The calls of a function that nothing but a local name means."""
        bound = self.module.parents[function]
        target = bound.targets[0] if isinstance(bound, ast.Assign) and len(bound.targets) == 1 else None
        scope = self.bindings.scope(target) if isinstance(target, ast.Name) else None
        if scope is None or not isinstance(target, ast.Name) or scope.node is self.module.tree:
            return None
        if len(scope.bindings[target.id]) != 1:
            return None
        found = [
            self._as_call(node) for node in self.module.loads.get(target.id, ()) if self.bindings.scope(node) is scope
        ]
        return None if None in found else [each for each in found if each is not None]

    def _calls_of_objects(self, method: Function, owner: ast.ClassDef) -> list[tuple[Values, ast.Call]] | None:
        """The calls of a class's objects; None where one of them is handed on."""
        found = []
        for values in (self, *self.tree.mentioning(owner.name, self.module.name)):
            module = values.module
            made = [call for call in module.calls if values._class_of(call.func, 9) == (self, owner)]
            for call in made:
                bound = module.parents[call]
                targets = bound.targets if isinstance(bound, ast.Assign) else []
                if len(targets) != 1 or not isinstance(targets[0], ast.Name | ast.Attribute):
                    return None
                key = values.bindings.key(targets[0])
                word = getattr(targets[0], "id", getattr(targets[0], "attr", ""))
                for node in (*module.loads.get(word, ()), *module.attributes.get(word, ())):
                    around = module.parents[node]
                    if values.bindings.key(node) != key or not isinstance(node.ctx, ast.Load):
                        continue
                    if isinstance(around, ast.Call) and around.func is node:
                        found.append((values, around))
                    elif not isinstance(around, ast.Attribute):
                        return None
        return found

    def _has_subclass(self, owner: ast.ClassDef) -> bool:
        every = (self, *self.tree.mentioning(owner.name, self.module.name))
        return any(owner.name in values.bindings.bases for values in every)

    def _calls_here(self, word: str, function: Function, owner: ast.AST) -> Iterator[tuple[Values, ast.Call] | None]:
        """The calls in its own module, None for what hands it on."""
        if isinstance(owner, ast.ClassDef):
            yield from self._calls_from_outside(word, self.module.name, True)
            return
        scope = next((each for each in self.module.every_scope if each.node is owner), self.module.root)
        for node in self.module.loads.get(word, ()):
            if self.bindings.scope(node) is scope:
                yield self._as_call(node)

    def _calls_from_outside(self, word: str, home: str, is_method: bool) -> Iterator[tuple[Values, ast.Call] | None]:
        for attribute in self.module.attributes.get(word, ()):
            own = self.names.definition(attribute)
            of_home = own[0] == home if own is not None else is_method and not self._is_library(attribute)
            if isinstance(attribute.ctx, ast.Load) and of_home:
                yield self._as_call(attribute)
        for node in self.module.loads.get(word, ()) if not is_method else ():
            if self.names.definition(node) == (home, word):
                yield self._as_call(node)

    def _is_library(self, node: ast.Attribute) -> bool:
        return bool(dotted(self.module, self.names, node))

    def _as_call(self, node: ast.expr) -> tuple[Values, ast.Call] | None:
        call = self.module.parents[node]
        if isinstance(call, ast.ClassDef):
            return None
        return (self, call) if isinstance(call, ast.Call) and call.func is node else None


def operated(operator: Operator, left: Kinds, right: Kinds) -> Kinds:
    """What an operator gives of values: its text is written so that it gives what NumPy 1 gave."""
    return frozenset(in_numpy1(operator, one, other) for one in left for other in right)


def operands_of(call: ast.Call, name: str) -> list[ast.expr] | None:
    """The values that a function of NumPy brings to one type."""
    named = {keyword.arg for keyword in call.keywords}
    if name in PAIRS and len(call.args) == 2 and not named:
        return call.args
    if name == "where" and len(call.args) == 3 and not named:
        return call.args[1:]
    return call.args if name == "clip" and len(call.args) == 3 and not named else None


def _plain(functions: list[tuple[Values, Function]]) -> list[tuple[Values, Function]] | None:
    decorated = any(not isinstance(each, ast.Lambda) and each.decorator_list for _, each in functions)
    return None if decorated else functions


def _keyword(call: ast.Call, word: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == word), None)


def _has_axis(call: ast.Call, *, of_method: bool = False) -> bool | None:
    """Whether a call reduces an array along an axis, and not to one number."""
    axis = _keyword(call, "axis") or next(iter(call.args[0 if of_method else 1 :]), None)
    if axis is not None and not (isinstance(axis, ast.Constant) and axis.value is None):
        return True
    return bool(_keyword(call, "keepdims") or _keyword(call, "out"))
