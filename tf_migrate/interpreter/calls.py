"""Calls: arguments to parameters, functions, classes, generators."""

from __future__ import annotations

import ast
import functools
import sys
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeGuard

from tf_migrate.interpreter.choices import chosen_by
from tf_migrate.interpreter.core import MOST_DEPTH, NEXT, RAISE, RETURN
from tf_migrate.interpreter.recorder import RECORD, UNFIT, Visit
from tf_migrate.interpreter.scopes import bound_names
from tf_migrate.interpreter.statements import Statements
from tf_migrate.interpreter.summaries import General, Summary, cells_of, copied, general, is_data
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    NONE,
    Arguments,
    Bound,
    Builtin,
    Class,
    Const,
    External,
    Frame,
    Function,
    Generator,
    Instance,
    Items,
    Method,
    Native,
    Opaque,
    Partial,
    Thing,
    Union,
    Unknown,
    Value,
    Wrapped,
    items_of,
    join,
    options,
)
from tf_migrate.syntax.parameters import takes

_RECURSION = 3
_MOST_SPENT = 300
"""Statements of a function that only computes, which are executed for its arguments one by one."""
_WITHOUT_GRAPHS = sys.stdlib_module_names | frozenset(
    [
        "numpy",
        "np",
        "scipy",
        "pandas",
        "matplotlib",
        "sklearn",
        "PIL",
        "cv2",
        "skimage",
        "tqdm",
        "yaml",
        "h5py",
        "nltk",
        "networkx",
        "gym",
        "six",
        "future",
        "past",
        "imageio",
        "Queue",
        "cPickle",
        "ConfigParser",
        "urllib2",
        "joblib",
        "librosa",
        "soundfile",
        "psutil",
        "requests",
        "termcolor",
        "colorama",
        "progressbar",
    ]
)
"""Libraries that build nothing of a graph, whatever they are given."""


