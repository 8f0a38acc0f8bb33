"""Functions that build a graph of their own and run it: `main()`, `train()`, each called once.

Such a function is read where it is called, as if its statements stood there. That is right as long as its local names
mean nothing outside it, for then one environment holds them beside the module's.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Set

from tf_migrate.names.canonical import Names
from tf_migrate.names.sessions import MONITORED_CLASSES
from tf_migrate.stages import purity
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.unbound import is_global

_SESSIONS = frozenset({"tf.Session", "tf.InteractiveSession"}) | MONITORED_CLASSES
_RUN = "tf.app.run"
UNREAD = (
    ast.Global
    | ast.Nonlocal
    | ast.Yield
    | ast.YieldFrom
    | ast.Await
    | ast.Import
    | ast.ImportFrom
    | ast.AsyncFunctionDef
)
"""What is not read where it stands in a function that is read like a part of the script."""
_BUILTINS = frozenset(dir(builtins))


def entrances(module: Module, names: Names) -> dict[ast.Call, ast.FunctionDef]:
    """The calls, as statements, that enter functions which make a session, or which enter others that do."""
    functions = [node for node in module.tree.body if isinstance(node, ast.FunctionDef)]
    calls = {node: call for node in functions if (call := _only_call(module, names, node)) is not None}
    wanted = {node for node in calls if any(names.resolve(call.func) in _SESSIONS for call in _own(module, node))}
    while True:
        leading = {node for node in calls if any(calls[other] in set(_own(module, node)) for other in wanted)} - wanted
        if not leading:
            break
        wanted |= leading
    return {calls[node]: node for node in functions if node in wanted and _obstacle(module, node, calls[node]) is None}


def _own(module: Module, function: ast.FunctionDef) -> Iterator[ast.Call]:
    """The calls in the body of a function, without those in functions inside it."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and module.function_of(node) is function:
            yield node


def _only_call(module: Module, names: Names, function: ast.FunctionDef) -> ast.Call | None:
    """The one statement that calls a function, itself or by `tf.app.run`; None where there are more uses, or none."""
    if len(module.root.bindings.get(function.name, [])) != 1:
        return None
    loads = [load for load in module.loads.get(function.name, []) if is_global(module, load)]
    starting = [call for call in module.calls if names.resolve(call.func) == _RUN]
    if len(starting) > 1 or len(loads) > 1:
        return None
    found: ast.Call | None = None
    if loads:
        parent = module.parents[loads[0]]
        call = module.parents[parent] if isinstance(parent, ast.keyword) else parent
        if isinstance(call, ast.Call) and (call.func is loads[0] or call in starting):
            found = call
    elif function.name == "main" and starting and not _names_main(starting[0]):
        found = starting[0]
    return found if found is not None and isinstance(module.parents[found], ast.Expr) else None


def _names_main(call: ast.Call) -> bool:
    return bool(call.args) or any(keyword.arg in (None, "main") for keyword in call.keywords)


def require_entrance(module: Module, names: Names, function: ast.FunctionDef) -> None:
    """Says why a function that makes a session is not read as a part of the script that calls it."""
    if any(names.resolve(call.func) in _SESSIONS for call in _own(module, function)):
        found = _obstacle(module, function, _only_call(module, names, function))
        if found is not None:
            raise found


def _obstacle(module: Module, function: ast.FunctionDef, call: ast.Call | None) -> Refused | None:
    """Why a function cannot be read as a part of the module that calls it."""
    what = f"`{function.name}`, which makes a session,"
    if call is None or module.parents.get(function) is not module.tree:
        step = f"call `{function.name}` once, in a statement of its own, at the top of the script"
        return Refused(function, f"{what} is not called just once, as a statement of the script", step)
    if function.decorator_list:
        return Refused(function, f"{what} is decorated", f"call the plain `{function.name}`")
    imports = [item for item in function.body if isinstance(item, ast.Import | ast.ImportFrom)]
    odd = next((inner for inner in ast.walk(function) if isinstance(inner, UNREAD) and inner not in imports), None)
    if odd is not None:
        step = "import at the top of the function or the file, and pass values in and out"
        return Refused(odd, f"{what} imports modules, binds names outside it, or is a generator", step)
    return clash(module, function, keeping(function, call))


def clash(module: Module, function: ast.FunctionDef, keeping: Set[str] = frozenset()) -> Refused | None:
    """Refuses a function where a name of its own means something else outside of it, other than those in `keeping`.

    A name that nothing outside reads has no other meaning, and neither has a builtin's that the analysis gives none.
    """
    inside = {inner for statement in function.body for inner in ast.walk(statement)}
    again = {name for name in local_names(module, function) if _is_imported_again(module, function, name)}
    for name in sorted(local_names(module, function) & (_BUILTINS | set(module.root.bindings)) - keeping - again):
        if name in purity.BUILTINS or any(
            load not in inside and is_global(module, load) for load in module.loads.get(name, ())
        ):
            what = f"`{name}` means one thing in `{function.name}` and another outside it"
            return Refused(function, what, f"give the one in `{function.name}` another name")
    return None


def _is_imported_again(module: Module, function: ast.FunctionDef, name: str) -> bool:
    """Whether a function imports, under this name, nothing but what the module has under it."""
    scope = next(scope for scope in module.every_scope if scope.node is function)
    found = [*scope.bindings.get(name, []), *module.root.bindings.get(name, [])]
    origins = {_imported(*item) if isinstance(item, tuple) else None for item in found}
    return len(origins) == 1 and None not in origins


def _imported(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """What an import gets, wherever it stands."""
    if isinstance(statement, ast.ImportFrom):
        return f"{'.' * statement.level}{statement.module or ''} {alias.name}"
    return alias.name if alias.asname else alias.name.partition(".")[0]


def local_names(module: Module, function: ast.FunctionDef) -> frozenset[str]:
    """The names that a function binds for itself, parameters included."""
    scope = next(scope for scope in module.every_scope if scope.node is function)
    return frozenset(scope.bindings)


def require_own_names(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function itself, which is read as a part of the script; refuses one that binds names of the module."""
    beyond = next((inner for inner in ast.walk(function) if isinstance(inner, ast.Global)), None)
    if beyond is not None:
        what = f"`{function.name}`, which builds a graph, binds names of the module"
        raise Refused(beyond, what, "keep them as attributes")
    return function


def keeping(function: ast.FunctionDef, call: ast.Call) -> set[str]:
    """Parameters that hold, all the time, what the name of the same spelling held at the call."""
    given = [argument.arg for argument in function.args.args]
    passed = dict(zip(given, call.args, strict=False))
    passed.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None})
    stored = {
        inner.id for inner in ast.walk(function) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    }
    same = {name for name, value in passed.items() if isinstance(value, ast.Name) and value.id == name}
    return same & set(given) - stored


def require_alone(node: ast.stmt, function: ast.FunctionDef, *, nested: bool, empty: bool) -> None:
    """Refuses a call of such a function in a block, or beside a graph that is built outside it."""
    if nested:
        raise Refused(
            node,
            f"`{function.name}`, which builds a graph and runs it, is called in a loop or a condition",
            f"call `{function.name}` at the top of the script",
        )
    if not empty:
        raise Refused(
            node,
            f"parts of the graph are built before `{function.name}`, which builds and runs one, is called",
            f"build all of it in `{function.name}`",
        )
