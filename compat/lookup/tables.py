"""Tables of TF 1.15: static ones, filled once, and mutable ones."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..bridge.graph import current_graph
from ..variables.collection import add_to_collection
from ..variables.graph_keys import GraphKeys
from .checkpoints import SavedTable
from .initializers import TableInitializerBase
from .resource import initialize_table, make_table


class LookupInterface:
    """What all tables can do; stands for `tf.contrib.lookup.LookupInterface`."""

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self._key_dtype = tf.as_dtype(key_dtype)
        self._value_dtype = tf.as_dtype(value_dtype)

    @property
    def key_dtype(self) -> tf.DType:
        """Type of the keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> tf.DType:
        """Type of the values."""
        return self._value_dtype


class ResourceTable(LookupInterface):
    """A table that is one resource."""

    def __init__(self, resource: tf.Tensor, key_dtype: Any, value_dtype: Any, default_value: Any, name: str) -> None:
        super().__init__(key_dtype, value_dtype)
        self._resource = resource
        self._default_value = tf.convert_to_tensor(default_value, dtype=self._value_dtype)
        self._name = name

    @property
    def resource_handle(self) -> tf.Tensor:
        """The resource."""
        return self._resource

    @property
    def default_value(self) -> tf.Tensor:
        """What a key gives that is not there."""
        return self._default_value

    @property
    def name(self) -> str:
        """The table's name."""
        return self._name

    def size(self, name: str | None = None) -> tf.Tensor:
        """The number of keys, int64."""
        return tf.raw_ops.LookupTableSizeV2(table_handle=self._resource, name=name or f"{self._name}_Size")

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of `keys`, the default value where a key is not there.

        Args:
          keys: a tensor or sparse tensor of `key_dtype`.

        Returns:
          A tensor of the shape of `keys`, or a sparse tensor.

        Raises:
          TypeError: `keys` are of another type.
          tf.errors.FailedPreconditionError: (when run) the table was not initialized.
        """
        flat = keys.values if isinstance(keys, tf.SparseTensor) else tf.convert_to_tensor(keys, name="keys")
        if flat.dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {flat.dtype} (table {self._name})."
            )
        values = tf.raw_ops.LookupTableFindV2(
            table_handle=self._resource,
            keys=flat,
            default_value=self._default_value,
            name=name or f"{self._name}_Lookup",
        )
        if isinstance(keys, tf.SparseTensor):
            return tf.SparseTensor(keys.indices, values, keys.dense_shape)
        values.set_shape(flat.shape.concatenate(self._default_value.shape))
        return values

    def export(self, name: str | None = None) -> tuple[tf.Tensor, tf.Tensor]:
        """All keys and all values, in no particular order."""
        keys, values = tf.raw_ops.LookupTableExportV2(
            table_handle=self._resource, Tkeys=self._key_dtype, Tvalues=self._value_dtype, name=name
        )
        values.set_shape(keys.shape[:1].concatenate(self._default_value.shape))
        return keys, values


class HashTable(ResourceTable):
    """A table that is filled once; stands for `tf.contrib.lookup.HashTable` and `tf.lookup.StaticHashTable`.

    Args:
      initializer: what it is filled with; run `tables_initializer()` under the bridge.
      default_value: what a key gives that is not there.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> values = compat.contrib.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2], value_dtype=tf.int64)
      >>> table = compat.contrib.lookup.HashTable(values, -1)
      >>> ids = table.lookup(tf.constant(["b", "z"]))
      >>> session.run(compat.tables_initializer())
      >>> session.run(ids)
      array([ 2, -1])
    """

    def __init__(
        self,
        initializer: TableInitializerBase,
        default_value: Any,
        shared_name: str | None = None,
        name: str | None = None,
    ) -> None:
        called = name or "hash_table"
        resource = make_table(
            tf.raw_ops.HashTableV2,
            shared_name,
            called,
            key_dtype=initializer.key_dtype,
            value_dtype=initializer.value_dtype,
        )
        super().__init__(resource, initializer.key_dtype, initializer.value_dtype, default_value, called)
        self._initializer = initialize_table(lambda: initializer.initialize(self))

    @property
    def initializer(self) -> Any:
        """The operation that fills it; None natively, where that has happened."""
        return self._initializer

    init = initializer


class StaticHashTable(HashTable):
    """`HashTable` under its later name; stands for `tf.lookup.StaticHashTable`."""

    def __init__(self, initializer: TableInitializerBase, default_value: Any, name: str | None = None) -> None:
        super().__init__(initializer, default_value, name=name)


class MutableTable(ResourceTable):
    """A table that can be inserted into, and saved by a ``Saver``."""

    def _be_saved(self, checkpoint: bool) -> None:
        if checkpoint and current_graph() is not None:
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, SavedTable(self, self._name))

    def import_values(self, keys: tf.Tensor, values: tf.Tensor) -> Any:
        """Replaces all that the table holds; an operation under the bridge."""
        return tf.raw_ops.LookupTableImportV2(table_handle=self._resource, keys=keys, values=values)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Sets the values of keys; an operation under the bridge."""
        return tf.raw_ops.LookupTableInsertV2(
            table_handle=self._resource,
            keys=tf.convert_to_tensor(keys, self._key_dtype),
            values=tf.convert_to_tensor(values, self._value_dtype),
            name=name or f"{self._name}_lookup_table_insert",
        )

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """Takes keys out; those that are not there are no error.

        Raises:
          TypeError: `keys` are of another type.
        """
        keys = tf.convert_to_tensor(keys)
        if keys.dtype != self._key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}.")
        return tf.raw_ops.LookupTableRemoveV2(
            table_handle=self._resource, keys=keys, name=name or f"{self._name}_lookup_table_remove"
        )


