"""What a person would write in place of a shim that is still in use: for `check`, once the migration has settled."""

from __future__ import annotations

_NATIVE = "goes when the runs of its session become native"
_INITIALIZER = "an initializer of tf.keras.initializers; other values for the same seed"
_PROFILER = "tf.profiler.experimental.start and stop, or Trace around a step"
# The longest name that a shim begins with counts.
_SUCCESSORS = {
    "": "keep; nothing in TensorFlow 2 does the same for every call",
    "Graph": _NATIVE,
    "InteractiveSession": _NATIVE,
    "RunMetadata": _PROFILER,
    "RunOptions": _PROFILER,
    "Session": _NATIVE,
    "Variable": "tf.Variable, as an attribute of a tf.Module",
    "app": "absl.app",
    "app.flags": "absl.flags",
    "close_graph": _NATIVE,
    "contrib.layers": "tf.keras.layers, where checkpoints with TF1's names are no longer needed",
    "contrib.rnn": "tf.keras.layers.RNN; LSTM and GRU kernels have another layout there",
    "contrib.slim": "tf.keras.layers, where checkpoints with TF1's names are no longer needed",
    "data": "tf.data, with the dataset iterated over by a loop",
    "devices.list_local_devices": "tf.config.list_logical_devices",
    "flags": "absl.flags",
    "get_variable": "tf.Variable, as an attribute of a tf.Module",
    "gfile": "tf.io.gfile",
    "global_variables_initializer": _NATIVE,
    "image": "tf.image; its resizing has other sampling points and dtypes",
    "initialize_all_variables": _NATIVE,
    "initializers": _INITIALIZER,
    "item_assigned": "tf.tensor_scatter_nd_update",
    "layers": "tf.keras.layers, where checkpoints with TF1's names are no longer needed",
    "logging": "absl.logging",
    "losses": "tf.keras.losses; they keep no collection of losses",
    "lookup": "tf.lookup",
    "metrics": "tf.keras.metrics; they keep their state in objects",
    "nn.rnn_cell": "tf.keras.layers.RNN; LSTM and GRU kernels have another layout there",
    "open_graph": _NATIVE,
    "placeholder": _NATIVE,
    "placeholder_with_default": _NATIVE,
    "summary": "tf.summary, with the step given",
    "tables_initializer": _NATIVE,
    "train": "keep: tf.keras.optimizers compute other numbers",
    "train.ProfilerHook": _PROFILER,
    "train.Saver": "tf.train.Checkpoint, which saves by object and not by name",
    "trainable_variables": "trainable_variables of a tf.Module",
    "variable_scope": "a tf.Module for each scope",
    "with_open_graph": _NATIVE,
}


def successor(shim: str) -> str:
    """What stands in place of `compat.<path>` in code written for TensorFlow 2, in words."""
    path = shim.removeprefix("compat.")
    if path.endswith("_initializer") and path not in _SUCCESSORS:
        return _INITIALIZER
    while path not in _SUCCESSORS:
        path = path.rpartition(".")[0]
    return _SUCCESSORS[path]
