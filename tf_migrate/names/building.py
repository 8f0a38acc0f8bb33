"""Which statements of a module's top level add to the graph when they run."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from tf_migrate.names.bindings import import_origin
from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Module

# What adds nothing to a graph by being called.
_NEUTRAL = (
    "tf.app",
    "tf.flags",
    "tf.gfile",
    "tf.logging",
    "tf.test.main",
    "tf.test.is_",
    "tf.ConfigProto",
    "tf.GPUOptions",
    "tf.OptimizerOptions",
    "tf.RegisterGradient",
    "tf.TensorShape",
    "tf.Dimension",
    "tf.as_dtype",
    "tf.DType",
    "tf.python_io",
    "tf.io.gfile",
    "tf.contrib.training.HParams",
    "tf.contrib.framework.add_arg_scope",
    "tf.contrib.slim.add_arg_scope",
    "tf.make_template",
    "tf.estimator",
    "tf.io.tf_record_iterator",
    "tf.make_ndarray",
    "tf.make_tensor_proto",
    "tf.contrib.util.make_",
    "tf.train.Features",
    "tf.train.Feature",
    "tf.train.Example",
    "tf.train.SequenceExample",
    "tf.train.NewCheckpointReader",
    "tf.train.checkpoint_exists",
    "tf.train.get_checkpoint_",
    "tf.train.latest_checkpoint",
    "tf.train.list_variables",
    "tf.train.load_",
    "tf.train.summary_iterator",
    "tf.disable_",
    "tf.enable_",
    "tf.resource_loader",
    "tf.sysconfig",
    "tf.load_op_library",
    "tf.errors",
    "tf.keras.backend.backend",
    "tf.keras.backend.epsilon",
    "tf.keras.backend.floatx",
    "tf.keras.backend.image_data_format",
)
_INITIALIZER_CLASSES = """
    tf.zeros_initializer tf.ones_initializer tf.constant_initializer tf.random_normal_initializer
    tf.random_uniform_initializer tf.truncated_normal_initializer tf.glorot_uniform_initializer
    tf.glorot_normal_initializer tf.uniform_unit_scaling_initializer tf.variance_scaling_initializer
    tf.orthogonal_initializer tf.contrib.layers.xavier_initializer tf.contrib.layers.xavier_initializer_conv2d
    tf.contrib.layers.variance_scaling_initializer tf.initializers.zeros tf.initializers.ones
    tf.initializers.constant tf.initializers.random_normal tf.initializers.random_uniform
    tf.initializers.truncated_normal tf.initializers.variance_scaling tf.initializers.he_normal
    tf.initializers.he_uniform tf.initializers.glorot_uniform tf.initializers.glorot_normal
