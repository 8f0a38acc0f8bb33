"""A sum has the type of what is summed: `tf.reduce_sum` of uint8 wraps around at 256 without a warning, where NumPy
counts in 64 bits, and `tf.reduce_mean` of integers divides what has overflowed. Cast first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import wrap
from tf_migrate.eager.tapes import argument
from tf_migrate.rules import Change, Context, Rule

_SUMS = ("reduce_sum", "cumsum", "reduce_prod", "reduce_mean")
_SMALL = ("tf.uint8", "tf.int8", "numpy.uint8", "numpy.int8")
# Where each operation takes its type.
_TYPED = {"tf.cast": 1, "tf.constant": 1, "tf.zeros": 1, "tf.ones": 1, "tf.io.decode_raw": 1, "tf.decode_raw": 1}
_TYPED |= {"tf.convert_to_tensor": 1, "tf.image.convert_image_dtype": 1, "tf.one_hot": 5}
_BYTES = ("decode_jpeg", "decode_png", "decode_image", "decode_gif", "decode_bmp")
_SAME_TYPE = ("tf.reshape", "tf.transpose", "tf.expand_dims", "tf.squeeze", "tf.identity", "tf.abs", "tf.concat")


def find(context: Context) -> Iterator[Change]:
    """Looks at what is summed."""
    for name in _SUMS:
        for call in context.code.calls_of(f"tf.{name}", f"tf.math.{name}"):
            summed = argument(call, 0, "x" if name == "cumsum" else "input_tensor")
            kind = None if summed is None else _small(context, summed, 0)
            if summed is None or kind is None:
                continue
            message = f"the sum is {kind.rpartition('.')[2]} too, and wraps around without a warning"
            wide = "float32" if name == "reduce_mean" else "int32"
            tf = context.tf
            edits = wrap(*context.module.source.span(summed), f"{tf}.cast(", f", {tf}.{wide})") if tf else ()
            yield from context.advise(call, "TFM443", message, f"cast it to `tf.{wide}` first", edits)


def _small(context: Context, node: ast.expr, depth: int) -> str | None:
    """The type of an expression where it is a small integer for certain."""
    value = context.code.flow.value(node)
    name = context.code.called(value)
    if not isinstance(value, ast.Call) or depth > 8:
        return None
    if name in _TYPED:
        given = argument(value, _TYPED[name], "out_type" if "decode" in name else "dtype")
        kind = "" if given is None else context.code.name(given)
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            kind = f"tf.{given.value}"
        return kind if kind in _SMALL else None
    if name.startswith(("tf.io.", "tf.image.")) and name.rpartition(".")[2] in _BYTES:
        return "tf.uint8" if argument(value, 9, "dtype") is None and not value.args[2:] else None
    if name in _SAME_TYPE and value.args and not isinstance(value.args[0], ast.List | ast.Tuple):
        return _small(context, value.args[0], depth + 1)
    return None


RULE = Rule(
    id="TFM443",
    name="integer-overflow",
    before="""\
import tensorflow as tf

def brightness(contents):
    image = tf.io.decode_jpeg(contents)
    return tf.reduce_sum(image)
""",
    after="""\
import tensorflow as tf

def brightness(contents):
    image = tf.io.decode_jpeg(contents)
    return tf.reduce_sum(tf.cast(image, tf.int32))
""",
    find=find,
    advice=True,
)
