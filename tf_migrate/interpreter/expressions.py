"""Expressions."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf_migrate.interpreter import operators
from tf_migrate.interpreter.core import Core, T, opaque_of
from tf_migrate.interpreter.values import (
    ABSENT,
    ANY_NAME,
    DATA,
    NONE,
    Arguments,
    Builtin,
    Const,
    Frame,
    Function,
    Generator,
    Instance,
    Items,
    Missing,
    Node,
    Table,
    Thing,
    Union,
    Unknown,
    Value,
    items_of,
    join,
    join_all,
    key_of,
    options,
    present,
)
from tf_migrate.syntax.none_tests import none_test
from tf_migrate.syntax.run_texts import names_session

_NOTED = frozenset({ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.IfExp, ast.BoolOp})
_LONGEST = 64
_NEGATED = {True: False, False: True, None: None}


class Expressions(Core):
    """The values of expressions."""

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression in the frame on top."""
        kind = type(node)
        method = self._methods.get(kind)
        if method is None:
            method = self._methods[kind] = getattr(self, f"_{kind.__name__.lower()}", _data)
        value: Value = method(node)
        if kind in _NOTED:
            self.note_session(node, value)
        return value

    _methods: dict[type[ast.AST], Callable[[Any], Any]]

    def note_session(self, node: ast.AST, value: Value) -> None:
        """Keeps of an expression or a parameter whether it is a session."""
        for option in options(value):
            if isinstance(option, Thing) and option.kind in ("session", "entered_session"):
                self.recorder.sessions[node].add("session")
            elif isinstance(option, Thing) and option.kind == "graph" and option.origin == "tf.Graph":
                self.recorder.sessions[node].add("graph")
            elif option is NONE:
                self.recorder.sessions[node].add("none")
            elif not isinstance(option, Missing):
                self.recorder.plain.add(node)

    # -- names --

    def _constant(self, node: ast.Constant) -> Value:
        return NONE if node.value is None else Const(node.value)

    def _name(self, node: ast.Name) -> Value:
        return self.name(node.id, node)

    def name(self, name: str, node: ast.AST) -> Value:
        """What a name means in the frame on top."""
        frame: Frame | None = self.frame
        first = True
        while frame is not None:
            if first or frame.kind != "class":
                declared = frame is frame.top or name in frame.local or frame.kind == "class"
                found = self.heap.read(frame, name) if declared else ABSENT
                if found is not ABSENT:
                    return present(found)
                if name in frame.local and frame is not frame.top and frame.kind == "function":
                    return Unknown(f"`{name}` is not bound on every way", node)
            frame, first = frame.outer, False
        top = self.frame.top
        if "*" in top.slots:
            return Unknown(f"`{name}` may come from a star import", node)
        if name == "__name__":
            return Const("__main__" if top.module.name == self.script else top.module.name)
        if name in ("__file__", "__doc__", "__builtins__"):
            return DATA
        found = ABSENT if hasattr(builtins, name) else self.heap.read(top, ANY_NAME)
        return Builtin(name) if found is ABSENT else present(found)

    def _attribute(self, node: ast.Attribute) -> Value:
        value = self.evaluate(node.value)
        found = self.attribute(value, node.attr, node)
        if found is not ABSENT:
            return found
        if isinstance(value, Instance) and value.cls.plain and node.attr not in self.bound_unseen:
            self.raises()
            return Missing(f"nothing is known of `{node.attr}`", node)
        return Unknown(f"nothing is known of `{node.attr}`", node)

    def _namedexpr(self, node: ast.NamedExpr) -> Value:
        value = self.evaluate(node.value)
        self.assign(node.target, value)
        return value

    # -- operators --

    def _binop(self, node: ast.BinOp) -> Value:
        return self.operator(node.op, self.evaluate(node.left), self.evaluate(node.right), node)

    def operator(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        """An operator of two values."""
        if isinstance(left, Const) and isinstance(right, Const):
            try:
                return Const(operators.binary(op, left.value, right.value))
            except Exception:
                return DATA
        if any(isinstance(option, Node) for side in (left, right) for option in options(side)):
            return self.node("tensor", f"operator.{operators.name_of(op)}", node)
        for owner, other, prefix in ((left, right, "__"), (right, left, "__r")):
            if isinstance(owner, Instance):
                method = self.attribute(owner, f"{prefix}{operators.name_of(op)}__", node)
                if method is not ABSENT and not isinstance(method, Unknown):
                    return self.call(method, Arguments((other,)), node)
        if isinstance(left, Items) and isinstance(right, Items) and isinstance(op, ast.Add):
            return self._concatenated(left, right)
        if isinstance(op, ast.Mult):
            for cell, count in ((left, right), (right, left)):
                if isinstance(cell, Items) and isinstance(count, Const) and isinstance(count.value, int):
                    if "rest" not in cell.slots and len(items_of(cell)) * count.value <= 256:
                        return self.items(cell.kind, items_of(cell) * count.value)
                elif isinstance(cell, Items):
                    return self.items(cell.kind, (), opaque_of(items_of(cell)))
        if isinstance(op, ast.Mod) and isinstance(left, Const) and isinstance(left.value, str):
            return self._formatted(left.value, right)
        return opaque_of([left, right])

    def _concatenated(self, left: Items, right: Items) -> Value:
        rest = None
        values = items_of(left)
        if "rest" in left.slots:
            rest = functools.reduce(join, items_of(right), left.slots["rest"])
        else:
            values = (*values, *items_of(right))
        if "rest" in right.slots:
            rest = right.slots["rest"] if rest is None else join(rest, right.slots["rest"])
        return self.items(left.kind, values, rest)

    def _formatted(self, text: str, value: Value) -> Value:
        parts = items_of(value) if isinstance(value, Items) and "rest" not in value.slots else (value,)
        if all(isinstance(part, Const) for part in parts):
            try:
                given = [part.value for part in parts if isinstance(part, Const)]
                return Const(text % (tuple(given) if isinstance(value, Items) else given[0]))
            except Exception:
                return DATA
        return DATA

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.evaluate(node.operand)
        if isinstance(node.op, ast.Not):
            answer = _NEGATED[self.truth(value)]
            return DATA if answer is None else Const(answer)
        if isinstance(value, Const):
            try:
                return Const(operators.unary(node.op, value.value))
            except Exception:
                return DATA
        if any(isinstance(option, Node) for option in options(value)):
            return self.unary(node.op, value, node)
        return opaque_of([value])

    def unary(self, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
        """An operator of one value of the graph."""
        return self.node("tensor", "operator.unary", node)

    def _boolop(self, node: ast.BoolOp) -> Value:
        stops = isinstance(node.op, ast.Or)
        found: Value | None = None
        for part in node.values:
            value = self.evaluate(part)
            answer = self.truth(value)
            last = part is node.values[-1]
            if last or answer == stops:
                for other in node.values[node.values.index(part) + 1 :]:
                    self.look_beside(other, lambda other=other: self.evaluate(other))  # type: ignore[misc]
                return value if found is None else join(found, value)
            if answer is None:
                # `None or x`, `flag or x`: a part that may be given back is known to be true (or false) then.
                kept = [option for option in options(value) if self.truth(option) in (None, stops)]
                value = value if len(kept) == len(options(value)) else kept[0] if len(kept) == 1 else Union(tuple(kept))
                found = value if found is None else join(found, value)
        return DATA

    def _compare(self, node: ast.Compare) -> Value:
        left = self.evaluate(node.left)
        answers: list[bool | None] = []
        for op, expr in zip(node.ops, node.comparators, strict=True):
            right = self.evaluate(expr)
            if isinstance(op, ast.In | ast.NotIn):
                answer = self._contains(right, left)
                answers.append(answer if isinstance(op, ast.In) else _NEGATED[answer])
            else:
                if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and (
                    any(isinstance(option, Node) for side in (left, right) for option in options(side))
                ):
                    return self.compared(left, right, node)
                found = {operators.compare(op, one, other) for one in options(left) for other in options(right)}
                answers.append(found.pop() if len(found) == 1 else None)
            left = right
        if False in answers:
            return Const(False)
        return DATA if None in answers else Const(True)

    def compared(self, left: Value, right: Value, node: ast.Compare) -> Value:
        """Which of two values is the greater one, of which one at least is of a graph."""
        return self.node("tensor", "operator.compare", node)

    def _contains(self, container: Value, value: Value) -> bool | None:
        if isinstance(container, Table):
            key = key_of(value)
            if key is not None and key in container.slots:
                return None if any(option is ABSENT for option in options(container.slots[key])) else True
            return None if key is None or "rest" in container.slots else False
        if isinstance(container, Items) and "rest" not in container.slots:
            answers = [operators.compare(ast.Eq(), item, value) for item in items_of(container)]
            return True if True in answers else None if None in answers else False
        if isinstance(container, Const) and isinstance(value, Const):
            try:
                return bool(value.value in container.value)
            except Exception:
                return None
        return None

    def _ifexp(self, node: ast.IfExp) -> Value:
        answer = self.truth(self.evaluate(node.test))
        if answer is not None:
            taken, other = (node.body, node.orelse) if answer else (node.orelse, node.body)
            if self._given_session(node.test, not answer) is not None:
                self.aside(self.on_way(node.test, not answer, lambda: self.evaluate(other)))
            else:
                self.look_beside(other, lambda: self.evaluate(other))
            return self.evaluate(taken)
        first = self.on_way(node.test, True, lambda: self.evaluate(node.body))
        return self.either([first, self.on_way(node.test, False, lambda: self.evaluate(node.orelse))])

    def look_beside(self, node: ast.AST, work: Callable[[], object]) -> None:
        """Goes once through what the program passes by, so that what it would run is known; changes nothing."""
        raise NotImplementedError

    def aside(self, work: Callable[[], object]) -> None:
        """Does what the program may never do, so that what it would run is known; changes nothing."""
        raise NotImplementedError

    def on_way(self, test: ast.expr, answer: bool, work: Callable[[], T]) -> Callable[[], T]:
        """Some work, on the way that a test decides: what is a session or None is a session where it is not None."""

        def narrowed() -> T:
            found = self._given_session(test, answer)
            if found is not None:
                self.bind(*found)
            return work()

        return narrowed

    def bind(self, name: str, value: Value) -> None:
        """Binds a name where the frame on top binds it."""
        raise NotImplementedError

    def _given_session(self, test: ast.expr, answer: bool) -> tuple[str, Value] | None:
        """What a test asks for, and what it means where it is not None: a session that a function may be given."""
        asked, if_none = none_test(test) or (None, answer)
        if not isinstance(asked, ast.Name) or if_none is answer:
            return None
        name, frame = asked.id, self.frame
        if frame is not frame.top and not (frame.kind == "function" and name in frame.local):
            return None
        found = options(self.name(name, asked))
        left = [option for option in found if option is not NONE]
        if len(left) == len(found):
            return None
        if not left and names_session(name):
            return name, Thing("session", "tf.Session", test, self.graph)
        return (name, functools.reduce(join, left)) if any(map(is_session, left)) else None

    def either(self, ways: Sequence[Callable[[], Value]]) -> Value:
        """What one of several ways gives, nobody knows which."""
        results = self.apart(ways)
        self.heap.merge([log for _, log in results])
        return functools.reduce(join, [value for value, _ in results])

    # -- containers --

    def _display(self, kind: str, nodes: Sequence[ast.expr]) -> Value:
        values: list[Value] = []
        rest: Value | None = None
        for node in nodes:
            if isinstance(node, ast.Starred):
                known, more = self.elements(self.evaluate(node.value), node)
            else:
                known, more = (self.evaluate(node),), None
            if rest is None:
                values += known
                rest = more
            else:
                rest = join_all(known if more is None else (*known, more), rest)
        return self.items(kind, values, rest)

    def _list(self, node: ast.List) -> Value:
        return self._display("list", node.elts)

    def _tuple(self, node: ast.Tuple) -> Value:
        return self._display("tuple", node.elts)

    def _set(self, node: ast.Set) -> Value:
        return self._display("set", node.elts)

    def _dict(self, node: ast.Dict) -> Value:
        cell = self.table()
        for key, expr in zip(node.keys, node.values, strict=True):
            if key is None:
                self.update(cell, self.evaluate(expr))
            else:
                self.put(cell, self.evaluate(key), self.evaluate(expr))
        return cell

    def update(self, cell: Table, other: Value) -> None:
        """Puts the items of another dictionary into one."""
        if isinstance(other, Table):
            for key, value in self.pairs(other):
                self.put(cell, key, value)
            if "rest" in other.slots:
                self.put(cell, DATA, other.slots["rest"])
        elif isinstance(other, Items | Generator):
            known, more = self.elements(other, self.frame.code)
            for pair in known:
                if isinstance(pair, Items) and len(items_of(pair)) == 2:
                    self.put(cell, *items_of(pair))
                else:
                    self.heap.write(cell, "rest", Unknown("an item that is not known"))
            if more is not None:
                self.put(cell, Unknown("a key that is not known"), more)
        else:
            self.put(cell, Unknown("a key that is not known"), opaque_of([other]))

    def _listcomp(self, node: ast.ListComp) -> Value:
        values, rest = self._comprehended(node.generators, lambda: self.evaluate(node.elt))
        return self.items("list", values, rest)

    def _setcomp(self, node: ast.SetComp) -> Value:
        values, rest = self._comprehended(node.generators, lambda: self.evaluate(node.elt))
        return self.items("set", values, rest)

    def _generatorexp(self, node: ast.GeneratorExp) -> Value:
        values, rest = self._comprehended(node.generators, lambda: self.evaluate(node.elt))
        return self.items("generator", values, rest)

    def _dictcomp(self, node: ast.DictComp) -> Value:
        def pair() -> Value:
            return self.items("tuple", [self.evaluate(node.key), self.evaluate(node.value)])

        values, rest = self._comprehended(node.generators, pair)
        cell = self.table()
        for value in values:
            if isinstance(value, Items):
                self.put(cell, *items_of(value))
        if rest is not None:
            known = items_of(rest) if isinstance(rest, Items) else ()
            self.heap.write(cell, "rest", known[1] if len(known) == 2 else Unknown("an item that is not known"))
        return cell

    def _comprehended(
        self, generators: Sequence[ast.comprehension], element: Callable[[], Value]
    ) -> tuple[list[Value], Value | None]:
        frame = Frame("comprehension", self.frame.code, self.frame.module, self.frame, self.frame.top)
        self.heap.born(frame)
        frame.local = frozenset(
            name.id for each in generators for name in ast.walk(each.target) if isinstance(name, ast.Name)
        )
        frame.statements, frame.calls = self.frame.statements, self.frame.calls
        frame.receiver, frame.returns = self.frame.receiver, self.frame.returns
        values: list[Value] = []
        rest: list[Value] = []

        def turn(depth: int, certain: bool) -> None:
            if depth == len(generators):
                value = element()
                if certain and not rest:
                    values.append(value)
                else:
                    rest[:] = [join(rest[0], value) if rest else value]
                return
            each = generators[depth]
            known, more = self.elements(self.evaluate(each.iter), each.iter)
            if len(known) > _LONGEST:
                known, more = (), join_all(known, more)
            for item in known:
                self.assign(each.target, item)
                answers = [self.truth(self.evaluate(test)) for test in each.ifs]
                if False not in answers:
                    turn(depth + 1, certain and None not in answers)
            if more is not None:
                with self.repeated():
                    self.assign(each.target, more)
                    if all(self.truth(self.evaluate(test)) is not False for test in each.ifs):
                        turn(depth + 1, False)

        def passed() -> None:
            for each in generators:
                known, more = self.elements(self.evaluate(each.iter), each.iter)
                self.assign(each.target, known[-1] if known else more or DATA)
            element()

        self.stack.append(frame)
        try:
            turn(0, True)
            if not values and not rest:
                self.look_beside(generators[0], passed)
        finally:
            self.stack.pop()
        return values, rest[0] if rest else None

    def _subscript(self, node: ast.Subscript) -> Value:
        value = self.evaluate(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._sliced(value, node.slice, node)
        return self.subscript(value, self.evaluate(node.slice), node)

    def _slice(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.evaluate(part)
        return DATA

    def _sliced(self, value: Value, part: ast.Slice, node: ast.AST) -> Value:
        bounds = [NONE if each is None else self.evaluate(each) for each in (part.lower, part.upper, part.step)]
        if any(isinstance(option, Node) for option in options(value)):
            return self.node("tensor", "operator.slice", node)
        if all(isinstance(bound, Const) for bound in bounds):
            numbers = slice(*[bound.value for bound in bounds if isinstance(bound, Const)])
            try:
                if isinstance(value, Items) and "rest" not in value.slots:
                    return self.items(value.kind, items_of(value)[numbers])
                if isinstance(value, Const):
                    return Const(value.value[numbers])
            except Exception:
                return DATA
        if isinstance(value, Items):
            known, more = self.elements(value, node)
            return self.items(value.kind, (), join_all(known, more) or DATA)
        return opaque_of([value])

    # -- texts, functions, calls --

    def _joinedstr(self, node: ast.JoinedStr) -> Value:
        parts: list[str] = []
        known = True
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = self.evaluate(part.value)
                if isinstance(value, Const) and part.format_spec is None and part.conversion == -1:
                    parts.append(str(value.value))
                else:
                    known = False
            elif isinstance(part, ast.Constant):
                parts.append(str(part.value))
        return Const("".join(parts)) if known else DATA

    def _lambda(self, node: ast.Lambda) -> Value:
        return self.function(node)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Function:
        """The function that a definition makes here."""
        defaults = tuple(self.evaluate(each) for each in node.args.defaults)
        by_name = tuple(None if each is None else self.evaluate(each) for each in node.args.kw_defaults)
        made = Function(node, self.frame, defaults, by_name)
        self.closures[node] = made
        return made

    closures: dict[ast.AST, Function]
    """The last function that each definition made."""

    def _starred(self, node: ast.Starred) -> Value:
        return self.evaluate(node.value)

    def _await(self, node: ast.Await) -> Value:
        return opaque_of([self.evaluate(node.value)])

    def _yield(self, node: ast.Yield) -> Value:
        value = NONE if node.value is None else self.evaluate(node.value)
        frame = self._yielding()
        if frame.yields is not None:
            frame.yields.append(value)
        return DATA

    def _yieldfrom(self, node: ast.YieldFrom) -> Value:
        known, more = self.elements(self.evaluate(node.value), node)
        frame = self._yielding()
        if frame.yields is not None:
            frame.yields += [*known, *([] if more is None else [more])]
        return DATA

    def _yielding(self) -> Frame:
        frame = self.frame
        while frame.kind == "comprehension" and frame.outer is not None:
            frame = frame.outer
        return frame

    def _call(self, node: ast.Call) -> Value:
        callee = self.evaluate(node.func)
        arguments = self.arguments(node)
        self.frame.calls.append(node)
        try:
            return self.call(callee, arguments, node)
        finally:
            self.frame.calls.pop()

    def arguments(self, node: ast.Call) -> Arguments:
        """The arguments of a call."""
        positional: list[Value] = []
        places: list[ast.expr] = []
        more, unnumbered = False, list[Value]()
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                known, rest = self.elements(self.evaluate(argument.value), argument)
                more = more or rest is not None
                unnumbered += [] if rest is None else [rest]
                positional += known
                places += [argument] * len(known)
            else:
                value = self.evaluate(argument)
                if not more:
                    positional.append(value)
                    places.append(argument)
        keywords: list[tuple[str, Value]] = []
        keyword_places: list[ast.expr] = []
        for keyword in node.keywords:
            value = self.evaluate(keyword.value)
            if keyword.arg is not None:
                keywords.append((keyword.arg, value))
                keyword_places.append(keyword.value)
                continue
            if isinstance(value, Table):
                for key, item in self.pairs(value):
                    if isinstance(key, Const) and isinstance(key.value, str):
                        keywords.append((key.value, item))
                        keyword_places.append(keyword.value)
            more = more or not isinstance(value, Table) or "rest" in value.slots
        rest = join_all(unnumbered) if unnumbered else None
        return Arguments(tuple(positional), tuple(keywords), more, tuple(places), tuple(keyword_places), rest)


def _data(node: ast.AST) -> Value:
    """The value of an expression that nobody follows."""
    return DATA


def is_session(value: Value) -> bool:
    """Whether a value is a session."""
    return isinstance(value, Thing) and value.kind in ("session", "monitored")