"""
INITIALIZER_CLASSES = frozenset(_INITIALIZER_CLASSES.split())
"""Classes of initializers: an object adds nothing to a graph before a variable begins with what it gives."""
_NAMING = ast.BoolOp | ast.Dict | ast.IfExp | ast.Lambda | ast.List | ast.Name | ast.Subscript | ast.Tuple
_HOLDING = frozenset({"OrderedDict", "defaultdict", "dict", "list", "partial", "tuple"})
_TEST_RUNNERS = ("tf.test.main", "compat.test.main")  # each test opens a graph of its own


class Building:
    """Answers for one module; a name counts when it, or what it calls in this module, reaches TensorFlow."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names

    @cached_property
    def is_of_keras_alone(self) -> bool:
        """Whether all that builds in this module is Keras's, whose models run at once; nothing comes from others."""
        building = [use.symbol for use in self.names.uses if _builds(use.symbol)]
        of_keras = all(symbol.startswith("tf.keras.") for symbol in building)
        return bool(building) and of_keras and not self.names.index.imports_tf1(self.module.name)

    def possibly(self, statement: ast.stmt) -> bool:
        """Whether running the statement builds, or calls code of this module or of the tree that may build."""
        calls = list(_executed(statement, self.names))
        if any(_builds(self.names.of(call.func)) or self._initializes(call) for call in calls):
            return True
        decorators = {id(decorator) for decorator in _decorators(statement)}  # they build nothing of their own
        return any(self._leads_on(call) for call in calls if id(call) not in decorators)

    def reaches(self, node: ast.stmt) -> bool:
        """Whether a function or class mentions TensorFlow, what of this module does, or a module of the tree."""
        names = (name for name in self.functions if name != getattr(node, "name", None))
        return _holds(node, self._reaching_lines) or any(_holds(node, self._lines_of(name)) for name in names)

    def _initializes(self, call: ast.Call) -> bool:
        """Whether an initializer object is called, which gives the value itself, or is given to code of the tree."""
        if self._holds_initializer(call.func):
            return True
        root = _root(call.func)
        own = root is not None and (root.id in self._defined or self._leads_to_tree(root))
        return own and any(map(self._holds_initializer, (*call.args, *(keyword.value for keyword in call.keywords))))

    def _holds_initializer(self, node: ast.expr) -> bool:
        """Whether an expression is an initializer object, or one of a container's."""
        if isinstance(node, ast.Call):
            return self.names.of(node.func) in INITIALIZER_CLASSES
        root = _root(node)
        return root is not None and root.id in self._initializers

    @cached_property
    def _initializers(self) -> frozenset[str]:
        """The names of the top level that are bound to an initializer object, or to what holds some."""
        bound = [node for node in _top_level(self.module.tree.body) if isinstance(node, ast.Assign | ast.AnnAssign)]
        return frozenset(
            name
            for node in bound
            if node.value is not None
            and any(isinstance(inner, ast.Call) and self._holds_initializer(inner) for inner in ast.walk(node.value))
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            for name in _given(target)
        )

    def _leads_on(self, call: ast.Call) -> bool:
        """Whether the function called, or one passed to it, is of this module or the tree and reaches TensorFlow."""
        if self.names.of(call.func) == "tf.app.run" and not (call.args or call.keywords):
            return "main" in self.functions
        if self._finds_by_text(call) or self._is_looked_up(call.func):
            return bool(self.functions) or self.names.index.imports_tf1(self.module.name)
        function = list(_names_in(call.func))
        passed = (*call.args, *(keyword.value for keyword in call.keywords))
        given = () if _only_holds(call) else (name for value in passed for name in _names_in(value))
        if any(name.id in self.functions for name in (*function, *given)) or any(map(self._leads_to_tree, function)):
            return True
        own = isinstance(call.func, ast.Name) and call.func.id in self._defined
        return own and any(root is not None and self._leads_to_tree(root) for root in map(_root, passed))

    def _finds_by_text(self, call: ast.Call) -> bool:
        """Whether a function is found by a text: `globals()[mode]()`, `getattr(sys.modules[__name__], mode)()`."""
        word, around = _word(call.func), self.module.parents[call]
        if word in ("globals", "locals"):
            taken = isinstance(around, ast.Subscript) and isinstance(around.ctx, ast.Load)
            return taken or (isinstance(around, ast.Attribute) and around.attr == "get")
        inside = call.args and isinstance(call.args[0], ast.Subscript) and _word(call.args[0].value) == "modules"
        return word in ("eval", "exec") or (word == "getattr" and bool(inside))

    def _is_looked_up(self, function: ast.expr) -> bool:
        """Whether what is called is an element of a container of the tree, to which decorators may add functions."""
        root = _root(function) if isinstance(function, ast.Subscript) else None
        return root is not None and (root.id in self._defined or (self.names.raw_origin(root) or "").startswith("@"))

    @cached_property
    def _definitions(self) -> list[tuple[str, ast.stmt | ast.expr]]:
        """Top-level functions and classes of the module, and variables that may be, or hold, such of the tree."""
        found: list[tuple[str, ast.stmt | ast.expr]] = []
        for node in _top_level(self.module.tree.body):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.append((node.name, node))
            elif isinstance(node, ast.For):
                found += ((name, node.iter) for name in _given(node.target))
            elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and _is_naming(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found += ((name, node) for target in targets for name in _given(target))
        return found

    @cached_property
    def _defined(self) -> frozenset[str]:
        return frozenset(name for name, _ in self._definitions)

    @cached_property
    def functions(self) -> frozenset[str]:
        """Those definitions of the module that reach TensorFlow or another module of the tree."""
        definitions = self._definitions
        reaching = {name for name, node in definitions if _holds(node, self._reaching_lines)}
        named = [
            (name, {other for other in self._defined if _holds(node, self._lines_of(other))})
            for name, node in definitions
        ]
        while True:
            grown = reaching | {name for name, others in named if others & reaching}
            if grown == reaching:
                return frozenset(reaching)
            reaching = grown

    def _lines_of(self, name: str) -> list[int]:
        return [node.lineno for node in self.module.loads.get(name, ())]

    @cached_property
    def _reaching_lines(self) -> list[int]:
        """Lines that mention TensorFlow, or a module of the tree that does, in order."""
        lines = [use.root.lineno for use in self.names.uses if _builds(use.symbol)]
        for name in self.module.loads:
            lines += [node.lineno for node in self.module.loads[name] if self._leads_to_tree(node)]
        inside = (node for node, scope in self.module.imports if scope is not self.module.root)
        return sorted([*lines, *(node.lineno for node in inside if self._imports_building(node))])

    def _imports_building(self, node: ast.Import | ast.ImportFrom) -> bool:
        """Whether an import brings in what reaches TensorFlow in another module of the tree."""
        index, compat = self.names.index, self.names.compat_module
        return any(self._reaches(import_origin(self.module, index, node, alias, compat)) for alias in node.names)

    def _leads_to_tree(self, node: ast.Name) -> bool:
        if self.names.of(node) is not None:
            return False  # a symbol of TensorFlow that another module has, which tells itself whether it builds
        origin = self.names.raw_origin(node)
        maker = self.names.maker(node.id) if origin is None else None
        return self._reaches(origin if maker is None else f"@{maker}")

    def _reaches(self, origin: str | None) -> bool:
        """Whether what an origin says is of a module of the tree that reaches TensorFlow."""
        if origin is None or not origin.startswith("@"):
            return False
        index, module = self.names.index, origin[1:].partition("|")[0]
        if any(name.startswith(f"{module}.") and index.reaches_tf1(name) for name in index.imports(self.module.name)):
            return True  # `import package.module`, which is reached through the package's name
        inner = index.resolve(origin) or ""  # `from package import module`, where the package does not import it
        return index.reaches_tf1(module) or (inner.startswith("@") and index.reaches_tf1(inner[1:].partition("|")[0]))


def _names_in(node: ast.expr) -> Iterator[ast.Name]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Name))


