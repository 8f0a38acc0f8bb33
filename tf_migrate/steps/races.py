"""Runs that read a variable and change it, or change it twice, where nothing says what comes first.

TensorFlow 1 left the order open, and it may have been another one at each run. Steps and the bridge read first; of two
changes either may come last.
A loop that begins with a variable is told too where its gradient waits for an update of that: the loop's first state
was the variable's memory in TensorFlow 1, and what the gradient took of it the new value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from tf_migrate.interpreter.recorder import Observation, Recorder, Turns
from tf_migrate.interpreter.values import MANY, Node, options
from tf_migrate.report.model import Finding
from tf_migrate.semantics.graph_values import TAKING
from tf_migrate.syntax.module import Module

_ALIASES = frozenset(
    ("identity", "reshape", "squeeze", "expand_dims", "stop_gradient", "value", "initialized_value", "read_value")
)
"""What shares a variable's memory, or says itself when it reads."""
_LOOSE = frozenset(("l2_loss", "l2_regularizer", "l1_regularizer"))
"""What is added to a loss, and whose gradient does not need its value."""
_OF_VARIABLES = frozenset(("abs", "mul", "multiply", "pow", "square"))
"""What may be computed of variables alone, and whose gradient needs them and not its own value."""
_LINEAR = frozenset(
    (
        *("add", "add_n", "add_v2", "bias_add", "identity", "negative", "reduce_mean", "reduce_sum", "reshape"),
        *("squeeze", "sub", "subtract", "unary"),
    )
)
_PLAIN = frozenset(("bias_add", "conv2d", "dense", "matmul", "xw_plus_b"))
"""What is computed of variables and others, and whose gradient needs them and not its own value."""
_TAKEN = TAKING | {"batch", "shuffle_batch", "argument"}
"""What gives values of sizes that are not written down."""
_LISTS = frozenset(("tf.trainable_variables", "tf.global_variables"))
"""Lists of variables: all that there are, where nothing is asked for."""
_PENALTIES = ("tf.losses.get_regularization_loss", "tf.losses.get_regularization_losses")
"""What regularizers compute of variables."""
_DECAYING = frozenset(("tf.contrib.opt.AdamWOptimizer", "tf.contrib.opt.MomentumWOptimizer"))
"""Optimizers that shrink variables, which waits for no gradient."""
_SCALED = frozenset(("divide", "mul", "multiply", "scalar_mul", "truediv"))
"""What is linear where only one of its operands is of the graph."""
_SOURCES = ("tf.Variable", "tf.get_variable")
_TAKING = (".minimize", ".apply_gradients")
_ADDING = frozenset(("assign_add", "assign_sub"))
"""What changes a variable alike, whichever comes first."""
_STEP = (
    "say which one is meant: put what comes second under `tf.control_dependencies([…])` of what comes first, or run it "
    "by itself"
)
_LOOPS = frozenset(
    ("dynamic_rnn", "bidirectional_dynamic_rnn", "raw_rnn", "while_loop", "scan", "foldl", "foldr", "dynamic_decode")
)
"""What runs a body again and again, whose gradient is a loop too."""
_STRUCTURES = ("LSTMStateTuple", "tuple", "pack_sequence_as")
_LOOP_STEP = "take the assignments out of the gradient's way: assign behind the training step, or compare the losses"
_TURN_STEP = "make the value a variable of the loop, or give the loop `parallel_iterations=1` and say what comes first"
_LONGEST = 50


_Found: TypeAlias = tuple[Node, Node, Node] | None
Kind = Literal["read", "write", "loop", "turn"]


@dataclass(frozen=True)
class Race:
    """A run, what reads in it, the variable and what changes that."""

    site: ast.Call
    module: Module
    read: ast.AST
    variable: ast.AST
    update: ast.AST
    kind: Kind = "read"
    """What is open; of a `loop` that begins with the variable, whether its gradient waits for what changes that; of a
    `turn`, what another turn of the same loop does.
    """


