"""Conditions and loops of the graph: what their functions build, of which a run computes what is chosen, or repeats it.

Their functions are read as any that the program calls, and with them what they see from outside. They may do nothing
but compute: TF1 numbered random operations by all that the graph held, and what makes or changes a variable, or writes
something, is done whenever a function of TensorFlow 2 is, needed or not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects
from tf_migrate.stages.arguments import require_only
from tf_migrate.stages.functions import body_of
from tf_migrate.stages.imported import apart, require_tensors
from tf_migrate.stages.moving import choice_of, with_moves
from tf_migrate.stages.shared_memory import sharing
from tf_migrate.stages.values import (
    CONSTANT,
    TENSOR,
    TENSORS,
    Locals,
    Refused,
    Stage,
    Value,
    combine,
    container,
    flatten,
    join,
    moving,
    reading,
)
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

CONDITION, CASES, LOOP = "tf.cond", "tf.case", "tf.while_loop"
EACH = frozenset({"tf.map_fn", "tf.scan", "tf.foldl", "tf.foldr"})
REPEATED = EACH | {CONDITION, CASES, LOOP}
SMART_CONDITIONS = (
    "tf.contrib.framework.smart_cond",
    "tensorflow.python.framework.smart_cond.smart_cond",
    "tensorflow.python.layers.utils.smart_cond",
)
COMPUTING = (
    (effects.PURE - effects.COLLECTED - {"tf.summary.merge"})
    | REPEATED
    | frozenset(SMART_CONDITIONS)
    | {"tf.no_op", "tf.TensorShape", "tf.nn.rnn_cell.LSTMStateTuple", "tf.contrib.rnn.LSTMStateTuple"}
)
"""What the functions of a condition or a loop may call."""
COMPUTING_METHODS = frozenset(
    {"apply", "as_list", "average", "get_shape", "num_elements", "read_value", "value", "values"}
)
_SYMBOLS = (effects.PURE & COMPUTING) - effects.SEVERAL
_OPTIONS = {
    "tf.foldl": ("initializer", "parallel_iterations", "back_prop", "swap_memory", "name"),
    "tf.foldr": ("initializer", "parallel_iterations", "back_prop", "swap_memory", "name"),
    "tf.map_fn": ("dtype", "parallel_iterations", "back_prop", "swap_memory", "infer_shape", "name"),
    "tf.scan": (
        *("initializer", "parallel_iterations", "back_prop", "swap_memory", "infer_shape", "reverse"),
        "name",
    ),
}
_LOOPING = ("cond", "body", "loop_vars", "shape_invariants", "parallel_iterations", "back_prop", "swap_memory")
_BOUNDED = ("name", "maximum_iterations", "return_same_structure")
_LEAVES = TENSORS | {Stage.PYTHON, Stage.STATIC}
_PLAINLY = "write it as a lambda, or as a function of its own that only computes tensors"
_ALIKE = "give the same tensors, in the same order, on each way"


def condition(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.cond(pred, true_fn, false_fn)`: what one of two functions gives."""
    require_only(node, ("pred", "true_fn", "false_fn", "strict", "name"), ("fn1", "fn2"))
    chosen = _test(evaluator, node, argument(node, "pred", 0))
    branches = [argument(node, new, place) or argument(node, old, 5) for place, new, old in _BRANCHES]
    values = []
    for way, branch in enumerate(branches):
        with evaluator.inside(choice_of(evaluator, node, argument(node, "pred", 0), way)):
            values.append(built(evaluator, node, branch, ()))
    if moving(values) and all(value.stage is Stage.EFFECT and not value.updates for value in values):
        return Value(Stage.EFFECT, grouped=True, moves=moving(values))
    return _unwrapped(evaluator, node, with_moves(_given(node, values, chosen), values))


_BRANCHES = ((1, "true_fn", "fn1"), (2, "false_fn", "fn2"))


