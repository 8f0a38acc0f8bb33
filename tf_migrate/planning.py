"""From a module to its plan: each run's slice and effects, and one tier for the graph."""

from __future__ import annotations

import ast
from dataclasses import replace

from tf_migrate.batching import parsers_of, require_queues
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Users
from tf_migrate.plan import Call, Form, Function, Plan, Verdict, forced
from tf_migrate.stages import runs
from tf_migrate.stages.elements import require_in_reach, whole_element
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Fetch, Leaf, Run, Sequence
from tf_migrate.stages.scopes import is_written_out
from tf_migrate.stages.shifting import shifting_scope
from tf_migrate.stages.sites import find_sites
from tf_migrate.stages.slices import (
    Slice,
    can_be_kept,
    close,
    depends_on_store,
    require_unchanged,
    slice_of,
    updated_variables,
    variables_of,
)
from tf_migrate.stages.values import Apply, Assign, Binding, Minimize, Reads, Refused, Stage, Update, Value
from tf_migrate.stages.walk import analyse
from tf_migrate.syntax.module import Module


def plan(
    module: Module,
    names: Names,
    *,
    native: bool = True,
    barred: tuple[str, str] | None = None,
    users: Users | None = None,
) -> Plan:
    """Plans one module; `native` is False where only the bridge is wanted, `barred` tells why it is not read alone.

    `users` tells what other modules may use of it, None where there are none.
    """
    sites = find_sites(module, names)
    if not sites or not native:
        return Plan(tuple(Verdict(site, "bridge", "bridge") for site in sites))
    if barred is not None:
        return Plan(tuple(Verdict(site, "bridge", "bridge", None, *barred) for site in sites))
    try:
        program = analyse(module, names, users)
        if users is not None:
            _require_own(program, users)
    except Refused as refused:
        return Plan(forced(module, sites, refused, {}))
    return _plan_program(program)


def _require_own(program: Program, users: Users) -> None:
    """Refuses names of the module that are a part of the graph, and that other modules may use."""
    for name, binding in program.final.items():
        if "." not in name and binding.value.is_graph and users.may_reach(name):
            place = binding.node or program.sites[0].node
            raise Refused(place, f"another module may use `{name}`, a part of the graph", "give it a function to call")


def _plan_program(program: Program) -> Plan:
    refusals = dict(program.refusals)
    if program.listed and any(unit.creates for unit in program.units):
        call = next(iter(program.listed))
        unknown = Refused(call, "the variables of layers are asked for as a list", "pass the variables by name")
        return Plan(forced(program.module, program.sites, unknown, {}))
    if program.variables and any("variable" in unit.creates for unit in program.units):
        mixed = Refused(
            program.variables[0].call,
            "some variables are created here and others inside functions: their names may clash",
            "create all of them inside functions, or all of them here",
        )
        return Plan(forced(program.module, program.sites, mixed, {}))
    try:
        _require_known_names(program)
        renamed: set[Binding] = set()
        parsers = parsers_of(program, renamed)
    except Refused as refused:
        return Plan(forced(program.module, program.sites, refused, {}))
    late = _made_behind_lists(program)
    if late is not None:
        return Plan(forced(program.module, program.sites, late, {}))
    shifting = shifting_scope(program)
    if shifting is not None:
        taken = Refused(shifting, "this scope may take the name that an unnamed layer would get", "rename the scope")
        return Plan(forced(program.module, program.sites, taken, {}))
    calls = []
    attributes: set[Binding] = set()
    for run in program.runs:
        try:
            became = _call(program, run, renamed, attributes)
            needed = () if became.function is None else became.function.parameters
            require_queues(program, run, needed if became.element is None else (became.element,), parsers)
            calls.append(became)
        except Refused as refused:
            refusals[run.site.node] = refused
    if refusals:
        first = min(refusals.values(), key=lambda refused: getattr(refused.node, "lineno", 0))
        return Plan(forced(program.module, program.sites, first, refusals))
    verdicts = tuple(Verdict(site, "native", "native") for site in program.sites)
    try:
        checked = _with_checks(program, _share(calls))
    except Refused as refused:
        return Plan(forced(program.module, program.sites, refused, {}))
    unordered = tuple(run.site for run in program.runs if run.updates and _is_unordered(program, run))
    return Plan(verdicts, program, tuple(checked), unordered, tuple(renamed), tuple(attributes), parsers=parsers)