class Calls(Statements):
    """What calls give."""

    def call(self, callee: Value, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a value."""
        if isinstance(callee, Union):
            return self._call_one(callee, arguments, node)
        if isinstance(callee, Function):
            return self.call_function(callee, arguments, node)
        if isinstance(callee, Bound):
            return self.call_function_of(callee, arguments, node)
        if isinstance(callee, Class):
            return self.instantiate(callee, arguments, node)
        if isinstance(callee, Native):
            return callee.call(arguments, node)
        if isinstance(callee, Partial):
            return self.call(callee.function, merged(callee.arguments, arguments), node)
        if isinstance(callee, Wrapped):
            if callee.kind == "manager":
                return Wrapped("entered", Generator(lambda: self._managed(callee, arguments, node)))
            return self.call(callee.function, arguments, node)
        if isinstance(callee, Builtin):
            return self.call_builtin(callee.name, arguments, node)
        if isinstance(callee, External):
            return self.call_external(callee.origin, arguments, node)
        if isinstance(callee, Method):
            return self.call_method(callee, arguments, node)
        if isinstance(callee, Instance):
            method = self.attribute(callee, "__call__", node)
            if method is not ABSENT and not isinstance(method, Unknown):
                return self.call(method, arguments, node)
        if isinstance(callee, Thing):
            return self.call_thing(callee, arguments, node)
        return self.call_unknown(callee, arguments, node)

    def _call_one(self, callee: Union, arguments: Arguments, node: ast.AST) -> Value:
        """Calls one of several values: what a method does to its object is done whenever that is the one."""
        results = self.apart([lambda one=one: self.call(one, arguments, node) for one in callee.options])  # type: ignore[misc]
        self.heap.merge([log for _, log in results], chosen=chosen_by(callee, [*self.modules.values(), *self.stack]))
        return functools.reduce(join, [value for value, _ in results])

    def _managed(self, callee: Wrapped, arguments: Arguments, node: ast.AST) -> list[Value] | None:
        made = self.call(callee.function, arguments, node)
        return made.run() if isinstance(made, Generator) else None

    # -- what is not of the program --

    def call_builtin(self, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a function of Python's."""
        raise NotImplementedError

    def call_external(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a symbol of a library."""
        raise NotImplementedError

    def call_method(self, method: Method, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a library's object or of a value of the graph."""
        raise NotImplementedError

    def call_thing(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        """Calls an object of a library."""
        raise NotImplementedError

    def call_unknown(self, callee: Value, arguments: Arguments, node: ast.AST) -> Value:
        """Calls what nobody knows: with something of a graph it may build, and functions it may call."""
        if isinstance(node, ast.Call) and not isinstance(callee, Opaque):
            self.recorder.unresolved.add(node)
        return self.call_library(arguments, node, "a function that is not known")

    def call_library(self, arguments: Arguments, node: ast.AST, symbol: str) -> Value:
        """Calls code of a library: with something of a graph it may build, and functions it may call."""
        for value in arguments.all():
            for option in options(value):
                self.hand_over(option, node)
        if symbol.partition(".")[0] in _WITHOUT_GRAPHS:
            return Thing("data", symbol, node)
        for value in arguments.all():
            self._may_have_more(value)
        if any(self.holds_graph(value) for value in arguments.all()):
            return self.node("unknown", symbol, node)
        return Thing("data", symbol, node)

    def _may_have_more(self, value: Value | None) -> None:
        """Code that is not followed may set attributes of an object."""
        for option in () if value is None else options(value):
            if isinstance(option, Instance):
                option.open = True

    def hand_over(self, value: Value, node: ast.AST) -> None:
        """Gives a function to code that may call it, with values that nobody knows."""
        function = value.function if isinstance(value, Bound | Partial) else value
        if isinstance(function, Function):
            self.recorder.escaped.add(function.node)
            if function.node not in self._handed and len(self.stack) < MOST_DEPTH:
                self._handed.add(function.node)
                self.guesses += 1
                try:
                    with self.heap.one_turn():
                        _, log = self.heap.attempt(lambda: self.call(value, Arguments(more=True), node))
                finally:
                    self.guesses -= 1
                self.heap.merge([log], exhaustive=False)

    _handed: set[ast.AST]

    # -- functions --

    def call_function_of(self, bound: Bound, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method."""
        function = bound.function
        if isinstance(function, Function):
            return self.call_function(function, arguments, node, bound.receiver)
        given = Arguments(
            (bound.receiver, *arguments.positional), arguments.keywords, arguments.more, (), arguments.keyword_places
        )
        return self.call(function, given, node)

    def call_function(
        self, function: Function, arguments: Arguments, node: ast.AST, receiver: Value | None = None
    ) -> Value:
        """Calls a function of the program."""
        code = function.node
        if len(self.stack) > MOST_DEPTH or sum(frame.code is code for frame in self.stack) > _RECURSION:
            for value in (receiver, *arguments.all()):
                self._may_have_more(value)
            return Unknown("a function calls itself too deeply", node)
        count, named = len(arguments.positional) + (receiver is not None), [key for key, _ in arguments.keywords]
        known = not arguments.more and arguments.rest is None and isinstance(node, ast.Call)
        if known and not _is_decorated(code) and not takes(code.args, count, named):
            self.recorder.symbols[node].add(UNFIT)
            return Unknown("a function does not take these arguments", node)
        bound = bound_names(code)
        frame = self._entered(function, arguments, node, receiver)
        if bound.generates and not isinstance(code, ast.Lambda):
            return Generator(lambda: self._generated(function, frame))
        if is_data(arguments):
            return self._summed(function, frame, (len(arguments.positional), *(name for name, _ in arguments.keywords)))
        if self.is_tired and (given := general(self, arguments)) is not None:
            return self._summed_up(function, frame, given, node)
        return self._executed(function, frame)

    def _entered(self, function: Function, arguments: Arguments, node: ast.AST, receiver: Value | None) -> Frame:
        """The frame of a call, in which parameters have their values."""
        code = function.node
        frame = Frame("function", code, function.frame.module, function.frame, function.frame.top)
        self.heap.born(frame)
        frame.local = bound_names(code).local
        frame.receiver = receiver
        mapping = self.bind_arguments(frame, function, arguments, node, receiver)
        if isinstance(node, ast.Call):
            self.recorder.callees[node].setdefault(code, {}).update(mapping)
        return frame

    # -- functions that work on data --

    def _summed(self, function: Function, frame: Frame, kinds: Hashable) -> Value:
        """What a function gives of data of which nothing else is known: nothing of it will be learnt again."""
        key = (*_key(function, frame), kinds)
        again = self._known(key)
        if again is not None:
            return again
        found, watch = self.heap.watched(lambda: self._executed(function, frame), [frame])
        result = copied(self, found, watch.born) if watch.pure else None
        if result is not None:
            self._summaries[key] = Summary(result, watch)
        return found

    def _known(self, key: Hashable) -> Value | None:
        """What a function gives that was summed up, where it would find the same as then."""
        kept = self._summaries.get(key)
        return None if kept is None or not kept.watch.holds() else copied(self, kept.result, cells_of(kept.result))

    def _summed_up(self, function: Function, frame: Frame, given: General, node: ast.AST) -> Value:
        """What a function gives of data, some of which is known.

        Where it has spent enough in calls that only computed, it is any data from now on, if it only computes then too.
        """
        key = _key(function, frame)
        if self._spent[key] < _MOST_SPENT:
            left = self.left
            found, watch = self.heap.watched(lambda: self._executed(function, frame), [frame])
            if watch.pure:
                self._spent[key] += left - self.left
            return found
        summary = (*key, given.kinds)
        if summary not in self._learnt:
            self._learnt.add(summary)
            self.aside(lambda: self._learn(function, frame, given, node))
        found_ = self._known(summary)
        return self._executed(function, frame) if found_ is None else found_

    def _learn(self, function: Function, frame: Frame, given: General, node: ast.AST) -> None:
        self._summed(function, self._entered(function, given.arguments, node, frame.receiver), given.kinds)

    _summaries: dict[Hashable, Summary]
    _spent: defaultdict[Hashable, int]
    """What calls of functions have spent that only computed."""
    _learnt: set[Hashable]
    """The functions that were tried with any data, and of which kinds."""

    def _generated(self, function: Function, frame: Frame) -> list[Value]:
        frame.yields = []
        self._executed(function, frame)
        return frame.yields

    def _executed(self, function: Function, frame: Frame) -> Value:
        code = function.node
        visit = Visit(code, frame, frame.receiver, self.frame if self.stack else None, self.heap.tick())
        self.recorder.visits[code].append(visit)
        self.recorder.tests.visited_by[code].add(self.recorder.tests.current)
        self._owners[id(frame)] = function
        self.stack.append(frame)
        try:
            if isinstance(code, ast.Lambda):
                return self.evaluate(code.body)
            flow = self.block(code.body)
            early = self.early.pop(id(frame), [])
            if early and flow in (NEXT, RETURN):
                self.heap.merge([*early, {}])
            elif early:
                self.heap.merge(early)
            if flow == NEXT:
                frame.returns.append(NONE)
            if flow == RAISE and not frame.returns:
                return Unknown("a function that always raises", code)
            return functools.reduce(join, frame.returns)
        finally:
            visit.left = self.is_left
            self.stack.pop()
            visit.end = self.heap.tick()

    _owners: dict[int, Function]
    instances: list[Instance]

    def bind_arguments(
        self, frame: Frame, function: Function, arguments: Arguments, node: ast.AST, receiver: Value | None
    ) -> dict[ast.expr, ast.arg]:
        """Gives parameters their values; tells which expression of the call became which parameter."""
        spec = function.node.args
        mapping: dict[ast.expr, ast.arg] = {}
        names = [*spec.posonlyargs, *spec.args]
        values = list(arguments.positional)
        places: list[ast.expr | None] = [*arguments.places, *[None] * (len(values) - len(arguments.places))]
        if receiver is not None:
            values.insert(0, receiver)
            places.insert(0, None)
        missing: Value = Unknown("an argument that is not known", node) if arguments.more else ABSENT
        given = dict(arguments.keywords)
        by_name = dict(zip((key for key, _ in arguments.keywords), arguments.keyword_places, strict=False))
        defaults: Sequence[Value | None] = [*[None] * (len(names) - len(function.defaults)), *function.defaults]
        rows = [*zip(names, defaults, strict=True), *zip(spec.kwonlyargs, function.keyword_defaults, strict=True)]
        for position, (parameter, default) in enumerate(rows):
            name = parameter.arg
            if position < len(names) and position < len(values):
                value, place = values[position], places[position]
            elif name in given:
                value, place = given.pop(name), by_name.get(name)
            elif default is not None:
                value, place = (default if not arguments.more else join(default, missing)), None
            else:
                value, place = (DATA if missing is ABSENT else missing), None
            if _is_single(place):
                mapping[place] = parameter
            self.note_session(parameter, value)
            self.heap.write(frame, name, value)
        if spec.vararg is not None:
            mapping.update(dict.fromkeys(filter(_is_single, places[len(names) :]), spec.vararg))
            rest = missing if arguments.more else arguments.rest
            self.heap.write(frame, spec.vararg.arg, self.items("tuple", values[len(names) :], rest))
        if spec.kwarg is not None:
            mapping.update(dict.fromkeys(filter(_is_single, map(by_name.get, given)), spec.kwarg))
            from_names = [(Const(key), value) for key, value in given.items()]
            more = missing if arguments.more else None
            self.heap.write(frame, spec.kwarg.arg, self.table(from_names, more))
        return mapping

    # -- classes --

    def instantiate(self, cls: Class, arguments: Arguments, node: ast.AST) -> Value:
        """Makes an object of a class of the program."""
        creator, _ = self.lookup(cls, "__new__")
        if creator is ABSENT:
            found = self.created(cls, arguments)
            if fields_of(cls) is not None:
                self.recorder.symbols[node].add(RECORD)
        else:
            given = Arguments((cls, *arguments.positional), arguments.keywords, arguments.more)
            found = self.call(creator, given, node)
        made = next((option for option in options(found) if isinstance(option, Instance)), None)
        if made is None:
            return found
        constructor, _ = self.lookup(cls, "__init__")
        if isinstance(constructor, Function):
            self.call_function(constructor, arguments, node, made)
        elif cls.outside:
            made.open = True
            if any(self.holds_graph(value) for value in arguments.all()):
                self.builds(node)
        return made

    def created(self, cls: Class, arguments: Arguments) -> Value:
        """What `object.__new__`, or that of a named tuple, makes of a class."""
        fields = fields_of(cls)
        if fields is None:
            made = Instance(cls)
            self.heap.born(made)
            self.instances.append(made)
            return made
        names = tuple(str(getattr(field, "value", "")) for field in items_of(fields))
        given = dict(arguments.keywords)
        values = [
            arguments.positional[at] if at < len(arguments.positional) else given.get(name, DATA)
            for at, name in enumerate(names)
        ]
        cell = Items("tuple", names, cls)
        self.new_list(cell, values)
        return cell


def _is_single(place: ast.expr | None) -> TypeGuard[ast.expr]:
    """Whether an expression of a call is one argument: it is known, and no row of them."""
    return place is not None and not isinstance(place, ast.Starred)


def _is_decorated(code: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a decorator may give a function arguments that its calls leave out, or take some that they give."""
    decorators = [] if isinstance(code, ast.Lambda) else code.decorator_list
    return any(getattr(each, "id", "") not in ("classmethod", "property", "staticmethod") for each in decorators)


def fields_of(cls: Class) -> Items | None:
    """The names of the fields of a class that is a named tuple."""
    made = (one.slots.get("_fields") for one in cls.mro if one.node is None)
    return next((fields for fields in made if isinstance(fields, Items)), None)


def merged(first: Arguments, then: Arguments) -> Arguments:
    """The arguments of a partial function, and those of its call."""
    keywords = dict(first.keywords) | dict(then.keywords)
    places = (*first.places, *then.places) if len(first.places) == len(first.positional) else ()
    return Arguments((*first.positional, *then.positional), tuple(keywords.items()), first.more or then.more, places)


def _key(function: Function, frame: Frame) -> tuple[Hashable, ...]:
    """What tells a function from others: its code, what it closes over, its defaults and its object."""
    defaults = (*function.defaults, *function.keyword_defaults)
    return function.node, id(function.frame), *map(id, defaults), id(frame.receiver)
