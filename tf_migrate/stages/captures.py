"""Python values that functions see from outside: those must still be, when a function is traced, what they were."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence

from tf_migrate.stages.entrances import keeping
from tf_migrate.stages.kept import handed_out
from tf_migrate.stages.objects import class_of
from tf_migrate.stages.purity import is_immutable
from tf_migrate.stages.shared_objects import changed_elsewhere, used_up
from tf_migrate.stages.uses import bound_by_text, by_text, only_reads
from tf_migrate.stages.values import Binding
from tf_migrate.syntax.module import Module

_ASKED = (
    ast.Name | ast.Attribute | ast.Constant | ast.Compare | ast.BoolOp | ast.UnaryOp
    | ast.expr_context | ast.cmpop | ast.boolop | ast.unaryop
)  # fmt: skip
"""What a condition may be made of that is asked again."""


def may_change(
    name: str,
    binding: Binding,
    module: Module,
    entered: Mapping[ast.AST, ast.FunctionDef],
    built: Container[ast.AST],
    keys: Container[str] | None = None,
    held: ast.Name | None = None,
) -> ast.AST | None:
    """A place that may change the object a name is bound to, or None where the module shows that none does.

    An iterator changes where it is made: as soon as anything goes through it.

    `entered` are the calls whose functions are read as a part of the module, `built` those that give tensors only,
    `keys` the only ones by which a dictionary is read, `held` the only name of the object whose attribute it is.
    """
    owner, _, word = name.rpartition(".")
    loads: Sequence[ast.Name | ast.Attribute]
    found = (load for load in module.attributes.get(word, ()) if not _is_of_another(load, owner, held, module))
    loads = list(found) if owner else module.loads.get(name, [])
    stores = (load for load in loads if not isinstance(load.ctx, ast.Load) and load is not binding.node)
    stored = next(stores, None) or bound_by_text(module)
    if stored is None and owner:
        stored = by_text(word, module) or handed_out(owner, module, entered)
    if stored is not None or binding.node is None or is_immutable(_assigned(binding, module), module, 0):
        return stored
    for load in loads:
        if load is binding.node or (binding.home is not None and _is_constant_of_module(load, module)):
            continue
        call = module.parents[load]
        handed = isinstance(call, ast.Call) and call in entered and name in keeping(entered[call], call)
        apart = keys is not None and (key := key_of(load, module)) is not None and key not in keys
        if not (handed or apart or call in built or only_reads(load, module)):
            return load
    if keys is not None:
        return None
    return used_up(name, binding.node, module) or changed_elsewhere(name, binding.node, module, built)


def _is_compared(parent: ast.AST) -> bool:
    """Whether of a value only an attribute is asked for, or whether it is a constant: what is filled never is one."""
    if not isinstance(parent, ast.Compare):
        return isinstance(parent, ast.Attribute)
    return len(parent.ops) == 1 and any(isinstance(item, ast.Constant) for item in (parent.left, *parent.comparators))


def is_settled(test: ast.expr, module: Module) -> bool:
    """Whether a condition asks only for values that nothing binds again behind it, so that it can be asked again."""
    for node in ast.walk(test):
        if not isinstance(node, _ASKED):
            return False
        if isinstance(node, ast.Name):
            scope = module.binding_scope(node)
            if scope is None or len(scope.bindings[node.id]) != 1 or node.id in module.bound_globally:
                return False
            if not _is_compared(module.parents[node]) and not all(
                only_reads(load, module) for load in module.loads[node.id]
            ):
                return False
        elif isinstance(node, ast.Attribute):
            stores = [place for place in module.attributes.get(node.attr, ()) if not isinstance(place.ctx, ast.Load)]
            if len(stores) > 1 or any(place.lineno >= test.lineno for place in stores) or by_text(node.attr, module):
                return False
    return bound_by_text(module) is None


def _is_constant_of_module(load: ast.Name | ast.Attribute, module: Module) -> bool:
    """Whether a name means one of the module, which holds nothing that can be changed."""
    scope = module.binding_scope(load) if isinstance(load, ast.Name) else None
    return scope is module.root and isinstance(load, ast.Name) and is_immutable(load, module)


def _is_of_another(node: ast.Attribute, owner: str, held: ast.Name | None, module: Module) -> bool:
    """Whether an attribute is not one of an object of the class `owner`, which no other class is derived from."""
    if isinstance(node.value, ast.Name) and node.value.id == "self":
        known = class_of(module, node)
        return known is not None and known.name != owner
    return held is not None and not (isinstance(node.value, ast.Name) and node.value.id == held.id)


def key_of(load: ast.AST, module: Module) -> str | None:
    """The key, written out, under which one use of a dictionary reads a value, or stores one."""
    place = module.parents[load]
    key = place.slice if isinstance(place, ast.Subscript) and place.value is load else None
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def is_dictionary(binding: Binding, module: Module) -> bool:
    """Whether a name is bound to a dictionary of values that nothing changes, written out, or to one of several."""
    node = _assigned(binding, module)
    listed = node.value if isinstance(node, ast.Subscript) else None
    items = listed.elts if isinstance(listed, ast.List | ast.Tuple) else [node]
    return all(item is not None and _holds_constants(item, module) for item in items)


def _holds_constants(node: ast.expr, module: Module) -> bool:
    if isinstance(node, ast.Dict):
        return None not in node.keys and all(is_immutable(value, module) for value in node.values)
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict"
    if not named or not isinstance(node, ast.Call) or "dict" in module.root.bindings:
        return False
    return not node.args and all(word.arg and is_immutable(word.value, module) for word in node.keywords)


def _assigned(binding: Binding, module: Module) -> ast.expr | None:
    node = binding.node
    if isinstance(node, ast.Name | ast.Attribute):
        parent = module.parents.get(node)
        if isinstance(parent, ast.Assign):
            return parent.value
    return None