def cases(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.case([(pred, fn), …], default)`: what the function of the first condition that holds gives."""
    require_only(node, ("pred_fn_pairs", "default", "exclusive", "strict", "name"), ())
    pairs, default = argument(node, "pred_fn_pairs", 0), argument(node, "default", 1)
    rows = pairs.elts if isinstance(pairs, ast.List | ast.Tuple) else []
    known = [row for row in rows if isinstance(row, ast.Tuple) and len(row.elts) == len(_PAIR)]
    if not rows or len(known) < len(rows) or default is None or _is_none(default):
        raise Refused(node, "the cases and their default are not written out", "give `tf.case` a list of pairs")
    if not _says(argument(node, "exclusive", 2), default=False):
        raise Refused(node, "`tf.case` asserts that its conditions exclude each other", "leave `exclusive` out")
    tests = [_test(evaluator, node, row.elts[0]) for row in known]
    values = [built(evaluator, node, branch, ()) for branch in (*(row.elts[1] for row in known), default)]
    return _unwrapped(evaluator, node, _given(node, values, *tests))


_PAIR = ("pred", "fn")


def loop(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.while_loop(cond, body, loop_vars)`: what the variables of the loop are behind it."""
    require_only(node, _LOOPING + _BOUNDED, ())
    listed = argument(node, "loop_vars", _LOOPING.index("loop_vars"))
    start = _parts(None if listed is None else evaluator.value(listed))
    bound = argument(node, "maximum_iterations", 8)
    if not start or (len(start) == 1 and (_parts(start[0]) is not None or bound is not None)):
        raise Refused(
            node, "what the variables of the loop are is not known", "list them in the call, tensor by tensor"
        )
    options = [(word, argument(node, word, place)) for place, word in enumerate(_LOOPING + _BOUNDED) if place > 2]
    _require_options(evaluator, [given for word, given in options if word != "maximum_iterations"])
    limit = [] if bound is None else [_leaf(node, evaluator.value(bound))]
    carried = _like(node, container(start), list(flatten(start)))
    assert carried.parts is not None
    tested = built(evaluator, node, argument(node, "cond", 0), carried.parts)
    if tested.stage not in TENSORS or tested.parts is not None:
        raise Refused(node, "the condition of the loop is no tensor", "compare what changes in the loop")
    made = built(evaluator, node, argument(node, "body", 1), carried.parts)
    if len(start) == 1 and _parts(made) is None:
        made = container((made,))
    result = _given(node, [container(start), made], tested, *limit)
    same = _says(argument(node, "return_same_structure", 9), default=False)
    return result.parts[0] if same and result.parts is not None and len(result.parts) == 1 else result


def each(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """`tf.map_fn`, `tf.scan` and `tf.foldl`: what a function gives for each part of tensors, one after the other."""
    options = _OPTIONS[symbol]
    require_only(node, ("fn", "elems", *options), ())
    listed = argument(node, "elems", 1)
    elems = None if listed is None else evaluator.value(listed)
    if elems is None or not any(part.stage in TENSORS for part in flatten([elems])):
        raise Refused(node, f"what `{symbol}` goes through is no tensor", "make a tensor of it")
    words = [argument(node, word, place) for place, word in enumerate(options, 2) if word != "initializer"]
    _require_options(evaluator, words)
    first = argument(node, "initializer", 2) if "initializer" in options else None
    start = elems if first is None or _is_none(first) else evaluator.value(first)
    part, carried = (_like(node, value, [*flatten([elems]), *flatten([start])]) for value in (elems, start))
    given = (part,) if symbol == "tf.map_fn" else (carried, part)
    made = built(evaluator, node, argument(node, "fn", 0), given)
    if symbol == "tf.map_fn":
        return _like(node, made, [*flatten([elems]), *flatten([made])])
    return _alike(node, [start, made], [*flatten([elems, start, made])])


def built(evaluator: Evaluator, call: ast.Call, node: ast.expr | None, given: Sequence[Value]) -> Value:
    """What a function builds that a condition or a loop is given, of these values."""
    outer, evaluator.creates = evaluator.creates, set()
    evaluator.branches += 1
    try:
        with evaluator.collecting() as (reads, _):
            value = _built(evaluator, call, node, given)
    finally:
        evaluator.branches -= 1
        made, evaluator.creates = evaluator.creates, outer
    if made:
        raise Refused(call, "a condition or a loop of the graph opens a scope of variables", "open it around the call")
    seen = any(binding.value.is_graph and binding.value.stage is not Stage.CONSTANT for binding in reads.values())
    if value.stage is Stage.EFFECT or not seen:
        return value
    # Whatever it gives, it stands where what it sees is.
    return with_moves(_like(call, value, [TENSOR, *flatten([value])]), [value])


def _built(evaluator: Evaluator, call: ast.Call, node: ast.expr | None, given: Sequence[Value]) -> Value:
    if isinstance(node, ast.Lambda):
        names = _names(node.args)
        if names is None or len(names) != len(given):
            raise Refused(node, "a lambda of the condition or the loop takes other arguments than it gets", _PLAINLY)
        return evaluator.with_locals(dict(zip(names, given, strict=True)), [], node.body)
    if not isinstance(node, ast.Name | ast.Attribute):
        raise Refused(call, "what function a condition or a loop of the graph is given is not known", _PLAINLY)
    symbol = evaluator.names.resolve(node)
    if symbol in _SYMBOLS:
        return _like(call, Value(Stage.TENSOR), list(flatten(given)))
    function = evaluator.lookup(node).function if isinstance(node, ast.Name) and symbol is None else None
    function = function or evaluator.imports.function(evaluator.names, node)
    if function is None or function in evaluator.active or function in evaluator.closed or function.decorator_list:
        raise Refused(node, f"what function `{ast.unparse(node)}` is, and what it does, is not known", _PLAINLY)
    names = _names(function.args)
    if names is None or len(names) != len(given):
        raise Refused(
            node, f"`{ast.unparse(node)}` takes other arguments than the condition or the loop gives", _PLAINLY
        )
    frame = Locals(zip(names, given, strict=True))
    if function not in evaluator.imports.homes:
        return body_of(evaluator, frame, function)
    with apart(evaluator, call, function):
        value = body_of(evaluator, frame, function)
    require_tensors(call, value, given)
    return value


def is_passed(module: Module, names: Names, name: ast.expr) -> bool:
    """Whether a name stands where a condition or a loop of the graph is given a function."""
    around: ast.AST = module.parents[name]
    while isinstance(around, ast.keyword | ast.List | ast.Tuple):
        around = module.parents[around]
    return isinstance(around, ast.Call) and around.func is not name and names.resolve(around.func) in REPEATED


def smart_condition(evaluator: Evaluator, node: ast.Call) -> Value:
    """A choice between two functions that Python makes while the graph is built."""
    require_only(node, ("pred", "true_fn", "false_fn"), ("name",))
    test, *branches = (argument(node, word, place) for place, word in enumerate(("pred", "true_fn", "false_fn")))
    bodies = [branch.body for branch in branches if isinstance(branch, ast.Lambda) and not ast.unparse(branch.args)]
    if test is None or len(bodies) < len(branches):
        raise Refused(node, "what is chosen from are no two functions in the call", "write `lambda: …` for each")
    value = evaluator.value(test)
    if value.stage is not Stage.PYTHON:
        raise Refused(node, "a tensor is used as a condition", "use tf.cond or tf.where")
    if value.truth is not None:
        return evaluator.value(bodies[0 if value.truth else 1])
    return join(*map(evaluator.value, bodies))


def _names(given: ast.arguments) -> list[str] | None:
    """The parameters of a function that takes plain ones, all of them given."""
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
        return None
    return [item.arg for item in given.args]


def _test(evaluator: Evaluator, node: ast.Call, given: ast.expr | None) -> Value:
    value = None if given is None else evaluator.value(given)
    if value is None or value.stage not in TENSORS or value.parts is not None or value.several:
        raise Refused(node, "the condition is no tensor", "choose by a tensor, or in Python")
    return value


def _parts(value: Value | None) -> tuple[Value, ...] | None:
    """What a list or tuple holds that is written out."""
    if value is None or value.several or value.keys is not None:
        return None
    return value.parts if value.parts is not None else value.items


def _given(node: ast.Call, ways: Sequence[Value], *others: Value) -> Value:
    """What a call gives that takes one of several ways: each has to give the same structure."""
    return _alike(node, ways, [*flatten(ways), *(replace(other, variables=()) for other in flatten(others))])


def _alike(node: ast.Call, ways: Sequence[Value], sources: Sequence[Value]) -> Value:
    held = [_parts(way) if way.keys is None else way.parts for way in ways]
    first = held[0]
    if all(parts is None for parts in held):
        leaves = [_leaf(node, way) for way in ways]
        return replace(_tensor(sources), several=any(leaf.several for leaf in leaves))
    shapes = {(None if parts is None else len(parts), way.keys) for way, parts in zip(ways, held, strict=True)}
    if first is None or len(shapes) > 1 or len({way.fields for way in ways}) > 1:
        raise Refused(node, "a condition or a loop of the graph gives different structures of tensors", _ALIKE)
    columns = zip(*(parts for parts in held if parts is not None), strict=True)
    made = container(tuple(_alike(node, column, sources) for column in columns), ways[0].keys)
    return replace(made, fields=ways[0].fields)


def _like(node: ast.Call, value: Value, sources: Sequence[Value]) -> Value:
    """Tensors in the structure of a value."""
    return _alike(node, [value], sources)


def _leaf(node: ast.Call, value: Value) -> Value:
    if value.stage not in _LEAVES or value.function is not None or value.is_none or value.owner is not None:
        raise Refused(node, "a condition or a loop of the graph takes or gives what is no tensor", _ALIKE)
    return value


def _tensor(sources: Sequence[Value]) -> Value:
    """A tensor that may be any of others, unchanged: then it shares the memory of a variable."""
    if combine(sources).stage is Stage.CONSTANT:
        return CONSTANT
    random, loose = any(item.random for item in sources), reading(sources)
    return Value(Stage.TENSOR, variables=sharing(sources), random=random, fed=True, loose=loose)


def _unwrapped(evaluator: Evaluator, node: ast.Call, value: Value) -> Value:
    """The only value in a list, which TF1 took out of it."""
    strict = argument(node, "strict", 3)
    if strict is not None and not isinstance(strict, ast.Constant):
        raise Refused(node, "whether one value stays in its list is not known", "write `strict=True`, or leave it out")
    kept = strict is not None and not _says(strict, default=False)
    alone = value.parts is not None and value.keys is None and len(value.parts) == 1
    return value.parts[0] if alone and not kept and value.parts is not None else value


def _says(given: ast.expr | None, *, default: bool) -> bool:
    """Whether an option is left at its default."""
    return given is None or (isinstance(given, ast.Constant) and given.value is default)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _require_options(evaluator: Evaluator, given: Iterable[ast.expr | None]) -> None:
    """Refuses options that are tensors."""
    for item in given:
        if item is not None and any(
            part.stage not in (Stage.PYTHON, Stage.STATIC) for part in flatten([evaluator.value(item)])
        ):
            raise Refused(item, "an option of a loop is a part of the graph", "give it a Python value")
