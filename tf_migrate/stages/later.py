"""Methods that the script calls behind the constructor to build, or to initialize: `net.build()`, then `net.train()`.

Where nothing else calls such a method, and its one call is a statement of the straight line, it is read there, as one
that the constructor calls is read where that does. Methods that run the session, and may be called at any time, are
read as soon as all that builds for them was read.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping
from dataclasses import dataclass

from tf_migrate.names.building import main_guard
from tf_migrate.names.run_sites import RunSite
from tf_migrate.names.sessions import INITIALIZERS
from tf_migrate.stages import effects
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.giving import Giving
from tf_migrate.stages.objects import ObjectClass, called_once
from tf_migrate.stages.savers import SAVER
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_BUILDING = frozenset({"tf.placeholder", "tf.placeholder_with_default", "tf.Variable", "tf.get_variable", SAVER})
_MADE = _BUILDING | INITIALIZERS | effects.OPTIMIZERS


@dataclass
class Waiting:
    """What of a class is read behind the constructor: the methods that `calls` enter, and the `running` ones.

    `build` are those of the entered ones that have to be read before the running ones, `inside` all that are entered.
    """

    calls: Mapping[ast.Call, ast.FunctionDef]
    build: set[ast.FunctionDef]
    inside: set[ast.FunctionDef]
    running: list[ast.FunctionDef]

    def holds(self, call: ast.Call) -> bool:
        """Whether a call, outside of the class, enters one of its methods."""
        return call in self.calls


class Later(Giving):
    """Keeps account of the classes of which something is read behind the constructor."""

    module: Module
    sites: dict[ast.Call, RunSite]
    entrances: dict[ast.Call, ast.FunctionDef]

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.waiting: dict[ObjectClass, Waiting] = {}

    def entered_later(self, known: ObjectClass) -> Mapping[ast.Call, ast.FunctionDef]:
        """The statements of the straight line, outside of the class, that enter methods which build or initialize."""
        entered: dict[ast.Call, ast.FunctionDef] = {}
        for method in known.methods.values() if known.name is not None else ():
            call = called_once(self.module, known, method)
            if call is not None and self._is_straight(call) and self._makes(method):
                entered[call] = method
        return entered

    def builds_only(self, known: ObjectClass, method: ast.FunctionDef, running: Container[ast.FunctionDef]) -> bool:
        """Whether a method neither runs the session nor calls another method that does."""
        calls = [inner for inner in ast.walk(method) if isinstance(inner, ast.Call)]
        return not any(call in self.sites or known.method_of(call) in running for call in calls)

    def was_read(self, known: ObjectClass, method: ast.FunctionDef) -> bool:
        """Notes that a method was read; tells whether the running ones may be read now."""
        waiting = self.waiting[known]
        if waiting.build and method not in waiting.build and method is not known.constructor:
            what = f"`{method.name}` runs the session before all that builds `{known.node.name}` was called"
            raise Refused(method, what, "build all of it before it runs")
        waiting.build.discard(method)
        return not waiting.build

    def _is_straight(self, call: ast.Call) -> bool:
        """Whether a call is a statement that is met once, at the top or in a function that is entered."""
        statement = self.module.parents[call]
        block = self.module.parents.get(statement) if isinstance(statement, ast.Expr) else None
        while isinstance(block, ast.With) or (isinstance(block, ast.If) and main_guard(block) is not None):
            block = self.module.parents[block]
        return isinstance(block, ast.Module) or block in self.entrances.values()

    def _makes(self, method: ast.FunctionDef) -> bool:
        """Whether a method, which always comes to its end, builds or initializes."""
        if any(
            isinstance(inner, ast.Return | ast.Yield) and inner is not method.body[-1] for inner in ast.walk(method)
        ):
            return False
        inner = (node for node in ast.walk(method) if isinstance(node, ast.Name | ast.Attribute))
        return any(self.evaluator.names.resolve(node) in _MADE for node in inner)
