"""A function run in a process of its own, so that all the memory that it took is free afterwards."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, TypeVar

__all__ = ["run_isolated"]

_Result = TypeVar("_Result")


class _Answer(NamedTuple):
    """What comes back: a pickled result or exception, and the text of where that was raised."""

    content: bytes
    raised_at: str = ""


class _Raised(Exception):
    """The cause of an exception of another process: its traceback there, as text."""


def run_isolated(function: Callable[..., _Result], *args: Any, timeout: float | None = None, **kwargs: Any) -> _Result:
    """Calls ``function(*args, **kwargs)`` in a new process and gives its result.

    TensorFlow keeps the memory of a GPU until its process ends, in TF 1.15 as today; a training that runs in a process
    of its own gives all of it back. That process starts afresh: nothing of this one's variables, graphs or device
    settings is in it, and `__main__` is imported again, so a script needs ``if __name__ == "__main__":``.

    Args:
      function: a function that can be imported: of a module, no lambda and no function inside of another.
      *args, **kwargs: its arguments; whatever `pickle` takes. Better arrays than tensors, for a tensor takes memory
        on this process's device when it comes.
      timeout: seconds until the process is ended; None waits as long as it takes.

    Returns:
      What the function returns, pickled and unpickled.

    Raises:
      TypeError: the function, an argument or the result cannot be pickled.
      TimeoutError: it took longer than `timeout`; the process has been killed.
      ChildProcessError: the process ended without a result: killed, by the system when memory ran out for example.
      Exception: whatever the function raises, with the traceback of the other process as its cause.

    Example:
      >>> import math
      >>> run_isolated(math.hypot, 3.0, 4.0)
      5.0
    """
    try:
        call = pickle.dumps((function, args, kwargs))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        name = getattr(function, "__qualname__", function)
        raise TypeError(f"{name} or its arguments cannot go to another process: {error}") from error
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(sender, call), name=getattr(function, "__name__", None))
    process.start()
    sender.close()  # so that the end of the process is the end of the pipe
    try:
        answer = _received(process, receiver, timeout)
        process.join()
    finally:
        process.kill()
        process.join()
        receiver.close()
    result = pickle.loads(answer.content)
    if answer.raised_at:
        raise result from _Raised(f"\n{answer.raised_at}")
    return result  # type: ignore[no-any-return]


def _received(process: Any, receiver: Connection, timeout: float | None) -> _Answer:
    if not wait([receiver], timeout):
        raise TimeoutError(f"{process.name} did not end in {timeout} s")
    try:
        answer: _Answer = receiver.recv()
    except (EOFError, OSError):
        process.join()
        raise ChildProcessError(f"{process.name} {_end(process.exitcode)} before it gave a result") from None
    return answer


def _end(exit_code: int) -> str:
    """How a process ended, in words."""
    if exit_code >= 0:
        return f"ended with status {exit_code}"
    name = signal.Signals(-exit_code).name
    hint = " (was there enough memory?)" if name == "SIGKILL" else ""
    return f"was killed by {name}{hint}"


def _serve(sender: Connection, call: bytes) -> None:
    """What the other process does."""
    try:
        function, args, kwargs = pickle.loads(call)
        result = function(*args, **kwargs)
    except Exception as error:
        sender.send(_Answer(_picklable(error), traceback.format_exc()))
        return
    try:
        answer = _Answer(pickle.dumps(result))
    except Exception as error:
        refused = TypeError(f"the result, a {type(result).__name__}, cannot come to another process: {error}")
        answer = _Answer(pickle.dumps(refused), traceback.format_exc())
    sender.send(answer)


def _picklable(error: Exception) -> bytes:
    """The exception; where it does not survive pickling, its words."""
    try:
        content = pickle.dumps(error)
        pickle.loads(content)
    except Exception:
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return content
