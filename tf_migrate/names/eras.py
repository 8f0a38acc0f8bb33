"""Which TensorFlow a name means that both have: told by the rest of the module.

`tf.Variable` is a graph's variable in TensorFlow 1 and an eager one in TensorFlow 2, and nothing at the place itself
shows which one is meant. A module that uses the shims has been migrated; one that has TensorFlow 2 code and nothing
that only TensorFlow 1 had is of TensorFlow 2; every other is of TensorFlow 1.
"""

from __future__ import annotations

import ast

from tf_migrate import facts
from tf_migrate.facts import Fact
from tf_migrate.files.source import Source
from tf_migrate.names.canonical import Names
from tf_migrate.names.origins import is_standalone_keras

# Reached in TensorFlow 1.15 by accident at best: whoever writes these writes for TensorFlow 2.
_TF2_ONLY = ("tf.function", "tf.Module", "tf.compat.v2", "tf.random.Generator")
# Names that TensorFlow 2.21 has too, though not with TensorFlow 1's meaning; tests compare the list with TensorFlow
# itself.
_NAMES_IN_BOTH = """
CriticalSection Graph Variable Variable.from_proto autograph.experimental.set_loop_options batch_to_space case cond
config.experimental.set_virtual_device_configuration constant_initializer data.Dataset
data.FixedLengthRecordDataset data.Iterator data.TFRecordDataset data.TextLineDataset
data.experimental.get_next_as_optional data.experimental.make_saveable_from_iterator debugging.assert_scalar
debugging.assert_shapes experimental
experimental.function_executor_type
graph_util.import_graph_def image.ResizeMethod image.extract_glimpse image.resize
image.per_image_standardization
image.sample_distorted_bounding_box import_graph_def init_scope initializers.constant initializers.glorot_normal
initializers.glorot_uniform initializers.he_normal initializers.he_uniform initializers.identity
initializers.lecun_normal initializers.lecun_uniform initializers.ones initializers.orthogonal
initializers.random_normal initializers.random_uniform initializers.truncated_normal
initializers.variance_scaling initializers.zeros io.match_filenames_once keras.Input
keras.Model.fit keras.Model.metrics_names keras.Model.weights
keras.activations.deserialize keras.activations.hard_sigmoid keras.activations.relu
keras.backend.name_scope keras.backend.relu keras.callbacks.Callback.on_epoch_end
keras.datasets.reuters.load_data keras.initializers.Constant keras.initializers.Identity keras.initializers.Ones
keras.initializers.Orthogonal keras.initializers.VarianceScaling keras.initializers.Zeros
keras.initializers.constant keras.initializers.glorot_normal keras.initializers.glorot_uniform
keras.initializers.he_normal keras.initializers.he_uniform keras.initializers.identity
keras.initializers.lecun_normal keras.initializers.lecun_uniform keras.initializers.ones
keras.initializers.orthogonal keras.initializers.zeros keras.layers.ConvLSTM2D keras.layers.GRU
keras.layers.GRUCell keras.layers.Input keras.layers.LSTM keras.layers.LSTMCell keras.layers.Layer.trainable_weights
keras.layers.dot
keras.losses.CosineSimilarity keras.losses.binary_crossentropy keras.losses.categorical_crossentropy
keras.losses.cosine_similarity keras.metrics.binary_accuracy keras.metrics.binary_crossentropy
keras.metrics.categorical_crossentropy keras.models.save_model keras.optimizers.Optimizer.get_config
keras.preprocessing.image.apply_affine_transform
keras.preprocessing.image.load_img keras.preprocessing.text.one_hot
keras.preprocessing.text.text_to_word_sequence keras.regularizers.l1 keras.regularizers.l1_l2
keras.regularizers.l2 keras.utils.custom_object_scope keras.utils.deserialize_keras_object
keras.utils.get_source_inputs keras.utils.model_to_dot keras.utils.plot_model keras.utils.serialize_keras_object
keras.utils.to_categorical lite.TFLiteConverter lookup.StaticHashTable lookup.StaticVocabularyTable
losses.Reduction name_scope nn.avg_pool nn.ctc_beam_search_decoder nn.ctc_loss nn.dilation2d nn.embedding_lookup
nn.embedding_lookup_sparse nn.erosion2d nn.fractional_avg_pool nn.fractional_max_pool nn.max_pool nn.nce_loss
nn.safe_embedding_lookup_sparse nn.sampled_softmax_loss nn.space_to_batch
nondifferentiable_batch_function ones_initializer queue.FIFOQueue
queue.PaddingFIFOQueue queue.PriorityQueue queue.RandomShuffleQueue random.experimental.create_rng_state
random_normal_initializer random_uniform_initializer saved_model.load space_to_batch strings.split
strings.substr summary.audio summary.histogram summary.image summary.scalar summary.text test.TestCase
test.assert_equal_graph_def test.compute_gradient test.create_local_cluster test.main train.Checkpoint
train.CheckpointManager train.ExponentialMovingAverage variable_creator_scope while_loop zeros_initializer
keras.losses.CosineSimilarity keras.losses.cosine_similarity keras.metrics.binary_accuracy
"""
_MARK = "# tf-migrate: tensorflow 2"
"""Says in a module that it is of TensorFlow 2, where nothing else in it does."""
_DEPTH = 10
_IN_BOTH = frozenset(f"tf.{name}" for name in _NAMES_IN_BOTH.split())


