"""Functions of other modules of the tree that are called to build a part of the graph.

Such a function stays in its module, where its symbols are rewritten as those of any library are: into what works in a
graph, eagerly and in a function alike. So it may be called from the functions that replace the runs, as one of the
module's own may, if it reads nothing that may change and does nothing but compute tensors and create variables.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.stages.builders import Builders
from tf_migrate.stages.layer_objects import class_of_layers
from tf_migrate.stages.members import Imported, is_part_of_graph, may_be_another, may_be_changed, read
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.values import Refused, Stage, Value, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_RETURNED = frozenset({Stage.PYTHON, Stage.CONSTANT, Stage.STATIC, Stage.TENSOR, Stage.LAYER, Stage.DATASET})
_STEP = "write it as a function of this module"


class Imports:
    """The functions of other modules that one module's names mean, and where each belongs."""

    def __init__(self, own: Names) -> None:
        self.own = own
        self.modules: dict[str, Imported | None] = {}
        self.homes: dict[ast.AST, Imported] = {}
        self.builders = Builders()
        self.layers: dict[ast.ClassDef, ObjectClass | None] = {}

    def function(self, names: Names, node: ast.expr) -> ast.FunctionDef | None:
        """The function of another module that an expression means in the module of `names`."""
        made = names.definition(node)
        home = None if made is None else self._module(made[0])
        if made is None or home is None or made[1] not in home.env:
            return None
        return home.env[made[1]].value.function

    def layer_class(self, names: Names, node: ast.expr) -> ObjectClass | None:
        """The class that an expression means in the module of `names`, where its objects are called as layers are."""
        made = names.definition(node)
        home = None if made is None or made[0] == names.module.name else self._module(made[0])
        if made is not None and home is not None:
            names, name = home.names, made[1]
        elif isinstance(node, ast.Name) and names.module.binding_scope(node) is names.module.root:
            name = node.id
        else:
            return None
        found = [item for item in names.module.tree.body if isinstance(item, ast.ClassDef) and item.name == name]
        return self.class_of_layers(names, found[0]) if len(found) == 1 else None

    def class_of_layers(self, names: Names, node: ast.ClassDef) -> ObjectClass | None:
        """A class of the module of `names`, where its objects are called as layers are."""
        if node not in self.layers:
            self.layers[node] = known = class_of_layers(names, node)
            home = self.modules.get(names.module.name)
            if known is not None and home is not None:
                self.homes.update((method, home) for method in known.methods.values())
        return self.layers[node]

    def _module(self, name: str) -> Imported | None:
        if name not in self.modules:
            self.modules[name] = home = read(self.own, name) if name != self.own.module.name else None
            functions = () if home is None else (binding.value.function for binding in home.env.values())
            self.homes.update((function, home) for function in functions if function is not None and home is not None)
        return self.modules[name]

    @contextmanager
    def at_home(self, evaluator: Evaluator, function: ast.AST) -> Iterator[bool]:
        """Lets the evaluator see names as a function's module does; tells whether that is another module."""
        home = self.homes.get(function)
        if home is None or home.module is evaluator.module:
            yield home is not None
            return
        outer = evaluator.module, evaluator.names, evaluator.env
        evaluator.module, evaluator.names, evaluator.env = home.module, home.names, home.env
        try:
            yield True
        finally:
            evaluator.module, evaluator.names, evaluator.env = outer

    def note_value(self, evaluator: Evaluator, node: ast.Name | ast.Attribute) -> None:
        """Looks at an expression that may mean a value of another module: no part of a graph, and no other one later.

        A name that was imported keeps the value that it had then, as long as nothing changes that in place.
        """
        if is_part_of_graph(evaluator.names, node):
            raise Refused(node, f"`{ast.unparse(node)}` of another module may be a part of a graph", _STEP)
        if may_be_another(evaluator.names, node) or may_be_changed(evaluator.names, node):
            evaluator.note_impure(node)

    def note_read(self, evaluator: Evaluator, node: ast.Name) -> None:
        """Looks at a name that code of another module reads there: it must mean the same all the time."""
        home = next((home for home in self.modules.values() if home and home.module is evaluator.module), None)
        if home is None or node.id not in home.module.root.bindings:
            return
        if node.id in home.unread:
            raise Refused(node, f"`{node.id}` of `{home.module.name}` may be a part of a graph", _STEP)
        if node.id not in home.fixed:
            evaluator.note_impure(node)


@contextmanager
def apart(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef) -> Iterator[None]:
    """Reads a function of another module for what it gives to this one; refusals tell of the call."""
    if evaluator.is_abroad:
        yield
        return
    before = _marks(evaluator)
    try:
        with evaluator.aside() as (_, impure), evaluator.imports.at_home(evaluator, function):
            yield
    except Refused as refused:
        what = f"`{ast.unparse(call.func)}` of another module: {refused.reason}"
        raise Refused(call, what, refused.next_step) from None
    if _marks(evaluator) != before:
        raise Refused(call, f"`{ast.unparse(call.func)}` of another module does more than compute tensors", _STEP)
    if impure:
        evaluator.note_impure(call)


def _marks(evaluator: Evaluator) -> tuple[int, ...]:
    """How much the evaluator has noted that is for statements of this module."""
    noted: tuple[Sized, ...] = (
        *(evaluator.gradients, evaluator.lists, evaluator.listed, evaluator.summaries, evaluator.savers),
        evaluator.hidden,
        *(evaluator.freed, evaluator.merged, evaluator.graphs, evaluator.iterations, evaluator.batches),
    )
    return tuple(len(items) for items in noted)


def require_tensors(call: ast.Call, value: Value, given: Sequence[Value]) -> None:
    """Refuses what a function of another module returns if that is neither a tensor nor what it was given."""
    known = set(map(id, flatten(given)))
    for part in flatten([value]):
        if part.stage not in _RETURNED and id(part) not in known:
            what = f"`{ast.unparse(call.func)}` of another module returns a part of the graph that is no tensor"
            raise Refused(call, what, _STEP)
