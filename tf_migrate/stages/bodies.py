"""The statements of a body that builds a part of the graph, evaluated with what its names hold.

A body moves, or is called, as a whole; so it may do nothing but bind names of its own, and fill lists and dictionaries
that it made itself. Loops and conditions over Python values stay what they are: a function is traced through them.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from tf_migrate.stages.acting import acts
from tf_migrate.stages.attributes import is_remark
from tf_migrate.stages.averages import scope_text
from tf_migrate.stages.containers import adds_one, appended, is_named_again, list_changed
from tf_migrate.stages.gradients import makes_list
from tf_migrate.stages.inner_names import local_uses
from tf_migrate.stages.made import note_makers, variable_scopes
from tf_migrate.stages.moving import made_behind, waited_in_function
from tf_migrate.stages.scopes import counts_apart, enters, opened_by
from tf_migrate.stages.summaries import describes
from tf_migrate.stages.values import (
    PYTHON,
    SCOPE,
    TENSORS,
    Absent,
    Move,
    Refused,
    Stage,
    Value,
    combine,
    flatten,
    join,
    one_of,
    reading,
)

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_PLAINLY = "write it as plain assignments and a return"
_NEVER = Value(Stage.PYTHON)
"""What a body returns that raises an error: by identity, no value that anything else has."""
_REUSE = "reuse"
_SHAPE_ASSERTIONS = frozenset({"assert_has_rank", "assert_is_compatible_with", "assert_is_fully_defined"})
_PASSES = 8
_BOUND = ast.Name | ast.Attribute | ast.Tuple
_ROWS = TENSORS | {Stage.PYTHON, Stage.STATIC, Stage.VARIABLES, Stage.LAYER}
_HELD = TENSORS | {Stage.PYTHON, Stage.STATIC}


class Body:
    """Evaluates the statements of a body.

    `frame` holds what its names mean, `home` is the function or module that they live in, `what` says whose it is,
    `unsure` counts the blocks around that may not run, `reusing` has those whose scopes were told to reuse variables,
    `early` what is returned by some of the ways through it.
    """

    def __init__(self, evaluator: Evaluator, frame: dict[str, Value], what: str, home: ast.AST) -> None:
        self.evaluator = evaluator
        self.frame = frame
        self.what = what
        self.home = home
        self.unsure = 0
        self.reusing: set[ast.With] = set()
        self.early: list[Value] = []

    @abstractmethod
    def before(self, name: str) -> Value | None:
        """What a name means that the body has not bound so far; None where it means nothing."""

    def key_of(self, target: ast.Attribute) -> str | None:
        """The name under which a value is kept that the body stores in an attribute; None where it must not."""
        return None

    def run(self, statements: Iterable[ast.stmt]) -> Value | None:
        """The value that is returned, or None when the end is reached."""
        for statement in statements:
            if (result := self.statement(statement)) is not None:
                return result
        return None

    def statement(self, node: ast.stmt) -> Value | None:
        """The value that a statement returns; None for one that goes on."""
        if isinstance(node, ast.Return | ast.Raise):
            return _NEVER if isinstance(node, ast.Raise) else self._returned(node.value)
        if isinstance(node, ast.Assign) and (len(node.targets) == 1 or not makes_list(self.evaluator, node.value)):
            value = self.evaluator.value(node.value)
            for target in node.targets:
                self._assign(target, value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            operation = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
            self._assign(node.target, self.evaluator.value(operation))
        elif isinstance(node, ast.With) and (waited := waited_in_function(self.evaluator, node)):
            return self._behind(node.body, waited)
        elif isinstance(node, ast.With) and all(enters(self.evaluator, item, self.frame) for item in node.items):
            return self._within(node)
        elif isinstance(node, ast.If):
            return self._branch(node)
        elif isinstance(node, ast.For | ast.While):
            self._loop(node)
        elif isinstance(node, ast.Expr) and self._only_says(node.value):
            pass
        elif isinstance(node, ast.Assert):
            self._assert(node)
        elif isinstance(node, ast.FunctionDef):
            self._define(node)
        elif isinstance(node, ast.Try) and not node.orelse and not node.finalbody:
            self._attempt(node)
        elif isinstance(node, ast.Expr) and (name := list_changed(node.value)) is not None and self._owns(name):
            assert isinstance(node.value, ast.Call)
            self._put(node, name, *self.evaluator.arguments(node.value), row=adds_one(node.value))
        elif acts(self.evaluator, node):
            pass
        elif not (isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))):
            raise Refused(node, f"{self.what} does more than build a part of the graph", _PLAINLY)
        return None

    def _returned(self, node: ast.expr | None) -> Value:
        value = PYTHON if node is None else self.evaluator.value(node)
        if any(part.function in self.evaluator.nested for part in flatten([value])):
            raise Refused(node or self.home, f"{self.what} returns a function that it defines", _PLAINLY)
        return value

    def _behind(self, statements: Iterable[ast.stmt], waited: frozenset[Move]) -> Value | None:
        """The body of a block that waits for updates of averages: what it computes is made behind them."""
        for node in statements:
            if not isinstance(node, ast.Assign | ast.Return) or node.value is None:
                raise Refused(node, "something else than tensors is made where averages are moved first", _PLAINLY)
            value = made_behind(self.evaluator, node.value, self.evaluator.value(node.value), waited)
            if isinstance(node, ast.Return):
                return value
            for target in node.targets:
                self._assign(target, value)
        return None

    def _within(self, node: ast.With) -> Value | None:
        """The body of scopes: in one that has a name, layers are counted by themselves, each time it is entered."""
        outer, self.evaluator.creates = self.evaluator.creates, set()
        makers, self.evaluator.makers = self.evaluator.makers, set()
        opening = [item.context_expr for item in node.items]
        entered = variable_scopes(self.evaluator, node.items)
        self.evaluator.opened.append(scope_text(self.evaluator, opening))
        self.evaluator.within += entered
        try:
            result = self.run(node.body)
        finally:
            self.evaluator.opened.pop()
            del self.evaluator.within[len(self.evaluator.within) - len(entered) :]
            made, self.evaluator.creates = self.evaluator.creates, outer
            making, self.evaluator.makers = self.evaluator.makers, makers
        if _REUSE not in made and any(counts_apart(self.evaluator, call) for call in opening):
            made = {"named" if kind == "layer" else kind for kind in made}
        outer |= made
        note_makers(self.evaluator, making, opening, reused=node in self.reusing)
        return result

    def _only_says(self, node: ast.expr) -> bool:
        """Whether a statement says something of tensors or scopes, or describes a tensor."""
        return self._says_shape(node) or self._asks_to_reuse(node) or describes(self.evaluator, node)

    def _says_shape(self, node: ast.expr) -> bool:
        """Whether a statement only says what static shape a tensor has: `image.set_shape([28, 28])`."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return False
        if node.func.attr in _SHAPE_ASSERTIONS:
            said = flatten([self.evaluator.value(node.func.value), *self.evaluator.arguments(node)])
            return all(value.stage in (Stage.PYTHON, Stage.STATIC) for value in said)
        if node.func.attr != "set_shape":
            return False
        given = list(flatten(self.evaluator.arguments(node)))
        tensor = self.evaluator.value(node.func.value)
        return tensor.stage is Stage.TENSOR and tensor.parts is None and all(not value.is_graph for value in given)

    def _asks_to_reuse(self, node: ast.expr) -> bool:
        """Whether a statement says that a scope which is open asks for variables that are there already."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)) or node.args or node.keywords:
            return False
        asks = node.func.attr == "reuse_variables" and self.evaluator.value(node.func.value).symbol == SCOPE.symbol
        surely = asks and not self.unsure
        block = opened_by(self.evaluator.module, self.evaluator.names, node.func.value) if surely else None
        if block is not None and not self.evaluator.makers:
            self.reusing.add(block)
        elif asks:
            # Whoever makes the variables has to come first.
            self.evaluator.creates.add(_REUSE)
        return asks

    def _assert(self, node: ast.Assert) -> None:
        """An assertion about Python values and static shapes: they are the same when a function is traced."""
        said = [self.evaluator.value(part) for part in (node.test, node.msg) if part is not None]
        if any(value.stage not in (Stage.PYTHON, Stage.STATIC) for value in flatten(said)):
            raise Refused(node, "a tensor is asserted", "use tf.debugging.Assert")

    def _define(self, node: ast.FunctionDef) -> None:
        """A function inside the body: it sees the names of the body as they are when it is called."""
        defaults = [item for item in (*node.args.defaults, *node.args.kw_defaults) if item is not None]
        if node.decorator_list or any(value.is_graph for value in flatten(map(self.evaluator.value, defaults))):
            raise Refused(node, f"`{node.name}`, inside {self.what}, is decorated or has defaults of a graph", _PLAINLY)
        self.evaluator.nested[node] = tuple(self.evaluator.visible())
        self.frame[node.name] = Value(Stage.PYTHON, function=node)

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.frame[target.id] = value
        elif isinstance(target, ast.Tuple) and all(isinstance(item, _BOUND) for item in target.elts):
            parts = value.parts if value.parts is not None and len(value.parts) == len(target.elts) else None
            for index, item in enumerate(target.elts):
                self._assign(item, parts[index] if parts is not None else one_of(value))
        elif isinstance(target, ast.Attribute) and (key := self.key_of(target)) is not None:
            self.frame[key] = value
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and self._owns(target.value.id):
            places = list(flatten([self.evaluator.value(target.slice)]))
            if any(known.stage not in (Stage.PYTHON, Stage.STATIC) for known in places):
                raise Refused(target, f"{self.what} stores a value at a place that is a tensor", _PLAINLY)
            self._put(target, target.value.id, value, row=True)
        elif not (isinstance(target, ast.Attribute) and is_remark(self.frame, target, value)):
            raise Refused(target, f"{self.what} stores a value outside", _PLAINLY)

    def _put(self, node: ast.AST, name: str, *values: Value, row: bool = False) -> None:
        """Changes a list or dictionary that takes values: how many it holds is known no more, but what they are."""
        held = self.frame[name] if name in self.frame else self.before(name) or PYTHON
        rows = appended(held, *values) if row else None
        if rows is not None and all(part.stage in _ROWS and part.function is None for part in flatten([rows])):
            self.frame[name] = rows
            return
        parts = list(flatten([held, *values]))
        if any(part.stage not in _HELD or part.function is not None for part in parts):
            raise Refused(node, f"`{name}` takes something of the graph that is no tensor", _PLAINLY)
        if all(part.stage in (Stage.PYTHON, Stage.STATIC) for part in parts):
            self.frame[name] = Value(Stage.STATIC, several=True) if any(part.is_graph for part in parts) else PYTHON
            return
        variables = tuple(dict.fromkeys(variable for part in parts for variable in part.variables))
        known = combine(parts)
        self.frame[name] = replace(known, variables=variables, sized=False, several=True, loose=reading(parts))

    def _owns(self, name: str) -> bool:
        """Whether a name means a list or dictionary that the body, or the script, made, and that has no other name."""
        module = self.evaluator.module
        bound = next(scope.bindings.get(name, []) for scope in module.every_scope if scope.node is self.home)
        made = [isinstance(value, ast.expr) and makes_list(self.evaluator, value) for value in bound]
        return bool(made) and all(made) and not any(is_named_again(module, node) for node in module.loads.get(name, []))

    def _attempt(self, node: ast.Try) -> None:
        """`try` stays as it is: which of its blocks come to their ends is known only when the function is called."""
        before = dict(self.frame)
        ends = []
        self.unsure += 1
        for body in (node.body, *(handler.body for handler in node.handlers)):
            if any(isinstance(inner, ast.Return | ast.Raise) for statement in body for inner in ast.walk(statement)):
                raise Refused(node, f"{self.what} returns from a `try`", _PLAINLY)
            with suppress(*([] if body is node.body else [Absent])):
                # A handler that asks for what TensorFlow 1.15 had no more fails as it did there.
                self.run(body)
                ends.append(dict(self.frame))
            # A handler begins where the block above it failed: before or behind any of its statements.
            self._mix(before, ends[0])
        self.unsure -= 1
        self.frame.update(ends[0])
        for end in ends[1:]:
            self._mix(self.frame, end)

    def _mix(self, left: dict[str, Value], right: dict[str, Value]) -> None:
        """Gives each name the value of one of two frames."""
        mixed = {}
        for name in (*left, *(name for name in right if name not in left)):
            first = left.get(name, self.before(name) if name not in left else None)
            second = right.get(name, self.before(name) if name not in right else None)
            # A name that means nothing on one way is read on the other one only.
            known = join(first, second) if first is not None and second is not None else first or second
            assert known is not None
            mixed[name] = known
        self.frame.update(mixed)

    def _loop(self, node: ast.For | ast.While) -> None:
        """A loop over Python values: what its names mean behind it, however often it goes round."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Return | ast.Break | ast.Continue):
                raise Refused(inner, f"{self.what} leaves a loop early", "let the loop run to its end")
        if node.orelse:
            raise Refused(node, f"{self.what} has an `else` behind a loop", "leave the `else` out")
        self.unsure += 1
        self._goes_round(node, self._items(node))
        self.unsure -= 1

    def _goes_round(self, node: ast.For | ast.While, items: Value | tuple[Value, ...] | None) -> None:
        if isinstance(items, tuple) and isinstance(node, ast.For):
            for item in items:
                self._assign(node.target, item)
                with self.evaluator.inside(object()):
                    self.run(node.body)
            return
        for _ in range(_PASSES):
            start = dict(self.frame)
            if isinstance(node, ast.For) and isinstance(items, Value):
                self._assign(node.target, items)
                # Nothing reads behind a loop what its target meant before it.
                start = {**dict(self.frame), **start}
            with self.evaluator.inside(object()):
                self.run(node.body)
            self._mix(start, dict(self.frame))
            if self.frame == start:
                return
        raise Refused(node, f"what the names of a loop of {self.what} mean is not known", _PLAINLY)

    def _items(self, node: ast.For | ast.While) -> Value | tuple[Value, ...] | None:
        """What a loop binds: each of the values that are known, or one that stands for all of them."""
        if isinstance(node, ast.While):
            if self.evaluator.value(node.test).stage not in (Stage.PYTHON, Stage.STATIC):
                raise Refused(node, "a tensor is used as a condition", "use tf.while_loop")
            return None
        iterated = self.evaluator.value(node.iter)
        if iterated.parts is not None and iterated.several:
            return iterated.parts[0]
        if iterated.parts is not None:
            return iterated.parts if iterated.keys is None else (PYTHON,) * len(iterated.parts)
        if iterated.several:
            return replace(one_of(iterated), variables=iterated.variables, fed=iterated.fed)
        if iterated.stage not in (Stage.PYTHON, Stage.STATIC):
            raise Refused(node, "a loop goes through a tensor", "use tf.map_fn or tf.while_loop")
        return Value(iterated.stage)

    def _branch(self, node: ast.If) -> Value | None:
        test = self.evaluator.value(node.test)
        if test.stage not in (Stage.PYTHON, Stage.STATIC):
            raise Refused(node, "a tensor is used as a condition", "use tf.cond or tf.where")
        if test.truth is not None:
            return self.run(node.body if test.truth else node.orelse)
        before = dict(self.frame)
        results = []
        frames = []
        self.unsure += 1
        for body in (node.body, node.orelse):
            self.frame.clear()
            self.frame.update(before)
            results.append(self.run(body))
            frames.append(dict(self.frame))
        self.unsure -= 1
        if _NEVER in (kept := [result if result is _NEVER else None for result in results]):
            # The other branch is the one that goes on.
            other = 1 if kept[0] is _NEVER else 0
            self.frame.clear()
            self.frame.update(frames[other])
            return results[other]
        self.frame.clear()
        self._mix(frames[0], frames[1])
        if results[0] is not None and results[1] is not None:
            return join(results[0], results[1])
        if (early := results[0] or results[1]) is not None:
            self.frame.update(frames[0] if results[1] is not None else frames[1])
            if early.stage is not Stage.TENSOR:
                raise Refused(node, f"{self.what} returns different kinds of values", _PLAINLY)
            self.early.append(early)
        return None


