"""Calls of functions that run the session, and the tensors that they hand to these."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.stages.handing import Handed, filled, parameters
from tf_migrate.stages.values import PYTHON, Binding, Reads, Refused, Stage, Value

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_GIVEN = frozenset({Stage.EFFECT, Stage.PLACEHOLDER, Stage.TENSOR, Stage.VARIABLE})
_BY_NAME = "hand it tensors by their names, in every call"


@dataclass(frozen=True, eq=False)
class Given:
    """The tensors that calls hand to a function, by its parameters; `env` are the bindings in force at the first.

    `calls` are with the tensors that the function around each is given itself.
    """

    function: ast.FunctionDef
    tensors: Mapping[str, Binding]
    env: Reads
    calls: dict[tuple[ast.Call, Given | None], None]

    def is_like(self, other: Given) -> bool:
        """Whether two calls hand the same tensors to one function."""
        return self.function is other.function and self.tensors == other.tensors

    def handed(self) -> Iterator[Handed]:
        """The tensors by the arguments that hold them."""
        for call in dict.fromkeys(call for call, _ in self.calls):
            names = parameters(self.function, bound=isinstance(call.func, ast.Attribute))
            for name, argument in filled(call, names):
                if name in self.tensors:
                    yield Handed(call, argument, self.function, str(name))


def tensor_given(evaluator: Evaluator, node: ast.expr, function: ast.FunctionDef, name: str) -> Binding:
    """What a call hands to a function that runs it, as the parameter of that name; raises Refused for anything else."""
    if isinstance(node, ast.Name) and evaluator.given is not None and node.id in evaluator.given.tensors:
        evaluator.run_parts.add(node)
        return evaluator.given.tensors[node.id]
    with evaluator.aside(), evaluator.fetching_names():
        value = evaluator.value(node)
    framed = isinstance(node, ast.Name) and any(node.id in frame for frame in evaluator.frames)
    binding = None if framed else evaluator.env.get(evaluator.key_of(node) or "")
    known = binding is not None and binding.value is value and isinstance(binding.node, ast.Name | ast.Attribute)
    plain = value.stage in _GIVEN and value.parts is None and value.iteration is None
    if binding is None or not known or not plain or binding.depth or evaluator.active:
        what = f"`{function.name}` runs what it is given as `{name}`, and what `{ast.unparse(node)}` is is not known"
        raise Refused(node, what, _BY_NAME)
    return binding


def receive(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef, tensors: Mapping[str, Binding]) -> None:
    """Notes the tensors that a call hands to a function: it is read with them."""
    missing = evaluator.receivers.get(function, frozenset()) - tensors.keys()
    if missing:
        what = f"`{function.name}` is not given the tensor that it runs as `{min(missing)}`"
        raise Refused(call, what, _BY_NAME)
    if tensors:
        around = evaluator.given
        env = dict(evaluator.env) if around is None else around.env
        evaluator.received.append(Given(function, tensors, env, {(call, around): None}))


def call_of_running(evaluator: Evaluator, node: ast.Call, function: ast.FunctionDef) -> Value:
    """The value of calling a function that runs the session: Python's, whatever session is handed to it."""
    evaluator.on_running_call(node)
    wanted = set(evaluator.takers.get(function, ()))
    tensors: dict[str, Binding] = {}
    for name, argument in filled(node, parameters(function, bound=function in evaluator.methods)):
        if name is not None and name in evaluator.receivers.get(function, ()):
            tensors[name] = tensor_given(evaluator, argument, function, name)
        elif name not in wanted or not isinstance(argument, ast.Name | ast.Attribute):
            evaluator.require_python(argument)
        elif evaluator.value(argument).stage is Stage.SESSION:
            wanted.discard(name)
            evaluator.handings.append(Handed(node, argument, function, name))
    if wanted:
        what = f"`{function.name}` is not given the session that it runs as `{min(wanted)}`"
        raise Refused(node, what, "hand it the session by its name, in every call")
    receive(evaluator, node, function, tensors)
    evaluator.note_impure(node)
    return PYTHON
