"""What code may reach when it runs: every symbol of TensorFlow in it, and in all of the tree that it may call.

A function can only be called, and an object only be made, by code that names it, or that names what holds it. So what
code reaches is found by its names: functions, classes and values of modules as they are named, methods by the names of
attributes, for all classes that are named at all. It is more than what runs, and never less.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import find_sites
from tf_migrate.stages import effects
from tf_migrate.stages.members import makers
from tf_migrate.stages.names_used import imports_of, loads_of, stores_of
from tf_migrate.stages.user_tests.awaited import CHECKED, is_waited_for
from tf_migrate.stages.user_tests.comparing import may_compare_tensors
from tf_migrate.stages.user_tests.libraries import FREE, symbol_of
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.dictionaries import written_dictionaries
from tf_migrate.syntax.module import Module

_HIDING = frozenset({"eval", "exec", "compile", "globals", "locals", "vars", "__import__"})
_PYTHON_2 = frozenset({"basestring", "cmp", "long", "reduce", "unichr", "unicode", "xrange"})
"""Names that only Python 2 has built in."""
_LOADING = frozenset({"importlib", "imp", "runpy", "pickle", "subprocess", "multiprocessing"})
_DEPTH = 20
STEP = "build it with operations of TensorFlow in the test itself"
_OF_PROTOCOLS = ("build", "call", "get_config", "output_size", "state_size", "zero_state")
"""Methods that TensorFlow calls of objects that it is given."""
_LOOKING = frozenset(
    {"as_graph_def", "as_graph_element", "clear_collection", "consumers", "control_inputs", "get_all_collection_keys"}
    | {"get_collection", "get_collection_ref", "get_operation_by_name", "get_operations", "get_tensor_by_name"}
    | {"gradient_override_map", "graph", "graph_def_versions", "unique_name"}
)
_ASSIGNING = ("assign", "assign_add", "assign_sub")
_UPDATING = ("assign", "batch_scatter_", "count_up_to", "scatter_")


@dataclass(frozen=True)
class Found:
    """A symbol, and where it stands first."""

    symbol: str
    path: str
    node: ast.expr


class _Known:
    """A module as any search of the tree sees it: read once."""

    def __init__(self, names: Names) -> None:
        self.names = names

    @cached_property
    def makers(self) -> dict[str, list[ast.stmt]]:
        """The statements that bind its names."""
        return makers(self.names.module)

    @cached_property
    def runs(self) -> frozenset[ast.AST]:
        """Where it runs a session."""
        return frozenset(site.node for site in find_sites(self.names.module, self.names))


def _known(names: Names) -> _Known:
    readings = names.index.readings
    found = readings.setdefault(f"reach {names.module.name}", _Known(names))
    return found if isinstance(found, _Known) and found.names.module is names.module else _Known(names)


@dataclass
class Reach:
    """Follows names through the modules of a tree; `symbols` are those found so far."""

    symbols: dict[str, Found] = field(default_factory=dict)
    names: dict[str, Names] = field(default_factory=dict)
    seen: set[ast.AST] = field(default_factory=set)
    pending: list[tuple[Names, ast.AST]] = field(default_factory=list)
    words: set[str] = field(default_factory=lambda: set(_OF_PROTOCOLS))
    waiting: dict[str, list[tuple[Names, ast.AST]]] = field(default_factory=dict)
    """The methods of classes that are named, by their own names, which nothing has named so far."""
    own: dict[str, list[tuple[Names, ast.AST]]] = field(default_factory=dict)
    """The attributes of the object that the code calls `self`, which nothing has named so far."""
    classes: set[ast.AST] = field(default_factory=set)
    """The classes that these stand in."""
    named: list[tuple[Names, ast.ClassDef]] = field(default_factory=list)
    """The classes that code names."""
    handed: bool = False
    """Whether that object itself is given to other code, which may read any attribute of it."""
    free: frozenset[ast.AST] = frozenset()
    """Runs that are none of the code that is looked at."""
    on_symbol: Callable[[Found], None] = lambda found: None
    anything: bool = False
    """Whether attributes are read whose names are computed."""
    remembers: bool = False
    """Whether functions bind names of their modules."""
    draws: bool = False
    """Whether NumPy or Python may draw random numbers."""
    globals: set[tuple[str, str]] = field(default_factory=set)
    """The names of modules that code reaches, each with its module."""
    seeded: bool = False
    """Whether operations may be given seeds of their own."""
    compared: tuple[str, ast.expr] | None = None
    """Where the result of comparing what may be tensors is a value: TensorFlow 1 told them apart by identity."""
    assigns: bool = False
    """Whether something may be assigned to by a method of its own."""
    updating: tuple[str, ast.expr] | None = None
    """Where something may be updated by another method of its own."""
    looking: tuple[str, ast.expr] | None = None
    """Where the graph itself may be looked into."""
    keyed: tuple[str, ast.expr] | None = None
    """Where `tf.case` may be given a dictionary whose keys nobody sees: a tensor of TensorFlow 2 is none."""
    unguarded: tuple[str, ast.expr] | None = None
    """An assertion of the graph that nothing waits for: TensorFlow 1 ran it only where it was fetched."""

    @property
    def does_more(self) -> bool:
        """Whether code may do something else than to make values and read them."""
        updates = self.assigns or self.updating
        return any((self.anything, self.compared, updates, self.looking, self.unguarded))

    def follow(self, names: Names, nodes: Iterable[ast.AST]) -> Mapping[str, Found]:
        """All symbols that code of a module reaches; raises Refused where that cannot be known."""
        self.names.setdefault(names.module.name, names)
        self.pending += [(names, node) for node in nodes]
        while self.pending:
            home, node = self.pending.pop()
            self._look(home, node)
        return self.symbols

    def _look(self, home: Names, node: ast.AST) -> None:
        if node in self.seen:
            return
        self.seen.add(node)
        if isinstance(node, ast.Name | ast.Attribute):
            self._name(home, node)
            return
        if isinstance(node, ast.ClassDef):
            self._class(home, node)
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self._mention(node.value)
        if isinstance(node, ast.Import | ast.ImportFrom):
            return  # what it binds is followed where that is read
        self.remembers = self.remembers or isinstance(node, ast.Global)
        if isinstance(node, ast.Call):
            self._call(home, node)
        elif isinstance(node, ast.Compare) and may_compare_tensors(home, node):
            self.compared = self.compared or (home.module.path, node)
        self.pending += [(home, child) for child in ast.iter_child_nodes(node)]

    def _call(self, home: Names, call: ast.Call) -> None:
        module = home.module
        if call in _known(home).runs and call not in self.free:
            raise Refused(call, "the session runs in what is called", "run it in the test")
        if home.resolve(call.func) in CHECKED and not is_waited_for(home, call):
            self.unguarded = self.unguarded or (module.path, call)
        self.seeded = self.seeded or _may_have_seed(home, call)
        if home.resolve(call.func) == "tf.case" and not _shows_conditions(module, call):
            self.keyed = self.keyed or (module.path, call)
        plain = isinstance(call.func, ast.Name) and call.func.id in ("getattr", "setattr", "hasattr", "delattr")
        name = call.args[1].value if len(call.args) > 1 and isinstance(call.args[1], ast.Constant) else None
        if plain and name is None:
            self._mention_all()
        elif plain and isinstance(name, str) and name.startswith(_UPDATING):
            self.updating = self.updating or (module.path, call)

    def _class(self, home: Names, node: ast.ClassDef) -> None:
        """A class that is named: what runs when it is made, and its methods as soon as something names them."""
        self.named.append((home, node))
        self.pending += [(home, item) for item in (*node.decorator_list, *node.bases, *node.keywords)]
        outside = self._derives_outside(home, node)
        for member in node.body:
            method = member.name if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef) else None
            if method is not None and not outside and not self._is_named(method):
                self.waiting.setdefault(method, []).append((home, member))
            else:
                self.pending.append((home, member))

    def _derives_outside(self, home: Names, node: ast.ClassDef, depth: int = 0) -> bool:
        """Whether a class may derive from one of a library, whose code may call any method."""
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id == "object":
                continue
            made = home.definition(base) or (home.module.name, base.id if isinstance(base, ast.Name) else "")
            known = self._names_of(made[0])
            found = [] if known is None else _known(known).makers.get(made[1], [])
            if known is None or len(found) != 1 or not isinstance(found[0], ast.ClassDef) or depth > _DEPTH:
                return True
            if self._derives_outside(known, found[0], depth + 1):
                return True
        return False

    def _is_named(self, method: str) -> bool:
        return self.anything or method in self.words or (method.startswith("__") and method.endswith("__"))

    def _mention(self, word: str) -> None:
        if word not in self.words:
            self.words.add(word)
            self.pending += [*self.waiting.pop(word, []), *self.own.pop(word, [])]

    def _mention_all(self) -> None:
        self.anything = True
        for known in (self.waiting, self.own) if self.handed else (self.waiting,):
            self.pending += [method for methods in known.values() for method in methods]
            known.clear()

    def _name(self, home: Names, node: ast.Name | ast.Attribute) -> None:
        inner = _inner_class(home.module, node)
        if inner is not None:
            self._mention(inner.name)
            self.pending.append((home, inner))
            return
        symbol = home.resolve(node)
        if symbol is not None:
            self._found(Found(symbol, home.module.path, node))
            return
        made = home.definition(node)
        if made is not None:
            self._definition(*made, node)
        elif isinstance(node, ast.Attribute):
            if node.attr in _ASSIGNING and not isinstance(node.value, ast.Subscript):
                self.assigns = True
            elif node.attr.startswith(_UPDATING):
                self.updating = self.updating or (home.module.path, node)
            if node.attr in _LOOKING and not (node.attr == "graph" and _is_mapping(home.module, node)):
                self.looking = self.looking or (home.module.path, node)
            self._mention(node.attr)
            self.pending.append((home, node.value))
        elif isinstance(node.ctx, ast.Load) and not _is_above(home.module, node):
            self._bare(home, node)
            if node.id == "self" and not self.handed and self._is_own_object(home.module, node):
                self.handed = True
                if self.anything:
                    self._mention_all()
        if isinstance(node, ast.Attribute) and made is not None:
            self._mention(node.attr)

    def _found(self, found: Found) -> None:
        if found.symbol not in self.symbols:
            self.symbols[found.symbol] = found
            self.on_symbol(found)

    def _definition(self, module: str, name: str, node: ast.expr) -> None:
        home = self._names_of(module)
        if home is None:
            raise Refused(node, f"`{ast.unparse(node)}` is made in a module that is not read", STEP)
        self._global(home, name, node)

    def _names_of(self, module: str) -> Names | None:
        """The names of a module of the tree; None where it is not read."""
        if module not in self.names:
            first = next(iter(self.names.values()))
            tree = first.index.tree(module)
            if tree is None:
                return None
            self.names[module] = _known(Names(tree, first.index, first.compat_module)).names
        return self.names[module]

    def _global(self, home: Names, name: str, node: ast.expr) -> None:
        """A name of a module's top level: all that binds it there."""
        self.globals.add((home.module.name, name))
        made = _known(home).makers.get(name, [])
        self.pending += [(home, statement) for statement in made]
        if home.index.changed & {name, "*"}:
            raise Refused(node, f"`{name}` of `{home.module.name}` may be bound by another module", STEP)

    def _bare(self, home: Names, node: ast.Name) -> None:
        module = home.module
        scope = module.binding_scope(node)
        imported = [] if scope is None else imports_of(scope, node)
        if imported:
            self._import(home, node, imported[0])
        elif scope is module.root:
            self._global(home, node.id, node)
        elif scope is not None and isinstance(scope.node, ast.ClassDef):
            made = (item for item in scope.node.body if node.id in stores_of(module, item))
            self.pending += [(home, item) for item in made]
        elif scope is None and not _is_built_in(node.id):
            raise Refused(node, f"what `{node.id}` means is not known", STEP)

    def _is_own_object(self, module: Module, node: ast.Name) -> bool:
        """Whether `self` is the object of the code's own methods, and meant as a whole, not for an attribute."""
        classes = (place for place in module.around(node) if isinstance(place, ast.ClassDef))
        return not isinstance(module.parents.get(node), ast.Attribute) and next(classes, None) in self.classes

    def _import(self, home: Names, node: ast.Name, found: tuple[ast.Import | ast.ImportFrom, ast.alias]) -> None:
        statement, alias = found
        origin = home.raw_origin(node)
        parent = home.module.parents.get(node)
        if origin is not None and origin.startswith("@"):
            inner = home.index.resolve(origin) or ""
            if isinstance(parent, ast.Attribute) and inner.startswith("@"):
                # A module, of which something is read that it does not make itself: what it imports from elsewhere.
                self._through(home, node, parent, inner[1:])
                return
            raise Refused(node, f"what `{node.id}` means is not known", STEP)
        name = statement.module if isinstance(statement, ast.ImportFrom) else alias.name
        library = (name or "").partition(".")[0]
        known = symbol_of(home.module, node)
        if known is not None:
            self._found(Found(known, home.module.path, node))
            return
        self.draws = self.draws or library in ("networkx", "random") or _draws(home.module, node)
        if library not in FREE - _LOADING or (isinstance(statement, ast.ImportFrom) and statement.level):
            raise Refused(node, f"`{ast.unparse(parent or node)}` may build a part of the graph", STEP)

    def _through(self, home: Names, node: ast.Name, parent: ast.Attribute, module: str) -> None:
        tree = home.index.tree(module)
        bound = [] if tree is None else tree.root.bindings.get(parent.attr, [])
        outer = [item for item in bound if isinstance(item, tuple)]
        names = [
            (statement.module if isinstance(statement, ast.ImportFrom) else alias.name) or ""
            for statement, alias in outer
        ]
        if not names or any(name.partition(".")[0] not in FREE - _LOADING for name in names):
            raise Refused(node, f"what `{ast.unparse(parent)}` means is not known", STEP)


