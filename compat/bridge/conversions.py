"""Objects of a program's own types as fetches and feeds: what each stands for in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

__all__ = ["Conversion", "conversion_of", "register_session_run_conversion_functions"]


class Conversion(NamedTuple):
    """How `Session.run` takes an object of `kind` apart, as a fetch and as a key of `feed_dict`."""

    kind: type
    fetch: Callable[[Any], tuple[Iterable[Any], Callable[[list[Any]], Any]]]
    feed: Callable[[Any, Any], Iterable[tuple[Any, Any]]] | None


_CONVERSIONS: list[Conversion] = []


def register_session_run_conversion_functions(
    tensor_type: type,
    fetch_function: Callable[[Any], tuple[Iterable[Any], Callable[[list[Any]], Any]]],
    feed_function: Callable[[Any, Any], Iterable[tuple[Any, Any]]] | None = None,
    feed_function_for_partial_run: Callable[[Any], Iterable[Any]] | None = None,
) -> None:
    """Lets `Session.run` take objects of a class; the function of that name in TF 1.15's `python.client.session`.

    Args:
      tensor_type: the class; objects of its subclasses count too, and what was registered last comes first.
      fetch_function: object -> (tensors, function of the list of their values that makes the result).
      feed_function: object, fed value -> pairs of a tensor and its value; without it the objects cannot be fed.
      feed_function_for_partial_run: taken for TF1's sake; nothing runs in parts.

    Raises:
      ValueError: `tensor_type` or a subclass of it is registered already.

    Example:
      >>> class Pair:
      ...     def __init__(self, first, second):
      ...         self.both = [first, second]
      >>> register_session_run_conversion_functions(Pair, lambda pair: (pair.both, tuple))
      >>> with compat.Graph().as_default(), compat.Session() as session:
      ...     session.run(Pair(tf.constant(1), tf.constant(2)))
      (np.int32(1), np.int32(2))
    """
    if any(issubclass(known.kind, tensor_type) for known in _CONVERSIONS):
        raise ValueError(f"{tensor_type} has already been registered")
    _CONVERSIONS.insert(0, Conversion(tensor_type, fetch_function, feed_function))


def conversion_of(value: Any) -> Conversion | None:
    """The conversion that is registered for the type of `value`."""
    return next((known for known in _CONVERSIONS if isinstance(value, known.kind)), None)
