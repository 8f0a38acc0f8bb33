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
from tf_migrate.stages.flags import flag_of, is_left, stays
from tf_migrate.stages.forms import defined, fields_of, formed, returned
from tf_migrate.stages.members import is_part_of_graph, may_be_another
from tf_migrate.stages.values import Stage, Value, combine, flatten, is_fed
from tf_migrate.syntax.callee import callee
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
_OF_VALUES = frozenset({"AssertionError", "IndexError", "KeyError", "ValueError", "ZeroDivisionError"})
_DEPTH = 20
_GIVEN = frozenset({Stage.PYTHON, Stage.CONSTANT, Stage.STATIC, Stage.TENSOR, Stage.PLACEHOLDER})


@dataclass
class Builders:
    """Knows which functions only build; each is looked at once."""

    known: dict[ast.FunctionDef, frozenset[str] | None] = field(default_factory=dict)

    def compared(self, names: Names, function: ast.FunctionDef, depth: int = 0) -> frozenset[str] | None:
        """The parameters that have to be Python values, so that a function of the module of `names` only computes.

        None where it does more than that.
        """
        if function not in self.known:
            self.known[function] = None  # functions that call each other in a circle are not understood
            reader = _Reader(self, names, function, depth)
            if depth < _DEPTH and reader.only_builds():
                self.known[function] = frozenset(reader.compared)
        return self.known[function]

    def takes(self, names: Names, call: ast.Call, function: ast.FunctionDef, given: Sequence[Value]) -> bool:
        """Whether a function only builds, of tensors and Python values that this call gives it."""
        parts = list(flatten(given))
        if not all(part.stage in _GIVEN and not part.variables and part.function is None for part in parts):
            return False
        compared = self.compared(names, function)
        if not compared:
            return compared is not None
        values = dict(zip((*call.args, *(word.value for word in call.keywords)), given, strict=True))
        passed = _passed(call, function)
        return passed is not None and all(
            part.stage is Stage.PYTHON for name in compared & passed.keys() for part in flatten([values[passed[name]]])
        )

    def given(self, names: Names, function: ast.FunctionDef, given: Sequence[Value]) -> Value:
        """What a function gives that only builds."""
        made = combine(given)
        return formed(names, returned(function), replace(made, fed=any(map(is_fed, flatten(given)))), 0)


@dataclass
class _Reader:
    """Looks at one function."""

    builders: Builders
    names: Names
    function: ast.FunctionDef
    depth: int
    compared: set[str] = field(default_factory=set)
    """The parameters whose values it compares, which TensorFlow 1 did with tensors by identity."""
    again: list[ast.Call] = field(default_factory=list)
    """The calls of the function itself."""

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
        if not all(purity.is_immutable(default, self.module) for default in defaults):
            return False
        plain = all(self._is_plain(node) for statement in self.function.body for node in ast.walk(statement))
        return plain and all(map(self._passes_on, self.again))

    def _passes_on(self, call: ast.Call) -> bool:
        """Whether a call of the function itself gives Python values where it was given some to compare."""
        passed = _passed(call, self.function)
        return passed is not None and all(
            isinstance(part, ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop | ast.expr_context)
            or (isinstance(part, ast.Name) and part.id in self.compared)
            for name in self.compared & passed.keys()
            for part in ast.walk(passed[name])
        )

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
        if isinstance(node, ast.Try):
            return all(_tells_no_tensors(handler.type) for handler in node.handlers)
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
        name = callee(call.func, self.module) or ""
        if name.startswith((*_LIBRARIES, "numpy.")):
            return not _CHANGING_ARRAYS & set(name.split("."))
        home, definition = defined(self.names, call.func)
        if definition is self.function:
            self.again.append(call)
            return True
        if isinstance(definition, ast.FunctionDef) and home is not None:
            return self._gives_python(call, definition, self.builders.compared(home, definition, self.depth + 1))
        return fields_of(definition) is not None

    def _gives_python(self, call: ast.Call, function: ast.FunctionDef, compared: frozenset[str] | None) -> bool:
        """Whether a call gives Python values to the parameters of a function that compares them; None: it does more."""
        passed = _passed(call, function)
        if not compared or passed is None:
            return compared is not None and not compared
        given = [passed[name] for name in compared if name in passed]
        return all(isinstance(item, ast.Constant) or self._compares_parameter(item) for item in given)

    def _compares_parameter(self, node: ast.expr) -> bool:
        """Notes that a parameter, which means nothing else in the function, has to be a Python value."""
        if not isinstance(node, ast.Name) or node.id not in _parameters(self.function):
            return False
        bound = [name for name in self.inside if isinstance(name, ast.arg) and name.arg == node.id]
        stored = [name for name in self.inside if isinstance(name, ast.Name) and name.id == node.id]
        if len(bound) > 1 or not all(isinstance(name.ctx, ast.Load) for name in stored):
            return False
        self.compared.add(node.id)
        return True

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
        flag = flag_of(symbol)
        if flag is not None:
            return stays(self.names, flag, self.names, None)
        if symbol is not None:
            return (
                symbol in _CALLED
                or symbol in _WITHIN
                or symbol in _CHECKED
                or purity.is_plain_symbol(symbol)
                or (isinstance(self.module.parents[node], ast.Attribute))
            )
        if is_part_of_graph(self.names, node) or may_be_another(self.names, node):
            return False
        if not is_left(self.names, node, self.names, None):
            return False
        return node.attr not in _OF_GRAPHS

    def _compares_values(self, node: ast.Compare) -> bool:
        """Whether values are compared, not tensors, which TensorFlow 1 told apart by identity."""
        if all(isinstance(operator, ast.Is | ast.IsNot | ast.Lt | ast.LtE | ast.Gt | ast.GtE) for operator in node.ops):
            return True
        sides = (node.left, *node.comparators)
        text = any(isinstance(item, ast.Constant) and isinstance(item.value, str) for item in sides)
        return text or all(self._compares_parameter(item) for item in sides if isinstance(item, ast.Name))

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
            return called or not is_part_of_graph(self.names, node)
        fixed = len(values) == 1 and isinstance(values[0], ast.expr) and purity.is_immutable(values[0], self.module)
        return fixed and not self.names.index.changed & {node.id, "*"}


def _tells_no_tensors(kind: ast.expr | None) -> bool:
    """Whether a handler is for none of the errors by which TensorFlow 1 told tensors from Python values.

    A tensor had no truth, no length and no parts there (TypeError), nor what arrays have (AttributeError).
    """
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return all(isinstance(item, ast.Name) and item.id in _OF_VALUES for item in kinds)


def _is_error(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception)


def _parameters(function: ast.FunctionDef) -> set[str]:
    given = function.args
    return {argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)}


def _passed(call: ast.Call, function: ast.FunctionDef) -> dict[str, ast.expr] | None:
    """The expressions that a call gives to the parameters of a function; None where that is not written out."""
    if any(isinstance(item, ast.Starred) for item in call.args) or any(word.arg is None for word in call.keywords):
        return None
    names = [argument.arg for argument in function.args.args]
    return {**dict(zip(names, call.args, strict=False)), **{str(word.arg): word.value for word in call.keywords}}
