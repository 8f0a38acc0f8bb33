"""Classes whose constructors build a part of the graph.

The constructor is read where the script calls it first, the methods that run the session behind it. Where the script
makes one object, an attribute of it stands for itself, as a name does: `self.loss` in the class and `model.loss`
outside are one. Where it makes several, each keeps its part of the graph to itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass

from tf_migrate.names.building import main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.stages.kept import handed_out
from tf_migrate.stages.savers import SAVER
from tf_migrate.stages.uses import by_text
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.unbound import is_global

REFLECTION = frozenset({"getattr", "setattr", "delattr", "vars"})
_STEPS = frozenset({"apply_gradients", "minimize"})
_UNREAD = ast.AsyncFunctionDef | ast.ClassDef | ast.Nonlocal


@dataclass(frozen=True, eq=False)
class ObjectClass:
    """A class of the script: `calls` make its objects; `name` is bound to the one there is, None for any number."""

    node: ast.ClassDef
    calls: tuple[ast.Call, ...]
    name: ast.Name | None
    methods: dict[str, ast.FunctionDef]

    @property
    def place(self) -> ast.Call | ast.ClassDef:
        """The first call of the class; the class itself, where only other modules call it."""
        return self.calls[0] if self.calls else self.node

    @property
    def constructor(self) -> ast.FunctionDef:
        """The method that the call enters."""
        return self.methods["__init__"]

    def key(self, attribute: str) -> str:
        """The name under which an attribute of the object is kept; no plain name holds a dot."""
        return f"{self.node.name}.{attribute}"

    def method_of(self, call: ast.expr) -> ast.FunctionDef | None:
        """The method that `self.method(…)` inside the class calls."""
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
        ):
            return self.methods.get(call.func.attr) if call.func.value.id == "self" else None
        return None


def object_classes(module: Module, *, shared: bool = False) -> list[ObjectClass]:
    """The classes of a module that can be read where objects of each are made; other modules may do so if `shared`."""
    found = (_object_class(module, node, shared) for node in module.tree.body if isinstance(node, ast.ClassDef))
    return [known for known in found if known is not None]


def _object_class(module: Module, node: ast.ClassDef, shared: bool) -> ObjectClass | None:
    if class_obstacle(module, node, shared=shared) is not None:
        return None
    calls = _calls_of(module, node)
    methods = {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return ObjectClass(node, calls, None if shared else _only_name(module, calls), methods)


def class_obstacle(module: Module, node: ast.ClassDef, *, shared: bool) -> tuple[ast.AST, str] | None:
    """Why objects of a class cannot be read where they are made: the place, and what is said of the class there."""
    if module.parents.get(node) is not module.tree:
        return node, "is not defined at the top of the module"
    if node.decorator_list or node.keywords:
        return node, "is decorated, or has a metaclass"
    if len(module.root.bindings.get(node.name, [])) != 1:
        return node, "is a name that means something else as well"
    base = next((item for item in node.bases if not (isinstance(item, ast.Name) and item.id == "object")), None)
    if base is not None:
        return base, f"is derived from `{ast.unparse(base)}`"
    used = _used_otherwise(module, node)
    if used is not None or shared or _calls_of(module, node):
        return used or _odd_member(node)
    return node, "nothing makes an object of it"


def _used_otherwise(module: Module, node: ast.ClassDef) -> tuple[ast.AST, str] | None:
    for load in module.loads.get(node.name, []):
        parent = module.parents[load]
        if isinstance(parent, ast.ClassDef):
            return parent, f"`{parent.name}` is derived from it"
        if class_of(module, load) is node:
            return load, "names itself"
        if not (isinstance(parent, ast.Call) and parent.func is load):
            return load, "is used for more than to make objects"
    return None


def _odd_member(node: ast.ClassDef) -> tuple[ast.AST, str] | None:
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef) and not _is_method(inner):
            return inner, f"its `{inner.name}` is no plain method"
        if not (isinstance(inner, ast.FunctionDef) or _is_plain(inner)):
            return inner, "holds more than methods and values"
    names = [inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)]
    if len(set(names)) < len(names):
        return node, "has two methods of one name"
    return None if "__init__" in names else (node, "has no constructor")


def _calls_of(module: Module, node: ast.ClassDef) -> tuple[ast.Call, ...]:
    """The calls of a class whose name is used in no other way."""
    parents = (module.parents[load] for load in module.loads.get(node.name, []))
    calls = [parent for parent in parents if isinstance(parent, ast.Call)]
    return tuple(sorted(calls, key=lambda call: (call.lineno, call.col_offset)))


def _only_name(module: Module, calls: tuple[ast.Call, ...]) -> ast.Name | None:
    """The name that the only object is bound to, by a statement that no loop or condition holds."""
    statement = module.parents[calls[0]]
    if len(calls) > 1 or not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
        return None
    name, block = statement.targets[0], module.parents[statement]
    while isinstance(block, ast.With) or (isinstance(block, ast.If) and main_guard(block) is not None):
        block = module.parents[block]
    alone = isinstance(block, ast.Module | ast.FunctionDef) and statement.value is calls[0]
    return name if alone and isinstance(name, ast.Name) else None


def _is_plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass | ast.Assign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _is_method(node: ast.FunctionDef) -> bool:
    given = node.args.posonlyargs + node.args.args
    return not node.decorator_list and bool(given) and given[0].arg == "self"


def require_readable(known: ObjectClass, *parts: ast.AST) -> None:
    """Refuses what the attributes of an object could be reached or changed by without being named.

    `parts` are those of the class that matter, all of it where none are named.
    """
    for inner in (inner for part in parts or (known.node,) for inner in ast.walk(part)):
        if isinstance(inner, _UNREAD) and inner is not known.node:
            raise Refused(
                inner, f"`{known.node.name}` binds names in a way that is not followed", "write plain methods"
            )
        if isinstance(inner, ast.Name) and inner.id == "__slots__":
            raise Refused(inner, f"`{known.node.name}` lists its attributes", "leave `__slots__` out")
        if isinstance(inner, ast.Name) and inner.id in REFLECTION:
            what = f"`{known.node.name}`, which builds a graph, reads or binds attributes by `{inner.id}`"
            raise Refused(inner, what, "name the attributes")
        if isinstance(inner, ast.Attribute) and inner.attr == "__dict__":
            raise Refused(inner, f"`{known.node.name}` reads its attributes as a dictionary", "name the attributes")
        if isinstance(inner, ast.Name) and inner.id == "self" and not isinstance(inner.ctx, ast.Load):
            raise Refused(inner, "`self` is bound anew", "give the other value another name")


def require_methods(
    module: Module, known: ObjectClass, running: Container[ast.AST], entered: Container[ast.AST]
) -> None:
    """Refuses an object that may get another value in the place of a method, which the graph may be built with.

    `running` are methods that build nothing, `entered` the calls whose functions are read as a part of the module.
    """
    building = [name for name, node in known.methods.items() if node is not known.constructor and node not in running]
    for name in building:
        stores = (node for node in uses_of(module, known, name) if not isinstance(node.ctx, ast.Load))
        bound = (node for node in known.node.body if isinstance(node, ast.Assign) and _binds(node, name))
        place = next(stores, None) or next(bound, None) or by_text(name, module)
        if place is not None:
            what = f"something else may take the place of the method `{name}` of `{known.node.name}`"
            raise Refused(place, what, "give the other value a name of its own")
    handed = handed_out(known.node.name, module, entered) if building else None
    if handed is not None:
        what = f"another module gets an object of `{known.node.name}`, and may give it other methods"
        raise Refused(handed, what, "hand over what it needs")


def _binds(node: ast.Assign, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for each in node.targets for inner in ast.walk(each))


def class_of(module: Module, node: ast.AST) -> ast.ClassDef | None:
    """The class of the module that a node stands in."""
    classes = (place for place in module.around(node) if isinstance(place, ast.ClassDef))
    return next((place for place in classes if module.parents[place] is module.tree), None)


def entered_methods(
    module: Module, known: ObjectClass, methods: Iterable[ast.FunctionDef]
) -> dict[ast.Call, ast.FunctionDef]:
    """The calls, as statements of some methods, that enter methods which nothing else calls."""
    entered: dict[ast.Call, ast.FunctionDef] = {}
    pending: list[ast.FunctionDef | ast.With] = [*methods]
    while pending:
        for statement in pending.pop().body:
            if isinstance(statement, ast.With):
                pending.append(statement)
            call = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
            method = known.method_of(call) if call is not None else None
            if method is None or not isinstance(call, ast.Call) or len(uses_of(module, known, method.name)) != 1:
                continue
            if isinstance(statement, ast.Expr) or _takes_all(statement, method):
                entered[call] = method
                pending.append(method)
    return entered


def called_once(module: Module, known: ObjectClass, method: ast.FunctionDef) -> ast.Call | None:
    """The one place, outside of the class, where the only object's method is used: a call of it."""
    uses = uses_of(module, known, method.name)
    call = module.parents[uses[0]] if len(uses) == 1 else None
    made = uses[0].value if isinstance(call, ast.Call) and call.func is uses[0] else None
    if not isinstance(made, ast.Name) or known.name is None or made.id != known.name.id:
        return None
    top = is_global(module, made) and is_global(module, known.name)
    return call if isinstance(call, ast.Call) and (top or module.scopes[made] is module.scopes[known.name]) else None


