"""Hyperparameters as one object with types, that a command line's text can override."""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Callable, Mapping
from typing import Any

_PAIR = re.compile(
    r"""
    (?P<name>[a-zA-Z][\w.]*) \s* (?:\[\s*(?P<index>\d+)\s*\])? \s* = \s*
    (?: \[(?P<list>[^\]]*)\] | (?P<scalar>[^,\[]*) )
    (?: $ | ,\s* )
    """,
    re.VERBOSE,
)
_BOOLEANS = {"true": True, "True": True, "false": False, "False": False}


class HParams:
    """Named values with types. Stands for ``tf.contrib.training.HParams``.

    >>> hparams = compat.contrib.training.HParams(learning_rate=0.1, layers=[64, 32])
    >>> hparams.parse("learning_rate=0.01,layers=[16]").layers
    [16]

    A value keeps its type: an int may be set for a float, not the other way round, and a list only for a list.

    Args:
        hparam_def: not supported.
        model_structure: any object; kept.
        **kwargs: the hyperparameters and their defaults. Lists must not be empty.

    Raises:
        ValueError: a name is an attribute of this class, or a list is empty.
        NotImplementedError: an ``hparam_def``: that proto is gone in TF2.
    """

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        if hparam_def is not None:
            raise NotImplementedError("TF2 has no HParamDef: give the values as keywords, or use parse_json")
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds one; its type is that of ``value``.

        Raises:
            ValueError: the name is taken, or the list is empty.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Sets one that exists.

        Raises:
            KeyError: there is none of that name.
            ValueError: the value does not fit its type.
        """
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_fitted(name, kind, item) for item in value])
        elif is_list:
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        else:
            setattr(self, name, _fitted(name, kind, value))

    def del_hparam(self, name: str) -> None:
        """Removes one, where it exists."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Sets several from text such as ``"a=1,b=[2,3]"``; see :func:`parse_values`. Returns itself."""
        return self.override_from_dict(
            parse_values(values, {name: kind for name, (kind, _) in self._hparam_types.items()})
        )

    def override_from_dict(self, values_dict: Mapping[str, Any]) -> HParams:
        """Sets several. Returns itself."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map: Mapping[str, Any]) -> HParams:
        """As :meth:`override_from_dict`."""
        return self.override_from_dict(values_map)

    def set_model_structure(self, model_structure: Any) -> None:
        """Keeps any object."""
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        """What was kept."""
        return self._model_structure

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        """All values as JSON."""
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json: str) -> HParams:
        """Sets several from JSON. Returns itself."""
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """All values by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: str, default: Any = None) -> Any:
        """One value, or ``default`` where there is none.

        Raises:
            ValueError: it exists, and ``default`` does not fit its type.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            kind, is_list = self._hparam_types[key]
            if is_list != isinstance(default, list):
                raise ValueError(f"Hparam '{key}' of type '{kind}' is incompatible with default={default}")
            for item in default if is_list else [default]:
                _fitted(key, kind, item)
        return getattr(self, key)

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"


def parse_values(values: str, type_map: Mapping[str, type], ignore_unknown: bool = False) -> dict[str, Any]:
    """Reads ``name=value`` pairs that commas separate. Stands for ``tf.contrib.training.parse_values``.

    >>> parse_values("x=5,l=[1,2],a[1]=3", {"x": int, "l": int, "a": int})
    {'x': 5, 'l': [1, 2], 'a': {1: 3}}

    Args:
        values: the text.
        type_map: the type of each name, of the items for a list.
        ignore_unknown: skip names without a type.

    Raises:
        ValueError: the text is malformed, a value does not fit its type, or a name is set twice.
    """
    results: dict[str, Any] = {}
    position = 0
    while position < len(values):
        pair = _PAIR.match(values, position)
        if pair is None:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = pair.end()
        name = pair["name"]
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        _enter(results, pair, _reader(name, type_map[name], values), values)
    return results


def _enter(results: dict[str, Any], pair: re.Match[str], read: Callable[[str], Any], values: str) -> None:
    name, index = pair["name"], pair["index"]
    if pair["list"] is not None:
        if index is not None:
            raise ValueError("Assignment of a list to a list index.")
        value: Any = [read(item) for item in re.split("[ ,]", pair["list"]) if item]
    else:
        value = read(pair["scalar"])
    if index is None:
        if name in results:
            raise ValueError(f"Multiple assignments to variable '{name}' in {values}")
        results[name] = value
        return
    items = results.setdefault(name, {})
    if not isinstance(items, dict):
        raise ValueError(f"Multiple assignments to variable '{name}' in {values}")
    if int(index) in items:
        raise ValueError(f"Multiple assignments to variable '{name}[{index}]' in {values}")
    items[int(index)] = value


def _reader(name: str, kind: type, values: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            if kind is bool:
                return _BOOLEANS[text] if text in _BOOLEANS else bool(int(text))
            return kind(text)
        except ValueError:
            raise ValueError(
                f"Could not parse hparam '{name}' of type '{kind.__name__}' with value '{text}' in {values}"
            ) from None

    return read


def _fitted(name: str, kind: type, value: Any) -> Any:
    """``value`` as ``kind``, where no information is lost."""
    if type(value) is kind or kind is type(None):
        return value
    both_text = not issubclass(kind, (str, bytes)) or isinstance(value, (str, bytes))
    both_bool = issubclass(kind, bool) == isinstance(value, bool)
    integral = not issubclass(kind, numbers.Integral) or isinstance(value, numbers.Integral)
    number = not issubclass(kind, numbers.Number) or isinstance(value, numbers.Number)
    if not (both_text and both_bool and integral and number):
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    return kind(value)
