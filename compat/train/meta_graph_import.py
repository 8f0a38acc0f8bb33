"""A graph out of a ``.meta`` file, of ours or of real TF1's."""

from __future__ import annotations

import contextlib
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import graph_pb2, variable_pb2

from .. import variables as tf1
from ..bridge.graph import Graph, current_graph
from ..bridge.runtime import HOST
from ..bridge.variable import GraphVariable
from ..private import ops, resource_variable_ops
from .collection_protos import parsed
from .function_library import adopt_functions
from .gpu_kernels import ON_A_CPU_ONLY
from .imported_resources import ImportedResources
from .meta_graph import read_meta_graph
from .reference_variables import VariableNode, to_resource_form
from .saver import Saver

_VARIABLE_COLLECTIONS = (
    tf1.GraphKeys.GLOBAL_STEP,
    tf1.GraphKeys.GLOBAL_VARIABLES,
    tf1.GraphKeys.LOCAL_VARIABLES,
    tf1.GraphKeys.METRIC_VARIABLES,
    tf1.GraphKeys.MODEL_VARIABLES,
    tf1.GraphKeys.MOVING_AVERAGE_VARIABLES,
    tf1.GraphKeys.TRAINABLE_VARIABLES,
)


class ImportedVariable(GraphVariable):
    """A variable whose nodes come from a file, in place of being built; some files say no initial value."""

    _initializer: tf.Operation | None = None

    def __init__(self, graph: Graph, name: str, node: VariableNode, trainable: bool) -> None:
        resource_variable_ops.UninitializedVariable.__init__(
            self, trainable=trainable, name=f"{name}/", shape=node.shape, dtype=node.dtype
        )
        self._graph = graph
        graph.add_variable(self)
        with ops.name_scope(None), graph.as_default(), tf.control_dependencies(None):
            self.captured_handle = graph.capture(self.handle, name=f"{name}/handle")
            self._element = tf.raw_ops.ReadVariableOp(resource=self.handle, dtype=node.dtype, name=f"{name}/")
            self._element.set_shape(node.shape)

    def bind(self, initializer: tf.Operation, initial_value: tf.Tensor) -> None:
        """Takes the nodes that the file has for its initial value."""
        self._initializer = initializer
        self._initial_value = initial_value


def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, **kwargs: Any
) -> Saver | None:
    """Adds the graph of a ``.meta`` file to the current graph. Stands for ``tf.train.import_meta_graph``.

    Works under the bridge. Variables of the file become variables here, under their names, without a value until one is
    restored or initialized; TF1's reference variables become resource variables. Devices are left to TF2.

    >>> with compat.Graph().as_default(), compat.Session() as session:
    ...     x = compat.placeholder(tf.float32, [], name="x")
    ...     y = tf.multiply(x, compat.Variable(2.0), name="y")
    ...     session.run(compat.global_variables_initializer())
    ...     path = compat.train.Saver().save(session, "./model", global_step=10)
    >>> with compat.Graph().as_default(), compat.Session() as session:
    ...     saver = compat.train.import_meta_graph("./model-10.meta")
    ...     saver.restore(session, "./model-10")
    ...     session.run("y:0", {"x:0": 3.0})
    np.float32(6.0)

    Args:
        meta_graph_or_file: a file's path, or a ``MetaGraphDef``.
        clear_devices: accepted: devices are always left out.
        import_scope: put before all names.
        **kwargs: ``input_map`` from names in the file to tensors here; ``return_elements`` is not supported.

    Returns:
        A ``Saver`` of what the file's saver saved; None where there are no variables.

    Raises:
        RuntimeError: no graph is being built.
        OSError: there is no such file.
        ValueError: the graph cannot be imported; the message names the operation.
    """
    del clear_devices
    graph = current_graph()
    if graph is None:
        raise RuntimeError(
            "import_meta_graph adds to a graph: open one with `compat.open_graph()` or `compat.Graph().as_default()`."
        )
    unknown = sorted(set(kwargs) - {"input_map"})
    if unknown:
        raise TypeError(f"import_meta_graph does not take {', '.join(unknown)}")
    meta = read_meta_graph(meta_graph_or_file)
    definitions = _variable_defs(meta)
    graph_def, nodes = to_resource_form(meta.graph_def)
    scope = f"{import_scope.rstrip('/')}/" if import_scope else ""
    named = {definition.variable_name.split(":")[0]: definition for definition in _all(definitions)}
    trainable = {name.split(":")[0] for name in definitions.get(tf1.GraphKeys.TRAINABLE_VARIABLES, {})}
    variables = _variables(graph, graph_def, nodes, scope, trainable)
    given = {_tensor_name(name): tensor for name, tensor in (kwargs.get("input_map") or {}).items()}
    _import(graph, graph_def, nodes, {**given, **_stand_ins(nodes, variables)}, import_scope)
    for node in nodes:
        _bind(graph, variables[node.name], scope, named.get(node.name) or named.get(node.handle))
    _restore_collections(graph, meta, definitions, variables, nodes, scope)
    return _saver(meta, variables)


def _variables(
    graph: Graph, graph_def: graph_pb2.GraphDef, nodes: list[VariableNode], scope: str, trainable: set[str]
) -> dict[str, ImportedVariable]:
    """The variables of nodes by their names; those are `trainable` that have their names, or their handles', there."""
    hosted, variables = _hosted(graph_def), {}
    for node in nodes:
        with tf.device(HOST) if node.handle in hosted else contextlib.nullcontext():
            is_trainable = not trainable.isdisjoint((node.name, node.handle))
            variables[node.name] = ImportedVariable(graph, scope + node.name, node, is_trainable)
    return variables


