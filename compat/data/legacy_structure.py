"""Types, shapes and classes of elements, apart from each other as TF 1.15 had them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

_UNKNOWN = tf.TensorShape(None)


def output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of an element, nested as it is; stands for `tf.data.get_output_types` and `.output_types`."""
    return _described(dataset_or_iterator, "dtype", "output_types")


def output_shapes(dataset_or_iterator: Any) -> Any:
    """The `tf.TensorShape`s of an element; stands for `tf.data.get_output_shapes` and `.output_shapes`."""
    return _described(dataset_or_iterator, "shape", "output_shapes")


def output_classes(dataset_or_iterator: Any) -> Any:
    """`tf.Tensor` or `tf.SparseTensor` for each part of an element; `tf.data.get_output_classes`."""
    return _described(dataset_or_iterator, "value_type", "output_classes")


def _described(asked: Any, part: str, attribute: str) -> Any:
    """A part of each spec of an element, or the attribute of what is no dataset and has one of that name."""
    if not hasattr(asked, "element_spec") and hasattr(asked, attribute):
        return getattr(asked, attribute)
    return tf.nest.map_structure(lambda spec: getattr(spec, part), asked.element_spec)


def spec_from_legacy(types: Any, shapes: Any = None, classes: Any = None) -> Any:
    """The `tf.TypeSpec`s of an element from what TF 1.15 asked for.

    Raises:
      TypeError, ValueError: `shapes` or `classes` are not nested as `types`.
    """
    dtypes = tf.nest.map_structure(tf.as_dtype, types)
    flat_types = tf.nest.flatten(dtypes)
    shapes_of_parts = [_UNKNOWN] * len(flat_types) if shapes is None else flat_shapes(dtypes, shapes)
    flat_classes = [tf.Tensor] * len(flat_types) if classes is None else tf.nest.flatten(classes)
    if len(flat_classes) != len(flat_types):
        raise ValueError(f"output_classes {classes!r} and output_types {types!r} have different structures")
    specs = [
        tf.SparseTensorSpec(shape, dtype) if kind is tf.SparseTensor else tf.TensorSpec(shape, dtype)
        for dtype, shape, kind in zip(flat_types, shapes_of_parts, flat_classes, strict=True)
    ]
    return tf.nest.pack_sequence_as(dtypes, specs)


def flat_shapes(types: Any, shapes: Any) -> list[tf.TensorShape]:
    """Shapes may be lists, which `tf.nest` would take apart: go down only as far as the types do."""
    if isinstance(types, dict):
        if not isinstance(shapes, dict) or set(shapes) != set(types):
            raise ValueError(f"output_shapes {shapes!r} and output_types {types!r} have different structures")
        return [shape for key in sorted(types) for shape in flat_shapes(types[key], shapes[key])]
    if isinstance(types, tuple | list):
        if not isinstance(shapes, tuple | list) or len(shapes) != len(types):
            raise ValueError(f"output_shapes {shapes!r} and output_types {types!r} have different structures")
        pairs = zip(types, shapes, strict=True)
        return [shape for kind, given in pairs for shape in flat_shapes(kind, given)]
    return [tf.TensorShape(shapes)]
