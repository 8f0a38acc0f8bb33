"""The tag of a summary: its name scope, numbered and cleaned as TF 1.x did."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from .. import logging
from .. import variables as tf1
from ..bridge.graph import enclosing_graph
from ..train.op_names import exact_name
from ..variables.store import has_store
from ..variables.tracing import innermost_graph

_ILLEGAL = re.compile(r"[^-/\w\.]")
_TAGS = "summary tags"


def clean_tag(name: str | None) -> str | None:
    """``name`` with what a name scope cannot hold turned into underscores, and without leading slashes."""
    if name is None:
        return None
    cleaned = _ILLEGAL.sub("_", name).lstrip("/")
    if cleaned != name:
        logging.info("Summary name %s is illegal; using %s instead.", name, cleaned)
    return cleaned


@contextlib.contextmanager
def summary_scope(
    name: str | None, family: str | None = None, default_name: str | None = None
) -> Iterator[tuple[str, str | None]]:
    """Opens the name scope of a summary; yields its tag, and the name for its operation.

    A ``family`` comes first in the tag, and once more below the scopes that are open, so that TensorBoard groups by it.
    In a ``tf.function`` without a store tags are numbered among themselves only: no argument takes the name of one.
    With a trailing slash a tag is absolute: no scope that is open comes before it.
    """
    name, family = clean_tag(name), clean_tag(family)
    base = name if family is None else f"{family}/{name}"
    graph = None if has_store() else function_graph()
    around = "" if graph is None else tf.get_current_name_scope()
    with tf1.name_scope(base, default_name) as scope:
        tag = scope.rstrip("/")
        if graph is not None and not (base or "").endswith("/"):
            tag = _numbered("/".join(filter(None, [around, base or default_name])), graph.get_collection_ref(_TAGS))
        yield (tag if family is None else f"{family}/{tag}"), exact_name(scope)


def _numbered(tag: str, taken: list[str]) -> str:
    """A tag that no other summary of a function has, whatever the case of its letters."""
    candidates = itertools.chain([tag], (f"{tag}_{number}" for number in itertools.count(1)))
    found = next(candidate for candidate in candidates if candidate.lower() not in taken)
    taken.append(found.lower())
    return found


def function_graph() -> Any:
    """The graph of the function that is being traced; None elsewhere, and where a graph of TF 1.x is around it."""
    return innermost_graph() if tf.inside_function() and enclosing_graph() is None else None


def collect(summary: Any, collections: Iterable[str] | None, default: Iterable[str]) -> None:
    """Adds a summary to collections of the graph or store, and of the function that is being traced."""
    graph, stored = function_graph(), has_store()
    for key in default if collections is None else collections:
        if stored:
            tf1.add_to_collection(key, summary)
        if graph is not None:
            graph.add_to_collection(key, summary)
