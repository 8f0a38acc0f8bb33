"""The backward slice of a run: the statements that compute what it fetches and does, and what they see from outside."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from tf_migrate.names.rebinding import may_be_bound_by_others
from tf_migrate.stages.captures import is_dictionary, key_of, may_change
from tf_migrate.stages.elements import require_whole
from tf_migrate.stages.merged_outputs import require_apart
from tf_migrate.stages.notes import is_statement
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import SCOPE, Program, Unit
from tf_migrate.stages.renaming import can_be_renamed
from tf_migrate.stages.restarts import leaves_no_trace
from tf_migrate.stages.runs import Run
from tf_migrate.stages.settings import holds_settings
from tf_migrate.stages.shadows import Average
from tf_migrate.stages.taking import leaks
from tf_migrate.stages.unfed import require_no_work
from tf_migrate.stages.updates import Apply, Assign, Minimize, Update
from tf_migrate.stages.values import MOVED, Binding, Reads, Refused, Stage, Variable

_CHANGED = "keep the value that the graph was built with under a name of its own"


@dataclass(frozen=True)
class Slice:
    """What one run needs: statements in order, placeholders in order, and the bindings it sees from outside.

    `unfed` are placeholders that the statements name, and that the run does not feed: what it fetches needs none.
    """

    units: tuple[Unit, ...]
    parameters: tuple[Unit, ...]
    captured: tuple[tuple[str, Binding], ...]
    unfed: tuple[Unit, ...] = ()

    @property
    def shapes(self) -> list[tuple[str, Binding]]:
        """What its placeholders read."""
        given = [unit for unit in (*self.parameters, *self.unfed) if unit.value.stage is not Stage.TENSOR]
        return [item for unit in given for item in unit.reads.items()]


def slice_of(program: Program, run: Run) -> Slice:
    """The slice of a run; raises Refused where a value it sees may be another one by the time of the run."""
    reads = [run.reads] + [update.reads for update in run.updates]
    units, parameters, captured = close(program, reads, run.cut)
    together = program.making_with(units)
    while not set(together) <= set(units):
        # Names of unnamed layers are counted in the order of the calls: each pass has to make all of them.
        reads += [unit.reads for unit in together]
        units, parameters, captured = close(program, reads, run.cut)
        making = {unit.index: unit for unit in (*units, *together)}
        units = tuple(making[index] for index in sorted(making))
        together = program.making_with(units)
    fed = {feed.placeholder.unit for feed in run.feeds}
    unfed = []
    for unit in parameters:
        if run.freezes:
            continue
        if unit.value.iteration is not None:
            require_whole(run, unit)
        elif unit.index not in fed and unit.value.default is not None:
            _require_default(program, run, unit)
        elif unit.index not in fed:
            if not any(_computes_several(other) for other in units):
                raise Refused(run.site.node, f"the placeholder `{unit.binds[0]}` is not fed", f"feed `{unit.binds[0]}`")
            unfed.append(unit)
    require_no_work(program, run, unfed, units)
    require_apart(program, run, units)
    taken = {unit.index: unit for unit in parameters if unit not in unfed}
    # What is fed is computed, whether the run needs it or not.
    taken.update({index: program.units[index] for index in _computed(run)})
    parameters = _in_order(taken)
    if run.function is not None:
        for name, binding in (*captured, *run.reads.items()):
            final = program.current(name, binding, program.final)
            if final is not binding and run.env.get(name) is binding and not binding.depth:
                raise Refused(
                    run.site.node, f"`{name}` is bound again after `{run.function.name}` is defined", _CHANGED
                )
    found = Slice(units, parameters, captured, tuple(unfed))
    _require_values(program, run, found)
    _require_versions(run, found)
    return found


def _computed(run: Run) -> Iterator[int]:
    """The placeholders for which a run has to compute what it feeds."""
    for feed in run.feeds:
        plain = feed.placeholder.value.stage is Stage.PLACEHOLDER and feed.placeholder.value.iteration is None
        if plain and any(isinstance(inner, ast.Call) for inner in ast.walk(feed.value)):
            yield feed.placeholder.unit


def _computes_several(unit: Unit) -> bool:
    """Whether a statement computes several things, of which a run may need some only."""
    return len(unit.binds) > 1 or unit.value.parts is not None or unit.value.several


def _require_values(program: Program, run: Run, found: Slice) -> None:
    """Refuses a run that sees variables which have no value, or another one than when they were made."""
    seen = variables_seen(program, run, found)
    steps = [update for update in run.updates if isinstance(update, Minimize | Apply)]
    # A scope that makes nothing has nothing to begin with.
    made = [unit.index for unit in found.units if unit.makers or unit.finders]
    each = any(isinstance(update, AssignEach) for update in run.updates)
    if each and (not run.initialized or run.stale or run.restarts):
        raise Refused(run.site.node, "lists of variables are assigned to that may begin anew", "initialize them once")
    known = run.ready.issuperset(variable.call for variable in seen) and not made
    if not run.initialized and (made or seen) and not known:
        raise Refused(run.site.node, "no initializer of all variables provably ran before", "run the initializer first")
    optimizers = [
        binding.unit for step in steps for binding in step.reads.values() if binding.value.stage is Stage.OPTIMIZER
    ]
    anew = max((restart.unit for restart in run.restarts), default=0)
    kept = any(step.unit < anew and not leaves_no_trace(program.names, step) for step in steps)
    if kept or any(index < run.stale for index in (*made, *optimizers, *(variable.unit for variable in seen))):
        raise Refused(run.site.node, "variables are initialized again after they were used", "run the initializer once")


def variables_seen(program: Program, run: Run, found: Slice) -> list[Variable]:
    """The variables whose values a run may see or change."""
    read = [*found.captured, *found.shapes]
    seen = [variable for _, binding in read for variable in binding.value.variables]
    seen += [variable for update in run.updates for variable in updated_variables(program, update)]
    seen += [variable for update in run.updates if isinstance(update, Average) for variable in update.averaged]
    return seen + [variable for leaf in run.leaves for variable in leaf.value.variables]


def _require_default(program: Program, run: Run, unit: Unit) -> None:
    """Refuses a run that leaves a placeholder to its default where that may be another value by then."""
    default = unit.value.default
    if not isinstance(default, ast.Name):
        return
    local = program.module.function_of(run.site.node) is not program.module.function_of(unit.node)
    if run.updates or local or run.env.get(default.id) is not unit.reads.get(default.id):
        what = f"the run takes the default of `{unit.binds[0]}`, `{default.id}`, which may be changed by then"
        raise Refused(run.site.node, what, f"feed `{unit.binds[0]}`")


def require_unchanged(program: Program, run: Run, found: Slice, renamed: set[Binding]) -> None:
    """Refuses a run whose function would see other values when it is traced than its graph was built with.

    What has a name that means something else by then keeps a name of its own: it is added to `renamed`.
    """
    for name, binding in found.captured:
        built = any(unit.reads.get(name) is binding for unit in found.units) or any(
            update.reads.get(name) is binding and not update.inline for update in run.updates
        )
        if program.current(name, binding, run.env) is not binding and can_be_renamed(program, name, binding):
            renamed.add(binding)
            if binding.value.stage is Stage.PYTHON:
                _require_unchanged_value(program, run, name, binding)
            continue
        _require_same(program, run, name, binding, built=built)
    if run.impure:
        text = ast.unparse(run.impure[0])
        raise Refused(
            run.impure[0], f"`{text}` is computed while the run's graph is built", "assign it to a name before"
        )


def require_listed(program: Program, renamed: set[Binding]) -> None:
    """Refuses a list of variables, which is written out by their names, where one of these means something else later.

    A variable that can keep a name of its own is added to `renamed`.
    """
    for call, variables in program.listed.items():
        for variable in variables:
            name, binding = program.bound[variable.call]
            if program.current(name, binding, program.final_of(variable.unit)) is binding:
                continue
            if not can_be_renamed(program, name, binding):
                raise Refused(call, f"`{name}`, one of the variables listed here, means something else later", _CHANGED)
            renamed.add(binding)


def close(
    program: Program, reads: Iterable[Reads], cut: Container[Binding] = ()
) -> tuple[tuple[Unit, ...], tuple[Unit, ...], tuple[tuple[str, Binding], ...]]:
    """Follows reads backwards to the statements that move, as far as what is `cut`; what else they read is captured."""
    units: dict[int, Unit] = {}
    parameters: dict[int, Unit] = {}
    captured: dict[tuple[str, Binding], None] = {}
    pending = [item for read in reads for item in read.items()]
    while pending:
        name, binding = pending.pop()
        stage = binding.value.stage
        if stage is Stage.EFFECT:
            continue
        if stage is Stage.PLACEHOLDER or binding in cut:
            parameters[binding.unit] = program.units[binding.unit]
        elif stage not in MOVED:
            captured[name, binding] = None
        elif binding.unit not in units:
            units[binding.unit] = unit = program.units[binding.unit]
            pending += unit.reads.items()
    return _in_order(units), _in_order(parameters), tuple(captured)


def variables_of(program: Program, update: Minimize) -> tuple[Variable, ...]:
    """The trainable variables that the loss of `minimize` may depend on, in the order of their creation."""
    _, _, captured = close(program, [update.tracked])
    reached = {variable.call for _, binding in captured for variable in binding.value.variables}
    return tuple(variable for variable in program.variables if variable.call in reached and variable.trainable)


def depends_on_store(program: Program, update: Minimize) -> bool:
    """Whether the loss of `minimize` is computed by layers."""
    units, _, _ = close(program, [update.tracked])
    return any(unit.creates - {SCOPE} for unit in units)


def _in_order(units: dict[int, Unit]) -> tuple[Unit, ...]:
    return tuple(units[index] for index in sorted(units))


def _require_same(program: Program, run: Run, name: str, binding: Binding, *, built: bool) -> None:
    """`built` says that a statement before the run saw the value, not only the run's own expressions."""
    if binding.value.stage is Stage.SESSION:
        return
    if program.current(name, binding, run.env) is not binding:
        raise Refused(run.site.node, f"`{name}` has another value here than when the graph was built", _CHANGED)
    if not built and not run.depth:
        # The run stands where it happens once: its function is traced there and then.
        return
    anew = program.module.bound_globally.get(name)
    if anew is not None and binding.home is None:
        raise Refused(anew, f"`{name}`, which the graph was built with, may be bound anew here", _CHANGED)
    word = name.rpartition(".")[2]
    if binding.home is None and may_be_bound_by_others(program.names.index, program.module.name, word):
        what = f"another module may bind `{name}`, which the graph was built with"
        raise Refused(run.site.node, what, _CHANGED)
    if binding.depth:
        raise Refused(run.site.node, f"the graph of this run depends on `{name}`, which changes", f"feed `{name}`")
    known = binding.value.function is not None or (
        binding.value.symbol is not None and isinstance(binding.node, ast.arg)
    )
    if binding.value.stage is Stage.PYTHON and not (known or binding.value.builds is not None):
        _require_unchanged_value(program, run, name, binding)


