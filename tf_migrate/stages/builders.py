"""Functions that only build: whatever they do, it is tensors and Python values that they compute of their arguments.

The analysis need not follow how such a function computes. It gives what it is given something of: constants for
constants, tensors that a run computes for those. Nothing that tells a graph from eager code may stand in it, nothing
that draws, keeps or changes anything outside it, and so for all functions of the tree that it calls.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects, purity
from tf_migrate.stages.captures import is_immutable
from tf_migrate.stages.values import Stage, Value, combine, container, flatten, is_fed
from tf_migrate.syntax.module import Module

_STATEMENTS = (
    ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.If | ast.For | ast.While | ast.With | ast.Try
) | (ast.Raise | ast.Return | ast.Assert | ast.Pass | ast.Break | ast.Continue | ast.FunctionDef)
_UNREAD = ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr
_CHECKS = "assert_equal assert_greater assert_greater_equal assert_less assert_less_equal assert_rank Assert"
_LOOPS = "scan map_fn foldl foldr while_loop cond"
_NEST = "flatten map_structure pack_sequence_as assert_same_structure flatten_up_to map_structure_up_to"
_CALLED = (
    (effects.PURE - effects.COLLECTED)
    | effects.DTYPES
    | {f"tf.{name}" for name in _LOOPS.split()}
    | {f"{prefix}.{name}" for prefix in ("tf.nest", "tf.contrib.framework.nest") for name in _NEST.split()}
    | {"tf.TensorShape", "tf.as_dtype"}
)
_WITHIN = {"tf.name_scope", "tf.control_dependencies"}
_CHECKED = {f"{prefix}.{name}" for prefix in ("tf", "tf.debugging") for name in _CHECKS.split()}
_METHODS = """
append extend insert copy count endswith find format get index items join keys lower lstrip rstrip split startswith
strip update upper values as_list assert_has_rank assert_is_compatible_with assert_is_fully_defined
assert_same_rank concatenate get_shape is_compatible_with is_fully_defined merge_with num_elements set_shape with_rank
with_rank_at_least with_rank_at_most _replace _asdict
"""
_CALLED_METHODS = frozenset(_METHODS.split())
_CHANGING = frozenset({"append", "extend", "insert", "update"})
# What eager tensors lack, or what an object keeps to itself.
_OF_GRAPHS = frozenset({"op", "graph", "name", "device", "consumers", "eval", "__dict__", "__class__"})
_FUNCTIONS = "bool dict enumerate pow reversed round set sorted zip isinstance all any map filter slice repr callable"
_PYTHON = purity.STATIC_FUNCTIONS | frozenset(_FUNCTIONS.split())
_LIBRARIES = (
    "math.",
    "operator.",
    "itertools.",
    "functools.partial",
    "functools.reduce",
    "collections.OrderedDict",
    "six.moves.",
)
_CHANGING_ARRAYS = frozenset({"random", "copyto", "put", "place", "putmask", "save", "savez", "load", "fill_diagonal"})
_DEPTH = 20
_NAMES = 3  # how many names deep a result is looked for
_GIVEN = frozenset({Stage.PYTHON, Stage.CONSTANT, Stage.STATIC, Stage.TENSOR, Stage.PLACEHOLDER})


@dataclass
class Builders:
    """Knows which functions only build; each is looked at once."""

    known: dict[ast.FunctionDef, bool] = field(default_factory=dict)

    def only_builds(self, names: Names, function: ast.FunctionDef, depth: int = 0) -> bool:
        """Whether a function of the module of `names` does nothing but compute."""
        if function not in self.known:
            self.known[function] = False  # a function that calls itself is not understood
            self.known[function] = depth < _DEPTH and _Reader(self, names, function, depth).only_builds()
        return self.known[function]

    def takes(self, names: Names, function: ast.FunctionDef, given: Sequence[Value]) -> bool:
        """Whether a function only builds, of tensors and Python values that it is given."""
        parts = list(flatten(given))
        plain = all(part.stage in _GIVEN and not part.variables and part.function is None for part in parts)
        return plain and self.only_builds(names, function)

    def given(self, names: Names, function: ast.FunctionDef, given: Sequence[Value]) -> Value:
        """What a function gives that only builds."""
        made = combine(given)
        return self._formed(names, self._returned(function), replace(made, fed=any(map(is_fed, flatten(given)))), 0)

    def _formed(self, names: Names, found: Sequence[ast.expr | None], made: Value, depth: int) -> Value:
        """A value in the form of expressions that stand for it: parts that are known, or all of them."""
        forms = [self._form(names, node, made, depth) for node in found]
        unknown = replace(made, several=True)
        return forms[0] if forms and all(form == forms[0] for form in forms) else unknown

    def _form(self, names: Names, node: ast.expr | None, made: Value, depth: int) -> Value:
        if isinstance(node, ast.Tuple):
            return container(tuple(self._form(names, item, made, depth) for item in node.elts))
        if isinstance(node, ast.BinOp) and any(
            self._form(names, side, made, depth) == made for side in (node.left, node.right)
        ):
            return made
        if isinstance(node, ast.Call) and depth < _NAMES:
            return self._form_of_call(names, node, made, depth)
        if isinstance(node, ast.Name) and depth < _NAMES:
            bound = names.module.scope_of(node).bindings.get(node.id, [])
            known = [value if isinstance(value, ast.expr) else None for value in bound]
            return self._formed(names, known, made, depth + 1)
        return replace(made, several=True)

    def _form_of_call(self, names: Names, call: ast.Call, made: Value, depth: int) -> Value:
        symbol = names.resolve(call.func)
        if symbol is not None:
            return replace(made, several=symbol not in effects.PURE or symbol in effects.SEVERAL)
        home, definition = _defined(names, call.func)
        if isinstance(definition, ast.FunctionDef) and home is not None:
            return self._formed(home, self._returned(definition), made, depth + 1)
        fields = _fields(definition)
        if fields is None or len(call.args) != len(fields) or call.keywords:
            return replace(made, several=True)
        return replace(container(tuple(self._form(names, item, made, depth) for item in call.args)), fields=fields)

    def _returned(self, function: ast.FunctionDef) -> list[ast.expr | None]:
        """What a function returns, of its own and not of functions inside it."""
        inner = {
            node
            for other in ast.walk(function)
            if isinstance(other, ast.FunctionDef | ast.Lambda) and other is not function
            for node in ast.walk(other)
        }
        return [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node not in inner]


def _defined(names: Names, node: ast.expr) -> tuple[Names | None, ast.AST | None]:
    """What the tree makes under a name, with the names of its module: a function, or the expression that is bound."""
    made = names.definition(node)
    if made is None and isinstance(node, ast.Name):
        made = names.module.name, node.id
    if made is None:
        return None, None
    home = names
    if made[0] != names.module.name:
        module = names.index.tree(made[0])
        if module is None:
            return None, None
        home = Names(module, names.index, names.compat_module)
    bound = home.module.root.bindings.get(made[1], [])
    if len(bound) != 1 or names.index.changed & {made[1], "*"}:
        return None, None
    if isinstance(bound[0], ast.Call) and purity.callee(bound[0].func, home.module) == "collections.namedtuple":
        return home, bound[0]
    found = [inner for inner in home.module.tree.body if isinstance(inner, ast.FunctionDef) and inner.name == made[1]]
    return home, found[0] if len(found) == 1 else None


def _fields(made: ast.AST | None) -> tuple[str, ...] | None:
    """The names of the parts of a named tuple, of the call that makes its class."""
    given = made.args[1] if isinstance(made, ast.Call) and len(made.args) == 2 else None
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return tuple(given.value.replace(",", " ").split())
    if not isinstance(given, ast.List | ast.Tuple):
        return None
    words = [item.value for item in given.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return tuple(words) if len(words) == len(given.elts) else None


@dataclass
class _Reader:
    """Looks at one function."""

    builders: Builders
    names: Names
    function: ast.FunctionDef
    depth: int

    @property
    def module(self) -> Module:
        return self.names.module

    @cached_property
    def inside(self) -> set[ast.AST]:
        """All nodes of the function."""
        return set(ast.walk(self.function))

    def only_builds(self) -> bool:
        given = self.function.args
        inside = self.module.parents.get(self.function) is not self.module.tree
        if inside or self.function.decorator_list or given.vararg or given.kwarg:
            return False
        defaults = (*given.defaults, *(item for item in given.kw_defaults if item is not None))
        if not all(is_immutable(default, self.module) for default in defaults):
            return False
        return all(self._is_plain(node) for statement in self.function.body for node in ast.walk(statement))

    def _is_plain(self, node: ast.AST) -> bool:
        if isinstance(node, ast.stmt):
            return isinstance(node, _STATEMENTS) and self._keeps(node)
        if isinstance(node, ast.Call):
            return self._may_call(node)
        if isinstance(node, ast.Compare):
            return self._compares_values(node)
        if isinstance(node, ast.Attribute):
            return self._may_read(node)
        if isinstance(node, ast.Name):
            return self._is_known(node)
        return not isinstance(node, _UNREAD)

    def _keeps(self, node: ast.stmt) -> bool:
        """Whether a statement changes nothing that is not the function's own."""
        if isinstance(node, ast.FunctionDef):
            plain = not (node.decorator_list or node.args.vararg or node.args.kwarg)
            return plain and not (node.args.defaults or any(node.args.kw_defaults))
        if isinstance(node, ast.Assert):
            # TensorFlow 1 refused the truth of a tensor.
            compared = (inner for inner in ast.walk(node.test) if isinstance(inner, ast.Compare))
            return not any(isinstance(side, ast.Name) for item in compared for side in (item.left, *item.comparators))
        if isinstance(node, ast.With):
            return all(self._is_scope(item) for item in node.items)
        if isinstance(node, ast.Return):
            return node.value is None or not any(self._hands_out(inner) for inner in ast.walk(node.value))
        if isinstance(node, ast.AugAssign):
            # Of what it was given, a function may only change a name: in place it would change the caller's list.
            return isinstance(node.target, ast.Name) and (
                self._made_here(node.target.id) or self._has_tensor(node.value)
            )
        targets = node.targets if isinstance(node, ast.Assign) else []
        return all(self._is_own(target) for target in targets)

    def _hands_out(self, node: ast.AST) -> bool:
        """Whether a function inside this one is given away, where it may be called later."""
        own = isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and self._is_own_function(node))
        return own and not isinstance(self.module.parents[node], ast.Call | ast.keyword)

    def _is_scope(self, item: ast.withitem) -> bool:
        call = item.context_expr
        named = item.optional_vars is None or isinstance(item.optional_vars, ast.Name)
        return named and isinstance(call, ast.Call) and self.names.resolve(call.func) in _WITHIN

    def _is_own(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Tuple | ast.List):
            return all(self._is_own(item) for item in target.elts)
        if isinstance(target, ast.Subscript):
            return isinstance(target.value, ast.Name) and self._made_here(target.value.id)
        return isinstance(target, ast.Name)

    def _made_here(self, name: str) -> bool:
        """Whether a name means lists, dictionaries or results that the function makes itself."""
        scopes = [scope for scope in self.module.every_scope if scope.node in self.inside]
        bound = [value for scope in scopes for value in scope.bindings.get(name, [])]
        made = all(isinstance(value, ast.expr) and self._is_fresh(value) for value in bound)
        return bool(bound) and made and name not in _parameters(self.function)

    def _is_fresh(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            plain = isinstance(node.func, ast.Name) and node.func.id in ("list", "dict", "sorted")
            return plain or self.names.resolve(node.func) in effects.PURE
        return isinstance(node, ast.List | ast.Dict | ast.ListComp | ast.DictComp | ast.Constant | ast.BinOp)

    def _has_tensor(self, node: ast.expr) -> bool:
        calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
        return any(self.names.resolve(call.func) in effects.PURE for call in calls)

    def _may_call(self, call: ast.Call) -> bool:
        symbol = self.names.resolve(call.func)
        if symbol is not None:
            checks = symbol in _CHECKED and self._is_control(call)
            return symbol in _CALLED or symbol in _WITHIN or checks or purity.is_plain_call(symbol)
        root = call.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(call.func, ast.Attribute) and not (isinstance(root, ast.Name) and self._is_global(root)):
            return self._may_call_method(call.func)
        if not isinstance(root, ast.Name):
            return False
        if not self._is_global(root):
            return self._is_own_function(root)
        if root.id not in self.module.root.bindings:
            return root.id in _PYTHON or _is_error(root.id)
        name = purity.callee(call.func, self.module) or ""
        if name.startswith((*_LIBRARIES, "numpy.")):
            return not _CHANGING_ARRAYS & set(name.split("."))
        home, definition = _defined(self.names, call.func)
        if isinstance(definition, ast.FunctionDef) and home is not None:
            return self.builders.only_builds(home, definition, self.depth + 1)
        return _fields(definition) is not None

    def _is_global(self, name: ast.Name) -> bool:
        """Whether a name is none of the function's own."""
        scope = self.module.scope_of(name)
        while scope.parent is not None and name.id not in scope.bindings:
            scope = scope.parent
        return scope is self.module.root

    def _is_own_function(self, name: ast.Name) -> bool:
        """Whether a name means a function inside this one, which is looked at with it."""
        return any(isinstance(inner, ast.FunctionDef) and inner.name == name.id for inner in ast.walk(self.function))

    def _is_control(self, call: ast.Call) -> bool:
        """Whether a check is what other operations wait for, itself or in a list that the function makes."""
        node: ast.AST = call
        while isinstance(node, ast.Call | ast.List | ast.Tuple):
            node = self.module.parents[node]
            if isinstance(node, ast.Call) and self.names.resolve(node.func) == "tf.control_dependencies":
                return True
            added = node.func if isinstance(node, ast.Call) else None
            if isinstance(added, ast.Attribute) and isinstance(added.value, ast.Name) and added.attr == "append":
                return self._is_waited_for(added.value.id)
        return False

    def _is_waited_for(self, name: str) -> bool:
        calls = (self.module.parents[load] for load in self.module.loads.get(name, []) if not self._is_global(load))
        waiting = (call for call in calls if isinstance(call, ast.Call) and call in self.inside)
        return any(self.names.resolve(call.func) == "tf.control_dependencies" for call in waiting)

    def _may_call_method(self, method: ast.Attribute) -> bool:
        if method.attr in _CHANGING:
            return isinstance(method.value, ast.Name) and self._made_here(method.value.id)
        return method.attr in _CALLED_METHODS

    def _may_read(self, node: ast.Attribute) -> bool:
        symbol = self.names.resolve(node)
        if symbol == "tf.Tensor":
            call = self.module.parents[node]
            return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "isinstance"
        if symbol is not None:
            return (
                symbol in _CALLED
                or symbol in _WITHIN
                or symbol in _CHECKED
                or purity.is_plain_symbol(symbol)
                or (isinstance(self.module.parents[node], ast.Attribute))
            )
        return node.attr not in _OF_GRAPHS

    def _compares_values(self, node: ast.Compare) -> bool:
        """Whether values are compared, not tensors, which TensorFlow 1 told apart by identity."""
        if all(isinstance(operator, ast.Is | ast.IsNot | ast.Lt | ast.LtE | ast.Gt | ast.GtE) for operator in node.ops):
            return True
        sides = (node.left, *node.comparators)
        text = any(isinstance(item, ast.Constant) and isinstance(item.value, str) for item in sides)
        return text or not any(isinstance(item, ast.Name) for item in sides)

    def _is_known(self, node: ast.Name) -> bool:
        """Whether a name means something of the function, something that never changes, or what is called."""
        if not isinstance(node.ctx, ast.Load) or not self._is_global(node) or self.names.resolve(node) is not None:
            return True
        values = self.module.root.bindings.get(node.id)
        if values is None:
            return hasattr(builtins, node.id)
        parent = self.module.parents[node]
        called = isinstance(parent, ast.Call) and parent.func is node
        if called or all(isinstance(value, tuple) for value in values):
            return True
        fixed = len(values) == 1 and isinstance(values[0], ast.expr) and is_immutable(values[0], self.module)
        return fixed and not self.names.index.changed & {node.id, "*"}


def _is_error(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception)


def _parameters(function: ast.FunctionDef) -> set[str]:
    given = function.args
    return {argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
