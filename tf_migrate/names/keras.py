"""Which Keras a module was written for: one that needs TF 1.15's graph and session, or any.

Told by the text alone, because it must be known of every module before any is resolved. A module *leans* on Keras 2
where it uses what Keras 3 has no counterpart of; a program with one such module, or with a graph of its own, keeps
Keras 2 as a whole (see docs/keras.md).
"""

from __future__ import annotations

import ast
import re
from typing import Literal

from tf_migrate import facts
from tf_migrate.names.layer_outputs import takers_of_layer_outputs
from tf_migrate.syntax.outline import Outline

Keras = Literal["", "plain", "handing", "leaning", "newer"]
"""Nothing that builds; models, layers, and functions of tensors; those, and other modules get what layers made; what
only Keras 2 has; what only Keras 3 has."""
_OF_TAKERS: dict[str, Keras] = {"": "plain", "modules": "handing", "operations": "leaning"}

STANDALONE = "keras"

_MADE = (
    r"(?:layers(?!\.SimpleRNNCell\b)|models|Model|Sequential|Input|optimizers|callbacks|estimator|applications"
    r"|wrappers|engine|legacy|metrics|objectives)\b"
)
_PLAIN = re.compile(
    rf"\bkeras\.{_MADE}|^\s*from\s+(?:tensorflow\.(?:python\.)?)?keras\s+import\b[^\n]*\b{_MADE}", re.MULTILINE
)
_USED = re.compile(r"\bkeras\.\w|^\s*(?:import|from)\b[^\n#]*\bkeras\b", re.MULTILINE)
_ALIAS = re.compile(r"\bkeras\s+as\s+(\w+)|^\s*(\w+)\s*=\s*[\w.]*\bkeras[ \t]*(?:[;#]|$)", re.MULTILINE)
# Methods, attributes and functions that Keras 3 lost, and keys that mean something else there.
_LEANING = re.compile(
    r"\b(?:fit_generator|evaluate_generator|predict_generator|predict_classes|predict_proba|get_updates_for"
    r"|get_losses_for|get_input_shape_at|get_output_shape_at|_make_(?:predict|train|test)_function|set_session"
    r"|get_session|learning_phase|set_learning_phase|in_train_phase|in_test_phase|nb_epoch"
    r"|nb_filter|samples_per_epoch|nb_val_samples|inbound_nodes|outbound_nodes|_inbound_nodes|_set_hyper|_get_hyper"
    r"|_resource_apply_dense|_create_slots|model_to_estimator|multi_gpu_model"
    r"|optimizers?\.lr|CuDNNLSTM|CuDNNGRU|output_names|input_names|_keras_shape|_uses_learning_phase"
    r"|enable_eager_execution|enable_v2_behavior|set_image_dim_ordering|image_dim_ordering|get_updates|get_gradients"
    r"|LocallyConnected[12]D|huber_loss)\b"
    r"|\b(?:K|backend)\.(?:function|gradients|placeholder|get_value|set_value|batch_get_value|batch_set_value|eval|rnn"
    r"|update|update_add|update_sub|is_keras_tensor|variable|zeros|ones|moving_average_update)\("
    r"|['\"](?:val_)?acc['\"]|\bModel\(\s*inputs?\s*=[^,()]*,\s*output\s*=|\bModel\(\s*input\s*="
    r"|\.add_loss\(|\.add_update\("
    # Arguments that Keras 3 takes no more.
    r"|\b(?:batch_input_shape|target_tensors|sample_weight_mode|use_multiprocessing|max_queue_size|write_grads"
    r"|embeddings_freq|reset_metrics|zero_debias)\s*=(?!=)"
    r"|\b(?:SGD|Adam|RMSprop|Adagrad|Adadelta|Adamax|Nadam|Ftrl)\([^()]*\bdecay\s*="
    r"|\b(?:Embedding|Dense|Conv[123]D|LSTM|GRU|SimpleRNN|BatchNormalization)\([^()]*\bweights\s*="
    r"|\bEarlyStopping\([^()]*\bbaseline\s*=|\bBatchNormalization\([^()]*\btrainable\s*="
    r"|\bModelCheckpoint\([^()]*\bperiod\s*=|\bInput\([^()]*\btensor\s*="
    # A rate that is an integer, which Keras 3 refuses; steps over arrays, which it ends with the first pass.
    r"|\b(?:SGD|Adam|RMSprop|Adagrad|Adadelta|Adamax|Nadam|Ftrl)\(\s*(?:(?:lr|learning_rate)\s*=\s*)?\d+\s*[,)]"
    r"|\.fit\(\s*[\w.]+\s*,\s*[\w.]+\s*,[^()]*\bsteps_per_epoch\s*="
    # What was trainable when a model was compiled stayed so; single batches gave Python's numbers.
    r"|\.trainable\s*=(?!=)|\.(?:train|test)_on_batch\("
    # What Keras 3 computes otherwise in silence: losses under a mask, a cosine's sign, an accumulator's first value,
    # steps where a batch looks a row up twice.
    r"|\bMasking\(|\bmask_zero\s*=|\bEmbedding\(|\bcosine_(?:similarity|proximity)\b|\bCosineSimilarity\("
    r"|\bkullback_leibler_divergence\b|\blogcosh\b|['\"]kld['\"]|['\"](?i:adagrad|nadam|rmsprop)['\"]"
    r"|\b(?:RMSprop|Nadam)\("
    # What callbacks are told of batches (a batch's own loss, its number, its size) and of what is trained.
    r"|\bon_(?:train_|test_|predict_)?batch_(?:begin|end)\b"
    r"|\.params(?:\[|\.get\()\s*['\"](?:samples|batch_size|do_validation|metrics|steps)['\"]"
    # Images that turn the other way, about another point.
    r"|\b(?:rotation|width_shift|height_shift|shear|zoom)_range\s*=(?!=)|\b(?:apply_affine_transform"
    r"|random_(?:rotation|shift|shear|zoom))\("
)
# What Keras 3.13 refused when it was run: attributes, methods, endings of files, arguments.
_REFUSED = re.compile(
    r"\bmodel_from_(?:json|yaml|config)\("
    r"|\.(?:reset_states|to_yaml|to_json|get_(?:in|out)put_(?:mask_)?at|compute_output_signature|get_shape)\("
    r"|\.(?:(?:in|out)put_mask|state_updates|total_loss|_collected_trainable_weights)\b"
    r"|(?:[\])]|\blayer)\.(?:in|out)put_shape\b|\bmodel\.(?:updates|stateful|dynamic)\b"
    r"|\b(?:opt|optimizer)\.(?:weights\b|get_weights\(|set_weights\(|minimize\()"
    r"|\.save_weights\((?![^()]*\.weights\.h5['\"])|\bModelCheckpoint\((?![^()]*\.keras['\"])"
    r"|\bmodel\.save\(\s*['\"][^'\"]*(?<!\.h5)(?<!\.hdf5)(?<!\.keras)['\"]"
    r"|\bfrom_keras_model_file\("
    r"|\b(?:time_major|fused|virtual_batch_size)\s*=(?!=)|\bTensorBoard\([^()]*\bbatch_size\s*="
    r"|\.(?:fit|predict|evaluate)\([^()]*\bworkers\s*="
    # What objects say of themselves; a class of the program asks its base.
    r"|(?<!\))\.get_config\(|\b(?:initializers|regularizers|constraints|layers|optimizers|losses)\.serialize\("
)
_NEWER = re.compile(
    r"\bkeras\.(?:ops|random|saving|src|KerasTensor|Variable)\b|\bKERAS_BACKEND\b|\bhistory\[['\"](?:val_)?accuracy['\"]\]|['\"]val_accuracy['\"]"
    r"|\bTF_USE_LEGACY_KERAS\b|\btf_keras\b|\.keras['\"]\s*\)"
)
_GRAPHS = re.compile(
    r"\b(?:tf\w*|tensorflow|v1)\.(?:compat\.v1\.)?(?:placeholder|Session\(|InteractiveSession|get_variable|variable_scope"
    r"|global_variables_initializer|initialize_all_variables|get_default_graph|reset_default_graph|Graph\(|contrib\b"
    r"|set_random_seed\(|get_collection\(|trainable_variables\(|global_variables\(|losses\.\w+\(|metrics\.\w+\("
    r"|train\.\w+Optimizer|train\.Saver|estimator\.Estimator|enable_eager_execution|enable_v2_behavior|log\(|to_float"
    r"|to_int32|to_int64|random_normal\(|layers\.|Print\(|ConfigProto|summary\.merge_all|app\.run|app\.flags)"
    r"|\bMonitoredTrainingSession\b|^from\s+tensorflow\s+import\b[^\n]*\bset_random_seed\b",
    re.MULTILINE,
)
_ONE_UNIT = r"\bDense\(\s*(?:units\s*=\s*)?1\s*[,)]"
# Each pair together is what Keras 3 computes otherwise, in silence.
_TOGETHER = (
    # A softmax below this loss is taken for a sigmoid, and the other way round.
    (r"\bbinary_crossentropy\b", r"(?i:\bsoftmax\b)"),
    (r"categorical_crossentropy\b", r"(?i:\bsigmoid\b)"),
    # Of images, the moving variance was that of the population that a batch was taken from.
    (r"\bBatchNormalization\(", r"\w2D\("),
    (r"\bkeras\.applications\b|\bapplications\.", r"\.fit\("),
    # Each element has a loss, also where they are summed.
    (r"\bHuber\(", r"\breduction\s*="),
    # Each batch of a dataset or `Sequence` counted once in a loss, whatever its size.
    (r"\bdata\.(?:\w+\.)?\w*Dataset\b|\bDataset\.|\btfds\.|\bSequence\)", r"\.(?:fit|evaluate)\("),
    # The accuracy of many labels was that of each label.
    (rf"\A(?![\s\S]*{_ONE_UNIT})[\s\S]*\bbinary_crossentropy\b", r"['\"]accuracy['\"]"),
)
# The stand-alone package trained with seeds of NumPy's and a count of steps of its own.
_TRAINED = re.compile(r"\.(?:compile|fit|predict|evaluate)\(")
_SYMBOLIC = re.compile(r"\b(?:K|backend)\.\w+\(")
_FUNCTION = re.compile(r"\b(K|activations|backend|losses)\.(\w+)\(")
# What the stand-alone package had, and TensorFlow's own has by other names too.
_OLD_PATHS = re.compile(
    r"\b(?:tensorflow_backend|np_utils|keras\.(?:engine|legacy|objectives|layers\.(?:advanced_activations|core"
    r"|convolutional|embeddings|local|merge|noise|normalization|pooling|recurrent|wrappers)))\b"
)
_OLD_ARGUMENTS = re.compile(
    r"\b(?:lr|nb_epoch|nb_worker|max_q_size|border_mode|output_dim|init|inner_init|W_regularizer|b_regularizer|subsample"
    r"|dim_ordering|nb_row|nb_col|atrous_rate|dropout_W|dropout_U|decay)\s*=(?!=)"
)
_SUBCLASS = re.compile(r"\bclass\s+\w+\([^)]*\b(?:optimizers\.)?Optimizer\)")
_KEYS = re.compile(r"\bmetrics\s*=")
_READ = re.compile(r"\.history\b|\bmetrics_names\b|\bmonitor\s*=|\bCSVLogger\b|\bon_epoch_end\b|\bEarlyStopping\b")


