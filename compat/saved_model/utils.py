"""Tensors as signatures name them: `tf.saved_model.build_tensor_info` and back."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..bridge.graph import Graph, get_default_graph
from ..bridge.v1 import TensorInfo


def build_tensor_info(tensor: Any) -> Any:
    """The `TensorInfo` of a tensor or sparse tensor of a graph; stands for `tf.saved_model.build_tensor_info`.

    Raises:
      RuntimeError: the tensor is eager.
    """
    if tf.is_tensor(tensor) and hasattr(tensor, "numpy") and not isinstance(tensor, tf.SparseTensor):
        raise RuntimeError("build_tensor_info is not supported in Eager mode.")
    info = TensorInfo(dtype=tensor.dtype.as_datatype_enum, tensor_shape=tensor.shape.as_proto())
    if isinstance(tensor, tf.SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        info.name = tensor.name
    return info


def get_tensor_from_tensor_info(tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None) -> Any:
    """The tensor of a graph that a `TensorInfo` names; `tf.saved_model.get_tensor_from_tensor_info`.

    Raises:
      KeyError: the graph has no such tensor.
      ValueError: the info is of another kind.
    """
    graph = graph or get_default_graph()

    def find(name: str) -> tf.Tensor:
        return graph.get_tensor_by_name(f"{import_scope}/{name}" if import_scope else name)

    kind = tensor_info.WhichOneof("encoding")
    if kind == "name":
        return find(tensor_info.name)
    if kind == "coo_sparse":
        parts = tensor_info.coo_sparse
        names = (parts.indices_tensor_name, parts.values_tensor_name, parts.dense_shape_tensor_name)
        return tf.SparseTensor(*map(find, names))
    raise ValueError(f"Invalid TensorInfo.encoding: {kind}")