def _given(target: ast.expr) -> Iterator[str]:
    """The names that a target binds, or whose elements or attributes it binds."""
    if isinstance(target, ast.List | ast.Tuple):
        for item in target.elts:
            yield from _given(item)
    elif (root := _root(target)) is not None:
        yield root.id


def _word(node: ast.expr) -> str:
    """The last word of a function's name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _only_holds(call: ast.Call) -> bool:
    """Whether a call makes what holds functions for later, and calls none of them."""
    return _word(call.func) in _HOLDING


def _is_naming(value: ast.expr | None) -> bool:
    """Whether an expression calls nothing of the module: what it names gets another name."""
    return isinstance(value, _NAMING) or (isinstance(value, ast.Call) and _only_holds(value))


def _root(node: ast.expr) -> ast.Name | None:
    """The name that an expression begins with."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node if isinstance(node, ast.Name) else None


def _builds(symbol: str | None) -> bool:
    if symbol is None or symbol in INITIALIZER_CLASSES:
        return False
    return symbol.startswith(("tf.", "tensorflow.python.keras.")) and not symbol.startswith(_NEUTRAL)


def _holds(node: ast.stmt | ast.expr, lines: list[int]) -> bool:
    """Whether one of the sorted lines lies inside a statement."""
    place = bisect_left(lines, node.lineno)
    return place < len(lines) and lines[place] <= (node.end_lineno or node.lineno)


def main_guard(statement: ast.stmt) -> ast.If | None:
    """The statement, if it is ``if __name__ == "__main__":``."""
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
        return None
    sides = [statement.test.left, *statement.test.comparators]
    name = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    value = any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
    return statement if name and value and isinstance(statement.test.ops[0], ast.Eq) else None


def _executed(statement: ast.AST, names: Names) -> Iterator[ast.Call]:
    """Calls that run when the statement does: not in bodies of functions, nor in what runs tests."""
    stack = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            if (names.of(node.func) or "") in _TEST_RUNNERS:
                continue
            yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            stack += [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
        elif isinstance(node, ast.Lambda):
            stack += node.args.defaults
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            stack += ast.iter_child_nodes(node)


def _decorators(statement: ast.stmt) -> Iterator[ast.expr]:
    """Decorators of the function or class that the statement makes, and of those in the class's body."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield from statement.decorator_list
    if isinstance(statement, ast.ClassDef):
        for node in statement.body:
            yield from _decorators(node)


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.For | ast.While):
            yield from _top_level([*node.body, *node.orelse])
        elif isinstance(node, ast.With):
            yield from _top_level(node.body)
