"""`tf.test.TestCase` of TF 1.15: every test builds a graph of its own and runs it in sessions."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import tensorflow as tf

from ..bridge.graph import Graph, close_graph, current_graph, open_graph, reset_default_graph
from ..bridge.session import Session, get_default_session
from ..random.seeds import set_random_seed

DEFAULT_GRAPH_SEED = 87654321

_Test = TypeVar("_Test", bound=Callable[..., Any])


@contextlib.contextmanager
def outside_graphs() -> Iterator[None]:
    """Leaves the program's open graph for the body of the `with`."""
    opened = 0
    while (graph := current_graph()) is not None:
        close_graph()
        opened += 1
        if current_graph() is graph and opened > 100:
            raise RuntimeError("a test cannot start inside `with graph.as_default()`")
    try:
        yield
    finally:
        for _ in range(opened):
            open_graph()


def without_graph(test: _Test) -> _Test:
    """Lets TensorFlow run the operations of one test of a `TestCase` at once, those of its `setUp` too.

    There is no such thing in TF 1.15, where every test built a graph. It marks the tests that are TensorFlow 2 code in
    a class whose other tests still build one.

    Args:
      test: a method of a `TestCase`.

    Example:
      >>> class SumTest(TestCase):
      ...     @without_graph
      ...     def testSum(self):
      ...         self.assertEqual(tf.reduce_sum([2, 3]).numpy(), 5)
    """
    test.needs_no_graph = True  # type: ignore[attr-defined]
    return test


class TestCase(tf.test.TestCase):
    """A test whose code builds a fresh TF1 graph; stands for `tf.test.TestCase`.

    All assertions of TF2's class are there. Where they take tensors, these are evaluated in the current session, or in
    the one that the test keeps.

    Example:
      >>> class SquareTest(TestCase):
      ...     def testSquare(self):
      ...         with self.test_session():
      ...             self.assertAllEqual(tf.square([2, 3]).eval(), [4, 9])
    """

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._kept: Session | None = None

    def run(self, result: Any = None) -> Any:
        """Runs the test in an empty graph, whether or not its `setUp` calls this class's."""
        if getattr(getattr(self, self._testMethodName), "needs_no_graph", False):
            with outside_graphs():
                return super().run(result)
        with outside_graphs():
            reset_default_graph()
            open_graph()
            try:
                return super().run(result)
            finally:
                close_graph()
                reset_default_graph()

    def setUp(self) -> None:
        """Seeds Python, NumPy and the graph as TF1 did."""
        with outside_graphs():
            super().setUp()
        set_random_seed(DEFAULT_GRAPH_SEED)

    def _ClearCachedSession(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    @contextlib.contextmanager
    def session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Session]:
        """A new session as the default one.

        Args:
          graph: the graph, the test's own when None.
          config: of the session.
          use_gpu: whether operations may go to a GPU.
          force_gpu: whether they all do.
        """
        with Session(graph=graph, config=config) as session, _placed(use_gpu, force_gpu):
            yield session

    @contextlib.contextmanager
    def cached_session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Session]:
        """The test's one session, made at the first call and left open; arguments as in `session`."""
        if self._kept is None:
            self._kept = Session(graph=graph, config=config)
        with self._kept.graph.as_default(), self._kept.as_default(), _placed(use_gpu, force_gpu):
            yield self._kept

    @contextlib.contextmanager
    def test_session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Session]:
        """`cached_session`, or `session` when a graph is given."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        chosen = self.cached_session if graph is None else self.session
        with chosen(graph, config, use_gpu, force_gpu) as session:
            yield session

    def evaluate(self, tensors: Any) -> Any:
        """NumPy values of tensors, eager or of a graph."""
        if tf.executing_eagerly():
            return super().evaluate(tensors)
        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as kept:
            return kept.run(tensors)


def _placed(use_gpu: bool, force_gpu: bool) -> contextlib.AbstractContextManager[Any]:
    if force_gpu:
        return tf.device("/device:GPU:0")
    return contextlib.nullcontext() if use_gpu else tf.device("/device:CPU:0")


def _at_once(assertion: Callable[..., Any], target: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(target)
    def checked(self: TestCase, *args: Any, **kwargs: Any) -> Any:
        return (assertion if current_graph() is None else target)(self, *args, **kwargs)

    return checked


def _check_at_once() -> None:
    """Inside a function graph TF2's assertions become operations, which nobody would run here."""
    for name in dir(tf.test.TestCase):
        assertion = getattr(tf.test.TestCase, name)
        decorator = getattr(assertion, "_tf_decorator", None)
        if decorator is not None and decorator.decorator_name == "py_func_if_in_function":
            setattr(TestCase, name, _at_once(assertion, decorator.decorated_target))


_check_at_once()
