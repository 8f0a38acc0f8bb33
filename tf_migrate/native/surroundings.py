"""The text of what is opened around statements in a function: scopes, devices, arguments for layers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from tf_migrate.native.layout import joined
from tf_migrate.stages.arg_scopes import ARG_SCOPES
from tf_migrate.stages.program import Program, Unit, scope_names
from tf_migrate.stages.scopes import has_plain_name, names_variables
from tf_migrate.stages.values import Variable


def naming_scopes(program: Program, variable: Variable) -> tuple[ast.With, ...]:
    """The scopes that a variable takes its name from: `tf.get_variable` takes no account of name scopes."""
    scopes = program.units[variable.unit].scopes
    if program.names.resolve(variable.call.func) != "tf.get_variable":
        return scopes
    return tuple(scope for scope in scopes if names_variables(program.names, scope))


def scopes_of_made(program: Program, units: Iterable[Unit]) -> set[ast.With]:
    """The scopes that the variables take their names from which these statements make in functions."""
    making = [(unit, scope) for unit in units if unit.creates for scope in unit.scopes]
    plain = {scope for unit, scope in making if "variable" in unit.creates and all(map(has_plain_name, unit.scopes))}
    return plain.union(scope for _, scope in making if names_variables(program.names, scope))


def scopes_of_objects(program: Program, variable: Variable) -> tuple[ast.With, ...]:
    """The scopes in which several objects of a class are made, from which their variables take names as well."""
    owner = program.owner_of(program.home_of(variable.unit))
    calls = () if owner is None or owner.name is not None else owner.calls
    around = [scope for scope in program.scopes if any(call in ast.walk(scope) for call in calls)]
    own = program.names.resolve(variable.call.func) != "tf.get_variable"
    return tuple(scope for scope in around if own or names_variables(program.names, scope))


def opened(
    program: Program, unit: Unit, scope: ast.With, tf: str, compat: str, text_of: Callable[[ast.expr], str]
) -> str:
    """What a `with` statement of a function opens around a unit, in the place of the script's."""
    call = scope.items[0].context_expr
    assert isinstance(call, ast.Call)
    given = [joined(text_of(item)) for item in call.args]
    given += [f"{keyword.arg}={joined(text_of(keyword.value))}" for keyword in call.keywords]
    if program.names.resolve(call.func) in ARG_SCOPES:
        return f"{joined(text_of(call.func))}({', '.join(given)})"
    if program.names.resolve(call.func) == "tf.control_dependencies":
        return f"{tf}.control_dependencies({', '.join(given)})"
    if scope in program.devices:
        return f"{tf}.device({', '.join(given)})"
    if not names_variables(program.names, scope):
        # With a slash at its end the name is absolute: whatever else the function holds, it gets no number.
        path = scope_names(unit)[: unit.scopes.index(scope) + 1]
        return f'{compat}.name_scope("{"/".join(path)}/")'
    return f"{compat}.variable_scope({', '.join(given)})"
