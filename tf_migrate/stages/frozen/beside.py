"""Functions beside a frozen graph that compute something once, by a session of their own: `sess.run(resized)`.

What such a function builds is of its own names, and of nothing that a run could be given: it is computed at once.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.effects import COLLECTED, DECAYS, PURE
from tf_migrate.stages.frozen.reading import Reader
from tf_migrate.stages.frozen.values import Session
from tf_migrate.syntax.arguments import argument

AT_ONCE = (PURE - COLLECTED - DECAYS) | {"tf.image.decode_bmp", "tf.image.decode_gif"}
"""What computes the same at once as when a session runs it."""
_OF_SESSIONS = frozenset({"tf.ConfigProto", "tf.GPUOptions", "tf.InteractiveSession", "tf.Session"})
_TYPES = frozenset(f"tf.{name}" for name in ("float16", "float32", "float64", "int32", "int64", "string", "uint8"))
_PYTHON = frozenset({"bool", "float", "int", "len", "list", "max", "min", "range", "str", "tuple"})
_OF_TEXTS = frozenset({"close", "endswith", "format", "join", "lower", "run", "split", "startswith", "upper"})


@dataclass(frozen=True)
class BesideRun:
    """A run of tensors that its own function builds; `fetched` are they, `several` says whether they are a list."""

    site: RunSite
    fetched: tuple[ast.expr, ...]
    several: bool


def beside_runs(reader: Reader, sites: tuple[RunSite, ...]) -> dict[ast.FunctionDef, list[BesideRun]]:
    """The runs that have nothing to do with the frozen graph, by their functions."""
    found: dict[ast.FunctionDef, list[BesideRun]] = {}
    for site in sites:
        function = reader.module.function_of(site.node)
        if not isinstance(function, ast.FunctionDef) or function not in reader.module.tree.body:
            continue
        run = _run(reader, function, site)
        if run is not None and (function in found or _is_apart(reader, function)):
            found.setdefault(function, []).append(run)
    return found


def _run(reader: Reader, function: ast.FunctionDef, site: RunSite) -> BesideRun | None:
    """A run of tensors, of a session that the function makes, with nothing fed."""
    call = site.node
    session = reader.value(call.func.value) if isinstance(call.func, ast.Attribute) else None
    fetches = argument(call, "fetches", 0)
    plain = site.kind == "Session.run" and fetches is not None and len(call.args) + len(call.keywords) == 1
    if not plain or fetches is None or not isinstance(session, Session):
        return None
    own = all(reader.module.function_of(made) is function and not _names_graph(made) for made in session.made)
    several = isinstance(fetches, ast.List | ast.Tuple)
    nodes = tuple(fetches.elts) if isinstance(fetches, ast.List | ast.Tuple) else (fetches,)
    known = all(_is_computed(reader, function, node) for node in nodes)
    return BesideRun(site, nodes, several) if own and known and nodes else None


def _is_computed(reader: Reader, function: ast.FunctionDef, node: ast.expr) -> bool:
    """Whether a name holds what the function has computed by operations, and nothing else."""
    scope = reader.module.binding_scope(node) if isinstance(node, ast.Name) else None
    if scope is None or scope.node is not function or not isinstance(node, ast.Name):
        return False
    values = scope.bindings[node.id]
    return all(isinstance(value, ast.Call) and reader.names.resolve(value.func) in AT_ONCE for value in values)


def _names_graph(made: ast.Call) -> bool:
    return bool(made.args) or any(word.arg != "config" for word in made.keywords)


def _is_apart(reader: Reader, function: ast.FunctionDef) -> bool:
    """Whether a function only computes, of what it is given, by operations that do the same at once."""
    if reader.maker is None or function.decorator_list:
        return False  # the frozen graph is the default one, which this would be built into
    inside = set(ast.walk(function))
    symbols = {use.node: use.symbol for use in reader.names.uses if use.node in inside}
    if not all(symbol in AT_ONCE | _OF_SESSIONS | _TYPES for symbol in symbols.values()):
        return False
    if any(isinstance(node, ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await) for node in inside):
        return False
    if any(isinstance(node, ast.With) and not _opens(reader, node) for node in inside):
        return False
    if any(isinstance(node, ast.Compare) and not _is_of_text(node) for node in inside):
        return False  # tensors, and sizes that are known now, compare in another way
    calls = [node for node in inside if isinstance(node, ast.Call)]
    methods = {call.func for call in calls}
    named = {inner for node in symbols for inner in ast.walk(node)}
    read = (node for node in inside if isinstance(node, ast.Attribute) and node not in named | methods)
    return not any(read) and all(call.func in symbols or _is_python(reader, call) for call in calls)


def _is_of_text(node: ast.Compare) -> bool:
    """Whether a comparison is with a text that is written out, or with None."""
    sides = (node.left, *node.comparators)
    return any(isinstance(side, ast.Constant) and isinstance(side.value, str | None) for side in sides)


def _opens(reader: Reader, block: ast.With) -> bool:
    """Whether a block only opens a session of its own."""
    return all(isinstance(item.context_expr, ast.Call) for item in block.items) and all(
        isinstance(reader.value(item.context_expr), Session) for item in block.items
    )


def _is_python(reader: Reader, call: ast.Call) -> bool:
    if isinstance(call.func, ast.Name):
        return call.func.id in _PYTHON and reader.module.binding_scope(call.func) is None
    return isinstance(call.func, ast.Attribute) and call.func.attr in _OF_TEXTS
