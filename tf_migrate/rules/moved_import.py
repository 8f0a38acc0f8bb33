"""TensorFlow 2 has neither `tensorflow.contrib` nor most of the private `tensorflow.python` paths, and importing them
fails before anything runs. An import goes where its name lives now: to TensorFlow 2, or to the shims. One whose every
use was spelled out otherwise is taken out, and one that has no new home stays, with its reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate import facts
from tf_migrate.changes import keras2, statements
from tf_migrate.changes.edits import Edit
from tf_migrate.facts.shims import shim_path
from tf_migrate.names.bindings import star_origin
from tf_migrate.names.canonical import Use
from tf_migrate.names.homes import Home, home
from tf_migrate.names.origins import canonical, join
from tf_migrate.rules import Change, Context, Rule, handlers

_REMOVED = "compat.Removed"
_ROOTS = ("tf", "tf.compat.v1", "tf.compat.v2", "tf.compat")


def find(context: Context) -> Iterator[Change]:
    """Looks at every import of TensorFlow."""
    for node, _ in context.module.imports:
        if context.module.is_skipped(node) or not _is_tensorflow(node):
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _plain(context, node, alias)
        else:
            yield from _from(context, node)


def _is_tensorflow(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").partition(".")[0] == "tensorflow"
    return any(alias.name.partition(".")[0] == "tensorflow" for alias in node.names)


def _plain(context: Context, node: ast.Import, alias: ast.alias) -> Iterator[Change]:
    """``import tensorflow.A.b`` and ``import tensorflow.A.b as c``."""
    package, _, rest = alias.name.partition(".")
    if package != "tensorflow" or not rest:
        return
    start = context.module.source.start(alias)
    end = start + len(alias.name)
    symbol = _symbol(rest)
    if symbol in _ROOTS:
        if symbol in ("tf", "tf.compat.v1"):
            yield _change(context, alias, symbol, "tensorflow", (Edit(start, end, "tensorflow"),))
        return
    where = _home(context, symbol)
    if alias.asname is None:
        if where is None or where.place == "compat":
            yield _change(context, alias, symbol, "tensorflow", (Edit(start, end, "tensorflow"),))
        return
    if where is None:
        yield from _homeless(context, node, alias, symbol)
    elif where.path != symbol:
        path = _written(context, where.path)
        yield _change(context, alias, symbol, path, (Edit(start, end, path),))


def _from(context: Context, node: ast.ImportFrom) -> Iterator[Change]:
    """``from tensorflow.A import b, c as d``: each name may go another way."""
    base = _symbol((node.module or "").partition(".")[2])
    homes: list[tuple[ast.alias, str | None]] = []
    for alias in node.names:
        symbol = canonical(f"{base}.{alias.name}") if alias.name != "*" else base
        homes.append((alias, _target(context, base, symbol, alias)))
        if homes[-1][1] is None and not _is_unused(context, node, alias, symbol):
            stands = alias.name != "*" and _stops(context, node, node.module or "")
            homes[-1] = (alias, _REMOVED if stands else f"{base}.{alias.name}" if alias.name != "*" else base)
            yield _stays(context, alias, symbol)
        elif homes[-1][1] not in (symbol, f"{base}.{alias.name}"):
            yield _change(context, alias, symbol, homes[-1][1] or "nothing: no use is left", ())
    edits = _statement(context, node, base, homes)
    moved = [] if edits or node.names[0].name != "*" else list(_moved_names(context, node))
    if moved:
        lines: dict[str, list[str]] = {}
        for name, path in moved:
            home_module, line = _import_of(context, ast.alias(name), path)
            lines.setdefault(home_module, []).append(line)
        texts = [f"from {module} import {', '.join(names)}" for module, names in lines.items()]
        source = context.module.source
        yield Change(None, (Edit(*source.span(node), _joined(context, node, [source.segment(node), *texts])),))
    if edits:
        early = any(path == _REMOVED for _, path in homes)
        yield Change(None, edits, frozenset({"compat"} if early else ()), early=early)


def _moved_names(context: Context, node: ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that a star import brings in, that the tree reads, and that live elsewhere in TensorFlow 2."""
    names, module = context.names, context.module
    origin = star_origin(module, names.index, node, context.compat_module)
    if context.tf2 or origin is None or node not in module.root.stars:
        return
    trees = (names.index.tree(name) for name in names.index.importers(module.name))
    read = {name for tree in (module, *trees) if tree is not None for name in tree.loads}
    for name in sorted(read - module.root.bindings.keys()):
        found = names.index.star([origin], name)
        if found is not None and found == names.lookup(name, module.root):
            where = home(context.shims, canonical(found))
            if where is not None and where.path != found:
                yield name, where.path


def _stops(context: Context, node: ast.stmt, path: str) -> bool:
    """Whether an import of what is surely gone ends the whole program: no `except` waits for it, and it is not lazy."""
    return path.startswith("tensorflow.contrib") and isinstance(context.module.parents[node], ast.Module)


def _stand_in(context: Context, name: str, path: str) -> str:
    return f'{name} = {context.compat}.Removed("{path}")'


def _target(context: Context, base: str, symbol: str, alias: ast.alias) -> str | None:
    if symbol in _ROOTS:
        return "tf" if symbol == "tf" else symbol
    if context.tf2 and base == "tf":
        return symbol
    where = _home(context, symbol)
    if where is None and keras2.is_kept(context, symbol):
        return None
    if where is None:
        known = facts.lookup(symbol) is not None or symbol.startswith(("tf.contrib", "tensorflow."))
        return None if known else symbol
    return where.path


def _home(context: Context, symbol: str) -> Home | None:
    """Where a symbol lives; Keras, in a program that keeps Keras 2, among the shims."""
    if keras2.is_kept(context, symbol):
        path = keras2.target(symbol)
        return None if path is None else Home("compat", path)
    return home(context.shims, symbol)


