"""Names that mean one thing in one module of a program and another in another one: told apart while these are one.

Behind such a name stands a mark (`RATEˑ2`) in all modules but those of one meaning, before the modules are joined. What
comes of a module has its marks taken away again, and every name must then mean what it meant with them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tf_migrate.changes.edits import Edit, apply
from tf_migrate.files.source import Source, SourceError, parse
from tf_migrate.names.canonical import Names
from tf_migrate.names.stars import meaning
from tf_migrate.syntax.module import Module, Scope, load, of_tree
from tf_migrate.syntax.unbound import is_global

_MARK = "ˑ"  # a letter, so that a marked name is a name; no program has it in one
_MARKS = re.compile(rf"{_MARK}\d+")
_ALIAS = re.compile(rf"(?<![\w.])(\w+) as \1{_MARK}\d+")
_BY_TEXT = frozenset({"eval", "exec", "globals", "locals"})
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_BOUND_AS_TEXT = ast.ExceptHandler | ast.MatchAs | ast.MatchStar | ast.MatchMapping


class _Unmarked(Exception):
    """A name that no mark can be put behind wherever it stands."""


def unmarked(text: str) -> str:
    """A text without its marks."""
    return _MARKS.sub("", _ALIAS.sub(r"\1", text)) if _MARK in text else text


def keeps_meanings(module: Module, text: str) -> bool:
    """Whether every name of a new text of a module means without its marks what it means with them."""
    if _MARK not in text:
        return True
    try:
        marked, plain = (_read(module, version) for version in (text, unmarked(text)))
    except SourceError:
        return True  # the verification tells it
    return _alike(marked, plain)


def _read(module: Module, text: str) -> Module:
    source = Source(module.path, b"", text, "utf-8", bom=False)
    return of_tree(module.name, module.package, source, parse(source))


def _alike(marked: Module, plain: Module) -> bool:
    """Whether two texts that differ by their marks bind and read the same, and no attribute or keyword has one."""
    texts = (getattr(node, "attr", None) or getattr(node, "arg", None) for node in ast.walk(marked.tree))
    if any(_MARK in text for text in texts if text):
        return False
    scopes = list(zip(marked.every_scope, plain.every_scope, strict=True))
    if any([unmarked(name) for name in own.bindings] != list(bare.bindings) for own, bare in scopes):
        return False
    bare_of = {id(own): bare for own, bare in scopes}
    outermost: dict[str, str] = {}
    names = (node for node in ast.walk(plain.tree) if isinstance(node, ast.Name))
    for node, bare in zip((node for node in ast.walk(marked.tree) if isinstance(node, ast.Name)), names, strict=True):
        scope = marked.binding_scope(node)
        if plain.binding_scope(bare) is not (None if scope is None else bare_of[id(scope)]):
            return False
        outside = scope is None or scope is marked.root
        if outside and outermost.setdefault(bare.id, node.id) != node.id:
            return False
    return True


def told_apart(members: Sequence[Names]) -> list[Names]:
    """The modules with marks behind the names that mean several things; names that cannot have one stay."""
    if any(_MARK in names.module.source.text for names in members):
        return list(members)
    marks: list[dict[str, str]] = [{} for _ in members]
    edits: list[list[Edit]] = [[] for _ in members]
    for name, groups in _clashes(members):
        try:
            found = [
                (place, f"{_MARK}{number}", list(_places(members[place], name, f"{_MARK}{number}")))
                for number, group in enumerate(groups, 2)
                for place in group
            ]
        except _Unmarked:
            continue
        for place, mark, own in found:
            marks[place][name] = mark
            edits[place] += own
    return [
        with_text(names, apply(names.module.source.text, own), known) if known else names
        for names, known, own in zip(members, marks, edits, strict=True)
    ]


def _clashes(members: Sequence[Names]) -> Iterator[tuple[str, list[list[int]]]]:
    """The names with several meanings, and the members that have each of them but the first.

    First is what no module binds, where one reads it: a built-in function, say. Then comes the script's meaning, which
    `tf.app.run()` finds by its name.
    """
    meanings: dict[str, dict[frozenset[str], list[int]]] = {}
    for place in (len(members) - 1, *range(len(members) - 1)):
        names = members[place]
        for name, bindings in names.module.root.bindings.items():
            own = frozenset(meaning(names, name, binding) for binding in bindings)
            meanings.setdefault(name, {}).setdefault(own, []).append(place)
    for name, groups in sorted(meanings.items()):
        unbound = any(_reads_unbound(names.module, name) for names in members)
        marked = list(groups.values())[0 if unbound else 1 :]
        if marked:
            yield name, marked


def _reads_unbound(module: Module, name: str) -> bool:
    loads = () if name in module.root.bindings else module.loads.get(name, ())
    return any(is_global(module, load) for load in loads)


def _places(names: Names, name: str, mark: str) -> Iterator[Edit]:
    """The edits that put a mark behind a name of the module wherever it stands."""
    module = load(names.module.source)  # what the program does not read of it has the marks, too
    if (
        name.startswith("__")
        or not _BY_TEXT.isdisjoint(module.loads)
        or any(not call.args for call in _calls(module, "vars"))
    ):
        raise _Unmarked
    for node, scope in module.scopes.items():
        if isinstance(node, ast.Name) and node.id == name:
            yield from _behind_name(module, node, scope, mark)
        elif isinstance(node, _DEFINITIONS) and node.name == name and _is_of_module(scope, name):
            yield _behind_word(module, node, r"(?:async\s+)?(?:def|class)\s+", name, mark)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global) and name in node.names:
            yield _behind_word(module, node, r"global\b[^#\n]*?[\s,]", name, mark)
        if isinstance(node, _BOUND_AS_TEXT) and name in (getattr(node, "name", None), getattr(node, "rest", None)):
            raise _Unmarked
    for imported, scope in module.imports:
        if _is_of_module(scope, name) and module.source.segment(imported).rstrip()[-1] != "*":
            yield from _behind_imports(module, imported, name, mark)


def _behind_name(module: Module, node: ast.Name, scope: Scope, mark: str) -> Iterator[Edit]:
    if scope.is_class and node.id in scope.bindings and isinstance(node.ctx, ast.Load):
        raise _Unmarked  # the class's own or, before that is bound, the module's
    if not is_global(module, node):
        return
    if any(isinstance(outer, ast.JoinedStr) for outer in module.around(node)):
        raise _Unmarked  # Python 3.11 does not tell where it stands
    yield _behind_word(module, node, "", node.id, mark)


def _behind_word(module: Module, node: ast.expr | ast.stmt | ast.alias, before: str, word: str, mark: str) -> Edit:
    start = module.source.start(node)
    found = re.compile(rf"{before}({word})(?!\w)").match(module.source.text, start)
    if found is None:
        raise _Unmarked
    return Edit(found.end(), found.end(), mark)


def _behind_imports(module: Module, node: ast.Import | ast.ImportFrom, name: str, mark: str) -> Iterator[Edit]:
    for alias in node.names:
        end = module.source.end(alias)
        if alias.asname == name:
            yield Edit(end, end, mark)
        elif alias.asname is None and alias.name == name:
            yield Edit(end, end, f" as {name}{mark}")
        elif alias.asname is None and alias.name.partition(".")[0] == name:
            raise _Unmarked


def _is_of_module(scope: Scope, name: str) -> bool:
    return scope.parent is None or scope.elsewhere.get(name) == "global"


def _calls(module: Module, function: str) -> Iterator[ast.Call]:
    return (call for call in module.calls if isinstance(call.func, ast.Name) and call.func.id == function)


def with_text(names: Names, text: str, marks: Mapping[str, str] = MappingProxyType({})) -> Names:
    """The module with another text of the same statements; what star imports bring in has the marks."""
    module = names.module
    source = replace(module.source, text=text)
    tree = parse(source)
    tree.body = [_read_as(new, old, marks) for new, old in zip(tree.body, module.tree.body, strict=True)]
    return Names(of_tree(module.name, module.package, source, tree), names.index, names.compat_module)


def _read_as(new: ast.stmt, old: ast.stmt, marks: Mapping[str, str]) -> ast.stmt:
    """A statement as the module has it: without it, or as far as it is known what a star import brings in."""
    if isinstance(old, ast.Pass):
        return ast.copy_location(ast.Pass(), new)
    star = isinstance(new, ast.ImportFrom) and new.names[0].name == "*"
    return _brought_in(new, old, marks) if star and isinstance(new, ast.ImportFrom) else new


def _brought_in(star: ast.ImportFrom, known: ast.stmt, marks: Mapping[str, str]) -> ast.stmt:
    """A star import of the text, as far as it is known what it brings in."""
    if not isinstance(known, ast.ImportFrom):
        return known
    if known.names[0].name != "*":
        words = ((word := alias.name, word + marks[word] if word in marks else None) for alias in known.names)
        star.names = [ast.copy_location(ast.alias(*item), star.names[0]) for item in words]
    return star