def exists_in_tf2(fact: Fact) -> bool:
    """Whether TensorFlow 2 has the row's symbol under that very name, with whatever meaning."""
    return fact.action == "same" or (fact.action == "call" and fact.target == fact.symbol) or fact.symbol in _IN_BOTH


def is_in_both(symbol: str) -> bool:
    """Whether a symbol of TensorFlow 1 is a name of TensorFlow 2, which means something else there."""
    owned = facts.owner(symbol)
    return owned is not None and exists_in_tf2(owned[0])


def is_missing(symbol: str) -> bool:
    """Whether neither TensorFlow 1.15 nor TensorFlow 2 has the name: a slip, or older than 1.15."""
    owned = facts.owner(symbol)
    unknown = owned is None or (owned[0].kind == "module" and bool(owned[1]))
    spelled_out = any(part.startswith("_") for part in symbol.split("."))
    return unknown and not spelled_out and not facts.is_newer(symbol)


def is_tf2(names: Names) -> bool:
    """Whether names that both have mean TensorFlow 2's in this module."""
    if names.imports_compat or _MARK in names.module.source.text:
        return True
    evidence = any(
        use.symbol.startswith(_TF2_ONLY) or (facts.is_newer(use.symbol) and not use.explicit_v1)
        for use in names.uses
        if not (names.keeps_keras2 and is_standalone_keras(use.origin))
    )
    return (evidence or _reads_eager_values(names) or _iterates(names)) and not any(
        is_tf1_only(use.symbol) for use in names.uses if not use.explicit_v1
    )


def marked(source: Source) -> str:
    """A module's text with the mark of TensorFlow 2 behind its first import of TensorFlow; as it is without one."""
    imports = (node for node in ast.walk(ast.parse(source.text)) if isinstance(node, ast.Import | ast.ImportFrom))
    of_tensorflow = [node for node in imports if any(name.partition(".")[0] == "tensorflow" for name in _origins(node))]
    if not of_tensorflow or _MARK in source.text:
        return source.text
    last = max(min(of_tensorflow, key=lambda node: node.lineno).end_lineno or 0, 1)
    start, end = source.line_starts[last - 1], (*source.line_starts, len(source.text))[last]
    line = source.text[start:end].rstrip()
    return f"{source.text[:start]}{line}  {_MARK}{source.text[start + len(line) :]}"


def _origins(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]


def _reads_eager_values(names: Names) -> bool:
    """Whether a result of TensorFlow is asked for its NumPy value, which the tensors of a graph do not have."""
    parents = names.module.parents
    for node in names.module.attributes.get("numpy", []):
        call = parents.get(node)
        asked = isinstance(call, ast.Call) and call.func is node and not call.args and not call.keywords
        if asked and is_result(names, node.value):
            return True
    return False


def _iterates(names: Names) -> bool:
    """Whether Python iterates over a dataset, which the datasets of a graph do not allow."""
    calls = (call for call in names.module.calls if isinstance(call.func, ast.Name) and call.func.id == "iter")
    return any(len(call.args) == 1 and is_dataset(names, call.args[0]) for call in calls)


def is_dataset(names: Names, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression is surely a dataset: made by `tf.data`, or by a method of a dataset."""
    if isinstance(node, ast.Call):
        symbol = names.resolve(node.func)
        if symbol is not None:
            return symbol.startswith("tf.data.")
        return isinstance(node.func, ast.Attribute) and is_dataset(names, node.func.value, depth)
    if not isinstance(node, ast.Name) or depth > _DEPTH:
        return False
    every = names.module.scope_of(node).bindings.get(node.id, [])
    bound = [value for value in every if not (isinstance(value, ast.expr) and _is_of_itself(value, node.id))]
    return bool(bound) and all(isinstance(value, ast.expr) and is_dataset(names, value, depth + 1) for value in bound)


def _is_of_itself(node: ast.expr, word: str) -> bool:
    """Whether a value is what methods of a name give, as in `data = data.batch(2)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return isinstance(node, ast.Name) and node.id == word


def is_result(names: Names, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression is surely what a call of TensorFlow gave, or computed from that by operators."""
    if isinstance(node, ast.Call):
        return names.resolve(node.func) is not None
    if isinstance(node, ast.BinOp):
        return is_result(names, node.left, depth) or is_result(names, node.right, depth)
    if isinstance(node, ast.UnaryOp):
        return is_result(names, node.operand, depth)
    if not isinstance(node, ast.Name) or depth > _DEPTH:
        return False
    scope = names.module.scope_of(node)
    while node.id not in scope.bindings and scope.parent is not None:
        scope = scope.parent
    bound = scope.bindings.get(node.id, [])
    return bool(bound) and all(isinstance(value, ast.expr) and is_result(names, value, depth + 1) for value in bound)


def holds_tf1(names: Names) -> bool:
    """Whether the module uses anything that only TensorFlow 1 has."""
    return any(use.explicit_v1 or is_tf1_only(use.symbol) for use in names.uses)


def is_tf1_only(symbol: str) -> bool:
    """Whether TensorFlow 2 has nothing of that name."""
    owned = facts.owner(symbol)
    return owned is not None and owned[0].kind != "module" and not exists_in_tf2(owned[0])
