"""Functions that run once to be traced: under `tf.function`, or handed to `Dataset.map`."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from tf_migrate.eager.flow import Flow
from tf_migrate.eager.imports import dotted
from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Module, Scope

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_RELAXED = ("input_signature", "reduce_retracing", "experimental_relax_shapes")
# Code under these runs outside the trace, or decides by itself whether it is in one.
_GUARDS = ("init_scope", "executing_eagerly", "inside_function", "has_symbolic_tensors", "is_symbolic_tensor")


@dataclass(frozen=True)
class Traced:
    """A function under `tf.function`, and the call that says how (None for a bare decorator)."""

    node: Function
    options: ast.Call | None

    @property
    def relaxed(self) -> bool:
        """Whether its signature is fixed, or shapes are generalized when they change."""
        return self.options is not None and any(word.arg in (*_RELAXED, None) for word in self.options.keywords)

    @property
    def parameters(self) -> list[str]:
        """Names of the positional parameters, `self` aside."""
        arguments = self.node.args
        found = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        return found[1:] if found[:1] == ["self"] else found


class Tracing:
    """Answers for one module."""

    def __init__(self, module: Module, names: Names, flow: Flow) -> None:
        self.module = module
        self.names = names
        self.flow = flow

    @cached_property
    def functions(self) -> dict[Function, Traced]:
        """Every function of the module under `tf.function`."""
        found: dict[Function, Traced] = {}
        for use in self.names.uses:
            if use.symbol != "tf.function" or use.explicit_v1:
                continue
            parent = self.module.parents[use.node]
            holder = self.module.parents[use.call] if use.call is not None else parent
            decorated = use.call or use.node
            if isinstance(holder, ast.FunctionDef | ast.AsyncFunctionDef) and decorated in holder.decorator_list:
                found[holder] = Traced(holder, use.call)
            elif use.call is not None and use.call.args:
                function = self.function_of(use.call.args[0])
                if function is not None:
                    found[function] = Traced(function, use.call)
        return found

    def callee(self, call: ast.Call) -> Traced | None:
        """The traced function that a call calls."""
        function = self.function_of(call.func)
        if function is None:
            wrapped = self.flow.value(call.func)
            made = isinstance(wrapped, ast.Call) and dotted(self.module, self.names, wrapped.func) == "tf.function"
            if not made or not wrapped.args:  # type: ignore[attr-defined]
                return None
            function = self.function_of(wrapped.args[0])  # type: ignore[attr-defined]
            return None if function is None else self.functions.get(function)
        traced = self.functions.get(function)
        wrapped_elsewhere = traced is not None and traced.options is not None and traced.options.args
        return None if wrapped_elsewhere else traced

    def function_of(self, node: ast.expr) -> Function | None:
        """The one function of this module that an expression names: ``f``, ``self.f``, a lambda."""
        if isinstance(node, ast.Lambda):
            return node
        if isinstance(node, ast.Name):
            scope: Scope | None = self.module.scopes.get(node)
            while scope is not None and node.id not in scope.bindings:
                scope = scope.parent
            return None if scope is None or len(scope.bindings[node.id]) > 1 else self._named.get((id(scope), node.id))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            scope = self.module.scopes.get(node.value)
            while scope is not None and not scope.is_class:
                scope = scope.parent
            return None if scope is None else self._named.get((id(scope), node.attr))
        return None

    def is_traced(self, node: ast.AST) -> bool:
        """Whether a node is run as part of a trace and nothing else: directly in the body of a traced function."""
        function = self.module.function_of(node)
        if function is None or function not in self.functions or not self._in_body(node, function):
            return False
        return not self.is_guarded(node, function)

    def _in_body(self, node: ast.AST, function: Function) -> bool:
        """Defaults, decorators and annotations are evaluated outside."""
        while self.module.parents[node] is not function:
            node = self.module.parents[node]
        return node is function.body or (isinstance(function.body, list) and node in function.body)

    def is_guarded(self, node: ast.AST, function: ast.AST) -> bool:
        """Whether a ``with`` or ``if`` around the node takes it out of the trace."""
        current = self.module.parents[node]
        while current is not function:
            tests: list[ast.expr] = []
            if isinstance(current, ast.With):
                tests = [item.context_expr for item in current.items]
            elif isinstance(current, ast.If):
                tests = [current.test]
            if any(
                isinstance(part, ast.Attribute) and part.attr in _GUARDS for test in tests for part in ast.walk(test)
            ):
                return True
            current = self.module.parents[current]
        return False

    @cached_property
    def _named(self) -> dict[tuple[int, str], Function]:
        return {
            (id(self.module.scopes[node]), node.name): node
            for node in self.module.functions
            if not isinstance(node, ast.Lambda)
        }
