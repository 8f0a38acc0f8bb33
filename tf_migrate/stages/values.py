"""What the analysis knows of an expression: its stage, and where it came from."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from tf_migrate.stages.lists import Listing
    from tf_migrate.stages.objects import ObjectClass
    from tf_migrate.stages.updates import Rate, Update


class Stage(enum.Enum):
    """When an expression has its value.

    CONSTANT is a tensor that needs no run: eager code computes it where it stands, SPARSE a sparse one. STATIC is a
    Python value taken from a tensor's static shape. VARIABLES is a list of the variables of a store, which a
    function makes of those it knows, UPDATES one of updates. LAYER is an object that creates variables when it is
    called. FED is a dataset of `tf.data` made of placeholders; what `get_next()` gives is a PLACEHOLDER, which each
    run fills with the next element. QUEUE is what only serves to fill queues: readers, coordinators, threads.
    MONITOR is a monitored session, HOOK what such a session calls around its runs. AVERAGES is an object that keeps
    averages. AMBIGUOUS is a name that holds a graph element on some paths and something else on others, LEFT one
    that was a part of a graph thrown away since.
    """

    PYTHON = "python"
    CONSTANT = "constant"
    SPARSE = "sparse"
    STATIC = "static"
    PLACEHOLDER = "placeholder"
    TENSOR = "tensor"
    VARIABLE = "variable"
    VARIABLES = "variables"
    UPDATES = "updates"
    EFFECT = "effect"
    LAYER = "layer"
    OPTIMIZER = "optimizer"
    AVERAGES = "averages"
    DATASET = "dataset"
    FED = "fed"
    ITERATOR = "iterator"
    QUEUE = "queue"
    INITIALIZER = "initializer"
    SESSION = "session"
    MONITOR = "monitor"
    HOOK = "hook"
    FEED = "feed"
    AMBIGUOUS = "ambiguous"
    LEFT = "left"


TENSORS = frozenset({Stage.CONSTANT, Stage.PLACEHOLDER, Stage.TENSOR, Stage.VARIABLE})
"""What an operation takes as a tensor."""

MOVED = frozenset({Stage.STATIC, Stage.VARIABLES, Stage.UPDATES, Stage.LAYER, Stage.TENSOR, Stage.FED, Stage.EFFECT})
"""What leaves the module for the functions that replace the runs."""

AT_THE_TOP = frozenset(
    {Stage.PLACEHOLDER, Stage.VARIABLE, Stage.SESSION, Stage.DATASET, Stage.ITERATOR, Stage.QUEUE, Stage.HOOK}
    | {Stage.AVERAGES}
)
"""What is made in the straight line of a script and nowhere else."""


class Refused(Exception):
    """The analysis is not sure: `node` is the place, `next_step` what a person could change."""

    code = "unproved"
    """Which kind of thing it is, as the report's reasons tell."""

    def __init__(self, node: ast.AST, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason
        self.next_step = next_step


class Absent(Refused):
    """What TensorFlow 1.15 has no more: to ask for it raises an AttributeError, there as here."""

    code = "absent"


class Feeding(Refused):
    """What a run is fed is made by a function, under names of its own."""

    code = "feeds"


@dataclass(frozen=True)
class Variable:
    """One variable the program creates: `target` and `key` say how the program reaches it."""

    unit: int
    call: ast.Call
    target: str
    key: ast.expr | int | None
    trainable: bool


@dataclass(frozen=True)
class Loose:
    """An operation that reads `variables`, or those of a layer, and `alone` nothing else.

    `needed` says that a gradient of what is computed of it needs its result: whoever waits for that waits for it.
    """

    node: ast.expr
    variables: tuple[Variable, ...]
    alone: bool
    needed: bool = False


@dataclass(frozen=True)
class Pipeline:
    """A dataset.

    `single` says that each element is one tensor, `seeded` that a seed decides on an order that changes each time,
    `fed` that it is made of placeholders.
    """

    single: bool = False
    seeded: bool = False
    fed: bool = False


@dataclass(frozen=True, eq=False)
class Iteration:
    """An iterator: the call that makes it, and its dataset; that of one of several datasets is like its elements.

    `made` is what the name of the dataset means there. `queue` is what fills a queue that threads kept full.
    """

    call: ast.Call
    kind: Literal["one shot", "initializable", "reinitializable", "queue"]
    pipeline: Pipeline
    dataset: ast.expr | None
    made: Binding | None = None
    queue: Queue | None = None

    @property
    def is_shown(self) -> bool:
        """Whether it begins where it is made."""
        return self.kind in ("one shot", "queue")


@dataclass(frozen=True)
class Queue:
    """What fills a queue: records of `files` that `reader` reads, slices of arrays, or batches of what another gives.

    `shuffled` says that the order of what it holds is random, `threaded` that several threads fill it.
    """

    kind: Literal["records", "slices", "batches"]
    shuffled: bool
    threaded: bool = False
    reader: ast.Call | None = None
    files: str = ""


@dataclass(frozen=True, eq=False)
class Start:
    """An operation that begins an iterator, with the dataset that it iterates over."""

    iteration: Iteration
    dataset: ast.expr
    pipeline: Pipeline
    made: Binding | None


@dataclass(frozen=True)
class Move:
    """Something that is done where a value is computed: an update of averages, what a Python function does, or that
    an iterator gives its next element.

    `path` are the calls that lead to it: however often an expression is evaluated, it is done once. `averages` are
    those of tensors, which have names of operations.
    """

    path: tuple[object, ...]
    averages: bool


@dataclass(frozen=True)
class Slope:
    """What the gradients of a value need of elements: `every` those by all its variables, `each` that by any one.

    `depends` says whether it depends on any that is trained, and is None where that is not known.
    """

    depends: bool | None
    every: frozenset[Move] = frozenset()
    each: frozenset[Move] = frozenset()


FREE = Slope(False)
OPEN = Slope(None)


@dataclass(frozen=True)
class Value:
    """What an expression is.

    `parts` are the values of a literal container, `keys` those of a dict, `fields` the names of a tuple's.
    `updates` are what fetching it does, `variables` the variables that it may be. `random` is true for a tensor
    that each run draws anew, `fed` for one that depends on what is fed or remembered as well, `sized` for one that
    depends on static shapes only. `symbol` is the TensorFlow function that a Python value is; `truth` and `is_none`
    say, where that is known, whether a Python value counts as true, and whether it is None, `text` which piece of
    text it is. `several` is true for all the results of an operation that has more than one, and for a list of any
    length, of which the only one of `parts` is what each element is; `nested` where each of them may be several
    again. `owner` is the class of an object that the script makes, `holds` that of one which another is given.
    `default` is what a placeholder holds that is not fed. `pipeline` is a dataset's, `iteration` that of an
    iterator and its elements, `start` what an operation that initializes an iterator does. `rate` is the learning
    rate of an optimizer, where that is a tensor, `listed` what a list of the variables of a store holds, `items`
    what a list of Python values did where it is written out. `moves` is what functions surely do where it
    is computed, `loose` what a training step may not wait for that is in it, `slope` what its gradients need.
    `builds` is the class of an object that is called as a layer is, `keeps` what its attributes are.
    """

    stage: Stage
    parts: tuple[Value, ...] | None = None
    keys: tuple[object, ...] | None = None
    updates: tuple[Update, ...] = ()
    variables: tuple[Variable, ...] = ()
    random: bool = False
    fed: bool = False
    sized: bool = False
    node: ast.expr | None = None
    function: ast.FunctionDef | None = None
    owner: ObjectClass | None = None
    symbol: str | None = None
    text: str | None = None
    truth: bool | None = None
    is_none: bool | None = None
    grouped: bool = False
    several: bool = False
    nested: bool = False
    default: ast.expr | None = None
    pipeline: Pipeline | None = None
    iteration: Iteration | None = None
    start: Start | None = None
    rate: Rate | None = None
    fields: tuple[str, ...] | None = None
    listed: tuple[Listing, ...] = ()
    items: tuple[Value, ...] | None = None
    holds: ObjectClass | None = None
    moves: frozenset[Move] = frozenset()
    builds: ObjectClass | None = None
    keeps: tuple[tuple[str, Value], ...] = ()
    loose: frozenset[Loose] = field(default=frozenset(), compare=False)
    slope: Slope = field(default=OPEN, compare=False)

    @property
    def is_graph(self) -> bool:
        """Whether it is part of a graph or of what runs one, rather than a Python value."""
        return self.stage is not Stage.PYTHON


@dataclass(frozen=True)
class Binding:
    """One binding of a name: its value, the index of the unit that made it, the number of blocks around that.

    `home` is the function whose local name it is, `attribute` the key of the object's attribute that it is. Bindings
    are compared by identity.
    """

    value: Value
    unit: int
    depth: int
    node: ast.AST | None = field(default=None, compare=False)
    home: ast.FunctionDef | None = field(default=None, compare=False)
    attribute: str | None = field(default=None, compare=False)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


Reads: TypeAlias = Mapping[str, Binding]


class Locals(dict[str, Value]):
    """The local names of one call of a function: behind them are the module's, not those of its caller."""


PYTHON = Value(Stage.PYTHON)
STATIC = Value(Stage.STATIC)
LAYER = Value(Stage.LAYER)
TENSOR = Value(Stage.TENSOR)
STATE = Value(Stage.TENSOR, several=True, nested=True)  # of a cell: a tensor, or tuples of them
ZERO_STATE = Value(Stage.TENSOR, several=True, nested=True, symbol="tf.nn.rnn_cell.RNNCell.zero_state")
CONSTANT = Value(Stage.CONSTANT)
SESSION = Value(Stage.SESSION)
MONITOR = Value(Stage.MONITOR)
OPTIMIZER = Value(Stage.OPTIMIZER)
SCOPE = Value(Stage.PYTHON, symbol="tf.VariableScope", truth=True, is_none=False)  # one that is open
AMBIGUOUS = Value(Stage.AMBIGUOUS)
LEFT = Value(Stage.LEFT)


def combine(values: Iterable[Value]) -> Value:
    """The tensor that an operation makes of its arguments."""
    values = tuple(flatten(values))
    stages = {value.stage for value in values}
    random = any(value.random for value in values)
    if stages & {Stage.PLACEHOLDER, Stage.TENSOR, Stage.VARIABLE} or random:
        fed, sized = any(map(is_fed, values)), is_sized(values)
        return Value(Stage.TENSOR, random=random, fed=fed, sized=sized, loose=required(values))
    if Stage.STATIC in stages:
        return Value(Stage.TENSOR, sized=True)
    return CONSTANT


def moving(values: Iterable[Value]) -> frozenset[Move]:
    """What is surely done where an operation takes these values: elements of iterators are taken there too."""
    parts = tuple(flatten(values))
    taken = (part.node for part in parts if part.stage is Stage.PLACEHOLDER and part.iteration is not None)
    return frozenset(map(taking, taken)).union(*(part.moves for part in parts))


def taking(node: ast.expr | None) -> Move:
    """What is done where an element is needed that this call gives."""
    return Move((node,), averages=False)


def reading(values: Iterable[Value]) -> frozenset[Loose]:
    """The reads in values for which a training step may not wait."""
    return frozenset().union(*(value.loose for value in flatten(values)))


def required(values: Iterable[Value]) -> frozenset[Loose]:
    """The same in what is computed of values by an operation whose gradient needs them."""
    return frozenset(replace(item, needed=True) for item in reading(values))


def is_fed(value: Value) -> bool:
    """Whether a value depends on what is fed or remembered."""
    if value.stage in (Stage.PLACEHOLDER, Stage.VARIABLE, Stage.STATIC):
        return True
    return value.fed or (value.stage is Stage.TENSOR and not value.random)


def is_sized(values: Iterable[Value]) -> bool:
    """Whether what is made of values depends on static shapes, and on nothing else that is fed or remembered."""
    fed = [value for value in flatten(values) if is_fed(value)]
    return bool(fed) and all(value.stage is Stage.STATIC or value.sized for value in fed)


def flatten(values: Iterable[Value]) -> Iterable[Value]:
    """The values with containers replaced by what they contain."""
    for value in values:
        if value.parts is None:
            yield value
        else:
            yield from flatten(value.parts)


def container(parts: tuple[Value, ...], keys: tuple[object, ...] | None = None) -> Value:
    """The value of a literal list, tuple or dict."""
    inner = tuple(flatten(parts))
    variables = tuple(variable for value in inner for variable in value.variables)
    updates = tuple(update for value in inner for update in value.updates)
    stage = max((value.stage for value in inner), key=_RANK.__getitem__, default=Stage.PYTHON)
    random = any(value.random for value in inner)
    return Value(stage, parts, keys, updates, variables, random)


def many(element: Value) -> Value:
    """A list of any number of values of one kind."""
    return replace(container((element,)), several=True)


def one_of(value: Value) -> Value:
    """Each of the values that an expression gives as one, whose parts are not known."""
    # A part of a tensor that is a variable's memory is such a one as well.
    shared = value.variables if value.stage is Stage.TENSOR else ()
    known = Value(value.stage, variables=shared, random=value.random, several=value.nested, nested=value.nested)
    return replace(known, loose=value.loose, moves=value.moves, slope=value.slope)


def join(left: Value, right: Value) -> Value:
    """What a value is that comes from one of two branches."""
    if replace(left, moves=right.moves) == right:
        return replace(left, moves=left.moves & right.moves, loose=left.loose | right.loose, slope=OPEN)
    for empty, other in ((left, right), (right, left)):
        if empty.items == () and (other == LAYER or (other.parts is not None and other.several)):
            return other
    if not left.is_graph and not right.is_graph:
        return PYTHON
    alike = left.keys == right.keys and len(left.parts or ()) == len(right.parts or ())
    if left.parts is not None and right.parts is not None and alike:
        joined = container(tuple(map(join, left.parts, right.parts)), left.keys)
        return replace(joined, several=left.several or right.several)
    if any(part.stage not in _JOINED for part in flatten((left, right))):
        return AMBIGUOUS
    variables = tuple(dict.fromkeys(left.variables + right.variables))
    several, nested = left.several or right.several, left.nested or right.nested
    if all(part.stage in (Stage.PYTHON, Stage.STATIC) for part in flatten((left, right))):
        return Value(Stage.STATIC, several=several, nested=nested)
    known = combine((left, right))
    known = replace(known, variables=variables, several=several, nested=nested, moves=left.moves & right.moves)
    return replace(known, loose=reading((left, right)))


_JOINED = TENSORS | {Stage.PYTHON, Stage.STATIC}

# The stage of a container is that of its latest part.
_ORDER = """
PYTHON CONSTANT SPARSE OPTIMIZER AVERAGES DATASET ITERATOR QUEUE VARIABLE STATIC VARIABLES UPDATES FED LAYER
PLACEHOLDER TENSOR EFFECT INITIALIZER FEED SESSION MONITOR HOOK AMBIGUOUS LEFT
"""
_RANK = {Stage[word]: rank for rank, word in enumerate(_ORDER.split())}
