"""The same function on many items, in this process or in several."""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import chain
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
        try:
            chunks = [items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK)]
            with _ctrl_c_blocked():
                futures = [pool.submit(_call, chunk) for chunk in chunks]
            return _collect(chain.from_iterable(future.result() for future in futures), tick)
        except KeyboardInterrupt:
            for worker in multiprocessing.active_children():
                worker.kill()
            raise


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Processes started inside never see Ctrl-C, which a terminal sends to all of them at once.

    A worker that it ends while it takes an item leaves the queue locked for good: the main process alone must act.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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


def _call(chunk: Sequence[Any]) -> list[Any]:
    assert _function is not None
    return [_function(item) for item in chunk]
