"""Star imports of modules of the tree, as if they said what they bring in.

What `from ops import *` binds is known where all that `ops` binds is. An analysis reads such an import as one of the
names that the module uses; the text stays as it is.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence

from tf_migrate.names.bindings import import_origin, public, star_origin
from tf_migrate.names.canonical import Names
from tf_migrate.names.running import as_imported
from tf_migrate.syntax.module import Binding, of_tree
from tf_migrate.syntax.unbound import is_global

_HIDING = frozenset({"exec", "eval", "globals", "locals", "setattr", "vars", "__import__"})
_BINDING = _HIDING - {"eval"}  # an expression binds no name of a module
_MAX_HOPS = 20


def spelled(names: Names) -> Names:
    """The module of `names` with its star imports spelled out; as it is where some may bind what is not known."""
    module = names.module
    taken = _taken(names) if module.root.stars else None
    if taken is None:
        return names
    body = [_spelled(node, taken[node]) if node in taken else node for node in module.tree.body]
    tree = ast.Module(body, module.tree.type_ignores)
    return Names(of_tree(module.name, module.package, module.source, tree), names.index, names.compat_module)


def imported_by_star(names: Names, word: str) -> str:
    """What a star import of a module of the tree brings in from outside of it: ``numpy`` where that says `import numpy
    as np` and `word` is `np`; empty for what is not known, and for what the tree makes itself."""
    known = names.index.readings.setdefault("imported by star", {})
    assert isinstance(known, dict)
    key = names.module.name, word
    if key not in known:
        found = _brought(names, word, 0) or ""
        known[key] = "" if found.startswith(("@", ".")) else found.replace("|", ".")
    path: str = known[key]
    return path


def _brought(names: Names, word: str, hops: int) -> str | None:
    """The meaning of a name by the last star import that has it; empty where none has, None where it is not known."""
    for star in reversed(names.module.root.stars):
        other = _imported(names, star)
        module = None if other is None else as_imported(other.module)
        if other is None or module is None or hops > _MAX_HOPS or not _BINDING.isdisjoint(other.module.loads):
            return None
        listed = public(module.tree)
        if word not in listed if listed is not None else word.startswith("_"):
            continue
        found = {meaning(other, word, binding) for binding in module.root.bindings.get(word, ())}
        if found:
            return found.pop() if len(found) == 1 else None
        inner = _brought(other, word, hops + 1)
        if inner != "":
            return inner
    return ""


def _spelled(node: ast.stmt, words: Sequence[str]) -> ast.stmt:
    assert isinstance(node, ast.ImportFrom)
    if not words:
        return ast.copy_location(ast.Pass(), node)
    aliases = [ast.copy_location(ast.alias(word), node.names[0]) for word in words]
    return ast.copy_location(ast.ImportFrom(node.module, aliases, node.level), node)


def _taken(names: Names) -> Mapping[ast.stmt, list[str]] | None:
    """The names that the module uses of each of its star imports; None where what one of them means is not known."""
    module = names.module
    given: dict[ast.stmt, frozenset[str]] = {}
    for node in module.root.stars:
        found = _given(names, node, 0) if node in module.tree.body else None
        if found is None:
            return None
        given[node] = found
    taken: dict[ast.stmt, list[str]] = {node: [] for node in given}
    for word in sorted(name for name, loads in module.loads.items() if any(is_global(module, load) for load in loads)):
        giving = [node for node in module.root.stars if word in given[node]]
        own = module.root.bindings.get(word)
        if not giving and own is None and not hasattr(builtins, word) and _may_be_hidden(names, word):
            return None
        meanings = {meaning(names, word, binding) for binding in own or ()} if giving else set()
        meanings |= {meaning(names, word, (node, ast.alias(word))) for node in giving}
        if len(meanings) > 1:
            return None
        if giving and own is None:
            taken[giving[-1]].append(word)
    return taken


def _given(names: Names, node: ast.ImportFrom, hops: int) -> frozenset[str] | None:
    """All names that a star import brings in; None where that is not known."""
    other = _imported(names, node)
    module = None if other is None else as_imported(other.module)
    if other is None or module is None or hops > _MAX_HOPS or not _HIDING.isdisjoint(other.module.loads):
        return None
    words = frozenset(module.root.bindings)
    for star in module.root.stars:
        more = _given(other, star, hops + 1)
        if more is None:
            return None
        words |= more
    listed = public(module.tree)
    if listed is None and "__all__" in words:
        return None
    return listed if listed is not None else frozenset(word for word in words if not word.startswith("_"))


def _imported(names: Names, node: ast.ImportFrom) -> Names | None:
    """The module of the tree that a `from` import names."""
    origin = star_origin(names.module, names.index, node, names.compat_module) or ""
    module = names.index.tree(origin[1:]) if origin.startswith("@") else None
    return None if module is None else Names(module, names.index, names.compat_module)


def _may_be_hidden(names: Names, word: str) -> bool:
    """Whether a name may be a module of a package, which is in the package once anything has imported it."""
    index = names.index
    origins = (star_origin(names.module, index, node, names.compat_module) or "" for node in names.module.root.stars)
    return any(index.has(f"{origin[1:]}.{word}") for origin in origins)


def meaning(names: Names, word: str, binding: Binding, hops: int = 0) -> str:
    """What tells one meaning of a name of a module from another: its symbol, what is imported, or where it is made."""
    symbol = names.lookup(word, names.module.root) or "@"
    if not symbol.startswith("@"):
        return symbol
    if not isinstance(binding, tuple) or hops > _MAX_HOPS:
        return f"@{names.module.name}|{word}"
    node, alias = binding
    origin = names.index.resolve(import_origin(names.module, names.index, node, alias, names.compat_module))
    if origin is not None and "|" not in origin:
        return origin
    other = _imported(names, node) if isinstance(node, ast.ImportFrom) else None
    if other is not None:
        bound = other.module.root.bindings.get(alias.name) or _from_stars(other, alias.name)
        found = {meaning(other, alias.name, item, hops + 1) for item in bound}
        return found.pop() if len(found) == 1 else f"@{other.module.name}|{alias.name}"
    if isinstance(node, ast.ImportFrom):
        return f"{node.level * '.'}{node.module}|{alias.name}"
    return alias.name if alias.asname else alias.name.partition(".")[0]


def _from_stars(names: Names, word: str) -> list[Binding]:
    """The last of a module's star imports that brings in a name."""
    giving = [node for node in names.module.root.stars if word in (_given(names, node, 0) or ())]
    return [(node, ast.alias(word)) for node in giving[-1:]]
