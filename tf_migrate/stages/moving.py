"""Averages of tensors that a function keeps: `ema.apply([mean, variance])`, as in batch normalization by hand.

TF1 made such an update in the runs that needed what waits for it, and a function of TensorFlow 2 makes it whenever it
computes what is around it. So each update has to be waited for by the result of the function; values tell by `moves`
which updates they surely wait for. In which order TF1 read an average and moved it was open, so one run may do only one
of the two: they stand in two branches of a condition.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tf_migrate.stages.arguments import require_only
from tf_migrate.stages.behind import require_waits
from tf_migrate.stages.made import note_made
from tf_migrate.stages.values import TENSORS, Move, Refused, Stage, Value, Variable, container, flatten, moving
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_ARGUMENTS = ("decay", "num_updates", "zero_debias", "name")
_DEFAULT = "ExponentialMovingAverage"
_STEP = "move the averages in one branch of a `tf.cond`, and read them in the other one"


@dataclass(frozen=True)
class Choice:
    """One way of a condition of the graph: `test` is the name that decides, where it means one thing only."""

    call: object
    test: tuple[ast.AST, str] | None
    way: int

    def excludes(self, other: Choice) -> bool:
        """Whether no run goes both ways."""
        same = self.call is other.call or (self.test is not None and self.test == other.test)
        return same and self.way != other.way


@dataclass
class Moving:
    """The averages that one object of a function keeps: where it moved them, and where they were read."""

    moved: list[tuple[Choice, ...]] = field(default_factory=list)
    read: list[tuple[Choice, ...]] = field(default_factory=list)


def averages_in_function(evaluator: Evaluator, node: ast.Call) -> Value:
    """An object that keeps averages of the tensors of a function: a store has them, in the order of the calls."""
    for place, word in enumerate(_ARGUMENTS):
        given = argument(node, word, place)
        value = None if given is None else evaluator.value(given)
        tensor = word == "decay" and value is not None and value.stage in TENSORS and value.parts is None
        if value is not None and (value.is_graph or word == "zero_debias") and not (tensor and not value.random):
            what = f"`{word}` of averages that a function makes is not understood by the native tier"
            raise Refused(node, what, "give them a decay, and a name if need be")
    evaluator.creates.add("variable")
    evaluator.named.add(_DEFAULT.lower() if argument(node, "name", 3) is None else None)
    evaluator.makers.add(node)
    note_made(evaluator, node, None)
    kept = ast.copy_location(ast.Call(node.func, node.args, node.keywords), node)
    evaluator.moving_averages[kept] = Moving()
    return Value(Stage.AVERAGES, node=kept)


def apply_in_function(evaluator: Evaluator, node: ast.Call, known: Moving) -> Value:
    """`averages.apply(tensors)` in a function: an operation that something has to wait for."""
    require_only(node, ("var_list",), ())
    listed = argument(node, "var_list", 0)
    parts = [] if listed is None else list(flatten([evaluator.value(listed)]))
    odd = (part.stage is not Stage.TENSOR or part.several or part.updates or part.variables for part in parts)
    if not parts or any(odd):
        raise Refused(node, "which tensors a function averages is not known", "list them in the call, one by one")
    if known.moved or is_repeated(evaluator) or evaluator.fetching:
        raise Refused(node, "averages of a function are moved twice, or in a run", "call `apply` once")
    _require_apart(evaluator, node, known.read)
    known.moved.append(_choices(evaluator))
    move = Move((*evaluator.path, node), averages=True)
    evaluator.moved.append(move)
    return Value(Stage.EFFECT, grouped=True, moves=frozenset({move}) | moving(parts))


def is_repeated(evaluator: Evaluator) -> bool:
    """Whether a comprehension is around, which may do what is in it several times."""
    return any(isinstance(place, ast.ListComp | ast.GeneratorExp) for place in evaluator.path)


def average_in_function(evaluator: Evaluator, node: ast.Call, known: Moving) -> Value:
    """`averages.average(tensor)` in a function: it reads a variable."""
    require_only(node, ("var",), ())
    given = argument(node, "var", 0)
    value = None if given is None else evaluator.value(given)
    if not known.moved or value is None or value.stage is not Stage.TENSOR or value.several:
        raise Refused(node, "the average is asked for of something that has none so far", "call `apply` before")
    _require_apart(evaluator, node, known.moved)
    known.read.append(_choices(evaluator))
    return Value(Stage.TENSOR, variables=(Variable(evaluator.unit, node, "", None, False),))


def _require_apart(evaluator: Evaluator, node: ast.Call, others: Sequence[tuple[Choice, ...]]) -> None:
    for other in others:
        if not any(choice.excludes(known) for choice in _choices(evaluator) for known in other):
            raise Refused(node, "one run reads averages and moves them, in no order", _STEP)


def _choices(evaluator: Evaluator) -> tuple[Choice, ...]:
    return tuple(place for place in evaluator.path if isinstance(place, Choice))


def choice_of(evaluator: Evaluator, node: ast.Call, test: ast.expr | None, way: int) -> Choice:
    """One way of a condition that is being read."""
    scope = evaluator.module.binding_scope(test) if isinstance(test, ast.Name) else None
    known = scope is not None and evaluator.active and scope.node is evaluator.active[-1]
    if known and isinstance(test, ast.Name) and scope is not None and len(scope.bindings[test.id]) == 1:
        return Choice(node, (scope.node, test.id), way)
    return Choice(node, None, way)


def with_moves(value: Value, ways: Sequence[Value]) -> Value:
    """A value that is one of several: of whichever it is, the updates that this one waits for are made."""
    if value.parts is None:
        return replace(value, moves=moving(ways))
    columns = zip(*(way.parts or way.items or () for way in ways), strict=True)
    parts = (with_moves(part, column) for part, column in zip(value.parts, columns, strict=True))
    return replace(value, parts=tuple(parts))


def waited_in_function(evaluator: Evaluator, node: ast.With) -> frozenset[Move]:
    """The updates of averages that a block in a function waits for; none where it is another block."""
    call = node.items[0].context_expr
    waits = isinstance(call, ast.Call) and evaluator.names.resolve(call.func) == "tf.control_dependencies"
    if not waits or not isinstance(call, ast.Call) or len(node.items) > 1 or len(call.args) != 1 or call.keywords:
        return frozenset()
    parts = list(flatten([evaluator.value(call.args[0])]))
    if any(part.stage is not Stage.EFFECT or part.updates or not part.moves for part in parts):
        return frozenset()
    return moving(parts)


def made_behind(evaluator: Evaluator, node: ast.expr, value: Value, waited: frozenset[Move]) -> Value:
    """What an expression gives in a block that waits for updates of averages."""
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    parts = value.parts if isinstance(node, ast.Tuple | ast.List) else (value,)
    if parts is None or any(part.stage is not Stage.TENSOR or part.parts is not None for part in parts):
        raise Refused(
            node, "something else than tensors is computed where averages are moved first", "compute it before"
        )
    for item in items:
        require_waits(evaluator, item)
    made = tuple(replace(part, moves=part.moves | waited) for part in parts)
    return container(made) if isinstance(node, ast.Tuple | ast.List) else made[0]


def require_moves(node: ast.AST, moved: frozenset[Move], value: Value) -> None:
    """Refuses a statement that may do something which what it computes does not wait for."""
    known = all(part.stage is Stage.TENSOR and part.moves.issuperset(moved) for part in flatten([value]))
    if moved and not known:
        what = "a function does more than compute, and what it gives may not wait for that"
        raise Refused(node, what, "let all that the function gives depend on it")
