"""Several modules read as one: their texts behind each other, and a name means the same in all of them.

What one of them imports from another is that other's own name: the import binds nothing, and `model.Line` is `Line`.
Positions are those of the joined text, so that an edit made to it belongs to one of the modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf_migrate.files.source import Source, parse
from tf_migrate.names.bindings import import_origin, star_origin
from tf_migrate.names.building import Building, main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.names.drawing import SEEDS
from tf_migrate.names.stars import meaning
from tf_migrate.programs.marks import told_apart, unmarked, with_text
from tf_migrate.programs.reflection import reaching
from tf_migrate.syntax.module import Module, of_tree
from tf_migrate.syntax.unbound import is_global

_BETWEEN = "pass\n"


class Apart(Exception):
    """Modules that cannot be read as one, or not be converted as one; the text says why, `members` which."""

    def __init__(self, reason: str, members: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.members = members


@dataclass(frozen=True)
class Part:
    """One module of several: its text goes from `start` to `end` of theirs, its first line stands behind `above`.

    Where a name means several things in them, there are marks in its text.
    """

    names: Names
    start: int
    end: int
    above: int
    below: int
    newline: str

    def written(self, text: str) -> str:
        """A new text of the module as its file has it: without marks, its lines ended as there."""
        return unmarked(text) if self.newline == self.module.source.newline else unmarked(text).replace("\n", "\r\n")

    @property
    def module(self) -> Module:
        """The module by itself."""
        return self.names.module


@dataclass(frozen=True)
class Joined:
    """The modules as one, which has the name of the last: the script."""

    names: Names
    parts: tuple[Part, ...]

    @property
    def module(self) -> Module:
        """The one module."""
        return self.names.module

    def part_of(self, line: int) -> Part:
        """The module that a line belongs to."""
        return next(part for part in self.parts if line <= part.below)


def join(members: Sequence[Names]) -> Joined:
    """Reads modules as one, in order of import; raises Apart where that would change what a name means."""
    parts, text = _laid_out(members)
    script = members[-1].module
    source = Source(script.path, b"", text, "utf-8", bom=False, ends=tuple(part.below for part in parts))
    tree = parse(source)
    tree.body = [_said(part, node) for node in tree.body for part in parts if part.above < node.lineno <= part.below]
    _require_definitions(parts)
    inner = _Inner(parts, Joined(members[-1], parts), of_tree(script.name, script.package, source, tree))
    module = of_tree(script.name, script.package, source, inner.visit(tree))
    joined = Joined(Names(module, members[-1].index, members[-1].compat_module), parts)
    _require_same_names(joined, inner)
    _require_named(joined)
    return joined


def _said(part: Part, node: ast.stmt) -> ast.stmt:
    """A statement of the joined text as its module is read: without it, or with what a star import brings in."""
    place = node.lineno - part.above, node.col_offset
    own = next(other for other in part.module.tree.body if (other.lineno, other.col_offset) == place)
    if isinstance(own, ast.Pass):
        return ast.copy_location(ast.Pass(), node)
    if isinstance(node, ast.ImportFrom) and isinstance(own, ast.ImportFrom) and node.names[0].name == "*":
        node.names = own.names
    return node


def _laid_out(members: Sequence[Names]) -> tuple[tuple[Part, ...], str]:
    parts: list[Part] = []
    text, above = "", 0
    newlines = [names.module.source.newline for names in members]
    if len(set(newlines)) > 1:
        members = [_with_plain_lines(names) for names in members]
    for names, newline in zip(told_apart(members), newlines, strict=True):
        source = names.module.source
        if source.cells is not None:
            raise Apart(f"`{source.path}` is a notebook")
        own = source.text if source.text.endswith("\n") else source.text + source.newline
        below = above + len(Source(source.path, b"", own, "utf-8", bom=False).line_starts) - 1
        parts.append(Part(names, len(text), len(text) + len(own), above, below, newline))
        text += own + _BETWEEN
        above = below + 1
    return tuple(parts), text


def _with_plain_lines(names: Names) -> Names:
    """The module with `\\n` at the end of each line, where all of them end in `\\r\\n`."""
    source = names.module.source
    text = source.text.replace("\r\n", "\n")
    if "\r" in text or (text != source.text and text.replace("\n", "\r\n") != source.text):
        raise Apart(f"the lines of `{source.path}` end in several ways")
    return names if text == source.text else with_text(names, text)


def _require_definitions(parts: Sequence[Part]) -> None:
    """Refuses an imported module that does more than define: the order of the joined text is not that of running."""
    seeding = {part.module.path for part in parts for use in part.names.uses if use.symbol in SEEDS}
    for part in parts[:-1]:
        building = Building(part.module, part.names)
        for node in part.module.tree.body:
            if main_guard(node) is not None:
                raise Apart(f"line {node.lineno} of `{part.module.path}` runs something else when it is imported")
            if building.possibly(node) and not (len(seeding) == 1 and _is_seed(node, part.names)):
                raise Apart(f"line {node.lineno} of `{part.module.path}` may build when it is imported")


def _is_seed(node: ast.stmt, names: Names) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and names.resolve(call.func) in SEEDS


class _Inner(ast.NodeTransformer):
    """Takes out the imports of one part from another, and spells `model.Line` as `Line`."""

    def __init__(self, parts: Sequence[Part], joined: Joined, module: Module) -> None:
        self.parts = {part.module.name: part for part in parts}
        self.joined = joined
        self.module = module
        self.spelled: set[ast.Name] = set()
        self.modules = dict(self._modules())

    def _modules(self) -> Iterator[tuple[ast.Name, str]]:
        """The names that mean one of the modules, where they are read."""
        for node, scope in self.module.imports:
            part = self.joined.part_of(node.lineno)
            for alias in node.names:
                target = None if alias.name == "*" else self._target(part, node, alias)
                if target is None:
                    continue
                word = alias.asname or alias.name
                if scope is not self.module.root or "." in word:
                    raise Apart(f"`{ast.unparse(node)}` stands inside a function, or gives no plain name")
                for load in self.module.loads.get(word, []):
                    if self.joined.part_of(load.lineno) is part and is_global(self.module, load):
                        yield load, target

    def _target(self, part: Part, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str | None:
        """The one of the modules that an import means as a whole."""
        index = part.names.index
        origin = index.resolve(import_origin(part.module, index, node, alias, part.names.compat_module)) or ""
        return origin[1:] if origin.startswith("@") and origin[1:] in self.parts else None

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        """An import of one of the modules binds nothing."""
        part = self.joined.part_of(node.lineno)
        names = [alias for alias in node.names if self._target(part, node, alias) is None]
        return self._kept(part, node, names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        """An import from one of the modules binds what is there already."""
        part = self.joined.part_of(node.lineno)
        names = [alias for alias in node.names if not self._is_inner(part, node, alias)]
        return self._kept(part, node, names)

    def _kept(self, part: Part, node: ast.Import | ast.ImportFrom, names: list[ast.alias]) -> ast.stmt:
        """What stays of an import, spelled as the script would."""
        origins = [self._origin(part.module, node, alias) for alias in names]
        if isinstance(node, ast.ImportFrom) and node.level:
            base = star_origin(part.module, part.names.index, node, part.names.compat_module)
            node.module, node.level = (base or "@")[1:], 0
        script = self.joined.module
        for alias, origin in zip(names, origins, strict=True):
            if self._origin(script, node, alias) != origin:
                raise Apart(f"`{ast.unparse(node)}` of `{part.module.path}` means another module elsewhere")
        node.names = [alias for alias in names if not self._is_bound_before(part, node, alias)]
        return node if node.names else ast.copy_location(ast.Pass(), node)

    def _origin(self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str | None:
        names = self.joined.names
        if alias.name == "*" and isinstance(node, ast.ImportFrom):
            return star_origin(module, names.index, node, names.compat_module)
        return import_origin(module, names.index, node, alias, names.compat_module)

    def _is_bound_before(self, part: Part, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
        """Whether a module before this one binds the name already, to the same as `_require_same_names` sees to."""
        word = alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
        before = self.joined.parts[: self.joined.parts.index(part)]
        at_the_top = self.module.parents[node] is self.module.tree
        return at_the_top and any(word in other.module.root.bindings for other in before)

    def _is_inner(self, part: Part, node: ast.ImportFrom, alias: ast.alias) -> bool:
        if alias.name != "*" and self._target(part, node, alias) is not None:
            return True
        index = part.names.index
        base = star_origin(part.module, index, node, part.names.compat_module) or ""
        if base[1:] not in self.parts or not base.startswith("@"):
            return False
        if alias.name == "*":
            return False  # the module binds what is not known
        made = index.made_in(base[1:], alias.name)
        if made is not None and made[0] not in self.parts:
            return False
        symbol = index.resolve(f"{base}|{alias.name}")
        if made is None and symbol is not None:
            return False
        joined, word = self._made(base[1:], alias.name), alias.asname or alias.name
        if joined not in (None, word) and unmarked(word) == alias.name:
            home = self.parts[base[1:]].module.path
            raise Apart(f"`{alias.name}` means one thing in `{home}` and another in `{part.module.path}`")
        if joined != word:
            raise Apart(f"`{ast.unparse(node)}` gives another name, or something that no module here makes")
        return True

    def _made(self, module: str, name: str) -> str | None:
        """What a name of one of the modules is called in all of them, where one of them makes it."""
        made = self.joined.names.index.made_in(module, name)
        if made is None or made[0] not in self.parts or made[1] != name:
            return None
        bound = self.parts[made[0]].module.root.bindings
        return next((word for word in bound if unmarked(word) == name), None)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """A name of one of the modules, spelled with the module before it."""
        if isinstance(node.value, ast.Name) and node.value in self.modules:
            made = self._made(self.modules.pop(node.value), node.attr)
            if made is None or not isinstance(node.ctx, ast.Load):
                raise Apart(f"`{ast.unparse(node)}` is bound, or no module here makes it")
            name = ast.copy_location(ast.Name(made, ast.Load()), node)
            self.spelled.add(name)
            return name
        self.generic_visit(node)
        return node

    def require_spelled(self) -> None:
        """Refuses a module that is used in any other way than for its names."""
        if self.modules:
            raise Apart(f"the module `{next(iter(self.modules)).id}` is used as a value")


def _require_same_names(joined: Joined, inner: _Inner) -> None:
    """Refuses names that mean one thing in one module and another, or nothing, in another one."""
    inner.require_spelled()
    meanings: dict[str, tuple[Part, object]] = {}
    for part in joined.parts:
        for name, bindings in part.module.root.bindings.items():
            own = frozenset(unmarked(meaning(part.names, name, binding)) for binding in bindings)
            first, known = meanings.setdefault(name, (part, own))
            if known != own:
                raise Apart(f"`{name}` means one thing in `{first.module.path}` and another in `{part.module.path}`")
    known_in = {part.module.name: part.module.root.bindings for part in joined.parts}
    for name in joined.module.root.bindings:
        for load in joined.module.loads.get(name, []):
            part = joined.part_of(load.lineno)
            seen = load in inner.spelled or name in known_in[part.module.name]
            if not seen and is_global(joined.module, load):
                raise Apart(f"`{name}`, which `{part.module.path}` reads, is a name of another module")


def _require_named(joined: Joined) -> None:
    """Refuses attributes that are reached by a text, where the object may be one of a class of these modules."""
    call = next(reaching(joined.names), None)
    if call is not None:
        part = joined.part_of(call.lineno)
        raise Apart(f"`{ast.unparse(call)}` of `{part.module.path}` may reach into an object")
