"""Parts of the graph that a branch of a condition gives names of their own: functions compute them whatever it was."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable

from tf_migrate.stages.alternatives import chain
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.returning import Returning
from tf_migrate.stages.updates import Assign, Minimize
from tf_migrate.stages.values import Stage, Value

_CHOSEN = Minimize | Assign | AssignEach
_SETTLED = frozenset({Stage.PYTHON, Stage.OPTIMIZER})


class Choosing(Returning):
    """Tells which statements in branches may build."""

    def chooses(self, node: ast.stmt, value: Value) -> bool:
        """Whether a statement in a branch gives a tensor, a training step or assignments a name that has no other.

        Who runs it without that name being bound got an error; so a function may compute it whatever the branch was.
        """
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        known = self.evaluator
        made = (known.makers, known.gradients, known.summaries, known.savers, known.lists, known.created)
        if known.running or any(made) or not self._is_branch(node):
            return False
        step = value.stage is Stage.EFFECT and all(isinstance(update, _CHOSEN) for update in value.updates)
        return (value.stage is Stage.TENSOR or step) and all(map(self._is_bound_once, names))

    def _is_branch(self, node: ast.stmt) -> bool:
        """Whether nothing but conditions is between a statement and the straight line."""
        depth, parent = 0, self.module.parents.get(node)
        while isinstance(parent, ast.If) and depth < self.depth:
            depth, parent = depth + 1, self.module.parents.get(parent)
        return depth == self.depth

    def _is_bound_once(self, name: ast.AST | None) -> bool:
        if isinstance(name, ast.Attribute):
            return self._is_attribute_bound_once(name)
        if not isinstance(name, ast.Name):
            return False
        scope = self.module.scope_of(name)
        taken = scope.node.args if isinstance(scope.node, ast.FunctionDef) else None
        parameter = taken is not None and any(
            item.arg == name.id for item in ast.walk(taken) if isinstance(item, ast.arg)
        )
        given = scope.bindings.get(name.id, [])
        bound = [value for value in given if not _is_none(value)]
        sure = len(bound) == len(given) or self._are_fetched(self.module.loads.get(name.id, ()))
        return len(bound) == 1 and sure and not parameter

    def _is_attribute_bound_once(self, target: ast.Attribute) -> bool:
        """Whether an attribute is one of an object that the script makes, and nothing else stores one of that name."""
        nodes = self.module.attributes.get(target.attr, [])
        stored = [node for node in nodes if not isinstance(node.ctx, ast.Load)]
        bound = [node for node in stored if not _is_none(getattr(self.module.parents[node], "value", None))]
        sure = len(bound) == len(stored) or self._are_fetched(node for node in nodes if isinstance(node.ctx, ast.Load))
        return self.evaluator.key_of(target) is not None and bound == [target] and sure

    def _are_fetched(self, nodes: Iterable[ast.expr]) -> bool:
        """Whether places that read a name do nothing but fetch it: nobody asks whether it is None."""
        for node in nodes:
            around = self.module.parents[node]
            while isinstance(around, ast.List | ast.Tuple):
                around = self.module.parents[around]
            if around not in self.evaluator.sites:
                return False
        return True

    def depth_of(self, value: Value, node: ast.AST) -> int:
        """The blocks around a binding; none where a branch gives a name the one value that it can mean, if any."""
        return 0 if self.depth and self._settles(value, node) else self.depth

    def settles(self, name: str, node: ast.stmt) -> bool:
        """Whether a name means, behind a condition, what one of its branches gave it, or nothing."""
        binding = self.evaluator.env.get(name)
        if not isinstance(node, ast.If) or binding is None or binding.depth or binding.node is None:
            return False
        return node in self.module.around(binding.node) and binding.value.stage in _SETTLED

    def _settles(self, value: Value, node: ast.AST) -> bool:
        statement = self.module.parents.get(node)
        if not isinstance(statement, ast.Assign) or node not in statement.targets or value.stage not in _SETTLED:
            return False
        return self._is_branch(statement) and self._is_bound_once(node)

    def joins(self, name: str, node: ast.stmt, before: Container[str]) -> bool:
        """Whether a name means an optimizer behind a condition, each branch of which gives it one or raises an error.

        Where no branch is taken it has to be one of no meaning `before`: who asks for it then gets an error.
        """
        tests, branches = chain(node) if isinstance(node, ast.If) else ([], [])
        going_on = [branch for branch in branches if not isinstance(branch[-1], ast.Raise)]
        complete = len(branches) > len(tests) or name not in before
        return bool(going_on) and complete and all(self._gives_optimizer(name, branch) for branch in going_on)

    def _gives_optimizer(self, name: str, branch: list[ast.stmt]) -> bool:
        """Whether the last thing that a branch gives a name is an optimizer that depends on nothing of the graph."""
        binding = [statement for statement in branch if name in self.bound_by(statement)]
        last = binding[-1] if binding else None
        target = last.targets[0] if isinstance(last, ast.Assign) and len(last.targets) == 1 else None
        if not isinstance(last, ast.Assign) or self.evaluator.key_of(target) != name:
            return False
        with self.evaluator.aside() as (_, impure):
            value = self.evaluator.value(last.value)
        return value.stage is Stage.OPTIMIZER and value.rate is None and isinstance(last.value, ast.Call) and not impure

    def is_chosen(self, name: str, node: ast.stmt) -> bool:
        """Whether a name, behind a condition, means the tensor that one of its branches makes."""
        binding = self.evaluator.env.get(name)
        unit = self.units[binding.unit] if binding is not None and 0 <= binding.unit < len(self.units) else None
        made = unit is not None and unit.chosen and name in unit.binds and binding is not None
        return made and unit is not None and isinstance(node, ast.If) and unit.node in ast.walk(node)


def _is_none(value: object) -> bool:
    """Whether what is bound is None, which says that a name means nothing yet."""
    return isinstance(value, ast.Constant) and value.value is None
