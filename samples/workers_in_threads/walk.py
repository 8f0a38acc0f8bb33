"""A walk along a line, to a treasure on its right end; on its left end the walk is over."""
import contextlib
import threading

import numpy as np


class Walk(object):
    size = 5
    actions = 2

    def __init__(self, seed):
        self.chance = np.random.RandomState(seed)

    def reset(self):
        self.place = 2
        return self._seen()

    def step(self, action):
        self.place += 1 if action == 1 and self.chance.uniform() < 0.9 else -1
        over = self.place in (0, self.size - 1)
        return self._seen(), float(self.place == self.size - 1), over

    def _seen(self):
        return np.eye(self.size, dtype=np.float32)[self.place]


class Turns(object):
    """Has threads work one after the other, so that they do the same in each run."""

    def __init__(self, count):
        self.count, self.turn, self.changed = count, 0, threading.Condition()

    @contextlib.contextmanager
    def of(self, number):
        with self.changed:
            self.changed.wait_for(lambda: self.turn == number)
            yield
            self.turn = (self.turn + 1) % self.count
            self.changed.notify_all()
