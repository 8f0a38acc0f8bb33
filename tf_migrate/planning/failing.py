"""Updates that wait for others which may fail: TF1 did not make them then, as a program sees that handles errors.

A function of TensorFlow 2 orders updates by the variables they share alone: others are made beside one that fails.
"""

from __future__ import annotations

import ast
import builtins

from tf_migrate.stages.program import Program
from tf_migrate.stages.runs import Run
from tf_migrate.stages.scattering import Count
from tf_migrate.stages.shadows import awaited
from tf_migrate.stages.slices import updated_variables
from tf_migrate.stages.updates import Update
from tf_migrate.stages.values import Refused

_GENERAL = frozenset({"Exception", "BaseException"})
_ENDS = "tf.errors.OutOfRangeError"
_HANDLING = frozenset({"suppress", "raises"})


def require_failures_unseen(program: Program, run: Run) -> None:
    """Refuses updates that wait for one of other variables, where the program handles that this one fails."""
    apart = [earlier for update in run.updates for earlier in awaited(update) if not _is_seen(program, earlier, update)]
    if not apart:
        return
    counted = any(isinstance(earlier, Count) for earlier in apart)
    if _is_handled(program, run.site.node, ends=counted):
        what = "an update waits for another one, and the program goes on where that one fails: it would be made even so"
        raise Refused(run.site.node, what, "run the two updates one after the other")


def _is_seen(program: Program, earlier: Update, update: Update) -> bool:
    """Whether an update reads, or changes, all that the one changes which it waits for."""
    touched = {variable.call for binding in update.reads.values() for variable in binding.value.variables}
    touched |= {variable.call for variable in updated_variables(program, update)}
    return {variable.call for variable in updated_variables(program, earlier)} <= touched


def _is_handled(program: Program, call: ast.Call, *, ends: bool) -> bool:
    """Whether the program may go on behind a run that fails: whatever handles errors may call a function."""
    inside = {call, *program.module.around(call)}
    anywhere = program.module.function_of(call) is not None
    for place in ast.walk(program.module.tree):
        if isinstance(place, ast.Try):
            around = anywhere or any(statement in inside for statement in place.body)
            handling = any(_handles(program, handler.type, ends=ends) for handler in place.handlers)
        else:
            around = anywhere or place in inside
            handling = isinstance(place, ast.With) and _is_handling(place)
        if around and handling:
            return True
    return False


def _handles(program: Program, kind: ast.expr | None, *, ends: bool) -> bool:
    """Whether a handler may be for errors of runs: for the end of data, which only counts raise here, if `ends`."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    symbols = ("Exception" if item is None else program.names.resolve(item) or ast.unparse(item) for item in kinds)
    return any(symbol in _GENERAL or _may_be_of_run(symbol, ends=ends) for symbol in symbols)


def _may_be_of_run(symbol: str, *, ends: bool) -> bool:
    """Whether an error has no name of Python, nor that of the end of data alone."""
    return not hasattr(builtins, symbol) and (ends or symbol != _ENDS)


def _is_handling(block: ast.With) -> bool:
    """Whether a block takes errors: `contextlib.suppress(…)`, `self.assertRaises(…)`."""
    made = (item.context_expr.func for item in block.items if isinstance(item.context_expr, ast.Call))
    names = [ast.unparse(func).rpartition(".")[2] for func in made]
    return any(name in _HANDLING or name.startswith("assertRaises") for name in names)