def finding_of(race: Race) -> Finding:
    """What is told of a run: the place that reads, and the line of the variable."""
    line, column = race.module.position(race.site)
    read, update = _text(race.read), _text(race.update)
    of_read, of_update, of_variable = (getattr(node, "lineno", 0) for node in (race.read, race.update, race.variable))
    rule, step, opening = "TFM147", _STEP, f"TensorFlow 1 left open whether `{read}`"
    if race.kind == "loop":
        rule, step = "TFM149", _LOOP_STEP
        message = (
            f"the gradient waits for `{update}`, which changes a state that `{read}` begins "
            "with: TensorFlow 1 computed it with what the update left in the place of the first state, now it is "
            "computed with the first state itself"
        )
    elif race.kind == "write":
        message = (
            f"{opening} or `{update}` (line {of_update}) changes the variable of line {of_variable} last in this run; "
            "it is open now too, and may be the other one"
        )
    elif race.kind == "turn" and race.read is race.update:
        step = _TURN_STEP
        message = (
            f"{opening} (line {of_read}) changes the variable of line {of_variable} last in this turn of the loop or "
            "in another one; it is open now too"
        )
    elif race.kind == "turn":
        step = _TURN_STEP
        message = (
            f"{opening} (line {of_read}) sees the variable of line {of_variable} before or after `{update}` changes it "
            "in another turn of the loop; it is open now too"
        )
    else:
        message = (
            f"{opening} (line {of_read}) sees the variable of line {of_variable} before or after `{update}` changes it "
            "in this run; now it is before"
        )
    return Finding(race.module.path, line, column, rule, None, "shimmed", "warning", message, step)


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def races(recorder: Recorder) -> Iterator[Race]:
    """The races of a tree's runs, at most one of a kind a run."""
    made = {made.time: made for made in reversed(recorder.nodes)}
    regularized = any(symbol.endswith("_regularizer") for found in recorder.symbols.values() for symbol in found)
    program = _Program(made, recorder.turns, regularized)
    for site, every in recorder.runs.items():
        found: dict[Kind, Race] = {}
        for seen in every:
            for race in _races(site, seen, recorder, program):
                found.setdefault(race.kind, race)
        if "read" in found:
            found.pop("write", None)
        yield from found.values()


def _races(site: ast.Call, seen: Observation, recorder: Recorder, program: _Program) -> Iterator[Race]:
    fetched = [option for leaf in seen.fetches.leaves() for option in options(leaf)]
    nodes = [each for each in fetched if isinstance(each, Node)]
    if seen.never or not seen.fetches.known or len(nodes) < len(fetched):
        return
    nodes += seen.beside
    fed = frozenset(
        option.time
        for key, _ in (() if seen.feeds is None else seen.feeds.parts)
        for option in options(key)
        if isinstance(option, Node)
    )
    for kind, found in program.races(frozenset(each.time for each in nodes), fed).items():
        if found is not None:
            read, variable, update = (each.place for each in found)
            yield Race(site, recorder.sites[site], read, variable, update, kind)


class _Program:
    """The operations of a program."""

    def __init__(self, ops: dict[int, Node], turns: Mapping[int, Turns], regularized: bool = False) -> None:
        self.ops = ops
        self.of_all: list[int] = []
        """What computes something of all variables there are, or of those with regularizers."""
        self.turns = turns
        self._races: dict[tuple[frozenset[int], frozenset[int]], dict[Kind, _Found]] = {}
        self.readers: dict[object, list[int]] = {}
        """What computes something of a variable, in order."""
        self._first: dict[object, Node] = {}
        """What made a variable: what finds it again says no more whether it is trained."""
        for time, op in sorted(ops.items()):
            if op.kind == "variable" or op.shared is not None:
                self._first.setdefault(_key(op), op)
            for variable in dict.fromkeys(_key(each) for each in self._read_by(op)):
                self.readers.setdefault(variable, []).append(time)
            if (regularized and _is_penalty(op)) or self._reads_all(op):
                self.of_all.append(time)

    def _reads_all(self, op: Node) -> bool:
        """Whether an operation computes something of all variables, listed where nothing is asked for."""
        averages = op.kind == "operation" and op.symbol == "apply"
        if not averages and (op.kind != "tensor" or _is_gradient(op) or _is_alias(op)):
            return False
        return any(each.turn == MANY and each.symbol in _LISTS and _asks_nothing(each.place) for each in op.inputs)

    def _read_by(self, op: Node) -> Iterator[Node]:
        """The variables that an operation computes something of."""
        if op.kind == "tensor" and op.shared is not None:
            yield op
        averages = op.kind == "operation" and op.symbol == "apply"
        if averages or (op.kind in ("tensor", "assignment") and not _is_gradient(op) and not _is_alias(op)):
            for each in op.inputs[1:] if _is_assignment(op) else op.inputs:
                if (variable := self.source(each)) is not None:
                    yield variable

    def source(self, node: Node) -> Node | None:
        """The variable whose memory a value shares."""
        op = self.ops.get(node.time)
        for _ in range(20):
            if op is None or op.kind == "variable" or not _is_alias(op) or not op.inputs:
                break
            op = self.ops.get(op.inputs[0].time)
        return op if op is not None and op.kind == "variable" else None

    def is_trained(self, op: Node) -> bool:
        """Whether an operation is a variable that optimizers find, or a layer that has some."""
        has_some = op.kind == "variable" or (op.kind == "tensor" and op.shared is not None)
        return has_some and not self._first[_key(op)].fixed

    def races(self, leaves: frozenset[int], fed: frozenset[int]) -> dict[Kind, _Found]:
        """What reads in a run of these operations, the variable, and what changes it; and the same of loops, of what
        changes it too, and of the turns of a loop.
        """
        key = leaves, fed
        if key not in self._races:
            graph = _Graph(self, leaves, fed)
            self._races[key] = {
                "read": graph.race(),
                "write": graph.writes(),
                "loop": graph.loop(),
                "turn": graph.turn(),
            }
        return self._races[key]

    def held_by(self, values: Iterable[Node]) -> dict[object, Node]:
        """The variables whose memory values share, or parts of them."""
        found, waiting = dict[object, Node](), list(values)
        while waiting:
            each = waiting.pop()
            variable = self.source(each)
            if variable is not None:
                found[_key(variable)] = variable
            elif each.symbol.endswith(_STRUCTURES):
                waiting += self.ops.get(each.time, each).inputs
        return found


