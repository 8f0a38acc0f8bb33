"""What functions of other methods need of the names of a method: it becomes an attribute of the object."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tf_migrate.changes.edits import Edit
from tf_migrate.native.naming import Namer
from tf_migrate.native.objects import attributes_of
from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Binding, Refused


@dataclass(frozen=True)
class Keeper:
    """Makes attributes of local names; `kept` tells what variables are called, `made` gets the lines that are new."""

    program: Program
    namer: Callable[[int], Namer]
    kept: dict[ast.Call, str]
    made: dict[int, list[str]]

    def edits(self, bindings: Iterable[Binding]) -> Iterator[Edit]:
        """Spells each of these names as its attribute, wherever it means that value."""
        source, taken = self.program.module.source, attributes_of(self.program)
        for binding in sorted(bindings, key=_place):
            node = binding.node
            meant = [inner for inner, known in self.program.resolved.items() if known is binding]
            if isinstance(node, ast.arg):
                moved = {inner: place for inner in meant if (place := self._place_of(inner)) is not None}
                if not moved:
                    what = f"where the functions of other methods read `{node.arg}` is not known"
                    raise Refused(node, what, f"keep `{node.arg}` as an attribute")
                name = self._of_parameter(binding, node, min(moved.values()), taken)
                yield from (Edit(*source.span(inner), name) for inner in moved)
            elif isinstance(node, ast.Name):
                name = self._free(binding, node.id, taken)
                self.kept.update(dict.fromkeys((variable.call for variable in binding.value.variables), name))
                yield from (Edit(*source.span(inner), name) for inner in (node, *meant))

    def _of_parameter(self, binding: Binding, node: ast.arg, place: int, taken: set[str]) -> str:
        """The attribute that holds a parameter: one that the method gave it before the place, or a new one."""
        for unit in self.program.units[:place]:
            target = unit.node.targets[0] if isinstance(unit.node, ast.Assign) else None
            alone = self.program.module.parents[unit.node] is binding.home
            same = isinstance(unit.node, ast.Assign) and self.program.resolved.get(unit.node.value) is binding
            if alone and same and isinstance(target, ast.Attribute) and self._is_bound_once(target):
                return ast.unparse(target)
        name = self._free(binding, node.arg, taken)
        self.made.setdefault(place, []).insert(0, f"{name} = {node.arg}\n")
        return name

    def _is_bound_once(self, target: ast.Attribute) -> bool:
        nodes = self.program.module.attributes.get(target.attr, [])
        return ast.unparse(target.value) == "self" and sum(not isinstance(node.ctx, ast.Load) for node in nodes) == 1

    def _free(self, binding: Binding, word: str, taken: set[str]) -> str:
        name = word if word not in taken else self.namer(binding.unit).fresh(f"own_{word}")
        taken.add(name)
        return f"self.{name}"

    def _place_of(self, node: ast.AST) -> int | None:
        """The unit of the statement that a node moves into a function with."""
        return next((unit.index for unit in self.program.units if unit.moves and node in ast.walk(unit.node)), None)


def _place(binding: Binding) -> tuple[int, int, int]:
    node = binding.node
    return (binding.unit, getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
