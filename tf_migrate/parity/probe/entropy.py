"""The numbers that the system gives to whoever asks without a seed: the same to both programs.

Unseeded generators of Python and NumPy begin with them, and so do environments to learn in.
"""

from __future__ import annotations

import hashlib
import os
import random
from typing import Any


def align_entropy(recorder: Any) -> None:
    """Has what the program asks the system for depend on how many bytes that are, and how often it asked."""
    asked: dict[int, int] = {}
    plain_bytes, plain_seed = os.urandom, random.Random.seed

    def urandom(size: int) -> bytes:
        if recorder.place() is None:
            return plain_bytes(size)  # a thread of TensorFlow's
        asked[size] = asked.get(size, 0) + 1
        key = f"{recorder.settings['seed']} {size} {asked[size]}"
        return hashlib.shake_128(key.encode()).digest(size)

    def seeded(self: Any, a: Any = None, *args: Any, **kwargs: Any) -> None:
        plain_seed(self, int.from_bytes(urandom(8), "big") if a is None else a, *args, **kwargs)

    os.urandom = urandom
    random._urandom = urandom  # type: ignore[attr-defined]
    random.Random.seed = seeded  # type: ignore[method-assign]