def keras_of(module: Outline) -> Keras:
    """What a module uses of Keras."""
    text = module.source.text
    if "keras" not in text:
        return ""
    standalone = any(is_standalone(node) for node in module.imports)
    if _NEWER.search(text):
        return "newer"
    if not standalone and not _USED.search(text) and not _ALIAS.search(text):
        return ""
    old = (_SYMBOLIC, _OLD_ARGUMENTS, _OLD_PATHS, _TRAINED) if standalone else ()
    together = any(all(re.search(part, text) for part in parts) for parts in _TOGETHER)
    watched = _KEYS.search(text) is not None and _READ.search(text) is not None
    if together or watched or any(pattern.search(text) for pattern in (_LEANING, _REFUSED, _SUBCLASS, *old)):
        return "leaning"
    plain = standalone or _PLAIN.search(text) is not None or _has_other_functions(text) or _makes_by_alias(text)
    return _OF_TAKERS[takers_of_layer_outputs(module.tree)] if plain else ""


def _makes_by_alias(text: str) -> bool:
    """Whether a text makes layers or models through another name of Keras: `import tensorflow.keras as k`."""
    aliases = {name for pair in _ALIAS.findall(text) for name in pair if name}
    return bool(aliases) and re.search(rf"\b(?:{'|'.join(sorted(aliases))})\.{_MADE}", text) is not None


