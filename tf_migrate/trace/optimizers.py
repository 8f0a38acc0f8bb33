"""Optimizers: the gradients they ask for, the variables they make, the ops that they give."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.values import NONE, Arguments, Const, Items, Node, Thing, Value, items_of
from tf_migrate.semantics.collection_keys import TRAINABLE
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.datasets import Datasets
from tf_migrate.trace.scopes import text_of
from tf_migrate.trace.variables import has_slots


class Optimizers(Datasets):
    """Calls methods of optimizers and averages, and asks for gradients."""

    def _effect_tensor(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        if origin == "tf.gradients" and not arguments.more:
            return self._gradients(origin, arguments, node)
        if origin == "tf.clip_by_global_norm" and not arguments.more:
            return self._clipped(origin, arguments, node)
        return super()._effect_tensor(origin, row, arguments, node)

    def _gradients(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        asked, explicit = self.name_given(origin, arguments, "gradients")
        self.unique(asked, explicit)
        ys, xs = self.argument(origin, arguments, "ys"), self.argument(origin, arguments, "xs")
        known, more = self.elements(xs, node) if isinstance(xs, Items) else ((xs,) if xs is not None else (), None)
        found: list[Value] = []
        for x in known:
            missing = ys is not None and (sources := self.sources_of(ys)) is not None and x not in sources
            if missing and isinstance(x, Node) and x.kind == "variable":
                found.append(NONE)
                continue
            made: Value = self.op("tensor", origin, node)
            self.rests_on(made, *([] if ys is None else [ys]))
            self.has_shape(made, self.shape_of(x))
            found.append(made)
        if more is None:
            return self.items("list", found)
        rest = self.op("tensor", origin, node)
        return self.items("list", found, rest)

    def _clipped(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        asked, explicit = self.name_given(origin, arguments, "clip_by_global_norm")
        norm = self.argument(origin, arguments, "use_norm")
        if norm is None:
            made = self.unique(asked if explicit else "global_norm", explicit)
            norm = self.op("tensor", "tf.global_norm", node)
            self.named(norm, None if made is None else f"{made}/global_norm")
        self.unique(asked, explicit)
        given = arguments.get(0, "t_list")
        known, more = self.elements(given, node) if given is not None else ((), None)
        clipped = [NONE if each is NONE else self.op("tensor", origin, node) for each in known]
        for each, before in zip(clipped, known, strict=True):
            self.rests_on(each, before)
        rest = None if more is None else self.op("tensor", origin, node)
        return self.items("tuple", [self.items("list", clipped, rest), norm])

    def call_builtin(self, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a function of Python's: `sum` of values of the graph adds them one by one."""
        if name == "sum" and len(arguments.positional) == 1:
            known, more = self.elements(arguments.positional[0], node)
            if known and more is None and all(isinstance(each, Node) for each in known):
                total: Value = Const(0)
                for each in known:
                    total = self.operator(ast.Add(), total, each, node)
                return total
        made = super().call_builtin(name, arguments, node)
        if name == "abs" and isinstance(made, Node):
            return self._operated(made, arguments.positional, node, "operator.abs")
        return made

    def _call_thing(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        if owner.kind == "average" and name == "apply":
            return self._averaged(owner, arguments, node)
        if owner.kind == "average" and name == "average":
            return self._average_of(owner, arguments, node)
        return super()._call_thing(owner, name, arguments, node)

    def _averaged(self, owner: Thing, arguments: Arguments, node: ast.AST) -> Value:
        origin, given = self.arguments_of.get(id(owner), (owner.origin, Arguments(more=True)))
        base, _ = self.name_given(origin, given, "ExponentialMovingAverage")
        asked = arguments.get(0, "var_list")
        wanted = self.collected(TRAINABLE) if asked is None or asked is NONE else asked
        known, more = self.elements(wanted, node)
        plain = base is not None and self.argument(origin, given, "zero_debias") is None
        if more is not None or not plain or not all(isinstance(each, Node) for each in known):
            self.made_variable(node, None, None, False, ())
            return super()._call_thing(owner, "apply", arguments, node)
        for each in known:
            if isinstance(each, Node) and each.kind == "variable":
                self.unique("IsVariableInitialized")
                self.unique("cond")
            if isinstance(each, Node):
                self.heap.write(owner, ("average", id(each)), self._slot(each, base or "", node))
        made = self.op("operation", f"{owner.origin}.apply", node)
        return self.named(made, self.unique(base))

    def _average_of(self, owner: Thing, arguments: Arguments, node: ast.AST) -> Value:
        """The variable with the average of a value, which builds nothing."""
        kept = self.heap.read(owner, ("average", id(arguments.get(0, "var"))))
        if isinstance(kept, Node):
            return kept
        return Node("unknown", f"{owner.origin}.average", node, self.frame, self.heap.tick(), self.graph)

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
