"""The tag of a summary: its name scope, numbered and cleaned as TF 1.x did."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from .. import logging
from .. import variables as tf1
from ..train.op_names import exact_name

_ILLEGAL = re.compile(r"[^-/\w\.]")


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
    """
    name, family = clean_tag(name), clean_tag(family)
    base = name if family is None else f"{family}/{name}"
    with tf1.name_scope(base, default_name) as scope:
        tag = scope.rstrip("/")
        yield (tag if family is None else f"{family}/{tag}"), exact_name(scope)


def collect(summary: Any, collections: Iterable[str] | None, default: Iterable[str]) -> None:
    """Adds a summary to collections, where there is a graph or store that has any."""
    try:
        tf1.current_store()
    except ValueError:
        return
    for key in default if collections is None else collections:
        tf1.add_to_collection(key, summary)
