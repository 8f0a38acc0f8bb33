"""Random numbers of functions: by a seed of their own, or by the graph's.

What has a seed of its own draws one sequence for all runs, so that one function alone may have it. Under the seed of a
graph each operation drew numbers of its own; TensorFlow 2 begins anew with each function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from tf_migrate.names.sessions import MONITORED_CLASSES
from tf_migrate.plan import Call, Function
from tf_migrate.stages import effects
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import Refused, flatten

_SESSIONS = frozenset({"tf.Session", "tf.InteractiveSession"}) | MONITORED_CLASSES


def require_one_drawer(program: Program, calls: Sequence[Call], parsers: Iterable[Function]) -> None:
    """Refuses calls with a seed that several functions would make, or one for several sessions or threads."""
    functions = {call.function.key: call.function for call in calls if call.function is not None}
    mapped = [unit for function in parsers for unit in (*function.taped, *function.rest)]
    made = [call for call in program.module.calls if program.names.resolve(call.func) in _SESSIONS]
    for unit in program.units:
        users = [function for function in functions.values() if unit in (*function.taped, *function.rest)]
        apart = len(users) > 1 or unit in mapped or any(function.beneath for function in users)
        if unit.seeded and unit.moves and (apart or len(made) > 1):
            what = "draws one sequence of numbers by its seed, which several runs, sessions or threads go through"
            raise Refused(unit.node, f"`{ast.unparse(unit.seeded[0])}` {what}", "leave the seed out")


def drawing_apart(program: Program, functions: Sequence[Function]) -> list[Function]:
    """The functions that draw by the seed of the graph, where one alone does not: each needs numbers of its own."""
    if not any(use.symbol in effects.GRAPH_SEEDS for use in program.names.uses):
        return []
    found = [function for function in functions if any(map(_draws, (*function.taped, *function.rest)))]
    several = len(found) > 1 or any(known.name is None for known in program.objects)
    return found if several else []


def _draws(unit: Unit) -> bool:
    return any(part.random for part in flatten([unit.value]))
