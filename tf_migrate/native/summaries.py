"""Summaries as statements of the functions that compute what they describe, under the tags that TF1 gave them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from tf_migrate.changes.edits import Edit, render
from tf_migrate.native.naming import Namer
from tf_migrate.rules import Context
from tf_migrate.stages.program import Program, scope_names
from tf_migrate.stages.values import Refused

_SCOPES = frozenset({"tf.name_scope", "tf.variable_scope"})
_WORD = re.compile(r"\W+")


def summary_edits(context: Context, program: Program, namer: Namer, given: Sequence[Edit]) -> tuple[Edit, ...]:
    """Names for summaries that have none, the scopes in their tags, lists for `merge_all`, writers without a graph.

    `given` are the edits made so far.
    """
    source = program.module.source
    edits: list[Edit] = []
    names: dict[str, str] = {}
    taken = _operation_names(program)
    for unit in program.units:
        for call in unit.summaries:
            tag = call.args[0]
            word = _literal(tag)
            full = "/".join([*scope_names(unit), word])
            if not unit.scopes:
                full = _numbered(program, call, word)
            if full.lower() in taken:
                raise Refused(call, f"TF1 may have numbered the summary `{full}`: its name is taken", "rename it")
            taken |= {full.lower(), "/".join([*scope_names(unit), word]).lower()}
            if full != word:
                edits.append(Edit(*source.span(tag), f'"{full}"'))
            if isinstance(unit.node, ast.Expr):
                name = namer.fresh(f"{_WORD.sub('_', word).strip('_').lower()}_summary")
                names[unit.binds[0]] = name
                start, end = source.span(unit.node)
                text = render(source.text, [*given, *edits], start, end)
                edits.append(Edit(start, end, f"{name} = {text}", encloses=True))
    for call, merged in program.merged.items():
        listed = ", ".join(names.get(name, name) for name in merged)
        text = f"{context.compat}.summary.merge([{listed}])" if merged else "None"
        edits.append(Edit(*source.span(call), text, encloses=True))
    return (*edits, *_without_graphs(program))


def _numbered(program: Program, call: ast.Call, word: str) -> str:
    """The tag of a summary outside of scopes: TF1 counted the scopes of its name, however they were written."""
    same = [block for block in program.scopes if _scope_name(block).lower() == word.lower()]
    if not same:
        return word
    home = program.module.function_of(call)
    known = {block.items[0].context_expr for block in program.scopes}
    hidden = any(
        other not in known and program.names.resolve(other.func) in _SCOPES and _may_be_called(other, word)
        for other in program.module.calls
    )
    inside = any(block in ast.walk(other) for other in program.scopes for block in same if block is not other)
    if hidden or inside or any(program.module.function_of(block) is not home for block in same):
        raise Refused(call, f"TF1 may have numbered the summary `{word}`: its name is taken", "rename it")
    number = sum(block.lineno < call.lineno for block in same)
    taken = {_scope_name(block).lower() for block in program.scopes}
    if f"{word}_{number}".lower() in taken:
        raise Refused(call, f"TF1 may have numbered the summary `{word}`: its name is taken", "rename it")
    return f"{word}_{number}" if number else word


def _may_be_called(call: ast.Call, word: str) -> bool:
    """Whether a scope that a function enters may have a name."""
    name = call.args[0] if call.args else None
    return not isinstance(name, ast.Constant) or str(name.value).lower() == word.lower()


def _scope_name(block: ast.With) -> str:
    call = block.items[0].context_expr
    assert isinstance(call, ast.Call)
    return _literal(call.args[0])


def _literal(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _operation_names(program: Program) -> set[str]:
    """Names that operations outside any scope have or get by default."""
    found: set[str] = set()
    for call in program.module.calls:
        symbol = program.names.resolve(call.func)
        if symbol is None:
            continue
        found.add(symbol.rpartition(".")[2].lower())
        for keyword in call.keywords:
            if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                found.add(str(keyword.value.value).lower())
    return found


def _without_graphs(program: Program) -> list[Edit]:
    source = program.module.source
    edits = []
    for item in program.graphs:
        call = program.module.parents[item]
        assert isinstance(call, ast.Call)
        listed: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        before = listed[listed.index(item) - 1]
        edits.append(Edit(source.end(before), source.end(item), "", encloses=True))
    return edits
