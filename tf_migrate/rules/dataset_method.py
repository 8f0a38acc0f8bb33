"""Datasets of TensorFlow 2 are iterated over by Python, so they lost `make_one_shot_iterator`,
`make_initializable_iterator` and the `output_types`, `output_shapes` and `output_classes` that described their
elements. Graph code still needs these; functions of `compat.data` take the dataset as their argument.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit, wrap
from tf_migrate.names.eras import is_dataset
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.local_flow import definitions

_METHODS = ("make_one_shot_iterator", "make_initializable_iterator")
_PROPERTIES = {
    "output_types": "get_output_types",
    "output_shapes": "get_output_shapes",
    "output_classes": "get_output_classes",
}
_DESCRIBED = ("tf.data.Iterator.from_structure", "tf.data.Iterator.from_string_handle")
_DATASET_NAME = re.compile(r"(?:\w+_)?(?:dataset|ds|iterator)s?\d*_?", re.IGNORECASE)


def find(context: Context) -> Iterator[Change]:
    """Looks at the attributes of these names."""
    module = context.module
    for method in _METHODS:
        for node in module.attributes.get(method, ()):
            call = module.parents[node]
            if isinstance(call, ast.Call) and call.func is node and context.names.of(node) is None:
                yield from _method(context, node, call)
    for attribute, function in _PROPERTIES.items():
        for node in module.attributes.get(attribute, ()):
            if _is_dataset(context, node):
                yield from _moved(context, node, node.value, module.source.end(node), function, ")")


def _method(context: Context, node: ast.Attribute, call: ast.Call) -> Iterator[Change]:
    source = context.module.source
    opening = source.text.index("(", source.end(node)) + 1
    closing = ", " if call.args or call.keywords else ""
    yield from _moved(context, node, node.value, opening, node.attr, closing)


def _moved(
    context: Context, node: ast.Attribute, dataset: ast.expr, end: int, function: str, closing: str
) -> Iterator[Change]:
    """``<dataset>.name…`` up to ``end`` becomes ``compat.data.function(<dataset>`` and ``closing``."""
    if context.module.is_skipped(node) or not context.shims.has(f"compat.data.{function}"):
        return
    source = context.module.source
    start = source.start(node)
    dot = source.text.rindex(".", source.end(dataset), source.end(node))
    if not source.text[source.end(dataset) : dot].strip(" \t\r\n\\"):  # else a bracket or a comment stands between
        dot = source.end(dataset)
    finding = context.finding(
        node, "TFM121", f"`{node.attr}` of a dataset is `compat.data.{function}`", action="shimmed"
    )
    opening, _ = wrap(start, dot, f"{context.compat_path(f'data.{function}')}(", "")
    yield Change(finding, (opening, Edit(dot, end, closing)), frozenset({"compat"}))


def _is_dataset(context: Context, node: ast.Attribute) -> bool:
    if not isinstance(node.ctx, ast.Load) or context.names.of(node) is not None:
        return False
    value = node.value
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    if _DATASET_NAME.fullmatch(name) or _describes(context, node):
        return True
    values = [value]
    if isinstance(value, ast.Name):
        values = [found.value for found in definitions(context.module, value) if found.value is not None]
    return any(is_dataset(context.names, each) for each in values) or _is_of_pipeline(context, node)


def _is_of_pipeline(context: Context, node: ast.Attribute) -> bool:
    """Whether a module that makes datasets asks it of what it was handed: a helper's result, a parameter, an entry.

    The function of `compat.data` gives the attribute itself of what is no dataset.
    """
    module = context.module
    if context.tf2 or not any(use.symbol.startswith("tf.data.") for use in context.names.uses):
        return False
    defined = any(isinstance(each, ast.FunctionDef) and each.name == node.attr for each in module.nodes)
    stored = any(isinstance(each.ctx, ast.Store) for each in module.attributes.get(node.attr, ()))
    return not (defined or stored) and getattr(node.value, "id", "") not in ("self", "cls")


def _describes(context: Context, node: ast.Attribute) -> bool:
    """Whether an iterator is made of elements like those that an attribute tells of: a dataset's, whatever its name."""
    parents = context.module.parents
    outer = parents[parents[node]] if isinstance(parents[node], ast.keyword) else parents[node]
    given = isinstance(outer, ast.Call) and node is not outer.func
    return given and isinstance(outer, ast.Call) and context.names.of(outer.func) in _DESCRIBED


RULE = Rule(
    id="TFM121",
    name="dataset-method",
    before="""\
import tensorflow as tf

def batches(dataset):
    iterator = dataset.batch(2).make_one_shot_iterator()
    return iterator.get_next(), dataset.output_shapes
""",
    after="""\
import tensorflow as tf
import compat

def batches(dataset):
    iterator = compat.data.make_one_shot_iterator(dataset.batch(2))
    return iterator.get_next(), compat.data.get_output_shapes(dataset)
""",
    find=find,
)