def _hosted(graph_def: graph_pb2.GraphDef) -> set[str]:
    """What is given to operations that only a CPU can do: TF1 put the variables among it there."""
    return {name.split(":")[0] for node in graph_def.node if node.op in ON_A_CPU_ONLY for name in node.input}


def _stand_ins(nodes: list[VariableNode], variables: dict[str, ImportedVariable]) -> dict[str, Any]:
    """What takes the place of the file's nodes for handles and values, by the names that inputs call them."""
    found: dict[str, Any] = {}
    for node in nodes:
        variable = variables[node.name]
        found[f"{node.handle}:0"] = found[f"^{node.handle}"] = variable.captured_handle
        if node.handle != node.name:
            found[f"{node.name}:0"] = found[f"^{node.name}"] = variable._as_graph_element()
    return found


def _import(
    graph: Graph,
    graph_def: graph_pb2.GraphDef,
    nodes: list[VariableNode],
    input_map: dict[str, Any],
    import_scope: str | None,
) -> None:
    replaced = {name for node in nodes for name in (node.handle, node.name)}
    rest = graph_pb2.GraphDef(versions=graph_def.versions, library=graph_def.library)
    rest.node.extend(node for node in graph_def.node if node.name not in replaced)
    for node in rest.node:
        node.device = ""
        node.attr.pop("_class", None)
        # Shapes are inferred anew: newer TensorFlows infer some differently, and references have become handles.
        node.attr.pop("_output_shapes", None)
    used = {name if name.startswith("^") else _tensor_name(name) for node in rest.node for name in node.input}
    present = {name: tensor for name, tensor in input_map.items() if name in used}
    adopt_functions(rest)
    resources = ImportedResources(graph, rest)
    with tf.control_dependencies(None):
        operations = tf.graph_util.import_graph_def(
            rest, input_map=present, name=import_scope or "", return_elements=resources.names
        )
        resources.adopt(operations)


def _tensor_name(name: str) -> str:
    return name if ":" in name else f"{name}:0"


def _variable_defs(meta: Any) -> dict[str, dict[str, Any]]:
    """Collection -> name of the variable's node -> its ``VariableDef``."""
    found: dict[str, dict[str, Any]] = {}
    for key in _VARIABLE_COLLECTIONS:
        for content in meta.collection_def[key].bytes_list.value if key in meta.collection_def else ():
            definition = variable_pb2.VariableDef.FromString(content)
            found.setdefault(key, {})[definition.variable_name] = definition
    return found


def _all(definitions: dict[str, dict[str, Any]]) -> list[Any]:
    return [definition for group in definitions.values() for definition in group.values()]


def _bind(graph: Graph, variable: ImportedVariable, scope: str, definition: Any) -> None:
    if definition is None or not definition.initializer_name:
        return
    initializer = graph.get_operation_by_name(scope + definition.initializer_name.split(":")[0])
    variable.bind(initializer, initializer.inputs[1])
    if definition.HasField("save_slice_info_def"):
        saved = definition.save_slice_info_def
        info = tf.Variable.SaveSliceInfo(
            saved.full_name, list(saved.full_shape), list(saved.var_offset), list(saved.var_shape)
        )
        variable._set_save_slice_info(info)


def _restore_collections(
    graph: Graph,
    meta: Any,
    definitions: dict[str, dict[str, Any]],
    variables: dict[str, ImportedVariable],
    nodes: list[VariableNode],
    scope: str,
) -> None:
    by_node = {node.name: variables[node.name] for node in nodes} | {n.handle: variables[n.name] for n in nodes}
    for key, collection in sorted(meta.collection_def.items()):
        if key in definitions:
            items: list[Any] = [by_node[name.split(":")[0]] for name in definitions[key]]
        elif collection.HasField("node_list"):
            elements = (graph.as_graph_element(scope + name) for name in collection.node_list.value)
            items = list(elements)
        elif key in (tf1.GraphKeys.SAVERS, tf1.GraphKeys.COND_CONTEXT, tf1.GraphKeys.WHILE_CONTEXT):
            continue
        else:
            written = getattr(collection, collection.WhichOneof("kind") or "bytes_list").value
            protos = parsed(key, written, scope) if collection.HasField("bytes_list") else None
            items = list(written) if protos is None else protos
        for item in items:
            graph.add_to_collection(key, item)


def _saver(meta: Any, variables: dict[str, ImportedVariable]) -> Saver | None:
    if not variables:
        return None
    saved = _saved_names(meta)
    listed: dict[str, list[Any]] = {}
    for name, variable in variables.items():
        info = variable._get_save_slice_info()
        key = name if info is None else str(info.full_name)
        if saved is None or key in saved:
            listed.setdefault(key, []).append(variable)
    return Saver(listed, saver_def=meta.saver_def if meta.HasField("saver_def") else None, allow_empty=True)


def _saved_names(meta: Any) -> set[str] | None:
    """The names that the file's saver wrote; None where the file has no saver."""
    if not meta.HasField("saver_def"):
        return None
    scope = meta.saver_def.restore_op_name.rpartition("/")[0]
    nodes = {node.name: node for node in meta.graph_def.node}
    names: set[str] = set()
    for node in meta.graph_def.node:
        if node.op in ("SaveV2", "SaveSlices", "Save") and node.name.startswith(scope):
            constant = nodes[node.input[1].split(":")[0]]
            names.update(name.decode() for name in tf.make_ndarray(constant.attr["value"].tensor).ravel())
    return names or None
