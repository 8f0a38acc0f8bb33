"""Words to numbers and back: `index_table_from_file` and its kin of `tf.contrib.lookup`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import tensorflow as tf

from ..variables.name_scope import name_scope
from .initializers import (
    KeyValueTensorInitializer,
    TableInitializerBase,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
)
from .tables import HashTable, LookupInterface

HasherSpec = namedtuple("HasherSpec", ["hasher", "key"])
FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A keyed hash for out-of-vocabulary words; stands for `tf.contrib.lookup.StrongHashSpec`.

    Args:
      key: two integers.

    Raises:
      ValueError: it is not two integers.
    """

    __slots__ = ()

    def __new__(cls, key: Any) -> StrongHashSpec:
        if len(key) != 2 or not all(isinstance(part, int) for part in key):
            raise ValueError(f"key must have size 2 and hold integers, but is {key}.")
        return super().__new__(cls, "stronghash", key)


class IdTableWithHashBuckets(LookupInterface):
    """A table that gives words it does not have a number by their hash; `tf.contrib.lookup.IdTableWithHashBuckets`.

    Args:
      table: from words to numbers below its size; None when all words are hashed.
      num_oov_buckets: how many numbers there are for other words; they follow those of the table.
      hasher_spec: `FastHashSpec` or a `StrongHashSpec`.
      key_dtype: type of the words: string or an integer; the table's when None.

    Raises:
      TypeError: keys or values are of other types.
      ValueError: neither table nor buckets are given.
    """

    def __init__(
        self,
        table: HashTable | None,
        num_oov_buckets: int,
        hasher_spec: HasherSpec = FastHashSpec,
        name: str | None = None,
        key_dtype: Any = None,
    ) -> None:
        chosen = tf.as_dtype(key_dtype or (table.key_dtype if table is not None else tf.string))
        if not (chosen.is_integer or chosen == tf.string):
            raise TypeError(f"Invalid key dtype, expected integer or string but got {chosen}.")
        if table is not None and table.value_dtype != tf.int64:
            raise TypeError(f"Invalid value dtype, expected {tf.int64} but got {table.value_dtype}.")
        if table is None and num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0 if no table is supplied")
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"hasher_spec must be of type HasherSpec, got {type(hasher_spec)}")
        if hasher_spec.hasher not in {"fasthash", "stronghash"}:
            raise TypeError(f"Field hasher of hasher_spec unknown: {hasher_spec.hasher}")
        super().__init__(chosen, tf.int64)
        self._table = table
        self._num_oov_buckets = num_oov_buckets
        self._hasher_spec = hasher_spec
        self._name = name or (table.name if table is not None else "hash_bucket")

    @property
    def initializer(self) -> Any:
        """The operation that fills the table inside; None when there is none."""
        return None if self._table is None else self._table.initializer

    init = initializer

    @property
    def name(self) -> str:
        """The table's name."""
        return self._name

    def size(self, name: str | None = None) -> tf.Tensor:
        """The number of numbers: words plus buckets, int64."""
        words = tf.constant(0, tf.int64) if self._table is None else self._table.size()
        return tf.add(words, self._num_oov_buckets, name=name)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The numbers of `keys`, a tensor or sparse tensor of `key_dtype`.

        Raises:
          TypeError: `keys` are of another type.
        """
        if not isinstance(keys, tf.SparseTensor):
            keys = tf.convert_to_tensor(keys)
        if keys.dtype != self._key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}.")
        flat = keys.values if isinstance(keys, tf.SparseTensor) else keys
        numbers = self._numbers(flat, name)
        return tf.SparseTensor(keys.indices, numbers, keys.dense_shape) if flat is not keys else numbers

    def _numbers(self, words: tf.Tensor, name: str | None) -> tf.Tensor:
        if self._table is not None and self._table.key_dtype == tf.int64:
            words = tf.cast(words, tf.int64)
        if self._num_oov_buckets == 0:
            return self._table.lookup(words, name=name)  # type: ignore[union-attr]
        with name_scope(name, f"{self._name}_Lookup"):
            text = tf.as_string(words) if words.dtype.is_integer else words
            if self._hasher_spec.hasher == "fasthash":
                buckets = tf.strings.to_hash_bucket_fast(text, self._num_oov_buckets)
            else:
                buckets = tf.strings.to_hash_bucket_strong(text, self._num_oov_buckets, list(self._hasher_spec.key))
            if self._table is None:
                return buckets
            found = self._table.lookup(words)
            known = tf.not_equal(found, self._table.default_value)
            return tf.where(known, found, buckets + self._table.size())


class StaticVocabularyTable(IdTableWithHashBuckets):
    """Words to numbers, other words to buckets; stands for `tf.lookup.StaticVocabularyTable`.

    Args:
      initializer: words and their numbers, int64; None when all words are hashed.
      num_oov_buckets: how many numbers there are for other words, at least 1.
      lookup_key_dtype: type of the words that are looked up.
    """

    def __init__(
        self,
        initializer: TableInitializerBase | None,
        num_oov_buckets: int,
        lookup_key_dtype: Any = None,
        name: str | None = None,
    ) -> None:
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        table = None if initializer is None else HashTable(initializer, -1)
        super().__init__(table, num_oov_buckets, name=name, key_dtype=lookup_key_dtype)


def _with_buckets(
    table: HashTable, num_oov_buckets: int, hasher_spec: HasherSpec, key_dtype: Any, name: str
) -> HashTable | IdTableWithHashBuckets:
    if not num_oov_buckets:
        return table
    return IdTableWithHashBuckets(table, num_oov_buckets, hasher_spec, name=name, key_dtype=key_dtype)


def index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    key_dtype: Any = tf.string,
    name: str | None = None,
    key_column_index: int = TextFileIndex.WHOLE_LINE,
    value_column_index: int = TextFileIndex.LINE_NUMBER,
    delimiter: str = "\t",
) -> Any:
    """A table from the words of a file, one a line, to their line numbers; `tf.contrib.lookup.index_table_from_file`.

    Args:
      num_oov_buckets: how many numbers there are for other words, by hash; 0 gives them `default_value`.
      vocab_size: number of lines to read; all when None.

    Raises:
      ValueError: no file, a negative number of buckets, or a vocabulary size below 1.
      TypeError: keys are neither strings nor integers.
    """
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}.")
    dtype = tf.as_dtype(key_dtype)
    if not (dtype.is_integer or dtype == tf.string):
        raise TypeError("Only integer and string keys are supported.")
    with name_scope(name, "string_to_index"):
        stored = tf.int64 if dtype.is_integer else dtype
        columns = (key_column_index, value_column_index)
        initializer = TextFileIdTableInitializer(
            vocabulary_file, *columns, vocab_size, delimiter, "table_init", key_dtype=stored
        )
        table = HashTable(initializer, default_value, name="hash_table")
        return _with_buckets(table, num_oov_buckets, hasher_spec, dtype, "hash_table")


def index_table_from_tensor(
    mapping: Any = None,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    dtype: Any = tf.string,
    name: str | None = None,
    vocabulary_list: Any = None,
) -> Any:
    """A table from words to their places in `mapping`; stands for `tf.contrib.lookup.index_table_from_tensor`.

    Args:
      mapping: the words, a vector of strings or integers (`vocabulary_list` in the core API).
      num_oov_buckets: how many numbers there are for other words, by hash; 0 gives them `default_value`.
      dtype: type of the keys that are looked up.

    Raises:
      ValueError: no words, or a negative number of buckets.
      TypeError: the words are neither strings nor integers, or not of a kind with `dtype`.

    Example:
      >>> table = index_table_from_tensor(["emerson", "lake", "palmer"], num_oov_buckets=1)
      >>> table.lookup(tf.constant(["lake", "and"])).numpy()
      array([1, 3])
    """
    words = vocabulary_list if mapping is None else mapping
    if words is None:
        raise ValueError("mapping must be specified.")
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")
    wanted = tf.as_dtype(dtype)
    if not (wanted.is_integer or wanted == tf.string):
        raise TypeError("Only integer and string keys are supported.")
    with name_scope(name, "string_to_index"):
        keys = tf.convert_to_tensor(words)
        if keys.dtype.is_integer != wanted.is_integer:
            raise TypeError(f"Expected {'integer' if wanted.is_integer else 'non-integer'}, got {keys.dtype}.")
        if wanted.is_integer:
            keys = tf.cast(keys, tf.int64)
        numbers = tf.cast(tf.range(tf.size(keys)), tf.int64)
        initializer = KeyValueTensorInitializer(keys, numbers, keys.dtype, tf.int64, name="table_init")
        table = HashTable(initializer, default_value, name="hash_table")
        return _with_buckets(table, num_oov_buckets, hasher_spec, wanted, "hash_table")


def index_to_string_table_from_file(
    vocabulary_file: Any,
    vocab_size: int | None = None,
    default_value: str = "UNK",
    name: str | None = None,
    key_column_index: int = TextFileIndex.LINE_NUMBER,
    value_column_index: int = TextFileIndex.WHOLE_LINE,
    delimiter: str = "\t",
) -> HashTable:
    """A table from line numbers to the words of a file; `tf.contrib.lookup.index_to_string_table_from_file`.

    Raises:
      ValueError: no file, or a vocabulary size below 1.
    """
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}.")
    with name_scope(name, "index_to_string"):
        columns = (key_column_index, value_column_index)
        initializer = TextFileStringTableInitializer(vocabulary_file, *columns, vocab_size, delimiter, "table_init")
        return HashTable(initializer, default_value, name="hash_table")


def index_to_string_table_from_tensor(
    mapping: Any = None, default_value: str = "UNK", name: str | None = None, vocabulary_list: Any = None
) -> HashTable:
    """A table from places to the words of `mapping`; `tf.contrib.lookup.index_to_string_table_from_tensor`.

    Raises:
      ValueError: no words.
    """
    words = vocabulary_list if mapping is None else mapping
    if words is None:
        raise ValueError("mapping must be specified.")
    with name_scope(name, "index_to_string"):
        values = tf.convert_to_tensor(words, tf.string)
        keys = tf.cast(tf.range(tf.size(values)), tf.int64)
        initializer = KeyValueTensorInitializer(keys, values, tf.int64, tf.string, name="table_init")
        return HashTable(initializer, default_value, name="hash_table")


def string_to_index(tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None) -> Any:
    """The places of words in `mapping`; stands for `tf.contrib.lookup.string_to_index`."""
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


def index_to_string(tensor: Any, mapping: Any, default_value: str = "UNK", name: str | None = None) -> Any:
    """The words of `mapping` at places; stands for `tf.contrib.lookup.index_to_string`."""
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)


def string_to_index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    name: str | None = None,
) -> Any:
    """Old name of `index_table_from_file`; `tf.contrib.lookup.string_to_index_table_from_file`."""
    return index_table_from_file(
        vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, tf.string, name
    )


def string_to_index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    name: str | None = None,
) -> Any:
    """Old name of `index_table_from_tensor`; `tf.contrib.lookup.string_to_index_table_from_tensor`."""
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, tf.string, name)
