"""`keras.legacy.interfaces` of Keras 2.2: decorators of methods that take Keras 1's arguments.

Layers and optimizers that programs copied from Keras's sources carry them: `@interfaces.legacy_get_updates_support`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import old_arguments as old

__all__ = ["INTERFACES"]

_Change = Callable[[tuple[Any, ...], dict[str, Any]], Any]


def _decorator(*changes: _Change) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator of a method, or of a function that takes an object first."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def called(self: Any, *args: Any, **kwargs: Any) -> Any:
            for change in changes:
                args, kwargs = change(args, kwargs)
            return function(self, *args, **kwargs)

        called._original_function = function  # type: ignore[attr-defined]
        return called

    return decorated


def _renaming(names: Mapping[str, str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return _decorator(functools.partial(old.renamed, names))


def generate_legacy_interface(
    allowed_positional_args: Iterable[str] | None = None,
    conversions: Iterable[tuple[str, str]] | None = None,
    preprocessor: Callable[..., Any] | None = None,
    value_conversions: Mapping[str, Mapping[Any, Any]] | None = None,
    object_type: str = "class",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that renames arguments (`conversions`) and their values, as a program's own interface says.

    Raises (when the function is called):
      TypeError: for more arguments by position than are allowed, or for one argument under both of its names.
    """
    allowed = None if allowed_positional_args is None else list(allowed_positional_args)
    names = dict(conversions or ())

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            if preprocessor is not None:
                args, kwargs, _ = preprocessor(args, kwargs)
            if allowed is not None and len(args) > len(allowed) + 1:
                named = type(args[0]).__name__ if object_type == "class" else function.__name__
                raise TypeError(
                    f"`{named}` can accept only {len(allowed)} positional arguments {tuple(allowed)}, but you passed "
                    f"the following positional arguments: {list(args[1:])}"
                )
            for name in (value_conversions or {}).keys() & kwargs.keys():
                values = (value_conversions or {})[name]
                kwargs[name] = values[kwargs[name]] if kwargs[name] in values else kwargs[name]
            first, found = old.renamed(names, tuple(args), kwargs)
            return function(*first, **found)

        called._original_function = function  # type: ignore[attr-defined]
        return called

    return decorated


_POOLING = dict.fromkeys(
    ("pooling1d", "pooling2d", "pooling3d", "global_pooling"), _renaming(old.LAYERS["MaxPooling1D"])
)
_CONVOLUTIONS = {
    "conv1d": _renaming(old.LAYERS["Conv1D"]),
    "conv2d": _decorator(functools.partial(old.renamed, old.LAYERS["Conv2D"]), old.sized),
    "conv3d": _renaming(old.LAYERS["Conv3D"]),
    "deconv2d": _decorator(functools.partial(old.renamed, old.LAYERS["Conv2DTranspose"]), old.sized),
    "separable_conv2d": _decorator(functools.partial(old.renamed, old.LAYERS["SeparableConv2D"]), old.sized),
}
_OTHERS = {
    "add_weight": _decorator(old.shape_first),
    "cropping2d": _renaming(old.LAYERS["Cropping2D"]),
    "dense": _renaming(old.LAYERS["Dense"]),
    "dropout": _renaming(old.LAYERS["Dropout"]),
    "embedding": _renaming(old.LAYERS["Embedding"]),
    "gaussiandropout": _renaming(old.LAYERS["GaussianDropout"]),
    "gaussiannoise": _renaming(old.LAYERS["GaussianNoise"]),
    "generator_methods": _decorator(old.of_generator),
    "get_updates": _decorator(old.parameters_first),
    "input": _renaming({"input_dtype": "dtype"}),
    "model_constructor": _renaming(old.MODEL),
    "prelu": _renaming(old.LAYERS["PReLU"]),
    "recurrent": _renaming(old.LAYERS["LSTM"]),
    "spatialdropout1d": _renaming(old.LAYERS["SpatialDropout1D"]),
    "upsampling1d": _renaming(old.LAYERS["UpSampling1D"]),
    "upsampling2d": _renaming(old.LAYERS["UpSampling2D"]),
    "upsampling3d": _renaming(old.LAYERS["UpSampling3D"]),
    "zeropadding2d": _renaming(old.LAYERS["ZeroPadding2D"]),
    "zeropadding3d": _renaming(old.LAYERS["ZeroPadding3D"]),
}
INTERFACES: dict[str, Any] = {
    "generate_legacy_interface": generate_legacy_interface,
    "generate_legacy_method_interface": functools.partial(generate_legacy_interface, object_type="method"),
    **{f"legacy_{name}_support": each for name, each in {**_POOLING, **_CONVOLUTIONS, **_OTHERS}.items()},
}
"""The names of the module."""
