"""Iterators over datasets: each run that depends on `get_next()` takes the next element, and takes it once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.values import Iteration, Refused, Stage, Start, Value

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

ITERATORS = frozenset({"make_initializable_iterator", "make_one_shot_iterator"})
MAKERS = frozenset(f"tf.data.{name}" for name in ITERATORS)
STRUCTURED = frozenset({"tf.data.Iterator.from_structure", "tf.contrib.data.Iterator.from_structure"})
"""Symbols that make an iterator which begins anew with one dataset or another."""

_TYPES, _SHAPES = "output_types", "output_shapes"
_SAY = "write `tf.data.Iterator.from_structure(dataset.output_types, dataset.output_shapes)`"


def made_by(evaluator: Evaluator, node: ast.Call, method: str, dataset: ast.expr, others: list[ast.expr]) -> Value:
    """`dataset.make_one_shot_iterator()`, which begins at once, or its kin that a run begins."""
    _require_outside(evaluator, node)
    value = evaluator.value(dataset)
    if value.pipeline is None or others or node.keywords:
        raise Refused(node, "this form of an iterator is not understood by the native tier", "make it of a dataset")
    made = evaluator.env.get(dataset.id) if isinstance(dataset, ast.Name) else None
    if method == "make_one_shot_iterator":
        return _iterator(evaluator, Iteration(node, "one shot", value.pipeline, dataset, made))
    return _iterator(evaluator, Iteration(node, "initializable", value.pipeline, dataset, made))


def structured(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.data.Iterator.from_structure(types, shapes)`, where a dataset says both."""
    _require_outside(evaluator, node)
    given = dict(zip((_TYPES, _SHAPES), node.args, strict=False))
    given.update({word.arg: word.value for word in node.keywords if word.arg})
    named = [_described(evaluator, given.get(word), word) for word in (_TYPES, _SHAPES)]
    if len(given) != 2 or named[0] is None or named[1] is None or ast.dump(named[0]) != ast.dump(named[1]):
        raise Refused(node, "the structure of the elements is not that of a dataset with a name", _SAY)
    dataset = named[0]
    value = evaluator.value(dataset)
    if value.pipeline is None:
        raise Refused(node, f"where `{ast.unparse(dataset)}` comes from is not known", _SAY)
    made = evaluator.env.get(dataset.id) if isinstance(dataset, ast.Name) else None
    return _iterator(evaluator, Iteration(node, "reinitializable", value.pipeline, dataset, made))


def _described(evaluator: Evaluator, node: ast.expr | None, word: str) -> ast.Name | None:
    """The dataset whose elements an expression describes: `train.output_types`, or a function of `tf.data` on it."""
    described = None
    if isinstance(node, ast.Attribute) and node.attr == word:
        described = node.value
    elif isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        symbol = evaluator.names.resolve(node.func) or ""
        described = node.args[0] if symbol == f"tf.data.get_{word}" else None
    return described if isinstance(described, ast.Name) else None


def _iterator(evaluator: Evaluator, iteration: Iteration) -> Value:
    evaluator.iterations.append(iteration)
    evaluator.note_impure(iteration.call)
    return Value(Stage.ITERATOR, iteration=iteration, node=iteration.call)


def _require_outside(evaluator: Evaluator, node: ast.Call) -> None:
    if evaluator.active or evaluator.frames or evaluator.fetching:
        raise Refused(node, "an iterator is made inside a function or a run", "make it where the graph is built")


def initializer(node: ast.Attribute, iteration: Iteration) -> Value:
    """`iterator.initializer`: the operation that begins an iterator with its dataset."""
    if iteration.kind != "initializable" or iteration.dataset is None:
        raise Refused(node, "the iterator has no initializer of its own", "make an initializable iterator")
    start = Start(iteration, iteration.dataset, iteration.pipeline, iteration.made)
    return Value(Stage.INITIALIZER, start=start)


def method_of_iterator(evaluator: Evaluator, node: ast.Call, method: str, receiver: Value) -> Value:
    """`iterator.get_next()` and `iterator.make_initializer(dataset)`."""
    iteration = receiver.iteration
    assert iteration is not None
    plain = not node.keywords or [word.arg for word in node.keywords] == ["name"]
    if method == "get_next" and not node.args and plain:
        if evaluator.active or evaluator.frames or evaluator.fetching:
            raise Refused(node, "`get_next()` is called inside a function or a run", "call it where the graph is built")
        return Value(Stage.PLACEHOLDER, node=node, iteration=iteration, several=not iteration.pipeline.single)
    if method == "make_initializer" and len(node.args) == 1 and plain and iteration.kind == "reinitializable":
        return _begun(evaluator, node, iteration)
    raise Refused(node, f"`.{method}()` of an iterator is not understood by the native tier", "use `get_next()`")


def _begun(evaluator: Evaluator, node: ast.Call, iteration: Iteration) -> Value:
    dataset = node.args[0]
    value = evaluator.value(dataset)
    if value.pipeline is None or not isinstance(dataset, ast.Name):
        raise Refused(node, f"which dataset `{ast.unparse(dataset)}` is, is not known later", "give it a name")
    start = Start(iteration, dataset, value.pipeline, evaluator.env.get(dataset.id))
    return Value(Stage.INITIALIZER, start=start)


def require_known_iterator(node: ast.Call) -> None:
    """Refuses an iterator over a dataset that the analysis does not see."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in ITERATORS:
        where = f"where the dataset `{ast.unparse(node.func.value)}` comes from is not known"
        raise Refused(node, where, "make the dataset in statements of the script")
