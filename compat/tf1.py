"""TensorFlow 1's namespaces, for programs that look a name up while they run: `getattr(compat.tf1.train, name)`.

A name is looked for among the shims first, then where TensorFlow 2 has it under its old path or in `tf.compat.v1`.
What TensorFlow 1.15 had not is an AttributeError, as it was there.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from typing import Any

import tensorflow as tf

from .bridge.v1 import OLD_NAMESPACE

__all__ = ["Namespace"]

_ELSEWHERE = {
    "config.experimental_list_devices": "contrib.eager.list_devices",
    "initializers.tables_initializer": "tables_initializer",
    "io.PaddingFIFOQueue": "PaddingFIFOQueue",
    "io.PriorityQueue": "PriorityQueue",
    "io.RandomShuffleQueue": "RandomShuffleQueue",
    "io.match_filenames_once": "train.match_filenames_once",
    "sparse.placeholder": "sparse_placeholder",
    "summary.all_v2_summary_ops": "contrib.summary.all_summary_ops",
    "summary.initialize": "contrib.summary.initialize",
    "tpu.CrossShardOptimizer": "contrib.tpu.CrossShardOptimizer",
}
"""Shims whose paths are not those of the symbols."""
_GONE = frozenset(
    {
        *("LMDBReader", "SparseConditionalAccumulator", "data.experimental.get_next_as_optional"),
        *("delete_session_tensor", "errors.error_code_from_exception_type"),
        *("errors.exception_type_from_error_code", "errors.raise_exception_on_not_ok_status"),
        *("experimental.output_all_intermediates", "feature_column.shared_embedding_columns"),
        *("get_session_handle", "get_session_tensor", "lite.TFLiteConverter", "lite.TocoConverter"),
        *("load_file_system_library", "nondifferentiable_batch_function", "ragged.placeholder"),
        *("sparse.SparseConditionalAccumulator", "train.do_quantize_training_on_graphdef", "train.sdca_fprint"),
        *("train.sdca_optimizer", "train.sdca_shrink_l1", "wrap_function"),
    }
)
"""What is still there by its name, and does not do in a graph of compat what it did."""
_MISSING = object()


class Namespace:
    """One namespace of TensorFlow 1: `tf.train` for `path` "train", `tf` itself for ""."""

    def __init__(self, path: str = "") -> None:
        self._path = path

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = _find(f"{self._path}.{name}" if self._path else name)
        if found is _MISSING:
            where = f"tensorflow.{self._path}" if self._path else "tensorflow"
            raise AttributeError(f"module {where!r} has no attribute {name!r}")
        return found

    def __dir__(self) -> list[str]:
        # The shims have words of their own beside those of TensorFlow 1.
        words = {*_words(_read(tf, self._path)), *_words(_read(OLD_NAMESPACE, self._path))}
        words.update(word for word in _words(_read(_shims(), self._path)) if word[:1].isupper())
        return sorted(word for word in words if hasattr(self, word))

    def __repr__(self) -> str:
        return f"<namespace tf{self._path and '.' + self._path} of TensorFlow 1>"

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        """The names with what they stand for, as a module has them: `compat.tf1.train.__dict__[name]`."""
        return _Names(self)


class _Names(Mapping[str, Any]):
    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self._namespace, name)
        except AttributeError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(dir(self._namespace))

    def __len__(self) -> int:
        return len(dir(self._namespace))


def _shims() -> types.ModuleType:
    import importlib

    return importlib.import_module(__package__ or "")


def _find(path: str) -> Any:
    """What a dotted path of TensorFlow 1 stands for."""
    if path in _GONE:
        return _MISSING
    shim = _read(_shims(), _ELSEWHERE.get(path, path))
    newer, older = _read(tf, path), _read(OLD_NAMESPACE, path)
    found = shim if shim is not _MISSING else newer if _MISSING not in (newer, older) else older
    # Of the shims some are modules by the name of a function in them, which is asked for by a path of its own.
    is_namespace = isinstance(found, types.ModuleType) and path != "keras"
    return Namespace(path) if is_namespace else found


def _read(root: Any, path: str) -> Any:
    for name in path.split(".") if path else ():
        root = getattr(root, name, _MISSING)
    return root


def _words(module: Any) -> list[str]:
    return [] if module is _MISSING else [word for word in dir(module) if not word.startswith("_")]


def __getattr__(name: str) -> Any:
    found = None if name.startswith("__") else _find(name)
    if isinstance(found, Namespace):
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
