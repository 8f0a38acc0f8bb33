"""What stands for a part of TensorFlow 1.x that TensorFlow 2 lacks, until it is used."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["missing"]


class _Missing:
    def __init__(self, path: str) -> None:
        self._path = path

    def _raise(self, used: str) -> NoReturn:
        raise ImportError(
            f"{used} is used, which TensorFlow 2 does not have: the report of tf-migrate says at the import of "
            f"{self._path} what to write in its place",
            name=self._path,
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # what only looks at a module's names is no use
        self._raise(f"{self._path}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        self._raise(self._path)

    def __mro_entries__(self, bases: Any) -> NoReturn:
        self._raise(self._path)

    def __repr__(self) -> str:
        return f"<missing {self._path}>"


def missing(path: str) -> Any:
    """A stand-in for a module, class or function of TensorFlow 1.x, so that what does not use it can be imported.

    Args:
      path: the import path that it had.

    Returns:
      An object that raises ImportError when an attribute of it is read, or when it is called or derived from.

    Example:
      >>> tpu_function = missing("tensorflow.contrib.tpu.python.tpu.tpu_function")
      >>> tpu_function.get_tpu_context()
      Traceback (most recent call last):
      ImportError: tensorflow.contrib.tpu.python.tpu.tpu_function.get_tpu_context is used, which TensorFlow 2 ...
    """
    return _Missing(path)
