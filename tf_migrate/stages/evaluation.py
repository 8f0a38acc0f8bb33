"""The stage of an expression, by abstract evaluation in the order of the program.

Every form of expression that may hold a part of the graph stands here; one that does not is refused where a part of the
graph reaches it. While it evaluates, an `Evaluator` notes which bindings are read and which Python code would run anew
if the expression moved into a function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages import purity
from tf_migrate.stages.attributes import attribute_of_block, attribute_of_graph, is_stable, value_of_symbol
from tf_migrate.stages.calls import call_of_symbol, method_of_graph
from tf_migrate.stages.comprehensions import comprehension
from tf_migrate.stages.containers import arranged, is_formatting, is_listing, part_of, zipped
from tf_migrate.stages.feeds import dictionary
from tf_migrate.stages.functions import call_of_object, function_of_lambda, interpret, make_object, named
from tf_migrate.stages.given import call_of_running
from tf_migrate.stages.held import holder
from tf_migrate.stages.imported import Imports
from tf_migrate.stages.iterators import require_known_iterator
from tf_migrate.stages.layer_objects import method_of_object
from tf_migrate.stages.lists import Listing
from tf_migrate.stages.monitored import Hook, Monitor
from tf_migrate.stages.notes import Notes
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.operators import REPHRASE, Operators, expressions
from tf_migrate.stages.options import SessionOptions
from tf_migrate.stages.outside import hand_over
from tf_migrate.stages.partials import call_of_made, partial_layer
from tf_migrate.stages.queues import Batch
from tf_migrate.stages.regularization import is_regularizer
from tf_migrate.stages.savers import SAVER, method_of_saver
from tf_migrate.stages.shadows import Shadows
from tf_migrate.stages.updates import Gradients, Update
from tf_migrate.stages.values import (
    PYTHON,
    SCOPE,
    STATIC,
    Binding,
    Iteration,
    Locals,
    Reads,
    Refused,
    Stage,
    Value,
    Variable,
    container,
    flatten,
    one_of,
)
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module


class Evaluator(Operators, Notes):
    """Evaluates expressions of one module under an environment of bindings."""

    def __init__(
        self,
        module: Module,
        names: Names,
        sites: dict[ast.Call, RunSite],
        options: SessionOptions,
        on_run: Callable[[RunSite], Value],
        on_running_call: Callable[[ast.expr], None],
        on_saver: Callable[[ast.Call, ast.Call | None], None],
    ) -> None:
        super().__init__()
        self.module = module
        self.names = names
        self.sites = sites
        self.on_run = on_run
        self.on_running_call = on_running_call
        self.on_saver = on_saver
        self.options = options
        self.running: list[ast.FunctionDef] = []
        self.closed: set[ast.FunctionDef] = set()
        self.env: dict[str, Binding] = {}
        self.frames: list[dict[str, Value]] = []
        self.active: list[ast.FunctionDef] = []
        self.unit = 0
        self.fetching = False
        self.variables: list[Variable] = []
        self.storing: list[int] = []
        """The statements so far that make variables of a store."""
        self.stores_all = False
        """Whether that has every variable that is trained."""
        self.lists: list[Listing] = []
        self.created: list[ast.Call] = []
        self.earlier = 0
        self.listed: dict[ast.Call, tuple[Variable, ...]] = {}
        self.gradients: list[Gradients] = []
        self.shadows: dict[ast.expr, Shadows] = {}
        self.shadowed = False
        self.awaited: tuple[Update, ...] = ()
        self.creates: set[str] = set()
        self.piped = 0
        self.iterations: list[Iteration] = []
        self.batches: dict[Iteration, Batch] = {}
        self.stops: list[ast.expr] = []
        self.stopped = False
        self.hooks: dict[ast.Call, Hook] = {}
        self.monitor: Monitor | None = None
        self.asked: list[ast.Name] = []
        self.summaries: list[ast.Call] = []
        self.savers: list[ast.Call] = []
        self.freed: list[ast.expr] = []
        self.described: list[tuple[str, Binding]] = []
        self.merged: dict[ast.Call, tuple[str, ...]] = {}
        self.graphs: list[ast.expr | ast.keyword] = []
        self.resolved: dict[ast.expr, Binding | None] = {}
        self.handed: dict[ast.FunctionDef, dict[str, None]] = {}
        self.defaults: dict[ast.expr, tuple[Value, Reads]] = {}
        self.methods: dict[ast.FunctionDef, ObjectClass] = {}
        self.making: dict[ast.Call, frozenset[ast.expr]] = {}
        self.running_words: set[str] = set()
        self.built: set[ast.Call] = set()
        self.target: str | None = None
        self.imports = Imports(names)
        self.nested: dict[ast.FunctionDef, tuple[dict[str, Value], ...]] = {}
        self.unread: dict[ast.AST, Refused] = {}
        """Statements that are not read here, by whose names nothing may be built: why not."""

    @property
    def is_abroad(self) -> bool:
        """Whether what is evaluated stands in another module."""
        return self.module is not self.imports.own.module

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            return self.other(node)
        value: Value = method(node)
        return value

    def arguments(self, call: ast.Call) -> list[Value]:
        """The values of a call's arguments, in order."""
        return [self.value(argument) for argument in (*call.args, *(keyword.value for keyword in call.keywords))]

    def lookup(self, name: ast.Name) -> Value:
        """The value of a name; module bindings are noted as read."""
        for frame in self.visible():
            if name.id in frame:
                return frame[name.id]
        binding = self.env.get(name.id)
        if self.is_abroad:
            self.imports.note_read(self, name)
        elif binding is None and name.id in self.module.bound_globally:
            self.note_impure(name)
        return PYTHON if binding is None else self._seen(name, name.id, binding)

    def _seen(self, node: ast.Name | ast.Attribute, key: str, binding: Binding) -> Value:
        self.note_seen(key, binding)
        self.resolved[node] = binding if self.resolved.get(node, binding) is binding else None
        text = ast.unparse(node)
        if binding.value.stage is Stage.AMBIGUOUS:
            raise Refused(
                node,
                f"`{text}` is a part of the graph on some paths and another value on others",
                f"give the other value a name other than `{text}`",
            )
        unread = None if binding.node is None else self.unread.get(binding.node)
        if unread is not None:
            raise Refused(node, unread.reason, unread.next_step)
        if binding.value.stage is Stage.LEFT:
            raise Refused(node, f"`{text}` is of a graph that was thrown away", "build it anew")
        hand_over(self, node, key, binding)
        return binding.value

    def key_of(self, node: ast.AST | None) -> str | None:
        """The name under which bindings of an expression are kept: a plain name, or an attribute of an object."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            owner = self._owner(node.value) if isinstance(node.value, ast.Name) else holder(self, node.value)
            return None if owner is None else owner.key(node.attr)
        return None

    def visible(self) -> Iterator[dict[str, Value]]:
        """The frames whose names can be seen, innermost first: those of the function that is evaluated."""
        for frame in reversed(self.frames):
            yield frame
            if isinstance(frame, Locals):
                return

    def _owner(self, name: ast.Name) -> ObjectClass | None:
        for frame in self.visible():
            if name.id in frame:
                return frame[name.id].owner
        binding = self.env.get(name.id)
        return None if binding is None else binding.value.owner

    def _name(self, node: ast.Name) -> Value:
        if self.names.resolve(node) is not None:
            return value_of_symbol(self, node)
        value = self.lookup(node)
        imported = None if value.is_graph or value.function else self.imports.function(self.names, node)
        if imported is not None:
            return Value(Stage.PYTHON, function=imported)
        if not value.is_graph:
            self.imports.note_value(self, node)
        return value if value.function is None else named(self, node, value, value.function)

    def _constant(self, node: ast.Constant) -> Value:
        text = node.value if isinstance(node.value, str) else None
        return Value(Stage.PYTHON, text=text, truth=bool(node.value), is_none=node.value is None)

    def _attribute(self, node: ast.Attribute) -> Value:
        if self.names.resolve(node) is not None:
            return value_of_symbol(self, node)
        key = self.key_of(node)
        bound = attribute_of_block(self, node, key)
        if bound is not None:
            return bound
        if key is not None and key in self.env:
            return self._seen(node, key, self.env[key])
        imported = self.imports.function(self.names, node)
        if imported is not None:
            return Value(Stage.PYTHON, function=imported)
        self.imports.note_value(self, node)
        value = self.value(node.value)
        kept = dict(value.keeps).get(node.attr)
        if kept is not None or value.stage is not Stage.PYTHON:
            return kept or attribute_of_graph(node, value)
        if not (value.symbol == SCOPE.symbol or is_stable(self, node)):
            self.note_impure(node)
            if node.attr in self.running_words and not isinstance(self.module.parents[node], ast.Attribute):
                self.on_running_call(node)
        return PYTHON

    def _call(self, node: ast.Call) -> Value:
        site = self.sites.get(node)
        if site is not None:
            return self.on_run(site)
        if node in self.making:
            return self._object(node)
        symbol = self.names.resolve(node.func)
        if symbol is not None:
            return call_of_symbol(self, node, symbol)
        if (known := self.imports.layer_class(self.names, node.func)) is not None:
            return make_object(self, node, known)
        if isinstance(node.func, ast.Name):
            return self._call_of(node, self._name(node.func))
        if isinstance(node.func, ast.Attribute):
            key = self.key_of(node.func)
            imported = self.imports.function(self.names, node.func)
            if imported is not None or (key is not None and key in self.env):
                return self._call_of(node, self._attribute(node.func))
            method = self._method(node.func)
            if method is not None:
                return self._call_of(node, Value(Stage.PYTHON, function=method))
            receiver = self.value(node.func.value)
            if receiver.builds is not None:
                return self._call_of(node, method_of_object(self, node.func, receiver))
            if receiver.symbol == SAVER and receiver.node is not None:
                return method_of_saver(self, node, node.func.attr, receiver)
            if receiver.is_graph:
                return method_of_graph(self, node, node.func.attr, receiver)
        elif (called := self.value(node.func)).builds is not None:
            return call_of_object(self, node, called)
        else:
            self.require_python(node.func)
        return self._python_call(node)

    def _object(self, node: ast.Call) -> Value:
        """The value of making one of several objects of a class: Python's, whatever session is handed to it."""
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        self.require_python(*(argument for argument in given if argument not in self.making[node]))
        self.note_impure(node)
        return PYTHON

    def _method(self, node: ast.Attribute) -> ast.FunctionDef | None:
        """The method of an object that an attribute means."""
        owner = self._owner(node.value) if isinstance(node.value, ast.Name) else None
        return None if owner is None else owner.methods.get(node.attr)

    def _call_of(self, node: ast.Call, called: Value) -> Value:
        """The value of calling what a name or an attribute means."""
        if called.stage is Stage.LAYER and called.parts is None:
            return call_of_made(self, node, called)
        if called.function in self.closed:
            return call_of_running(self, node, called.function)
        if called.builds is not None:
            return call_of_object(self, node, called)
        if called.function is not None:
            return interpret(self, node, called.function)
        if called.symbol is not None and called.stage is Stage.PYTHON:
            return call_of_symbol(self, node, called.symbol)
        if is_regularizer(self, called):
            return self._operation(node, self.arguments(node))
        return self._python_call(node)

    def _python_call(self, node: ast.Call) -> Value:
        require_known_iterator(node)
        if (partial := partial_layer(self, node)) is not None:
            return partial
        values = self.arguments(node)
        name = callee(node.func, self.module)
        graph = [value for value in flatten(values) if value.is_graph]
        if not purity.is_pure_call(node, self.module):
            self.note_impure(node)
        if not graph or (name == "print" and all(value.stage is Stage.CONSTANT for value in graph)):
            return PYTHON
        if name == "zip" and not node.keywords:
            return zipped(node, values)
        if name == "sum" and not node.keywords and is_listing(values[0]):
            return self._operation(node, [*(values[0].parts or [one_of(values[0])]), *values[1:]])
        if len(values) == 1 and (given := arranged(name, values[0])) is not None:
            return given
        static = purity.counts(name) or is_formatting(node)
        if static and all(value.stage is Stage.STATIC for value in graph):
            return STATIC
        what = ast.unparse(node.func)
        raise Refused(node, f"a part of the graph is given to `{what}`", REPHRASE)

    def require_python(self, *nodes: ast.expr | None) -> None:
        """Refuses expressions that hold a part of the graph."""
        for node in nodes:
            if node is not None and any(value.is_graph for value in flatten([self.value(node)])):
                raise Refused(node, "a part of the graph is used as a Python value", REPHRASE)

    def _list(self, node: ast.List | ast.Tuple) -> Value:
        items = node.elts
        if any(isinstance(item, ast.Starred) for item in items):
            self.require_python(*(item.value if isinstance(item, ast.Starred) else item for item in items))
            return PYTHON
        value = container(tuple(self.value(item) for item in items))
        return value if value.is_graph else Value(Stage.PYTHON, items=value.parts)

    _tuple = _list

    def _dict(self, node: ast.Dict) -> Value:
        keys = [None if key is None else self.value(key) for key in node.keys]
        values = [self.value(value) for value in node.values]
        if any(key is not None and key.is_graph for key in keys):
            return dictionary(self, node, keys, values)
        if None in keys:
            self.require_python(*node.values)
            return PYTHON
        constants = tuple(key.value if isinstance(key, ast.Constant) else key for key in node.keys)
        value = container(tuple(values), constants)
        return value if value.is_graph else PYTHON

    def _subscript(self, node: ast.Subscript) -> Value:
        base = self.value(node.value)
        index = list(flatten([self.value(node.slice)]))
        if base.stage is Stage.PYTHON:
            if any(value.is_graph and value.stage is not Stage.STATIC for value in index):
                raise Refused(node, "a Python value is indexed by a tensor", "use tf.gather")
            return STATIC if any(value.is_graph for value in index) else PYTHON
        if base.parts is not None:
            return part_of(node, base)
        part = replace(self._operation(node, [base, *index]), variables=base.variables)
        return replace(part, several=True, nested=True) if base.nested else part

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp) -> Value:
        with self.inside(node):
            return comprehension(self, node)

    _generatorexp = _listcomp

    def with_locals(self, names: dict[str, Value], conditions: list[ast.expr], node: ast.expr) -> Value:
        """The value of an expression that sees local names, under conditions that have to be Python's."""
        self.frames.append(names)
        try:
            self.require_python(*conditions)
            return self.value(node)
        finally:
            self.frames.pop()

    def _lambda(self, node: ast.Lambda) -> Value:
        if (function := function_of_lambda(self, node)) is not None:
            return Value(Stage.PYTHON, function=function)
        self.note_impure(node)
        return self.other(node)

    def other(self, node: ast.expr) -> Value:
        """Any other expression: Python's, as long as nothing of the graph stands in it."""
        bound = {
            inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
        }
        bound |= {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
        self.frames.append(dict.fromkeys(bound, PYTHON))
        try:
            for child in ast.iter_child_nodes(node):
                for inner in expressions(child):
                    self.require_python(inner)
        finally:
            self.frames.pop()
        return PYTHON
