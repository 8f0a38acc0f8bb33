"""What code may reach that builds a part of the graph and does nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects, purity
from tf_migrate.stages.reach import CHECKED, STEP, Found, Reach
from tf_migrate.stages.values import Refused

_NEST = "flatten map_structure pack_sequence_as assert_same_structure flatten_up_to map_structure_up_to is_sequence"
_NESTS = ("tf.nest", "tf.contrib.framework.nest")
_STORED = """
AUTO_REUSE Variable add_to_collection get_collection get_variable get_variable_scope global_variables make_template
trainable_variables variable_scope
"""
_COLLECTIONS = "GLOBAL_VARIABLES LOSSES REGULARIZATION_LOSSES TRAINABLE_VARIABLES"
_STORING = frozenset(f"tf.{name}" for name in _STORED.split())
_STORING |= {f"tf.GraphKeys.{name}" for name in _COLLECTIONS.split()}
_BUILDING = """
DType Dimension SparseTensor Tensor TensorArray TensorShape as_dtype cond control_dependencies
convert_to_tensor_or_sparse_tensor custom_gradient foldl foldr gradients hessians map_fn name_scope scan
sparse_tensor_to_dense while_loop
"""
_BUILT = (
    effects.PURE
    | effects.RANDOM
    | (effects.LAYERS - effects.KERAS_CELLS)
    | effects.RANDOM_LAYERS
    | (effects.CELLS - effects.KERAS_CELLS)
    | {f"tf.{name}" for name in _BUILDING.split()}
    | {f"{prefix}.{name}" for prefix in _NESTS for name in _NEST.split()}
    | _STORING
)
_OF_STORES = _STORING | effects.LAYERS | effects.RANDOM_LAYERS | effects.CELLS | effects.COLLECTED


def is_python(symbol: str) -> bool:
    """Whether a symbol has nothing to do with a graph."""
    known = symbol in effects.DTYPES or symbol in effects.INITIALIZER_CLASSES or purity.is_plain_call(symbol)
    return known or symbol.rpartition(".")[0] in effects.DTYPES


class _Touched(Exception):
    """Something of a graph is reached."""


def touches_graph(names: Names, node: ast.AST, methods: Iterable[tuple[Names, ast.FunctionDef]] = ()) -> bool:
    """Whether code may reach anything of a graph; `methods` are those of the object that it calls `self`."""

    def stop(found: Found) -> None:
        if not is_python(found.symbol):
            raise _Touched

    try:
        of_methods(Reach(on_symbol=stop), methods).follow(names, [node])
    except (_Touched, Refused):
        return True
    return False


def of_methods(reach: Reach, methods: Iterable[tuple[Names, ast.FunctionDef]]) -> Reach:
    """Lets code reach methods by their names."""
    for names, method in methods:
        reach.waiting.setdefault(method.name, []).append((names, method))
    return reach


def require_building(reach: Reach, names: Names, nodes: Iterable[ast.AST], place: ast.AST) -> bool:
    """Refuses code that does more than build what a run would compute; tells whether it needs a store."""

    def check(found: Found) -> None:
        known = found.symbol in _BUILT or found.symbol in CHECKED or is_python(found.symbol)
        if not known:
            where = f"{found.path}:{found.node.lineno}"
            raise Refused(place, f"what is called here reaches `{found.symbol}` ({where})", STEP)

    reach.on_symbol = check
    reach.follow(names, nodes)
    for what, unsure in (
        ("compares what may be tensors", reach.compared),
        ("asserts", reach.unguarded),
        ("may update a variable", reach.updating),
        ("may look into the graph", reach.looking),
    ):
        if unsure is not None:
            path, node = unsure
            raise Refused(place, f"what is called here {what} ({path}:{node.lineno})", STEP)
    return any(symbol in _OF_STORES for symbol in reach.symbols)
