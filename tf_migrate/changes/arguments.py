"""The arguments of one call brought from TensorFlow 1's parameter list to TensorFlow 2's, as a facts row says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tf_migrate.changes.edits import Edit, wrap
from tf_migrate.facts import ArgumentEdit, Fact
from tf_migrate.files.source import Source

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Tuple, ast.Dict)


class Uncertain(Exception):
    """The arguments cannot be told from the text; the message says why."""


@dataclass(frozen=True)
class Argument:
    """One argument as it stands: its parameter's name in TF 1.15, its value, its span with any brackets around it."""

    name: str
    value: ast.expr
    keyword: ast.keyword | None
    start: int
    end: int
    value_start: int


def argument_edits(source: Source, call: ast.Call, fact: Fact) -> tuple[Edit, ...]:
    """The edits inside a call's brackets; raises Uncertain where they cannot be known."""
    if not fact.edits and fact.tf1 == fact.tf2 and not fact.target.startswith("tf.raw_ops."):
        return ()
    arguments = tuple(_arguments(source, call, fact.tf1))
    by_old = {edit.old: edit for edit in fact.edits if edit.old is not None}
    edits: list[Edit] = []
    given: set[str] = set()
    dropped: list[Argument] = []
    keywords_only = fact.target.startswith("tf.raw_ops.")
    for position, argument in enumerate(arguments):
        edit = by_old.get(argument.name)
        if edit is not None and edit.new is None:
            dropped.append(argument)
            keywords_only = keywords_only or argument.keyword is None
            continue
        if edit is not None and edit.text_only and not _is_text(argument.value):
            raise Uncertain(f"`{argument.name}` may be more than text")
        name = edit.new if edit is not None and edit.new is not None else argument.name
        if name in given:
            raise Uncertain(f"`{name}` would be given twice")
        given.add(name)
        if argument.keyword is not None:
            _check_known(name, fact)
            if name != argument.name:
                edits.append(Edit(argument.start, argument.start + len(argument.name), name))
        elif not keywords_only and _stays_in_place(position, name, edit, fact):
            pass
        elif name.startswith("*"):
            raise Uncertain("more positional arguments than TensorFlow 2 takes there")
        else:
            _check_known(name, fact)
            edits.append(Edit(argument.start, argument.start, f"{name}=", -_OUTERMOST))
            keywords_only = True  # whatever follows a keyword is one too
        if edit is not None:
            edits += _value_edits(source, argument, edit)
    edits += _drop(source, call, arguments, dropped)
    edits += _additions(source, call, arguments, dropped, fact, given)
    return tuple(edits)


# Wider than any argument: a keyword goes outside everything that wraps its value.
_OUTERMOST = 1 << 38


def _arguments(source: Source, call: ast.Call, parameters: tuple[str, ...]) -> Iterator[Argument]:
    if any(isinstance(item, ast.Starred) for item in call.args) or any(item.arg is None for item in call.keywords):
        raise Uncertain("the call passes * or ** arguments")
    last = open_bracket(source, call) + 1
    closing = source.end(call) - 1
    every: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    ordered = sorted(every, key=lambda item: (item.lineno, item.col_offset))
    for index, item in enumerate(ordered):
        value = item.value if isinstance(item, ast.keyword) else item
        if isinstance(value, ast.GeneratorExp) and source.start(value) < last:
            raise Uncertain("the only argument is a bare generator")
        start, end = outer_span(source.text, *source.span(value), last, closing)
        last = end
        if isinstance(item, ast.keyword):
            assert item.arg is not None
            yield Argument(item.arg, value, item, source.start(item), end, start)
        elif index < len(parameters) and not parameters[index].startswith("**"):
            yield Argument(parameters[index], value, None, start, end, start)
        elif parameters and parameters[-1].startswith("*") and not parameters[-1].startswith("**"):
            yield Argument(parameters[-1], value, None, start, end, start)
        else:
            raise Uncertain("more positional arguments than TensorFlow 1.15 documents")