def _statement(
    context: Context, node: ast.ImportFrom, base: str, homes: list[tuple[ast.alias, str | None]]
) -> tuple[Edit, ...]:
    kept = [(alias, path) for alias, path in homes if path is not None]
    if all(path == (base if alias.name == "*" else f"{base}.{alias.name}") for alias, path in homes):
        return ()
    if not kept:
        return (statements.remove(context.module, node),)
    lines: dict[str, list[str]] = {}
    for alias, path in kept:
        if path == _REMOVED:
            continue
        home_module, line = _import_of(context, alias, path)
        lines.setdefault(home_module, []).append(line)
    texts = [
        names[0] if module.startswith("import ") else f"from {module} import {', '.join(names)}"
        for module, names in lines.items()
    ]
    removed = (alias for alias, path in kept if path == _REMOVED)
    texts += [_stand_in(context, alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in removed]
    return (Edit(*context.module.source.span(node), _joined(context, node, texts), encloses=True),)


def _import_of(context: Context, alias: ast.alias, path: str) -> tuple[str, str]:
    """The module to import from and the name to import there; for a whole package the statement itself."""
    name = alias.asname or alias.name
    if path == "tf":
        line = "import tensorflow" if name == "tensorflow" else f"import tensorflow as {name}"
        return f"import {name}", line
    if alias.name == "*":
        return _written(context, path), "*"
    module, _, last = _written(context, path).rpartition(".")
    return module, last if last == name else f"{last} as {name}"


def _joined(context: Context, node: ast.ImportFrom, texts: list[str]) -> str:
    source = context.module.source
    lead = source.text[source.line_starts[node.lineno - 1] : source.start(node)]
    return (f"{source.newline}{lead}" if not lead.strip() else "; ").join(texts)


def _homeless(context: Context, node: ast.Import, alias: ast.alias, symbol: str) -> Iterator[Change]:
    if not _is_unused(context, node, alias, symbol):
        yield _stays(context, alias, symbol)
        if len(node.names) == 1 and alias.asname is not None and _stops(context, node, alias.name):
            text = _stand_in(context, alias.asname, alias.name)
            edit = Edit(*context.module.source.span(node), text, encloses=True)
            yield Change(None, (edit,), frozenset({"compat"}), early=True)
    elif len(node.names) == 1:
        edit = statements.remove(context.module, node)
        yield _change(context, alias, symbol, "nothing: no use is left", (edit,))


def _is_unused(context: Context, node: ast.Import | ast.ImportFrom, alias: ast.alias, symbol: str) -> bool:
    """Whether every use of the imported module is spelled out otherwise, so that the import can go."""
    name = alias.asname or alias.name
    if keras2.is_kept(context, symbol):
        return False
    if alias.name == "*" or context.names.index.is_taken(context.module.name, name):
        return False
    uses = [use for use in context.names.uses if use.root.id == name]
    reads = context.module.loads.get(name, [])
    if len(uses) != len(reads):
        return False
    return all(use.symbol != symbol and _is_spelled_out(context, use) for use in uses)


def _is_spelled_out(context: Context, use: Use) -> bool:
    """Whether a use gets text of its own, instead of going through the name that was imported."""
    if not _has_a_way(context, use.symbol):
        return False
    where = home(context.shims, canonical(use.origin))
    if where is not None and where.place == "compat":
        return not context.shims.has(shim_path(use.symbol))
    owned = facts.owner(use.symbol)
    return where is None or (owned is not None and owned[0].action != "same")


def _has_a_way(context: Context, symbol: str) -> bool:
    if symbol in handlers():
        return True
    owned = facts.owner(symbol)
    if owned is None or (owned[0].kind == "module" and owned[1]):
        return context.shims.has(shim_path(symbol)) and symbol.startswith("tf.")
    fact = owned[0]
    return fact.action in ("same", "rename") or (fact.action == "shim" and context.shims.has(fact.target))


def _stays(context: Context, alias: ast.alias, symbol: str) -> Change:
    if keras2.is_kept(context, symbol):
        return keras2.missing(context, alias, symbol)
    fact = facts.lookup(symbol)
    reason = (fact.reason if fact else "") or f"`{symbol}` has no place in TensorFlow 2 and no shim in `compat`"
    next_step = (fact.next_step if fact else "") or "take it from its own package, or replace what it is used for"
    return context.manual(alias, "TFM110", reason, next_step, symbol)


def _change(context: Context, alias: ast.alias, symbol: str, target: str, edits: tuple[Edit, ...]) -> Change:
    shimmed = target.startswith(("compat.", f"{context.compat_module}."))
    finding = context.finding(
        alias,
        "TFM110",
        f"the import of `{symbol}` becomes `{target}`",
        symbol=None if symbol in _ROOTS else symbol,
        action="shimmed" if shimmed else "rewritten",
    )
    return Change(finding, edits)


def _symbol(rest: str) -> str:
    """The canonical name of ``tensorflow.<rest>``."""
    return canonical(join("tf", rest))


def _written(context: Context, path: str) -> str:
    """A canonical path as an import statement writes it."""
    package, dot, rest = path.partition(".")
    return {"tf": "tensorflow", "compat": context.compat_module}.get(package, package) + dot + rest


RULE = Rule(
    id="TFM110",
    name="moved-import",
    before="""\
import tensorflow.compat.v1 as tf
from tensorflow.contrib import rnn

def cell():
    return rnn.BasicLSTMCell(3)
""",
    after="""\
import tensorflow as tf
from compat.contrib import rnn

def cell():
    return rnn.BasicLSTMCell(3)
""",
    find=find,
)
