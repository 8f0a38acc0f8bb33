"""What TF2's feature columns ask for while they compute: features, variables, and tables of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from .. import train
from .. import variables as tf1
from ..lookup import vocabulary
from ..private import feature_column_v2, feature_column_v2_types

FeatureColumn = feature_column_v2_types.FeatureColumn
DenseColumn = feature_column_v2.DenseColumn
CategoricalColumn = feature_column_v2.CategoricalColumn


def sorted_columns(feature_columns: Any) -> list[Any]:
    """The columns in the order of their names, in which TF1 joined what they give.

    Raises:
      ValueError: there are none, one is no column, or two have one name.
    """
    if isinstance(feature_columns, FeatureColumn):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, Mapping):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    columns = list(feature_columns)
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    for column in columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError(
                f"Items of feature_columns must be a _FeatureColumn. Given (type {type(column)}): {column}"
            )
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"Duplicate feature column name found for columns: {name}")
    return sorted(columns, key=lambda column: str(column.name))


class ColumnState:
    """Features of one layer, and the variables and tables that its columns use.

    Args:
      features: feature name -> tensor.
      trainable: whether variables are.
      weight_collections: more collections that variables join.
    """

    def __init__(
        self, features: Mapping[str, Any], trainable: bool = True, weight_collections: Iterable[str] | None = None
    ) -> None:
        self.cache = feature_column_v2.FeatureTransformationCache(features)
        self._trainable = trainable
        keys = tf1.GraphKeys
        self._collections = list(
            dict.fromkeys([*(weight_collections or ()), keys.GLOBAL_VARIABLES, keys.MODEL_VARIABLES])
        )
        self._variables: dict[Any, Any] = {}
        self._tables: dict[Any, Any] = {}

    def dense(self, column: Any) -> tuple[tf.Tensor, list[Any]]:
        """What a dense column gives, one row an example, and the variables that it made.

        Raises:
          ValueError: the column is not dense, or shares its embedding with others.
        """
        if not isinstance(column, DenseColumn):
            raise ValueError(
                "Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with an "
                f"embedding_column or indicator_column. Given: {column}"
            )
        if isinstance(column, feature_column_v2.SharedEmbeddingColumn):
            raise ValueError(
                f"{column.name}: compat has no shared embeddings. Get one variable by compat.get_variable and look the "
                "ids of each feature up in it with tf.nn.safe_embedding_lookup_sparse."
            )
        before = set(self._variables)
        checkpoint = getattr(column, "ckpt_to_load_from", None)
        if isinstance(column, feature_column_v2.EmbeddingColumn):
            source = (column.ckpt_to_load_from, column.tensor_name_in_ckpt)
            column = column._replace(ckpt_to_load_from=None, tensor_name_in_ckpt=None)
            column.create_state(self)
            if checkpoint:
                train.init_from_checkpoint(source[0], {source[1]: self._variables[column, "embedding_weights"]})
        tensor = column.get_dense_tensor(self.cache, self)
        rows = tf.shape(tensor)[0]
        flat = tf.reshape(tensor, [rows, column.variable_shape.num_elements()])
        return flat, [part for key in self._variables if key not in before for part in parts(self._variables[key])]

    def weights(self, shape: Sequence[int], name: str = "weights") -> Any:
        """A variable of zeros in the current scope."""
        return tf1.get_variable(
            name,
            list(shape),
            tf.float32,
            tf1_zeros,
            trainable=self._trainable,
            collections=self._collections,
        )

    def create_variable(
        self,
        feature_column: Any,
        name: str,
        shape: Sequence[int],
        dtype: Any = None,
        trainable: bool = True,
        use_resource: bool = True,
        initializer: Callable[..., Any] | None = None,
    ) -> Any:
        """Called by a column that needs a variable."""
        del use_resource
        variable = tf1.get_variable(
            name,
            list(shape),
            dtype or tf.float32,
            initializer,
            trainable=trainable and self._trainable,
            collections=self._collections,
        )
        self._variables[feature_column, name] = variable
        return variable

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """Called by a column that uses its variable; a partitioned one is the list of its parts."""
        variable = self._variables[feature_column, name]
        return variable if isinstance(variable, tf.Variable) else list(variable)

    def has_resource(self, feature_column: Any, name: str) -> bool:
        """Called by columns of words; their tables are made here, where they belong to the graph as in TF1."""
        return True

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """The table of a column of words."""
        key = (feature_column, name)
        if key not in self._tables:
            self._tables[key] = _table(feature_column, name)
        return self._tables[key]


def parts(variable: Any) -> list[Any]:
    """The parts of a variable; of a whole one it alone."""
    return [variable] if isinstance(variable, tf.Variable) else list(variable)


def tf1_zeros(shape: Any, dtype: Any = tf.float32, partition_info: Any = None) -> tf.Tensor:
    """TF1's initializer of zeros."""
    return tf.zeros(shape, dtype)


def _table(column: Any, name: str) -> Any:
    dtype = tf.int64 if column.dtype.is_integer else column.dtype
    if isinstance(column, feature_column_v2.VocabularyListCategoricalColumn):
        return vocabulary.index_table_from_tensor(
            vocabulary_list=tuple(column.vocabulary_list),
            num_oov_buckets=column.num_oov_buckets,
            default_value=column.default_value,
            dtype=dtype,
            name=name,
        )
    return vocabulary.index_table_from_file(
        column.vocabulary_file, column.num_oov_buckets, column.vocabulary_size, column.default_value, key_dtype=dtype
    )
