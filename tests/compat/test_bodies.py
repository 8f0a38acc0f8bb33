"""Random numbers in bodies of loops and branches: under the seed of a graph each draws other numbers, as in TF 1."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


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
    }


def _apart(values: dict[str, Any]) -> bool:
    return all(not np.allclose(a, b) for a, b in itertools.combinations(values.values(), 2))


def test_under_the_bridge(graph: Any) -> None:
    compat.set_random_seed(5)
    made = _drawn()
    with compat.Session() as session:
        assert _apart(session.run(made))


def test_natively() -> None:
    tf.random.set_seed(5)
    first = tf.function(_drawn)()
    assert _apart({name: value.numpy() for name, value in first.items()})
    again = tf.function(_drawn)()
    tf.random.set_seed(5)
    np.testing.assert_array_equal(tf.function(_drawn)()["cond"], first["cond"])
    assert set(again) == set(first)


@pytest.mark.parametrize("natively", [False, True])
def test_seeds_of_their_own_stay(natively: bool) -> None:
    """TF 1.15.5 draws these with the seed 5 of the graph and 3 of the operation."""
    if natively:
        tf.random.set_seed(5)
        values = {name: value.numpy() for name, value in tf.function(_drawn)(3).items()}
    else:
        with compat.Graph().as_default(), compat.Session() as session:
            compat.set_random_seed(5)
            values = session.run(_drawn(3))
    for name, value in values.items():
        np.testing.assert_allclose(value, [-1.4616988, -0.5901872], rtol=1e-6, err_msg=name)


def test_eagerly() -> None:
    assert compat.cond(tf.constant(True), lambda: tf.random.normal([]), lambda: tf.constant(0.0)).shape == []
