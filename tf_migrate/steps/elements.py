"""Elements that go out of a list: parameters, arguments, parts of tuples, items of `with`; each with its comma."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from tf_migrate.changes.arguments import open_bracket, outer_span
from tf_migrate.steps.draft import Draft, Span, Unwritable

_AS = re.compile(r"[\s\\]*\bas\b")
_COMMENT = re.compile(r"#[^\r\n]*")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def drop_arguments(draft: Draft, call: ast.Call, dropped: Collection[ast.expr]) -> None:
    """Takes arguments out of a call."""
    every = argument_spans(draft, call)
    if any(isinstance(value, ast.GeneratorExp) and len(every) == 1 for value, _ in every):
        raise Unwritable(call, "the only argument is a bare generator")
    opening = open_bracket(draft.source, call) + 1
    _drop(
        draft, [span for _, span in every], [value in dropped for value, _ in every], opening, draft.span(call)[1] - 1
    )


def argument_spans(draft: Draft, call: ast.Call) -> list[tuple[ast.expr, Span]]:
    """The values of a call's arguments in order of the text, each with its span, name and brackets included."""
    source = draft.source
    low, high = open_bracket(source, call) + 1, source.end(call) - 1
    every: list[ast.expr | ast.keyword] = sorted(
        [*call.args, *call.keywords], key=lambda item: (item.lineno, item.col_offset)
    )
    found = []
    for item in every:
        value = item.value if isinstance(item, ast.keyword) else item
        span = outer_span(source.text, *source.span(value), low, high)
        found.append((value, (source.start(item), span[1]) if isinstance(item, ast.keyword) else span))
        low = span[1]
    return found


def drop_elements(draft: Draft, display: ast.Tuple | ast.List, dropped: Collection[ast.expr], *, single: bool) -> None:
    """Takes elements out of a display; a tuple of which one is left becomes that one where `single` is set."""
    left = [element for element in display.elts if element not in dropped]
    start, end = draft.span(display)
    if not left and isinstance(display, ast.Tuple):
        draft.replace(start, end, "()")
        return
    bracketed = isinstance(display, ast.List) or _is_bracketed(draft, display)
    low, high = (start + 1, end - 1) if bracketed else (start, end)
    spans = element_spans(draft, display.elts, low, high)
    if len(left) == 1 and isinstance(display, ast.Tuple) and isinstance(left[0], ast.Starred):
        single = False
    if len(left) == 1 and isinstance(display, ast.Tuple):
        kept = spans[display.elts.index(left[0])]
        text = draft.render(*kept)
        draft.replace(start, end, text if single else f"({text},)", [kept])
        return
    _drop(draft, spans, [element in dropped for element in display.elts], low, high)


def element_spans(draft: Draft, elements: Sequence[ast.expr], low: int, high: int) -> list[Span]:
    """The spans of elements with the brackets around each, within bounds."""
    spans = []
    for element in elements:
        span = outer_span(draft.source.text, *draft.span(element), low, high)
        spans.append(span)
        low = span[1]
    return spans


def drop_items(draft: Draft, block: ast.With | ast.AsyncWith, dropped: Collection[ast.withitem]) -> None:
    """Takes items out of a `with` that keeps others."""
    source = draft.source
    low = draft.span(block)[0]
    spans = []
    for item in block.items:
        start, end = draft.span(item.context_expr)
        if item.optional_vars is not None:
            named = draft.span(item.optional_vars)
            end = outer_span(source.text, *named, end, _behind_brackets(source.text, named[1]))[1]
        elif not isinstance(item.context_expr, ast.Tuple):
            start, end = outer_span(source.text, start, end, low, _behind_brackets(source.text, end))
        spans.append((start, end))
        low = end
    _drop(draft, spans, [item in dropped for item in block.items], spans[0][0], spans[-1][1])


def drop_name(draft: Draft, item: ast.withitem) -> None:
    """Takes the name out of an item of a `with`: `with a as b` becomes `with a`."""
    assert item.optional_vars is not None
    start, stop = draft.span(item.context_expr)[1], draft.span(item.optional_vars)[0]
    match = _AS.search(draft.source.text, start, stop)
    if match is None:
        raise Unwritable(item.optional_vars, "where the name is bound cannot be told")
    named = draft.span(item.optional_vars)
    end = outer_span(draft.source.text, *named, match.end(), _behind_brackets(draft.source.text, named[1]))[1]
    draft.replace(match.start(), end, "", before=False, behind=True)


