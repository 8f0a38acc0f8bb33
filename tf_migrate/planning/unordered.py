"""Runs of which TensorFlow 1 left open whether something that they give sees a variable before or after an update."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable

from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import Program, Unit, looks_up_again, may_share
from tf_migrate.stages.runs import Run
from tf_migrate.stages.shadows import Average, awaited
from tf_migrate.stages.slices import close, updated_variables
from tf_migrate.stages.updates import Apply, Minimize, Update
from tf_migrate.stages.values import Binding, Loose, Reads, Stage, reading
from tf_migrate.syntax.arguments import argument


class _Lists(Container[Binding]):
    """What stands for layers that a statement lists something of: it needs their variables, updates or losses only."""

    def __contains__(self, item: object) -> bool:
        return isinstance(item, Binding) and item.value.stage in (Stage.LAYER, Stage.UPDATES, Stage.VARIABLES)


def is_unordered(program: Program, run: Run) -> bool:
    """Whether TF1 left open if something of the run sees a variable before or after an update of it.

    What an update is computed from comes before it. Anything else that reads the variable may come before or after.
    """
    if (
        _trains_looked_up(program, run)
        or _moves_beside(program, run)
        or _assigns_beside(run)
        or any(_is_loose(program, run, item) for item in run.updates)
    ):
        return True
    for update in run.updates:
        changed = {variable.call for variable in updated_variables(program, update)} | _counting(update)
        before, _, _ = close(program, [update.reads], _Lists())
        waited = {unit.index for unit in before}
        if any(_averages_beside(other, update, changed) for other in run.updates if other.unit not in waited):
            return True
        if isinstance(update, Apply) and any(_is_ungated(program, unit) for unit in before):
            return True
        beside = [other.reads for other in run.updates if other is not update and update not in awaited(other)]
        if any(leaf.value.stage is Stage.TENSOR for leaf in (*run.leaves, *run.watched)):
            beside.append(_computed(run))
        late_units = [unit for unit in close(program, beside)[0] if unit not in before]
        if isinstance(update, Minimize | Apply):
            again = any(looks_up_again(unit, before) for unit in late_units)
            again = again or any(_gives_more(run, update, unit) for unit in before)
            if again or _steps_beside(program, run, update, late_units):
                return True
        reads = [*beside, *(unit.reads for unit in close(program, beside)[0])]
        behind = [unit.reads for unit in program.units if unit.sees_updates and update in unit.value.updates]
        late = [read for read in reads if not any(read is known for known in (*behind, *(one.reads for one in before)))]
        seen = [binding.value for read in late for binding in read.values()]
        # What an update leaves is no value that it may come before.
        tensors = [value for value in seen if value.stage is not Stage.EFFECT]
        if any(changed & {item.call for item in value.variables} for value in tensors):
            return True
    return False


def _averages_beside(other: Update, update: Update, changed: Container[ast.Call]) -> bool:
    """Whether an update takes variables into averages that another one changes, which it does not wait for."""
    beside = isinstance(other, Average) and other is not update and update not in other.after
    return beside and isinstance(other, Average) and any(variable.call in changed for variable in other.averaged)


def _trains_looked_up(program: Program, run: Run) -> bool:
    """Whether two steps train with one function's layers, one of them variables that it looked up."""
    steps = [update for update in run.updates if isinstance(update, Minimize | Apply)]
    made = {id(step): _functions(close(program, [step.reads], _Lists())[0]) for step in steps}
    return any(
        isinstance(step, Minimize)
        and step.variables is not None
        and not _listed(step)
        and any(other is not step and not made[id(step)].isdisjoint(made[id(other)]) for other in steps)
        for step in steps
    )


def _functions(units: Iterable[Unit]) -> set[ast.AST]:
    """The functions of the program that statements call which make layers, or find them again."""
    makers = [unit for unit in units if unit.creates or unit.finders]
    found = [known.value.function for unit in makers for known in unit.reads.values()]
    return {function for function in found if function is not None}


def _is_loose(program: Program, run: Run, update: Update) -> bool:
    """Whether a run gives what is read of variables that it trains, and no gradient needs."""
    before, _, _ = close(program, [update.reads], _Lists())
    if not isinstance(update, Minimize) and not any(unit.gradients for unit in before):
        return False
    waited = () if isinstance(update, Minimize) else close(program, [update.reads], _Gradients(program))[0]
    held = [(unit, item) for unit in before for item in reading([unit.value])]
    needed = {item.node for unit, item in held if item.needed or unit in waited}
    given = reading(leaf.value for leaf in (*run.leaves, *run.watched))
    found = [item for item in given if item.node not in needed and (item.alone or _has_sizes(program, run))]
    changed = _listed(update) or {variable.call for variable in updated_variables(program, update)}
    return any(_reads_any(item, changed) for item in found)


def _gives_more(run: Run, update: Minimize | Apply, unit: Unit) -> bool:
    """Whether the run gives another result of a function that makes layers for the step, and looks them up again."""
    loss = ast.unparse(update.loss) if isinstance(update, Minimize) else None
    several = len(unit.binds) > 1 and bool(unit.finders) and bool(unit.creates)
    given = (leaf.node for leaf in (*run.leaves, *run.watched) if leaf.value.stage is Stage.TENSOR)
    read = {name for name, known in run.reads.items() if known.unit == unit.index}
    return several and any(ast.unparse(node) in read and ast.unparse(node) != loss for node in given)


