"""A module with some other names in it: what `tf_keras` is given as its `tf`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Facade"]


class Facade:
    """Gives the names of a module, and others in the place of some of them while a condition holds.

    Args:
      module: the module, or another facade.
      instead: name -> what stands in its place; a facade stands there always, since it knows the condition itself.
      applies: whether the others are to be given now.

    Example:
      >>> import math
      >>> facade = Facade(math, {"pi": 3}, lambda: True)
      >>> facade.pi, facade.floor(2.5)
      (3, 2)
    """

    def __init__(self, module: Any, instead: Mapping[str, Any], applies: Callable[[], bool]) -> None:
        self._module = module
        self._instead = dict(instead)
        self._applies = applies

    def __getattr__(self, name: str) -> Any:
        found = self._instead.get(name)
        if found is not None and (isinstance(found, Facade) or self._applies()):
            return found
        return getattr(self._module, name)

    def __dir__(self) -> list[str]:
        return dir(self._module)

    def __repr__(self) -> str:
        return f"<Facade of {self._module!r}>"
