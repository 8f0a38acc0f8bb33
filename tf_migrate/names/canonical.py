"""The canonical TensorFlow name of an expression: ``slim.conv2d`` is ``tf.contrib.slim.conv2d``.

Names are followed through imports, aliases, rebinding, star imports and other modules of the tree, with Python's own
rules of scope: a parameter, loop variable or function of that name is not TensorFlow.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tf_migrate.names.bindings import binding_origin, import_origin, imported_package, star_origin
from tf_migrate.names.exports import Index
from tf_migrate.names.origins import canonical, first_known, is_explicit_v1, is_standalone_keras
from tf_migrate.syntax.module import Binding, Module, Scope

_MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Use:
    """One place that reads a TensorFlow symbol: the longest dotted expression there.

    ``symbol`` is canonical, ``root`` the name it begins with, ``origin`` that name's own (not canonical) origin, and
    ``call`` the call whose function it is.
    """

    node: ast.Name | ast.Attribute
    root: ast.Name
    symbol: str
    origin: str
    explicit_v1: bool
    call: ast.Call | None


class Names:
    """Resolves the expressions of one module."""

    def __init__(self, module: Module, index: Index, compat_module: str = "compat") -> None:
        self.module = module
        self.index = index
        self.compat_module = compat_module
        self.readings: dict[str, object] = {}  # what analyses know of the module, each read once
        self._cache: dict[tuple[int, str], str | None] = {}

    def of(self, node: ast.expr) -> str | None:
        """The canonical symbol of an expression (``tf.placeholder``, ``compat.Session``), None when it is neither's."""
        origin = self.origin(node)
        return None if origin is None or origin.startswith("@") else canonical(origin)

    def resolve(self, node: ast.expr) -> str | None:
        """The same as ``of``."""
        return self.of(node)

    def origin(self, node: ast.expr) -> str | None:
        """Where an expression comes from, ``tf.compat.v1`` kept apart (see ``exports``)."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            scope = self.module.scopes.get(node)
            origin = self.lookup(node.id, scope if scope is not None else self.module.scope_of(node))
        else:
            origin = imported_package(node) if isinstance(node, ast.Call) else None
            if origin is None and isinstance(node, ast.Call) and not attributes:
                origin = self.returned(node.func)
        while attributes and origin is not None:
            origin = self.index.attribute(origin, attributes.pop())
        return origin

    def returned(self, function: ast.expr) -> str | None:
        """TensorFlow, where a function returns just that: one that sets the environment before it imports it, say."""
        word = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        if word not in self.index.returning:
            return None
        made = self.definition(function)
        if made is None and isinstance(function, ast.Name) and self.module.root.bindings.get(word) == [None]:
            made = (self.module.name, word) if self.module.binding_scope(function) is self.module.root else None
        exports = None if made is None else self.index.exports.get(made[0])
        return None if made is None or exports is None else exports.origins.get(f"{made[1]}()")

    def raw_origin(self, node: ast.Name) -> str | None:
        """Origin of a name before it is followed into the tree: ``@pkg.ops|conv2d`` for a function of ``pkg.ops``.

        None for a name that stands in another module.
        """
        scope = self.module.scopes.get(node)
        return None if scope is None else self._search(node.id, scope)

    def definition(self, node: ast.expr) -> tuple[str, str] | None:
        """The module of the tree that makes what an expression means (a function, a class), and its name there."""
        if isinstance(node, ast.Attribute):
            base = self.origin(node.value) or ""
            return self.index.made_in(base[1:], node.attr) if base.startswith("@") and "|" not in base else None
        if not isinstance(node, ast.Name) or node not in self.module.scopes:
            return None
        origin = self.raw_origin(node) or ""
        module, bar, path = origin[1:].partition("|")
        if origin.startswith("@"):
            return self.index.made_in(module, path) if bar else None
        maker = None if node.id in self.module.root.bindings else self.maker(node.id)
        return None if maker is None else (maker, node.id)

    def maker(self, name: str) -> str | None:
        """The module of the tree that makes a name which this module has from a star import."""
        nodes = self.module.root.stars if not self.is_bound(name) else ()
        origins = (star_origin(self.module, self.index, node, self.compat_module) for node in nodes)
        return self.index.maker([origin for origin in origins if origin is not None], name)

    def lookup(self, name: str, scope: Scope) -> str | None:
        """Origin of a name as a scope sees it."""
        key = id(scope), name
        if key in self._cache:
            return self._cache[key]
        self._cache[key] = None  # a name that is bound to itself is bound to nothing
        self._cache[key] = origin = self._known(self.index.resolve(self._search(name, scope)))
        return origin

    @cached_property
    def keeps_keras2(self) -> bool:
        """Whether Keras is Keras 2 here, the stand-alone package too."""
        return self.module.name in self.index.keras2

    def _known(self, origin: str | None) -> str | None:
        """The origin; None for a stand-alone Keras that is none of TensorFlow 1's programs."""
        foreign = origin is not None and is_standalone_keras(origin) and not self.keeps_keras2
        return None if foreign else origin

    def is_bound(self, name: str) -> bool:
        """Whether the module binds a name anywhere, in any scope."""
        return any(name in scope.bindings for scope in self.module.every_scope)

    def is_foreign(self, name: str) -> bool:
        """Whether some scope binds a name to anything but the shims."""
        return any(name in scope.bindings and self.lookup(name, scope) != "compat" for scope in self.module.every_scope)

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """Every use of a TensorFlow symbol, in order of the text; uses of the shims are not among them."""
        found = [use for name in self.module.loads for use in self._uses_of(name)]
        return tuple(sorted(found, key=lambda use: (use.root.lineno, use.root.col_offset)))

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names inside of TensorFlow that the module assigns to."""
        return frozenset(use.symbol for use in self.uses if isinstance(use.node.ctx, ast.Store))

    @cached_property
    def shims(self) -> tuple[str, ...]:
        """What is read of the shims, ``compat.train.Saver.restore`` say: one for each place."""
        if not self.imports_compat:
            return ()
        found: list[str] = []
        for name, roots in self.module.loads.items():
            for root in roots:
                origin = self.lookup(name, self.module.scopes[root]) or ""
                if origin.startswith("compat"):
                    parent = self.module.parents[root]
                    while isinstance(parent, ast.Attribute):
                        origin, parent = f"{origin}.{parent.attr}", self.module.parents[parent]
                    found.append(origin)
        return tuple(found)

    @cached_property
    def tf_roots(self) -> tuple[str, ...]:
        """Module-level names that mean the ``tensorflow`` package itself, in order of the text."""
        root = self.module.root
        return tuple(name for name in root.bindings if self.lookup(name, root) in ("tf", "tf.compat.v1"))

    @cached_property
    def imports_compat(self) -> bool:
        """Whether the module imports the shims already."""
        return any(
            (self.import_origin(node, alias) or "").partition(".")[0] == "compat"
            for node, _ in self.module.imports
            for alias in node.names
        )

    def import_origin(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str | None:
        """Origin of what one part of an import brings in (of its module, for a star)."""
        if isinstance(node, ast.ImportFrom) and alias.name == "*":
            return star_origin(self.module, self.index, node, self.compat_module)
        return self._known(self.index.resolve(import_origin(self.module, self.index, node, alias, self.compat_module)))

    def _uses_of(self, name: str) -> Iterator[Use]:
        parents = self.module.parents
        for root in self.module.loads[name]:
            root_origin = origin = self.lookup(name, self.module.scopes[root])
            if origin is None or origin.startswith("compat"):
                continue
            node: ast.Name | ast.Attribute = root
            parent = parents[node]
            while isinstance(parent, ast.Attribute):
                extended = self.index.attribute(origin, parent.attr)
                if extended is None:
                    break
                origin, node, parent = extended, parent, parents[parent]
            if origin.startswith(("@", "compat")):
                continue
            call = parent if isinstance(parent, ast.Call) and parent.func is node else None
            assert root_origin is not None
            yield Use(node, root, canonical(origin), root_origin, is_explicit_v1(origin), call)

    def _search(self, name: str, scope: Scope) -> str | None:
        current: Scope | None = scope
        if scope.elsewhere.get(name) == "global":
            current = self.module.root
        while current is not None:
            if name in current.bindings and (current is scope or not current.is_class):
                if current is self.module.root:
                    kept = current.bindings[name]
                    found = binding_origin(self.module, self.index, kept, self.compat_module)
                    called = found is None and any(isinstance(each, ast.Call) for each in kept)
                    return self._bound_locally(kept, current) if called else found
                return self._bound_locally(current.bindings[name], current)
            if current.stars:
                origins = (star_origin(self.module, self.index, node, self.compat_module) for node in current.stars)
                return self.index.star([origin for origin in origins if origin is not None], name)
            current = current.parent
        return None

    def _bound_locally(self, bindings: list[Binding], scope: Scope) -> str | None:
        found: list[str] = []
        for binding in bindings:
            if binding is None:
                return None
            if isinstance(binding, tuple):
                origin = self.import_origin(*binding)
            elif isinstance(binding, ast.Constant) and binding.value is None:
                continue
            else:
                origin = self.origin(binding)
            if origin is None:
                return None
            found.append(origin)
        return first_known(found)
