"""The ``.meta`` file beside a checkpoint: the graph, its collections, and the operations that save and restore it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import variable_pb2

from .. import logging
from .. import variables as tf1
from ..bridge.export import forget_new_attributes
from ..bridge.graph import Graph, current_graph, get_default_graph
from ..bridge.v1 import MetaGraphDef, SaverDef
from ..variables.store import built_graph
from .collection_protos import serialized
from .message_file import write_message
from .saveables import Saveable, saveables_of


def export_meta_graph(
    filename: str | None = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Iterable[str] | None = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    *,
    saver: Any = None,
) -> Any:
    """A graph with its collections as a ``MetaGraphDef``, written to a file on request.

    Stands for ``tf.train.export_meta_graph``. Variables are resource variables in it (``<name>/handle``; ``<name>``
    is their value).

    Args:
        filename: where to write it; nowhere when None.
        meta_info_def: what to put in its ``meta_info_def``.
        graph_def: a ``GraphDef`` in place of the graph's own.
        saver_def: the ``SaverDef`` to record.
        collection_list: which collections; all when None.
        as_text: write text in place of binary.
        graph: the graph; the default graph when None.
        export_scope: not supported.
        clear_devices: leave devices out.
        clear_extraneous_savers, strip_default_attrs, save_debug_info: accepted: other savers, and attributes at their
            defaults, are always left out.
        saver: the ``Saver`` whose operations to add.

    Raises:
        RuntimeError: there is no graph: plain TF2 has none, but where a store's building code made one.
        NotImplementedError: an ``export_scope``.
    """
    del clear_extraneous_savers, strip_default_attrs, save_debug_info
    if export_scope:
        raise NotImplementedError("exporting one scope of a graph: export all of it, and import it under a scope")
    if graph is None:
        graph = current_graph() or built_graph()
        if graph is None and tf.executing_eagerly() and graph_def is None:
            raise RuntimeError("Exporting/importing meta graphs is not supported when eager execution is enabled.")
        graph = get_default_graph() if graph is None else graph
    meta = MetaGraphDef()
    if meta_info_def is not None:
        meta.meta_info_def.MergeFrom(meta_info_def)
    meta.meta_info_def.tensorflow_version = tf.version.VERSION
    meta.graph_def.MergeFrom(graph.as_graph_def(add_shapes=True) if graph_def is None else graph_def)
    if saver is not None:
        saver_def = _add_saver(meta.graph_def, saver.saveables, saver.as_saver_def())
    elif saver_def is None and graph_def is None and filename is not None:
        saver_def = _add_default_saver(meta.graph_def, graph)
    forget_new_attributes(meta.graph_def)
    _forget_resource_names(meta.graph_def, graph)
    if saver_def is not None:
        meta.saver_def.MergeFrom(saver_def)
    if clear_devices:
        for node in meta.graph_def.node:
            node.device = ""
    _write_collections(meta, graph, collection_list)
    if filename is not None:
        write_message(filename, meta, as_text=as_text)
    return meta


def _forget_resource_names(graph_def: Any, graph: Graph) -> None:
    """Leaves out the names of queues and tables that the program did not choose, as TF1's graphs had none."""
    for node in graph_def.node:
        if "shared_name" in node.attr and graph.has_resource_name(node.attr["shared_name"].s.decode()):
            node.attr["shared_name"].s = b""


def read_meta_graph(meta_graph_or_file: Any) -> Any:
    """A ``MetaGraphDef`` from a file, binary or text, or as it is.

    Raises:
        OSError: there is no such file.
    """
    if isinstance(meta_graph_or_file, MetaGraphDef):
        return meta_graph_or_file
    if not tf.io.gfile.exists(meta_graph_or_file):
        raise OSError(f"File {meta_graph_or_file} does not exist.")
    meta = MetaGraphDef()
    with tf.io.gfile.GFile(meta_graph_or_file, "rb") as file:
        content = file.read()
    try:
        meta.ParseFromString(content)
    except Exception:  # protobuf's DecodeError is another class in each of its implementations
        text_format.Merge(content.decode(), meta)
    return meta


def _add_default_saver(graph_def: Any, graph: Graph) -> Any:
    """Adds a saver of all variables, if there are any: who imports a file without one makes it by names of handles."""
    variables = graph.get_collection(tf1.GraphKeys.GLOBAL_VARIABLES)
    default = SaverDef(max_to_keep=5, keep_checkpoint_every_n_hours=10000.0, version=SaverDef.V2)
    return _add_saver(graph_def, saveables_of(variables)[0], default) if variables else None


