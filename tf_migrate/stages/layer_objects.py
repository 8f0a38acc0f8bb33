"""Objects of the program's own classes that are called as layers are: `norm = BatchNorm("norm1")`, then `norm(x)`.

Such an object keeps what its constructor was given, and builds a part of the graph where it is called, as a function
does. So it stays where it is made, and the functions that replace the runs call it. That is right where nothing that
it keeps ever changes: the constructor binds each attribute, to a value that nothing can change, and nothing else does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.names.rebinding import may_be_bound_by_others
from tf_migrate.names.sessions import INITIALIZERS
from tf_migrate.stages import effects, purity
from tf_migrate.stages.objects import REFLECTION, ObjectClass, class_of
from tf_migrate.stages.savers import SAVER
from tf_migrate.stages.settings import is_setting, may_set
from tf_migrate.stages.uses import bound_by_text, by_text
from tf_migrate.stages.values import Locals, Refused, Stage, Value, Variable, flatten
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator
    from tf_migrate.stages.program import Unit

_METHODS = frozenset({"__call__", "__init__", "__repr__", "__str__"})
_UNREAD = ast.AsyncFunctionDef | ast.ClassDef | ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await
_HIDING = REFLECTION | {"eval", "exec", "globals", "locals", "super"}
_RUNNING = frozenset({"eval", "run"})
_ELSEWHERE = {"tf.placeholder", "tf.placeholder_with_default", "tf.Session", SAVER} | INITIALIZERS | effects.OPTIMIZERS
"""What is made once, by a statement of the script or of a class that is read with it."""
_SCOPES = frozenset({"tf.name_scope", "tf.variable_scope"})
_KEPT = (
    ast.Constant | ast.Name | ast.Attribute | ast.UnaryOp | ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.Tuple
    | ast.JoinedStr | ast.FormattedValue | ast.expr_context | ast.operator | ast.unaryop | ast.boolop | ast.cmpop
)  # fmt: skip
"""What a constructor may compute an attribute of: numbers and texts make numbers and texts."""


def class_of_layers(names: Names, node: ast.ClassDef) -> ObjectClass | None:
    """A class of the module of `names`, where its objects are such ones."""
    methods = {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}
    plain = _is_plain(node, methods, names) and _builds(node, names) and _is_kept(node, methods, names)
    return ObjectClass(node, (), None, methods) if plain else None


def _is_plain(node: ast.ClassDef, methods: dict[str, ast.FunctionDef], names: Names) -> bool:
    """Whether a class is derived from none, and its methods ask nothing but attributes of their objects."""
    bare = all(isinstance(base, ast.Name) and base.id == "object" for base in node.bases)
    if not bare or node.decorator_list or node.keywords or "__call__" not in methods:
        return False
    others = [item for item in node.body if not isinstance(item, ast.FunctionDef | ast.Pass)]
    if not all(isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) for item in others):
        return False
    own = all(
        not method.decorator_list
        and [item.arg for item in (*method.args.posonlyargs, *method.args.args)][:1] == ["self"]
        for method in methods.values()
    )
    distinct = len(methods) + len(others) + sum(isinstance(item, ast.Pass) for item in node.body) == len(node.body)
    hooks = any(name.startswith("__") and name not in _METHODS for name in methods)
    return own and distinct and not hooks and all(_is_seen(inner, names.module) for inner in ast.walk(node))


def _builds(node: ast.ClassDef, names: Names) -> bool:
    """Whether a class only builds parts of a graph, of what its methods are given."""
    named = {names.resolve(inner) for inner in ast.walk(node) if isinstance(inner, ast.Name | ast.Attribute)}
    calls = (inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call))
    runs = any(isinstance(call, ast.Attribute) and call.attr in _RUNNING for call in calls)
    symbols = {symbol for symbol in named if symbol is not None and not purity.is_plain_call(symbol)}
    return bool(symbols - {"tf"}) and not (runs or symbols & _ELSEWHERE)


def _is_seen(inner: ast.AST, module: Module) -> bool:
    """Whether a part of a class hides nothing of what its objects keep."""
    if isinstance(inner, ast.Name):
        asked = inner.id != "self" or isinstance(module.parents[inner], ast.Attribute)
        return inner.id not in _HIDING and asked and (inner.id != "self" or isinstance(inner.ctx, ast.Load))
    hidden = isinstance(inner, ast.Attribute) and inner.attr.startswith("__")
    return not hidden and (not isinstance(inner, _UNREAD) or isinstance(module.parents[inner], ast.Module))


def _is_kept(node: ast.ClassDef, methods: dict[str, ast.FunctionDef], names: Names) -> bool:
    """Whether objects keep what the constructor gives them, and their class its name and its methods."""
    module, constructor = names.module, methods.get("__init__")
    bound = [] if constructor is None else list(_bound(constructor.body, names))
    if len(module.root.bindings.get(node.name, [])) != 1 or node.name in module.bound_globally:
        return False
    if constructor is not None and not all(item is not None and _computes(item, constructor, names) for item in bound):
        return False
    kept = [item.targets[0] for item in bound if item is not None and isinstance(item.targets[0], ast.Attribute)]
    words = [*(item.attr for item in kept), *methods]
    if len(set(words)) < len(words):
        return False
    for word in words:
        stores = (place for place in module.attributes.get(word, ()) if not isinstance(place.ctx, ast.Load))
        if any(place not in kept and not _is_of_another(place, node, module) for place in stores):
            return False
        if by_text(word, module) is not None:
            return False
    if bound_by_text(module) is not None or not _has_fixed_defaults(constructor, names):
        return False
    linked = names.index.importing(module.name)
    linked = linked.union(*(names.index.imported_by(other) for other in linked)) - {module.name}
    if any(may_set(names, other, word, fixed=True) for other in linked for word in words):
        return False
    if any(_makes_again(node, names.index.tree(other)) for other in (module.name, *linked)):
        return False
    return not may_be_bound_by_others(names.index, module.name, node.name)


def _has_fixed_defaults(constructor: ast.FunctionDef | None, names: Names) -> bool:
    """Whether nothing can change the defaults that a constructor gives to objects: numbers, texts, functions."""
    given = ast.arguments([], [], None, [], [], None, []) if constructor is None else constructor.args
    functions = {item.name for item in names.module.tree.body if isinstance(item, ast.FunctionDef)}
    return all(
        default is None
        or purity.is_immutable(default, names.module)
        or names.resolve(default) is not None
        or (isinstance(default, ast.Name) and default.id in functions)
        for default in (*given.defaults, *given.kw_defaults)
    )


def _makes_again(node: ast.ClassDef, module: Module | None) -> bool:
    """Whether a module may call a constructor for an object that is made already: `Linear.__init__(layer, 3)`.

    Methods of other classes call those that they are derived from, for themselves.
    """
    if module is None:
        return True
    for place in module.attributes.get("__init__", ()):
        call, owner = module.parents[place], class_of(module, place)
        of_call = isinstance(call, ast.Call) and call.func is place
        derived = isinstance(place.value, ast.Call) and getattr(place.value.func, "id", "") == "super"
        of_self = isinstance(call, ast.Call) and bool(call.args) and ast.unparse(call.args[0]) == "self"
        if not (of_call and owner is not None and owner is not node and (derived or of_self)):
            return True
    return False


def _bound(statements: Iterable[ast.stmt], names: Names) -> Iterator[ast.Assign | None]:
    """The statements of a constructor that bind an attribute; None among them for what does something else."""
    for item in statements:
        if isinstance(item, ast.With) and all(_is_scope(inner, names) for inner in item.items):
            yield from _bound(item.body, names)
        elif isinstance(item, ast.Assign):
            target = item.targets[0]
            own = len(item.targets) == 1 and isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"
            yield item if own else None
        elif not isinstance(item, ast.Pass) and not isinstance(getattr(item, "value", None), ast.Constant):
            yield None


def _computes(item: ast.Assign, constructor: ast.FunctionDef, names: Names) -> bool:
    """Whether a statement computes a value of nothing but parameters, and of what TensorFlow has."""
    given = {inner.arg for inner in ast.walk(constructor.args) if isinstance(inner, ast.arg)}
    inner = list(ast.walk(item.value))
    known = all(node.id in given or names.resolve(node) for node in inner if isinstance(node, ast.Name))
    return known and all(isinstance(node, _KEPT) for node in inner)


def _is_scope(item: ast.withitem, names: Names) -> bool:
    call = item.context_expr
    plain = isinstance(call, ast.Call) and names.resolve(call.func) in _SCOPES and len(call.args) == 1
    return plain and isinstance(call, ast.Call) and not call.keywords and item.optional_vars is None


def _is_of_another(place: ast.Attribute, node: ast.ClassDef, module: Module) -> bool:
    """Whether an attribute is one that objects of another class of the module give to themselves."""
    owner = class_of(module, place)
    return ast.unparse(place.value) == "self" and owner is not None and owner is not node


def made(evaluator: Evaluator, call: ast.Call, known: ObjectClass, frame: Locals) -> Value:
    """The value of making an object, whose constructor's parameters have the values of the frame: what it keeps."""
    word = known.node.name
    for given in (*call.args, *(keyword.value for keyword in call.keywords)):
        value = evaluator.value(given)
        if any(part.is_graph for part in flatten([value])):
            raise Refused(given, f"an object of `{word}` keeps a part of the graph", "give that where it is called")
        if not _stays(evaluator, given, value):
            what = f"`{ast.unparse(given)}`, which an object of `{word}` keeps, may be changed later"
            raise Refused(given, what, "give it a number or a text")
    keeps: dict[str, Value] = {}
    constructor = known.methods.get("__init__")
    if constructor is not None:
        evaluator.frames.append(frame)
        try:
            with evaluator.imports.at_home(evaluator, constructor):
                for item in filter(None, _bound(constructor.body, evaluator.names)):
                    frame["self"] = Value(Stage.PYTHON, builds=known, keeps=tuple(keeps.items()))
                    assert isinstance(item.targets[0], ast.Attribute)
                    keeps[item.targets[0].attr] = evaluator.value(item.value)
        finally:
            evaluator.frames.pop()
    if any(isinstance(inner, ast.With) for inner in (constructor.body if constructor is not None else ())):
        evaluator.opened_apart.append(call)
    return Value(Stage.PYTHON, builds=known, keeps=tuple(keeps.items()))


