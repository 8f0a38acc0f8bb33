"""Decoding ``tf.train.Example`` records."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...bridge.v1 import parse_single_example
from .data_decoder import DataDecoder

Features = dict[str, Any]


def _dense(value: Any, default: Any = None) -> Any:
    """A sparse tensor as a dense one; others as they are."""
    return tf.sparse.to_dense(value, default) if isinstance(value, tf.SparseTensor) else value


class ItemHandler(abc.ABC):
    """Makes one item out of features. Stands for ``slim.tfexample_decoder.ItemHandler``.

    Args:
        keys: the names of the features that it needs.
    """

    def __init__(self, keys: str | Sequence[str]) -> None:
        self._keys = [keys] if isinstance(keys, str) else list(keys)

    @property
    def keys(self) -> list[str]:
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        """The item, out of the features by name."""


class ItemHandlerCallback(ItemHandler):
    """An item that a function makes. Stands for ``slim.tfexample_decoder.ItemHandlerCallback``."""

    def __init__(self, keys: str | Sequence[str], func: Callable[[Features], Any]) -> None:
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Boxes ``[n, 4]`` out of four features. Stands for ``slim.tfexample_decoder.BoundingBox``.

    Args:
        keys: their names, ``ymin``, ``xmin``, ``ymax``, ``xmax`` unless given.
        prefix: put before each.
    """

    def __init__(self, keys: Sequence[str] | None = None, prefix: str = "") -> None:
        names = ["ymin", "xmin", "ymax", "xmax"] if keys is None else list(keys)
        if len(names) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(names)}")
        super().__init__([prefix + name for name in names])

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        sides = [keys_to_tensors[key] for key in self.keys]
        sides = [side.values if isinstance(side, tf.SparseTensor) else side for side in sides]
        return tf.transpose(tf.concat([tf.expand_dims(side, 0) for side in sides], 0))


class Tensor(ItemHandler):
    """A feature as a dense tensor. Stands for ``slim.tfexample_decoder.Tensor``.

    Args:
        tensor_key: its name.
        shape_keys: names of features that hold its shape.
        shape: its shape.
        default_value: for what a sparse feature leaves out.

    Raises:
        ValueError: a shape twice.
    """

    def __init__(self, tensor_key: str, shape_keys: Any = None, shape: Any = None, default_value: Any = 0) -> None:
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        listed = [] if not shape_keys else shape_keys if isinstance(shape_keys, list) else [shape_keys]
        super().__init__([tensor_key, *listed])
        self._tensor_key = tensor_key
        self._shape_keys = listed
        self._shape = shape
        self._default_value = default_value

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        tensor = keys_to_tensors[self._tensor_key]
        shape = self._shape
        if self._shape_keys:
            shape = tf.reshape(tf.stack([_dense(keys_to_tensors[key]) for key in self._shape_keys]), [-1])
        if isinstance(tensor, tf.SparseTensor):
            if shape is not None:
                tensor = tf.sparse.reshape(tensor, shape)
            return tf.sparse.to_dense(tensor, self._default_value)
        return tensor if shape is None else tf.reshape(tensor, shape)


class LookupTensor(Tensor):
    """A feature looked up in a table. Stands for ``slim.tfexample_decoder.LookupTensor``."""

    def __init__(
        self, tensor_key: str, table: Any, shape_keys: Any = None, shape: Any = None, default_value: Any = ""
    ) -> None:
        super().__init__(tensor_key, shape_keys, shape, default_value)
        self._table = table

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """A second handler's item where the first's is empty. Stands for ``slim.tfexample_decoder.BackupHandler``."""

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        for which, given in (("Primary", handler), ("Backup", backup)):
            if not isinstance(given, ItemHandler):
                raise ValueError(f"{which} handler is of type {type(given)} instead of ItemHandler")
        super().__init__(handler.keys + backup.keys)
        self._handler = handler
        self._backup = backup

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        item = self._handler.tensors_to_item(keys_to_tensors)
        is_empty = tf.equal(tf.reduce_prod(tf.shape(item)), 0)
        return tf.cond(is_empty, lambda: self._backup.tensors_to_item(keys_to_tensors), lambda: item)


