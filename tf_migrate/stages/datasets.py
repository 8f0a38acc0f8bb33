"""Datasets: pipelines that eager code makes where they stand. Their functions build graphs of their own."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages import effects
from tf_migrate.stages.foresight import acts_or_changes
from tf_migrate.stages.functions import as_function, body_of, mentions_graph
from tf_migrate.stages.values import TENSORS, Pipeline, Refused, Stage, Value, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_DATASET = "tf.data.Dataset"
_FILES = frozenset({"tf.data.FixedLengthRecordDataset", "tf.data.TFRecordDataset", "tf.data.TextLineDataset"})
_SINGLE = _FILES | {f"{_DATASET}.range"}
_MADE = {f"{_DATASET}.{name}" for name in ("from_generator", "from_tensor_slices", "from_tensors", "zip")}
SOURCES = _SINGLE | _MADE | {"tf.data.experimental.CsvDataset"}
"""Symbols that make a dataset."""

_KEEPING = frozenset({"batch", "cache", "concatenate", "prefetch", "repeat", "shard", "shuffle", "skip", "take"})
_MAPPING = frozenset({"filter", "flat_map", "interleave", "map"})
_STEP = "build the dataset from Python values, or leave it to the bridge"


def source(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """`tf.data.Dataset.from_tensor_slices(…)` and its kin."""
    if evaluator.fetching:
        raise Refused(node, "a dataset is made in the run itself", "make it before")
    joined = symbol == f"{_DATASET}.zip"
    values = list(flatten(evaluator.arguments(node)))
    for value in values:
        _require_source(evaluator, node, value, joined=joined)
    if symbol == f"{_DATASET}.from_generator":
        _require_generator(evaluator, node)
    seeded, fed = _of_parts(values)
    return _made(evaluator, node, Pipeline(symbol in _SINGLE, seeded, fed))


def _of_parts(values: list[Value]) -> tuple[bool, bool]:
    """Whether one of several datasets is ordered by a seed, and whether one is made of placeholders."""
    parts = [value.pipeline for value in values if value.pipeline is not None]
    fed = any(value.stage is Stage.PLACEHOLDER for value in values) or any(part.fed for part in parts)
    return any(part.seeded for part in parts), fed


def _made(evaluator: Evaluator, node: ast.Call, pipeline: Pipeline) -> Value:
    if pipeline.fed:
        return Value(Stage.FED, pipeline=pipeline)
    evaluator.note_impure(node)
    return Value(Stage.DATASET, pipeline=pipeline)


def _require_source(evaluator: Evaluator, node: ast.Call, value: Value, *, joined: bool) -> None:
    allowed = (Stage.DATASET, Stage.FED) if joined else (Stage.CONSTANT, Stage.PLACEHOLDER)
    if not value.is_graph or (value.stage in allowed and value.iteration is None):
        return
    if value.stage is Stage.TENSOR and evaluator.piped:
        # Inside a function of the pipeline: a dataset made of one element of another.
        return
    what = "variables" if value.stage is Stage.VARIABLE else "tensors that each initialization computes anew"
    raise Refused(node, f"a dataset is made of {what}", _STEP)


def _require_generator(evaluator: Evaluator, node: ast.Call) -> None:
    given = node.args[0] if node.args else next((word.value for word in node.keywords if word.arg == "generator"), None)
    known = None if given is None else evaluator.value(given).function
    if isinstance(given, ast.Lambda):
        known = as_function(given)
    if known is None:
        raise Refused(node, "which function makes the elements of a dataset is not known", "give it one of the module")
    if mentions_graph(evaluator, known):
        raise Refused(node, f"`{known.name}`, which makes the elements, reaches the graph", "let it make NumPy values")
    if (place := acts_or_changes(evaluator, known)) is not None:
        what = f"`{ast.unparse(place).splitlines()[0]}` in `{known.name}`, which makes the elements of a dataset, "
        what += "does more than compute, or may change: an eager iterator asks for elements before a run needs them"
        raise Refused(place, what, "let it compute its elements of what never changes")


def method_of_dataset(evaluator: Evaluator, node: ast.Call, method: str, receiver: Value) -> Value:
    """A dataset made of another one: `dataset.map(parse).batch(32)`."""
    assert receiver.pipeline is not None
    before = receiver.pipeline
    if method in _MAPPING:
        return _mapped(evaluator, node, method, before)
    if method not in _KEEPING and method not in ("enumerate", "padded_batch"):
        raise Refused(node, f"`.{method}()` of a dataset is not understood by the native tier", _STEP)
    values = list(flatten(evaluator.arguments(node)))
    for value in values:
        together = method == "concatenate" and value.pipeline is not None
        if value.is_graph and value.stage is not Stage.CONSTANT and not together:
            raise Refused(node, f"an argument of `.{method}()` is part of the graph", "give it a Python value")
    seeded, fed = _of_parts([receiver, *values])
    if method == "repeat" and seeded:
        step = "shuffle after `repeat`, or leave the seed out"
        raise Refused(node, "TF1 shuffled the second time in an order of its own for this seed", step)
    seeded = seeded or (method == "shuffle" and _orders(node))
    return _made(evaluator, node, Pipeline(before.single and method != "enumerate", seeded, fed))


def _orders(node: ast.Call) -> bool:
    """Whether a seed decides how `shuffle` orders the elements, in another way each time."""
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    words.update(zip(("buffer_size", "seed", "reshuffle_each_iteration"), node.args, strict=False))
    seed, again = words.get("seed"), words.get("reshuffle_each_iteration")
    fixed = isinstance(again, ast.Constant) and again.value is False
    return not fixed and seed is not None and not (isinstance(seed, ast.Constant) and seed.value is None)


def _mapped(evaluator: Evaluator, node: ast.Call, method: str, before: Pipeline) -> Value:
    given = node.args[0] if node.args else None
    for item in (*node.args[1:], *(keyword.value for keyword in node.keywords)):
        if evaluator.value(item).is_graph or (isinstance(item, ast.Lambda) and given is not None):
            raise Refused(node, f"an argument of `.{method}()` is part of the graph", "give it a Python value")
    given = given or next((word.value for word in node.keywords if word.arg in ("map_func", "predicate")), None)
    if given is None:
        raise Refused(node, f"`.{method}()` without a function", _STEP)
    made = _applied(evaluator, given)
    inner = method in ("flat_map", "interleave")
    if inner is not (made.stage is Stage.DATASET) or (not inner and any(not _is_element(v) for v in flatten([made]))):
        raise Refused(
            given, f"what the function of `.{method}()` returns is not known", "return tensors of the element"
        )
    if made.pipeline is not None and made.pipeline.seeded:
        raise Refused(given, "a dataset is shuffled by a seed for each element of another", "leave the seed out")
    if method == "filter":
        return _made(evaluator, node, before)
    single = made.pipeline is not None and made.pipeline.single
    return _made(evaluator, node, Pipeline(single, before.seeded, before.fed))


def _is_element(value: Value) -> bool:
    return not value.is_graph or value.stage in TENSORS or value.stage is Stage.STATIC


def _applied(evaluator: Evaluator, given: ast.expr) -> Value:
    """What a function of a pipeline returns for an element; it may read only what is there for all of them."""
    step = "write it as a function of the element that returns tensors"
    symbol = evaluator.names.resolve(given)
    if symbol in effects.PURE or symbol in effects.RANDOM:
        return Value(Stage.TENSOR)
    function = as_function(given) if isinstance(given, ast.Lambda) else evaluator.value(given).function
    if function is None:
        raise Refused(given, f"what `{ast.unparse(given)}` does with the elements is not known", step)
    taken = function.args
    if taken.vararg or taken.kwarg or taken.kwonlyargs or taken.defaults or taken.posonlyargs:
        raise Refused(given, "a function of a pipeline takes more than the element", step)
    creates, evaluator.creates = evaluator.creates, set()
    frame = {argument.arg: Value(Stage.TENSOR, fed=True) for argument in taken.args}
    evaluator.piped += 1
    with evaluator.collecting() as (reads, impure):
        made = body_of(evaluator, frame, function)
    evaluator.piped -= 1
    if evaluator.creates:
        raise Refused(given, "a function of a pipeline makes variables", "make them outside, and use them in the steps")
    evaluator.creates = creates
    for name, binding in reads.items():
        if binding.value.is_graph and binding.value.stage not in (Stage.CONSTANT, Stage.DATASET):
            raise Refused(given, f"a function of a pipeline reads `{name}` of the graph", "use it behind `get_next()`")
    for inner in impure:
        if isinstance(inner, ast.Call) and evaluator.names.resolve(inner.func) in effects.RANDOM:
            raise Refused(inner, "a function of a pipeline draws numbers by a seed", "leave the seed out")
    return made
