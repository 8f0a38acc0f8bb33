"""Lists of all variables of a scope, in which TF1 had what optimizers keep of those that they trained.

The store of a native program does not hold that, so a list that has some may only be one that is read, pair by pair
with one that has none, and whose own variables are as many.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.native.optimizers import WITHOUT_VARIABLES, class_of, needs_store
from tf_migrate.stages.lists import GLOBAL, Listing
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import Program, Unit, apart
from tf_migrate.stages.slices import close
from tf_migrate.stages.updates import Apply, Minimize
from tf_migrate.stages.values import Refused

_ALIKE = frozenset({"tf.layers.dense", "tf.layers.conv2d"})
_BIAS = "use_bias"


def require_no_slots(program: Program, update: AssignEach) -> None:
    """Refuses lists of all variables that may pair a variable with what an optimizer keeps."""
    for place, listing in enumerate(update.listed):
        if listing.key != GLOBAL:
            continue
        if listing.scope is None or not listing.scope.replace("/", "").replace("_", "").isalnum():
            raise Refused(listing.call, "the scope of the variables is known only at run time", "write its name out")
        held = [step for step in _steps(program) if _may_hold(program, listing, step)]
        if held and not (all(_is_apart(program, *step) for step in held) and _is_longer(program, update, place)):
            what = "a list of all variables may hold those that an optimizer keeps"
            raise Refused(listing.call, what, "list the trainable variables, or train in a variable scope")


def _steps(program: Program) -> Iterator[tuple[Unit, Minimize | Apply]]:
    """The training steps whose optimizers keep variables."""
    for unit in program.units:
        for update in unit.value.updates:
            if isinstance(update, Minimize | Apply) and class_of(program, update) != WITHOUT_VARIABLES:
                yield unit, update


def _may_hold(program: Program, listing: Listing, step: tuple[Unit, Minimize | Apply]) -> bool:
    """Whether a list may hold what the optimizer of a step keeps, in TF1's graph or in the store."""
    made, update = step
    prefix = program.scope_of(made)
    if prefix:
        return not apart(prefix, listing.scope)
    if prefix is None or needs_store(program, update):
        return True
    if made.index > listing.unit:
        return False
    return not _trains_apart(program, update, listing.scope)


def _trains_apart(program: Program, update: Minimize | Apply, scope: str | None) -> bool:
    """Whether a step trains no variables below a scope."""
    if isinstance(update, Apply):
        return False
    if update.variables is not None:
        known = [listing for listing in program.units[update.unit].lists if listing.call is update.variables]
        return bool(known) and all(apart((listing.scope or "").rstrip("/"), scope) for listing in known)
    units, _, captured = close(program, [update.tracked])
    making = [unit for unit in units if unit.creates]
    inside = any(binding.value.variables for _, binding in captured)
    return not inside and all(apart(program.scope_of(unit), scope) or program.is_apart(unit, scope) for unit in making)


def _is_apart(program: Program, unit: Unit, update: Minimize | Apply) -> bool:
    """Whether what an optimizer keeps stands behind the variables that it trains, and in no store."""
    return program.scope_of(unit) == "" and not needs_store(program, update)


def _is_longer(program: Program, update: AssignEach, place: int) -> bool:
    """Whether a list is only read, and has for each variable that is assigned to one of its own."""
    names = [item.id for item in getattr(update.loop.generators[0].target, "elts", ()) if isinstance(item, ast.Name)]
    assigned = names.index(update.variable.id) if names and isinstance(update.variable, ast.Name) else place
    if len(update.listed) != len(names) or assigned == place:
        return False
    own, other = (_layers(program, update.listed[index].scope or "") for index in (place, assigned))
    return own is not None and own == other


def _layers(program: Program, scope: str) -> list[str] | None:
    """The layers that make the variables of a scope, where each makes as many as any other of its kind."""
    found = []
    for unit in program.units:
        path = program.scope_of(unit)
        if not unit.creates or apart(path, scope):
            continue
        call = unit.node.value if isinstance(unit.node, ast.Assign) else None
        symbol = program.names.resolve(call.func) if isinstance(call, ast.Call) else None
        plain = isinstance(call, ast.Call) and len(call.args) <= 3 and all(word.arg != _BIAS for word in call.keywords)
        if path != scope or symbol not in _ALIKE or not plain:
            return None
        found.append(symbol)
    return found