def require_named(
    names: Names, opened: Sequence[ast.Call], units: Iterable[Unit], variables: Iterable[Variable]
) -> None:
    """Refuses constructors that open scopes where TensorFlow 1 counted them for what has no name of its own."""
    counted: list[ast.AST] = [unit.node for unit in units if "layer" in unit.creates]
    counted += [variable.call for variable in variables if names.resolve(variable.call.func) == "tf.Variable"]
    if opened and counted:
        what = f"`{ast.unparse(opened[0].func)}` opens a scope where an object is made, beside layers or variables"
        raise Refused(opened[0], f"{what} without names", "leave the scope out of the constructor")


def method_of_object(evaluator: Evaluator, node: ast.Attribute, value: Value) -> Value:
    """What `self.build` means before a call: what the object keeps, or its method."""
    kept = dict(value.keeps).get(node.attr)
    assert value.builds is not None
    method = value.builds.methods.get(node.attr)
    if kept is None and method is None:
        raise Refused(node, f"an object of `{value.builds.node.name}` has no `{node.attr}`", "see where it is made")
    return kept or replace(value, function=method)


def _stays(evaluator: Evaluator, node: ast.expr, value: Value) -> bool:
    """Whether nothing can change a value that an object is given."""
    if any(known is not None for known in (value.function, value.symbol, value.text, value.builds)):
        return True
    if purity.is_immutable(node, evaluator.module):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        node = node.left
        return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    return isinstance(node, ast.Attribute) and is_setting(node, evaluator.names)
