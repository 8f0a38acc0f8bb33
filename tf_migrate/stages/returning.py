"""Methods that build a part of the graph and return it to the constructor: they are read where they are called.

What such a method is given, and what it returns, keeps the name that it has where it is made.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from tf_migrate.stages.aliases import aliased, together
from tf_migrate.stages.constructing import Constructing
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.input_functions import iteration_of, only_reads, targets_of
from tf_migrate.stages.objects import returned_names, returned_value
from tf_migrate.stages.values import PYTHON, Binding, Iteration, Refused, Stage, Value

_RETURNED = frozenset({Stage.EFFECT, Stage.PLACEHOLDER, Stage.TENSOR})


class Returning(Constructing):
    """Reads such methods; `returning` are the statements that call them, of which the call stays.

    `inputs` are the statements that get, or return, what a queue gives, which natively is an iterator.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.input_functions: Mapping[ast.Call, ast.FunctionDef] = {}
        self.inputs: dict[ast.stmt, Iteration] = {}

    def constructs(self, node: ast.Assign, scopes: tuple[ast.With, ...]) -> bool:
        """Takes the statement that makes an object, or gets what a method of one returns."""
        taken = self._takes_returned(node, scopes) or self._takes_inputs(node, scopes)
        return taken or super().constructs(node, scopes)

    def names_to_run(self, node: ast.Assign, scopes: tuple[ast.With, ...]) -> bool:
        """Takes `loss = self.loss` of a method that runs the session, or `fetches = [train, loss]`.

        The run asks a function for what that means.
        """
        name = aliased(self.evaluator, node) or together(self.evaluator, node)
        if name is None:
            return False
        self.dropped.append(node)
        self.place(node, scopes)
        self.bind(name.id, PYTHON, name)
        self.evaluator.aliases[self.evaluator.env[name.id]] = node.value
        return True

    def _takes_inputs(self, node: ast.Assign, scopes: tuple[ast.With, ...]) -> bool:
        """Takes `images, labels = read_images(folder)`, where the function reads them by queues."""
        call = node.value
        function = self.input_functions.get(call) if isinstance(call, ast.Call) else None
        if function is None or not isinstance(call, ast.Call) or self.depth or scopes:
            return False
        self.place(node, scopes)
        *body, end = function.body
        first, variables = len(self.units), len(self.variables)
        with self.inside(call, function, self.given_to(call, function, None)):
            self.block(body, scopes)
            self.place(end, scopes)
        odd = next((unit for unit in self.units[first:] if not only_reads(unit)), None)
        if odd is not None or len(self.variables) > variables:
            what = f"`{function.name}`, which fills queues, does more than read the input"
            raise Refused(end if odd is None else odd.node, what, "do that where it is called")
        results = [self.ends[function].get(name.id) for name in returned_names(function) or ()]
        iteration = iteration_of(results)
        if iteration is None:
            what = f"`{function.name}`, which fills queues, returns something else than what one of them gives"
            raise Refused(end, what, "return the batches, and compute with them where it is called")
        for target, binding in zip(targets_of(node), results, strict=True):
            assert binding is not None
            self.evaluator.env[target.id] = binding
        self.inputs[node] = self.inputs[end] = iteration
        return True

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
        """Reads a tensor or a step that a method returns without having named it: the statement makes it."""
        self.statement = end
        self.evaluator.unit = len(self.units)
        made, reads, impure = self.evaluator.collect(value)
        if made.stage not in (Stage.TENSOR, Stage.EFFECT) or made.parts is not None:
            raise Refused(
                end, f"what is returned, `{ast.unparse(value)}`, is no tensor or step", "keep it as an attribute"
            )
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
