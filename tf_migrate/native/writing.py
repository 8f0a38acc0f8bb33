"""A program as native code: the changes of its symbols, and the edits that replace its runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from tf_migrate.changes.edits import Edit
from tf_migrate.names.canonical import Names
from tf_migrate.names.eras import is_result
from tf_migrate.names.run_sites import FREEZING
from tf_migrate.names.sessions import INITIALIZERS, MONITORED_CLASSES
from tf_migrate.native.naming import Namer, names_gone
from tf_migrate.native.script import Script
from tf_migrate.plan import Became, Call, Plan
from tf_migrate.rules import Change, Context
from tf_migrate.stages import effects
from tf_migrate.stages.elements import taken_by
from tf_migrate.stages.monitored import COUNTERS
from tf_migrate.stages.options import MEMORY
from tf_migrate.stages.program import Program
from tf_migrate.stages.queues import SYMBOLS
from tf_migrate.stages.values import Refused, Stage

HANDLED = (
    INITIALIZERS
    | effects.ASSIGNMENTS.keys()
    | {
        "tf.placeholder",
        "tf.placeholder_with_default",
        "tf.Variable",
        "tf.get_variable",
        "tf.Session",
        "tf.InteractiveSession",
        "tf.ConfigProto",
        "tf.GPUOptions",
        "tf.Graph",
        "tf.group",
        "tf.gradients",
        "tf.trainable_variables",
        "tf.summary.merge_all",
        "tf.get_default_graph",
        "tf.reset_default_graph",
        "tf.name_scope",
        "tf.variable_scope",
        "tf.data.Iterator",
        "tf.data.make_initializable_iterator",
        "tf.data.make_one_shot_iterator",
    }
    | FREEZING
    | SYMBOLS
    | MONITORED_CLASSES
    | COUNTERS
)
"""Symbols that the native tier rewrites itself, whatever their row says."""


_IN_FUNCTIONS = frozenset(
    {"tf.Variable", "tf.get_variable", "tf.variable_scope", "tf.placeholder", "tf.placeholder_with_default"}
)
_LINE_END = re.compile(r"(?<!\r)\n")
_DONE = "TFM202"
_ITERATOR_RULE = "TFM121"
_IN_GRAPHS = frozenset({"TFM123", "TFM124"})  # their edits, where they are asked for, are to code that builds a graph


@dataclass(frozen=True)
class Written:
    """A program as native code: its plan, the changes of its symbols, and what is made in their place."""

    plan: Plan
    script: Script
    kept: list[Change]
    made: list[Change]


def write(
    context: Context, planned: Plan, program: Program, changes: Sequence[Change], part: ast.AST | None = None
) -> Written:
    """Writes a program, which is the module or a part of it, of which `changes` are those of the symbols.

    Raises Refused where writing meets something that the plan did not see.
    """
    asked = next((change.finding for change in changes if change.edits and _keeps_graph(change)), None)
    if asked is not None:
        step = f"leave {asked.rule} out of what is selected"
        raise Refused(program.sites[0].node, f"what {asked.rule} was asked for is a part of a graph", step)
    inside = _inside_functions(context, program)
    iterators = _of_iterators(context, program)
    listed = {context.module.position(call.func) for call in (*program.listed, *_devices(context, program))}
    kept = [change if _place(change) in inside else settled(context, change, iterators, listed) for change in changes]
    edits = [edit for change in kept for edit in change.edits]
    script = Script(
        context,
        planned,
        program,
        edits + _seed_edits(context, part or context.module.tree),
        Namer(context.names, names_gone(program)),
    )
    script.write()
    needs = frozenset({"compat"}) if script.uses_shims else frozenset()
    newline = context.module.source.newline
    made = [replace(edit, text=_LINE_END.sub(newline, edit.text)) for edit in script.edits if edit not in edits]
    became = {call.run.site.node: _became(call, script) for call in planned.calls}
    notes = _notes(context, planned)
    return Written(replace(planned, became=became), script, kept, [*notes, Change(None, tuple(made), needs)])


def reads_results(planned: Plan, names: Names) -> bool:
    """Whether a run becomes plain code that asks a result of TensorFlow for its NumPy value, for all to see."""
    read = [leaf for call in planned.calls if not call.dropped for leaf in call.run.leaves]
    return any(leaf.value.stage is not Stage.EFFECT and is_result(names, leaf.node) for leaf in read)


def _became(call: Call, script: Script) -> Became:
    fetched = () if call.dropped else call.kept
    if call.function is None:
        return Became(None, fetched)
    taken = taken_by(call.run, call.function.parameters)
    elements = tuple(script.renamed.get(name, name) for unit in taken for name in unit.binds)
    return Became(script.names[call.function.key], fetched, elements)


def _notes(context: Context, planned: Plan) -> list[Change]:
    """What a person should know of the native code beyond the sites."""
    message = "TensorFlow 1 left open whether a value here sees a variable before or after its update; now it is before"
    notes = [Change(context.finding(site.node, _DONE, message, severity="warning")) for site in planned.unordered]
    notes += memory_notes(context, {} if planned.program is None else planned.program.options)
    both = (
        "TensorFlow 1 left open which `get_next()` of one iterator took its element first; now they take them in turn"
    )
    for call in planned.calls:
        taken = taken_by(call.run, () if call.function is None else call.function.parameters)
        if len({unit.value.iteration for unit in taken}) < len(taken):
            notes.append(Change(context.finding(call.run.site.node, _DONE, both, severity="warning")))
    mixed = "the elements are drawn from `capacity` of them, where TF1 kept from `min_after_dequeue` to `capacity`"
    for batch in () if planned.program is None else planned.program.batches:
        if batch.queue is not None and batch.queue.shuffled:
            notes.append(Change(context.finding(batch.call, _DONE, mixed)))
    shown = "this shows the tensors when their function is traced, at its first call"
    assert planned.program is not None
    monitor = planned.program.monitor
    if monitor is not None and monitor.saves:
        graphs = "there is no graph to write any more: `graph.pbtxt` and the `.meta` files are not made"
        notes.append(Change(context.finding(monitor.call, _DONE, graphs, severity="warning")))
    for unit in planned.program.units:
        if isinstance(unit.node, ast.Expr) and unit.value.stage is Stage.STATIC:
            notes.append(Change(context.finding(unit.node, _DONE, shown)))
        elif unit.node in planned.program.dropped and isinstance(unit.node, ast.Expr) and _adds_graph(unit.node):
            notes.append(Change(context.finding(unit.node, _DONE, "there is no graph to write any more")))
    return notes


def memory_notes(context: Context, options: Container[str]) -> list[Change]:
    """What is told of the one option of sessions that is not carried over."""
    limited = "how much of a GPU's memory is taken is not carried over: `tf.config.set_logical_device_configuration`"
    uses = [use for use in context.names.uses if use.symbol == "tf.GPUOptions" and MEMORY in options]
    return [Change(context.finding(use.node, _DONE, limited)) for use in uses]


def _adds_graph(node: ast.Expr) -> bool:
    call = node.value
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "add_graph"


def _devices(context: Context, program: Program) -> Iterator[ast.Call]:
    """The calls that open devices of the straight line: all are given a name, as TensorFlow 2 wants it."""
    calls = (item.context_expr for block in program.devices for item in block.items)
    plain = (call for call in calls if isinstance(call, ast.Call))
    return (call for call in plain if context.names.resolve(call.func) == "tf.device")


def _place(change: Change) -> tuple[int, int] | None:
    return None if change.finding is None else (change.finding.line, change.finding.column)


def _inside_functions(context: Context, program: Program) -> set[tuple[int, int]]:
    """Places of what functions and loops make in a store, scopes too: those stay calls, of shims that know it."""
    entered = (None, *program.entered.values())
    own = {variable.call for variable in program.variables}
    stored = {call.func for unit in program.units for call in unit.makers - own}
    blocks = (unit.node for unit in program.units if unit.moves and isinstance(unit.node, ast.If | ast.For | ast.While))
    items = (inner for block in blocks for inner in ast.walk(block) if isinstance(inner, ast.withitem))
    stored.update(item.context_expr.func for item in items if isinstance(item.context_expr, ast.Call))
    prefixed = any("variable" in unit.creates for unit in program.units)
    return {
        context.module.position(use.root)
        for use in context.names.uses
        if use.symbol in _IN_FUNCTIONS or _is_shim(context, use.node, prefixed=prefixed)
        if context.module.function_of(use.root) not in entered or use.node in stored
    }


def _is_shim(context: Context, node: ast.expr, *, prefixed: bool) -> bool:
    """Whether a name scope has to be that of TensorFlow 1: it is given more than a name, or names variables."""
    call = context.module.parents.get(node)
    scope = isinstance(call, ast.Call) and call.func is node and context.names.resolve(node) == "tf.name_scope"
    return scope and isinstance(call, ast.Call) and (prefixed or len(call.args) != 1 or bool(call.keywords))


def _keeps_graph(change: Change) -> bool:
    return change.finding is not None and change.finding.rule in _IN_GRAPHS


def _of_iterators(context: Context, program: Program) -> set[tuple[int, int]]:
    """Places of what makes the iterators of the script, or says what their elements are like."""
    makers = (unit.value.iteration.call for unit in program.units if unit.value.iteration is not None)
    inner = (node for call in makers for node in ast.walk(call))
    return {context.module.position(node) for node in inner if isinstance(node, ast.Attribute)}


def settled(
    context: Context,
    change: Change,
    iterators: Container[tuple[int, int] | None] = (),
    listed: Container[tuple[int, int] | None] = (),
) -> Change:
    """The change of a symbol that the native tier rewrites itself has no edits of its own."""
    finding = change.finding
    if finding is not None and finding.rule == _ITERATOR_RULE and _place(change) in iterators:
        message = "the native code of this file iterates over the dataset itself"
        return Change(replace(finding, rule=_DONE, action="rewritten", severity="info", message=message))
    if finding is None or finding.symbol is None:
        return change
    if finding.symbol in effects.GRAPH_SEEDS:
        message = (
            "TF1 derived each operation's seed from the graph: the numbers drawn after `tf.random.set_seed` differ"
        )
        return Change(replace(finding, rule=_DONE, action="rewritten", message=message))
    if finding.symbol in HANDLED or _place(change) in listed:
        message = f"`{finding.symbol}` is part of what the native functions of this file replace"
        return Change(
            replace(finding, rule=_DONE, action="rewritten", severity="info", message=message, next_step=None)
        )
    return change


def _seed_edits(context: Context, part: ast.AST) -> list[Edit]:
    source = context.module.source
    uses = [use for use in context.names.uses if use.symbol in effects.GRAPH_SEEDS]
    inside = set(ast.walk(part)) if uses else set()
    return [Edit(*source.span(use.node), f"{context.tf}.random.set_seed") for use in uses if use.node in inside]
