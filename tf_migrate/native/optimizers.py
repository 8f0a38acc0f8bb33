"""Where an optimizer makes its variables: TF1 named these by the scopes around the training step, and numbered them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tf_migrate.stages.program import Program, scope_names
from tf_migrate.stages.scopes import is_written_out
from tf_migrate.stages.updates import Apply, Minimize

ADAM = "tf.train.AdamOptimizer"
WITHOUT_VARIABLES = "tf.train.GradientDescentOptimizer"


def class_of(program: Program, update: Minimize | Apply) -> str | None:
    """The optimizer's class, where the program shows it."""
    if isinstance(update.optimizer, ast.Call):
        return program.names.resolve(update.optimizer.func)
    text = ast.unparse(update.optimizer)
    for name, binding in update.reads.items():
        if name.rpartition(".")[2] == text.rpartition(".")[2] and binding.value.symbol is not None:
            return binding.value.symbol
    return None


def needs_store(program: Program, update: Minimize | Apply) -> bool:
    """Whether only a store gives the optimizer's variables their names: by variable scopes, or by numbers, if saved."""
    if class_of(program, update) == WITHOUT_VARIABLES:
        return False
    return any(_symbol(program, scope) == "tf.variable_scope" for scope in program.units[update.unit].scopes) or (
        bool(program.whole) and _shares_names(program, update)
    )


def _shares_names(program: Program, update: Minimize | Apply) -> bool:
    """Whether there are other optimizers of its class: what they keep of one variable, or of none, has one name."""
    graph = program.graph_of(update.unit)
    built = {
        other
        for unit in program.units
        for other in unit.value.updates
        if isinstance(other, Minimize | Apply) and program.graph_of(unit.index) == graph
    }
    own = class_of(program, update)
    return sum(own is None or class_of(program, other) in (own, None) for other in built) > 1


def contexts(
    program: Program, update: Minimize | Apply, tf: str, compat: str, store: str, text: Callable[[ast.expr], str]
) -> str:
    """The contexts of a step in which the variables of its optimizer get TF1's names; empty where it needs none."""
    kind = class_of(program, update)
    if kind == WITHOUT_VARIABLES:
        return ""
    stored = needs_store(program, update)
    scopes = [scope for scope in program.units[update.unit].scopes if stored or kind in (ADAM, None)]
    found, names = ([store], compat) if stored else ([], tf)
    for scope in scopes:
        call = scope.items[0].context_expr
        assert isinstance(call, ast.Call)
        root = f"{compat}.variable_scope" if _symbol(program, scope) == "tf.variable_scope" else f"{names}.name_scope"
        found.append(f"{root}({text(call.args[0])})")
    plain, numbered = "/".join(scope_names(program.units[update.unit])), _numbered(program, update)
    known = all(map(is_written_out, scopes))
    if scopes and known and kind in (ADAM, None) and numbered != plain:
        found.append(f'{names}.name_scope("{numbered}/")')
    return ", ".join(found)


def _numbered(program: Program, update: Minimize | Apply) -> str:
    """The name scope around a step: TF1 numbered those that were entered again, and their variable scopes not."""
    paths: dict[ast.With | None, str] = {None: ""}
    entered: dict[str, int] = {}
    for scope in program.scopes:
        outer = program.module.parents.get(scope)
        while outer is not None and outer not in paths:
            outer = program.module.parents.get(outer)
        around = paths[outer if isinstance(outer, ast.With) else None]
        call = scope.items[0].context_expr
        assert isinstance(call, ast.Call)
        name = call.args[0]
        path = "/".join(part for part in (around, str(name.value) if isinstance(name, ast.Constant) else "") if part)
        number = entered.get(path.lower(), 0)
        entered[path.lower()] = number + 1
        paths[scope] = f"{path}_{number}" if number else path
    scopes = program.units[update.unit].scopes
    return paths[scopes[-1]] if scopes else ""


def _symbol(program: Program, scope: ast.With) -> str | None:
    call = scope.items[0].context_expr
    return program.names.resolve(call.func) if isinstance(call, ast.Call) else None