def _require_unchanged_value(program: Program, run: Run, name: str, binding: Binding) -> None:
    """Refuses a list, or another value, that may hold something else by the time that a function is traced."""
    if binding.node is not None and holds_settings(binding.node, program.names):
        # Each of its attributes that the graph reads stays what it is, as was seen where that was evaluated.
        return
    keys = _keys_read(program, run, name, binding)
    held = next((known for known in program.objects if name.startswith(known.key(""))), None)
    alone = (
        held.name if held is not None and held.name is not None and leaks(program.module, held, {}) is None else None
    )
    place = may_change(name, binding, program.module, program.entered, program.built, keys, alone)
    if place is not None:
        raise Refused(place, f"`{name}`, which the graph was built with, may be changed here", _CHANGED)


def _keys_read(program: Program, run: Run, name: str, binding: Binding) -> set[str] | None:
    """The keys by which the graph reads a dictionary; None where it may read all of it, or something else."""
    module = program.module
    if run.reads.get(name) is binding or not is_dictionary(binding, module):
        return None
    moved = {id(inner) for unit in program.units if unit.moves for inner in ast.walk(unit.node)}
    running = {other.function for other in program.runs}
    keys: set[str] = set()
    for node, known in program.resolved.items():
        if known is not binding and not (known is None and ast.unparse(node) == name):
            continue
        home = module.function_of(node)
        beside = home is None or home in program.ends
        if (beside and id(node) not in moved) or (home in running and home is not None):
            continue
        key = key_of(node, module)
        if key is None:
            return None
        keys.add(key)
    return keys


