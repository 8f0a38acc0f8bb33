"""Objects that other objects hold: `self.model = model` in a constructor, then `sess.run(self.model.loss)`.

A method that runs such parts asks the object that it holds for its function. That is right where all of a run is of one
object, and where what holds it never holds another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tf_migrate.stages.handing import filled
from tf_migrate.stages.objects import ObjectClass, class_of
from tf_migrate.stages.values import Binding, Refused, Stage

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator
    from tf_migrate.stages.runs import Run
    from tf_migrate.syntax.module import Module

_ONE = "run the parts of each object by themselves"


def objects_given(
    module: Module, known: ObjectClass, objects: Mapping[ast.Call, ObjectClass], made: Iterable[ObjectClass]
) -> dict[str, ObjectClass]:
    """The parameters of a constructor that hold, at every call, an object of a class that is `made` already."""
    names = [argument.arg for argument in known.constructor.args.args[1:]]
    if any(isinstance(node, ast.Starred) for call in known.calls for node in call.args):
        return {}
    given = [
        {name: owner for name, node in filled(call, names) if name and (owner := _class(module, node, objects))}
        for call in known.calls
    ]
    first = given[0] if given else {}
    ready = set(made)
    return {name: owner for name, owner in first.items() if owner in ready and all(i.get(name) is owner for i in given)}


def _class(module: Module, node: ast.expr, objects: Mapping[ast.Call, ObjectClass]) -> ObjectClass | None:
    """The class of an object: that of the call, or of every call that a name is bound to."""
    if isinstance(node, ast.Call):
        return objects.get(node)
    if not isinstance(node, ast.Name):
        return None
    scope = module.binding_scope(node)
    bound = [] if scope is None else scope.bindings[node.id]
    found = {objects.get(value) if isinstance(value, ast.Call) else None for value in bound}
    return found.pop() if len(found) == 1 and node.id not in module.bound_globally else None


def holder(evaluator: Evaluator, node: ast.expr) -> ObjectClass | None:
    """The class of the object that an attribute of `self` holds, in a method that runs the session."""
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    if not own or not evaluator.running or not isinstance(node, ast.Attribute):
        return None
    binding = evaluator.env.get(evaluator.key_of(node) or "")
    stored = [place for place in evaluator.module.attributes.get(node.attr, []) if not isinstance(place.ctx, ast.Load)]
    others = [place for place in stored if not _is_of_another(evaluator.module, place, node)]
    return None if binding is None or binding.depth or len(others) != 1 else binding.value.holds


def _is_of_another(module: Module, place: ast.Attribute, node: ast.Attribute) -> bool:
    """Whether an attribute is of `self` in another class than the one where `node` stands."""
    return ast.unparse(place.value) == "self" and class_of(module, place) is not class_of(module, node)


def held_in(evaluator: Evaluator, run: Run, bindings: Iterable[Binding]) -> tuple[str, ObjectClass] | None:
    """What a run's method calls the object all of whose parts the run needs; None where it needs its own.

    Raises Refused where a run needs parts of several objects, or builds something in the run itself.
    """
    function = run.function
    if function is None:
        return None
    inner = [node for node in ast.walk(function) if isinstance(node, ast.Attribute)]
    found = {ast.unparse(node.value): owner for node in inner if (owner := holder(evaluator, node.value))}
    used = {word: owner for word, owner in found.items() if _is_used(evaluator, inner, word)}
    homes = {class_of(evaluator.module, place) for binding in bindings if (place := _place(binding)) is not None}
    foreign = [owner for owner in used.values() if owner.node in homes]
    if not foreign:
        return None
    if len(used) > 1 or len(homes) > 1:
        raise Refused(run.site.node, f"`{function.name}` runs parts of several objects", _ONE)
    if any(not isinstance(leaf.node, ast.Attribute) for leaf in run.leaves):
        what = f"`{function.name}` builds on parts of an object of `{foreign[0].node.name}` in the run"
        raise Refused(run.site.node, what, "build it where the object is made")
    ((word, owner),) = used.items()
    return word, owner


def _is_used(evaluator: Evaluator, inner: Iterable[ast.Attribute], word: str) -> bool:
    """Whether a method names a part of the graph of the object that it calls this."""
    return any(ast.unparse(node.value) == word and evaluator.resolved.get(node) is not None for node in inner)


def _place(binding: Binding) -> ast.AST | None:
    """Where a part of the graph is made; None for the session and for Python values."""
    return binding.node if binding.value.is_graph and binding.value.stage is not Stage.SESSION else None
