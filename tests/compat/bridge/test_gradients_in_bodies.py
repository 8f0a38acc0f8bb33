"""Gradients that are built in bodies of loops and branches, of reads of variables inside and around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

Built = tuple[list[Any], Any]


def weights_and_points() -> Built:
    w = compat.get_variable("w", [3], initializer=compat.constant_initializer([2.0, 3.0, 5.0]))
    return w, compat.placeholder(tf.float32, [None], name="points")


def of_a_map(w: Any, points: Any) -> Any:
    outer = tf.reduce_sum(w**3)
    return compat.map_fn(lambda each: tf.gradients(outer * each + tf.reduce_sum(w), w)[0], points)


def of_a_scan(w: Any, points: Any) -> Any:
    doubled = w * 2.0  # The gradient is of a tensor that depends on a variable.
    step = lambda sums, each: sums + tf.gradients(tf.reduce_sum(doubled**2) * each, doubled)[0]  # noqa: E731
    return compat.scan(step, points, initializer=tf.zeros([3]))


def of_branches(w: Any, points: Any) -> Any:
    outer = w * points[0]
    return compat.cond(
        points[0] > 0.0,
        lambda: tf.gradients(outer, w)[0],
        lambda: compat.cond(points[0] < -5.0, lambda: tf.gradients(outer * w, w)[0], lambda: w.read_value()),
    )


def of_a_gathered_row(w: Any, points: Any) -> Any:
    rows = tf.gather(w, [0, 2]) ** 2

    def body(turn: Any, sums: Any) -> Any:
        return turn + 1, sums + tf.convert_to_tensor(tf.gradients(rows, w)[0]) * points[turn]

    return compat.while_loop(lambda turn, _: turn < tf.size(points), body, [0, tf.zeros([3])])[1]


def of_hessians(w: Any, points: Any) -> Any:
    return compat.hessians(tf.reduce_sum(w**3) * tf.reduce_sum(points), w)[0]


WANTED = [
    (of_a_map, [1.0, 2.0], [[13, 28, 76], [25, 55, 151]]),
    (of_a_scan, [1.0, 2.0], [[8, 12, 20], [24, 36, 60]]),
    (of_branches, [3.0], [3, 3, 3]),
    (of_branches, [-1.0], [2, 3, 5]),
    (of_branches, [-6.0], [-24, -36, -60]),
    (of_a_gathered_row, [1.0, 2.0], [12, 0, 30]),
    (of_hessians, [1.0, 1.0], np.diag([24, 36, 60])),
]


@pytest.mark.parametrize(("build", "points", "wanted"), WANTED)
def test_variables_of_a_bridged_graph(build: Callable[..., Any], points: Any, wanted: Any) -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        w, fed = weights_and_points()
        result = build(w, fed)
        session.run(compat.global_variables_initializer())
        np.testing.assert_array_equal(session.run(result, {fed: points}), wanted)


@pytest.mark.parametrize(("build", "points", "wanted"), WANTED)
def test_variables_of_a_store(build: Callable[..., Any], points: Any, wanted: Any) -> None:
    with compat.VariableStore():
        with compat.building():
            w, fed = weights_and_points()
            result = build(w, fed)
        np.testing.assert_array_equal(compat.run(result, {fed: points}), wanted)


def test_a_variable_that_a_body_updates_is_read_where_the_body_reads_it() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        w = compat.Variable(1.0)

        def body(turn: Any, sums: Any) -> Any:
            with tf.control_dependencies([sums]):  # Turns may overlap.
                update = compat.assign_add(w, 1.0)
            with tf.control_dependencies([update]):
                return turn + 1, sums + tf.gradients(w.read_value() ** 2, w)[0]

        total = compat.while_loop(lambda turn, _: turn < 3, body, [0, 0.0])[1]
        session.run(compat.global_variables_initializer())
        assert session.run(total) == 2 * (2 + 3 + 4)
        assert session.run(w) == 4.0