def can_be_kept(program: Program, owner: ObjectClass, name: str, binding: Binding) -> bool:
    """Whether a local name of a method may become an attribute: every place where it stands means this one value.

    A parameter stays one, and an attribute holds it too: no place may bind it anew.
    """
    home, node = binding.home, binding.node
    if home not in owner.methods.values() or binding.depth or not isinstance(node, ast.Name | ast.arg):
        return False
    assert home is not None
    nodes = [inner for inner in ast.walk(home) if isinstance(inner, ast.Name) and inner.id == name]
    if isinstance(node, ast.arg):
        return binding.value.stage is Stage.PYTHON and all(isinstance(inner.ctx, ast.Load) for inner in nodes)
    given = any(isinstance(inner, ast.arg) and inner.arg == name for inner in ast.walk(home.args))
    if given or isinstance(program.module.parents[node], ast.AugAssign):
        return False
    return all(inner is node or program.resolved.get(inner) is binding for inner in nodes)


def _require_versions(run: Run, found: Slice) -> None:
    """A function's statements run in order: each must see the binding of a name that it saw in the script."""
    given = (*found.parameters, *found.unfed)
    current: dict[str, int] = {name: unit.index for unit in given for name in unit.binds}
    for unit in found.units:
        _require_current(run, unit.reads, current)
        current.update(dict.fromkeys(unit.binds, unit.index))
    for update in run.updates:
        _require_current(run, update.reads, current)
    _require_current(run, run.reads, current)


def _require_current(run: Run, reads: Reads, current: dict[str, int]) -> None:
    for name, binding in reads.items():
        stage = binding.value.stage
        if stage is Stage.EFFECT or is_statement(name):
            continue
        moved = stage in MOVED or stage is Stage.PLACEHOLDER
        if stage is Stage.PLACEHOLDER and isinstance(binding.node, ast.Name):
            # Under whatever name the placeholder is read, a parameter holds it under its first.
            name = binding.node.id
        if current.get(name) != (binding.unit if moved else None):
            raise Refused(
                run.site.node, f"`{name}` names two values that this run needs", "give one of them another name"
            )


def updated_variables(program: Program, update: Update) -> tuple[Variable, ...]:
    """The variables that an update may change."""
    if isinstance(update, Assign):
        return update.updated.variables
    if isinstance(update, Average):
        return update.shadows
    if isinstance(update, Apply):
        return update.updated
    return variables_of(program, update)
