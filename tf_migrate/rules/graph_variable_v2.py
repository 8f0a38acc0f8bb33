"""In a graph of TensorFlow 1.15, `tf.compat.v2.Variable` was a variable of that graph: it stood in the collections, had
an initializer, and was read and set by a session. TensorFlow 2's `tf.Variable` is eager, and a graph that reads one
makes it a foreign value. It becomes `compat.Variable`, as a resource variable, which is what it was.
"""

from __future__ import annotations

import ast

from tf_migrate.changes.arguments import Uncertain, argument_edits
from tf_migrate.changes.edits import Edit
from tf_migrate.facts import ArgumentEdit, Fact
from tf_migrate.names.canonical import Use
from tf_migrate.rules import Change, Context, Rule

_ID = "TFM116"
_OLD = (
    "initial_value,trainable,validate_shape,caching_device,name,variable_def,dtype,import_scope,constraint,"
    "synchronization,aggregation,shape"
)
_NEW = (
    "initial_value,trainable,collections,validate_shape,caching_device,name,variable_def,dtype,expected_shape,"
    "import_scope,constraint,use_resource,synchronization,aggregation,shape"
)
_FACT = Fact(
    "tf.compat.v2.Variable",
    "class",
    "call",
    "compat.Variable",
    tuple(_OLD.split(",")),
    tuple(_NEW.split(",")),
    (ArgumentEdit(None, "use_resource", "True"),),
)


def claims(context: Context, use: Use) -> bool:
    """Whether it is made here, in a module that graphs are built through."""
    return context.builds and not context.tf2


def symbol(context: Context, use: Use, fact: Fact | None) -> Change | None:
    """Makes the variable the graph's; where a type is asked for, `tf.Variable` is what both are."""
    if use.call is None:
        return None
    try:
        edits = argument_edits(context.module.source, use.call, _FACT)
    except Uncertain as uncertain:
        return context.manual(
            use.root,
            _ID,
            f"`{use.symbol}` made a variable of the graph, and {uncertain}",
            "write its arguments out for `compat.Variable(..., use_resource=True)`",
            use.symbol,
        )
    if not isinstance(use.node, ast.Attribute):
        return context.manual(
            use.root,
            _ID,
            f"`{use.symbol}` made a variable of the graph, and `{use.root.id}` is another name of it here",
            "call `compat.Variable(..., use_resource=True)`",
            use.symbol,
        )
    edit = Edit(*context.module.source.span(use.node), context.compat_path(_FACT.target))
    message = f"`{use.symbol}` makes a variable of the graph here: `compat.Variable`"
    finding = context.finding(use.root, _ID, message, symbol=use.symbol, action="shimmed")
    return Change(finding, (edit, *edits), frozenset({"compat"}))


RULE = Rule(
    id=_ID,
    name="graph-variable-v2",
    before="""\
import tensorflow as tf

def count():
    step = tf.compat.v2.Variable(0, False, name="step")
    return tf.assign_add(step, 1)
""",
    after="""\
import tensorflow as tf
import compat

def count():
    step = compat.Variable(0, False, name="step", use_resource=True)
    return compat.assign_add(step, 1)
""",
    handles=frozenset({_FACT.symbol}),
    claims=claims,
    symbol=symbol,
)
