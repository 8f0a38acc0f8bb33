"""What code may reach that builds a part of the graph and does nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.stages import distributions, effects, purity
from tf_migrate.stages.names_used import stores_of
from tf_migrate.stages.user_tests.awaited import CHECKED
from tf_migrate.stages.user_tests.libraries import DISTRIBUTIONS, DRAWING_MODULE, MODULES
from tf_migrate.stages.user_tests.reach import STEP, Found, Reach
from tf_migrate.stages.values import Refused

_NEST = "flatten map_structure pack_sequence_as assert_same_structure flatten_up_to map_structure_up_to is_sequence"
_NESTS = ("tf.nest", "tf.contrib.framework.nest", "tensorflow.python.util.nest")
_STORED = """
AUTO_REUSE Variable VariableScope add_to_collection all_variables contrib.layers.layer_norm fixed_size_partitioner
get_collection
get_default_graph get_local_variable get_variable get_variable_scope global_variables init_scope local_variables
make_template min_max_variable_partitioner trainable_variables variable_axis_size_partitioner variable_creator_scope
variable_scope
"""
_COLLECTIONS = """
GLOBAL_VARIABLES LOCAL_VARIABLES LOSSES MODEL_VARIABLES MOVING_AVERAGE_VARIABLES REGULARIZATION_LOSSES
TRAINABLE_VARIABLES UPDATE_OPS
"""
_STORING = frozenset(f"tf.{name}" for name in _STORED.split())
_STORING |= {"tensorflow.python.ops.variable_scope._pure_variable_scope"}
_STORING |= {f"tf.GraphKeys.{name}" for name in _COLLECTIONS.split()}
_BUILDING = """
DType Dimension SparseTensor Tensor TensorArray TensorShape as_dtype case colocate_with cond control_dependencies
contrib.distributions.softplus_inverse
contrib.eager.in_eager_mode contrib.framework.add_arg_scope contrib.framework.arg_scope
contrib.framework.current_arg_scope contrib.framework.get_name_scope
convert_to_tensor_or_sparse_tensor custom_gradient executing_eagerly foldl foldr gradients hessians map_fn name_scope
no_op placeholder_with_default scan sparse_tensor_to_dense summary.histogram summary.image summary.scalar while_loop
"""
_RANDOM_OBJECTS = distributions.DISTRIBUTIONS | distributions.DIVERGENCES
DRAWING = effects.RANDOM | effects.RANDOM_LAYERS | _RANDOM_OBJECTS | {DISTRIBUTIONS, DRAWING_MODULE}
"""What may draw random numbers of TensorFlow."""
_OPERATORS = "BlockDiag Composition Diag FullMatrix Identity Kronecker LowRankUpdate LowerTriangular ScaledIdentity"
_PRIVATE = frozenset(
    {
        "tf.contrib.eager.defun",
        "tf.contrib.framework.smart_cond",
        "tensorflow.python.framework.function.Defun",
        "tensorflow.python.framework.smart_cond.smart_cond",
        "tensorflow.python.layers.utils.constant_value",
        "tensorflow.python.layers.utils.smart_cond",
        "tensorflow.python.ops.rnn_cell_impl._zero_state_tensors",
        "tensorflow.python.ops.variables.PartitionedVariable",
        "tensorflow.python.util.tf_inspect.getargspec",
    }
)
"""Paths into the sources of TensorFlow."""
_METRICS = """
accuracy auc false_negatives false_positives mean mean_absolute_error mean_cosine_distance mean_relative_error
mean_squared_error percentage_below precision recall root_mean_squared_error true_negatives true_positives
"""
METERS = frozenset(f"tf.metrics.{name}" for name in _METRICS.split())
"""What keeps count in variables of its own, and gives its value and the operation that updates it."""
UPDATING = (
    effects.AVERAGING
    | METERS
    | {
        "tensorflow.python.training.moving_averages.assign_moving_average",
        "tf.assign",
        "tf.assign_add",
        "tf.assign_sub",
        "tf.group",
    }
)
"""What makes updates of variables: a run of TensorFlow 1 made those that what it fetched waited for."""
_BUILT = (
    effects.PURE
    | effects.RANDOM
    | (effects.LAYERS - effects.KERAS_CELLS - effects.AVERAGING)
    | effects.RANDOM_LAYERS
    | (effects.CELLS - effects.KERAS_CELLS)
    | {f"tf.{name}" for name in _BUILDING.split()}
    | {f"{prefix}.{name}" for prefix in _NESTS for name in _NEST.split()}
    | _STORING
    | _RANDOM_OBJECTS
    | {DISTRIBUTIONS}
    | MODULES
    | UPDATING
    | {f"tf.linalg.LinearOperator{name}" for name in _OPERATORS.split()}
    | _PRIVATE
)
_OF_STORES = MODULES | METERS | _STORING | effects.LAYERS | effects.RANDOM_LAYERS | effects.CELLS | effects.COLLECTED


def is_python(symbol: str) -> bool:
    """Whether a symbol has nothing to do with a graph."""
    known = symbol in effects.DTYPES | effects.INITIALIZER_CLASSES | purity.MODES or purity.is_plain_call(symbol)
    return known or symbol.rpartition(".")[0] in effects.DTYPES


class _Touched(Exception):
    """Something of a graph is reached."""


@dataclass(frozen=True)
class Own:
    """The object that code calls `self`: its methods, and the classes that they and the code stand in."""

    methods: tuple[tuple[Names, ast.FunctionDef], ...]
    lineage: tuple[tuple[Names, ast.ClassDef], ...]

    @property
    def classes(self) -> frozenset[ast.ClassDef]:
        """The classes alone."""
        return frozenset(node for _, node in self.lineage)

    @property
    def members(self) -> Iterator[tuple[str, Names, ast.stmt]]:
        """What the code reaches by the names of attributes: the methods, and what the classes hold beside these."""
        yield from ((method.name, names, method) for names, method in self.methods)
        for names, node in self.lineage:
            for item in node.body:
                if not isinstance(item, ast.FunctionDef):
                    yield from ((name, names, item) for name in stores_of(names.module, item))


def touches_graph(names: Names, node: ast.AST, own: Own) -> bool:
    """Whether code of an object's methods may reach anything of a graph."""

    def stop(found: Found) -> None:
        if not is_python(found.symbol):
            raise _Touched

    try:
        reach_of(own, Reach(on_symbol=stop)).follow(names, [node])
    except (_Touched, Refused):
        return True
    return False


def needs_store(names: Names, nodes: Iterable[ast.AST], own: Own) -> bool:
    """Whether code may reach what a graph keeps: variables, scopes, collections, or what is not known."""

    def stop(found: Found) -> None:
        if found.symbol in _OF_STORES:
            raise _Touched

    try:
        reach_of(own, Reach(on_symbol=stop)).follow(names, nodes)
    except (_Touched, Refused):
        return True
    return False


def reach_of(own: Own, reach: Reach) -> Reach:
    """Lets code reach what its object has by the names of attributes."""
    reach.classes.update(own.classes)
    for name, names, member in own.members:
        reach.own.setdefault(name, []).append((names, member))
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
        ("may give `tf.case` a dictionary that is not written out", reach.keyed),
        ("may update a variable", reach.updating),
        ("may look into the graph", reach.looking),
    ):
        if unsure is not None:
            path, node = unsure
            raise Refused(place, f"what is called here {what} ({path}:{node.lineno})", STEP)
    return any(symbol in _OF_STORES for symbol in reach.symbols)
