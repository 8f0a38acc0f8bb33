"""Which functions are known to take the mean of the towers' gradients, and which are not."""

from __future__ import annotations

import ast

import pytest

from tf_migrate.stages.averaging import averages

TUTORIAL = """
def average_gradients(tower_grads):
    '''The mean.'''
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        grads = []
        for g, _ in grad_and_vars:
            expanded_g = tf.expand_dims(g, 0)
            grads.append(expanded_g)
        grad = tf.concat(axis=0, values=grads)
        grad = tf.reduce_mean(grad, 0)
        v = grad_and_vars[0][1]
        average_grads.append((grad, v))
    return average_grads
"""


def known(code: str) -> bool:
    (function,) = ast.parse(code).body
    assert isinstance(function, ast.FunctionDef)
    return averages(function, ast.unparse)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("tf.concat(axis=0, values=grads)", "tf.concat(grads, 0)"),
        ("tf.concat(axis=0, values=grads)", "tf.concat(0, grads)"),
        ("tf.reduce_mean(grad, 0)", "tf.reduce_mean(grad, axis=0, name='mean')"),
        ("tf.reduce_mean(grad, 0)", "tf.reduce_mean(grad, reduction_indices=0)"),
    ],
)
def test_the_tutorials_function_and_its_spellings(old: str, new: str) -> None:
    assert known(TUTORIAL.replace(old, new))


@pytest.mark.parametrize(
    "mean",
    [
        "tf.reduce_mean(tf.stack([g for g, _ in pairs]), 0)",
        "tf.reduce_mean([g for g, _ in pairs], axis=0)",
        "tf.add_n([g for g, v in pairs]) / len(pairs)",
    ],
)
def test_comprehensions(mean: str) -> None:
    assert known(f"def f(towers):\n    return [({mean}, pairs[0][1]) for pairs in zip(*towers)]\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tf.reduce_mean(grad, 0)", "tf.reduce_sum(grad, 0)"),
        ("tf.reduce_mean(grad, 0)", "tf.reduce_mean(grad)"),
        ("tf.reduce_mean(grad, 0)", "tf.reduce_mean(grad, 1)"),
        ("tf.expand_dims(g, 0)", "tf.expand_dims(tf.clip_by_norm(g, 1.0), 0)"),
        ("            grads.append(expanded_g)\n", "            grads.append(expanded_g)\n            break\n"),
        ("grad_and_vars[0][1]", "grad_and_vars[0][0]"),
        ("zip(*tower_grads)", "tower_grads"),
        ("average_grads.append((grad, v))", "average_grads.insert(0, (grad, v))"),
        ("average_gradients(tower_grads)", "average_gradients(tower_grads, weights)"),
        ("    return average_grads\n", ""),
    ],
)
def test_what_gives_something_else_is_not_known(old: str, new: str) -> None:
    assert old in TUTORIAL
    assert not known(TUTORIAL.replace(old, new))


def test_a_sum_is_no_mean_whatever_it_is_divided_by() -> None:
    pairs = "pairs[0][1]) for pairs in zip(*towers)]"
    assert not known(f"def f(towers):\n    return [(tf.add_n([g for g, v in pairs]), {pairs}\n")
    for count in (2, 3, 4):  # right for as many towers alone
        assert not known(f"def f(towers):\n    return [(tf.add_n([g for g, v in pairs]) / {count}, {pairs}\n")
