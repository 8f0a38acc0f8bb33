"""Variables stay the statements they were; they get the names that TensorFlow 1 gave them.

TF1 made the names of a graph's operations unique, so a second variable `w` was `w_1`; TF2 does not. Checkpoints and
slots go by these names, so each is written out where it would differ.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit, render
from tf_migrate.facts.shims import shim_path
from tf_migrate.native.layout import joined
from tf_migrate.native.surroundings import naming_scopes
from tf_migrate.planning.operation_names import counted, names_of_operations
from tf_migrate.rules import Context
from tf_migrate.stages.monitored import COUNTER, COUNTERS
from tf_migrate.stages.program import Program
from tf_migrate.stages.scopes import is_written_out
from tf_migrate.stages.values import Refused, Variable
from tf_migrate.syntax.arguments import argument

_UNNAMED = "Variable"
_GLOROT = "tf.glorot_uniform_initializer"


def variable_edits(context: Context, program: Program, edits: tuple[Edit, ...]) -> tuple[tuple[Edit, ...], bool]:
    """The edits of all calls that create variables, and whether they need the shims."""
    made: list[Edit] = []
    needs = False
    graphs: dict[int, dict[tuple[str, str], int]] = {}
    _require_plain_scopes(program)
    for variable in program.variables:
        scope = _scope(program, variable)
        taken = graphs.setdefault(program.graph_of(variable.unit), {})
        if program.names.resolve(variable.call.func) in COUNTERS:
            text = f'{context.tf}.Variable(0, dtype={context.tf}.int64, trainable=False, name="{COUNTER}")'
            made.append(Edit(*program.module.source.span(variable.call), text, encloses=True))
            if scope or _take(program, variable, taken, scope, COUNTER) != COUNTER:
                raise Refused(variable.call, "the global step would have another name", "make it outside of scopes")
        elif _is_get_variable(program, variable):
            edit, shim = _from_get_variable(context, program, variable, edits)
            made.append(edit)
            needs = needs or shim
            name = _literal(argument(variable.call, "name", 0)) or ""
            if _take(program, variable, taken, scope, name) != name:
                raise Refused(
                    variable.call, f"the variable `{name}` is there already", "give each variable its own name"
                )
        else:
            made += _named(program, variable, taken, scope)
    return tuple(made), needs


def _scope(program: Program, variable: Variable) -> str:
    names = []
    for block in naming_scopes(program, variable):
        call = block.items[0].context_expr
        assert isinstance(call, ast.Call)
        names.append(_literal(call.args[0]) or ast.unparse(call.args[0]))
    return "/".join(names)


def _require_plain_scopes(program: Program) -> None:
    """A scope that is entered twice, or has an odd name, would not give the same variable names."""
    used = {block for variable in program.variables for block in naming_scopes(program, variable)}
    seen: set[tuple[str, ...]] = set()
    paths = _paths(program)
    for block in program.scopes:
        if not is_written_out(block):
            continue
        name = _name_of(block)
        path = paths.get(block, (name.lower(),))
        if block in used and (not name.replace("_", "").isalnum() or path in seen):
            raise Refused(
                block, f"the scope `{name}` is entered twice, or its name is not plain", "give it another name"
            )
        seen.add(path)


def _paths(program: Program) -> dict[ast.With, tuple[str, ...]]:
    """The names of the scopes around each scope, and its own; TF1 took no account of their case."""
    return {
        scope: tuple(_name_of(around).lower() for around in unit.scopes[: place + 1])
        for unit in program.units
        for place, scope in enumerate(unit.scopes)
    }


def _name_of(scope: ast.With) -> str:
    """The name of a scope; empty where it is known only at run time."""
    call = scope.items[0].context_expr
    assert isinstance(call, ast.Call)
    return _literal(call.args[0]) or ""


def _named(program: Program, variable: Variable, taken: dict[tuple[str, str], int], scope: str) -> Iterator[Edit]:
    call = variable.call
    given = argument(call, "name", 99)
    literal = _literal(given)
    if given is not None and literal is None:
        raise Refused(given, "the variable's name is known only at run time", "write the name out")
    wanted = literal or _UNNAMED
    unique = _take(program, variable, taken, scope, wanted)
    if unique == wanted:
        return
    source = program.module.source
    if given is not None:
        yield Edit(*source.span(given), f'"{unique}"')
    else:
        end = max(source.end(item) for item in (*call.args, *(keyword.value for keyword in call.keywords)))
        yield Edit(end, end, f', name="{unique}"')


def _take(program: Program, variable: Variable, taken: dict[tuple[str, str], int], scope: str, wanted: str) -> str:
    """The name that TF1 made of a wanted one."""
    if counted(wanted) in names_of_operations(program, frozenset(known.call for known in program.variables)):
        raise Refused(
            variable.call, f"another operation may have the name `{wanted}`, so TF1 may have changed it", "rename one"
        )
    number = taken.get((scope, wanted.lower()), 0)
    taken[scope, wanted.lower()] = number + 1
    if number == 0:
        return wanted
    unique = f"{wanted}_{number}"
    if (scope, unique.lower()) in taken:
        raise Refused(variable.call, f"TF1's name for this variable is not certain: `{unique}` is taken", "name it")
    taken[scope, unique.lower()] = 1
    return unique


def _literal(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_get_variable(program: Program, variable: Variable) -> bool:
    return program.names.resolve(variable.call.func) == "tf.get_variable"


def _from_get_variable(
    context: Context, program: Program, variable: Variable, edits: tuple[Edit, ...]
) -> tuple[Edit, bool]:
    """`tf.get_variable(name, shape, initializer=i)` -> `tf.Variable(i(shape), name=name)`; a tensor `i` stays alone."""
    call, source = variable.call, program.module.source
    others = {block for other in program.variables for block in naming_scopes(program, other)}
    if others & set(program.units[variable.unit].scopes) - set(naming_scopes(program, variable)):
        what = "`tf.get_variable` stands inside a name scope that names another variable"
        raise Refused(call, what, "make it outside of the scope")

    def text(node: ast.expr) -> str:
        return joined(render(source.text, edits, *source.span(node)))

    given = argument(call, "initializer", 3)
    shim = False
    if given is not None:
        initializer = text(given)
    else:
        path = shim_path(_GLOROT)
        if not context.shims.has(path):
            raise Refused(call, "`compat` has no initializer for it", "name an initializer")
        initializer, shim = f"{context.compat_path(path)}()", True
    name, shape, dtype = (argument(call, word, place) for place, word in enumerate(("name", "shape", "dtype")))
    assert name is not None
    if shape is None or (isinstance(shape, ast.Constant) and shape.value is None):
        initial = initializer if dtype is None else f"{initializer}, dtype={text(dtype)}"
    else:
        initial = f"{initializer}({text(shape)}{'' if dtype is None else f', {text(dtype)}'})"
    flag = argument(call, "trainable", 5)
    trainable = "" if flag is None else f", trainable={text(flag)}"
    line = f"{context.tf}.Variable({initial}{trainable}, name={text(name)})"
    return Edit(*source.span(call), line, encloses=True), shim
