"""What a static table is filled with: tensors, or the lines of a file."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


class TextFileIndex:
    """What a column of a vocabulary file is; stands for `tf.lookup.TextFileIndex`."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TableInitializerBase:
    """Types of a table's keys and values, and how to fill it; `tf.contrib.lookup.TableInitializerBase`."""

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

    def initialize(self, table: Any) -> Any:
        """Fills `table`, or gives the operation that does."""
        raise NotImplementedError


def _check(table: Any, initializer: TableInitializerBase) -> None:
    if (table.key_dtype, table.value_dtype) != (initializer.key_dtype, initializer.value_dtype):
        raise TypeError(
            f"Invalid key/value dtype, table is {table.key_dtype}/{table.value_dtype} but initializer "
            f"{initializer.key_dtype}/{initializer.value_dtype}."
        )


class KeyValueTensorInitializer(TableInitializerBase):
    """Keys and values given as tensors; stands for `tf.lookup.KeyValueTensorInitializer`.

    Args:
      keys, values: of the same length.
      key_dtype, value_dtype: types to convert them to.
    """

    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None
    ) -> None:
        self._keys = tf.convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = tf.convert_to_tensor(values, dtype=value_dtype, name="values")
        self._name = name or "key_value_init"
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table: Any) -> Any:
        """Fills `table`.

        Raises:
          TypeError: its types are others.
        """
        _check(table, self)
        return tf.raw_ops.InitializeTableV2(
            table_handle=table.resource_handle, keys=self._keys, values=self._values, name=self._name
        )


class TextFileInitializer(TableInitializerBase):
    """Two columns of a text file; stands for `tf.lookup.TextFileInitializer`.

    Args:
      filename: the file; a tensor may name it.
      key_dtype, value_dtype: types.
      key_index, value_index: column, or `TextFileIndex.WHOLE_LINE` or `LINE_NUMBER`.
      vocab_size: number of lines to read; all when None.
      delimiter: between columns.

    Raises:
      ValueError: the file name is empty, or an index is out of range.
    """

    def __init__(
        self,
        filename: Any,
        key_dtype: Any,
        key_index: int,
        value_dtype: Any,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
    ) -> None:
        if not isinstance(filename, tf.Tensor) and not filename:
            raise ValueError("Filename required")
        for what, index, dtype in (("key", key_index, key_dtype), ("value", value_index, value_dtype)):
            _check_column(what, index, tf.as_dtype(dtype))
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}")
        self._filename = filename
        self._columns = (key_index, value_index)
        self._vocab_size = -1 if vocab_size is None else vocab_size
        self._delimiter = delimiter
        self._name = name or "text_file_init"
        super().__init__(key_dtype, value_dtype)

    def initialize(self, table: Any) -> Any:
        """Fills `table` from the file, which must be there when this runs.

        Raises:
          TypeError: its types are others.
          tf.errors.NotFoundError: there is no such file.
        """
        _check(table, self)
        key_index, value_index = self._columns
        return tf.raw_ops.InitializeTableFromTextFileV2(
            table_handle=table.resource_handle,
            filename=self._filename,
            key_index=key_index,
            value_index=value_index,
            vocab_size=self._vocab_size,
            delimiter=self._delimiter,
            name=self._name,
        )


def _check_column(what: str, index: int, dtype: tf.DType) -> None:
    if index < -2:
        raise ValueError(f"Invalid {what} index {index}.")
    if index == TextFileIndex.LINE_NUMBER and dtype != tf.int64:
        raise ValueError(f"Signature mismatch. {what.capitalize()}s must be dtype {tf.int64}, got {dtype}.")
    if index == TextFileIndex.WHOLE_LINE and not (dtype.is_integer or dtype == tf.string):
        raise ValueError(f"Signature mismatch. {what.capitalize()}s must be integer or string, got {dtype}.")


class TextFileIdTableInitializer(TextFileInitializer):
    """Lines to their numbers; stands for `tf.contrib.lookup.TextFileIdTableInitializer`."""

    def __init__(
        self,
        filename: Any,
        key_column_index: int = TextFileIndex.WHOLE_LINE,
        value_column_index: int = TextFileIndex.LINE_NUMBER,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str = "text_file_id_table_init",
        key_dtype: Any = tf.string,
    ) -> None:
        super().__init__(
            filename, key_dtype, key_column_index, tf.int64, value_column_index, vocab_size, delimiter, name
        )


class TextFileStringTableInitializer(TextFileInitializer):
    """Numbers to lines; stands for `tf.contrib.lookup.TextFileStringTableInitializer`."""

    def __init__(
        self,
        filename: Any,
        key_column_index: int = TextFileIndex.LINE_NUMBER,
        value_column_index: int = TextFileIndex.WHOLE_LINE,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str = "text_file_string_table_init",
    ) -> None:
        super().__init__(
            filename, tf.int64, key_column_index, tf.string, value_column_index, vocab_size, delimiter, name
        )