def _made_behind_lists(program: Program) -> Refused | None:
    """A function that is traced again would list what is made behind the list as well."""
    for listing in (unit for unit in program.units if unit.lists):
        for unit in program.units[listing.index + 1 :]:
            if unit.creates and program.graph_of(unit.index) == program.graph_of(listing.index):
                what = "layers are built behind a list of all variables"
                return Refused(unit.node, what, "list the variables behind all layers")
    return None


def _require_known_names(program: Program) -> None:
    """Refuses scopes whose names are known only at run time, where something goes by the names inside."""
    for unit in program.units:
        unknown = next((scope for scope in unit.scopes if not is_written_out(scope)), None)
        if unknown is not None and (unit.summaries or program.saves):
            used = "a summary" if unit.summaries else "a Saver"
            raise Refused(unknown, f"{used} goes by the name of this scope, known only at run time", "write it out")


def _with_checks(program: Program, calls: list[Call]) -> list[Call]:
    """Each assertion or print about static shapes moves into the first function that computes what it looks at."""
    for unit in program.units:
        if not isinstance(unit.node, ast.Assert | ast.Expr) or unit.value.stage is not Stage.STATIC:
            continue
        needed, parameters, _ = close(program, [unit.reads])
        for host in dict.fromkeys(call.function for call in calls if call.function is not None):
            checking = _checking(host, unit, needed, parameters)
            if checking is not None:
                calls = [replace(call, function=checking) if call.function == host else call for call in calls]
                break
        else:
            raise Refused(unit.node, "no function computes all that this statement looks at", "leave the statement out")
    return calls


def _checking(
    function: Function, unit: Unit, needed: tuple[Unit, ...], parameters: tuple[Unit, ...]
) -> Function | None:
    """The function with an assertion or print at its place, if it computes all that this looks at."""
    inside = {*function.taped, *function.rest}
    if not (set(needed) <= inside and set(parameters) <= set(function.parameters)):
        return None
    taped, rest = function.taped, function.rest
    if set(needed) <= set(taped) and taped:
        taped = tuple(sorted((*taped, unit), key=lambda item: item.index))
    else:
        rest = tuple(sorted((*rest, unit), key=lambda item: item.index))
    moved = replace(function, taped=taped, rest=rest)
    return moved if _keeps_names((*taped, *rest)) else None


def _call(program: Program, run: Run, renamed: set[Binding], attributes: set[Binding]) -> Call:
    found = slice_of(program, run)
    _require_one_update_each(program, run)
    alone = isinstance(run.statement, ast.Expr) and run.statement.value is run.site.node
    dropped = alone and bool(run.updates) and not program.module.source.shows(run.statement)
    kept = _kept(program, run)
    for unit in found.parameters:
        if unit.value.iteration is not None:
            require_in_reach(program, run, unit)
    element = whole_element(program, run, found)
    if element is not None:
        return Call(run, None, None, dropped=False, element=element)
    if run.start is not None:
        require_unchanged(program, run, found, renamed)
        return Call(run, _function(program, run, found, None, False, attributes), None, dropped=False)
    inline = all(update.inline for update in run.updates)
    if not found.units and not found.parameters and inline and not _minimizes(run):
        _require_eager(run)
        return Call(run, None, kept, dropped)
    require_unchanged(program, run, found, renamed)
    return Call(run, _function(program, run, found, kept, dropped, attributes), kept, dropped)


def _minimizes(run: Run) -> bool:
    return any(isinstance(update, Minimize | Apply) for update in run.updates)


def _require_eager(run: Run) -> None:
    """Checks that eager code in the place of the run does the same."""
    for leaf in run.leaves:
        if leaf.value.parts is not None:
            raise Refused(leaf.node, "a container is fetched as a whole", "fetch its parts")
        if leaf.value.random and not isinstance(leaf.node, ast.Call):
            raise Refused(leaf.node, "a random tensor that other tensors share is fetched", "fetch them together")
    if run.updates and len(run.leaves) > 1:
        raise Refused(run.site.node, "an update is built in the run itself, beside other fetches", "run it by itself")


def _function(
    program: Program, run: Run, found: Slice, targets: tuple[int, ...] | None, dropped: bool, kept: set[Binding]
) -> Function:
    taped, rest = _order(program, run, found)
    results, form = _results(run, targets, dropped)
    anchors = [unit.index for unit in (*found.units, *found.parameters)]
    anchors += [update.unit for update in run.updates if not update.inline]
    if not anchors:
        raise Refused(run.site.node, "several updates are built in the run itself", "run them by themselves")
    kept.update(_kept_by_objects(program, run, found, max(anchors)))
    reads = tuple(run.reads.values())
    once = run.site.node if _sees_values(run) else None
    # What is fed is computed before the run takes an element.
    parameters = tuple(sorted(found.parameters, key=lambda unit: unit.value.iteration is not None))
    return Function(parameters, taped, rest, run.updates, results, run.fetches, form, max(anchors), reads, once=once)