class FunctionBody(Body):
    """The body of one of the module's functions."""

    def __init__(self, evaluator: Evaluator, frame: dict[str, Value], function: ast.FunctionDef) -> None:
        super().__init__(evaluator, frame, f"`{function.name}`", function)
        for inner in ast.walk(function):
            if isinstance(inner, ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await):
                raise Refused(inner, f"{self.what} does more than build a part of the graph", _PLAINLY)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and self._is_own(inner):
                frame.setdefault(inner.id, PYTHON)

    def result(self, statements: Iterable[ast.stmt]) -> Value:
        """What the function returns: one of several values, where it has several ways to its end."""
        last = self.run(statements) or PYTHON
        ways = self.early if last is _NEVER and self.early else [last, *self.early]
        return reduce(join, ways)

    def _is_own(self, name: ast.Name) -> bool:
        module = self.evaluator.module
        return name not in module.parents or module.function_of(name) is self.home

    def key_of(self, target: ast.Attribute) -> str | None:
        """The attribute of an object that a function inside a method uses as a local name."""
        key = self.evaluator.key_of(target)
        uses = local_uses(self.evaluator, self.home, target) if key is not None else ()
        self.evaluator.used_locally.update(dict.fromkeys(uses))
        return key if uses else None

    def before(self, name: str) -> Value | None:
        """Every local name is in the frame."""
        return None
