"""`freeze_graph` of TF 1.15: a graph's file and a checkpoint become one `GraphDef` of constants."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import meta_graph_pb2, saver_pb2

from ..private import op_def_registry

__all__ = ["freeze_graph", "freeze_graph_with_def_protos", "without_defaults"]

_VARIABLES = frozenset({"Variable", "VariableV2", "VarHandleOp"})


def freeze_graph(
    input_graph: str | None,
    input_saver: str,
    input_binary: bool,
    input_checkpoint: str | None,
    output_node_names: str,
    restore_op_name: str | None,
    filename_tensor_name: str | None,
    output_graph: str,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph: str | None = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: str = "serve",
    checkpoint_version: int = 2,
) -> graph_pb2.GraphDef:
    """Puts constants in the place of a graph's variables; `tensorflow.python.tools.freeze_graph.freeze_graph`.

    The files may come from TF 1.15 or from `compat`; what is written can be read by both.

    Args:
      input_graph: a `GraphDef` file, binary or text as `input_binary` says.
      input_saver: a `SaverDef` file, or "".
      input_binary: whether the files are binary.
      input_checkpoint: prefix of the checkpoint with the variables' values.
      output_node_names: names of the nodes to keep, separated by commas; they and what they need stay.
      restore_op_name: not used.
      filename_tensor_name: not used.
      output_graph: where to write the result, or "" to write nothing.
      clear_devices: whether to forget on which devices the operations ran.
      initializer_nodes: names of operations to run first, separated by commas, or "".
      variable_names_whitelist: the only variables to convert, separated by commas; all when "".
      variable_names_blacklist: variables to leave as they are.
      input_meta_graph: a `MetaGraphDef` file in place of `input_graph`; its own saver restores then.
      input_saved_model_dir: a SavedModel in place of graph and checkpoint.
      saved_model_tags: its tags, separated by commas.
      checkpoint_version: not used: both formats are read.

    Returns:
      The frozen `GraphDef`.

    Raises:
      ValueError: there is no such checkpoint, or no output is named.
      AssertionError: an output is not in the graph.
      tf.errors.FailedPreconditionError: the checkpoint lacks a variable that an output needs.
    """
    return freeze_graph_with_def_protos(
        _read(graph_pb2.GraphDef(), input_graph, input_binary),
        _read(saver_pb2.SaverDef(), input_saver, input_binary),
        input_checkpoint,
        output_node_names,
        restore_op_name,
        filename_tensor_name,
        output_graph,
        clear_devices,
        initializer_nodes,
        variable_names_whitelist,
        variable_names_blacklist,
        _read(meta_graph_pb2.MetaGraphDef(), input_meta_graph, input_binary),
        input_saved_model_dir,
        _names(saved_model_tags),
        checkpoint_version,
    )


def freeze_graph_with_def_protos(
    input_graph_def: Any,
    input_saver_def: Any,
    input_checkpoint: str | None,
    output_node_names: str,
    restore_op_name: str | None,
    filename_tensor_name: str | None,
    output_graph: str,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph_def: Any = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: list[str] | None = None,
    checkpoint_version: int = 2,
) -> graph_pb2.GraphDef:
    """`freeze_graph` of messages in place of files; `freeze_graph_with_def_protos` of TF 1.15's tool.

    `input_graph_def` is a `GraphDef`, `input_saver_def` a `SaverDef` or None, `input_meta_graph_def` a `MetaGraphDef`
    or None; the rest is as for `freeze_graph`.
    """
    if not input_saved_model_dir and not tf.compat.v1.train.checkpoint_exists(input_checkpoint or ""):
        raise ValueError(f"Input checkpoint '{input_checkpoint}' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    with tf.Graph().as_default() as graph, tf.compat.v1.Session(config=_anywhere()) as session:
        if input_saved_model_dir:
            tf.compat.v1.saved_model.load(session, saved_model_tags or [], input_saved_model_dir)
        else:
            meta_graph = input_meta_graph_def or meta_graph_pb2.MetaGraphDef()
            tf.graph_util.import_graph_def(input_graph_def or meta_graph.graph_def, name="")
            saver = input_saver_def or meta_graph.saver_def
            if saver.restore_op_name:
                session.run(saver.restore_op_name, {saver.filename_tensor_name: input_checkpoint})
            else:
                _restore_by_name(session, input_checkpoint)
            if initializer_nodes:
                session.run(_names(initializer_nodes))
        frozen = tf.compat.v1.graph_util.convert_variables_to_constants(
            session,
            graph.as_graph_def(),
            _names(output_node_names),
            _names(variable_names_whitelist) or None,
            _names(variable_names_blacklist) or None,
        )
    return _written(frozen, output_graph, clear_devices)


def _names(text: str) -> list[str]:
    return [name for name in text.replace(" ", "").split(",") if name]


def _read(message: Any, path: str | None, binary: bool) -> Any:
    if not path:
        return None
    with tf.io.gfile.GFile(path, "rb" if binary else "r") as file:
        return type(message).FromString(file.read()) if binary else text_format.Parse(file.read(), message)


def _anywhere() -> Any:
    """Settings under which operations run here although their graph was made for other devices."""
    return tf.compat.v1.ConfigProto(allow_soft_placement=True)


def _restore_by_name(session: Any, checkpoint: str) -> None:
    """Gives each variable of the session's graph the checkpoint's value of that name, if it has one."""
    reader = tf.train.load_checkpoint(checkpoint)
    assigned, values = [], {}
    for operation in session.graph.get_operations():
        if operation.type not in _VARIABLES:
            continue
        name = operation.get_attr("shared_name").decode() or operation.name
        if not reader.has_tensor(name):
            continue
        dtype = tf.as_dtype(operation.get_attr("dtype"))
        value = tf.compat.v1.placeholder(dtype)
        if operation.type == "VarHandleOp":
            assigned.append(tf.raw_ops.AssignVariableOp(resource=operation.outputs[0], value=value))
        else:
            assigned.append(tf.compat.v1.assign(operation.outputs[0], value, validate_shape=False).op)
        values[value] = reader.get_tensor(name)
    session.run(assigned, values)


def without_defaults(graph_def: graph_pb2.GraphDef) -> graph_pb2.GraphDef:
    """`graph_def` without attributes at their default values: an older TensorFlow may not know them."""
    stripped = graph_pb2.GraphDef()
    stripped.CopyFrom(graph_def)
    bodies = [function.node_def for function in stripped.library.function]
    for node in [node for nodes in (stripped.node, *bodies) for node in nodes]:
        definition = op_def_registry.get(node.op)
        for attribute in definition.attr if definition is not None else ():
            if attribute.HasField("default_value") and node.attr.get(attribute.name) == attribute.default_value:
                del node.attr[attribute.name]
    return stripped


def _written(frozen: graph_pb2.GraphDef, path: str, clear_devices: bool) -> graph_pb2.GraphDef:
    portable = without_defaults(frozen)
    for node in portable.node if clear_devices else ():
        node.device = ""
    if path:
        with tf.io.gfile.GFile(path, "wb") as file:
            file.write(portable.SerializeToString(deterministic=True))
    return portable