class _Graph:
    """The operations of one run."""

    def __init__(self, program: _Program, leaves: frozenset[int], fed: frozenset[int]) -> None:
        self._program, self._leaves, self._fed = program, leaves, fed
        self.ops = program.ops
        self._all = self.behind(leaves)

    def race(self) -> tuple[Node, Node, Node] | None:
        """What reads, the variable, and what changes it."""
        # What a group waits for runs as if it were fetched.
        for update in sorted(self._all):
            reading = [
                (each, time)
                for each in self._changed(update)
                for time in self._readers(each)
                if not self._are_apart(time, update) and not self._are_of_a_loop(time, update)
            ]
            if not reading:
                continue
            maker = self.ops[update].maker
            decays = maker is not None and maker.origin in _DECAYING
            before = set[int]() if decays else self.behind({update})
            apart = [(each, time) for each, time in reading if time not in before or self._is_loose(time, before)]
            beside = self._all if decays else self.behind(self._leaves, without=update) if apart else set[int]()
            for variable, time in apart:
                if time in beside and update not in self.behind({time}):
                    return self.ops[time], variable, self.ops[update]
        return None

    def writes(self) -> _Found:
        """What changes a variable, the variable, and what changes it too."""
        known: dict[object, list[int]] = {}
        for update in sorted(self._all):
            for variable in self._changed(update):
                every = known.setdefault(_key(variable), [])
                for other in every:
                    if self._are_open(other, update):
                        return self.ops[other], variable, self.ops[update]
                every.append(update)
        return None

    def _are_open(self, one: int, other: int) -> bool:
        """Whether two changes of a variable have no order, which shows: one of them at least sets it."""
        names = {_last(self.ops[one]), _last(self.ops[other])}
        sets = any(_is_assignment(self.ops[each]) for each in (one, other)) and not names <= _ADDING
        if not sets or all(name.startswith("scatter") for name in names) or self._are_apart(one, other):
            return False
        places = {self.ops[one].place, self.ops[other].place}
        return len(places) > 1 and one not in self.behind({other}) and other not in self.behind({one})

    def _are_apart(self, one: int, other: int) -> bool:
        """Whether two operations stand in different arms of a condition, of which one alone is computed."""
        arms = dict(self.ops[one].arms)
        return any(arms.get(condition, arm) != arm for condition, arm in self.ops[other].arms)

    def _is_loose(self, time: int, before: set[int]) -> bool:
        """Whether no gradient needs what a term of a loss gives: it is added, and of no size that is asked for.

        It is computed of variables alone, or the loss is linear in it.
        """
        op = self.ops[time]
        if _last(op) in _LOOSE or _is_penalty(op):
            return True
        alone = _last(op) in _OF_VARIABLES and all(self._program.source(each) is not None for each in op.inputs)
        alone = alone or (_last(op) in _PLAIN and not _is_activated(op.place) and self._has_sizes(time))
        waiting, found = ([time] if alone else []), {time}
        while waiting:
            one = waiting.pop()
            for user in self._users.get(one, ()):
                if user not in before or user in found:
                    continue
                found.add(user)
                if _is_linear(self.ops[user]):
                    waiting.append(user)
                elif not _is_gradient(self.ops[user]) and not self.ops[user].symbol.endswith(".minimize"):
                    return False
        return alone

    def _has_sizes(self, time: int) -> bool:
        """Whether the sizes of all that an operation is computed of are written down."""
        return all(
            op is None or op.kind != "placeholder" or _is_sized(op.place)
            for op in map(self.ops.get, self.behind({time}))
        ) and not any(_last_of(self.ops.get(each)) in _TAKEN for each in self.behind({time}))

    @cached_property
    def _users(self) -> dict[int, list[int]]:
        """What is computed of each operation of the run."""
        found: dict[int, list[int]] = {}
        for time in self._all:
            for each in self.ops[time].inputs if time in self.ops else ():
                found.setdefault(each.time, []).append(time)
        return found

    def loop(self) -> _Found:
        """A loop whose gradient waits for an update of what it begins with, the variable, and the update."""
        held = self._program.held_by
        loops = {time: held(self.ops[time].inputs) for time in self._all if _last_of(self.ops.get(time)) in _LOOPS}
        for update in sorted(self._all) if any(loops.values()) else ():
            op = self.ops.get(update)
            if op is None or not _is_assignment(op):
                continue
            changed = held(op.inputs[:1])
            begun = [time for time, states in loops.items() if not states.keys().isdisjoint(changed)]
            before = [time for time in begun if update not in self.behind({time})]
            if before and self._is_waited_for(update, before):
                variables = loops[before[0]]
                return self.ops[before[0]], next(variables[key] for key in changed if key in variables), op
        return None

    def turn(self) -> _Found:
        """What a loop reads, the variable, and what changes it in the same loop, where turns may come between."""
        for loop in sorted(self._program.turns.keys() & self._all):
            inside = self._inside(loop)
            for update in sorted(inside & self._all):
                for variable in self._changed(update):
                    reads = sorted(inside.intersection(self._readers(variable)) - {update})
                    for read in (*reads, *([update] if self._sets(update) else [])):
                        if not self._are_apart(read, update) and self._may_overlap(loop, read, update):
                            return self.ops[read], variable, self.ops[update]
        return None

    def _sets(self, update: int) -> bool:
        """Whether it shows which of several times that something changes a variable is the last one."""
        name = _last(self.ops[update])
        return _is_assignment(self.ops[update]) and name not in _ADDING and not name.startswith("scatter")

    def _inside(self, loop: int) -> set[int]:
        """The operations of a loop's functions."""
        since = self._program.turns[loop].since
        return {each.time for each in self.ops[loop].inputs if since <= each.time < loop}

    def _are_of_a_loop(self, one: int, other: int) -> bool:
        return any({one, other} <= self._inside(loop) for loop in self._program.turns.keys() & self._all)

    def _may_overlap(self, loop: int, read: int, update: int) -> bool:
        """Whether what comes first in a turn may come before what comes second in the turn before that."""
        turns = self._program.turns[loop]
        if read < turns.body <= update or read in self.behind({update}):
            first, second = read, update
        elif update in self.behind({read}):
            first, second = update, read
        else:
            return True
        before = self.behind({first})
        waits = [second in self.behind(given) for _, given in turns.states]
        handed = any(wait and not before.isdisjoint(each) for wait, (each, _) in zip(waits, turns.states, strict=True))
        return not (turns.ordered or handed) and (turns.counts or not all(waits))

    def _is_waited_for(self, update: int, loops: list[int]) -> bool:
        """Whether a gradient through one of the loops waits for an update."""
        for time in self._all:
            op = self.ops.get(time)
            if op is not None and (_is_gradient(op) or op.symbol.endswith(".minimize")):
                behind = self.behind({time})
                if update in behind and not behind.isdisjoint(loops):
                    return True
        return False

    def _readers(self, variable: Node) -> list[int]:
        of_all = self._program.of_all if self._program.is_trained(variable) else []
        return [time for time in (*self._program.readers.get(_key(variable), ()), *of_all) if time in self._all]

    def behind(self, times: Iterable[int], without: int | None = None) -> set[int]:
        """The operations that some wait for, and these themselves."""
        found: set[int] = set()
        waiting = [time for time in times if time != without]
        while waiting:
            time = waiting.pop()
            if time in found:
                continue
            found.add(time)
            op = self.ops.get(time)
            if op is not None and time not in self._fed:
                waiting += [each.time for each in op.inputs if each.time not in found and each.time != without]
        return found

    def _changed(self, time: int) -> list[Node]:
        """The variables that an operation changes, as far as they are known."""
        op = self.ops.get(time)
        if op is None:
            return []
        if _is_assignment(op):
            found = [self._program.source(op.inputs[0])] if op.inputs else []
        elif op.kind == "operation" and op.symbol.endswith(_TAKING):
            found = [*map(self._program.source, op.counts), *self._trained(op)]
        else:
            return []
        return [each for each in found if each is not None and _is_one(each)]

    def _trained(self, op: Node) -> list[Node | None]:
        taken = [op, *(self.ops[time] for time in self.behind({op.time}) if _is_gradient(self.ops.get(time)))]
        named = [self._program.source(each) for node in taken for each in node.changes or ()]
        if named and all(each is not None and _is_one(each) for each in named):
            return named
        # Any that it depends on, where nobody listed them, or the list was looked up: `get_collection(…, scope="d")`.
        used = (self.ops.get(time) for time in sorted(self.behind({op.time})))
        return [*named, *(each for each in used if each is not None and self._program.is_trained(each))]


