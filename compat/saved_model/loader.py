"""`tf.saved_model.loader` of TF 1.15: a SavedModel into the graph of a session, or of a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import saved_model_pb2

from ..optional_session import session_optional
from ..steps.graph import current_store_graph
from ..steps.step import run
from ..train.meta_graph_import import import_meta_graph
from . import constants

# TF2 lists the operation that fills tables as a signature.
_INIT_OP = "__saved_model_init_op"


def maybe_saved_model_directory(export_dir: str) -> bool:
    """Whether a folder holds a SavedModel; stands for `tf.saved_model.maybe_saved_model_directory`."""
    names = (constants.SAVED_MODEL_FILENAME_PB, constants.SAVED_MODEL_FILENAME_PBTXT)
    return any(tf.io.gfile.exists(os.path.join(export_dir, name)) for name in names)


def _read(export_dir: str) -> Any:
    model = saved_model_pb2.SavedModel()
    binary = os.path.join(export_dir, constants.SAVED_MODEL_FILENAME_PB)
    text = os.path.join(export_dir, constants.SAVED_MODEL_FILENAME_PBTXT)
    if tf.io.gfile.exists(binary):
        with tf.io.gfile.GFile(binary, "rb") as file:
            model.ParseFromString(file.read())
    elif tf.io.gfile.exists(text):
        with tf.io.gfile.GFile(text, "r") as file:
            text_format.Merge(file.read(), model)
    else:
        raise OSError(
            f"SavedModel file does not exist at: {export_dir}/"
            f"{{{constants.SAVED_MODEL_FILENAME_PBTXT}|{constants.SAVED_MODEL_FILENAME_PB}}}"
        )
    return model


@session_optional(list, tuple, set, frozenset)
def load(sess: Any, tags: Sequence[str], export_dir: str, import_scope: str | None = None, **saver_kwargs: Any) -> Any:
    """Adds a graph of a SavedModel to the session's, with its variables' values; `tf.saved_model.loader.load`.

    Args:
      sess: the session. Without one it is the graph of the store that is entered; it may be left out then:
        `load(tags, folder)`.
      tags: which graph: the one with exactly these tags.
      export_dir: the folder.
      import_scope: name scope to put it under.
      saver_kwargs: passed on to the saver.

    Returns:
      The `MetaGraphDef`; its `signature_def` says what to feed and fetch.

    Raises:
      OSError: the folder holds no SavedModel.
      RuntimeError: it has no graph with these tags.

    Example:
      >>> with compat.Graph().as_default(), compat.Session() as session:
      ...     x = compat.placeholder(tf.float32, [], name="x")
      ...     compat.saved_model.simple_save(session, "model", {"x": x}, {"y": 2.0 * x})
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> meta = load(session, ["serve"], "model")
      >>> y = meta.signature_def["serving_default"].outputs["y"].name
      >>> session.run(y, {"x:0": 3.0})
      np.float32(6.0)
    """
    model = _read(export_dir)
    chosen = next((meta for meta in model.meta_graphs if set(meta.meta_info_def.tags) == set(tags)), None)
    if chosen is None:
        available = [sorted(meta.meta_info_def.tags) for meta in model.meta_graphs]
        raise RuntimeError(
            f"MetaGraphDef associated with tags {sorted(tags)} could not be found in SavedModel. "
            f"Available tags: {available}."
        )
    graph: Any = current_store_graph() if sess is None else sess.graph
    with graph.building() if sess is None else graph.as_default():
        saver = import_meta_graph(chosen, import_scope=import_scope, **saver_kwargs)
    if saver is not None:
        folder = os.path.join(export_dir, constants.VARIABLES_DIRECTORY)
        saver.restore(sess, os.path.join(folder, constants.VARIABLES_FILENAME))
    _run_main_op(graph, run if sess is None else sess.run, chosen, export_dir, import_scope)
    return chosen


def _run_main_op(graph: Any, run: Callable[..., Any], meta: Any, export_dir: str, import_scope: str | None) -> None:
    prefix = f"{import_scope}/" if import_scope else ""
    folder = os.path.join(export_dir, constants.ASSETS_DIRECTORY)
    feeds = {
        graph.get_tensor_by_name(prefix + asset.tensor_info.name): os.path.join(folder, asset.filename)
        for asset in meta.asset_file_def
    }
    names = [
        name
        for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY)
        for name in (meta.collection_def[key].node_list.value if key in meta.collection_def else ())
    ]
    if _INIT_OP in meta.signature_def:
        names += [info.name for info in meta.signature_def[_INIT_OP].outputs.values()]
    for name in names:
        run(graph.get_operation_by_name(prefix + name), feeds)
