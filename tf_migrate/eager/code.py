"""Everything that the checks ask about one module as TensorFlow 2 code, each part worked out when first asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tf_migrate.eager.flow import Flow
from tf_migrate.eager.imports import dotted
from tf_migrate.eager.tapes import Tapes
from tf_migrate.eager.traced import Function, Tracing
from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Module

# Methods that give a dataset for a dataset; what has one of these in its chain down to `tf.data` is a dataset.
_DATASET = "tf.data."
_MODELS = ("tf.keras.Model", "tf.keras.Sequential", "tf.keras.models.", "tf.keras.applications.")
_NO_MODELS = ("tf.keras.models.save_model", "tf.keras.models.model_from")


class Code:
    """One module, seen as TensorFlow 2 code."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names
        self.flow = Flow(module)
        self.tracing = Tracing(module, names, self.flow)
        self.tapes = Tapes(module, names, self.flow)
        self._dotted: dict[ast.expr, str] = {}

    def name(self, node: ast.expr) -> str:
        """The dotted name that an expression is imported by, ``tf.`` for TensorFlow, ``tf.keras`` for any Keras."""
        found = self._dotted.get(node)
        if found is None:
            found = self._dotted[node] = dotted(self.module, self.names, node)
        return found

    def called(self, node: ast.expr) -> str:
        """The dotted name of what a call calls; empty for what is no call."""
        return self.name(node.func) if isinstance(node, ast.Call) else ""

    @cached_property
    def calls(self) -> dict[str, list[ast.Call]]:
        """All calls of imported things, by dotted name."""
        found: dict[str, list[ast.Call]] = {}
        for call in self.module.calls:
            if name := self.name(call.func):
                found.setdefault(name, []).append(call)
        return found

    def calls_of(self, *names: str) -> Iterator[ast.Call]:
        """The calls of some dotted names."""
        for name in names:
            yield from self.calls.get(name, ())

    def methods(self, *attributes: str) -> Iterator[tuple[ast.Attribute, ast.Call]]:
        """Calls of methods by their names, of things that are not imported names themselves."""
        for attribute in attributes:
            for node in self.module.attributes.get(attribute, ()):
                call = self.module.parents[node]
                if isinstance(call, ast.Call) and call.func is node and not self.name(node):
                    yield node, call

    def is_dataset(self, node: ast.expr) -> bool:
        """Whether an expression is a `tf.data.Dataset` for certain."""
        for _ in range(40):
            node = self.flow.value(node)
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
                return False
            name = self.name(node.func)
            if name:
                return name.startswith(_DATASET) and "Dataset" in name
            if not isinstance(node.func, ast.Attribute):
                return False
            node = node.func.value
        return False

    def is_model(self, node: ast.expr) -> bool:
        """Whether an expression is a Keras model for certain."""
        value = self.flow.value(node)
        if isinstance(value, ast.Name) and value.id == "self":
            return self._class_is_model(value)
        name = self.called(value)
        return name.startswith(_MODELS) and not name.startswith(_NO_MODELS) and name.rpartition(".")[2][:1].isalpha()

    def is_strategy(self, node: ast.expr) -> bool:
        """Whether an expression is a distribution strategy for certain."""
        name = self.called(self.flow.value(node))
        return name.startswith("tf.distribute.") and name.endswith("Strategy")

    @cached_property
    def replicated(self) -> frozenset[Function]:
        """The functions of this module that a strategy runs in each replica."""
        calls = (
            call
            for node, call in self.methods("run", "experimental_run_v2")
            if call.args and self.is_strategy(node.value)
        )
        found = (self.tracing.function_of(call.args[0]) for call in calls)
        return frozenset(function for function in found if function is not None)

    def _class_is_model(self, node: ast.Name) -> bool:
        scope = self.module.scopes[node]
        while not scope.is_class and scope.parent is not None:
            scope = scope.parent
        bases = scope.node.bases if isinstance(scope.node, ast.ClassDef) else []
        return any(
            self.name(base) in ("tf.keras.Model", "tf.keras.Sequential", "tf.keras.models.Model") for base in bases
        )