class MutableHashTable(MutableTable):
    """A table to insert into; stands for `tf.contrib.lookup.MutableHashTable`.

    Args:
      key_dtype, value_dtype: types.
      default_value: what a key gives that is not there; its shape is that of a value.
      checkpoint: under the bridge, a `Saver` of everything saves the table too, as `<name>-keys` and `<name>-values`;
        natively give the table to the `Saver`.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> table = compat.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="words")
      >>> session.run(table.insert(["a", "b"], tf.constant([1, 2], tf.int64)))
      >>> path = compat.train.Saver().save(session, "./model")
      >>> compat.train.list_variables(path)
      [('words-keys', [2]), ('words-values', [2])]
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
    ) -> None:
        default = tf.convert_to_tensor(default_value, dtype=value_dtype)
        types = {"key_dtype": tf.as_dtype(key_dtype), "value_dtype": tf.as_dtype(value_dtype)}
        if default.shape.rank == 0:
            resource = make_table(tf.raw_ops.MutableHashTableV2, None, name, **types)
        else:
            kernel = tf.raw_ops.MutableHashTableOfTensorsV2
            resource = make_table(kernel, None, name, value_shape=default.shape, **types)
        super().__init__(resource, key_dtype, value_dtype, default, name)
        self._be_saved(checkpoint)


class MutableDenseHashTable(MutableTable):
    """A mutable table in one tensor; stands for `tf.contrib.lookup.MutableDenseHashTable`.

    Args:
      empty_key, deleted_key: two keys that are never used.
      initial_num_buckets: a power of two.
      checkpoint: as of `MutableHashTable`.
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
    ) -> None:
        default = tf.convert_to_tensor(default_value, dtype=value_dtype)
        resource = make_table(
            tf.raw_ops.MutableDenseHashTableV2,
            None,
            name,
            empty_key=tf.convert_to_tensor(empty_key, key_dtype),
            deleted_key=tf.convert_to_tensor(deleted_key, key_dtype),
            value_dtype=tf.as_dtype(value_dtype),
            value_shape=default.shape,
            initial_num_buckets=initial_num_buckets or 131072,
        )
        super().__init__(resource, key_dtype, value_dtype, default, name)
        self._be_saved(checkpoint)
