"""Keras 1's arguments, which stand-alone Keras 2.2 still took: `Dense(output_dim=3, init="one")`, `fit(nb_epoch=2)`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from tf_keras.api._v1.keras import layers
from tf_keras.src.engine import base_layer_v1, functional, training, training_v1
from tf_keras.src.optimizers import optimizer_v1

__all__ = ["LAYERS", "MODEL", "accept", "of_generator", "parameters_first", "renamed", "shape_first", "sized"]

_WEIGHTS = {
    "W_constraint": "kernel_constraint",
    "W_regularizer": "kernel_regularizer",
    "b_constraint": "bias_constraint",
    "b_regularizer": "bias_regularizer",
    "bias": "use_bias",
    "init": "kernel_initializer",
}
_IMAGES = {"border_mode": "padding", "dim_ordering": "data_format"}
_CONVOLUTION = {**_WEIGHTS, **_IMAGES, "nb_filter": "filters", "subsample": "strides"}
_LINE = {**_CONVOLUTION, "filter_length": "kernel_size", "subsample_length": "strides"}
_RECURRENT = {
    **_WEIGHTS,
    "U_regularizer": "recurrent_regularizer",
    "dropout_U": "recurrent_dropout",
    "dropout_W": "dropout",
    "forget_bias_init": "unit_forget_bias",
    "inner_activation": "recurrent_activation",
    "inner_init": "recurrent_initializer",
    "output_dim": "units",
}
_EMBEDDING = {
    "W_constraint": "embeddings_constraint",
    "W_regularizer": "embeddings_regularizer",
    "init": "embeddings_initializer",
}
_RATE, _POOL = {"p": "rate"}, {**_IMAGES, "pool_length": "pool_size", "stride": "strides"}
LAYERS: dict[str, Mapping[str, str]] = {
    "Dense": {**_WEIGHTS, "output_dim": "units"},
    "Embedding": _EMBEDDING,
    "PReLU": {"init": "alpha_initializer"},
    "GaussianNoise": {"sigma": "stddev"},
    "UpSampling1D": {"length": "size"},
    "Conv1D": _LINE,
    **dict.fromkeys(("Dropout", "GaussianDropout", "SpatialDropout1D", "SpatialDropout2D"), _RATE),
    **dict.fromkeys(("SimpleRNN", "LSTM", "GRU"), _RECURRENT),
    **dict.fromkeys(("Conv2D", "Conv3D", "Conv2DTranspose", "SeparableConv2D"), _CONVOLUTION),
    **dict.fromkeys(
        (f"{kind}Pooling{size}D" for kind in ("Max", "Average", "GlobalMax", "GlobalAverage") for size in (1, 2, 3)),
        _POOL,
    ),
    **dict.fromkeys(("UpSampling2D", "UpSampling3D", "ZeroPadding2D", "ZeroPadding3D", "Cropping2D"), _IMAGES),
}
_FIT = {"nb_epoch": "epochs"}
_GENERATOR = {
    **_FIT,
    "max_q_size": "max_queue_size",
    "nb_val_samples": "validation_steps",
    "nb_worker": "workers",
    "pickle_safe": "use_multiprocessing",
    "samples_per_epoch": "steps_per_epoch",
    "val_samples": "steps",
}
MODEL = {"input": "inputs", "output": "outputs"}
_ORDERINGS = {"tf": "channels_last", "th": "channels_first"}
_SIZES = ("nb_row", "nb_col")


def accept() -> None:
    """Has the classes of Keras 2 take them, from now on in this process."""
    for name, names in LAYERS.items():
        _wrap(getattr(layers, name), "__init__", functools.partial(renamed, names))
    for name in ("Conv2D", "Conv2DTranspose", "SeparableConv2D"):
        _wrap(getattr(layers, name), "__init__", sized)
    _wrap(functional.Functional, "__init__", functools.partial(renamed, MODEL))
    training.is_functional_model_init_params = _of_functional(training.is_functional_model_init_params)
    _wrap(training_v1.Model, "fit", functools.partial(renamed, _FIT))
    for name in ("fit_generator", "evaluate_generator", "predict_generator"):
        _wrap(training_v1.Model, name, of_generator)
    _wrap(base_layer_v1.Layer, "add_weight", shape_first)
    for optimizer in vars(optimizer_v1).values():
        if isinstance(optimizer, type) and issubclass(optimizer, optimizer_v1.Optimizer):
            _wrap(optimizer, "get_updates", parameters_first)


def _of_functional(is_functional: Callable[..., bool]) -> Callable[..., bool]:
    @functools.wraps(is_functional)
    def told(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        return is_functional(*renamed(MODEL, args, kwargs))

    return told


def _wrap(owner: type, name: str, change: Callable[[tuple[Any, ...], dict[str, Any]], Any]) -> None:
    method = owner.__dict__.get(name)
    if method is None:
        return

    @functools.wraps(method)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = change(args, kwargs)
        return method(self, *args, **kwargs)

    setattr(owner, name, changed)


def renamed(names: Mapping[str, str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    for old in names.keys() & kwargs.keys():
        if names[old] in kwargs:
            raise TypeError(f"the arguments {old} and {names[old]} are the same one: give one of them")
    found = {names.get(name, name): value for name, value in kwargs.items()}
    if isinstance(found.get("data_format"), str):
        found["data_format"] = _ORDERINGS.get(found["data_format"], found["data_format"])
    if found.get("unit_forget_bias") in ("one", "ones"):
        found["unit_forget_bias"] = True
    return args, found


def sized(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`Conv2D(32, 3, 3)` was a kernel of 3 by 3; its third argument is the strides' in Keras 2 alone by name."""
    rest = dict(kwargs)
    sizes = [*args[1:3], *(rest.pop(name) for name in _SIZES if name in rest)]
    if len(args) > 3 or len(sizes) > 2:
        raise TypeError("a convolution takes its filters and its kernel's size, and names for the rest")
    if len(sizes) == 2:
        return args[:1], {**rest, "kernel_size": tuple(sizes)}
    return args, kwargs


def of_generator(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    batch = getattr(args[0] if args else kwargs.get("generator"), "batch_size", None)
    found = dict(kwargs)
    if batch and "samples_per_epoch" in found:
        found["samples_per_epoch"] //= batch
    return renamed(_GENERATOR, args, found)


def shape_first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`add_weight(shape, name=…)`, as Keras 1 had it."""
    if args and isinstance(args[0], list | tuple):
        name = {"name": args[1]} if len(args) > 1 and isinstance(args[1], str) else {}
        return (), {**kwargs, **name, "shape": args[0]}
    return args, kwargs


def parameters_first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`get_updates(params, loss)` and `get_updates(params, constraints, loss)`, as Keras 1 had them."""
    found = {name: value for name, value in kwargs.items() if name != "constraints"}
    if args and isinstance(args[0], list | tuple):
        loss = args[-1] if len(args) > 1 else found["loss"]
        return (), {"loss": loss, "params": args[0]}
    return args, found
