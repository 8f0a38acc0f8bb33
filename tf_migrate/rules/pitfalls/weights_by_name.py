"""`load_weights(..., by_name=True)` reads the old HDF5 format only: with a TensorFlow checkpoint, a `.keras` or a
`.weights.h5` file it raises. `skip_mismatch=True` is for models that fit in part; TF1 checkpoints have names, and
`tf-migrate checkpoint convert` knows them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_CHECKPOINTS = ("tf.train.latest_checkpoint",)


def find(context: Context) -> Iterator[Change]:
    """Looks at `load_weights` calls that ask for names."""
    for _, call in context.code.methods("load_weights"):
        named = any(
            word.arg == "by_name" and isinstance(word.value, ast.Constant) and word.value.value is True
            for word in call.keywords
        )
        if named and call.args and _is_new_format(context, call.args[0]):
            message = "`by_name` works for the old `.h5` files only: loading this one raises"
            step = "drop `by_name`, or save the weights as `.h5`; `tf-migrate checkpoint convert` maps names"
            yield from context.advise(call, "TFM434", message, step)


def _is_new_format(context: Context, path: ast.expr) -> bool:
    path = context.code.flow.value(path)
    if context.code.called(path) in _CHECKPOINTS:
        return True
    ending = _ending(path)
    return bool(ending) and (
        ending.endswith((".weights.h5", ".keras", ".ckpt")) or "." not in ending.rpartition("/")[2]
    )


def _ending(path: ast.expr) -> str:
    """The literal end of a path; empty where it is not spelled out."""
    if isinstance(path, ast.BinOp) and isinstance(path.op, ast.Add):
        return _ending(path.right) if "." in _ending(path.right) else ""
    if isinstance(path, ast.JoinedStr) and path.values:
        last = path.values[-1]
        return str(last.value) if isinstance(last, ast.Constant) and "." in str(last.value) else ""
    return path.value if isinstance(path, ast.Constant) and isinstance(path.value, str) else ""


RULE = Rule(
    id="TFM434",
    name="weights-by-name",
    before="""\
import tensorflow as tf

def restore(model, folder):
    model.load_weights(tf.train.latest_checkpoint(folder), by_name=True)
""",
    after="""\
import tensorflow as tf

def restore(model, folder):
    model.load_weights(tf.train.latest_checkpoint(folder))
""",
    find=find,
    advice=True,
)
