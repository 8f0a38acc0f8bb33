"""Placeholders that a run does not feed, though statements read them that make variables beside those which it needs.

A function leaves out what nothing needs, as a session did. But TensorFlow 2 runs each operation that may change a
state: a loop that reads variables, a printed tensor, a moved average. Without its placeholder that fails.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.values import Refused

_SYMBOLS = """
Assert Print case cond contrib.layers.batch_norm contrib.seq2seq.dynamic_decode foldl foldr layers.batch_normalization
layers.BatchNormalization map_fn nn.bidirectional_dynamic_rnn nn.dynamic_rnn nn.raw_rnn py_func scan while_loop
"""
_RUN_ANYWAY = tuple(f"tf.{word}" for word in _SYMBOLS.split())
_ASSERTIONS = "tf.assert_"


def require_no_work(program: Program, run: Run, unfed: Iterable[Unit], units: Iterable[Unit]) -> None:
    """Refuses statements that would run without a placeholder."""
    given = {unit.index: unit for unit in unfed}
    for unit in units:
        missing = next((given[item.unit] for item in unit.reads.values() if item.unit in given), None)
        if missing is None:
            continue
        given[unit.index] = missing
        if any(_runs_anyway(names.resolve(call.func) or "") for call, names in calls_in(unit.node, program.names)):
            name = missing.binds[0].rpartition(".")[2]
            what = f"line {unit.node.lineno} would run here without the placeholder `{name}`, which is not fed"
            raise Refused(run.site.node, what, f"feed `{name}`")


def _runs_anyway(symbol: str) -> bool:
    return symbol in _RUN_ANYWAY or symbol.startswith(_ASSERTIONS)


def calls_in(node: ast.AST, names: Names, seen: set[ast.AST] | None = None) -> Iterator[tuple[ast.Call, Names]]:
    """The calls in code, each with the names of its module: also those in functions of the tree that it calls."""
    seen = set() if seen is None else seen
    for call in (inner for inner in ast.walk(node) if isinstance(inner, ast.Call)):
        yield call, names
        if names.resolve(call.func) is not None:
            continue
        home, word = names, getattr(call.func, "id", None) or getattr(call.func, "attr", None)
        meant = names.definition(call.func)
        module = None if meant is None else names.index.tree(meant[0])
        if meant is not None and module is not None and module.name != names.module.name:
            home, word = Names(module, names.index, names.compat_module), meant[1]
        for function in home.module.functions:
            if getattr(function, "name", None) == word and function not in seen:
                seen.add(function)
                yield from calls_in(function, home, seen)
