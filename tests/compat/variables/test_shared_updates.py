"""`VariableStore.compute` where TF 1.x let tensors share the memory of variables, or updates race: it gives no number.

Each case is a `build`, for `tf1` that is TensorFlow 1 itself or `compat`, and what two runs of TensorFlow 1.15.5 give.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

import pytest
import tensorflow as tf

import compat

SLICED = """\
v = tf1.get_variable("v", [2, 16], initializer=tf.ones_initializer())
first = tf.reduce_sum(v[:1], 0)
return first, tf1.assign_add(v, tf.ones([2, 16])).op
"""
STACKED = """\
v = tf1.get_variable("v", [16], initializer=tf.ones_initializer())
both = tf.stack([v])
return both, tf1.assign_add(v, tf.ones([16])).op
"""
SUMS = """\
v = tf1.get_variable("v", [16], initializer=tf.ones_initializer())
total, doubled = tf.reduce_sum(v), tf.stack([v, v])
with tf.control_dependencies([total, doubled]):
    return total, doubled[1, 0], tf1.assign_add(v, tf.ones([16])).op
"""
RACING = """\
v = tf1.get_variable("v", [], initializer=tf.ones_initializer())
w = tf1.get_variable("w", [], initializer=tf.zeros_initializer())
lowered = tf1.assign_sub(w, 3.0)
added = tf1.assign_add(v, lowered)
with tf.control_dependencies([lowered]):
    return added, tf1.assign_add(w, lowered)
"""
IN_A_BRANCH = """\
v = tf1.get_variable("v", [], initializer=tf.ones_initializer())
added = tf1.assign_add(v, 8.0)
return tf1.cond(tf.constant(2.0) > 1.0, lambda: v - 6.0, lambda: added * 1.0)
"""
RESOURCE = """\
v = tf1.get_variable("v", [], initializer=tf.ones_initializer())
w = tf1.get_variable("w", [], initializer=tf.zeros_initializer(), use_resource=True)
added = {}
return tf1.assign(w, added).op, tf1.assign_add(v, 1.0), w
"""
VALUES = ("v", "tf1.assign_add(v, 2.0)", "tf.reshape(tf.identity(v), [])")
BRANCHES = "tf1.cond(tf.constant(2.0) > 1.0, lambda: tf1.assign_add(v, 2.0), lambda: tf.constant(7.0))"
DISORDERED = "another order than TF 1.x"
SHARED = "in TF 1.x it shared it from then on"
RAISING = [(SLICED, DISORDERED), (STACKED, DISORDERED), (RACING, DISORDERED), (IN_A_BRANCH, DISORDERED)]


def _builder(text: str) -> Callable[[], Any]:
    names: dict[str, Any] = {"tf": tf, "tf1": compat}
    exec("def build():\n" + textwrap.indent(text, "    "), names)
    built: Callable[[], Any] = names["build"]
    return built


def _function(text: str, part: int | None = None) -> Any:
    store, build = compat.VariableStore(), _builder(text)
    return tf.function(lambda: store.compute(build, part=part), autograph=False)


@pytest.mark.parametrize(("text", "message"), RAISING)
def test_results_that_tf1_gave_in_another_order(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _function(text)()


@pytest.mark.parametrize("value", (*VALUES, BRANCHES))
def test_a_resource_that_shares_the_memory_of_a_reference(value: str) -> None:
    with pytest.raises(ValueError, match=SHARED):
        _function(RESOURCE.format(value), part=0)()


def test_a_resource_that_is_assigned_what_is_computed() -> None:
    assert _function(RESOURCE.format("v * 2.0"), part=0)() is None


def test_reductions_and_stacks_of_several_are_values() -> None:
    total, last, _ = _function(SUMS)()
    assert (float(total), float(last)) == (16.0, 1.0)


def test_in_tensorflow_1(run_legacy: Callable[..., str]) -> None:
    """What shares memory has the value after the update; a resource follows the variable that it was assigned."""
    cases = [SLICED, STACKED, SUMS, *(RESOURCE.format(value) for value in (*VALUES, BRANCHES))]
    program = f"""\
import textwrap
import numpy as np
import tensorflow as tf
for text in {cases!r}:
    names = {{"tf": tf, "tf1": tf}}
    exec("def build():\\n" + textwrap.indent(text, "    "), names)
    with tf.Graph().as_default(), tf.Session() as sess:
        made = names["build"]()
        sess.run(tf.global_variables_initializer())
        if "use_resource" in text:
            found = [sess.run(made[0]), sess.run(made[1]), sess.run(made[2])]
        else:
            found = sess.run(made)
        print([float(np.max(each)) for each in found if each is not None])
"""
    found = [ast.literal_eval(line) for line in run_legacy(program).splitlines()]
    assert found == [[2.0], [2.0], [16.0, 1.0], [2.0, 2.0], [4.0, 4.0], [2.0, 2.0], [4.0, 4.0]]
