"""Python values that functions see from outside: those must still be, when a function is traced, what they were."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence

from tf_migrate.stages import purity
from tf_migrate.stages.entrances import keeping
from tf_migrate.stages.values import Binding
from tf_migrate.syntax.module import Module

_IMMUTABLE_CALLS = frozenset({"int", "float", "len", "str", "bool", "round", "abs", "min", "max", "sum", "range"})
_READING_CALLS = _IMMUTABLE_CALLS | frozenset(
    {"print", "zip", "enumerate", "list", "tuple", "sorted", "reversed", "set", "dict", "isinstance", "type", "repr"}
)
_DRAWING = tuple(f"numpy.random.{word}" for word in ("choice", "normal", "permutation", "rand", "uniform"))
_READING_LIBRARIES = ("matplotlib.pyplot.", "pprint.", "PIL.Image.fromarray", *_DRAWING)
"""Functions, or modules full of them, that show what they are given and leave it as it is."""
_READING_WORDS = """
    all any argmax argmin astype copy count decode dot encode endswith flatten format get index items join keys lower
    max mean min ravel repeat reshape round split startswith std strip sum tolist transpose upper values var
"""
_NAMES = 3
_READING_METHODS = frozenset(_READING_WORDS.split())


def may_change(
    name: str,
    binding: Binding,
    module: Module,
    entered: Mapping[ast.AST, ast.FunctionDef],
    built: Container[ast.AST],
    keys: Container[str] | None = None,
) -> ast.AST | None:
    """A place that may change the object a name is bound to, or None where the module shows that none does.

    `entered` are the calls whose functions are read as a part of the module, `built` those that give tensors only,
    `keys` the only ones by which a dictionary is read.
    """
    owner, _, word = name.rpartition(".")
    loads: Sequence[ast.Name | ast.Attribute]
    loads = module.attributes.get(word, []) if owner else module.loads.get(name, [])
    stored = next((load for load in loads if not isinstance(load.ctx, ast.Load) and load is not binding.node), None)
    if stored is not None or binding.node is None or is_immutable(_assigned(binding, module), module, 0):
        return stored
    for load in loads:
        if load is binding.node:
            continue
        call = module.parents[load]
        handed = isinstance(call, ast.Call) and call in entered and name in keeping(entered[call], call)
        apart = keys is not None and (key := key_of(load, module)) is not None and key not in keys
        if not (handed or apart or call in built or _only_reads(load, module)):
            return load
    return None


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


def is_immutable(node: ast.expr | None, module: Module, depth: int = 0) -> bool:
    """Whether an expression makes a value that nothing can change."""
    if isinstance(node, ast.Constant | ast.JoinedStr | ast.Compare):
        return True
    if isinstance(node, ast.UnaryOp):
        return is_immutable(node.operand, module, depth)
    if isinstance(node, ast.BinOp):
        return is_immutable(node.left, module, depth) and is_immutable(node.right, module, depth)
    if isinstance(node, ast.Tuple):
        return all(is_immutable(item, module, depth) for item in node.elts)
    if isinstance(node, ast.Call):
        return purity.callee(node.func, module) in _IMMUTABLE_CALLS
    if isinstance(node, ast.Attribute):
        return node.attr == "shape"
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if isinstance(node, ast.Name) and depth < 10:
        values = module.root.bindings.get(node.id, [])
        return bool(values) and all(
            isinstance(value, ast.expr) and is_immutable(value, module, depth + 1) for value in values
        )
    return False


def _only_reads(load: ast.Name | ast.Attribute, module: Module, depth: int = 0) -> bool:
    """Whether the expression around one use of a name only looks at the object, or names it so that others do."""
    child: ast.AST = load
    parent = module.parents[load]
    while isinstance(parent, ast.Subscript) and parent.value is child and isinstance(parent.ctx, ast.Load):
        # A part of a list, or a view of an array, can be changed as the whole can.
        child, parent = parent, module.parents[parent]
    if isinstance(parent, ast.BinOp | ast.UnaryOp | ast.Compare | ast.FormattedValue | ast.If | ast.While | ast.Assert):
        return True
    if isinstance(parent, ast.Tuple) and isinstance(module.parents[parent], ast.Subscript):
        # One of several indices.
        child, parent = parent, module.parents[parent]
    if isinstance(parent, ast.Subscript):
        return parent.slice is child
    if isinstance(parent, ast.Slice | ast.BoolOp | ast.IfExp):
        return isinstance(parent, ast.Slice)
    if isinstance(parent, ast.For | ast.comprehension):
        return False
    if isinstance(parent, ast.Attribute):
        call = module.parents[parent]
        if isinstance(call, ast.Call) and call.func is parent:
            return parent.attr in _READING_METHODS
        return isinstance(parent.ctx, ast.Load) and parent.attr in ("shape", "size", "ndim", "dtype")
    given = _local_name(child, parent, module)
    if given is not None:
        return depth < _NAMES and _name_only_reads(given, module, depth + 1)
    return _is_read_by_call(child, parent, module)


def _local_name(child: ast.AST, parent: ast.AST, module: Module) -> ast.Name | None:
    """The local name that an assignment gives an object, by itself or as one of several."""
    around = module.parents.get(parent)
    among = isinstance(parent, ast.Tuple) and isinstance(around, ast.Assign) and around.value is parent
    statement = around if among else parent
    if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
        return None
    target = statement.targets[0]
    if among and isinstance(parent, ast.Tuple):
        names = target.elts if isinstance(target, ast.Tuple) else []
        plain = len(names) == len(parent.elts) and not any(isinstance(item, ast.Starred) for item in parent.elts)
        target = names[parent.elts.index(child)] if plain and isinstance(child, ast.expr) else target
    local = isinstance(target, ast.Name) and isinstance(module.scope_of(target).node, ast.FunctionDef)
    return target if local and isinstance(target, ast.Name) else None


def _name_only_reads(name: ast.Name, module: Module, depth: int) -> bool:
    """Whether a function only looks at what one of its names means."""
    scope = module.scope_of(name)
    inner = [node for node in ast.walk(scope.node) if isinstance(node, ast.Name) and node.id == name.id]
    loads = [node for node in inner if isinstance(node.ctx, ast.Load)]
    changed = any(isinstance(module.parents[node], ast.AugAssign) for node in inner)
    beyond = name.id in scope.elsewhere
    return not (changed or beyond) and all(_only_reads(load, module, depth) for load in loads)


def _is_read_by_call(child: ast.AST, parent: ast.AST, module: Module) -> bool:
    if isinstance(parent, ast.keyword):
        child, parent = parent, module.parents[parent]
    if isinstance(parent, ast.List | ast.Tuple | ast.Dict):
        # Inside a literal that goes straight into a call: fetches, feeds, shapes.
        return _is_read_by_call(parent, module.parents[parent], module)
    if not isinstance(parent, ast.Call) or parent.func is child:
        return False
    name = purity.callee(parent.func, module)
    if name is None:
        # `"…".format(x)`, and methods such as `sess.run(fetches, {placeholder: x})`, which copies what it is fed.
        return isinstance(parent.func, ast.Attribute) and parent.func.attr in ("format", "run", "eval", "pprint")
    if name.partition(".")[0] in ("tensorflow", "tf"):
        return True
    return name in _READING_CALLS or name.startswith(_READING_LIBRARIES) or purity.is_pure_call(parent, module)
