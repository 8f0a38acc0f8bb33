"""Uses of a Python object: those that only look at it, and those that hand it, or a part of it, on."""

from __future__ import annotations

import ast

from tf_migrate.stages import arrays, purity
from tf_migrate.stages.bound import is_changed_in_place
from tf_migrate.stages.joining import is_joined
from tf_migrate.stages.kept import keeps, plain_constructor, reached_by_text
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

_READING_CALLS = frozenset(
    {*("int", "float", "len", "str", "bool", "round", "abs", "range", "any", "all", "hash", "id")}
    | {*("print", "isinstance", "type", "repr")}
)
_PASSING_CALLS = frozenset(
    ("list", "tuple", "sorted", "reversed", "set", "dict", "zip", "enumerate", "min", "max", "sum", "iter", "next")
)
"""Functions of Python's that give what they are given, or parts of it."""
_READING_LIBRARIES = ("matplotlib.pyplot.", "pprint.", "PIL.Image.fromarray")
"""Functions, or modules full of them, that show what they are given and leave it as it is."""
PARTIAL = "functools.partial"
_RUNNING = frozenset({"run", "eval"})
_NAMESPACES = ("exec", "globals", "locals", "vars")


def bound_by_text(module: Module) -> ast.AST | None:
    """A place that may bind any name of the module: it runs a text as code, or stores into the names of a scope."""
    for word in _NAMESPACES:
        for load in module.loads.get(word, ()) if word not in module.root.bindings else ():
            call = module.parents[load]
            if word == "exec" or not isinstance(call, ast.Call) or not (call.args or _is_asked(call, module)):
                return load
    return None


def _is_asked(names: ast.Call, module: Module) -> bool:
    """Whether the names of a scope are only looked for, or copied: `"x" in globals()`."""
    around = module.parents[names]
    if isinstance(around, ast.Attribute):
        return around.attr in ("copy", "keys")
    return isinstance(around, ast.Compare)


