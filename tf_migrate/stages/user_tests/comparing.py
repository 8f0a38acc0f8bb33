"""Where tensors may be compared: TensorFlow 1 told them apart by identity, TensorFlow 2 compares their values.

Where a comparison decides something, TensorFlow 2 refuses to make a truth value of tensors while it traces: the error
is seen at once. Where its result is a value, it would be another one in silence.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.stages.names_used import imports_of, loads_of, stores_of
from tf_migrate.syntax.module import Module

_DEPTH = 10
_EQUALITY = ast.Eq | ast.NotEq
_VALUES = frozenset({"bool", "float", "int", "str"})
_PLAIN_ATTRIBUTES = frozenset(
    {"__name__", "base_dtype", "device", "dtype", "name", "ndim", "ndims", "rank", "shape", "size", "type"}
)
_DECIDING = frozenset({"all", "any", "bool"})
_ASSERTING = frozenset({"assertEqual", "assertEquals", "assertIn", "assertNotEqual", "assertNotEquals", "assertNotIn"})
_OF_SHAPES = frozenset({"as_list", "get_shape"})


def may_compare_tensors(home: Names, node: ast.Compare) -> bool:
    """Whether a comparison may be of tensors, as far as its form tells, and its result is a value."""
    equality = any(isinstance(operator, _EQUALITY) for operator in node.ops)
    sides = (node.left, *node.comparators)
    module = home.module
    if not equality or not all(map(_may_be_tensor, sides)) or _decides(module, node):
        return False
    known = (_is_of_library(home, side) or _is_tested(module, node, side) or _is_key(home, side) for side in sides)
    return not any(known)


def _decides(module: Module, node: ast.expr) -> bool:
    """Whether Python takes the truth value of an expression, and nothing else of it."""
    around = module.parents.get(node)
    if isinstance(around, ast.If | ast.While | ast.IfExp | ast.Assert):
        return around.test is node
    if isinstance(around, ast.comprehension):
        return node in around.ifs
    if isinstance(around, ast.BoolOp):
        return node is not around.values[-1] or _decides(module, around)
    if isinstance(around, ast.GeneratorExp | ast.ListComp):
        return around.elt is node and _decides(module, around)
    if isinstance(around, ast.Call):
        return isinstance(around.func, ast.Name) and around.func.id in _DECIDING and around.args == [node]
    return isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not)


def _is_of_library(home: Names, node: ast.expr) -> bool:
    """Whether an expression is what a module outside of the tree holds, which builds no graph when it is imported."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    scope = home.module.binding_scope(root) if isinstance(root, ast.Name) else None
    if not isinstance(root, ast.Name) or scope is None or len(imports_of(scope, root)) < len(scope.bindings[root.id]):
        return False
    return not (home.raw_origin(root) or "").startswith("@")


def _is_tested(module: Module, node: ast.Compare, side: ast.expr) -> bool:
    """Whether what stands before a comparison, in one condition with it, only goes with a Python value."""
    around = module.parents[node]
    if not (isinstance(around, ast.BoolOp) and isinstance(around.op, ast.And) and isinstance(side, ast.Name)):
        return False
    before = around.values[: around.values.index(node)]
    if any(isinstance(test, ast.Name) and test.id == side.id for test in before):
        return True  # a tensor has no truth
    calls = (test for test in before if isinstance(test, ast.Call) and len(test.args) == 2)
    tested = (call.args for call in calls if isinstance(call.func, ast.Name) and call.func.id == "isinstance")
    return any(ast.unparse(value) == side.id and ast.unparse(kind) in _VALUES for value, kind in tested)


def _is_key(home: Names, node: ast.expr) -> bool:
    """Whether an expression is a constant, or a name that only holds such or keys of dictionaries."""
    module = home.module
    if _is_constant(home, node):
        return True
    if not isinstance(node, ast.Name):
        return False
    inside = list(ast.walk(module.function_of(node) or module.tree))
    stores = [inner for inner in inside if isinstance(inner, ast.Name) and inner.id == node.id and _is_store(inner)]
    given = any(isinstance(inner, ast.arg) and inner.arg == node.id for inner in inside)
    return bool(stores) and not given and all(_takes_keys(home, store) for store in stores)


def _is_store(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _is_constant(home: Names, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression is a number or a text, or a name of a module of the tree that is bound to one, and once."""
    if isinstance(node, ast.Constant):
        return True
    made = home.definition(node)
    if made is None and isinstance(node, ast.Name) and home.module.binding_scope(node) is home.module.root:
        made = (home.module.name, node.id)
    tree = home.index.tree(made[0]) if made is not None else None
    if made is None or tree is None or depth > _DEPTH or home.index.changed & {made[1], "*"}:
        return False
    bound = tree.root.bindings.get(made[1], [])
    if len(bound) != 1 or not isinstance(bound[0], ast.expr):
        return False
    return _is_constant(Names(tree, home.index, home.compat_module), bound[0], depth + 1)


def _takes_keys(home: Names, target: ast.Name) -> bool:
    """Whether a name is a loop's own for the keys of a dictionary, or for constants."""
    around = home.module.parents[target]
    method = "keys"
    if isinstance(around, ast.Tuple) and around.elts[0] is target:
        around, method = home.module.parents[around], "items"
    given = around.iter if isinstance(around, ast.For | ast.comprehension) else None
    if isinstance(given, ast.List | ast.Tuple) and method == "keys":
        return all(_is_constant(home, item) for item in given.elts)
    called = given.func if isinstance(given, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr == method


def _may_be_tensor(node: ast.expr) -> bool:
    """Whether an expression may be a tensor as far as its form tells."""
    if isinstance(node, ast.Attribute):
        return node.attr not in _PLAIN_ATTRIBUTES
    return isinstance(node, ast.Name | ast.Subscript)


def asserted_equal(module: Module, item: ast.stmt, made: Container[str]) -> Iterator[ast.Call]:
    """The calls in a statement of a test that assert what may be tensors to be equal; `made` holds their names.

    Lists are no concern: they are equal without their elements being compared, where these are the same objects.
    """
    for call in (inner for inner in ast.walk(item) if isinstance(inner, ast.Call)):
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if method in _ASSERTING and len(call.args) > 1:
            first, second = call.args[:2]
            other = method.endswith("In") or _may_hold_tensor(module, second, made)
            if other and _may_hold_tensor(module, first, made) and any(name in made for name in loads_of(second)):
                yield call


def means_identity(call: ast.Call) -> bool:
    """Whether what a call asserts is what TensorFlow 1 asked of tensors, as soon as it is asserted of lists of them."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("assertEqual", "assertEquals")


def _may_hold_tensor(module: Module, node: ast.expr, made: Container[str]) -> bool:
    if not _may_be_tensor(node) or not any(name in made for name in loads_of(node)):
        return False
    home = module.function_of(node) or module.tree
    name = node.id if isinstance(node, ast.Name) else ""
    bound = [item for item in ast.walk(home) if isinstance(item, ast.stmt) and item is not home]
    bound = [item for item in bound if name in stores_of(module, item)]
    return not bound or not all(isinstance(item, ast.Assign) and _is_shape(item) for item in bound)


def _is_shape(item: ast.Assign) -> bool:
    """Whether a statement binds one name to a shape, or to a list of sizes."""
    method = item.value.func if isinstance(item.value, ast.Call) else None
    named = isinstance(item.targets[0], ast.Name)
    return named and isinstance(method, ast.Attribute) and method.attr in _OF_SHAPES