def _is_one(variable: Node) -> bool:
    """Whether a value is one variable, or a layer of some, and not any of several."""
    known = variable.symbol in _SOURCES or _is_step(variable) or variable.shared is not None
    return variable.turn != MANY and known


def _key(variable: Node) -> object:
    """What two values have in common that are the same variable; a graph has one global step."""
    if _is_step(variable):
        return "step", id(variable.graph)
    return id(variable) if variable.shared is None else variable.shared


def _is_step(variable: Node) -> bool:
    return variable.symbol.endswith("_global_step")


def _is_penalty(op: Node) -> bool:
    """Whether a value is a sum of what regularizers compute of variables, and of other terms."""
    return op.kind == "tensor" and (
        op.symbol in _PENALTIES or (_is_linear(op) and any(each.symbol in _PENALTIES[1:] for each in op.inputs))
    )


def _asks_nothing(place: ast.AST) -> bool:
    """Whether a call is given nothing."""
    return isinstance(place, ast.Call) and not place.args and not place.keywords


def _is_activated(place: ast.AST) -> bool:
    """Whether a layer may have an activation."""
    given = place.args[2:] if isinstance(place, ast.Call) else []
    named = place.keywords if isinstance(place, ast.Call) else []
    found = [word.value for word in named if word.arg is None or word.arg.startswith("activation")]
    is_layer = isinstance(place, ast.Call) and ast.unparse(place.func).endswith("layers.dense")
    return any(not (isinstance(each, ast.Constant) and each.value is None) for each in (*found, *(given * is_layer)))


def _is_sized(place: ast.AST) -> bool:
    """Whether a placeholder's shape is written down, with no unknown size in it."""
    if not isinstance(place, ast.Call):
        return False
    shapes = [*place.args[1:2], *(word.value for word in place.keywords if word.arg == "shape")]
    return bool(shapes) and not any(
        isinstance(part, ast.Constant) and not isinstance(part.value, int) for part in ast.walk(shapes[0])
    )


def _last(op: Node) -> str:
    return op.symbol.rpartition(".")[2]


def _last_of(op: Node | None) -> str:
    return "" if op is None else _last(op)


def _is_assignment(op: Node) -> bool:
    """Whether an operation sets its first input."""
    return op.kind == "assignment" or _last(op) == "assign_moving_average"


def _is_alias(op: Node) -> bool:
    return op.kind == "tensor" and _last(op) in _ALIASES


def _is_linear(op: Node) -> bool:
    """Whether the gradient of an operation does not need what it is given."""
    return op.kind == "tensor" and (_last(op) in _LINEAR or (_last(op) in _SCALED and len(op.inputs) == 1))


def _is_gradient(op: Node | None) -> bool:
    return op is not None and (op.symbol == "tf.gradients" or op.symbol.endswith(".compute_gradients"))