def only_reads(use: ast.expr, module: Module, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the expression around one use of an object only looks at it, or names it so that others do."""
    child: ast.AST = use
    parent = module.parents[use]
    while isinstance(parent, ast.Subscript) and parent.value is child and isinstance(parent.ctx, ast.Load):
        # A part of a list, or a view of an array, can be changed as the whole can.
        child, parent = parent, module.parents[parent]
    if isinstance(parent, ast.BinOp):
        return not is_joined(child, parent, module) or only_reads(parent, module, seen)
    if isinstance(parent, ast.UnaryOp | ast.Compare | ast.FormattedValue | ast.If | ast.While | ast.Assert | ast.Expr):
        return True
    if isinstance(parent, ast.Tuple) and isinstance(module.parents[parent], ast.Subscript):
        # One of several indices.
        child, parent = parent, module.parents[parent]
    if isinstance(parent, ast.Subscript):
        return parent.slice is child
    if isinstance(parent, ast.Slice | ast.BoolOp | ast.IfExp):
        return isinstance(parent, ast.Slice)
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is child and _targets_only_read(parent.target, module, seen)
    if isinstance(parent, ast.Attribute):
        call = module.parents[parent]
        if isinstance(call, ast.Call) and call.func is parent:
            passed = parent.attr == "get" or arrays.method_shares(parent.attr)
            return (passed and only_reads(call, module, seen)) or arrays.method_makes(parent.attr, call)
        return isinstance(parent.ctx, ast.Load) and parent.attr in ("shape", "size", "ndim", "dtype")
    if isinstance(parent, ast.Starred):
        child, parent = parent, module.parents[parent]
    given = _name_given(child, parent, module)
    if given is not None:
        return _name_only_reads(given, module, seen)
    kept = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    if isinstance(kept, ast.Attribute) and _is_parameter(child, module):
        return _attribute_only_reads(kept, module, seen)
    return _is_read_by_call(child, parent, module, seen)


def _name_given(child: ast.AST, parent: ast.AST, module: Module) -> ast.Name | None:
    """The name that an assignment gives an object, by itself or as one of several."""
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
    if not isinstance(target, ast.Name) or module.scope_of(target).is_class:
        return None  # what a class binds is reached as an attribute
    return target


def _targets_only_read(target: ast.expr, module: Module, seen: frozenset[str]) -> bool:
    """Whether the names that a loop binds are only looked at."""
    items = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    for item in items:
        if isinstance(item, ast.Tuple | ast.List):
            if not _targets_only_read(item, module, seen):
                return False
        elif not (isinstance(item, ast.Name) and _name_only_reads(item, module, seen)):
            return False
    return True


def _name_only_reads(name: ast.Name, module: Module, seen: frozenset[str]) -> bool:
    """Whether a script, or a function, only looks at what one of its names means."""
    scope = module.scope_of(name)
    key = f"{name.id} {id(scope)}"
    if key in seen:
        return True
    inner = [node for node in ast.walk(scope.node) if isinstance(node, ast.Name) and node.id == name.id]
    loads = [node for node in inner if isinstance(node.ctx, ast.Load)]
    changed = any(is_changed_in_place(node, module) for node in inner)
    beyond = name.id in scope.elsewhere
    return not (changed or beyond) and all(only_reads(load, module, seen | {key}) for load in loads)


def _attribute_only_reads(kept: ast.Attribute, module: Module, seen: frozenset[str]) -> bool:
    """Whether a module only looks at what attributes of a name hold, whatever objects they are of.

    One is given a parameter of a constructor, whose calls `_parameter_only_reads` looks at.
    """
    key = f".{kept.attr}"
    if key in seen:
        return True
    nodes = module.attributes.get(kept.attr, [])
    if not keeps(kept, module) or by_text(kept.attr, module) is not None:
        return False
    loads = [node for node in nodes if isinstance(node.ctx, ast.Load)]
    changed = any(is_changed_in_place(node, module) for node in nodes)
    return not changed and all(only_reads(load, module, seen | {key}) for load in loads)


def _parameter_only_reads(child: ast.AST, call: ast.Call, module: Module, seen: frozenset[str]) -> bool:
    """Whether a constructor of the module only looks at an argument of a call, or keeps it for others that do."""
    function = plain_constructor(call, module)
    if function is None or any(isinstance(item, ast.Starred) for item in call.args):
        return False
    names = [item.arg for item in (*function.args.posonlyargs, *function.args.args)][1:]
    places = [name for name, argument in zip(names, call.args, strict=False) if argument is child]
    places += [word.arg for word in call.keywords if word is child and word.arg is not None]
    named = [item for item in ast.walk(function.args) if isinstance(item, ast.arg) and item.arg in places]
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id in places]
    inner = [use for use in uses if not isinstance(use.ctx, ast.Load)]
    key = f"{function.lineno} {places}"
    if len(named) != 1 or inner:
        return False
    return key in seen or all(only_reads(use, module, seen | {key}) for use in uses)


def _is_parameter(node: ast.AST, module: Module) -> bool:
    function = module.function_of(node)
    named = ast.walk(function.args) if function is not None else ()
    return isinstance(node, ast.Name) and any(isinstance(item, ast.arg) and item.arg == node.id for item in named)


def by_text(attribute: str, module: Module) -> ast.AST | None:
    """A place that may bind an attribute, or change what it holds, by a text: `setattr(model, name, 2.0)`."""
    return reached_by_text(attribute, module, lambda node: only_reads(node, module))


def _is_read_by_call(child: ast.AST, parent: ast.AST, module: Module, seen: frozenset[str]) -> bool:
    fed = False
    if isinstance(parent, ast.keyword):
        child, parent = parent, module.parents[parent]
    whole = child
    while isinstance(parent, ast.List | ast.Tuple | ast.Dict | ast.keyword):
        # Inside a literal that goes straight into a call: fetches, feeds, shapes.
        fed = fed or isinstance(parent, ast.Dict)
        child, parent = parent, module.parents[parent]
    listed = _name_given(child, parent, module) if child is not whole and not fed else None
    if listed is not None:
        # Whatever changes a part of a list that has a name may change this one.
        return _name_only_reads(listed, module, seen)
    if not isinstance(parent, ast.Call) or parent.func is child:
        return isinstance(parent, ast.Call) and _keeps_nothing(child, module)
    name = _called(parent, module)
    if child is whole and _parameter_only_reads(child, parent, module, seen):
        return True
    if name is None:
        # `"…".format(x)`, and methods such as `sess.run(fetches, {placeholder: x})`, which copies what it is fed.
        method = parent.func.attr if isinstance(parent.func, ast.Attribute) else ""
        if any(getattr(function, "name", None) == method for function in module.functions):
            return False
        return method in ("format", "pprint") or (fed and method in _RUNNING)
    if name.partition(".")[0] in ("tensorflow", "tf"):
        return True
    if _passes_on(name):
        return only_reads(parent, module, seen)
    shown = name in _READING_CALLS or name.startswith(_READING_LIBRARIES)
    return shown or arrays.draws(name) or purity.is_pure_call(parent, module)


def _called(call: ast.Call, module: Module) -> str | None:
    """The dotted name of what takes the arguments of a call: `functools.partial` keeps them for a function."""
    bound = module.root.bindings.get(call.func.id, []) if isinstance(call.func, ast.Name) else []
    made = [value for value in bound if isinstance(value, ast.Call) and _is_partial(value, module)]
    if _is_partial(call, module) and is_only_called(call, module):
        return callee(call.args[0], module)
    if made and len(made) == len(bound):
        names = {callee(value.args[0], module) for value in made}
        return names.pop() if len(names) == 1 else None
    return callee(call.func, module)


def _is_partial(call: ast.Call, module: Module) -> bool:
    return callee(call.func, module) == PARTIAL and bool(call.args)


def is_only_called(call: ast.Call, module: Module) -> bool:
    """Whether what a call gives is bound to a name, all uses of which are calls of it."""
    statement = module.parents[call]
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(target, ast.Name):
        return False
    scope = module.binding_scope(target)
    loads = [load for load in module.loads.get(target.id, []) if module.binding_scope(load) is scope]
    return all(getattr(module.parents[load], "func", None) is load for load in loads)


def _keeps_nothing(node: ast.AST, module: Module) -> bool:
    """Whether a name of the script means initializers or regularizers of TensorFlow's, which no call changes."""
    bound = module.root.bindings.get(node.id, []) if isinstance(node, ast.Name) else []
    names = [callee(value.func, module) or "" for value in bound if isinstance(value, ast.Call)]
    made = all(name.startswith("tensorflow.") and name.endswith(("_initializer", "_regularizer")) for name in names)
    return bool(bound) and made and len(names) == len(bound)


def _passes_on(name: str | None) -> bool:
    """Whether a function gives what it is given, or a part of it."""
    return name in _PASSING_CALLS or arrays.shares(name)


def passed_on(call: ast.Call, module: Module) -> list[ast.expr]:
    """What the value of a call may be, be a part of, or hold, among what it is given and what it is a method of."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    name = callee(call.func, module)
    if name in _READING_CALLS or (not _passes_on(name) and purity.is_pure_call(call, module)):
        return []
    if isinstance(call.func, ast.Attribute) and name is None:
        return [] if arrays.method_makes(call.func.attr, call) else [*given, call.func.value]
    return given