def _has_other_functions(text: str) -> bool:
    """Whether a text calls functions of tensors that Keras 3 lost, or that it calls otherwise."""
    for module, name in _FUNCTION.findall(text):
        fact = facts.lookup(f"tf.keras.{'backend' if module == 'K' else module}.{name}")
        if fact is not None and fact.action == "manual":
            return True
    return False


def only_in_keras_2(symbol: str) -> bool:
    """Whether a use of a symbol of `tf.keras`, or of a member of one, has its program keep Keras 2.

    >>> only_in_keras_2("tf.keras.Model.fit_generator"), only_in_keras_2("tf.keras.backend.gradients")
    (True, True)
    >>> only_in_keras_2("tf.keras.Model.fit")
    False
    """
    parts = symbol.split(".")
    if parts[:2] != ["tf", "keras"]:
        return False
    if parts[2:3] == ["backend"]:
        return _LEANING.search(f"K.{parts[-1]}(") is not None
    return _LEANING.search(parts[-1]) is not None or _REFUSED.search(f"model.{parts[-1]}()") is not None


def builds_graphs(module: Outline) -> bool:
    """Whether a module says in its text that it builds a graph of TensorFlow 1, or runs one."""
    return _GRAPHS.search(module.source.text) is not None


def is_standalone(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether an import is of the package `keras`."""
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").partition(".")[0] == STANDALONE
    return any(alias.name.partition(".")[0] == STANDALONE for alias in node.names)
