"""Statements."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence

from tf_migrate.interpreter.core import BREAK, CONTINUE, NEXT, RAISE, RETURN
from tf_migrate.interpreter.expressions import Expressions
from tf_migrate.interpreter.heap import Log
from tf_migrate.interpreter.scopes import bound_names
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    NONE,
    Arguments,
    Builtin,
    Class,
    Const,
    External,
    Frame,
    Function,
    Instance,
    Items,
    Node,
    Table,
    Thing,
    Union,
    Unknown,
    Value,
    Wrapped,
    items_of,
    join,
    key_of,
    options,
)

_DEEPEST_TWICE = 2
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
MOST_GUESSES = 2
Work = Callable[[], object]


class Statements(Expressions):
    """What statements do."""

    def block(self, body: Sequence[ast.stmt]) -> str:
        """Executes statements; tells how they ended."""
        for position, node in enumerate(body, 1):
            flow = self.execute(node)
            if flow != NEXT:
                return flow
            if self.frame.leaves and position < len(body):
                return self.perhaps(lambda rest=body[position:]: self.block(rest))  # type: ignore[misc]
        return NEXT

    def execute(self, node: ast.stmt) -> str:
        """Executes one statement."""
        self.spend()
        frame = self.frame
        self.recorder.reached.add(node)
        self.recorder.owner[node] = frame.module
        frame.statements.append(node)
        if isinstance(node, _LOOPS):
            self.recorder.loops.setdefault((id(frame), node), self.heap.time)
        try:
            method = self._methods.get(type(node))
            if method is None:
                method = self._methods[type(node)] = getattr(self, f"_do_{type(node).__name__.lower()}", _nothing)
            flow: str = method(node) or NEXT
            if self.ends:
                self.ends = False
                flow = RAISE
        finally:
            frame.statements.pop()
            time = self.heap.tick()
        if flow == NEXT:
            self.recorder.ends[(id(frame), node)].append(time)
            self.recorder.default_graphs[id(frame), time] = self.graph
        return flow

    # -- simple statements --

    def _do_expr(self, node: ast.Expr) -> None:
        self.evaluate(node.value)

    def _do_assign(self, node: ast.Assign) -> None:
        value = self.evaluate(node.value)
        for target in node.targets:
            self.assign(target, value)

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value))

    def _do_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        old = self.name(target.id, target) if isinstance(target, ast.Name) else self.evaluate(target)
        value = self.evaluate(node.value)
        if isinstance(old, Items) and old.kind == "list" and isinstance(node.op, ast.Add):
            known, more = self.elements(value, node)
            self.extend(old, known, more)
            return
        self.assign(target, self.operator(node.op, old, value, node))

    def extend(self, cell: Items, known: Sequence[Value], more: Value | None) -> None:
        """Appends to a list."""
        rest = cell.slots.get("rest")
        if rest is None:
            self.new_list(cell, [*items_of(cell), *known])
        else:
            rest = functools.reduce(join, known, rest)
            self.heap.write(cell, "rest", rest)
        if more is not None:
            self.heap.write(cell, "rest", more if rest is None else join(rest, more))

    def _do_return(self, node: ast.Return) -> str:
        self.frame.returns.append(NONE if node.value is None else self.evaluate(node.value))
        return RETURN

    def _do_raise(self, node: ast.Raise) -> str:
        if node.exc is not None:
            self.evaluate(node.exc)
        return RAISE

    def _do_break(self, node: ast.Break) -> str:
        return BREAK

    def _do_continue(self, node: ast.Continue) -> str:
        return CONTINUE

    def _do_assert(self, node: ast.Assert) -> None:
        self.evaluate(node.test)
        message = node.msg
        if message is not None and self.guesses < MOST_GUESSES:
            self.aside(lambda: self.evaluate(message))

    def _do_delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.heap.write(self.frame, target.id, ABSENT)
            elif isinstance(target, ast.Subscript):
                key = self.evaluate(target.slice)
                for cell in options(self.evaluate(target.value)):
                    self.delete_item(cell, key, node)
            elif isinstance(target, ast.Attribute):
                self.store_attribute(self.evaluate(target.value), target.attr, ABSENT, target)

    def delete_item(self, cell: Value, key: Value, node: ast.Delete) -> None:
        """Deletes an item of a container."""
        method = self.attribute(cell, "pop", node) if isinstance(cell, Items | Table) else ABSENT
        if method is not ABSENT:
            self.call(method, Arguments((key,)), node)

    # -- definitions --

    def _do_functiondef(self, node: ast.FunctionDef) -> None:
        value: Value = self.function(node)
        for decorator in reversed(node.decorator_list):
            value = self.decorated(self.evaluate(decorator), value, decorator)
        self.bind(node.name, value)

    _do_asyncfunctiondef = _do_functiondef

    def decorated(self, decorator: Value, value: Value, node: ast.expr) -> Value:
        """What a decorator makes of a function or class."""
        if isinstance(decorator, Builtin) and decorator.name in ("property", "staticmethod", "classmethod"):
            return Wrapped(decorator.name, value)
        self.frame.calls.append(node)
        try:
            return self.call(decorator, Arguments((value,)), node)
        finally:
            self.frame.calls.pop()

    def _do_classdef(self, node: ast.ClassDef) -> None:
        bases = [self.evaluate(base) for base in node.bases]
        for keyword in node.keywords:
            self.evaluate(keyword.value)
        cls = Class(
            node.name, node, [base for base in bases if not (isinstance(base, Builtin) and base.name == "object")]
        )
        self.recorder.classes.append(cls)
        frame = Frame("class", self.frame.code, self.frame.module, self.frame, self.frame.top)
        self.stack.append(frame)
        try:
            self.block(node.body)
        finally:
            self.stack.pop()
        for name, value in frame.slots.items():
            if isinstance(name, str):
                self.heap.write(cls, name, owned(value, cls))
        made: Value = cls
        for decorator in reversed(node.decorator_list):
            found = self.decorated(self.evaluate(decorator), cls, decorator)
            made = found if isinstance(found, Class) else made
        self.bind(node.name, made)

    def _do_import(self, node: ast.Import) -> None:
        self.import_names(node)

    def _do_importfrom(self, node: ast.ImportFrom) -> None:
        self.import_names(node)

    def import_names(self, node: ast.Import | ast.ImportFrom) -> None:
        """Binds what an import brings."""
        raise NotImplementedError

    # -- targets --

    def bind(self, name: str, value: Value) -> None:
        """Binds a name where the frame on top binds it."""
        frame = self.frame
        if frame.kind == "function" and name not in frame.local:
            frame = self._outer_of(frame, name)
        self.heap.write(frame, name, value)

    def _outer_of(self, frame: Frame, name: str) -> Frame:
        if name in bound_names(frame.code).nonlocals:
            outer = frame.outer
            while outer is not None and outer.kind == "function" and name not in outer.local:
                outer = outer.outer
            if outer is not None:
                return outer
        return frame.top

    def assign(self, target: ast.expr, value: Value) -> None:
        """Binds a target."""
        if isinstance(target, ast.Name):
            self.note_session(target, value)
            self.bind(target.id, value)
        elif isinstance(target, ast.Attribute):
            self.note_session(target, value)
            for owner in options(self.evaluate(target.value)):
                if isinstance(owner, Unknown):
                    self.bound_unseen.add(target.attr)
                self.store_attribute(owner, target.attr, value, target)
        elif isinstance(target, ast.Subscript):
            self._assign_item(target, value)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)

    def _assign_item(self, target: ast.Subscript, value: Value) -> None:
        key = self.evaluate(target.slice)
        for cell in options(self.evaluate(target.value)):
            if isinstance(cell, Table):
                self.put(cell, key, value)
            elif isinstance(cell, Items):
                known = items_of(cell)
                position = key.value if isinstance(key, Const) and isinstance(key.value, int) else None
                if position is not None and -len(known) <= position < len(known):
                    values = list(known)
                    values[position] = value
                    self.new_list(cell, values)
                else:
                    self.new_list(cell, [join(item, value) for item in known])
                    if "rest" in cell.slots:
                        self.heap.write(cell, "rest", join(cell.slots["rest"], value))
            elif isinstance(cell, Thing):
                if cell.kind == "namespace" and isinstance(key, Const) and cell.inner is not None:
                    self.store_attribute(cell.inner, str(key.value), value, target)
            elif isinstance(cell, Instance):
                method = self.attribute(cell, "__setitem__", target)
                if method is not ABSENT and not isinstance(method, Unknown):
                    self.call(method, Arguments((key, value)), target)

    def _unpack(self, target: ast.Tuple | ast.List, value: Value) -> None:
        count = len(target.elts)
        starred = next((at for at, each in enumerate(target.elts) if isinstance(each, ast.Starred)), None)
        parts = self.unpacked(value, count, target) if starred is None else None
        if parts is None:
            known, more = self.elements(value, target)
            if starred is not None and more is None and len(known) >= count - 1:
                behind = count - 1 - starred
                middle = self.items("list", known[starred : len(known) - behind])
                parts = (*known[:starred], middle, *known[len(known) - behind :])
            else:
                rest = functools.reduce(join, known, DATA if more is None else more)
                parts = tuple(
                    self.items("list", (), rest) if isinstance(each, ast.Starred) else rest for each in target.elts
                )
        for each, part in zip(target.elts, parts, strict=True):
            self.assign(each, part)

    def unpacked(self, value: Value, count: int, node: ast.AST) -> tuple[Value, ...] | None:
        """A value as so many parts; None where that is not known."""
        if isinstance(value, Node):
            # As in `elements`: what can be unpacked in a graph is a structure of tensors, and nothing is built.
            kind = "unknown" if value.kind == "unknown" else "tensor"
            found_ = [value.part(key_of(Const(position)), kind) for position in range(count)]
            return tuple(part.part_of(value) if isinstance(part, Node) else part for part in found_)
        if isinstance(value, Union):
            rows = [self.unpacked(option, count, node) for option in value.options]
            found = [row for row in rows if row is not None]
            if len(found) < len(rows):
                return None
            parts = list(found[0])
            for row in found[1:]:
                parts = [join(one, other) for one, other in zip(parts, row, strict=True)]
            return tuple(parts)
        known, more = self.elements(value, node)
        if more is None and len(known) == count:
            return known
        if more is not None and not known:
            return (more,) * count
        return None

    # -- ways --

    def _do_if(self, node: ast.If) -> str:
        answer = self.truth(self.evaluate(node.test))
        if answer is not None:
            taken, other = (node.body, node.orelse) if answer else (node.orelse, node.body)
            self._look_along(other, lambda work: self.on_way(node.test, not answer, work))
            flow = self.block(taken)
            if flow == RAISE and self.frame.kind == "module" and not any(self.caught):
                return self.block(other)  # a person is to change what decides it: `DATA = ""`
            return flow
        ways = [self.on_way(node.test, True, lambda: self.block(node.body))]
        return self.fork([*ways, self.on_way(node.test, False, lambda: self.block(node.orelse))])

    def _look_along(self, body: Sequence[ast.stmt], way: Callable[[Work], Work]) -> None:
        """Looks at statements that are not executed, or at each branch of `elif`s as if those before were not so."""
        node = body[0] if body else None
        if len(body) > 1 or not isinstance(node, ast.If):
            self._look_at(body, way(lambda: self.block(body)))
            return

        def along(answer: bool, work: Work) -> Work:
            return way(lambda: (self.evaluate(node.test), self.on_way(node.test, answer, work)()))

        self._look_at(node.body, along(True, lambda: self.block(node.body)))
        self._look_along(node.orelse, lambda work: along(False, work))

    def _look_at(self, body: Sequence[ast.stmt], work: Work) -> None:
        """Goes once through statements that are not executed, so that what they would run is known; changes nothing."""
        if not body or body[0] in self._seen or body[0] in self.recorder.reached or self.guesses >= MOST_GUESSES:
            return
        self._seen.add(body[0])
        self.aside(work)

    def look_beside(self, node: ast.AST, work: Work) -> None:
        """Goes once through what the program passes by, so that what it would run is known; changes nothing."""
        known = node in self._seen or self.guesses >= MOST_GUESSES
        if not known and any(isinstance(each, ast.Call | ast.comprehension) for each in ast.walk(node)):
            self._seen.add(node)
            self.aside(work)

    def aside(self, work: Work) -> None:
        """Does what the program may never do, so that what it would run is known; changes nothing."""
        self.guesses += 1
        returns, past = len(self.frame.returns), dict(self.past)
        last, made = dict(self.last_sessions), self.sessions_made
        try:
            self.heap.attempt(work)
        finally:
            self.guesses -= 1
            self.past, self.last_sessions, self.sessions_made = past, last, made
            del self.frame.returns[returns:]

    _seen: set[ast.AST]

    def _do_for(self, node: ast.For) -> str:
        known, more = self.elements(self.evaluate(node.iter), node.iter)
        if more is None and not known:
            self._look_at(node.body, lambda: self._turn(node, DATA))
        if more is None and len(known) <= self.most_turns:
            flow = self._known_turns(node, known)
            self.arrives(BREAK)
            return NEXT if flow == BREAK else flow
        element = DATA if more is None else more
        for item in known[: self.most_turns]:
            element = join(element, item) if not (more is None and element is DATA) else item
        return self._like_turns(node, element, at_least_once=False)

    def _turn(self, node: ast.For, element: Value) -> str:
        self.assign(node.target, element)
        return self.block(node.body)

    def _like_turns(self, node: ast.For, element: Value, *, at_least_once: bool) -> str:
        """The turns of a loop that are not told apart."""

        def turn() -> str:
            return self._turn(node, element)

        flow = self._turns(turn, at_least_once=at_least_once)
        return flow if flow != NEXT else self.block(node.orelse)

    def _known_turns(self, node: ast.For, items: Sequence[Value]) -> str:
        left, events = self.left, self.events
        for position, item in enumerate(items, 1):
            self.assign(node.target, item)
            ends = self._known_turn(node.body)
            if ends is not None:
                return ends
            rest = items[position:]
            if self.frame.leaves:
                return self.perhaps(lambda rest=rest: self._known_turns(node, rest))  # type: ignore[misc]
            if rest and self.events == events and left - self.left > self.most_idle:
                return self._like_turns(node, functools.reduce(join, rest), at_least_once=True)
        return self.block(node.orelse)

    def _known_turn(self, body: Sequence[ast.stmt]) -> str | None:
        """One turn of a loop that is certain; tells how the loop ends by it, None where it goes on."""
        flow = self.block(body)
        self.arrives(CONTINUE)
        if flow == BREAK:
            return NEXT
        return flow if flow in (RETURN, RAISE) else None

    _do_asyncfor = _do_for

    def _do_while(self, node: ast.While) -> str:
        turns = 0
        left, events = self.left, self.events
        while not isinstance(node.test, ast.Constant):
            answer = self.truth(self.evaluate(node.test))
            if answer is False:
                if not turns:
                    self._look_at(node.body, lambda: self.block(node.body))
                return self.block(node.orelse)
            idle = self.events == events and left - self.left > self.most_idle
            if answer is None or turns >= self.most_turns or idle:
                break
            turns += 1
            ends = self._known_turn(node.body)
            if ends is not None:
                return ends
            if self.frame.leaves:
                break

        def turn() -> str:
            flow = self.block(node.body)
            if flow == NEXT:
                self.evaluate(node.test)
            return flow

        certain = isinstance(node.test, ast.Constant) and bool(node.test.value)
        if not self.frame.leaves:
            return self._turns(turn, at_least_once=certain)
        flow = self.perhaps(lambda: self._turns(turn, at_least_once=certain))
        self.arrives(BREAK)
        return flow

    def _turns(self, turn: Callable[[], str], at_least_once: bool) -> str:
        """The turns of a loop of which nobody knows how many there are."""

        def attempted() -> tuple[str, Log]:
            with self.repeated():
                return self.heap.attempt(turn)

        flow, log = attempted()
        self.arrives(BREAK, CONTINUE)
        if flow == RETURN:
            if at_least_once:
                self.heap.merge([log])
                return RETURN
            self.frame_ends(log)
            self.frame.leaves |= {RETURN}
            return NEXT
        if flow == RAISE:
            return NEXT
        self.heap.merge([log], exhaustive=at_least_once)
        if log and self.loops < _DEEPEST_TWICE:
            left, self.frame.leaves = self.frame.leaves, frozenset()
            flow, log = attempted()
            self.frame.leaves |= left
            self.arrives(BREAK, CONTINUE)
            if flow == RETURN:
                self.frame_ends(log)
                self.frame.leaves |= {RETURN}
            elif flow != RAISE:
                self.heap.merge([log], exhaustive=False)
        return NEXT

    def _do_with(self, node: ast.With) -> str:
        leaving: list[Callable[[], None]] = []
        goes_on = False
        try:
            for item in node.items:
                value = self.evaluate(item.context_expr)
                goes_on = goes_on or self.goes_on(value)
                entered, leave = self.enter(value, item.context_expr)
                leaving.append(leave)
                if item.optional_vars is not None:
                    self.assign(item.optional_vars, entered)
            expects = any(expects_error(item.context_expr) for item in node.items)
            events, runs = self.events, self.run_count
            self.caught.append(self._named(_given_exceptions(node)))
            try:
                flow = self.block(node.body)
            finally:
                self.caught.pop()
            # What only builds stands in a block of building, which does not see the error.
            if expects and self.events > events and self.run_count > runs and not self.outlives_errors:
                self.half_built[id(self.graph)] = self.graph, self.frame.module, node
            return NEXT if (expects or goes_on) and flow == RAISE else flow
        finally:
            for leave in reversed(leaving):
                leave()

    _do_asyncwith = _do_with

    def enter(self, value: Value, node: ast.expr) -> tuple[Value, Callable[[], None]]:
        """What a context manager gives, and what leaves it."""
        raise NotImplementedError

    def goes_on(self, value: Value) -> bool:
        """Whether a program may go on behind a context manager's block that ended with an error."""
        raise NotImplementedError

    def _do_try(self, node: ast.Try) -> str:
        self.raised.append([])
        self.caught.append(self._named([handler.type for handler in node.handlers]))
        try:
            flow, log = self.heap.kept(lambda: self.block([*node.body, *node.orelse]))
        finally:
            self.caught.pop()
        raised = self.raised.pop()
        left, self.frame.leaves = self.frame.leaves, frozenset()
        if node.handlers:
            ways: list[Callable[[], str]] = [] if flow == RAISE else [lambda: NEXT]
            ways += [self._handler(handler, log, raised) for handler in node.handlers]
            handled = self.fork(ways)
            if flow == RAISE:
                flow = handled
        elif self.raised:
            self.raised[-1] += raised
        left, self.frame.leaves = left | self.frame.leaves, frozenset()
        last = self.block(node.finalbody)
        self.frame.leaves |= left
        return last if last != NEXT else flow

    _do_trystar = _do_try

    def _named(self, exceptions: Sequence[ast.expr | None]) -> frozenset[str]:
        """The names of exceptions, without their modules; None stands for all."""
        found: set[str] = set()
        for node in exceptions:
            if node is None:
                found.add("BaseException")
            elif isinstance(node, ast.Tuple):
                found |= self._named(node.elts)
            elif isinstance(node, ast.Name | ast.Attribute):
                value = self.evaluate(node)
                items = items_of(value) if isinstance(value, Items) else ()
                origins = [each.origin for each in (value, *items) if isinstance(each, External)]
                found.update(origin.rpartition(".")[2] for origin in origins or [ast.unparse(node)])
        return frozenset(found)

    def _handler(self, handler: ast.ExceptHandler, log: Log, raised: Sequence[Log]) -> Callable[[], str]:
        def way() -> str:
            self.heap.loosen(log)  # anything of the body may have raised
            self.heap.merge(raised, exhaustive=False)
            if handler.type is not None:
                self.evaluate(handler.type)
            if handler.name:
                self.bind(handler.name, DATA)
            return self.block(handler.body)

        return way

    def _do_match(self, node: ast.Match) -> str:
        self.evaluate(node.subject)
        for case in node.cases:
            for inner in ast.walk(case.pattern):
                name = getattr(inner, "name", None) or getattr(inner, "rest", None)
                if isinstance(name, str):
                    self.bind(name, Unknown("a pattern bound it", inner))
        return self.fork([lambda case=case: self.block(case.body) for case in node.cases] + [lambda: NEXT])


def _given_exceptions(node: ast.With) -> list[ast.expr]:
    """What context managers are given that leave out exceptions: `contextlib.suppress(E)`, `pytest.raises(E)`."""
    calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
    leaving = ("suppress", "raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assertRaisesOpError")
    return [arg for call in calls if ast.unparse(call.func).rpartition(".")[2] in leaving for arg in call.args]


def _nothing(node: ast.AST) -> None:
    """Executes a statement that does nothing here."""


def owned(value: Value, cls: Class) -> Value:
    """A function as a class keeps it, so that `super()` in it knows its class."""
    if isinstance(value, Function) and value.owner is None:
        return Function(value.node, value.frame, value.defaults, value.keyword_defaults, cls)
    if isinstance(value, Wrapped):
        setter = None if value.setter is None else owned(value.setter, cls)
        return Wrapped(value.kind, owned(value.function, cls), setter)
    return value


def expects_error(node: ast.expr) -> bool:
    """Whether an expression of a test expects an error: `self.assertRaises(ValueError)`."""
    function = node.func if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Attribute) and (
        function.attr.startswith("assertRaises") or function.attr == "raises"
    )