def _kept_by_objects(program: Program, run: Run, found: Slice, anchor: int) -> set[Binding]:
    """Local names that a function reads and another method binds: they become attributes of the object.

    Refuses where they cannot, and where the function would read attributes of another object.
    """
    home = program.home_of(anchor)
    owner = program.owner_of(home)
    kept = set()
    for name, binding in found.captured:
        foreign = "." in name and (owner is None or not name.startswith(owner.key("")))
        apart = binding.home not in (None, home) and binding.value.stage is not Stage.SESSION
        if apart and owner is not None and can_be_kept(program, owner, name, binding):
            kept.add(binding)
        elif foreign or apart:
            where = f" of `{binding.home.name}`" if binding.home is not None else ""
            step = "build what the run needs in one method, or pass the value on as an attribute"
            raise Refused(run.site.node, f"the run needs `{name}`{where} and parts that are built elsewhere", step)
    return kept


def _sees_values(run: Run) -> bool:
    """Whether the fetches read Python values themselves: another run with the same text may see others."""
    return any(binding.value.stage is Stage.PYTHON for binding in run.reads.values())


def _order(program: Program, run: Run, found: Slice) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    minimized = [update for update in run.updates if isinstance(update, Minimize)]
    for update in minimized:
        if update.variables is None and not variables_of(program, update) and not depends_on_store(program, update):
            raise Refused(update.loss, "the loss depends on no variable that is known", "name them with var_list")
    taken = [gradients for unit in found.units for gradients in unit.gradients]
    making = [unit for unit in found.units if unit.needs_store] if minimized or taken else []
    starts = [update.reads for update in minimized] + [gradients.reads for gradients in taken]
    taped, _, _ = close(program, starts + [unit.reads for unit in making])
    taped = tuple(sorted({*taped, *making}, key=lambda unit: unit.index))
    for unit in taped:
        if unit.gradients:
            raise Refused(
                unit.node, "a loss is computed from gradients", "take these gradients with a tape of their own"
            )
    inside = {unit.index for unit in taped}
    rest = tuple(unit for unit in found.units if unit.index not in inside)
    if _keeps_names((*taped, *rest)):
        return taped, rest
    if taken:
        raise Refused(run.site.node, "a name is rebound between a loss and its gradients", "give each value its name")
    return found.units, ()


def _keeps_names(units: tuple[Unit, ...]) -> bool:
    """Whether each statement still sees what it saw, in this order."""
    current: dict[str, int] = {}
    for unit in units:
        for name, binding in unit.reads.items():
            if binding.value.stage in (Stage.TENSOR, Stage.STATIC) and current.get(name) != binding.unit:
                return False
        current.update(dict.fromkeys(unit.binds, unit.index))
    last = {name: unit.index for unit in sorted(units, key=lambda unit: unit.index) for name in unit.binds}
    return current == last


def _results(run: Run, kept: tuple[int, ...] | None, dropped: bool) -> tuple[tuple[Leaf, ...], Form]:
    if dropped:
        return (), "none"
    if kept is not None:
        leaves = tuple(run.leaves[index] for index in kept)
        return leaves, "none" if not leaves else "single" if len(leaves) == 1 else "tuple"
    if isinstance(run.fetches, Leaf) and run.fetches.is_dropped:
        return (), "none"
    valued = tuple(leaf for leaf in run.leaves if not leaf.is_dropped)
    if valued and valued != run.leaves and _nones_stand_outside(run.fetches):
        return valued, "single" if len(valued) == 1 else "tuple"
    for leaf in run.leaves:
        if leaf.is_dropped or any(part.stage is Stage.EFFECT and part.grouped for part in leaf.value.parts or ()):
            raise Refused(leaf.node, "the None that an operation's fetch gives is used", "fetch it in a run of its own")
    return run.leaves, _form(run.fetches)


def _nones_stand_outside(fetches: Fetch) -> bool:
    """Whether a list holds arrays side by side, with the None of operations before and behind them only."""
    if not isinstance(fetches, Sequence) or not all(isinstance(item, Leaf) for item in fetches.items):
        return False
    leaves = [item for item in fetches.items if isinstance(item, Leaf)]
    kinds = [leaf.is_dropped for leaf in leaves]
    first, last = kinds.index(False), len(kinds) - kinds[::-1].index(False)
    return not any(kinds[first:last]) and not any(_is_nested(leaf.value) for leaf in leaves)


