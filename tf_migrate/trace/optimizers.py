"""Optimizers: the gradients they ask for, the variables they make, the ops that they give."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.values import (
    NONE,
    Arguments,
    Const,
    Items,
    Node,
    Thing,
    Value,
    items_of,
)
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.contexts import Contexts
from tf_migrate.trace.scopes import text_of
from tf_migrate.trace.variables import has_slots


class Optimizers(Contexts):
    """Calls methods of optimizers."""

    def _effect_optimizer(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = super()._effect_optimizer(origin, row, arguments, node)
        self.arguments_of[id(made)] = (origin, arguments)
        self._held.append(made)
        return made

    def _call_optimizer(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        origin, given = self.arguments_of.get(id(owner), (owner.origin, Arguments(more=True)))
        default = origin.rpartition(".")[2].removesuffix("Optimizer")
        base, _ = self.name_given(origin, given, default)
        if not has_slots(owner) or base is None or arguments.more:
            return super()._call_optimizer(owner, name, arguments, node)
        if name == "minimize":
            self.unique("gradients")
            loss = arguments.get(0, "loss")
            asked = arguments.get(2, "var_list")
            trained = self.trained(loss, None if asked is NONE else asked, node)
            return self._applied(owner, base, trained, arguments.get(1, "global_step"), _named(arguments), node)
        if name == "compute_gradients":
            return self._computed_gradients(owner, arguments, node)
        if name == "apply_gradients":
            pairs = self._pairs_of(arguments.get(0, "grads_and_vars"), node)
            return self._applied(owner, base, pairs, arguments.get(1, "global_step"), arguments.get(2, "name"), node)
        return super()._call_optimizer(owner, name, arguments, node)

    def _computed_gradients(self, owner: Thing, arguments: Arguments, node: ast.AST) -> Value:
        self.unique("gradients")
        asked = arguments.get(1, "var_list")
        trained = self.trained(arguments.get(0, "loss"), None if asked is NONE else asked, node)
        made = self.op("tensor", f"{owner.origin}.compute_gradients", node)
        if trained is None:
            self._parts[made] = ()
            return made
        pairs = [self.items("tuple", (made.part(("gradient", at), "tensor"), each)) for at, each in enumerate(trained)]
        return self.items("list", pairs)

    def _pairs_of(self, value: Value | None, node: ast.AST) -> tuple[Node, ...] | None:
        if not isinstance(value, Items):
            return None
        known, more = self.elements(value, node)
        found: list[Node] = []
        for pair in known:
            parts = items_of(pair) if isinstance(pair, Items) else ()
            if len(parts) != 2 or not isinstance(parts[1], Node) or not isinstance(parts[0], Node | Const):
                return None
            if parts[0] is not NONE:
                found.append(parts[1])
        return None if more is not None else tuple(found)

    def _applied(
        self,
        owner: Thing,
        base: str,
        trained: tuple[Node, ...] | None,
        step: Value | None,
        asked: Value | None,
        node: ast.AST,
    ) -> Value:
        if trained is None:
            self.made_variable(node, None, None, False, ())
        else:
            self.slots(owner, trained, base, node)
        explicit = asked is not None and asked is not NONE
        name = self.unique(text_of(asked) if explicit else base, explicit)
        return self.named(self.op("operation", f"{owner.origin}.apply_gradients", node), name)


def _named(arguments: Arguments) -> Value | None:
    return next((value for key, value in arguments.keywords if key == "name"), None)
