"""Calls as text: what runs become, and how the arguments that stay are laid out."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence

from tf_migrate.changes.arguments import outer_span
from tf_migrate.steps.draft import Draft, Span, Unwritable
from tf_migrate.steps.indentation import Indentation
from tf_migrate.steps.plan import AtOnce, Built, DynamicRun, HandedRun, Read, Run, StepCall

WIDTH = 100
_UNIT = "    "
_ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_BRACKETED = (ast.NamedExpr, ast.Yield, ast.YieldFrom)


def laid_out(head: str, parts: Sequence[str], column: int, space: str, newline: str) -> str:
    """A call on one line where it fits behind `column` columns, else with its arguments on lines of their own."""
    whole = f"{head}({', '.join(parts)})"
    if column + len(whole) <= WIDTH or not parts or any("\n" in part for part in parts):
        return whole
    inner = deeper(space)
    lines = [""]
    for number, part in enumerate(parts):
        text = part + (")" if number == len(parts) - 1 else ",")
        if lines[-1] and len(inner) + len(lines[-1]) + 1 + len(text) <= WIDTH:
            lines[-1] += f" {text}"
        else:
            lines.append(text)
    return f"{head}({newline}" + newline.join(inner + line for line in lines[1:])


def deeper(space: str) -> str:
    """What a line begins with that stands one level deeper."""
    return space + ("\t" if space and not space.strip("\t") else _UNIT)


def write_run(draft: Draft, indentation: Indentation, run: Run) -> None:
    """Replaces a run; those inside of its arguments have been written before."""
    if isinstance(run, StepCall):
        if run.kept is not None:
            _keep_targets(draft, run)
        _write_call(draft, indentation, run.node, run.callee, run.arguments)
    elif isinstance(run, DynamicRun):
        arguments = (run.fetches,) if run.feeds is None else (run.fetches, run.feeds)
        _write_call(draft, indentation, run.node, f"{draft.context.compat}.run", arguments, run.named)
    elif isinstance(run, HandedRun):
        draft.replace(*draft.span(run.node.func), f"{draft.context.compat}.run")
    elif isinstance(run, AtOnce | Built):
        span = draft.span(run.fetches)
        whole = draft.span(run.node)
        draft.replace(*whole, draft.render(*span, whole), [span])
    elif isinstance(run, Read):
        text, kept = _read(draft, run.fetches, draft.span(run.node))
        if run.each:
            span = draft.span(run.fetches)
            text, kept = f"[variable.numpy() for variable in {draft.render(*span, draft.span(run.node))}]", [span]
        if run.nested:
            span = draft.span(run.fetches)
            made = draft.render(*span, draft.span(run.node))
            text, kept = f"{draft.context.tf}.nest.map_structure(lambda each: each.numpy(), {made})", [span]
        draft.replace(*draft.span(run.node), text, kept)


def _write_call(
    draft: Draft,
    indentation: Indentation,
    node: ast.Call,
    callee: str,
    arguments: Sequence[ast.expr],
    named: Sequence[tuple[str, ast.expr]] = (),
) -> None:
    source = draft.source
    start, end = draft.span(node)
    line = source.line_starts[node.lineno - 1]
    space = indentation.moved(node.lineno, indentation.of(node.lineno))
    before = draft.render(line + len(indentation.of(node.lineno)), start)
    parts = [_argument(draft, argument, (start, end)) for argument in arguments]
    parts += [f"{name}={draft.render(*draft.span(argument), (start, end))}" for name, argument in named]
    kept = [draft.span(argument) for argument in (*arguments, *(argument for _, argument in named))]
    comments = _comments(draft, kept, end)
    if any(isinstance(outer, ast.JoinedStr) for outer in draft.context.module.around(node)):
        text = f"{callee}({', '.join(parts)})"  # a text of one line is to stay one
    elif any(comments):
        text = _commented(callee, parts, comments, space, source.newline)
    else:
        column = len(space) + len(before.rpartition("\n")[2])
        text = laid_out(callee, parts, column, space, source.newline)
    draft.replace(start, end, text, kept)


def _argument(draft: Draft, argument: ast.expr, around: Span) -> str:
    text = draft.render(*draft.span(argument), around)
    return f"({text})" if isinstance(argument, _BRACKETED) else text


def _comments(draft: Draft, kept: Sequence[Span], end: int) -> list[str]:
    """The comment behind each argument on its line, or of the lines up to the next one."""
    found = []
    for _, stop in kept:
        following = [start for start, _ in kept if start >= stop]
        behind = min(following, default=end)
        found.append(_comment(draft.source.text[stop:behind]))
    return found


def _comment(text: str) -> str:
    """The comment on the first line of what stands between two arguments."""
    if "#" not in text:
        return ""
    first = text.splitlines()[0]
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({first}\n)").readline))
    except (tokenize.TokenError, SyntaxError):
        return ""
    return next((token.string for token in tokens if token.type == tokenize.COMMENT), "")


def _commented(head: str, parts: Sequence[str], comments: Sequence[str], space: str, newline: str) -> str:
    """A call with one argument on each line, and its comment behind it."""
    inner = deeper(space)
    lines = [f"{head}("]
    for part, comment in zip(parts, comments, strict=True):
        lines.append(f"{inner}{part},{f'  {comment}' if comment else ''}")
    return newline.join([*lines, f"{space})"])


def _read(draft: Draft, fetches: ast.expr, around: Span) -> tuple[str, list[Span]]:
    """The values of variables: of one, or of each of a display."""
    if isinstance(fetches, ast.List | ast.Tuple):
        parts = [_read(draft, element, around) for element in fetches.elts]
        texts, kept = [text for text, _ in parts], [span for _, spans in parts for span in spans]
        if isinstance(fetches, ast.Tuple):
            return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})", kept
        return f"[{', '.join(texts)}]", kept
    if isinstance(fetches, ast.Starred):
        raise Unwritable(fetches, "how many variables are read is not known")
    span = draft.span(fetches)
    text = draft.render(*span, around)
    is_atom = isinstance(fetches, _ATOMS) and "\n" not in text
    return f"{text}.numpy()" if is_atom else f"({text}).numpy()", [span]


def _keep_targets(draft: Draft, run: StepCall) -> None:
    """Leaves the targets of an assignment that results stay for; without any, the call is a statement by itself."""
    assert run.kept is not None
    statement = draft.context.module.parents[run.node]
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        raise Unwritable(run.node, "its results are not unpacked by one assignment")
    target = statement.targets[0]
    if not isinstance(target, ast.Tuple | ast.List) or any(isinstance(each, ast.Starred) for each in target.elts):
        raise Unwritable(run.node, "its results are not unpacked into targets one by one")
    if not run.kept:
        start, end = draft.span(statement)
        value = outer_span(draft.source.text, *draft.span(run.node), draft.span(target)[1], end)
        draft.replace(start, value[0], "", before=False, behind=True)
        return
    if max(run.kept) >= len(target.elts):
        raise Unwritable(run.node, "it has fewer targets than results")
    kept = [draft.span(target.elts[position]) for position in run.kept]
    texts = [draft.render(*span) for span in kept]
    draft.replace(*draft.span(target), ", ".join(texts), kept, before=False)
