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
from ..steps.graph import current_store_graph, outliving_errors
from ..steps.step import run
from ..variables.store import default_store

DEFAULT_GRAPH_SEED = 87654321

_Test = TypeVar("_Test", bound=Callable[..., Any])
_Tests = TypeVar("_Tests")


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


def with_store(tests: _Tests) -> _Tests:
    """Gives each test of a class a store of its own, in which it builds and whose steps it calls.

    `StoreTestCase` is `TestCase` with it. It marks a class, or one method, of tests that derive from `TestCase` by
    way of others.

    Args:
      tests: a class that derives from `TestCase`, or one of its tests.

    Example:
      >>> class NetTestCase(TestCase):
      ...     pass
      >>> @with_store
      ... class DenseTest(NetTestCase):
      ...     def testUnits(self):
      ...         with compat.building():
      ...             out = compat.layers.dense(tf.ones([2, 3]), 4)
      ...         out_step = compat.step(out)
      ...         self.assertEqual(out_step().shape, (2, 4))
    """
    tests.has_store = True  # type: ignore[attr-defined]
    return tests


def with_sessions(test: _Test) -> _Test:
    """Lets a test run sessions over its store's graph, beside others of its class that call steps.

    Such a test stays as it was on the bridge: all that it makes is built, and `self.session()` and its kin give
    sessions, with values of their own for the variables.

    Args:
      test: a method of a `StoreTestCase`.

    Example:
      >>> class StartTest(StoreTestCase):
      ...     @with_sessions
      ...     def testWithoutValue(self):
      ...         count = compat.Variable(0)
      ...         with self.cached_session() as sess, self.assertRaises(tf.errors.FailedPreconditionError):
      ...             sess.run(count)
    """

    @functools.wraps(test)
    def in_graph(self: TestCase, *args: Any, **kwargs: Any) -> Any:
        with current_store_graph().as_default():
            return test(self, *args, **kwargs)

    return in_graph  # type: ignore[return-value]


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

    has_store = False

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._kept: Session | None = None

    def run(self, result: Any = None) -> Any:
        """Runs the test in an empty graph, whether or not its `setUp` calls this class's."""
        if self._is_marked("needs_no_graph"):
            with outside_graphs():
                return super().run(result)
        if self._has_store:
            # Tests expect errors, behind which a graph of TF1 stayed as it was.
            with outside_graphs(), outliving_errors():
                reset_default_graph()
                default_store()
                try:
                    return super().run(result)
                finally:
                    reset_default_graph()
        with outside_graphs():
            reset_default_graph()
            open_graph()
            try:
                return super().run(result)
            finally:
                close_graph()
                reset_default_graph()

    def _is_marked(self, mark: str) -> bool:
        return bool(getattr(getattr(self, self._testMethodName), mark, False))

    @property
    def _has_store(self) -> bool:
        return self.has_store or self._is_marked("has_store")

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
            of_graph = self._has_store and any(map(_is_of_graph, tf.nest.flatten(tensors, expand_composites=True)))
            return run(tensors) if of_graph else super().evaluate(tensors)
        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as kept:
            return kept.run(tensors)


class StoreTestCase(TestCase):
    """A test with a store of its own, that calls steps; stands for `tf.test.TestCase` where there are no sessions.

    As in TF1 it begins with an empty graph, and with the same seeds: those of Python, NumPy and the graph. What
    building code made before it raised an error stays in the graph.

    Assertions, and `evaluate`, take tensors of the store's graph too.

    Example:
      >>> class SquareTest(StoreTestCase):
      ...     def testSquare(self):
      ...         with compat.building():
      ...             x = compat.Input(tf.float32, [None])
      ...             square = tf.square(x)
      ...         square_step = compat.step(square, x)
      ...         self.assertAllClose(square_step([2.0, 3.0]), [4.0, 9.0])
    """

    has_store = True


def _is_of_graph(value: Any) -> bool:
    """Whether a value is of a store's graph; its variables are evaluated as those of TensorFlow 2 are."""
    return isinstance(value, tf.Operation) or tf.is_symbolic_tensor(value)


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
