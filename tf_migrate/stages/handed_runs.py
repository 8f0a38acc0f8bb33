"""Places that run a session by another name than its own: `run = sess.run`, `functools.partial(sess.run, …)`.

What `sess.run` is bound to is followed inside its module, through names, attributes and parameters of its functions, to
the calls; where that ends without one, the place that hands it on stands for them. A partial call is a place of its
own too: what is run stands there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RUNS, function_around
from tf_migrate.names.sessions import Holders, key_of
from tf_migrate.report.model import SiteKind
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.parameters import defaults

_OPTIMIZERS = frozenset({"tf.contrib.opt.ScipyOptimizerInterface", "tf.contrib.opt.ExternalOptimizerInterface"})
_METHODS = (*RUNS, "eval", "minimize")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class HandedRun:
    """One place; `line` and `column` are 1-based, `function` the enclosing one, `optimizer` whether that runs it."""

    node: ast.expr
    kind: SiteKind
    line: int
    column: int
    function: str | None
    optimizer: bool = False


def find_handed(module: Module, names: Names) -> tuple[HandedRun, ...]:
    """Every such place of the module, in order of place."""
    asked = [node for name in _METHODS for node in module.attributes.get(name, ())]
    if not asked:
        return ()
    search = _Search(module, Holders.of(names))
    for node in asked:
        search.look_at(node)
    found = (_place(module, node, *what) for node, what in search.found.items())
    return tuple(sorted(found, key=lambda run: (run.line, run.column)))


def refused_of(run: HandedRun) -> Refused:
    """Why the graph of such a run is left to the bridge."""
    if run.optimizer:
        what = f"`{ast.unparse(run.node)}` runs the session by itself"
        return Refused(run.node, what, "take each step in a function of your own")
    return Refused(run.node, f"`{ast.unparse(run.node)}` runs the session by another name", "call `run` of the session")


def _place(module: Module, node: ast.expr, kind: SiteKind, optimizer: bool) -> HandedRun:
    return HandedRun(node, kind, *module.position(node), function_around(module, node), optimizer)


class _Search:
    """Follows what runs a session; `found` are the places, with their kind and whether an optimizer runs there."""

    def __init__(self, module: Module, holders: Holders) -> None:
        self.module = module
        self.holders = holders
        self.found: dict[ast.expr, tuple[SiteKind, bool]] = {}
        self._seen: set[ast.AST] = set()

    def look_at(self, node: ast.Attribute) -> None:
        """Looks at one attribute that may be a session's method."""
        around = self.module.parents[node]
        if isinstance(around, ast.Call) and around.func is node:
            if node.attr == "minimize" and around.args + around.keywords and self._is_optimizer(node.value):
                self.found[around] = "Session.run", True
        elif isinstance(node.ctx, ast.Load) and (kind := self._kind(node)) is not None:
            self._follow(node, kind)

    def _kind(self, node: ast.Attribute) -> SiteKind | None:
        if node.attr in RUNS and self.holders.is_session(node.value):
            return "MonitoredSession.run" if self.holders.is_monitored(node.value) else RUNS[node.attr]
        if node.attr in ("eval", "run") and self.holders.is_element(node.value):
            return "Tensor.eval" if node.attr == "eval" else "Operation.run"
        return None

    def _is_optimizer(self, node: ast.expr) -> bool:
        values = [node] if isinstance(node, ast.Call) else self.holders.bound.get(key_of(node) or "", [])
        return any(
            isinstance(value, ast.Call) and self.holders.names.resolve(value.func) in _OPTIMIZERS for value in values
        )

    def _follow(self, node: ast.expr, kind: SiteKind) -> None:
        """Follows an expression that is, or wraps, a session's method to where it is called."""
        if node in self._seen:
            return
        self._seen.add(node)
        around = self.module.parents[node]
        if isinstance(around, ast.Call) and around.func is node:
            self.found[around] = kind, False
        elif isinstance(around, ast.Call) and _is_partial(around) and around.args and around.args[0] is node:
            self.found[around] = kind, False
            self._follow(around, kind)
        else:
            uses = list(self._uses(node, around))
            for use in uses:
                self._follow(use, kind)
            if not uses:
                self.found[node] = kind, False

    def _uses(self, node: ast.expr, around: ast.AST) -> Iterator[ast.expr]:
        """The places that read what an expression is bound to."""
        if isinstance(around, ast.Assign):
            for target in around.targets:
                yield from self._reads(target)
        elif isinstance(around, ast.AnnAssign | ast.NamedExpr):
            yield from self._reads(around.target)
        elif isinstance(around, ast.keyword):
            call = self.module.parents[around]
            if isinstance(call, ast.Call) and around.arg is not None:
                for function in self._called(call):
                    yield from self._parameter(function, around.arg)
        elif isinstance(around, ast.Call) and node in around.args:
            for function in self._called(around):
                words = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
                place = around.args.index(node) + (isinstance(self.module.parents[function], ast.ClassDef))
                yield from self._parameter(function, words[place]) if place < len(words) else ()
        elif isinstance(around, ast.arguments):
            yield from self._default(around, node)

    def _reads(self, target: ast.expr) -> Iterator[ast.expr]:
        if isinstance(target, ast.Name):
            scope = self.module.binding_scope(target)
            loads = self.module.loads.get(target.id, ())
            yield from (load for load in loads if self.module.binding_scope(load) is scope)
        elif isinstance(target, ast.Attribute):
            nodes = self.module.attributes.get(target.attr, ())
            yield from (node for node in nodes if isinstance(node.ctx, ast.Load))

    def _called(self, call: ast.Call) -> Iterator[_Function]:
        """The functions and methods of the module that a call may mean, by name; the constructor for a class."""
        word = (key_of(call.func) or "").lstrip(".")
        for function in self.module.functions:
            if isinstance(function, _Function):
                around = self.module.parents[function]
                own = isinstance(around, ast.ClassDef) and function.name == "__init__" and around.name == word
                if function.name == word or own:
                    yield function

    def _parameter(self, function: _Function, word: str) -> Iterator[ast.expr]:
        for load in self.module.loads.get(word, ()):
            scope = self.module.binding_scope(load)
            if scope is not None and scope.node is function:
                yield load

    def _default(self, arguments: ast.arguments, node: ast.expr) -> Iterator[ast.expr]:
        function = self.module.parents[arguments]
        if isinstance(function, _Function):
            for word, value in defaults(arguments):
                if value is node:
                    yield from self._parameter(function, word)


def _is_partial(call: ast.Call) -> bool:
    return (key_of(call.func) or "").lstrip(".") in ("partial", "partialmethod")
