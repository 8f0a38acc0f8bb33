"""The same function on many items, in this process or in several."""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# Below this a pool costs more than it saves.
_WORTH_A_POOL = 60
_CHUNK = 16

_function: Callable[[Any], Any] | None = None


def run_each(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, tick: Callable[[], None]
) -> list[Result]:
    """``function(item)`` for each, in order; ``tick`` is called as results arrive."""
    if jobs < 2 or len(items) < _WORTH_A_POOL:
        return _collect(map(function, items), tick)
    # Not "fork": a progress bar's thread may hold a lock at that moment.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    workers = min(jobs, -(-len(items) // _CHUNK))
    with ProcessPoolExecutor(workers, context, initializer=_start, initargs=(function,)) as pool:
        return _collect(pool.map(_call, items, chunksize=_CHUNK), tick)


def _collect(results: Iterable[Result], tick: Callable[[], None]) -> list[Result]:
    collected: list[Result] = []
    for result in results:
        collected.append(result)
        tick()
    return collected


def _start(function: Callable[[Any], Any]) -> None:
    global _function
    _function = function
    gc.disable()


def _call(item: Any) -> Any:
    assert _function is not None
    return _function(item)
