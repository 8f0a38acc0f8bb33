"""Which ways a program goes for certain, and which it may go."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Way:
    """One of several ways at a place where nobody knows which one is taken."""

    certain: bool = False
    """Set once it is known that the others do not go on."""
