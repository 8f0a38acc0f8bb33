"""Scopes that take part in the counting of layers without a name."""

from __future__ import annotations

import ast
import re

from tf_migrate.stages import effects
from tf_migrate.stages.program import Program

_WORD_BEGINS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def shifting_scope(program: Program) -> ast.With | None:
    """A scope whose name is that of a kind of layer: TF1 counted it among those without a name."""
    if not any(unit.counts for unit in program.units):
        return None
    symbols = [program.names.resolve(call.func) for call in program.module.calls]
    kinds = {_kind(symbol) for symbol in symbols if symbol is not None}
    for scope in program.scopes:
        call = scope.items[0].context_expr
        assert isinstance(call, ast.Call)
        name = call.args[0]
        if isinstance(name, ast.Constant) and str(name.value).lower().rstrip("_0123456789") in kinds:
            return scope
    return None


def _kind(symbol: str) -> str:
    """The scope that TF1 opens, with a number, for a layer without a name; for an unrolled cell the name is fixed."""
    word = symbol.rpartition(".")[2]
    if symbol in effects.CELLS:
        return _WORD_BEGINS.sub("_", word).lower()
    return "" if word.endswith("_rnn") else word.lower()
