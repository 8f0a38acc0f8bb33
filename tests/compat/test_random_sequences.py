"""Random numbers in bodies of loops and branches: under the seed of a graph each draws other numbers, as in TF 1."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


class _Drawing(compat.nn.rnn_cell.RNNCell):
    """A cell that gives what it draws."""

    def __init__(self, draw: Any) -> None:
        super().__init__()
        self._draw = draw

    state_size = output_size = property(lambda self: 2)

    def call(self, inputs: Any, state: Any) -> Any:
        return self._draw()[None] + 0.0 * inputs, state


def _once(time: Any, output: Any, state: Any, loop_state: Any) -> Any:
    """One step of a loop."""
    del loop_state
    return time >= tf.constant([1]), tf.zeros([1, 2]), tf.zeros([1, 2]) if output is None else state, output, None


def _drawn(seed: int | None = None) -> dict[str, Any]:
    """What is drawn in bodies of all kinds, and beside them."""

    def draw(*_: Any) -> Any:
        return tf.random.normal([2], seed=seed)

    true, elements = tf.constant(1) < tf.size(draw()) + 1, tf.zeros([1, 2])
    pairs = [(true, draw)]
    return {
        "beside": draw(),
        "cond": compat.cond(true, draw, lambda: tf.zeros([2])),
        "nested": compat.cond(true, lambda: compat.cond(true, draw, draw), draw),
        "case": compat.case(pairs, default=lambda: tf.zeros([2])),
        "default": compat.case([(tf.logical_not(true), lambda: tf.zeros([2]))], default=draw),
        "smart_cond": compat.contrib.framework.smart_cond(true, draw, lambda: tf.zeros([2])),
        "while_loop": compat.while_loop(lambda i, _: i < 1, lambda i, _: (i + 1, draw()), (0, elements[0]))[1],
        "map_fn": compat.map_fn(draw, elements)[0],
        "foldl": compat.foldl(draw, elements, elements[0]),
        "foldr": compat.foldr(draw, elements, elements[0]),
        "scan": compat.scan(draw, elements, elements[0])[0],
        "dynamic_rnn": compat.nn.dynamic_rnn(_Drawing(draw), elements[None], dtype=tf.float32)[0][0, 0],
        "raw_rnn": compat.nn.raw_rnn(_Drawing(draw), _once)[0].stack()[0, 0],
    }


def _apart(values: dict[str, Any]) -> bool:
    return all(not np.allclose(a, b) for a, b in itertools.combinations(values.values(), 2))


def test_under_the_bridge(graph: Any) -> None:
    compat.set_random_seed(5)
    made = _drawn()
    with compat.Session() as session:
        assert _apart(session.run(made))


def _natively(seed: int | None = None) -> dict[str, Any]:
    """The numbers that a new function draws."""
    with compat.VariableStore():  # Cells open a scope of variables.
        return {name: value.numpy() for name, value in tf.function(_drawn)(seed).items()}


def test_natively() -> None:
    tf.random.set_seed(5)
    first = _natively()
    assert _apart(first)
    _natively()  # What another function draws moves nothing.
    tf.random.set_seed(5)
    np.testing.assert_array_equal(_natively()["cond"], first["cond"])


@pytest.mark.parametrize("natively", [False, True])
def test_seeds_of_their_own_stay(natively: bool) -> None:
    """TF 1.15.5 draws these with the seed 5 of the graph and 3 of the operation."""
    if natively:
        tf.random.set_seed(5)
        values = _natively(3)
    else:
        with compat.Graph().as_default(), compat.Session() as session:
            compat.set_random_seed(5)
            values = session.run(_drawn(3))
    for name, value in values.items():
        np.testing.assert_allclose(value, [-1.4616988, -0.5901872], rtol=1e-6, err_msg=name)


def test_eagerly() -> None:
    assert compat.cond(tf.constant(True), lambda: tf.random.normal([]), lambda: tf.constant(0.0)).shape == []


def _noise(*, apart: bool, seed: int | None = None) -> Any:
    @tf.function(reduce_retracing=False)
    def noise(x: tf.Tensor) -> tf.Tensor:
        if apart:
            compat.random.new_sequence()
        return tf.random.uniform([3], seed=seed) + 0.0 * tf.reduce_sum(x)

    return noise


def _of(noise: Any, size: int = 1) -> list[float]:
    return list(noise(tf.zeros([size])).numpy())


def test_functions_of_one_seed() -> None:
    tf.random.set_seed(5)
    assert _of(_noise(apart=False)) == _of(_noise(apart=False)), "nothing to keep apart in this TensorFlow"
    one, other = _noise(apart=True), _noise(apart=True)
    drawn = [_of(one), _of(one), _of(other), _of(one, size=2)]
    assert len({tuple(values) for values in drawn}) == 4, "each call, function and trace has numbers of its own"


def test_seeds_of_their_own_stay_in_functions() -> None:
    tf.random.set_seed(5)
    assert _of(_noise(apart=True, seed=3)) == _of(_noise(apart=False, seed=3))


def test_bodies_of_two_functions() -> None:
    tf.random.set_seed(5)

    def looping() -> Any:
        @tf.function(autograph=False)
        def loop() -> tf.Tensor:
            compat.random.new_sequence()
            return compat.while_loop(lambda i: i < 1.0, lambda i: 1.0 + tf.random.uniform([]), [tf.constant(0.0)])

        return loop

    assert float(looping()()) != float(looping()())


def test_outside_of_a_function() -> None:
    tf.random.set_seed(5)
    first = tf.random.uniform([3]).numpy()
    tf.random.set_seed(5)
    compat.random.new_sequence()
    assert tf.random.uniform([3]).numpy().tolist() == first.tolist()


def test_sequences_are_counted_anew_under_each_seed() -> None:
    def drawn() -> list[float]:
        @tf.function
        def noise() -> tf.Tensor:
            compat.random.new_sequence()
            return tf.random.uniform([])

        @tf.function
        def other() -> tf.Tensor:
            compat.random.new_sequence()
            return tf.random.uniform([])

        return [float(function()) for function in (noise, other, noise)]

    tf.random.set_seed(7)
    first = drawn()
    tf.random.set_seed(7)
    assert drawn() == first
    assert len(set(first)) == 3
    assert set(drawn()).isdisjoint(first)
