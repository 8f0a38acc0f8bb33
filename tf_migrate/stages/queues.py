"""Queues that threads keep full: readers, batches, and the coordinator that stops the threads.

A queue is read here as the dataset whose elements it gives, in the order in which TF1 gave them, or in a random one
where that was asked for. Only queues that one thread fills have an order.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.stages.foresight import changing_part
from tf_migrate.stages.values import (
    PYTHON,
    TENSORS,
    Iteration,
    Pipeline,
    Queue,
    Reads,
    Refused,
    Stage,
    Value,
    flatten,
)

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

FILES, SLICES = "tf.train.string_input_producer", "tf.train.slice_input_producer"
BATCHES = {
    "tf.train.batch": ("tensors", "batch_size", "num_threads", "capacity"),
    "tf.train.shuffle_batch": ("tensors", "batch_size", "capacity", "min_after_dequeue", "num_threads"),
}
READERS = {
    "tf.TextLineReader": ("skip_header_lines",),
    "tf.TFRecordReader": (),
    "tf.WholeFileReader": (),
}
COORDINATOR = "tf.train.Coordinator"
STARTS = frozenset({"tf.train.start_queue_runners", "tf.train.queue_runner.start_queue_runners"})
SYMBOLS = frozenset({FILES, SLICES, COORDINATOR, *BATCHES, *READERS, *STARTS})
"""Everything that fills queues, or starts and stops what does."""
_FILLING = (SYMBOLS - {COORDINATOR}) | {"tf.train.QueueRunner", "tf.train.add_queue_runner"}

_STEP = "build it as a `tf.data.Dataset`, or leave it to the bridge"
_PRODUCER = ("num_epochs", "shuffle", "seed", "capacity")


@dataclass(frozen=True, eq=False)
class Batch:
    """A call that batches tensors: the expression of these, each by itself with its value, and what they see."""

    call: ast.Call
    listed: ast.expr
    items: tuple[tuple[ast.expr, Value], ...]
    reads: Reads
    impure: tuple[ast.expr, ...]
    env: Reads


def call_of_queue(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """The value of a call of one of `SYMBOLS`."""
    if symbol == COORDINATOR and not any(use.symbol in _FILLING for use in evaluator.names.uses):
        # It only stops threads of Python's own.
        evaluator.require_python(*node.args, *(keyword.value for keyword in node.keywords))
        evaluator.note_impure(node)
        return PYTHON
    if evaluator.active or evaluator.frames or evaluator.fetching:
        raise Refused(node, f"`{symbol}` is called inside a function", "call it where the graph is built")
    evaluator.note_impure(node)
    if symbol == COORDINATOR or symbol in STARTS:
        for value in flatten(evaluator.arguments(node)):
            if value.is_graph and value.stage not in (Stage.SESSION, Stage.QUEUE):
                raise Refused(node, f"an argument of `{symbol}` is part of the graph", _STEP)
        return Value(Stage.QUEUE, symbol=symbol, node=node)
    if symbol in READERS:
        _words(evaluator, node, READERS[symbol])
        return Value(Stage.QUEUE, symbol=symbol, node=node)
    if symbol == FILES:
        words = _words(evaluator, node, ("string_tensor", *_PRODUCER))
        return Value(Stage.QUEUE, symbol=symbol, node=node, truth=_shuffles(node, words))
    if symbol == SLICES:
        words = _words(evaluator, node, ("tensor_list", *_PRODUCER))
        listed = words.get("tensor_list")
        if not isinstance(listed, ast.List | ast.Tuple):
            raise Refused(node, "the tensors that are sliced are not listed in the call", "write the list out")
        for item in listed.elts:
            if (part := changing_part(evaluator, item)) is not None:
                what = f"`{ast.unparse(part)}` is sliced as it was here in TF1, and may be something else behind this"
                raise Refused(part, what, "slice what nothing changes")
        return _elements(evaluator, node, Queue("slices", _shuffles(node, words)), len(listed.elts))
    return _batch(evaluator, node, symbol)


def _words(evaluator: Evaluator, node: ast.Call, names: tuple[str, ...]) -> dict[str, ast.expr]:
    """The arguments of a call by their names; refuses any other, and parts of the graph."""
    words = dict(zip(names, node.args, strict=False))
    words.update({keyword.arg or "": keyword.value for keyword in node.keywords})
    odd = next((name for name in words if name not in (*names, "name", "allow_smaller_final_batch")), None)
    if odd is not None or len(node.args) > len(names):
        what = f"`{odd}`" if odd else "…"
        raise Refused(node, f"the argument {what} of `{ast.unparse(node.func)}` is not understood", _STEP)
    for name, value in words.items():
        plain = all(not part.is_graph or part.stage is Stage.CONSTANT for part in flatten([evaluator.value(value)]))
        if name != "tensors" and not plain:
            raise Refused(node, f"the argument `{name}` of `{ast.unparse(node.func)}` is part of the graph", _STEP)
    return words


def _shuffles(node: ast.Call, words: dict[str, ast.expr]) -> bool:
    """Whether a producer shuffles, which it does unless it is told not to; one file has but one order."""
    given, seed = words.get("shuffle"), words.get("seed")
    if given is not None and not isinstance(given, ast.Constant):
        raise Refused(node, "whether the input is shuffled is known only at run time", "write True or False")
    shuffled = given is None or bool(given.value)
    listed = words.get("string_tensor")
    alone = isinstance(listed, ast.List | ast.Tuple) and len(listed.elts) == 1
    if shuffled and not alone and seed is not None and not (isinstance(seed, ast.Constant) and seed.value is None):
        raise Refused(node, "TF1 shuffled in an order of its own for this seed", "leave the seed out")
    return shuffled and not alone


def _elements(evaluator: Evaluator, node: ast.Call, queue: Queue, count: int) -> Value:
    """The tensors that a queue gives; 0 stands for a single one that is not in a list."""
    iteration = Iteration(node, "queue", Pipeline(single=not count), None, None, queue)
    evaluator.iterations.append(iteration)
    part = Value(Stage.PLACEHOLDER, node=node, iteration=iteration)
    return Value(Stage.PLACEHOLDER, (part,) * count, node=node, iteration=iteration) if count else part


def _batch(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    words = _words(evaluator, node, BATCHES[symbol])
    if "tensors" not in words or "batch_size" not in words:
        raise Refused(node, f"`{symbol}` without tensors or a size", _STEP)
    items = words["tensors"]
    nodes = list(items.elts) if isinstance(items, ast.List | ast.Tuple) else [items]
    with evaluator.collecting() as (reads, impure):
        values = [evaluator.value(item) for item in nodes]
    for item, value in zip(nodes, values, strict=True):
        tensors = all(part.stage in TENSORS for part in flatten([value]))
        if not tensors or value.updates or (items is item and (value.parts is not None or value.several)):
            raise Refused(node, "what is batched is not a list of tensors that stands in the call", _STEP)
    shuffled = symbol == "tf.train.shuffle_batch"
    threads = words.get("num_threads")
    threaded = threads is not None and not (isinstance(threads, ast.Constant) and threads.value == 1)
    smaller = words.get("allow_smaller_final_batch")
    if smaller is not None and not isinstance(smaller, ast.Constant):
        raise Refused(node, "whether the last batch may be smaller is known only at run time", "write True or False")
    made = _elements(evaluator, node, Queue("batches", shuffled, threaded), len(nodes) if len(nodes) > 1 else 0)
    assert made.iteration is not None
    evaluator.batches[made.iteration] = Batch(
        node, items, tuple(zip(nodes, values, strict=True)), dict(reads), tuple(impure), dict(evaluator.env)
    )
    return made


def method_of_queue(evaluator: Evaluator, node: ast.Call, method: str, receiver: Value) -> Value:
    """What readers and coordinators do: `reader.read(queue)`, `coord.should_stop()`."""
    if receiver.symbol in READERS and method == "read" and len(node.args) == 1 and not node.keywords:
        return _read(evaluator, node, receiver)
    if receiver.symbol == COORDINATOR:
        if method == "should_stop" and not node.args:
            return _should_stop(evaluator, node)
        if method == "request_stop" and not node.args and not node.keywords:
            return _request_stop(evaluator, node)
        if method == "join":
            for value in flatten(evaluator.arguments(node)):
                if value.is_graph and value.stage is not Stage.QUEUE:
                    raise Refused(node, "the coordinator waits for something of the graph", _STEP)
            return Value(Stage.QUEUE, symbol=COORDINATOR)
    raise Refused(node, f"`.{method}()` of what fills the queues is not understood by the native tier", _STEP)


def _read(evaluator: Evaluator, node: ast.Call, receiver: Value) -> Value:
    files = node.args[0]
    queue = evaluator.value(files)
    if not isinstance(files, ast.Name) or queue.symbol != FILES or not isinstance(receiver.node, ast.Call):
        raise Refused(node, "which files are read is not known", "bind the queue of their names to a name")
    if evaluator.active or evaluator.frames or evaluator.fetching:
        raise Refused(node, "a reader reads inside a function", "read where the graph is built")
    filled = Queue("records", bool(queue.truth), reader=receiver.node, files=files.id)
    made = _elements(evaluator, node, filled, 0)
    # The key is the name of the file and the place in it, which a dataset does not tell.
    parts = (Value(Stage.QUEUE, node=node), made)
    return Value(Stage.PLACEHOLDER, parts, node=node, iteration=made.iteration)


def _should_stop(evaluator: Evaluator, node: ast.Call) -> Value:
    """False as long as nobody asked to stop: errors of readers end the loop themselves."""
    negated = evaluator.module.parents[node]
    loop = evaluator.module.parents[negated]
    if not isinstance(negated, ast.UnaryOp) or not isinstance(loop, ast.While) or evaluator.stopped:
        raise Refused(node, "the coordinator is asked elsewhere than in `while not coord.should_stop():`", _STEP)
    evaluator.stops.append(negated)
    return PYTHON


def _request_stop(evaluator: Evaluator, node: ast.Call) -> Value:
    statement = evaluator.module.statement_of(node)
    if not isinstance(statement, ast.Expr):
        raise Refused(node, "the coordinator is stopped inside an expression", "stop it in a statement of its own")
    loops = (place for place in evaluator.module.around(node) if isinstance(place, ast.While))
    if any(loop.test in evaluator.stops for loop in loops):
        raise Refused(node, "the loop that asks the coordinator is what stops it", "end the loop by `break`")
    evaluator.stopped = evaluator.stopped or not evaluator.running
    return Value(Stage.QUEUE, symbol=COORDINATOR)
