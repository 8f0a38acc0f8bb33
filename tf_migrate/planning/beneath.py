"""Functions made beside an object whose constructor built a part of what they compute.

The object computes that part itself, by a function that it keeps as an attribute: only there can be seen what the
statements of the constructor read. So `optimizer.minimize(model.loss)` may stand in the script, or in a method of
another object, which may also hand to the first what it computes of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tf_migrate.plan import Beneath
from tf_migrate.planning.order import keeps_names
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import Slice, close
from tf_migrate.stages.values import MOVED, Binding, Refused
from tf_migrate.syntax.unbound import is_global

_STEP = "build what the run needs in one method, or pass the value on as an attribute"


def beneath_of(program: Program, run: Run, found: Slice, anchor: int) -> Beneath | None:
    """What the one object beside which a function is made computes for it; None where that is nothing."""
    home = program.home_of(anchor)
    # What the script itself computes a function computes for itself.
    units = tuple(unit for unit in found.units if program.home_of(unit.index) not in (None, home))
    mine = program.owner_of(home)
    units = tuple(unit for unit in units if mine is None or program.owner_of(program.home_of(unit.index)) is not mine)
    owners = {program.owner_of(program.home_of(unit.index)) for unit in units}
    owner = next(iter(owners), None)
    if len(owners) != 1 or owner is None or program.case is not None or not is_seen(program, owner, home):
        return None
    inside = {unit.index for unit in units}
    outside = [unit for unit in found.units if unit.index not in inside]
    _require_one_method(program, run, units, _bindings(run, outside))
    read = {binding.unit for binding in _bindings(run, outside)}
    outputs = tuple(unit for unit in units if unit.index in read)
    if not outputs or not all(len(unit.binds) == 1 for unit in outputs):
        raise Refused(run.site.node, f"the run needs several values of `{_name(owner)}` that have one name", _STEP)
    _require_apart(run, owner, found, outside if mine is None else [])
    needed = {binding for unit in units for binding in unit.reads.values()}
    given = {binding for binding in needed if binding.unit in {unit.index for unit in outside} and _moves(binding)}
    _, parameters, _ = close(program, [unit.reads for unit in units], given | run.cut)
    if any(binding in needed for binding in run.crossed):
        raise Refused(run.site.node, "an object computes more of a tensor that is fed", _STEP)
    if mine is not None:
        _require_attributes(program, run, [*outputs, *parameters])
    elif given:
        raise Refused(run.site.node, "an object takes what the script computes, which uses what it computes", _STEP)
    return Beneath(owner, units, outputs, parameters)


def _name(owner: ObjectClass) -> str:
    return "" if owner.name is None else owner.name.id


def _moves(binding: Binding) -> bool:
    return binding.value.stage in MOVED


def is_seen(program: Program, owner: ObjectClass, home: ast.AST | None) -> bool:
    """Whether code of a function, or of the script, knows an object by its name: a local one, or one of the module."""
    if owner.name is None:
        return False
    module, word, mine = program.module, owner.name.id, program.owner_of(home)
    if mine is None:
        return module.function_of(owner.name) is home
    around = [scope for scope in module.every_scope if scope.node is home]
    own = any(word in scope.bindings for scope in around)
    alike = mine.name is not None and is_global(module, mine.name) and is_global(module, owner.name)
    return alike and len(module.root.bindings.get(word, [])) == 1 and not own


def _require_attributes(program: Program, run: Run, units: Iterable[Unit]) -> None:
    """Refuses what one object hands to another under a name that means something only where it is made."""
    for unit in units:
        local = program.home_of(unit.index) is not None and "." not in unit.binds[0]
        if local or len(unit.binds) > 1 or unit.value.iteration is not None or unit.value.default is not None:
            raise Refused(run.site.node, f"`{unit.binds[0]}` goes from object to object", "make it an attribute")


def own(run: Run, found: Slice, beneath: Beneath) -> Slice:
    """What of a slice is not left to the object."""
    units = tuple(unit for unit in found.units if unit not in beneath.units)
    read = set(_bindings(run, units))
    return replace(found, units=units, captured=tuple(item for item in found.captured if item[1] in read))


def whole(
    run: Run, beneath: Beneath, taped: tuple[Unit, ...], rest: tuple[Unit, ...]
) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """The statements in a tape and behind it, those of the object together."""
    inner = set(beneath.units)
    if inner & set(taped):
        taped = tuple(sorted({*taped, *inner}, key=lambda unit: unit.index))
        rest = tuple(unit for unit in rest if unit not in inner)
    if not keeps_names((*taped, *rest), run.cut):
        raise Refused(run.site.node, "a name is rebound between what an object computes", "give each value its name")
    return taped, rest


def _bindings(run: Run, outside: Iterable[Unit]) -> Iterator[Binding]:
    """What is read beside the object."""
    for unit in outside:
        yield from unit.reads.values()
    for update in run.updates:
        yield from update.reads.values()
    yield from run.reads.values()


def _require_one_method(program: Program, run: Run, units: tuple[Unit, ...], read: Iterable[Binding]) -> None:
    homes = {program.home_of(unit.index) for unit in units}
    for unit in units:
        homes |= {binding.home for binding in unit.reads.values() if binding.home is not None}
    updating = any(program.home_of(update.unit) in homes for update in run.updates)
    if updating or len(homes) > 1 or any(unit.gradients or unit.lists or unit.describes for unit in units):
        raise Refused(run.site.node, "the run needs parts that several methods build, or updates of theirs", _STEP)
    if any(binding.home in homes and "." not in name for name, binding in run.reads.items()):
        raise Refused(run.site.node, "the run reads a local name of a method", _STEP)


def _require_apart(run: Run, owner: ObjectClass, found: Slice, outside: Sequence[Unit]) -> None:
    """Refuses names that would mean something of the object in a function of the script, and elements of data."""
    if any(unit.value.iteration is not None or unit.value.default is not None for unit in found.parameters):
        raise Refused(run.site.node, "an object takes elements or defaults itself", _STEP)
    bound = {name for unit in (*found.units, *found.parameters) for name in unit.binds}
    words = {name.rpartition(".")[2] for name in bound if "." in name}
    plain = {name for unit in outside for name in (*unit.binds, *unit.reads)}
    plain |= {name for reads in (run.reads, *(update.reads for update in run.updates)) for name in reads}
    shared = words & plain - {unit.binds[0] for unit in outside if _is_alias(unit, outside)}
    if shared:
        what = f"`{min(shared)}` names a part of an object of `{owner.node.name}` and another value"
        raise Refused(run.site.node, what, "give one of them another name")


def _is_alias(unit: Unit, outside: Sequence[Unit]) -> bool:
    """Whether a statement such as `loss = model.loss` only gives a part of the object the name that it has there."""
    node = unit.node
    named = isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and unit.binds == (node.value.attr,)
    return named and sum(unit.binds[0] in other.binds for other in outside) == 1
