"""Gradients that a run gave as `IndexedSlicesValue`: those by variables of which rows are gathered, embeddings say.

A function gives TensorFlow's own `IndexedSlices` for them, which are neither an array nor that named tuple.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tf_migrate.stages.program import Program
from tf_migrate.stages.runs import Leaf, Run
from tf_migrate.stages.values import Reads, Refused

_GATHERING = ("boolean_mask", "embed", "gather", "nce_loss", "sampled_softmax", "IndexedSlices")
"""Parts of the names of functions whose gradients may be sparse."""
_NORMED = "tf.clip_by_global_norm"
_KEEPING = frozenset({_NORMED, "tf.clip_by_norm", "tf.clip_by_value", "tf.identity"})
"""Functions of TensorFlow that give sparse gradients for sparse ones."""


def require_dense(program: Program, run: Run, results: Iterable[Leaf]) -> None:
    """Refuses a run that fetches gradients which may be sparse."""
    symbols = map(program.names.resolve, (call.func for call in program.module.calls))
    if not any(symbol is not None and any(word in symbol for word in _GATHERING) for symbol in symbols):
        return
    for leaf in results:
        if _may_be_sparse(program, leaf.node, run.reads):
            what = f"`{ast.unparse(leaf.node)}` may be a sparse gradient, which a run gave as `IndexedSlicesValue`"
            raise Refused(leaf.node, what, "fetch `tf.convert_to_tensor` of it")


def _may_be_sparse(program: Program, fetched: ast.expr, reads: Reads) -> bool:
    pending: list[tuple[ast.AST, Reads]] = [(fetched, reads)]
    seen: set[int] = set()
    while pending:
        node, known = pending.pop()
        if _takes(program, node):
            return True
        if isinstance(node, ast.Name | ast.Attribute) and (binding := known.get(ast.unparse(node))) is not None:
            unit = program.units[binding.unit]
            if unit.index not in seen and not _is_norm(program, unit.node, node):
                seen.add(unit.index)
                pending.append((unit.node, unit.reads))
        elif not _computes(program, node):
            pending += [(inner, known) for inner in ast.iter_child_nodes(node)]
    return False


def _takes(program: Program, node: ast.AST) -> bool:
    """Whether a call takes gradients."""
    if not isinstance(node, ast.Call):
        return False
    by_optimizer = isinstance(node.func, ast.Attribute) and node.func.attr == "compute_gradients"
    return by_optimizer or program.names.resolve(node.func) == "tf.gradients"


def _computes(program: Program, node: ast.AST) -> bool:
    """Whether an expression is computed of its parts, and so an array."""
    symbol = program.names.resolve(node.func) if isinstance(node, ast.Call) else None
    return isinstance(node, ast.BinOp | ast.UnaryOp) or (symbol is not None and symbol not in _KEEPING)


def _is_norm(program: Program, statement: ast.AST, name: ast.expr) -> bool:
    """Whether a name is bound to the norm that gradients had before they were clipped."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return False
    target = statement.targets[0]
    last = target.elts[-1] if isinstance(target, ast.Tuple | ast.List) else None
    named = last is not None and ast.unparse(last) == ast.unparse(name)
    return named and program.names.resolve(statement.value.func) == _NORMED
