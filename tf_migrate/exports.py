"""What each module of the tree gives to the others, by name: the part of a module that outlives its syntax tree.

A name's *origin* is a string. ``tf.contrib.slim`` is TensorFlow's, ``compat.layers`` the shims', and
``@pkg.ops|slim.conv2d`` says "``slim.conv2d`` in the tree's module ``pkg.ops``", which :class:`Index` follows to what
it really is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tf_migrate import facts
from tf_migrate.module import Binding, Module
from tf_migrate.outline import Outline

_V1 = "tf.compat.v1"
# Names inside the package that are no public API: these stay spelled out as they are imported.
_SPELLED_OUT = ("python", "core", "examples", "tools", "models", "tensorboard", "compiler")
_MAX_HOPS = 20
# Told by the text alone, because it must be known of every module before any is resolved; it decides only whether a
# script that builds through other modules opens a graph.
_TF1_ONLY = re.compile(
    r"\b(?:placeholder\w*|\w*Session|get_variable|variable_scope|contrib|compat\.v1|get_collection|global_variables"
    r"|global_variables_initializer|initialize_all_variables|layers\.dense|layers\.conv\w+|GraphKeys|ConfigProto"
    r"|train\.\w+Optimizer|app\.run|app\.flags|get_default_graph|summary\.FileWriter|Graph\(\))"
)


@dataclass(frozen=True, slots=True)
class Exports:
    """The top-level names of one module that lead to TensorFlow or to another module of the tree.

    ``opaque`` are the names that the module makes itself, ``stars`` the origins of its star imports, ``imported`` every
    dotted name that it imports anything from, ``public`` its ``__all__`` where that is a plain list, ``tf1`` whether
    it holds what only TensorFlow 1 has.
    """

    module: str
    origins: Mapping[str, str]
    opaque: frozenset[str]
    stars: tuple[str, ...]
    imported: frozenset[str]
    public: frozenset[str] | None
    tf1: bool = False

    def exports(self, name: str) -> bool:
        """Whether a star import of this module takes the name along."""
        return name in self.public if self.public is not None else not name.startswith("_")


class Index:
    """All modules of the tree: finds modules by what an import says, and follows origins across modules."""

    def __init__(self, modules: Iterable[tuple[str, bool]], exports: Mapping[str, Exports], inside: str = "") -> None:
        """``modules`` are the dotted names of all files and whether each is a package's ``__init__``.

        ``inside`` is the dotted name of the package that the tree's own folder is, empty where it is none: a tree
        ``mypkg/`` has a module ``ops`` that its files import as ``mypkg.ops``.
        """
        self.inside = inside
        self.modules = dict(modules)
        self.exports = exports
        self.folders = {name.rsplit(".", depth)[0] for name in self.modules for depth in range(1, name.count(".") + 1)}
        self._found: dict[tuple[str, str], str | None] = {}

    def find(self, package: str, dotted: str) -> str | None:
        """The tree's module (or folder) that ``import dotted`` means in a module of ``package``.

        Every folder above the importing file may be on ``sys.path``: the innermost one that has the name wins.
        """
        key = package, dotted
        if key not in self._found:
            candidates = _candidates(package, dotted, self.inside)
            self._found[key] = next((name for name in candidates if self.has(name)), None)
        return self._found[key]

    def has(self, name: str) -> bool:
        """Whether a dotted name is a module or folder of the tree."""
        return name in self.modules or name in self.folders

    def attribute(self, origin: str, attribute: str) -> str | None:
        """The origin of ``<origin>.attribute``."""
        if not origin.startswith("@"):
            return _join(origin, attribute)
        module, _, rest = origin[1:].partition("|")
        return self._follow(module, f"{rest}.{attribute}" if rest else attribute, 0)

    def resolve(self, origin: str | None) -> str | None:
        """Follows a reference into the tree until it names TensorFlow, the shims or a module; None if it is neither."""
        if origin is None or not origin.startswith("@") or "|" not in origin:
            return origin
        module, _, rest = origin[1:].partition("|")
        return self._follow(module, rest, 0)

    def star(self, origins: Iterable[str], name: str) -> str | None:
        """The origin of a name that only star imports can have bound; the last one that has it wins."""
        for origin in reversed(tuple(origins)):
            found, known = self._in_star(origin, name, 0)
            if known:
                return found
        return None

    @cached_property
    def imported_modules(self) -> frozenset[str]:
        """Modules of the tree that another module of the tree imports."""
        return frozenset(name for module, names in self._imports.items() for name in names if name != module)

    def is_taken(self, module: str, name: str) -> bool:
        """Whether another module imports a name from this one, or all of its names."""
        return any(
            f"@{module}" in exports.stars or self._takes(exports, module, name)
            for exports in self.exports.values()
            if exports.module != module
        )

    def _takes(self, exports: Exports, module: str, name: str) -> bool:
        package = self._package(exports.module)
        suffix = f".{name}"
        return any(
            dotted.endswith(suffix) and self.find(package, dotted.removesuffix(suffix)) == module
            for dotted in exports.imported
        )

    def reaches_tf1(self, module: str) -> bool:
        """Whether a module, or one that it imports, holds code of TensorFlow 1."""
        return module in self._reaching_tf1

    def reaches_tensorflow(self, module: str) -> bool:
        """Whether a module, or one that it imports, has a name that leads to TensorFlow."""
        return module in self._reaching_tensorflow

    def imports_tf1(self, module: str) -> bool:
        """Whether a module that this one imports holds, or imports, code of TensorFlow 1."""
        return any(name in self._reaching_tf1 for name in self._imports.get(module, ()) if name != module)

    def serves_tf1(self, module: str) -> bool:
        """Whether a module that holds code of TensorFlow 1 imports this one, directly or not."""
        return module in self._serving_tf1

    @cached_property
    def _serving_tf1(self) -> frozenset[str]:
        holding = [name for name, exports in self.exports.items() if exports.tf1]
        return _closure(self._imports, holding) - frozenset(holding)

    @cached_property
    def _imports(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for exports in self.exports.values():
            package = self._package(exports.module)
            names = (self.find(package, dotted) for dotted in exports.imported)
            found[exports.module] = {name for name in names if name is not None}
        return found

    @cached_property
    def _reaching_tf1(self) -> frozenset[str]:
        return self._importing(name for name, exports in self.exports.items() if exports.tf1)

    @cached_property
    def _reaching_tensorflow(self) -> frozenset[str]:
        return self._importing(
            name
            for name, exports in self.exports.items()
            if any(not origin.startswith("@") for origin in exports.origins.values())
        )

    def _importing(self, modules: Iterable[str]) -> frozenset[str]:
        """Modules, and all that import one of them, directly or not."""
        importers: dict[str, set[str]] = {}
        for module, names in self._imports.items():
            for name in names:
                importers.setdefault(name, set()).add(module)
        return _closure(importers, modules)

    def _package(self, module: str) -> str:
        return module if self.modules.get(module) else module.rpartition(".")[0]

    def _follow(self, module: str, path: str, hops: int) -> str | None:
        if hops > _MAX_HOPS:
            return None
        first, _, rest = path.partition(".")
        exports = self.exports.get(module)
        found: str | None = None
        if exports is not None and first in exports.origins:
            found = self._hop(exports.origins[first], hops)
        elif exports is not None and first in exports.opaque:
            return None
        elif self.has(f"{module}.{first}" if module else first):
            found = f"@{module}.{first}" if module else f"@{first}"
        elif exports is not None:
            for origin in reversed(exports.stars):
                found, known = self._in_star(origin, first, hops + 1)
                if known:
                    break
        if found is None or not rest:
            return found
        if found.startswith("@"):
            return self._follow(found[1:], rest, hops + 1)
        return _join(found, rest)

    def _hop(self, origin: str, hops: int) -> str | None:
        if not origin.startswith("@") or "|" not in origin:
            return origin
        module, _, rest = origin[1:].partition("|")
        return self._follow(module, rest, hops + 1)

    def _in_star(self, origin: str, name: str, hops: int) -> tuple[str | None, bool]:
        if not origin.startswith("@"):
            symbol = _join(origin, name)
            known = facts.lookup(canonical(symbol)) is not None
            return (symbol, True) if known else (None, False)
        exports = self.exports.get(origin[1:])
        if exports is None or hops > _MAX_HOPS or not exports.exports(name):
            return None, False
        if name in exports.opaque:
            return None, True
        found = self._follow(origin[1:], name, hops + 1)
        return found, found is not None


def canonical(origin: str) -> str:
    """``tf.compat.v1.x`` means ``tf.x`` as TensorFlow 1 had it."""
    return "tf" + origin[len(_V1) :] if origin == _V1 or origin.startswith(_V1 + ".") else origin


def is_explicit_v1(origin: str) -> bool:
    """Whether the name was reached through ``tensorflow.compat.v1``."""
    return origin == _V1 or origin.startswith(_V1 + ".")


def summarize(module: Outline, index: Index, compat_module: str) -> Exports:
    """What a parsed module gives to others; ``index`` needs no exports for this, only the tree's modules."""
    origins: dict[str, str] = {}
    opaque: set[str] = set()
    for name, bindings in module.root.bindings.items():
        origin = binding_origin(module, index, bindings, compat_module)
        if origin is None:
            opaque.add(name)
        else:
            origins[name] = origin
    stars = (star_origin(module, index, node, compat_module) for node in module.root.stars)
    return Exports(
        module.name,
        origins,
        frozenset(opaque),
        tuple(star for star in stars if star is not None),
        frozenset(_imported(module)),
        _public(module.tree),
        _TF1_ONLY.search(module.source.text) is not None,
    )


