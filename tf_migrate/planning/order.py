"""In which order a function computes and updates, and where TF1 left that order open."""

from __future__ import annotations

import ast
from collections.abc import Container

from tf_migrate.stages.lists import REGULARIZATION
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.scattering import Count, Scatter
from tf_migrate.stages.shadows import Average, awaited
from tf_migrate.stages.slices import Slice, close, depends_on_store, updated_variables, variables_of
from tf_migrate.stages.updates import Apply, Assign, Minimize, Update
from tf_migrate.stages.values import Binding, Refused, Stage, flatten


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
