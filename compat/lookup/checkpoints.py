"""Mutable tables in checkpoints: their keys and values under the names that TF1's savers gave them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import tensorflow as tf

from ..bridge.graph import current_graph
from ..bridge.placeholders import placeholder
from ..bridge.session import get_default_session


class Table(Protocol):
    """A table that can be written out and filled again."""

    key_dtype: tf.DType
    value_dtype: tf.DType

    def export(self) -> Sequence[tf.Tensor]:
        """All keys and values."""

    def import_values(self, keys: tf.Tensor, values: tf.Tensor) -> Any:
        """Replaces all keys and values."""


class SavedTable:
    """What a ``Saver`` saves of a table: its keys and its values, as ``<name>-keys`` and ``<name>-values``.

    Args:
        table: the table.
        name: its name in checkpoints.
    """

    def __init__(self, table: Table, name: str) -> None:
        self.name = name
        self._table = table
        self._graph = current_graph()
        self._exported = table.export() if self._graph is not None else ()
        self._import: tuple[Sequence[tf.Tensor], Any] | None = None

    @property
    def tensor_names(self) -> list[str]:
        """The names in checkpoints."""
        return [f"{self.name}-keys", f"{self.name}-values"]

    @property
    def dtypes(self) -> list[tf.DType]:
        """The types of keys and values."""
        return [self._table.key_dtype, self._table.value_dtype]

    def prepare(self) -> None:
        """Adds the operation that restores to the table's graph, which may be finalized later."""
        if self._graph is None or self._import is not None:
            return
        with self._graph.as_default(), tf.name_scope(f"{self.name}_restore/"):
            fed = [placeholder(dtype) for dtype in self.dtypes]
            self._import = fed, self._table.import_values(*fed)

    def read(self, session: Any) -> Sequence[Any]:
        """Keys and values now; under the bridge those of a session, the default one when it is None."""
        if self._graph is None:
            return self._table.export()
        return list(self._session(session).run(list(self._exported)))

    def write(self, session: Any, keys: tf.Tensor, values: tf.Tensor) -> None:
        """Replaces all that the table holds."""
        if self._graph is None:
            self._table.import_values(keys, values)
            return
        self.prepare()
        assert self._import is not None
        fed, operation = self._import
        self._session(session).run(operation, dict(zip(fed, (keys.numpy(), values.numpy()), strict=True)))

    def _session(self, session: Any) -> Any:
        found = session if session is not None else get_default_session()
        if found is None:
            raise ValueError(f"The table {self.name} is part of a graph: saving it needs a session.")
        return found