def _listed(update: Update) -> set[ast.Call]:
    """The variables that a training step is given by their names."""
    listed = update.variables if isinstance(update, Minimize) else None
    names = [] if listed is None else [node.id for node in ast.walk(listed) if isinstance(node, ast.Name)]
    known = [update.reads[name].value for name in names if name in update.reads]
    if len(known) < len(names) or any(value.stage is not Stage.VARIABLE for value in known):
        return set()
    return {variable.call for value in known for variable in value.variables}


def _reads_any(item: Loose, changed: Container[ast.Call]) -> bool:
    """Whether something is computed of any of these variables, as far as is known of those that layers make."""
    return not item.variables or any(known.call in changed or not known.target for known in item.variables)


class _Gradients(Container[Binding]):
    """Gradients: who is computed of them does not wait for what they are taken of."""

    def __init__(self, program: Program) -> None:
        self._units = program.units

    def __contains__(self, item: object) -> bool:
        return isinstance(item, Binding) and bool(self._units[item.unit].gradients)


def _has_sizes(program: Program, run: Run) -> bool:
    """Whether a run is fed a tensor of a size that may be known: of others, gradients need the size of each result."""
    units = close(program, [_computed(run)])[0]
    bindings = [known for unit in units for known in unit.reads.values()]
    fed = [known.value for known in bindings if known.value.stage is Stage.PLACEHOLDER]
    shapes = [argument(value.node, "shape", 1) for value in fed if isinstance(value.node, ast.Call)]
    batches = any(value.iteration is not None for value in fed)
    return not fed or batches or any(shape is not None and _is_sized(shape) for shape in shapes)


def _is_sized(shape: ast.expr) -> bool:
    """Whether no part of a shape is None, and it is not that of a number."""
    listed = isinstance(shape, ast.List | ast.Tuple) and not shape.elts
    return not listed and all(getattr(node, "value", "") is not None for node in ast.walk(shape))


def _assigns_beside(run: Run) -> bool:
    """Whether variables of a store are assigned to, as a list, beside a step, which may read or change them."""
    steps = [update for update in run.updates if isinstance(update, Minimize | Apply)]
    each = [update for update in run.updates if isinstance(update, AssignEach) and update.listed]
    return any(step not in awaited(update) for update in each for step in steps)


def _steps_beside(program: Program, run: Run, update: Minimize | Apply, late: Iterable[Unit]) -> bool:
    """Whether another step has the same optimizer, which counts both, or gradients of what this one is computed of."""
    steps = [other for other in run.updates if other is not update and isinstance(other, Minimize | Apply)]
    if any(isinstance(other.optimizer, ast.Name) and _is_same(other, update) for other in steps):
        return True
    before = set(close(program, [update.reads])[0])
    taken = [unit.reads for unit in late if unit.gradients]
    return bool(steps) and any(unit in before for unit in close(program, taken)[0])


def _is_same(one: Minimize | Apply, other: Minimize | Apply) -> bool:
    """Whether two steps are made by the optimizer of one name."""
    name = ast.unparse(one.optimizer)
    return name == ast.unparse(other.optimizer) and one.reads.get(name) == other.reads.get(name)


def _moves_beside(program: Program, run: Run) -> bool:
    """Whether a layer moves averages, and another one may have the same: both move them, or one reads them."""
    units = close(program, [_computed(run), *(update.reads for update in run.updates)])[0]
    listed = any(isinstance(update, Minimize | Apply) and update.after is not None for update in run.updates)
    moving = [unit for unit in units if (unit.in_place and not unit.adds) or (unit.averages and listed)]
    again = [unit for unit in units if unit.finders]
    return any(one is not other and may_share(one, other) for one in moving for other in again)


def _is_ungated(program: Program, unit: Unit) -> bool:
    """Whether gradients are taken that TF1 may have applied one by one, to variables that others are computed of."""
    calls = [inner for inner in ast.walk(unit.node) if isinstance(inner, ast.Call)]
    listed = {binding.value.stage for binding in unit.reads.values()} & {Stage.VARIABLE, Stage.VARIABLES}
    return bool(listed) and any(
        program.names.resolve(call.func) == "tf.gradients"
        and not any(word.arg == "gate_gradients" for word in call.keywords)
        for call in calls
    )


def _counting(update: Update) -> set[ast.Call]:
    """The global step that a training step counts, where it is a name."""
    step = update.global_step if isinstance(update, Minimize | Apply) else None
    binding = None if step is None else update.reads.get(ast.unparse(step))
    return set() if binding is None else {variable.call for variable in binding.value.variables}


def _computed(run: Run) -> Reads:
    """What the fetched tensors read: fetched variables themselves come after every update."""
    alone = {
        leaf.node.id for leaf in run.leaves if isinstance(leaf.node, ast.Name) and leaf.value.stage is Stage.VARIABLE
    }
    return {name: binding for name, binding in run.reads.items() if name not in alone}
