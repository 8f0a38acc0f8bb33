"""Methods that build a part of the graph and return it to the constructor: they are read where they are called.

What such a method is given, and what it returns, keeps the name that it has where it is made.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from tf_migrate.stages.constructing import Constructing
from tf_migrate.stages.objects import returned_names, returned_value
from tf_migrate.stages.values import Binding, Refused, Stage, Value

_RETURNED = frozenset({Stage.EFFECT, Stage.PLACEHOLDER, Stage.TENSOR})


class Returning(Constructing):
    """Reads such methods; `returning` are the statements that call them, of which the call stays."""

    def constructs(self, node: ast.Assign, scopes: tuple[ast.With, ...]) -> bool:
        """Takes the statement that makes an object, or gets what a method of one returns."""
        return self._takes_returned(node, scopes) or super().constructs(node, scopes)

    def _takes_returned(self, node: ast.Assign, scopes: tuple[ast.With, ...]) -> bool:
        """Takes `self.loss, self.train = self.build(x)`: its names mean what the names in the method do."""
        call = node.value
        function = self.entrances.get(call) if isinstance(call, ast.Call) else None
        owner = None if function is None else self.evaluator.methods.get(function)
        if function is None or owner is None or not isinstance(call, ast.Call):
            return False
        if self.depth:
            raise Refused(node, f"`{function.name}`, which builds a graph, is called in a block", "call it outside")
        self.place(node, scopes)
        *body, end = function.body
        given, value = self.given_to(call, function, owner), returned_value(function)
        with self.inside(call, function, given):
            self.block(body, scopes)
            if value is None:
                self.place(end, scopes)
            else:
                made = self._value(end, value, scopes)
        self.returning.append(node)
        if value is not None:
            self._names(node.targets[0], made)
            return True
        for target, binding in zip(_targets(node), self._results(function, end), strict=True):
            key = self.evaluator.key_of(target)
            if key is None:
                raise Refused(node, "a part of the graph is stored in an object", "bind it to a plain name")
            home = self.evaluator.module.function_of(node)
            if "." not in key and isinstance(home, ast.FunctionDef) and binding.value.stage is not Stage.EFFECT:
                self.require_free(home, key, binding, target)
            self.evaluator.env[key] = binding
        self.dropped.append(end)
        return True

    def _value(self, end: ast.stmt, value: ast.expr, scopes: tuple[ast.With, ...]) -> Value:
        """Reads a tensor that a method returns without having named it: the statement makes it."""
        self.statement = end
        self.evaluator.unit = len(self.units)
        made, reads, impure = self.evaluator.collect(value)
        if made.stage is not Stage.TENSOR or made.parts is not None:
            raise Refused(end, f"what is returned, `{ast.unparse(value)}`, is no tensor", "keep it as an attribute")
        self.place_value(end, scopes, made, reads, impure)
        return made

    def _names(self, target: ast.expr, value: Value) -> None:
        """Names such a tensor by the target that gets it."""
        self.store(target, value)
        self.units[-1] = replace(self.units[-1], binds=tuple(self.names_of([target])))

    def _results(self, function: ast.FunctionDef, end: ast.stmt) -> list[Binding]:
        """What the names that a method returns mean at its end."""
        found = []
        for name in returned_names(function) or ():
            binding = self.ends[function].get(name.id)
            if binding is None or not self.is_named(binding) or binding.value.stage not in _RETURNED:
                what = f"`{function.name}` returns `{name.id}`, which is no tensor or step of the graph"
                raise Refused(end, what, "keep Python values as attributes")
            found.append(binding)
        return found


def _targets(node: ast.Assign) -> list[ast.expr]:
    target = node.targets[0]
    return target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
