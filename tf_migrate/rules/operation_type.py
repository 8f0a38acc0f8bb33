"""Operations are told apart by type: `op.type == "VariableV2"`, or `node.op == "Assign"` in a `GraphDef`. Those of
variables, updates, loops and branches have other types in TensorFlow 2, so that the comparison holds for none of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.eras import holds_tf1
from tf_migrate.rules import Change, Context, Rule

_OF_VARIABLES = frozenset({"Variable", "VariableV2", "VarHandleOp", "TemporaryVariable", "IsVariableInitialized"})
_OF_UPDATES = frozenset(
    {
        *("Assign", "AssignAdd", "AssignSub", "CountUpTo"),
        *(f"{way}{kind}" for way in ("", "Sparse") for kind in ("ApplyAdagrad", "ApplyFtrl", "ApplyMomentum")),
        *("ApplyAdadelta", "ApplyAdam", "ApplyGradientDescent", "ApplyRMSProp", "SparseApplyRMSProp"),
        *("ScatterAdd", "ScatterNdUpdate", "ScatterSub", "ScatterUpdate"),
    }
)
_OF_CONTROL_FLOW = frozenset(
    f"{reference}{kind}"
    for reference in ("", "Ref")
    for kind in ("Enter", "Exit", "LoopCond", "Merge", "NextIteration", "Switch")
)
_BEGINNINGS = frozenset({"Assign", "AssignAdd", "AssignSub"})
"""What types of updates begin with in both: `AssignAddVariableOp`."""
_CHANGED = _OF_VARIABLES | _OF_UPDATES | _OF_CONTROL_FLOW


def find(context: Context) -> Iterator[Change]:
    """Looks at comparisons of types with texts."""
    if context.tf2 or not holds_tf1(context.names):
        return
    for word in ("type", "op"):
        for node in context.module.attributes.get(word, ()):
            asked = sorted(_CHANGED.intersection(_compared(context, node)))
            if asked and not context.module.is_skipped(node):
                yield context.manual(
                    node,
                    "TFM143",
                    f"no operation has the type {asked[0]} in TensorFlow 2",
                    "tell variables by `compat.global_variables()`, and look other operations up by name",
                )


def _compared(context: Context, node: ast.Attribute) -> Iterator[str]:
    """The texts that a type is compared with."""
    around = context.module.parents[node]
    if isinstance(around, ast.Compare):
        for other in (around.left, *around.comparators):
            for each in other.elts if isinstance(other, ast.List | ast.Set | ast.Tuple) else [other]:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield each.value
    elif isinstance(around, ast.Attribute) and around.attr == "startswith":
        call = context.module.parents[around]
        for each in call.args if isinstance(call, ast.Call) else ():
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value not in _BEGINNINGS:
                yield each.value


RULE = Rule(id="TFM143", name="operation-type", before="", after="", find=find)