class SparseTensor(ItemHandler):
    """A sparse tensor out of features of indices and values. Stands for ``slim.tfexample_decoder.SparseTensor``."""

    def __init__(
        self,
        indices_key: str | None = None,
        values_key: str | None = None,
        shape_key: str | None = None,
        shape: Any = None,
        densify: bool = False,
        default_value: Any = 0,
    ) -> None:
        self._indices_key = indices_key or "indices"
        self._values_key = values_key or "values"
        self._shape_key = shape_key
        self._shape = shape
        self._densify = densify
        self._default_value = default_value
        super().__init__([self._indices_key, self._values_key, *([shape_key] if shape_key else [])])

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        shape = self._shape or indices.dense_shape
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        rows = indices.indices[:, :-1]
        columns = tf.reshape(tf.cast(indices.values, tf.int64), [-1, 1])
        tensor = tf.SparseTensor(tf.concat([rows, columns], 1), values.values, shape)
        return tf.sparse.to_dense(tensor, self._default_value) if self._densify else tensor


class Image(ItemHandler):
    """An image, encoded or raw. Stands for ``slim.tfexample_decoder.Image``.

    Args:
        image_key, format_key: ``image/encoded`` and ``image/format`` unless given.
        shape: its shape.
        channels: how many channels to decode to.
        dtype: what to cast to.
        repeated: whether the feature holds several images.
        dct_method: as for ``decode_jpeg``.
    """

    def __init__(
        self,
        image_key: str | None = None,
        format_key: str | None = None,
        shape: Any = None,
        channels: int = 3,
        dtype: Any = tf.uint8,
        repeated: bool = False,
        dct_method: str = "",
    ) -> None:
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape = shape
        self._channels = channels
        self._dtype = dtype
        self._repeated = repeated
        self._dct_method = dct_method

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        buffer, kind = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            signature = tf.TensorSpec([None, None, self._channels], self._dtype)
            return tf.map_fn(lambda each: self._decode(each, kind), buffer, fn_output_signature=signature)
        return self._decode(buffer, kind)

    def _decode(self, buffer: Any, kind: Any) -> Any:
        is_raw = tf.logical_or(tf.equal(kind, "raw"), tf.equal(kind, "RAW"))
        image = tf.cond(is_raw, lambda: tf.io.decode_raw(buffer, self._dtype), lambda: self._decode_encoded(buffer))
        if not tf.executing_eagerly():
            image.set_shape([None, None, self._channels])
        return image if self._shape is None else tf.reshape(image, self._shape)

    def _decode_encoded(self, buffer: Any) -> Any:
        def jpeg() -> Any:
            return tf.cast(tf.io.decode_jpeg(buffer, self._channels, dct_method=self._dct_method), self._dtype)

        def other() -> Any:
            return tf.cast(tf.io.decode_image(buffer, self._channels), self._dtype)

        return tf.cond(tf.io.is_jpeg(buffer), jpeg, other, name="cond_jpeg")


class TFExampleDecoder(DataDecoder):
    """Decodes serialized ``tf.train.Example``s. Stands for ``slim.tfexample_decoder.TFExampleDecoder``.

    Args:
        keys_to_features: ``tf.io.FixedLenFeature`` and the like, by the feature's name.
        items_to_handlers: an :class:`ItemHandler` by the item's name.
    """

    def __init__(self, keys_to_features: dict[str, Any], items_to_handlers: dict[str, ItemHandler]) -> None:
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> list[str]:
        return list(self._items_to_handlers)

    def decode(self, serialized_example: Any, items: Sequence[str] | None = None) -> list[Any]:
        example = parse_single_example(serialized_example, self._keys_to_features)
        for key, feature in self._keys_to_features.items():
            if isinstance(feature, tf.io.FixedLenFeature):
                example[key] = tf.reshape(example[key], feature.shape)
        handlers = [self._items_to_handlers[item] for item in items or self._items_to_handlers]
        return [handler.tensors_to_item({key: example[key] for key in handler.keys}) for handler in handlers]