def binding_origin(
    module: Module | Outline, index: Index, bindings: list[Binding], compat_module: str, depth: int = 0
) -> str | None:
    """Origin of a module-level name by all that binds it; None when anything but imports and symbols does."""
    found: str | None = None
    for binding in bindings:
        if binding is None:
            return None
        if isinstance(binding, tuple):
            origin = import_origin(module, index, *binding, compat_module)
        elif isinstance(binding, ast.Constant) and binding.value is None:
            continue  # `tf = None` where the import failed
        else:
            origin = _chain_origin(module, index, binding, compat_module, depth)
        if origin is None:
            return None
        found = found or origin
    return found


def import_origin(
    module: Module | Outline, index: Index, node: ast.Import | ast.ImportFrom, alias: ast.alias, compat_module: str
) -> str | None:
    """Origin of the name that one part of an import statement binds."""
    if isinstance(node, ast.Import):
        dotted = alias.name if alias.asname else alias.name.partition(".")[0]
        return _module_origin(module, index, dotted, compat_module)
    base = star_origin(module, index, node, compat_module)
    if base is None:
        return None
    return f"{base}|{alias.name}" if base.startswith("@") else _join(base, alias.name)


def star_origin(module: Module | Outline, index: Index, node: ast.ImportFrom, compat_module: str) -> str | None:
    """Origin of the module that a ``from`` import names."""
    if node.level:
        parts = module.package.split(".") if module.package else []
        if node.level - 1 > len(parts):
            return None
        parts = parts[: len(parts) - (node.level - 1)]
        name = ".".join([*parts, *([node.module] if node.module else [])])
        return f"@{name}" if index.has(name) or not name else None
    return _module_origin(module, index, node.module or "", compat_module)


