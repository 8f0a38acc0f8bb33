"""Whether a function takes the mean of the towers' gradients: told by running it on gradients that are only named."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_TOWERS = (2, 3)  # a number that the function has written out fits one of them at most
_VARIABLES = 2


class _UnknownError(Exception):
    """The function does something else than what programs do to average gradients."""


@dataclass(frozen=True)
class _Gradient:
    tower: int
    variable: int


@dataclass(frozen=True)
class _Variable:
    number: int


@dataclass(frozen=True)
class _Row:
    """A gradient with a dimension for the towers in front."""

    of: _Gradient


@dataclass(frozen=True)
class _Stack:
    rows: tuple[_Gradient, ...]


@dataclass(frozen=True)
class _Sum:
    of: tuple[_Gradient, ...]


@dataclass(frozen=True)
class _Mean:
    of: tuple[_Gradient, ...]


def averages(function: ast.FunctionDef, symbol_of: Callable[[ast.expr], str | None]) -> bool:
    """Whether a function of the towers' lists of pairs gives the pairs of each variable and its gradients' mean."""
    parameters = function.args
    if len(parameters.args) != 1 or parameters.vararg or parameters.kwarg or parameters.kwonlyargs:
        return False
    return all(_averages(function.body, parameters.args[0].arg, count, symbol_of) for count in _TOWERS)


def _averages(body: list[ast.stmt], parameter: str, count: int, symbol_of: Callable[[ast.expr], str | None]) -> bool:
    towers = [[(_Gradient(t, v), _Variable(v)) for v in range(_VARIABLES)] for t in range(count)]
    try:
        found = _Run({parameter: towers}, symbol_of).block(body)
    except _UnknownError:
        return False
    means = [_Mean(tuple(_Gradient(t, v) for t in range(count))) for v in range(_VARIABLES)]
    wanted = [(mean, _Variable(number)) for number, mean in enumerate(means)]
    return isinstance(found, list) and found == wanted


class _Run:
    """One run of the function's statements; a block gives what it returns, or None where it goes on."""

    def __init__(self, names: dict[str, Any], symbol_of: Callable[[ast.expr], str | None]) -> None:
        self.names = names
        self.symbol_of = symbol_of

    def block(self, body: list[ast.stmt]) -> Any:
        for statement in body:
            found = self._statement(statement)
            if found is not None:
                return found
        return None

    def _statement(self, node: ast.stmt) -> Any:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return None
            case ast.Assign(targets=[target], value=value):
                self._bind(target, self.value(value))
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                for element in self._elements(over):
                    self._bind(target, element)
                    if (found := self.block(body)) is not None:
                        return found
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as held, attr="append"), args=[element])):
                kept = self.value(held)
                if not isinstance(kept, list):
                    raise _UnknownError
                kept.append(self.value(element))
            case ast.Return(value=ast.expr() as value):
                return self.value(value)
            case _:
                raise _UnknownError
        return None

    def _bind(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self.names[name] = value
            case ast.Tuple(elts=parts) if isinstance(value, tuple | list) and len(parts) == len(value):
                for part, element in zip(parts, value, strict=True):
                    self._bind(part, element)
            case _:
                raise _UnknownError

    def _elements(self, node: ast.expr) -> list[Any]:
        found = self.value(node)
        if not isinstance(found, list | tuple):
            raise _UnknownError
        return list(found)

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Constant(value=int(number)):
                return number
            case ast.List(elts=parts):
                return [self.value(part) for part in parts]
            case ast.Tuple(elts=parts):
                return tuple(self.value(part) for part in parts)
            case ast.Subscript(value=held, slice=place):
                return self._element(self.value(held), self.value(place))
            case ast.ListComp(elt=element, generators=[ast.comprehension(target=target, iter=over, ifs=[])]):
                return [self._bound(target, each, element) for each in self._elements(over)]
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return _divided(self.value(left), self.value(right))
            case ast.Call():
                return self._call(node)
        raise _UnknownError

    def _bound(self, target: ast.expr, value: Any, element: ast.expr) -> Any:
        self._bind(target, value)
        return self.value(element)

    def _element(self, held: Any, place: Any) -> Any:
        if not isinstance(held, list | tuple) or not isinstance(place, int) or place >= len(held):
            raise _UnknownError
        return held[place]

    def _call(self, node: ast.Call) -> Any:
        match node:
            case ast.Call(func=ast.Name(id="zip"), args=[ast.Starred(value=lists)], keywords=[]):
                return list(zip(*(self._listed(each) for each in self._elements(lists)), strict=True))
            case ast.Call(func=ast.Name(id="len"), args=[held], keywords=[]):
                return len(self._elements(held))
        given: list[Any] = [self.value(argument) for argument in node.args]
        words = {word.arg: self.value(word.value) for word in node.keywords if word.arg != "name"}
        return _computed(self.symbol_of(node.func), given, words)

    def _listed(self, value: Any) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise _UnknownError
        return list(value)


def _computed(symbol: str | None, given: list[Any], words: dict[str | None, Any]) -> Any:
    """What an operation gives of gradients; all of them work along the first dimension."""
    if symbol == "tf.concat" and given and given[0] == 0:
        given.reverse()  # TensorFlow before 1.0
    held = given[0] if given else words.pop("values", words.pop("input", words.pop("input_tensor", None)))
    axis = [*given[1:], *words.values()]
    if len(axis) > 1 or any(each != 0 for each in axis):
        raise _UnknownError
    match symbol, held:
        case "tf.expand_dims", _Gradient() if axis:
            return _Row(held)
        case "tf.concat", [_Row(), *_] if axis and all(isinstance(row, _Row) for row in held):
            return _Stack(tuple(row.of for row in held))
        case "tf.stack", [_Gradient(), *_] if all(isinstance(row, _Gradient) for row in held):
            return _Stack(tuple(held))
        case "tf.reduce_mean", _Stack(rows) if axis:
            return _Mean(rows)
        case "tf.reduce_mean", [_Gradient(), *_] if axis and all(isinstance(row, _Gradient) for row in held):
            return _Mean(tuple(held))
        case "tf.add_n", [_Gradient(), *_] if not axis and all(isinstance(row, _Gradient) for row in held):
            return _Sum(tuple(held))
    raise _UnknownError


def _divided(value: Any, count: Any) -> _Mean:
    if not isinstance(value, _Sum) or count != len(value.of):
        raise _UnknownError
    return _Mean(value.of)