def returned_names(method: ast.FunctionDef) -> list[ast.Name] | None:
    """The names that a method returns at its end, and nowhere else; None for any other."""
    last = method.body[-1]
    value = last.value if isinstance(last, ast.Return) else None
    items = value.elts if isinstance(value, ast.Tuple) else [value]
    names = [item for item in items if isinstance(item, ast.Name)]
    ends = sum(isinstance(inner, ast.Return) for inner in ast.walk(method))
    return names if len(names) == len(items) and ends == 1 else None


def returned_value(method: ast.FunctionDef) -> ast.expr | None:
    """The one value, without a name, that a method returns at its end, and nowhere else.

    It is a step of an optimizer, or was made after the method bound attributes: other methods only compute a tensor.
    """
    last = method.body[-1]
    value = last.value if isinstance(last, ast.Return) else None
    ends = sum(isinstance(inner, ast.Return) for inner in ast.walk(method))
    does = any(_is_bound_attribute(inner) or _is_step(inner) for inner in ast.walk(method))
    return value if does and ends == 1 and not isinstance(value, ast.Name | ast.Tuple | ast.List) else None


def _is_bound_attribute(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"


def _is_step(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in _STEPS


def _takes_all(statement: ast.stmt, method: ast.FunctionDef) -> bool:
    """Whether a statement binds as many targets as the method returns values."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
        return False
    target, names = statement.targets[0], returned_names(method)
    count = len(target.elts) if isinstance(target, ast.Tuple | ast.List) else 0
    if names is None:
        return not count and returned_value(method) is not None
    return count == len(names) if count else len(names) == 1


def uses_of(module: Module, known: ObjectClass, name: str) -> list[ast.Attribute]:
    """Where an attribute of that name may be one of the object's."""
    nodes = (node for node in module.attributes.get(name, []) if not is_of_import(module, node.value))
    return [node for node in nodes if ast.unparse(node.value) != "self" or class_of(module, node) is known.node]


def is_of_import(module: Module, node: ast.expr) -> bool:
    """Whether an expression is something that the module imports, or a part of that: no object of its own."""
    while isinstance(node, ast.Attribute):
        node = node.value
    bindings = module.root.bindings.get(node.id, []) if isinstance(node, ast.Name) and is_global(module, node) else []
    return bool(bindings) and all(isinstance(binding, tuple) for binding in bindings)


def running_methods(
    known: ObjectClass, names: Names, runs: Callable[[ast.Call], bool], entered: Container[ast.FunctionDef]
) -> list[ast.FunctionDef]:
    """The methods that run the session or use a Saver, or call others that do, in order of the text.

    `runs` tells whether a call is a run, or one of a function that runs.
    """
    candidates = [method for method in known.methods.values() if method not in entered]
    savers = _savers(known, names)
    running = {
        method
        for method in candidates
        if any(runs(call) or _attribute_of(call.func) in savers for call in _calls(method))
    }
    while True:
        leading = {method for method in candidates if any(known.method_of(call) in running for call in _calls(method))}
        if leading <= running:
            return [method for method in candidates if method in running]
        running |= leading


def _savers(known: ObjectClass, names: Names) -> set[str]:
    """The attributes that hold a Saver."""
    found = (node for node in ast.walk(known.node) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call))
    made = [node for node in found if isinstance(node.value, ast.Call) and names.resolve(node.value.func) == SAVER]
    return {target.attr for node in made for target in node.targets if isinstance(target, ast.Attribute)}


def _attribute_of(function: ast.expr) -> str | None:
    """The attribute of an object whose method is called: `self.saver.save(…)` is of `saver`."""
    inner = function.value if isinstance(function, ast.Attribute) else None
    return inner.attr if isinstance(inner, ast.Attribute) else None


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