def _is_text(value: ast.expr) -> bool:
    """Whether an expression gives text, or None, whatever its parts are."""
    if isinstance(value, ast.Constant):
        return value.value is None or isinstance(value.value, str)
    if isinstance(value, ast.BinOp):
        return _is_text(value.left)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Attribute) and value.func.attr == "format" and _is_text(value.func.value)
    return isinstance(value, ast.JoinedStr)


def _check_known(name: str, fact: Fact) -> None:
    if name not in fact.tf2 and not any(parameter.startswith("**") for parameter in fact.tf2):
        raise Uncertain(f"`{fact.target}` has no parameter `{name}`")


def _stays_in_place(position: int, name: str, edit: ArgumentEdit | None, fact: Fact) -> bool:
    """Whether a positional argument may stay one. A changed value may not: a second run would change it again."""
    if edit is not None and edit.template != "{}" and edit.old != edit.new:
        return False
    return position < len(fact.tf2) and fact.tf2[position] == name


def _value_edits(source: Source, argument: Argument, edit: ArgumentEdit) -> Iterator[Edit]:
    if edit.template == "{}":
        return
    if "{}" not in edit.template:
        yield Edit(argument.value_start, argument.end, edit.template, encloses=True)
        return
    before, _, after = edit.template.partition("{}")
    value = source.text[argument.value_start : argument.end]
    if edit.old == edit.new and value.startswith(before) and value.endswith(after):
        return
    if not isinstance(argument.value, _ATOMS):
        before, after = f"{before}(", f"){after}"
    yield from wrap(argument.value_start, argument.end, before, after)


def _drop(source: Source, call: ast.Call, arguments: tuple[Argument, ...], dropped: list[Argument]) -> Iterator[Edit]:
    """Takes arguments out, each with the comma that held it: the one behind it, or before it at the end of the list."""
    if not dropped:
        return
    last_kept = max((index for index, item in enumerate(arguments) if item not in dropped), default=-1)
    for index, item in enumerate(arguments):
        if item not in dropped:
            continue
        yield Edit(item.start, item.end, "", encloses=True)
        if index < last_kept:
            yield Edit(item.end, arguments[index + 1].start, "")
        elif index:
            yield Edit(arguments[index - 1].end, item.start, "")
    if last_kept < 0:
        yield Edit(open_bracket(source, call) + 1, arguments[0].start, "")
        yield Edit(arguments[-1].end, source.end(call) - 1, "")


def _additions(
    source: Source,
    call: ast.Call,
    arguments: tuple[Argument, ...],
    dropped: list[Argument],
    fact: Fact,
    given: set[str],
) -> Iterator[Edit]:
    added = [f"{edit.new}={edit.template}" for edit in fact.edits if _is_addition(edit, given)]
    if not added:
        return
    text = ", ".join(added)
    if len(arguments) > len(dropped):
        # Behind the last argument that stays, whatever closes around it: hence the largest order of all.
        end = max(item.end for item in arguments if item not in dropped)
        yield Edit(end, end, f", {text}", _OUTERMOST)
    else:
        start = open_bracket(source, call) + 1
        yield Edit(start, start, text, -_OUTERMOST)


def _is_addition(edit: ArgumentEdit, given: set[str]) -> bool:
    return edit.old is None and edit.new is not None and edit.new not in given


def open_bracket(source: Source, call: ast.Call) -> int:
    """Offset of the bracket that opens a call's arguments."""
    match = re.compile(r"(?:[)\s\\]|#[^\n]*\n)*\(").match(source.text, source.end(call.func))
    assert match is not None
    return match.end() - 1


def outer_span(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """Widens a span over brackets around it, within bounds: ``ast`` leaves them out."""
    while True:
        before = len(text[low:start].rstrip()) + low - 1
        after = end + len(text[end:high]) - len(text[end:high].lstrip())
        if before < low or after >= high or text[before] != "(" or text[after] != ")":
            return start, end
        start, end = before, after + 1
