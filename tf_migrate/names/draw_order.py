"""What code does to the order of a graph's random numbers, call by call: what draws, and behind what the number of
operations is another than TensorFlow 1's. Each module is read once; programs follow what their modules call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tf_migrate.facts.operation_count import is_another
from tf_migrate.names.canonical import Names
from tf_migrate.names.drawing import SEEDS, draws, draws_by_method, makes_cell, makes_network
from tf_migrate.names.exports import Index

_METHODS = {
    **{name: f"tf.train.Optimizer.{name}" for name in ("minimize", "apply_gradients")},
    "compute_gradients": "tf.gradients",
    "initialized_value": "tf.Variable.initialized_value",
}
_EAGER = frozenset(
    f"tf.{name}" for name in ("enable_eager_execution", "enable_v2_behavior", "contrib.eager.enable_eager_execution")
)
_BODIES = frozenset(
    f"tf.{name}"
    for name in (
        *("case", "cond", "foldl", "foldr", "map_fn", "scan", "vectorized_map", "while_loop"),
        *("data.experimental.map_and_batch", "data.experimental.parallel_interleave"),
        *("contrib.data.map_and_batch", "contrib.data.parallel_interleave"),
    )
)
"""Count operations of the functions that they are given otherwise than TensorFlow 1."""
_BODIES_OF_DATASETS = frozenset({"filter", "flat_map", "interleave", "map"})
_RECURRENT = frozenset(
    f"tf.{name}"
    for name in (
        *("nn.bidirectional_dynamic_rnn", "nn.dynamic_rnn", "nn.raw_rnn", "contrib.seq2seq.dynamic_decode"),
        *("contrib.rnn.stack_bidirectional_dynamic_rnn",),
    )
)
"""Call the cells that they are given, or that their decoders have, in a loop."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_LOOPS = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.comprehension,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_READING = "draw order"


class Place(NamedTuple):
    """A call of a symbol in a module; `within` says that what it calls draws, not what stands behind it."""

    module: str
    line: int
    column: int
    symbol: str
    within: bool = False


class Symbol(NamedTuple):
    """A call of TensorFlow's, or of a method that is taken for one; `cell`: it makes what draws when it is called."""

    counted: Place | None
    drawn: bool
    cell: bool = False


class Followed(NamedTuple):
    """What a function, method or class of this name does; where the program has none, `otherwise`."""

    name: str
    otherwise: Symbol | None = None


@dataclass(frozen=True)
class Block:
    """Events one behind the other: those of a loop happen twice, since more turns show nothing new."""

    events: tuple[Symbol | Followed | Body | Cells | Block, ...]
    turns: int = 1


class Body(NamedTuple):
    """A call that counts what it makes, or functions that it is given, otherwise than TensorFlow 1: it draws others."""

    place: Place
    made: Block


class Cells(NamedTuple):
    """A call that calls cells in a loop."""

    place: Place


@dataclass(frozen=True)
class Reading:
    """What a module does where it is executed, what each of its functions does, whether it seeds a graph, and whether
    it runs all operations at once.
    """

    top: Block
    functions: tuple[tuple[str, Block], ...]
    seeds: bool
    eager: bool


@dataclass
class Done:
    """What was done so far: the first call behind which the count is another, whether anything was drawn at all, and
    the call behind which it was. With them whether a cell was made that draws when it is called, and the first call
    that calls cells.
    """

    counted: Place | None = None
    drawn: bool = False
    found: Place | None = None
    cell: bool = False
    looped: Place | None = None

    def then(self, other: Done) -> None:
        """Adds what is done next."""
        others = (self.counted if other.drawn else None) or (other.looped if self.cell else None) or other.found
        self.found = self.found or others
        self.counted = self.counted or other.counted
        self.drawn = self.drawn or other.drawn
        self.cell = self.cell or other.cell
        self.looped = self.looped or other.looped


def first(readings: Iterable[Reading]) -> Place | None:
    """The first call behind which a program draws other numbers; None where it gives its graph no seed.

    Operations that run at once are not counted: TensorFlow 2 seeds them as TensorFlow 1 did.
    """
    program = [*readings]
    if not any(reading.seeds for reading in program) or any(reading.eager for reading in program):
        return None
    followed = _Calls(program)
    main = Done()
    for reading in program:
        main.then(followed.done(reading.top))
    # Who calls what is left, and when, is not known: before all else, or behind it.
    left = followed.left()
    whole = Done()
    for part in (left, main, left):
        whole.then(part)
    return whole.found


class Programs:
    """The programs of a tree, whose modules and orders are read once."""

    def __init__(self, index: Index, compat_module: str) -> None:
        self.index = index
        self.compat_module = compat_module
        self._modules: dict[str, Reading | None] = {}
        self._first: dict[str, Place | None] = {}

    @classmethod
    def of(cls, names: Names) -> Programs:
        """Those of the tree that a module is in."""
        found = names.index.readings.setdefault(
            f"{_READING} {names.compat_module}", cls(names.index, names.compat_module)
        )
        assert isinstance(found, cls)
        return found

    def first(self, program: str, own: Names) -> Place | None:
        """The first call of a program behind which numbers are drawn that are others.

        `own` is a module of it, maybe in a new text: one that had no such call has none in another form.
        """
        name = own.module.name
        tree = self.index.tree(name)
        if tree is None:
            return first(self._readings(program, own))
        if program not in self._first:
            self._first[program] = first(self._readings(program))
        found = self._first[program]
        if tree.source.text == own.module.source.text or found is None or found.module != name:
            return found
        return first(self._readings(program, own))

    def seeds(self, program: str, own: Names) -> bool:
        """Whether a program gives its graph a seed; `own` is a module of it."""
        known = self.index.tree(own.module.name) is not None
        return any(reading.seeds for reading in self._readings(program, None if known else own))

    def _readings(self, program: str, own: Names | None = None) -> list[Reading]:
        """What the modules of a program do, what it imports before itself."""
        found: list[Reading] = []
        for name in sorted(self.index.imported_by(program) | {program}, key=lambda name: (name == program, name)):
            reading = read(own) if own is not None and name == own.module.name else self._reading(name)
            if reading is not None:
                found.append(reading)
        return found

    def _reading(self, name: str) -> Reading | None:
        if name not in self._modules:
            tree = self.index.tree(name)
            self._modules[name] = None if tree is None else read(Names(tree, self.index, self.compat_module))
        return self._modules[name]


