"""`tf.saved_model.Builder` and `simple_save` of TF 1.15: a graph as a SavedModel that both TensorFlows load."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2

from ..bridge.graph import get_default_graph
from ..optional_session import session_optional
from ..train.meta_graph import export_meta_graph
from ..train.saver import Saver
from . import constants, signature_constants, tag_constants
from .signature_def_utils import predict_signature_def


class SavedModelBuilder:
    """Writes a graph and its variables to a folder; stands for `tf.saved_model.Builder`.

    The graph is that of a session, or without one that of the store that is entered.

    Args:
      export_dir: the folder; it must not hold anything yet.

    Raises:
      AssertionError: the folder is not empty.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> x = compat.placeholder(tf.float32, [], name="x")
      >>> signature = compat.saved_model.predict_signature_def({"x": x}, {"y": 2.0 * x})
      >>> builder = SavedModelBuilder("model")
      >>> builder.add_meta_graph_and_variables(session, ["serve"], {"serving_default": signature})
      >>> builder.save()
      b'model/saved_model.pb'
    """

    def __init__(self, export_dir: str) -> None:
        self._saved_model = saved_model_pb2.SavedModel()
        self._saved_model.saved_model_schema_version = constants.SAVED_MODEL_SCHEMA_VERSION
        self._export_dir = os.fspath(export_dir)
        self._has_saved_variables = False
        if tf.io.gfile.exists(self._export_dir) and tf.io.gfile.listdir(self._export_dir):
            raise AssertionError(
                "Export directory already exists, and isn't empty. Please choose a different export directory, "
                f"or delete all the contents of the specified directory: {self._export_dir}"
            )
        tf.io.gfile.makedirs(self._export_dir)

    @session_optional(list, tuple, set, frozenset)
    def add_meta_graph_and_variables(
        self,
        sess: Any,
        tags: Sequence[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Sequence[tf.Tensor] | None = None,
        legacy_init_op: tf.Operation | None = None,
        clear_devices: bool = False,
        main_op: tf.Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the session's graph, and writes the values of its variables.

        Args:
          sess: the session, or None; it may be left out: `builder.add_meta_graph_and_variables(tags)`.
          tags: what the graph is for.
          signature_def_map: its signatures by key.
          assets_collection: constants with names of files, which are copied along.
          legacy_init_op, main_op: an operation to run after loading; at most one.
          clear_devices: leaves devices out.
          strip_default_attrs: accepted: attributes at their defaults are always left out.
          saver: of the variables; one for all by default.

        Raises:
          AssertionError: variables were written already: use `add_meta_graph`.
        """
        if self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please invoke `add_meta_graph()` "
                "instead."
            )
        with contextlib.nullcontext() if sess is None else sess.graph.as_default():
            chosen = saver or Saver(allow_empty=True)
        self._copy_assets(assets_collection)
        folder = os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY)
        tf.io.gfile.makedirs(folder)
        path = os.path.join(folder, constants.VARIABLES_FILENAME)
        chosen.save(sess, path, write_meta_graph=False, write_state=False)
        self._has_saved_variables = True
        graph = get_default_graph() if sess is None else sess.graph
        self._add(graph, chosen, tags, signature_def_map, assets_collection, legacy_init_op, clear_devices, main_op)

    def add_meta_graph(
        self,
        tags: Sequence[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Sequence[tf.Tensor] | None = None,
        legacy_init_op: tf.Operation | None = None,
        clear_devices: bool = False,
        main_op: tf.Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
        graph: Any = None,
    ) -> None:
        """Adds another graph over the same variables, the default one; arguments as above.

        Raises:
          AssertionError: no variables were written yet.
        """
        if not self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )
        with contextlib.nullcontext() if graph is None else graph.as_default():
            chosen = saver or Saver(allow_empty=True)
        graph = graph or get_default_graph()
        self._add(graph, chosen, tags, signature_def_map, assets_collection, legacy_init_op, clear_devices, main_op)

    def save(self, as_text: bool = False) -> bytes:
        """Writes `saved_model.pb`, or `saved_model.pbtxt` as text; returns its path, as bytes, as TF 1.15 did."""
        name = constants.SAVED_MODEL_FILENAME_PBTXT if as_text else constants.SAVED_MODEL_FILENAME_PB
        path = os.path.join(self._export_dir, name)
        model = self._saved_model
        with tf.io.gfile.GFile(path, "w" if as_text else "wb") as file:
            file.write(text_format.MessageToString(model) if as_text else model.SerializeToString())
        return os.fsencode(path)

    def _add(
        self,
        graph: Any,
        saver: Saver,
        tags: Sequence[str],
        signatures: Mapping[str, Any] | None,
        assets: Sequence[tf.Tensor] | None,
        legacy_init_op: tf.Operation | None,
        clear_devices: bool,
        main_op: tf.Operation | None,
    ) -> None:
        if legacy_init_op is not None and main_op is not None:
            raise ValueError("Only one of legacy_init_op and main_op can be given.")
        info = meta_graph_pb2.MetaGraphDef.MetaInfoDef(tags=tags)
        meta = export_meta_graph(graph=graph, saver=saver, meta_info_def=info, clear_devices=clear_devices)
        for key, signature in (signatures or {}).items():
            meta.signature_def[key].CopyFrom(signature)
        for key, operation in ((constants.LEGACY_INIT_OP_KEY, legacy_init_op), (constants.MAIN_OP_KEY, main_op)):
            if operation is not None:
                meta.collection_def[key].node_list.value.append(operation.name)
        for tensor in assets or ():
            asset = meta.asset_file_def.add(filename=os.path.basename(_file_name(tensor)))
            asset.tensor_info.name = tensor.name
        self._saved_model.meta_graphs.add().CopyFrom(meta)

    def _copy_assets(self, assets: Sequence[tf.Tensor] | None) -> None:
        if not assets:
            return
        folder = os.path.join(self._export_dir, constants.ASSETS_DIRECTORY)
        tf.io.gfile.makedirs(folder)
        for path in dict.fromkeys(map(_file_name, assets)):
            tf.io.gfile.copy(path, os.path.join(folder, os.path.basename(path)), overwrite=True)


def _file_name(tensor: tf.Tensor) -> str:
    value = tf.get_static_value(tensor)
    if value is None:
        raise ValueError(f"Asset file path tensor {tensor} must be a constant.")
    return value.item().decode()


@session_optional(str, os.PathLike, name="session")
def simple_save(
    session: Any,
    export_dir: str,
    inputs: Mapping[str, tf.Tensor],
    outputs: Mapping[str, tf.Tensor],
    legacy_init_op: tf.Operation | None = None,
) -> None:
    """Writes a SavedModel with one signature, for serving; stands for `tf.saved_model.simple_save`.

    The session may be left out: the graph is that of the store that is entered then.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> x = compat.placeholder(tf.float32, [], name="x")
      >>> simple_save(session, "model", {"x": x}, {"y": 2.0 * x})
    """
    signature = predict_signature_def(inputs, outputs)
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        [tag_constants.SERVING],
        {signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        main_op=legacy_init_op,
        clear_devices=True,
    )
    builder.save()
