"""Variables, and values of methods, whose name comes to mean something else get one of their own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.native.naming import Namer
from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Binding, Stage


def renaming_edits(
    program: Program, bindings: Iterable[Binding], namer: Namer, renamed: dict[str, str], kept: dict[ast.Call, str]
) -> Iterator[Edit]:
    """The edits of their names; what variables are called is noted in `renamed`, or in `kept` by their calls."""
    source = program.module.source
    for binding in sorted(bindings, key=lambda binding: binding.unit):
        assert isinstance(binding.node, ast.Name)
        old = binding.node.id
        python = binding.value.stage is Stage.PYTHON
        new = namer.fresh(f"first_{old}" if python else f"{old}_variable")
        if python:
            pass
        elif sum(variable.target == old for variable in program.variables) == 1:
            renamed[old] = new
        else:
            kept.update(dict.fromkeys((variable.call for variable in binding.value.variables), new))
        meant = [node for node, known in program.resolved.items() if known is binding]
        nodes = [node for node in meant if isinstance(node, ast.Name)]
        yield from (Edit(*source.span(node), new) for node in (binding.node, *nodes))
        for unit in (unit for unit in program.units if unit.begins.get(old) is binding):
            start = source.start(unit.node)
            yield Edit(start, start, f"{old} = {new}{source.newline}{' ' * unit.node.col_offset}")