class _Calls:
    """The functions of a program, which are followed where they are called."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self.functions: dict[str, list[Block]] = {}
        for reading in readings:
            for name, block in reading.functions:
                self.functions.setdefault(name, []).append(block)
        self._known: dict[int, Done] = {}

    def left(self) -> Done:
        """What the functions do that nothing was seen to call."""
        done = Done()
        for block in [block for blocks in self.functions.values() for block in blocks]:
            if id(block) not in self._known:
                done.then(self._of(block))
        return done

    def done(self, block: Block) -> Done:
        """What a block does, and what is called there."""
        done = Done()
        for event in block.events:
            if isinstance(event, Block):
                done.then(self.done(event))
            elif isinstance(event, Body):
                made = self.done(event.made)
                done.then(Done(None, made.drawn, made.found or (event.place if made.drawn else None)))
            elif isinstance(event, Cells):
                done.then(Done(looped=event.place))
            elif isinstance(event, Symbol):
                done.then(_of_symbol(event))
            elif event.name in self.functions:
                for function in self.functions[event.name]:
                    done.then(self._of(function))
            elif event.otherwise is not None:
                done.then(_of_symbol(event.otherwise))
        if block.turns > 1:
            done.then(done)
        return done

    def _of(self, function: Block) -> Done:
        if id(function) not in self._known:
            self._known[id(function)] = Done()  # One that calls itself does no more than it does.
            self._known[id(function)] = self.done(function)
        return self._known[id(function)]


def _of_symbol(symbol: Symbol) -> Done:
    return Done(symbol.counted, symbol.drawn, cell=symbol.cell)


def read(names: Names) -> Reading:
    """What a module does."""
    module = names.module
    functions = []
    for function in module.functions:
        if isinstance(function, _Function):
            owner = module.parents[function]
            makes = owner if isinstance(owner, ast.ClassDef) and function.name == "__init__" else function
            functions.append((makes.name, _block(names, function.body)))
    seeds = any(names.of(call.func) in SEEDS for call in module.calls)
    eager = any(use.symbol in _EAGER for use in names.uses)
    return Reading(_block(names, module.tree.body), tuple(functions), seeds, eager)


def _block(names: Names, nodes: Iterable[ast.AST], turns: int = 1) -> Block:
    return Block(tuple(event for node in nodes for event in _events(names, node)), turns)


def _events(names: Names, node: ast.AST) -> Iterator[Symbol | Followed | Body | Cells | Block]:
    if isinstance(node, _Function):
        for decorator in node.decorator_list:
            yield from _events(names, decorator)
    elif isinstance(node, _LOOPS):
        block = _block(names, ast.iter_child_nodes(node), 2)
        if block.events:
            yield block
    else:
        for child in ast.iter_child_nodes(node):
            yield from _events(names, child)
        if isinstance(node, ast.Call):
            yield from _call(names, node)


def _call(names: Names, call: ast.Call) -> Iterator[Symbol | Followed | Body | Cells]:
    symbol = names.of(call.func) or ""
    body = _body(names, call, symbol)
    if body is not None:
        yield body
    for given in [*call.args, *(keyword.value for keyword in call.keywords)]:
        if isinstance(given, ast.Name):
            yield Followed(given.id)
    if symbol in _RECURRENT:
        yield Cells(_place(names, call, symbol)._replace(within=True))
    if symbol.startswith("tf."):
        counted, drawn = is_another(symbol, call), draws(call, symbol)
        place = _place(names, call, symbol)
        if counted and makes_network(symbol):
            yield Body(place._replace(within=True), Block((Symbol(None, True),)))
        if counted or drawn:
            yield Symbol(place if counted else None, drawn, makes_cell(call, symbol))
        return
    is_method = isinstance(call.func, ast.Attribute)
    word = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    method = Symbol(_place(names, call, _METHODS[word]), False) if is_method and word in _METHODS else None
    if draws_by_method(names, call):
        method = Symbol(None, True)
    if word:
        yield Followed(word, method)


def _body(names: Names, call: ast.Call, symbol: str) -> Body | None:
    """A call with functions that it counts otherwise: lambdas, and functions of the program."""
    word = call.func.attr if isinstance(call.func, ast.Attribute) and not symbol else ""
    if symbol not in _BODIES and word not in _BODIES_OF_DATASETS:
        return None
    events: list[Symbol | Followed | Body | Cells | Block] = []
    for given in [*call.args, *(keyword.value for keyword in call.keywords)]:
        for each in ast.walk(given) if isinstance(given, ast.List | ast.Tuple | ast.Dict) else [given]:
            if isinstance(each, ast.Lambda):
                events += _events(names, each.body)
            elif isinstance(each, ast.Name):
                events.append(Followed(each.id))
            elif isinstance(each, ast.Attribute):
                events.append(Followed(each.attr))
    place = _place(names, call, symbol or f"tf.data.Dataset.{word}")
    return Body(place._replace(within=True), Block(tuple(events))) if events else None


def _place(names: Names, call: ast.Call, symbol: str) -> Place:
    return Place(names.module.name, call.lineno, call.col_offset, symbol)
