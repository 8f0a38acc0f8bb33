"""A `FixedLenFeature` must say exactly how many values each example holds, and of which of the three types that an
example can hold (`int64`, `float32`, `string`): anything else raises while the data is read. Compared with the features
that the same module writes under that key.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from tf_migrate.eager.tapes import argument
from tf_migrate.rules import Change, Context, Rule

_READERS = ("tf.io.FixedLenFeature", "tf.FixedLenFeature")
_LISTS = {"int64_list": "tf.int64", "float_list": "tf.float32", "bytes_list": "tf.string"}
_NEVER = ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float16", "float64", "bool", "bfloat16")


def find(context: Context) -> Iterator[Change]:
    """Looks at the features that are read."""
    readers = list(context.code.calls_of(*_READERS))
    written = _written(context) if readers else {}
    for call in readers:
        shape, dtype = argument(call, 0, "shape"), argument(call, 1, "dtype")
        kind = context.code.name(dtype) if dtype is not None else ""
        if kind.rpartition(".")[2] in _NEVER and kind.startswith("tf."):
            message = f"an example holds no `{kind}`, only int64, float32 and string"
            yield from context.advise(call, "TFM424", message, "read one of these and `tf.cast` or `decode_raw` it")
            continue
        key = _key(context, call)
        if key in written and written[key] is not None:
            yield from _compared(context, call, shape, kind, written[key])


def _compared(
    context: Context, call: ast.Call, shape: ast.expr | None, kind: str, written: tuple[str, int | None] | None
) -> Iterator[Change]:
    if written is None:
        return
    written_kind, written_length = written
    length = _length(shape)
    if kind in _LISTS.values() and kind != written_kind:
        message = f"this feature is written as `{written_kind}` and read as `{kind}`"
        yield from context.advise(call, "TFM424", message, f"read `{written_kind}`, and cast it afterwards")
    elif length is not None and written_length is not None and length != written_length:
        message = f"this feature is written with {written_length} value(s) and read with {length}"
        step = f"give the shape that {written_length} value(s) have, or use `VarLenFeature`"
        yield from context.advise(call, "TFM424", message, step)


def _length(shape: ast.expr | None) -> int | None:
    if not isinstance(shape, ast.List | ast.Tuple):
        return None
    sizes = [entry.value for entry in shape.elts if isinstance(entry, ast.Constant) and isinstance(entry.value, int)]
    return math.prod(sizes) if len(sizes) == len(shape.elts) else None


def _written(context: Context) -> dict[str, tuple[str, int | None] | None]:
    """Key -> type and number of values of each feature written; None where it is written in two ways."""
    found: dict[str, tuple[str, int | None] | None] = {}
    for call in context.code.calls_of("tf.train.Features"):
        given = argument(call, 0, "feature")
        features = None if given is None else context.code.flow.value(given)
        if not isinstance(features, ast.Dict):
            continue
        for key, value in zip(features.keys, features.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                kind = _feature(context, value)
                found[key.value] = kind if found.get(key.value, kind) == kind else None
    return found


def _feature(context: Context, value: ast.expr) -> tuple[str, int | None] | None:
    value = context.code.flow.value(value)
    if not isinstance(value, ast.Call):
        return None
    if context.code.called(value) != "tf.train.Feature":
        function = context.code.tracing.function_of(value.func)
        body = function.body if isinstance(function, ast.FunctionDef) else []
        returned = [part for part in body if isinstance(part, ast.Return)]
        made = returned[0].value if len(returned) == 1 and len(body) <= 2 else None
        return _feature(context, made) if context.code.called(made or value) == "tf.train.Feature" and made else None
    if len(value.keywords) != 1 or value.keywords[0].arg not in _LISTS:
        return None
    return _LISTS[str(value.keywords[0].arg)], _values(value.keywords[0].value)


def _values(given: ast.expr) -> int | None:
    values = argument(given, 0, "value") if isinstance(given, ast.Call) else None
    if not isinstance(values, ast.List | ast.Tuple) or any(isinstance(item, ast.Starred) for item in values.elts):
        return None
    return len(values.elts)


def _key(context: Context, call: ast.Call) -> str | None:
    parent = context.module.parents[call]
    if not isinstance(parent, ast.Dict) or call not in parent.values:
        return None
    key = parent.keys[parent.values.index(call)]
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


RULE = Rule(
    id="TFM424",
    name="feature-length",
    before="""\
import tensorflow as tf

def write(height, width):
    size = tf.train.Feature(int64_list=tf.train.Int64List(value=[height, width]))
    return tf.train.Example(features=tf.train.Features(feature={"size": size}))

def read(record):
    return tf.io.parse_single_example(record, {"size": tf.io.FixedLenFeature([], tf.int64)})
""",
    after="""\
import tensorflow as tf

def write(height, width):
    size = tf.train.Feature(int64_list=tf.train.Int64List(value=[height, width]))
    return tf.train.Example(features=tf.train.Features(feature={"size": size}))

def read(record):
    return tf.io.parse_single_example(record, {"size": tf.io.FixedLenFeature([2], tf.int64)})
""",
    find=find,
    advice=True,
)
