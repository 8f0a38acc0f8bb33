"""In which order a function computes and updates, and where TF1 left that order open."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable

from tf_migrate.stages.lists import REGULARIZATION
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import Program, Unit, looks_up_again, may_share
from tf_migrate.stages.runs import Run
from tf_migrate.stages.scattering import Count, Scatter
from tf_migrate.stages.shadows import Average, awaited
from tf_migrate.stages.slices import Slice, close, depends_on_store, updated_variables, variables_of
from tf_migrate.stages.updates import Apply, Assign, Minimize, Update
from tf_migrate.stages.values import Binding, Reads, Refused, Stage, flatten


def ordered(program: Program, run: Run, found: Slice) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    minimized = [update for update in run.updates if isinstance(update, Minimize)]
    for update in minimized:
        if update.variables is None and not variables_of(program, update) and not depends_on_store(program, update):
            raise Refused(update.loss, "the loss depends on no variable that is known", "name them with var_list")
    taken = [gradients for unit in found.units for gradients in unit.gradients]
    making = [unit for unit in found.units if unit.needs_store and not _lists_behind(program, unit)]
    making = making if minimized or taken else []
    starts = [update.tracked for update in minimized] + [gradients.reads for gradients in taken]
    taped, _, _ = close(program, starts + [unit.reads for unit in making], run.cut)
    taped = tuple(sorted({*taped, *making}, key=lambda unit: unit.index))
    for unit in taped:
        if unit.gradients:
            raise Refused(
                unit.node, "a loss is computed from gradients", "take these gradients with a tape of their own"
            )
    inside = {unit.index for unit in taped}
    # What sees the updates comes behind them.
    rest = sorted((unit for unit in found.units if unit.index not in inside), key=lambda unit: unit.sees_updates)
    if keeps_names((*taped, *rest), run.cut):
        return taped, tuple(rest)
    if any(unit.sees_updates for unit in rest):
        raise Refused(run.site.node, "a name is rebound before what waits for updates", "give each value its name")
    if taken:
        raise Refused(run.site.node, "a name is rebound between a loss and its gradients", "give each value its name")
    return found.units, ()


def _lists_behind(program: Program, unit: Unit) -> bool:
    """Whether a statement lists all variables that are trained behind a tape, for which no store has to be open."""
    taking = [taken.call for taken in unit.gradients]
    plain = all(
        listing.call in taking or not (listing.call.args or listing.call.keywords or listing.key == REGULARIZATION)
        for listing in unit.lists
    )
    needed = (unit, *close(program, [unit.reads])[0])
    return plain and not unit.creates and any(other.gradients for other in needed)


def keeps_names(units: tuple[Unit, ...], cut: Container[Binding] = ()) -> bool:
    """Whether each statement still sees what it saw, in this order, or is given it."""
    current: dict[str, int] = {}
    for unit in units:
        for name, binding in unit.reads.items():
            computed = binding.value.stage in (Stage.TENSOR, Stage.STATIC) and binding not in cut
            if computed and current.get(name) != binding.unit:
                return False
        current.update(dict.fromkeys(unit.binds, unit.index))
    last = {name: unit.index for unit in sorted(units, key=lambda unit: unit.index) for name in unit.binds}
    return current == last


def require_one_update_each(program: Program, run: Run, found: Slice) -> None:
    """Refuses runs of which two updates disturb each other, in an order that TF1 left open."""
    seen: dict[ast.Call, list[Update]] = {}
    for update in run.updates:
        for variable in updated_variables(program, update):
            earlier = seen.setdefault(variable.call, [])
            if not all(_are_ordered(run, other, update) for other in earlier):
                raise Refused(
                    run.site.node, f"one run updates `{variable.target}` twice, in no order", "run the updates in turn"
                )
            earlier.append(update)
    _require_updates_awaited(program, run, found)
    _require_averages_of_steps(program, run)
    _require_parts_of_other_variables(program, run)
    for update in run.updates:
        if not isinstance(update, Assign):
            continue
        for variable in update.aliased:
            if seen.get(variable.call, [update])[0] is not update:
                raise Refused(
                    run.site.node,
                    f"one run updates `{variable.target}` and copies it, in no order",
                    "run the two updates one after the other",
                )


def _are_ordered(run: Run, earlier: Update, update: Update) -> bool:
    """Whether it is known what two updates of one variable leave: training steps, or one that waits for the other.

    What a fetch of the earlier one gave then is left to the bridge.
    """
    if all(isinstance(item, Minimize | Apply) for item in (earlier, update)):
        return True
    fetched = (part for leaf in run.leaves for part in flatten([leaf.value]))
    asked = any(part.updates[-1:] == (earlier,) and not part.grouped for part in fetched)
    return isinstance(update, Assign) and earlier in update.after and not asked


def _require_updates_awaited(program: Program, run: Run, found: Slice) -> None:
    """Refuses what waits for updates, and sees a variable that others of the run update, for which it does not wait."""
    behind = [(unit.node, unit.reads, unit.value.updates) for unit in found.units if unit.sees_updates]
    assigned = [update for update in run.updates if isinstance(update, Assign) and update.after]
    for node, reads, after in (*behind, *((item.value, item.reads, (*item.after, item)) for item in assigned)):
        seen = {variable.call for binding in reads.values() for variable in binding.value.variables}
        others = (other for other in run.updates if other not in after)
        if any(seen & {variable.call for variable in updated_variables(program, other)} for other in others):
            what = f"one run updates what `{ast.unparse(node)}` is computed of, and waits for other updates only"
            raise Refused(run.site.node, what, "run the updates in turn")
    if any(awaited(earlier) for update in assigned for earlier in update.after if isinstance(earlier, Average)):
        raise Refused(run.site.node, "an assignment waits for averages that wait themselves", "run them in turn")


def _require_averages_of_steps(program: Program, run: Run) -> None:
    """Refuses averages of variables that the same run assigns to, or that wait for some of the training steps only."""
    averages = [update for update in run.updates if isinstance(update, Average)]
    for update in averages:
        averaged = {variable.call for variable in update.averaged}
        changing = [
            other
            for other in run.updates
            if averaged & {variable.call for variable in updated_variables(program, other)}
        ]
        if any(isinstance(other, Assign) for other in changing):
            what = "one run assigns to a variable and averages it, in no order"
            raise Refused(run.site.node, what, "run the updates in turn")
        if len({other in update.after for other in changing}) > 1:
            what = "averages wait for some of the updates of their variables only"
            raise Refused(run.site.node, what, "let them wait for all of the training steps")


def _require_parts_of_other_variables(program: Program, run: Run) -> None:
    """Refuses updates of parts, and counts, that are computed of what the same run updates."""
    for update in run.updates:
        if not isinstance(update, Scatter | Count):
            continue
        read = {variable.call for binding in update.reads.values() for variable in binding.value.variables}
        others = (other for other in run.updates if other is not update)
        if any(read & {variable.call for variable in updated_variables(program, other)} for other in others):
            what = f"one run updates what `{ast.unparse(update.value)}` is computed of, in no order"
            raise Refused(run.site.node, what, "run the updates in turn")


class _Lists(Container[Binding]):
    """What stands for layers that a statement lists something of: it needs their variables, updates or losses only."""

    def __contains__(self, item: object) -> bool:
        return isinstance(item, Binding) and item.value.stage in (Stage.LAYER, Stage.UPDATES, Stage.VARIABLES)


def is_unordered(program: Program, run: Run) -> bool:
    """Whether TF1 left open if something of the run sees a variable before or after an update of it.

    What an update is computed from comes before it. Anything else that reads the variable may come before or after.
    """
    if _moves_beside(program, run) or _assigns_beside(run):
        return True
    for update in run.updates:
        changed = {variable.call for variable in updated_variables(program, update)} | _counting(update)
        before, _, _ = close(program, [update.reads], _Lists())
        if isinstance(update, Apply) and any(_is_ungated(program, unit) for unit in before):
            return True
        beside = [other.reads for other in run.updates if other is not update and update not in awaited(other)]
        if any(leaf.value.stage is Stage.TENSOR for leaf in (*run.leaves, *run.watched)):
            beside.append(_computed(run))
        late_units = [unit for unit in close(program, beside)[0] if unit not in before]
        if isinstance(update, Minimize | Apply):
            again = any(looks_up_again(unit, before) for unit in late_units)
            if again or _steps_beside(program, run, update, late_units):
                return True
        reads = [*beside, *(unit.reads for unit in close(program, beside)[0])]
        behind = [unit.reads for unit in program.units if unit.sees_updates and update in unit.value.updates]
        late = [read for read in reads if not any(read is known for known in (*behind, *(one.reads for one in before)))]
        if any(changed & {item.call for item in binding.value.variables} for read in late for binding in read.values()):
            return True
    return False


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