def drop_parameters(draft: Draft, function: _Function, dropped: Collection[ast.arg]) -> None:
    """Takes parameters out of a function, with their defaults, and a bare `*` or `/` that has lost its meaning."""
    spans, gone = _parameters(draft, function, dropped)
    _drop(draft, spans, gone, spans[0][0], spans[-1][1])


def _parameters(draft: Draft, function: _Function, dropped: Collection[ast.arg]) -> tuple[list[Span], list[bool]]:
    """The spans of all parameters in order, `*` and `/` among them, and which of them go."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [*[None] * (len(plain) - len(arguments.defaults)), *arguments.defaults]
    parts: list[tuple[Span, bool]] = []
    end = draft.span(function)[0]
    for number, (argument, default) in enumerate(zip(plain, defaults, strict=True), start=1):
        parts.append((_parameter(draft, argument, default), argument in dropped))
        if number == len(arguments.posonlyargs):
            place = _sign(draft, "/", parts[-1][0][1])
            parts.append(((place, place + 1), all(gone for _, gone in parts)))
        end = parts[-1][0][1]
    bare = arguments.vararg is None and bool(arguments.kwonlyargs)
    if bare:
        opening = end if parts else draft.source.text.index("(" if _is_named(function) else "lambda", end)
        place = _sign(draft, "*", opening)
        parts.append(((place, place + 1), all(argument in dropped for argument in arguments.kwonlyargs)))
    if arguments.vararg is not None:
        parts.append((_starred(draft, arguments.vararg, "*"), False))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parts.append((_parameter(draft, argument, default), argument in dropped))
    if arguments.kwarg is not None:
        parts.append((_starred(draft, arguments.kwarg, "**"), False))
    return [span for span, _ in parts], [gone for _, gone in parts]


def _is_named(function: _Function) -> bool:
    return not isinstance(function, ast.Lambda)


def _parameter(draft: Draft, argument: ast.arg, default: ast.expr | None) -> Span:
    start, end = draft.span(argument)
    if default is not None:
        stop = draft.span(default)
        end = outer_span(draft.source.text, *stop, end, _behind_brackets(draft.source.text, stop[1]))[1]
    return start, end


def _behind_brackets(text: str, start: int) -> int:
    """Where, behind some text, the brackets that close there end."""
    match = re.compile(r"[\s)]*").match(text, start)
    assert match is not None
    return match.end()


def _starred(draft: Draft, argument: ast.arg, sign: str) -> Span:
    start, end = draft.span(argument)
    return draft.source.text.rindex(sign, 0, start), end


def _sign(draft: Draft, sign: str, start: int) -> int:
    """Where a sign stands behind a place, comments left out."""
    text = _COMMENT.sub(lambda match: " " * len(match.group()), draft.source.text[start : start + 10_000])
    return start + text.index(sign)


def _is_bracketed(draft: Draft, display: ast.Tuple) -> bool:
    """Whether the brackets of a tuple are its own, and not those of its first element."""
    start, end = draft.span(display)
    first = outer_span(draft.source.text, *draft.span(display.elts[0]), start, end)
    return first[0] != start


def _drop(draft: Draft, spans: Sequence[Span], gone: Sequence[bool], low: int, high: int) -> None:
    """Takes elements out, each with the comma that held it: the one behind it, or before it at the end of the list."""
    if not any(gone):
        return
    if all(gone):
        draft.replace(low, high, "")
        return
    text = draft.source.text
    last = max(number for number, goes in enumerate(gone) if not goes)
    for number, goes in enumerate(gone):
        if not goes:
            continue
        start, end = spans[number]
        if number < last:
            draft.replace(start, spans[number + 1][0], "", before=True, behind=True)
        elif "#" not in text[spans[number - 1][1] : start]:
            draft.replace(spans[number - 1][1], end, "", before=False)
        else:
            blank = len(text[:start].rstrip(" \t"))
            draft.replace(blank, end, "", before=False)
            if text[end:high].lstrip()[:1] == ",":
                comma = text.index(",", end)
                draft.replace(end, comma + 1, "")