def _is_built_in(name: str) -> bool:
    """Whether Python has a name built in that hides nothing."""
    return (hasattr(builtins, name) or name in _PYTHON_2) and name not in _HIDING


def _inner_class(module: Module, node: ast.AST) -> ast.ClassDef | None:
    """The class that an attribute of another class of the module is: it stands in that, and nothing else binds it."""
    outer = node.value if isinstance(node, ast.Attribute) else None
    if not isinstance(node, ast.Attribute) or not isinstance(outer, ast.Name):
        return None
    bound = module.root.bindings.get(outer.id, []) if module.binding_scope(outer) is module.root else []
    kind = next((item for item in module.tree.body if isinstance(item, ast.ClassDef) and item.name == outer.id), None)
    found = [item for item in (() if kind is None else kind.body) if node.attr in stores_of(module, item)]
    stored = any(not isinstance(item.ctx, ast.Load) for item in module.attributes.get(node.attr, []))
    if not (len(bound) == len(found) == 1 and not stored and kind is not None and isinstance(found[0], ast.ClassDef)):
        return None
    # What it derives from may stand in the same class.
    heads = set().union(*map(loads_of, (*found[0].bases, *found[0].keywords, *found[0].decorator_list)))
    return found[0] if heads.isdisjoint(set().union(*(stores_of(module, item) for item in kind.body))) else None


