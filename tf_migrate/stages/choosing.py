"""Parts of the graph that a branch of a condition gives names of their own: functions compute them whatever it was."""

from __future__ import annotations

import ast

from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.returning import Returning
from tf_migrate.stages.values import Stage, Value


class Choosing(Returning):
    """Tells which statements in branches may build."""

    def chooses(self, node: ast.stmt, value: Value) -> bool:
        """Whether a statement in a branch gives a tensor, or assignments, a name that nothing else binds.

        Who runs it without that name being bound got an error; so a function may compute it whatever the branch was.
        """
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        known = self.evaluator
        made = (known.makers, known.gradients, known.summaries, known.savers, known.lists, known.created)
        if known.running or any(made) or not self._is_branch(node):
            return False
        if value.updates and all(isinstance(update, AssignEach) for update in value.updates):
            return isinstance(target, ast.Attribute) and self._is_attribute_bound_once(target)
        return value.stage is Stage.TENSOR and all(
            isinstance(name, ast.Name) and self._is_bound_once(name) for name in names
        )

    def _is_branch(self, node: ast.stmt) -> bool:
        """Whether nothing but conditions is between a statement and the straight line."""
        depth, parent = 0, self.module.parents.get(node)
        while isinstance(parent, ast.If) and depth < self.depth:
            depth, parent = depth + 1, self.module.parents.get(parent)
        return depth == self.depth

    def _is_bound_once(self, name: ast.Name) -> bool:
        scope = self.module.scope_of(name)
        given = scope.node.args if isinstance(scope.node, ast.FunctionDef) else None
        parameter = given is not None and any(
            item.arg == name.id for item in ast.walk(given) if isinstance(item, ast.arg)
        )
        return len(scope.bindings.get(name.id, [])) == 1 and not parameter

    def _is_attribute_bound_once(self, target: ast.Attribute) -> bool:
        """Whether an attribute is one of an object that the script makes, and nothing else stores one of that name."""
        nodes = self.module.attributes.get(target.attr, [])
        return self.evaluator.key_of(target) is not None and [
            node for node in nodes if not isinstance(node.ctx, ast.Load)
        ] == [target]

    def is_chosen(self, name: str, node: ast.stmt) -> bool:
        """Whether a name, behind a condition, means the tensor that one of its branches makes."""
        binding = self.evaluator.env.get(name)
        unit = self.units[binding.unit] if binding is not None and 0 <= binding.unit < len(self.units) else None
        made = unit is not None and unit.chosen and name in unit.binds and binding is not None
        return made and unit is not None and isinstance(node, ast.If) and unit.node in ast.walk(node)
