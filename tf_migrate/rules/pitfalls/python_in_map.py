"""`Dataset.map` traces its function, eager or not: its parameters are symbolic tensors, which NumPy, OpenCV or
`.numpy()` cannot take. Use TensorFlow's operations, or hand the function to `tf.py_function` or `tf.numpy_function`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.traced import Function
from tf_migrate.rules import Change, Context, Rule

_LIBRARIES = ("numpy.", "cv2.", "PIL.", "skimage.", "scipy.", "librosa.", "soundfile.", "pandas.", "json.", "pickle.")
# What takes any object, or looks only at what a tensor says of itself.
_HARMLESS = (
    "numpy.shape",
    "numpy.ndim",
    "numpy.dtype",
    "numpy.isscalar",
    "numpy.iterable",
    "numpy.prod",
    "numpy.array",
)
_PYTHON = ("open", "float", "int", "str.join")


def find(context: Context) -> Iterator[Change]:
    """Looks at the functions that are mapped over datasets."""
    code = context.code
    seen: set[ast.AST] = set()
    for node, call in code.methods("map", "flat_map", "interleave", "filter"):
        if not call.args or not code.is_dataset(node.value):
            continue
        function = code.tracing.function_of(call.args[0])
        if function is not None and function not in seen:
            seen.add(function)
            yield from _mapped(context, function)


def _mapped(context: Context, function: Function) -> Iterator[Change]:
    arguments = function.args
    parameters = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args)}
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and context.module.function_of(call) is function:
            what = _python(context, call, parameters)
            if what:
                message = f"`{what}` cannot take the symbolic tensors that a mapped function is given"
                step = "use operations of TensorFlow, or map `lambda *x: tf.numpy_function(f, x, Tout)`"
                yield from context.advise(call, "TFM422", message, step)


def _python(context: Context, call: ast.Call, parameters: set[str]) -> str:
    if isinstance(call.func, ast.Attribute) and call.func.attr == "numpy" and not call.args:
        return ".numpy()" if _is_parameter(context, call.func.value, parameters) else ""
    name = context.code.name(call.func)
    if not name.startswith(_LIBRARIES) or name in _HARMLESS:
        return ""
    return name if any(_is_parameter(context, given, parameters) for given in call.args) else ""


def _is_parameter(context: Context, node: ast.expr, parameters: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in parameters and not context.code.flow.stores(node)


RULE = Rule(
    id="TFM422",
    name="python-in-map",
    before="""\
import numpy as np
import tensorflow as tf

data = tf.data.Dataset.range(8).map(lambda x: np.square(x))
""",
    after="""\
import numpy as np
import tensorflow as tf

data = tf.data.Dataset.range(8).map(lambda x: tf.numpy_function(np.square, [x], tf.int64))
""",
    find=find,
    advice=True,
)