def _module_origin(module: Module | Outline, index: Index, dotted: str, compat_module: str) -> str | None:
    if dotted == "tensorflow" or dotted.startswith("tensorflow."):
        return _join("tf", dotted[len("tensorflow.") :]) if "." in dotted else "tf"
    if dotted == compat_module or dotted.startswith(compat_module + "."):
        return "compat" + dotted[len(compat_module) :]
    found = index.find(module.package, dotted)
    return f"@{found}" if found is not None else None


def _chain_origin(
    module: Module | Outline, index: Index, value: ast.expr, compat_module: str, depth: int
) -> str | None:
    attributes: list[str] = []
    while isinstance(value, ast.Attribute):
        attributes.insert(0, value.attr)
        value = value.value
    if not isinstance(value, ast.Name) or depth > _MAX_HOPS:
        return None
    bindings = module.root.bindings.get(value.id)
    if bindings is None:
        # Only a star import can have bound it: this very module's namespace answers, once all are known.
        origin: str | None = f"@{module.name}|{value.id}" if module.root.stars else None
    else:
        origin = binding_origin(module, index, bindings, compat_module, depth + 1)
    if origin is None or not attributes:
        return origin
    rest = ".".join(attributes)
    if origin.startswith("@"):
        return f"{origin}.{rest}" if "|" in origin else f"{origin}|{rest}"
    return _join(origin, rest)


def _closure(graph: Mapping[str, set[str]], starts: Iterable[str]) -> frozenset[str]:
    """All that can be reached in a graph, the starts included."""
    found = set(starts)
    pending = list(found)
    while pending:
        for reached in graph.get(pending.pop(), ()):
            if reached not in found:
                found.add(reached)
                pending.append(reached)
    return frozenset(found)


def _join(origin: str, rest: str) -> str:
    """Extends a TensorFlow or compat name; private packages leave the ``tf`` root."""
    if not rest:
        return origin
    if origin == "tf" and rest.partition(".")[0] in _SPELLED_OUT:
        return f"tensorflow.{rest}"
    return f"{origin}.{rest}"


def _candidates(package: str, dotted: str, inside: str) -> Iterable[str]:
    while package:
        yield f"{package}.{dotted}"
        package = package.rpartition(".")[0]
    yield dotted
    if inside and dotted.startswith(f"{inside}."):
        yield dotted.removeprefix(f"{inside}.")


def _imported(module: Outline) -> Iterable[str]:
    for node in module.imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            continue
        base = node.module or ""
        if node.level:
            parts = module.package.split(".") if module.package else []
            parts = parts[: max(0, len(parts) - (node.level - 1))]
            base = ".".join([*parts, *([base] if base else [])])
        yield base
        yield from (f"{base}.{alias.name}" if base else alias.name for alias in node.names if alias.name != "*")


def _public(tree: ast.Module) -> frozenset[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            try:
                value = ast.literal_eval(node.value)
            except ValueError:
                return None
            return frozenset(value) if isinstance(value, list | tuple) else None
    return None
