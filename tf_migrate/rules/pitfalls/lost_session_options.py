"""Options of a session are read by a session: a `ConfigProto` that is filled in and given to none does nothing in
TensorFlow 2. `TF_FORCE_GPU_ALLOW_GROWTH` and `CUDA_VISIBLE_DEVICES` are read when the devices are first used: set after
that, they do nothing either. `tf.config` is where TensorFlow 2 takes these from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.eager.flow import place
from tf_migrate.rules import Change, Context, Rule

_CONFIGS = ("tf.ConfigProto", "tf.compat.v1.ConfigProto")
_VARIABLES = ("TF_FORCE_GPU_ALLOW_GROWTH", "CUDA_VISIBLE_DEVICES", "TF_GPU_ALLOCATOR")
# What makes TensorFlow set up its devices.
_STARTS = (
    "tf.constant",
    "tf.zeros",
    "tf.ones",
    "tf.Variable",
    "tf.convert_to_tensor",
    "tf.config.list_logical_devices",
    "tf.random.normal",
    "tf.random.uniform",
    "tf.test.is_gpu_available",
    "tf.test.gpu_device_name",
)


def find(context: Context) -> Iterator[Change]:
    """Looks at configurations that go nowhere, and at variables that are set too late."""
    for call in context.code.calls_of(*_CONFIGS):
        parent = context.module.parents[call]
        target = parent.targets[0] if isinstance(parent, ast.Assign) else None
        if isinstance(target, ast.Name) and _goes_nowhere(context, target):
            message = f"`{target.id}` is given to no session: its options do nothing"
            step = "use `tf.config`: `tf.config.experimental.set_memory_growth(gpu, True)` for `allow_growth`"
            yield from context.advise(call, "TFM435", message, step)
    yield from _late(context)


def _goes_nowhere(context: Context, target: ast.Name) -> bool:
    """Whether nothing but its own options is ever read of a name, and some are set."""
    scope = context.module.scopes[target]
    if scope is context.module.root and (context.imported or "__all__" in scope.bindings):
        return False
    loads = [load for load in context.module.loads.get(target.id, ()) if _sees(context, load, target)]
    return bool(loads) and all(_is_setting(context, load) for load in loads)


def _sees(context: Context, load: ast.Name, target: ast.Name) -> bool:
    scope = context.module.scopes[load]
    while target.id not in scope.bindings and scope.parent is not None:
        scope = scope.parent
    return scope is context.module.scopes[target]


def _is_setting(context: Context, load: ast.Name) -> bool:
    node: ast.AST = load
    while isinstance(context.module.parents[node], ast.Attribute):
        node = context.module.parents[node]
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)


def _late(context: Context) -> Iterator[Change]:
    settings = [statement for statement in context.module.tree.body if _variable(context, statement)]
    if not settings:
        return
    starts = [
        call
        for call in context.code.calls_of(*_STARTS)
        if context.module.parents[context.module.statement_of(call)] is context.module.tree
        and context.module.function_of(call) is None
    ]
    for statement in settings:
        if any(place(call) < place(statement) for call in starts):
            name = _variable(context, statement)
            message = f"`{name}` is set after TensorFlow has set up its devices: it does nothing"
            yield from context.advise(statement, "TFM435", message, "set it before TensorFlow is imported")


def _variable(context: Context, statement: ast.stmt) -> str:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Subscript) or context.code.name(target.value) != "os.environ":
        return ""
    key = target.slice
    return str(key.value) if isinstance(key, ast.Constant) and key.value in _VARIABLES else ""


RULE = Rule(
    id="TFM435",
    name="lost-session-options",
    before="""\
import os
import tensorflow as tf

print(tf.zeros([2]))
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
""",
    after="""\
import os
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
import tensorflow as tf

print(tf.zeros([2]))
""",
    find=find,
    advice=True,
)
