"""What `compat.keras2` offers in the place of TF 1.15's `tf.keras`, and of the stand-alone Keras of that time."""

from __future__ import annotations

import functools
from pathlib import Path

_NOT_OFFERED = {
    "utils.multi_gpu_model": "leave it out and train on one GPU, or write the model for tf.distribute",
    "wrappers.scikit_learn": "take KerasClassifier and KerasRegressor from the package scikeras",
    "utils.HDF5Matrix": "read the file with h5py and give `fit` an array or a keras.utils.Sequence",
    "utils.convert_all_kernels_in_model": "leave it out: it converts weights of Theano",
    "experimental.export_saved_model": "write `model.save(path, save_format='tf')`",
    "experimental.load_from_saved_model": "write `keras.models.load_model(path)`",
    "experimental.terminate_keras_multiprocessing_pools": "leave it out",
    "mixed_precision.experimental": "take it from `compat.keras2.mixed_precision`: Policy, set_global_policy",
    "utils.print_summary": "write `model.summary()`",
    "layers.Highway": "write the layer out: Keras 2.2 had it as a legacy layer only",
    "layers.MaxoutDense": "write the layer out: Keras 2.2 had it as a legacy layer only",
}
_INTERFACES = (
    "add_weight conv1d conv2d conv3d cropping2d deconv2d dense dropout embedding gaussiandropout gaussiannoise"
    " generator_methods get_updates global_pooling input model_constructor pooling1d pooling2d pooling3d prelu"
    " recurrent separable_conv2d spatialdropout1d upsampling1d upsampling2d upsampling3d zeropadding2d zeropadding3d"
)
STANDALONE = {
    "": ("__version__",),
    "backend": (
        "conv3d_transpose",
        "identity",
        "image_dim_ordering",
        "is_tensor",
        "logsumexp",
        "pattern_broadcast",
        "separable_conv1d",
        "set_image_dim_ordering",
        "slice",
        "tf",
    ),
    "legacy": (),
    "legacy.interfaces": (
        "generate_legacy_interface",
        "generate_legacy_method_interface",
        *(f"legacy_{name}_support" for name in _INTERFACES.split()),
    ),
    "models": ("Input",),
    "optimizers": ("TFOptimizer", "adadelta", "adagrad", "adam", "adamax", "nadam", "rmsprop", "sgd"),
    "wrappers": (),
}
"""What the stand-alone package had besides, by module: `compat.keras2.standalone` has it too."""
_ELSE = "write it with what Keras 2 (the package tf_keras) has in its place"


@functools.cache
def _modules() -> dict[str, frozenset[str]]:
    table = Path(__file__).with_name("keras2.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in table]
    own = {path: frozenset(names.split()) for path, _, names in rows}
    return {path: own[path] | (own[like] if like else frozenset()) for path, like, _ in rows}


def is_module(path: str) -> bool:
    """Whether Keras 2 has a module of this path, counted from `keras`.

    >>> is_module("layers.core"), is_module("layers.Dense")
    (True, False)
    """
    return path in _modules() or path in STANDALONE


def offers(path: str) -> bool:
    """Whether Keras 2 has what a path leads to; what follows a class or function belongs to that.

    >>> offers("backend.get_session"), offers("Sequential.fit"), offers("wrappers.scikit_learn.KerasClassifier")
    (True, True, False)
    >>> offers("callbacks.EarlyStopping(baseline)")  # An argument of the class.
    True
    """
    path = path.partition("(")[0]
    module, rest = "", path.split(".") if path else []
    while rest and is_module(f"{module}.{rest[0]}".lstrip(".")):
        module = f"{module}.{rest.pop(0)}".lstrip(".")
    return not rest or rest[0] in _modules().get(module, ()) or rest[0] in STANDALONE.get(module, ())


def next_step(path: str) -> str:
    """What a person writes in the place of what Keras 2 does not offer."""
    parts = path.split(".")
    stems = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((_NOT_OFFERED[stem] for stem in stems if stem in _NOT_OFFERED), _ELSE)