def _is_above(module: Module, node: ast.Name) -> bool:
    """Whether a name only serves to call `super`, for the class or the object of the method around it."""
    around = module.parents[node]
    called = around.func if isinstance(around, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "super" and called is not node


def _may_have_seed(home: Names, call: ast.Call) -> bool:
    """Whether an operation may be given a seed of its own."""
    words = (word.value for word in call.keywords if word.arg == "seed")
    if any(not (isinstance(value, ast.Constant) and value.value is None) for value in words):
        return True
    samples = isinstance(call.func, ast.Attribute) and call.func.attr == "sample"
    return len(call.args) > 1 and (samples or home.resolve(call.func) in effects.RANDOM)


def _is_mapping(module: Module, node: ast.Attribute) -> bool:
    """Whether code takes elements of what an attribute holds, or looks for one: a graph has none."""
    around = module.parents[node]
    if isinstance(around, ast.Compare):
        return isinstance(around.ops[-1], ast.In | ast.NotIn) and around.comparators[-1] is node
    return isinstance(around, ast.Subscript) and around.value is node


def _draws(module: Module, node: ast.Name) -> bool:
    """Whether a name is of NumPy's random numbers, or these are read of it."""
    statement, alias = imports_of(module.binding_scope(node) or module.root, node)[0]
    around = module.parents.get(node)
    path = f"{statement.module}.{alias.name}." if isinstance(statement, ast.ImportFrom) else f"{alias.name}."
    drawn = isinstance(around, ast.Attribute) and around.attr == "random"
    return path.startswith("numpy.random.") or (drawn and path.startswith("numpy."))


def _shows_conditions(module: Module, call: ast.Call) -> bool:
    """Whether the conditions of `tf.case` are a list, or a dictionary whose keys become references to tensors."""
    given = argument(call, "pred_fn_pairs", 0)
    if given is None or isinstance(given, ast.List | ast.Tuple | ast.ListComp):
        return True
    scope = module.binding_scope(given) if isinstance(given, ast.Name) else None
    bound = scope.bindings[given.id] if scope is not None and isinstance(given, ast.Name) else []
    listed = bool(bound) and all(isinstance(value, ast.List | ast.Tuple | ast.ListComp) for value in bound)
    return listed or bool(written_dictionaries(module, given))
