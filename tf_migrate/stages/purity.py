"""Python code that gives the same value whenever and however often it runs.

What moves into a function runs when that is traced: later than in the original, and once for each function. So Python
code inside it has to be a plain computation over values that do not change.
"""

from __future__ import annotations

import ast

from tf_migrate.stages import arrays, effects
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

STATIC_FUNCTIONS = frozenset(
    {"int", "float", "len", "list", "tuple", "range", "min", "max", "sum", "abs", "numpy.prod", "numpy.product", "str"}
)
_OF_NUMBERS = frozenset(f"numpy.{word}" for word in ("ceil", "exp", "floor", "log", "log2", "sqrt"))
BUILTINS = STATIC_FUNCTIONS | frozenset(
    {"bool", "dict", "enumerate", "pow", "reversed", "round", "set", "sorted", "zip", "isinstance", "all", "any"}
)
VERSIONS = frozenset(
    {
        *("distutils.version.LooseVersion", "distutils.version.StrictVersion"),
        *("packaging.version.Version", "packaging.version.parse", "pkg_resources.parse_version"),
    }
)
"""What reads the text of a version, for comparing it."""
_IMMUTABLE_CALLS = frozenset({"int", "float", "len", "str", "bool", "range"})
_COMPUTING_CALLS = frozenset({"round", "abs", "min", "max", "sum"})
_STABLE_ATTRIBUTES = frozenset({"shape", "size", "ndim", "dtype", "T"})
_DATA_SETS = ("tf.keras.datasets", "tf.contrib.learn.datasets", "tf.contrib.learn.python.learn.datasets")
_VERSIONS = ("tf.version", "tf.__")
_PLAIN_PREFIXES = (
    "tf.app",
    "tf.errors",
    "tf.flags",
    "tf.logging",
    "tf.gfile",
    *_DATA_SETS,
    *effects.HARMLESS_PREFIXES,
)
_NAMES = frozenset({"tf.AUTO_REUSE", "tf.GraphKeys.GLOBAL_VARIABLES", "tf.GraphKeys.TRAINABLE_VARIABLES"})
_PLAIN = effects.DTYPES | effects.PURE | effects.RANDOM | effects.INITIALIZER_CLASSES | effects.HARMLESS | _NAMES
MODES = frozenset(f"tf.estimator.ModeKeys.{word}" for word in ("EVAL", "PREDICT", "TRAIN"))
_NAMESPACES = MODES | frozenset(
    {
        "tf",
        "tf.nest",
        "tf.contrib.framework",
        "tf.contrib.framework.nest",
        "tf.contrib.layers",
        "tf.contrib.rnn",
        "tf.contrib.slim",
        "tf.estimator.ModeKeys",
        "tf.nn",
        "tf.nn.rnn_cell",
        "tf.math",
        "tf.layers",
        "tf.train",
        "tf.contrib",
        "tf.image",
        "tf.linalg",
        "tf.losses",
        "tf.random",
    }
)


def is_plain_symbol(symbol: str) -> bool:
    """Whether a TensorFlow symbol may stand for itself, outside a call."""
    return symbol in _PLAIN or symbol in _NAMESPACES or symbol.startswith((*_PLAIN_PREFIXES, *_VERSIONS))


def is_plain_call(symbol: str) -> bool:
    """Whether calling a TensorFlow symbol builds nothing and reads nothing of a graph."""
    return symbol in effects.HARMLESS or symbol.startswith((*_PLAIN_PREFIXES, *_VERSIONS))


def is_pure_call(call: ast.Call, module: Module) -> bool:
    """Whether calling a Python function computes a value from its arguments and does nothing else."""
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Constant):
        return call.func.attr in ("format", "join")
    name = callee(call.func, module)
    if name is None:
        return False
    head, _, tail = name.partition(".")
    return (
        name in BUILTINS | VERSIONS
        or (head == "numpy" and arrays.repeats(tail, call))
        or (head == "math" and bool(tail))
    )


def counts(name: str | None) -> bool:
    """Whether a function of this dotted name computes a Python value of sizes, and does nothing else."""
    return name is not None and (name in STATIC_FUNCTIONS | _OF_NUMBERS or name.startswith("math."))


def is_stable_attribute(node: ast.Attribute, module: Module) -> bool:
    """Whether an attribute of a Python value stays what it is: a member of an imported module, or an array's shape."""
    if node.attr in _STABLE_ATTRIBUTES:
        return all(isinstance(known.ctx, ast.Load) for known in module.attributes.get(node.attr, []))
    root = node.value
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    bindings = module.root.bindings.get(root.id, [])
    return bool(bindings) and all(isinstance(binding, tuple) for binding in bindings)


def is_immutable(node: ast.expr | None, module: Module, depth: int = 0) -> bool:
    """Whether an expression makes a value that nothing can change."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        return True
    if isinstance(node, ast.Compare):
        return all(is_immutable(side, module, depth) for side in (node.left, *node.comparators))
    if isinstance(node, ast.UnaryOp):
        return is_immutable(node.operand, module, depth)
    if isinstance(node, ast.BinOp):
        return is_immutable(node.left, module, depth) and is_immutable(node.right, module, depth)
    if isinstance(node, ast.Tuple):
        return all(is_immutable(item, module, depth) for item in node.elts)
    if isinstance(node, ast.Call):
        name = callee(node.func, module)
        plain = name in _COMPUTING_CALLS and all(is_immutable(item, module, depth) for item in node.args)
        return name in _IMMUTABLE_CALLS or plain
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
