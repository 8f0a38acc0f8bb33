"""Placeholders become inputs where they stand: with their arguments, in their order."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tf_migrate.changes.arguments import open_bracket, outer_span
from tf_migrate.changes.edits import Edit
from tf_migrate.names.canonical import Use
from tf_migrate.rules import Change, Context
from tf_migrate.rules.patched_symbol import patches
from tf_migrate.steps.draft import Unwritable

INPUTS = {
    "tf.placeholder": "Input",
    "tf.sparse_placeholder": "SparseInput",
    "tf.placeholder_with_default": "Input",
}
"""What the runtime has in the place of each symbol."""
_WRITTEN = frozenset({*INPUTS, "tf.Session", "tf.InteractiveSession", "tf.global_variables_initializer"})
_OUTERMOST = 1 << 38  # as a keyword that a row of facts gives an argument
_WITH_DEFAULT = "tf.placeholder_with_default"
_PARAMETERS = ("input", "shape", "name")
_NAMES = {"input": "default"}
_DTYPES: dict[type, str] = {bool: "bool", int: "int32", float: "float32"}


def with_inputs(context: Context, found: Sequence[Change]) -> Iterator[Change]:
    """The changes of a module, those of placeholders as inputs."""
    _require_names(context)
    uses = {(*context.module.position(use.root), use.symbol): use for use in context.names.uses if use.symbol in INPUTS}
    for change in found:
        finding = change.finding
        use = None if finding is None else uses.get((finding.line, finding.column, finding.symbol or ""))
        if finding is None or use is None:
            yield change
            continue
        word = INPUTS[use.symbol]
        edits = (Edit(*context.module.source.span(use.node), context.compat_path(word)), *_arguments(context, use))
        message = f"`{use.symbol}` is `compat.{word}`"
        told = replace(finding, rule="TFM103", action="shimmed", severity="info", message=message, next_step=None)
        yield Change(told, edits, frozenset({"compat"}))


def _require_names(context: Context) -> None:
    """Refuses a module that replaces by name what steps write otherwise: nobody would call what stands in its place."""
    for patch in patches(context):
        if patch.symbol in _WRITTEN:
            raise Unwritable(patch.call, f"`{patch.symbol}` is replaced by name, and steps call something else")
    for use in context.names.uses:
        if isinstance(use.node.ctx, ast.Store) and use.symbol in _WRITTEN:
            raise Unwritable(use.node, f"`{use.symbol}` is assigned to, and steps call something else")


def _arguments(context: Context, use: Use) -> Iterator[Edit]:
    """An input with a default says what each argument is, and of what type it is where a number tells that."""
    if use.symbol != _WITH_DEFAULT:
        return
    call = use.call
    if call is None or any(isinstance(value, ast.Starred) for value in call.args):
        raise Unwritable(use.node, "what this placeholder with a default is given cannot be told")
    source = context.module.source
    low, high = open_bracket(source, call) + 1, source.end(call) - 1
    first = min((source.start(keyword) for keyword in call.keywords), default=high)
    for value, name in zip(call.args, _PARAMETERS, strict=False):
        position, low = outer_span(source.text, *source.span(value), low, high)
        first = min(first, position)
        yield Edit(position, position, f"{_NAMES.get(name, name)}=", -_OUTERMOST)
    for keyword in call.keywords:
        if keyword.arg is None:
            raise Unwritable(use.node, "what this placeholder with a default is given cannot be told")
        if keyword.arg in _NAMES:
            position = source.start(keyword)
            yield Edit(position, position + len(keyword.arg), _NAMES[keyword.arg])
    given = dict(zip(_PARAMETERS, call.args, strict=False)) | {item.arg: item.value for item in call.keywords}
    default = given.get("input")
    known = isinstance(default, ast.Constant) and type(default.value) in _DTYPES and bool(context.tf)
    dtype = f"{context.tf}.{_DTYPES[type(default.value)]}" if known and isinstance(default, ast.Constant) else "None"
    yield Edit(first, first, f"{dtype}, ", -_OUTERMOST - 1)
