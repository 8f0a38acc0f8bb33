"""What each module of the tree gives to the others, by name: the part of a module that outlives its syntax tree."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tf_migrate import facts
from tf_migrate.facts import keras2
from tf_migrate.names.closure import closure
from tf_migrate.names.keras import Keras
from tf_migrate.names.library import Library
from tf_migrate.names.origins import canonical, is_of_steps, is_of_tf1, is_of_tf2, is_standalone_keras, join
from tf_migrate.syntax.module import Module

_MAX_HOPS = 20
_BY_ANY_NAME = frozenset({"*", "getattr", "setattr", "vars", "__dict__"})


@dataclass(frozen=True, slots=True)
class Exports:
    """The top-level names of one module that lead to TensorFlow or to another module of the tree.

    Where a function `f` returns TensorFlow itself, `f()` is such a name.
    ``opaque`` are the names that the module makes itself, ``stars`` the origins of its star imports, ``imported`` every
    dotted name that it imports anything from, ``public`` its ``__all__`` where that is a plain list, ``mentions`` the
    origins of what it reads that may tell one version of TensorFlow from the other. ``words`` are all names by which it
    may reach into modules of the tree, ``bases`` those that its classes derive from, ``changed`` the names that it
    binds in other modules (`*`: any). ``keras`` is the Keras that it needs, ``graphs`` whether its text says that it
    builds or runs graphs of TensorFlow 1, or ran eagerly there. ``gives`` says that it does nothing when it is executed
    but define names for others.
    """

    module: str
    origins: Mapping[str, str]
    opaque: frozenset[str]
    stars: tuple[str, ...]
    imported: frozenset[str]
    public: frozenset[str] | None
    mentions: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    bases: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    keras: Keras = ""
    graphs: bool = False
    gives: bool = False

    def exports(self, name: str) -> bool:
        """Whether a star import of this module takes the name along."""
        return name in self.public if self.public is not None else not name.startswith("_")


class Users(NamedTuple):
    """What is known of the modules that use one: the names by which they may reach into it, and those derived from."""

    words: frozenset[str]
    bases: frozenset[str]

    def may_reach(self, name: str) -> bool:
        """Whether a name of the module, or an attribute of what it makes, may be used by others."""
        return name in self.words or not self.words.isdisjoint(_BY_ANY_NAME)


class Index:
    """All modules of the tree: finds modules by what an import says, and follows origins across modules."""

    def __init__(
        self,
        modules: Iterable[tuple[str, bool]],
        exports: Mapping[str, Exports],
        inside: str = "",
        kept: Iterable[str] = (),
        native: Iterable[str] = (),
        library: Library | None = None,
        apart: Mapping[str, str] | None = None,
        searched: Iterable[str] = (),
    ) -> None:
        """``modules`` are the dotted names of all files and whether each is a package's ``__init__``.

        ``inside`` is the dotted name of the package that the tree's own folder is, empty where it is none: a tree
        ``mypkg/`` has a module ``ops`` that its files import as ``mypkg.ops``. ``kept`` are modules that are only read
        and stay as they are; ``native`` are imported modules that become TensorFlow 2 code which needs no graph;
        ``library`` has the syntax trees of the modules that are rewritten. ``apart`` tells of the modules of a
        program why these do not become native together. ``searched`` are names of folders that programs put on
        ``sys.path``.
        """
        self.inside = inside
        self.modules = dict(modules)
        self.exports = exports
        self.kept = frozenset(kept)
        self.native = frozenset(native)
        self.library = library
        self.apart = apart or {}
        self.readings: dict[str, object] = {}  # what analyses know of whole modules, each read once
        self.folders = {name.rsplit(".", depth)[0] for name in self.modules for depth in range(1, name.count(".") + 1)}
        self.searched = frozenset(searched)
        self._roots = sorted(name for name in self.folders if name.rpartition(".")[2] in self.searched)
        self._found: dict[tuple[str, str, str], str | None] = {}
        self._tied: dict[str, frozenset[str]] = {}

    def settled(self, native: Iterable[str], apart: Mapping[str, str] | None = None) -> Index:
        """The same tree, with more modules that become TensorFlow 2 code, and why others do not."""
        known = self.native.union(native)
        return Index(
            self.modules.items(), self.exports, self.inside, self.kept, known, self.library, apart, self.searched
        )

    def find(self, package: str, dotted: str, own: str = "") -> str | None:
        """The tree's module (or folder) that ``import dotted`` means in a module of ``package``.

        Every folder above the importing file may be on ``sys.path``: the innermost one that has the name wins, and a
        folder that is no package only where no module has it, as in Python. Where none has it, one of those may that
        programs put there, if it is the only one with that name.
        ``own`` is the importing module, which means another one of its name.
        """
        key = package, dotted, own
        if key not in self._found:
            candidates = _candidates(package, dotted, self.inside)
            found = [name for name in candidates if self.has(name) and (name != own or name == package)]
            modules = (name for name in found if name in self.modules)
            self._found[key] = next(modules, None) or next(iter(found), None) or self._searched(dotted, own)
        return self._found[key]

    def _searched(self, dotted: str, own: str) -> str | None:
        if dotted.partition(".")[0] in sys.stdlib_module_names:
            return None
        found = [name for root in self._roots if (name := f"{root}.{dotted}") in self.modules and name != own]
        return found[0] if len(found) == 1 else None

    def is_bare(self, found: str, dotted: str) -> bool:
        """Whether code imports a module that `import dotted` may mean by that very name: its folder is no package."""
        folder = found.removesuffix(dotted).rstrip(".")
        return not (self.modules.get(folder) if folder else self.inside)

    def has(self, name: str) -> bool:
        """Whether a dotted name is a module or folder of the tree."""
        return name in self.modules or name in self.folders

    def attribute(self, origin: str, attribute: str) -> str | None:
        """The origin of ``<origin>.attribute``."""
        if not origin.startswith("@"):
            return join(origin, attribute)
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

    def maker(self, origins: Iterable[str], name: str, hops: int = 0) -> str | None:
        """The module of the tree that makes a name which only star imports can have bound."""
        for origin in reversed(tuple(origins)):
            exports = self.exports.get(origin[1:]) if origin.startswith("@") else None
            if exports is None or hops > _MAX_HOPS or not exports.exports(name):
                continue
            found = exports.module if name in exports.opaque else self.maker(exports.stars, name, hops + 1)
            if found is not None:
                return found
        return None

    def made_in(self, module: str, path: str, hops: int = 0) -> tuple[str, str] | None:
        """The module of the tree that makes what ``<module>.<path>`` means, and its name there."""
        first, _, rest = path.rpartition(".")
        if first:
            inner = self._follow(module, first, 0) or ""
            return self.made_in(inner[1:], rest, hops + 1) if inner.startswith("@") else None
        module = self._home(module, path)
        exports = self.exports.get(module)
        if exports is None or hops > _MAX_HOPS:
            return None
        if path in exports.opaque:
            return module, path
        origin = exports.origins.get(path)
        if origin is None:
            maker = self.maker(exports.stars, path)
            return None if maker is None else (maker, path)
        if not origin.startswith("@") or "|" not in origin:
            return None
        inner, _, rest = origin[1:].partition("|")
        return self.made_in(inner, rest, hops + 1)

    def tree(self, module: str) -> Module | None:
        """The syntax tree of a module that is rewritten."""
        return None if self.library is None else self.library.module(module)

    def text(self, module: str) -> bytes:
        """The bytes of a module that is rewritten."""
        return b"" if self.library is None else self.library.text(module)

    @cached_property
    def changed(self) -> frozenset[str]:
        """Names in modules that other modules bind (`*`: any)."""
        return frozenset(name for exports in self.exports.values() for name in exports.changed)

    @cached_property
    def returning(self) -> frozenset[str]:
        """The names of functions of the tree that return TensorFlow itself."""
        every = (name for exports in self.exports.values() for name in exports.origins)
        return frozenset(name.removesuffix("()") for name in every if name.endswith("()"))

    @cached_property
    def imported_modules(self) -> frozenset[str]:
        """Modules of the tree that another module of the tree imports."""
        return frozenset(name for module, names in self._imports.items() for name in names if name != module)

    def is_taken(self, module: str, name: str) -> bool:
        """Whether another module may use a name of this one: imported from it, with all others, or as an attribute."""
        found = [self.exports[user] for user in self.importers(module) if user in self.exports]
        users = Users(frozenset(word for exports in found for word in exports.words), frozenset())
        return users.may_reach(name) or any(
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

    def holds_tf1(self, module: str) -> bool:
        """Whether the module itself holds code of TensorFlow 1."""
        return module in self._of_tf1

    def only_gives(self, module: str) -> bool:
        """Whether a module does nothing when it is executed but define names for others."""
        return module in self.exports and self.exports[module].gives

    def importers(self, module: str) -> list[str]:
        """Modules that import this one, by name."""
        return sorted(self._importers.get(module, set()) - {module})

    def imports(self, module: str) -> list[str]:
        """Modules of the tree that a module imports, by name."""
        return sorted(self._imports.get(module, set()) - {module})

    def importing(self, module: str) -> frozenset[str]:
        """A module, and all that import it, directly or not."""
        return closure(self._importers, [module])

    def imported_by(self, module: str) -> frozenset[str]:
        """A module, and all of the tree that it imports, directly or not."""
        return closure(self._imports, [module])

    def users(self, module: str) -> Users | None:
        """What the other modules of this one's programs, those that some import ties to it, may use of it.

        None where it is not the only one of them with TensorFlow.
        """
        tied = self._tied_to(module) - {module}
        if not tied.isdisjoint(self._naming_tensorflow):
            return None
        found = [self.exports[name] for name in tied]
        words = frozenset(word for exports in found for word in exports.words)
        return Users(words, frozenset(base for exports in found for base in exports.bases))

    @cached_property
    def keras2(self) -> frozenset[str]:
        """Modules of programs that keep Keras 2: they use Keras, in a graph or as only Keras 2 can be used."""
        found: set[str] = set()
        seen: set[str] = set()
        for name, exports in self.exports.items():
            if exports.keras in ("plain", "handing", "leaning") and name not in seen:
                tied = self._tied_to(name)
                seen |= tied
                program = [self.exports[other] for other in tied if other in self.exports]
                if _keeps_keras2(program, bool(tied & self._of_tf2)):
                    found |= tied
        return frozenset(found)

    def _tied_to(self, module: str) -> frozenset[str]:
        """A module, and all that some import ties to it: the same for each of them."""
        if module not in self._tied:
            tied = closure(self._ties, [module])
            self._tied.update(dict.fromkeys(tied, tied))
        return self._tied[module]

    @cached_property
    def _naming_tensorflow(self) -> frozenset[str]:
        """Modules that import TensorFlow or Keras themselves."""
        return frozenset(name for name, exports in self.exports.items() if _names_tensorflow(exports))

    @cached_property
    def _ties(self) -> dict[str, set[str]]:
        """Modules that import one another, in both directions."""
        ties: dict[str, set[str]] = {}
        for module, names in self._imports.items():
            for name in names & self.exports.keys():
                ties.setdefault(module, set()).add(name)
                ties.setdefault(name, set()).add(module)
        return ties

    def reaches_tf1(self, module: str) -> bool:
        """Whether a module, or one that it imports, holds code of TensorFlow 1."""
        return module in self._reaching_tf1

    def began_with_tf1(self, module: str) -> bool:
        """Whether a module, or one that it imports, held code of TensorFlow 1, whatever becomes of it."""
        return module in self._having_reached_tf1

    def reaches_tensorflow(self, module: str) -> bool:
        """Whether a module, or one that it imports, imports anything of TensorFlow or the shims."""
        return module in self._reaching_tensorflow

    def goes_with_tensorflow(self, module: str) -> bool:
        """Whether a module reaches TensorFlow, or is imported, directly or not, by one that does."""
        return module in self._used_by_tensorflow

    def imports_tf1(self, module: str) -> bool:
        """Whether a module that this one imports holds, or imports, code of TensorFlow 1.

        A module of TensorFlow 2 calls what it imports in functions of its own, outside of any graph; around a module
        in the form of steps there is none, and one that became native, or does nothing with a graph, needs none.
        """
        needs_none = module in self._around_steps or module in self.native
        return not needs_none and any(
            name in self._giving_tf1 for name in self._imports.get(module, ()) if name != module
        )

    def goes_with_tf1(self, module: str) -> bool:
        """Whether a module is of a program of TensorFlow 1: it holds code of that, imports some, or is imported by it.

        What became native counts: NumPy 1 stood beside it.
        """
        return module in self._going_with_tf1

    @cached_property
    def _going_with_tf1(self) -> frozenset[str]:
        return self._having_reached_tf1 | closure(self._imports, self._having_reached_tf1)

    def serves_tf1(self, module: str) -> bool:
        """Whether a module that holds code of TensorFlow 1 imports this one, directly or not."""
        return module in self._serving_tf1

    @cached_property
    def _serving_tf1(self) -> frozenset[str]:
        holding = self._of_tf1 - self.native
        return closure(self._imports, holding) - holding

    @cached_property
    def _imports(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for exports in self.exports.values():
            package = self._package(exports.module)
            names = (self.find(package, dotted, exports.module) for dotted in exports.imported)
            found[exports.module] = {name for name in names if name is not None}
        named = set[str]().union(*found.values())
        for exports in self.exports.values():
            for pattern in exports.imported:
                if pattern.endswith("*"):
                    found[exports.module] |= self._unnamed(exports.module, pattern) - named
        return found

    def _unnamed(self, module: str, pattern: str) -> set[str]:
        """The modules that a text may name which only the running program knows: they do nothing by themselves."""
        folder = self.find(self._package(module), pattern.removesuffix(".*"), module) if "." in pattern else ""
        begin = f"{folder}." if folder else ""
        return {name for name, each in self.exports.items() if each.gives and name.startswith(begin) and name != module}

    def imported_unnamed(self, module: str) -> list[str]:
        """The modules that a module may import by a text that only the running program knows, by name."""
        exports = self.exports.get(module)
        patterns = [] if exports is None else [each for each in exports.imported if each.endswith("*")]
        found = set[str]().union(*(self._unnamed(module, pattern) for pattern in patterns))
        return sorted(found & self._imports.get(module, set()))

    @cached_property
    def _reaching_tf1(self) -> frozenset[str]:
        return closure(self._importers, (self._of_tf1 | self._of_standalone_keras) - self.native)

    @cached_property
    def _having_reached_tf1(self) -> frozenset[str]:
        return closure(self._importers, self._of_tf1)

    @cached_property
    def _giving_tf1(self) -> frozenset[str]:
        ends = self.native | self._of_tf2
        importers = {name: found - ends for name, found in self._importers.items()}
        return closure(importers, self._of_tf1 - self.native)

    @cached_property
    def _of_tf1(self) -> frozenset[str]:
        """The modules that hold code of TensorFlow 1, and none of TensorFlow 2."""
        return self._mentioning(is_of_tf1) - self._of_tf2

    @cached_property
    def _of_standalone_keras(self) -> frozenset[str]:
        """The modules that use the package `keras` of TensorFlow 1's time, which knew nothing but graphs."""
        return frozenset(name for name in self.keras2 & self.exports.keys() if self._imports_standalone_keras(name))

    def _imports_standalone_keras(self, module: str) -> bool:
        package, imported = self._package(module), self.exports[module].imported
        return any(is_standalone_keras(dotted) and self.find(package, dotted, module) is None for dotted in imported)

    @cached_property
    def _of_tf2(self) -> frozenset[str]:
        """The modules that hold code of TensorFlow 2."""
        return self._mentioning(is_of_tf2)

    @cached_property
    def _around_steps(self) -> frozenset[str]:
        """The modules in the form of steps, what they import and what imports them."""
        steps = self._mentioning(is_of_steps)
        return closure(self._imports, steps) | closure(self._importers, steps)

    def _mentioning(self, asked: Callable[[str], bool]) -> frozenset[str]:
        """The modules that read something of TensorFlow, through whichever modules of the tree, that is as asked."""
        return frozenset(
            name
            for name, exports in self.exports.items()
            if any(asked(self.resolve(origin) or "@") for origin in exports.mentions)
        )

    @cached_property
    def _reaching_tensorflow(self) -> frozenset[str]:
        return closure(self._importers, (name for name, exports in self.exports.items() if _names_tensorflow(exports)))

    @cached_property
    def _used_by_tensorflow(self) -> frozenset[str]:
        return closure(self._imports, self._reaching_tensorflow)

    @cached_property
    def _importers(self) -> dict[str, set[str]]:
        importers: dict[str, set[str]] = {}
        for module, names in self._imports.items():
            for name in names:
                importers.setdefault(name, set()).add(module)
        return importers

    def _package(self, module: str) -> str:
        return module if self.modules.get(module) else module.rpartition(".")[0]

    def _follow(self, module: str, path: str, hops: int) -> str | None:
        if hops > _MAX_HOPS:
            return None
        first, _, rest = path.partition(".")
        module = self._home(module, first)
        exports = self.exports.get(module)
        found: str | None = None
        inside = f"{module}.{first}" if module else first
        if exports is not None and exports.origins.get(first) == f"@{module}|{first}" and self.has(inside):
            found = f"@{inside}"  # a package imports a module of its own from itself
        elif exports is not None and first in exports.origins:
            found = self._hop(exports.origins[first], hops)
        elif exports is not None and first in exports.opaque:
            return None
        elif self.has(inside):
            found = f"@{inside}"
        elif exports is not None:
            for origin in reversed(exports.stars):
                found, known = self._in_star(origin, first, hops + 1)
                if known:
                    break
        if found is None or not rest:
            return found
        if found.startswith("@"):
            return self._follow(found[1:], rest, hops + 1)
        return join(found, rest)

    def _home(self, module: str, name: str) -> str:
        """The module, or the package that it shares its own name with, where only that can have what is read of it."""
        package, _, last = module.rpartition(".")
        exports = self.exports.get(module)
        alike = self.modules.get(package) and package.rpartition(".")[2] == last
        if not alike or exports is None or exports.stars or name in exports.origins or name in exports.opaque:
            return module
        return package

    def _hop(self, origin: str, hops: int) -> str | None:
        if not origin.startswith("@") or "|" not in origin:
            return origin
        module, _, rest = origin[1:].partition("|")
        return self._follow(module, rest, hops + 1)

    def _in_star(self, origin: str, name: str, hops: int) -> tuple[str | None, bool]:
        if not origin.startswith("@"):
            symbol = join(origin, name)
            keras = canonical(symbol).removeprefix("tf.keras.")
            offered = keras2.offers(keras) if keras != canonical(symbol) else facts.is_recorded(canonical(symbol))
            return (symbol, True) if offered else (None, False)
        exports = self.exports.get(origin[1:])
        if exports is None or hops > _MAX_HOPS or not exports.exports(name):
            return None, False
        if name in exports.opaque:
            return None, True
        found = self._follow(origin[1:], name, hops + 1)
        return found, found is not None


def _keeps_keras2(program: Sequence[Exports], is_tf2: bool) -> bool:
    """Whether the modules of a program need Keras 2; what only Keras 3 or TensorFlow 2 has speaks against it."""
    if any(exports.keras == "newer" for exports in program):
        return False
    if any(exports.graphs for exports in program):
        return True
    if is_tf2:
        return False
    handing = any(exports.keras == "handing" for exports in program)
    operations = any(not exports.keras and _names_tensorflow(exports) for exports in program)
    return (handing and operations) or any(exports.keras == "leaning" for exports in program)


def _is_of_tree(origin: str) -> bool:
    return origin.startswith("@")


def _names_tensorflow(exports: Exports) -> bool:
    leading = not all(map(_is_of_tree, (*exports.origins.values(), *exports.stars)))
    return leading or any(dotted.partition(".")[0] in ("tensorflow", "keras") for dotted in exports.imported)


def _candidates(package: str, dotted: str, inside: str) -> Iterable[str]:
    while package:
        yield f"{package}.{dotted}"
        package = package.rpartition(".")[0]
    yield dotted
    if inside and dotted.startswith(f"{inside}."):
        yield dotted.removeprefix(f"{inside}.")
