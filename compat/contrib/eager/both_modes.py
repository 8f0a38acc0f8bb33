"""Tests that run once in a graph and once eagerly."""

from __future__ import annotations

import contextlib
import functools
import unittest
from collections.abc import Callable
from typing import Any

from ...bridge.graph import reset_default_graph
from ...test.case import outside_graphs
from ...variables.eager import EagerVariables


def run_test_in_graph_and_eager_modes(
    func: Callable[..., Any] | None = None,
    config: Any = None,
    use_gpu: bool = True,
    reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Callable[..., Any]:
    """Decorates a test method to run in a graph with a session, then eagerly.

    Stands for `tf.contrib.eager.run_test_in_graph_and_eager_modes`.

    Args:
      func: the method; a decorator is given back when None.
      config, use_gpu: of the session.
      reset_test: whether `tearDown` and `setUp` run between the two.
      assert_no_eager_garbage: accepted and ignored.
    """

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def both(self: Any, *args: Any, **kwargs: Any) -> None:
            # What cannot run in a graph may run eagerly.
            with contextlib.suppress(unittest.SkipTest), self.test_session(config=config, use_gpu=use_gpu):
                method(self, *args, **kwargs)
            with outside_graphs(), EagerVariables():
                if reset_test:
                    self.tearDown()
                    self._tempdir = None
                    reset_default_graph()
                    self.setUp()
                method(self, *args, **kwargs)

        return both

    return decorate if func is None else decorate(func)


def run_all_tests_in_graph_and_eager_modes(cls: type) -> type:
    """Decorates a test class: each of its tests runs in a graph and eagerly.

    Stands for `tf.contrib.eager.run_all_tests_in_graph_and_eager_modes`.
    """
    for name, method in list(vars(cls).items()):
        if callable(method) and name.startswith("test") and name not in {"test_session", "testSkipEager"}:
            setattr(cls, name, run_test_in_graph_and_eager_modes(method))
    return cls
