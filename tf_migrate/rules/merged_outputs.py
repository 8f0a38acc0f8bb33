"""With oneDNN, TensorFlow 2's optimizer may compute with another output of an operation than the program says: of
`x, y = tf.split(z, 2)`, `tf.maximum(y, 0.5 * x)` becomes the leaky ReLU of `x`. The functions of datasets go through it
as they are written, so that the optimizer is told to leave such operations alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.changes.imports_end import behind_imports
from tf_migrate.names.merged_outputs import may_be_merged
from tf_migrate.rules import Change, Context, Rule

_METHODS = frozenset({"map", "flat_map", "filter", "interleave", "apply", "reduce", "map_and_batch"})
_OPTION = "config.optimizer.set_experimental_options"


def find(context: Context) -> Iterator[Change]:
    """Looks at each such call of a module that gives functions to datasets."""
    module = context.module
    if context.tf2 or not context.builds or not any(map(_gives_function, module.calls)):
        return
    calls = (call for call in module.calls if may_be_merged(call, context.names) and not module.is_skipped(call))
    found = next(calls, None)
    place = None if found is None else behind_imports(module, None)
    if found is None or place is None or any(_is_option(call) for call in module.calls):
        return
    source = module.source
    text = f'{context.tf or context.new_tf}.{_OPTION}({{"remapping": False}}){source.newline}'
    message = (
        "TensorFlow 2's optimizer may compute this of one output of an operation where two are meant: "
        "in this program it leaves such operations alone"
    )
    edit = Edit(place, place, text, 1, line=True)
    yield Change(context.finding(found, "TFM148", message), (edit,), frozenset() if context.tf else frozenset({"tf"}))


def _gives_function(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS


def _is_option(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "set_experimental_options"


_BEFORE = """\
import tensorflow as tf


def half(z):
    a, b = tf.split(z, 2)
    return tf.maximum(b, 0.5 * a)


row = tf.data.Dataset.from_tensors([1.0, -2.0, 3.0, -4.0]).map(half).make_one_shot_iterator().get_next()
with tf.Session() as sess:
    print(sess.run(row))
"""

_AFTER = """\
import tensorflow as tf
import compat
tf.config.optimizer.set_experimental_options({"remapping": False})


def half(z):
    a, b = tf.split(z, 2)
    return tf.maximum(b, 0.5 * a)


compat.open_graph()
row = compat.data.make_one_shot_iterator(tf.data.Dataset.from_tensors([1.0, -2.0, 3.0, -4.0]).map(half)).get_next()
with compat.Session() as sess:
    print(sess.run(row))
"""

RULE = Rule(id="TFM148", name="merged-outputs", before=_BEFORE, after=_AFTER, find=find)
