"""Answers that lean on one another: rounds are made until nothing is added, and what they found is settled."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")


class Rounds(Generic[K, V]):
    """What is known of some questions: what is settled, and what this round has asked for."""

    def __init__(self) -> None:
        self.known: dict[K, frozenset[V]] = {}
        self.settled: set[K] = set()
        self.round: set[K] = set()
        self.additions = 0
        """How often a round learned something new."""

    def is_open(self, key: K) -> bool:
        """Whether a question is neither settled nor asked for in this round."""
        return key not in self.round and key not in self.settled

    def add(self, key: K, found: frozenset[V]) -> None:
        """Learns more of an answer."""
        known = self.known.get(key, frozenset())
        if not found <= known:
            self.known[key] = known | found
            self.additions += 1

    def apart(self) -> Rounds[K, V]:
        """The same answers, to which others are added that these do not see."""
        found = Rounds[K, V]()
        found.known, found.settled, found.additions = dict(self.known), set(self.settled), self.additions
        return found


def settled(every: Sequence[Rounds[Any, Any]], ask: Callable[[], T]) -> T:
    """What is found where nothing is added any more."""
    before = -1
    while before < (before := sum(rounds.additions for rounds in every)):
        for rounds in every:
            rounds.round = set()
        found = ask()
    for rounds in every:
        rounds.settled |= rounds.round
    return found
