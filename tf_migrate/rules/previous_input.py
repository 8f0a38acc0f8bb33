"""To compare each input with the one before, TF1 programs keep it in a variable, and a second run of the session
moves it there from where the first run has put it. `compat.PreviousInput` does that in one run, and in Keras models.
The plain form with its variables computes the same and stays, with this advice. Where the rule is selected by name, the
layer takes its place if the second run provably follows each run that uses the variable and gives nothing that is used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tf_migrate.changes import statements
from tf_migrate.changes.edits import Edit
from tf_migrate.names.run_sites import find_sites
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.arguments import argument

_ID = "TFM124"
_MESSAGE = "`{kept}` holds the input of the run before, which a second run moves over from `{moving}`"
_STEP = "in code written anew, `{kept} = compat.PreviousInput(...)({fed})` does that in one call"
# What sees variables by being there: with the layer, it would see others.
_LISTS = ("tf.train.Saver.", "tf.trainable_variables.", "tf.global_variables.", "tf.all_variables.", "tf.saved_model.")
_TRAINS = ("tf.gradients", "tf.train.")
_CHANGES = ("tf.assign", "tf.scatter_", "tf.count_up_to", "tf.variables_initializer")
_SESSIONS = ("tf.Session", "tf.InteractiveSession", "tf.train.MonitoredSession", "tf.train.MonitoredTrainingSession")
_DTYPE = 7  # position among the parameters of tf.Variable


@dataclass(frozen=True)
class _Idiom:
    """The statements of one idiom: `kept` and `moving` make variables, `fed` the placeholder, the others assign."""

    kept: ast.Assign
    fed: ast.Assign
    moving: ast.Assign
    save: ast.Assign
    shift: ast.Assign


def find(context: Context) -> Iterator[Change]:
    """Looks at every placeholder whose default is a variable."""
    assigns = [] if context.tf2 else list(_assigns(context))
    for call in context.module.calls:
        idiom = _idiom(context, call, assigns) if context.names.of(call.func) == "tf.placeholder_with_default" else None
        if idiom is None or context.module.is_skipped(call):
            continue
        names = {"kept": _name(idiom.kept), "moving": _name(idiom.moving), "fed": _name(idiom.fed)}
        finding = context.finding(call, _ID, _MESSAGE.format(**names), next_step=_STEP.format(**names))
        edits = tuple(_as_layer(context, idiom))
        yield Change(finding, edits, frozenset({"compat"}) if edits else frozenset(), offered=True)


def _assigns(context: Context) -> Iterator[tuple[ast.Assign, str, str]]:
    """Statements that bind the assignment of one named thing to another, with the two names."""
    for call in context.module.calls:
        statement = context.module.parents[call]
        if isinstance(statement, ast.Assign) and context.names.of(call.func) == "tf.assign" and not call.keywords:
            names = [item.id for item in call.args if isinstance(item, ast.Name)]
            if len(names) == 2 and _is_named(statement):
                yield statement, names[0], names[1]


def _idiom(context: Context, call: ast.Call, assigns: list[tuple[ast.Assign, str, str]]) -> _Idiom | None:
    fed, default = context.module.parents[call], argument(call, "input", 0)
    if not isinstance(fed, ast.Assign) or not _is_named(fed) or not isinstance(default, ast.Name):
        return None
    kept = _variable(context, default)
    for save, target, source in assigns:
        shifts = [shift for shift, to, what in assigns if (to, what) == (default.id, target)]
        call_of_save = save.value
        assert isinstance(call_of_save, ast.Call) and isinstance(call_of_save.args[0], ast.Name)
        moving = _variable(context, call_of_save.args[0])
        if source == _name(fed) and len(shifts) == 1 and kept is not None and moving is not None and moving is not kept:
            return _Idiom(kept, fed, moving, save, shifts[0])
    return None


def _variable(context: Context, name: ast.Name) -> ast.Assign | None:
    """The statement that makes the variable that a name holds."""
    value = context.code.flow.value(name)
    made = isinstance(value, ast.Call) and context.names.of(value.func) == "tf.Variable"
    statement = context.module.parents[value] if made else None
    return statement if isinstance(statement, ast.Assign) and _is_named(statement) else None


def _is_named(statement: ast.Assign) -> bool:
    return len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)


def _name(statement: ast.Assign) -> str:
    assert isinstance(statement.targets[0], ast.Name)
    return statement.targets[0].id


def _as_layer(context: Context, idiom: _Idiom) -> Iterator[Edit]:
    """The edits that put the layer in its place; none where it is not proved that it computes the same."""
    moved = _moving_run(context, idiom)
    layer = _layer(context, idiom)
    if moved is None or layer is None or _is_seen_otherwise(context, idiom):
        return
    (saved,) = context.module.loads[_name(idiom.save)]
    yield Edit(*context.module.source.span(saved), _name(idiom.fed))
    for statement in (idiom.kept, idiom.moving, idiom.save, idiom.shift):
        yield statements.remove(context.module, statement)
    yield statements.remove(context.module, moved, others_stay=True)
    yield from layer


def _moving_run(context: Context, idiom: _Idiom) -> ast.stmt | None:
    """The statement of the run that moves the input over, if it follows every run that uses the idiom, and at once."""
    sites = find_sites(context.module, context.names)
    if not _starts_once(context, [site.node for site in sites if site.initializer_only]):
        return None
    runs = [site.node for site in sites if not site.initializer_only]
    saves, shifts = context.module.loads.get(_name(idiom.save), []), context.module.loads.get(_name(idiom.shift), [])
    if len(runs) != 2 or len(saves) != 1 or len(shifts) != 1:
        return None
    first, second = sorted(runs, key=lambda run: (run.lineno, run.col_offset))
    moving, using = context.module.statement_of(second), context.module.statement_of(first)
    alone = isinstance(moving, ast.Expr) and moving.value is second
    if not alone or second.args[:1] != [shifts[0]] or len(second.args) > 1 or second.keywords:
        return None
    block = context.module.parents[moving]
    body: list[ast.stmt] = getattr(block, "body", [])
    at_once = moving in body and using in body and body.index(moving) == body.index(using) + 1
    certain = _feeds(context, first, _name(idiom.fed)) and _fetches(context, first, saves[0], using)
    return moving if at_once and certain else None


def _starts_once(context: Context, initializers: list[ast.Call]) -> bool:
    """Whether one session runs one initializer once: each would begin with the initial value again."""
    sessions = [use for use in context.names.uses if use.symbol in _SESSIONS]
    if len(sessions) != 1 or len(initializers) != 1:
        return False
    return not any(
        context.code.flow.loops_around(node) or context.module.function_of(node) is not None
        for node in (sessions[0].node, *initializers)
    )


def _fetches(context: Context, run: ast.Call, save: ast.Name, using: ast.stmt) -> bool:
    """Whether a run fetches the assignment for certain: it stands in a literal that goes to the run only."""
    node = argument(run, "fetches", 0)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list" and node.args:
        node = node.args[0]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "values":
        node = node.func.value
    if node is None:
        return False
    flow = context.code.flow
    literal = flow.value(node)
    loads = context.module.loads.get(node.id, ()) if isinstance(node, ast.Name) else ()
    elsewhere = any(flow.value(load) is literal and not flow.inside(load, using) for load in loads)
    items = literal.values if isinstance(literal, ast.Dict) else getattr(literal, "elts", [])
    return save in items and not elsewhere


def _feeds(context: Context, run: ast.Call, name: str) -> bool:
    """Whether a run feeds a placeholder for certain."""
    feed = argument(run, "feed_dict", 1)
    value = context.code.flow.value(feed) if feed is not None else None
    return isinstance(value, ast.Dict) and any(isinstance(key, ast.Name) and key.id == name for key in value.keys)


def _is_seen_otherwise(context: Context, idiom: _Idiom) -> bool:
    """Whether something else than the idiom and the graph may see its variables, or the order would be another."""
    module = context.module
    uses = [use.symbol for use in context.names.uses]
    if any(f"{symbol}.".startswith(_LISTS) for symbol in uses):
        return True
    call = idiom.kept.value
    trained = not any(item.arg == "trainable" for item in call.keywords) if isinstance(call, ast.Call) else True
    if trained and any(symbol.startswith(_TRAINS) for symbol in uses):
        return True
    bound_once = all(
        len(module.scopes[statement.targets[0]].bindings[_name(statement)]) == 1
        and module.scopes[statement.targets[0]] is module.scopes[idiom.fed.targets[0]]
        for statement in (idiom.kept, idiom.fed, idiom.moving, idiom.save, idiom.shift)
    )
    kept = module.loads[_name(idiom.kept)]
    early = any(load.lineno < idiom.fed.lineno for load in kept)
    as_variable = any(_needs_variable(context, load) for load in kept if module.statement_of(load) is not idiom.shift)
    return not bound_once or early or as_variable or len(module.loads[_name(idiom.moving)]) != 2


def _needs_variable(context: Context, load: ast.Name) -> bool:
    """Whether a use is one of a variable, and not only of its value."""
    parent = context.module.parents[load]
    if isinstance(parent, ast.Call):
        return (context.names.of(parent.func) or "").startswith(_CHANGES)
    return isinstance(parent, ast.Attribute | ast.keyword | ast.List | ast.Tuple)


def _layer(context: Context, idiom: _Idiom) -> list[Edit] | None:
    """A placeholder and the layer on it, in place of the placeholder with a default."""
    source = context.module.source
    variable, placeholder = idiom.kept.value, idiom.fed.value
    assert isinstance(variable, ast.Call) and isinstance(placeholder, ast.Call)
    initial, dtype = argument(variable, "initial_value", 0), argument(variable, "dtype", _DTYPE)
    shape, default = argument(placeholder, "shape", 1), argument(placeholder, "input", 0)
    known = {"initial_value", "dtype", "name", "trainable"}
    plain = len(variable.args) <= 1 and all(item.arg in known for item in variable.keywords)
    if not plain or initial is None or dtype is None or default is None or not isinstance(shape, ast.List | ast.Tuple):
        return None
    if any(context.names.of(inner) is not None for inner in ast.walk(initial) if isinstance(inner, ast.expr)):
        return None
    made = f"{source.segment(initial)}, shape={source.segment(shape)}, dtype={source.segment(dtype)}"
    line = f"{_name(idiom.kept)} = {context.compat_path('compat.PreviousInput')}({made})({_name(idiom.fed)})"
    whole = source.span(placeholder)
    name = argument(placeholder, "name", 2)
    named = f", name={source.segment(name)}" if name is not None else ""
    called = f"{context.compat_path('compat.placeholder')}({source.segment(dtype)}, {source.segment(shape)}{named})"
    indent = " " * idiom.fed.col_offset
    return [Edit(*whole, f"{called}{source.newline}{indent}{line}", encloses=True)]


RULE = Rule(
    id=_ID,
    name="previous-input",
    before="""\
import tensorflow as tf

before = tf.Variable(0, dtype=tf.uint8)
now = tf.placeholder_with_default(before, shape=[], name="now")
change = now - before
moving = tf.Variable(0, dtype=tf.uint8)
save = tf.assign(moving, now)
shift = tf.assign(before, moving)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for value in [42, 50, 55]:
    result, _ = sess.run([change, save], {now: value})
    sess.run(shift)
    print(result)
""",
    after="""\
import tensorflow as tf
import compat

compat.open_graph()
now = compat.placeholder(tf.uint8, [], name="now")
before = compat.PreviousInput(0, shape=[], dtype=tf.uint8)(now)
change = now - before
sess = compat.Session()
sess.run(compat.global_variables_initializer())
for value in [42, 50, 55]:
    result, _ = sess.run([change, now], {now: value})
    print(result)
""",
    asked=True,
    find=find,
)