def _form(fetches: Fetch) -> Form:
    if isinstance(fetches, Leaf):
        return "nested" if _is_nested(fetches.value) else "single"
    plain = all(isinstance(item, Leaf) and not _is_nested(item.value) for item in fetches.items)
    if isinstance(fetches, runs.Mapping):
        if not plain or not all(isinstance(key, ast.Constant) for key in fetches.node.keys):
            raise Refused(fetches.node, "a dictionary of fetches with keys or parts known only later", "spell them out")
        return "dict"
    if not plain:
        return "nested"
    return "single" if len(fetches.items) == 1 else "tuple"


def _is_nested(value: Value) -> bool:
    """Whether fetching a value gives several arrays: those of a container, or the results of one operation."""
    return value.parts is not None or value.several


def _kept(program: Program, run: Run) -> tuple[int, ...] | None:
    """The targets that stay where a run's list of results is unpacked; None where it is not."""
    statement, fetches = run.statement, run.fetches
    if not (isinstance(statement, ast.Assign) and statement.value is run.site.node and len(statement.targets) == 1):
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(fetches, Sequence):
        return None
    if len(target.elts) != len(fetches.items) or any(isinstance(item, ast.Starred) for item in target.elts):
        return None
    if not all(isinstance(item, Leaf) for item in fetches.items):
        return None
    kept = []
    for index, (item, leaf) in enumerate(zip(target.elts, run.leaves, strict=True)):
        unread = isinstance(item, ast.Name) and not program.module.loads.get(item.id)
        if leaf.is_dropped and not unread:
            raise Refused(item, "the None that an operation's fetch gives is used", "call the target `_`")
        if not unread or not (leaf.is_dropped or ast.unparse(item) == "_"):
            kept.append(index)
    return tuple(kept)


def _require_one_update_each(program: Program, run: Run) -> None:
    seen: dict[ast.Call, Update] = {}
    for update in run.updates:
        for variable in updated_variables(program, update):
            other = seen.setdefault(variable.call, update)
            if other is not update and (isinstance(update, Assign) or isinstance(other, Assign)):
                raise Refused(
                    run.site.node, f"one run updates `{variable.target}` twice, in no order", "run the updates in turn"
                )
    for update in run.updates:
        if not isinstance(update, Assign):
            continue
        for variable in update.aliased:
            if seen.get(variable.call, update) is not update:
                raise Refused(
                    run.site.node,
                    f"one run updates `{variable.target}` and copies it, in no order",
                    "run the two updates one after the other",
                )


def _is_unordered(program: Program, run: Run) -> bool:
    """Whether TF1 left open if something of the run sees a variable before or after an update of it.

    What an update is computed from comes before it. Anything else that reads the variable may come before or after.
    """
    for update in run.updates:
        changed = {variable.call for variable in updated_variables(program, update)}
        before, _, _ = close(program, [update.reads])
        beside = [other.reads for other in run.updates if other is not update]
        if any(leaf.value.stage is Stage.TENSOR for leaf in run.leaves):
            beside.append(_computed(run))
        reads = [*beside, *(unit.reads for unit in close(program, beside)[0])]
        late = [read for read in reads if not any(read is unit.reads for unit in before)]
        if any(changed & {item.call for item in binding.value.variables} for read in late for binding in read.values()):
            return True
    return False


def _computed(run: Run) -> Reads:
    """What the fetched tensors read: fetched variables themselves come after every update."""
    alone = {
        leaf.node.id for leaf in run.leaves if isinstance(leaf.node, ast.Name) and leaf.value.stage is Stage.VARIABLE
    }
    return {name: binding for name, binding in run.reads.items() if name not in alone}


def _share(calls: list[Call]) -> list[Call]:
    """Lets a run that only updates call the function of one that also returns something of the same computation."""
    shared = []
    for call in calls:
        function = call.function
        if function is not None and function.form == "none" and not isinstance(call.run.statement, ast.Assign):
            richer = [other.function for other in calls if _covers(other.function, function)]
            if richer and richer[0] is not None:
                call = replace(call, function=richer[0])
        shared.append(call)
    return shared


def _covers(wide: Function | None, narrow: Function) -> bool:
    return (
        wide is not None
        and wide.form != "none"
        and wide.updates == narrow.updates
        and wide.parameters == narrow.parameters
        and wide.anchor == narrow.anchor
    )
