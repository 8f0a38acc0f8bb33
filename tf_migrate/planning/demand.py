"""Elements of datasets that a run takes: TF1 took only those which the run needed, and a function takes what it reads.

What a run surely needs, values tell (`stages.demand`). A step that applies gradients needs those of all variables where
it applies all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.stages.elements import taken_by
from tf_migrate.stages.program import Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import Slice
from tf_migrate.stages.updates import Apply
from tf_migrate.stages.values import Move, Refused, moving, taking

_CHOOSING = ast.IfExp | ast.BoolOp | ast.Subscript | ast.Continue
_NEXT = "get_next"


def require_demanded(run: Run, found: Slice) -> None:
    """Refuses a run whose function would take elements that TF1's run may have left."""
    taken = list(_taken(run, found))
    if not taken:
        return
    demanded = moving([leaf.value for leaf in (*run.leaves, *run.watched)]) | _applied(run, found)
    left = next((name for name, node in taken if taking(node) not in demanded), None)
    if left is not None:
        what = f"the run may need `{left}`, an element of a dataset, or may not: TF1 took one only if it did"
        raise Refused(run.site.node, what, "fetch the element as well, or give each result a statement of its own")


def _taken(run: Run, found: Slice) -> Iterator[tuple[str, ast.expr | None]]:
    """The elements that the function of a run takes, with the calls that give them."""
    for unit in taken_by(run, found.parameters):
        yield unit.binds[0], unit.value.node
    for unit in found.units:
        yield from ((ast.unparse(call), call) for call in _calls(unit))


def _calls(unit: Unit) -> Iterator[ast.Call]:
    """The calls in a statement that moves which take an element."""
    for inner in ast.walk(unit.node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == _NEXT:
            yield inner


def _applied(run: Run, found: Slice) -> frozenset[Move]:
    """What the gradients need that a run applies, where it applies all that are taken."""
    applied = [update for update in run.updates if isinstance(update, Apply)]
    needed: frozenset[Move] = frozenset()
    for unit in found.units if applied else ():
        behind: list[ast.AST] = [other.node for other in found.units if other.index > unit.index]
        behind += [update.pairs for update in applied]
        plain = not any(_chooses(inner) for node in behind for inner in ast.walk(node))
        for gradients in unit.gradients:
            needed |= gradients.slope.every if gradients.whole and plain else gradients.slope.each
    return needed


def _chooses(node: ast.AST) -> bool:
    """Whether code may take a part of the gradients only."""
    return isinstance(node, _CHOOSING) or (isinstance(node, ast.comprehension) and bool(node.ifs))