def _add_saver(graph_def: Any, saveables: Sequence[Saveable], proto: Any) -> Any:
    """Adds nodes that save and restore, as TF1's ``Saver`` did when it was made; returns the ``SaverDef``."""
    taken = {node.name for node in graph_def.node}
    scope, number = "save", 0
    while any(name == scope or name.startswith(scope + "/") for name in taken):
        number += 1
        scope = f"save_{number}"
    with tf.Graph().as_default() as addition:
        _build_saver(scope, saveables)
    nodes = addition.as_graph_def().node
    graph_def.node.extend(node for node in nodes if node.name not in taken)
    proto.filename_tensor_name = f"{scope}/Const:0"
    proto.save_tensor_name = f"{scope}/control_dependency:0"
    proto.restore_op_name = f"{scope}/restore_all"
    return proto


def _build_saver(scope: str, saveables: Sequence[Saveable]) -> None:
    handles = [_handle(saveable.variable) for saveable in saveables]
    dtypes = [saveable.variable.dtype for saveable in saveables]
    names = [saveable.name for saveable in saveables]
    slices = [saveable.slice_spec for saveable in saveables]
    with tf.name_scope(scope + "/"):
        default = tf.constant("model", name="filename/input")
        filename = tf.raw_ops.PlaceholderWithDefault(input=default, shape=[], name="filename")
        prefix = tf.raw_ops.PlaceholderWithDefault(input=filename, shape=[], name="Const")
        if not saveables:
            return
        values = [
            tf.raw_ops.ReadVariableOp(resource=handle, dtype=dtype)
            for handle, dtype in zip(handles, dtypes, strict=True)
        ]
        saved = tf.raw_ops.SaveV2(
            prefix=prefix, tensor_names=names, shape_and_slices=slices, tensors=values, name="SaveV2"
        )
        with tf.control_dependencies([saved]):
            tf.identity(prefix, name="control_dependency")
        restored = tf.raw_ops.RestoreV2(
            prefix=prefix, tensor_names=names, shape_and_slices=slices, dtypes=dtypes, name="RestoreV2"
        )
        assigned = [
            tf.raw_ops.AssignVariableOp(resource=handle, value=value)
            for handle, value in zip(handles, restored, strict=True)
        ]
        tf.group(*assigned, name="restore_all")


def _handle(variable: Any) -> tf.Tensor:
    """The node of a variable's handle, as ``Graph.as_graph_def`` writes it."""
    name = variable.op.name
    return tf.raw_ops.VarHandleOp(dtype=variable.dtype, shape=variable.shape, shared_name=name, name=f"{name}/handle")


def _write_collections(meta: Any, graph: Graph, collection_list: Iterable[str] | None) -> None:
    keys = list(graph.collections) if collection_list is None else list(collection_list)
    for key in keys:
        if not isinstance(key, str) or key == tf1.GraphKeys.SAVERS:
            # Savers add no operations to a graph here: only the one of `saver_def` has any in the file.
            continue
        items = graph.get_collection(key)
        if items and not _write_collection(meta.collection_def[key], graph, key, items):
            del meta.collection_def[key]
            logging.warning("Collection %s is not written to the meta graph: its items have no proto.", key)


def _write_collection(collection: Any, graph: Graph, key: str, items: Sequence[Any]) -> bool:
    protos = serialized(key, items)
    variables = [graph.known(item) for item in items if isinstance(item, tf.Variable)]
    if protos is not None:
        collection.bytes_list.value.extend(protos)
    elif len(variables) == len(items) and all(each.initializer is not None for each in variables):
        collection.bytes_list.value.extend(_variable_def(each).SerializeToString() for each in variables)
    elif all(isinstance(item, (tf.Tensor, tf.Operation)) for item in items):
        collection.node_list.value.extend(item.name for item in items)
    elif all(isinstance(item, (str, bytes)) for item in items):
        collection.bytes_list.value.extend(tf.compat.as_bytes(item) for item in items)
    elif all(isinstance(item, bool) or not isinstance(item, (int, float)) for item in items):
        return False
    elif all(isinstance(item, int) for item in items):
        collection.int64_list.value.extend(items)
    elif all(isinstance(item, (int, float)) for item in items):
        collection.float_list.value.extend(items)
    else:
        return False
    return True


def _variable_def(variable: Any) -> Any:
    name = variable.op.name
    return variable_pb2.VariableDef(
        variable_name=f"{name}/handle:0",
        initializer_name=variable.initializer.name,
        snapshot_name=f"{name}:0",
        initial_value_name=variable.initial_value.name,
        is_resource=True,
        trainable=variable.trainable,
    )
