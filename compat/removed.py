"""What stands in for an import of what TensorFlow 2 has no more, so that the code which does not need it runs."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["Removed"]


class Removed:
    """The name of a module, class or function of TensorFlow 1: to use it in any way raises ModuleNotFoundError."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def _raise(self) -> NoReturn:
        raise ModuleNotFoundError(
            f"`{self._name}` is not in TensorFlow 2, and nothing took its place here: take out what uses it, or write "
            "it with what the report of `tf-migrate` says of the name"
        )

    def __getattr__(self, word: str) -> Any:
        if word.startswith("__") and word.endswith("__"):
            raise AttributeError(word)  # asked by tools that look through a module
        self._raise()

    def __setattr__(self, word: str, value: object) -> None:
        self._raise()

    def __call__(self, *arguments: object, **named: object) -> Any:
        self._raise()

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        self._raise()

    def __bool__(self) -> bool:
        self._raise()

    def __getitem__(self, key: object) -> Any:
        self._raise()

    def __repr__(self) -> str:
        return f"<removed: {self._name}>"
