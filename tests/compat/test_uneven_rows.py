"""Arrays of rows that differ in shape, beside what NumPy 1.18 makes of them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import compat

# What is given, text to be evaluated in both; `z` and `o` are arrays of zeros and ones.
GIVEN = [
    "[[1, 2], [3]]",
    "[[3], [1, 2]]",
    "[[[1, 2], [3, 4]], [[1], [2]]]",
    "[[[1, 2], [3, 4]], [1, 2]]",
    "[[1.5, [2]], [3, [4, 5]]]",
    "[[1.5, [2]], [3, [4]]]",
    "[[[1, 2, 3]], [[4, 5]]]",
    "[[[1], [2, 3]], [[4]]]",
    "[[], [1]]",
    "[]",
    "[['a', 'b'], ['c']]",
    "[None, [1, 2]]",
    "[{'a': 1}, [1, 2]]",
    "[(1.5, 'a'), (2,)]",
    "[range(3), range(2)]",
    "[b'ab', [1]]",
    "list(zip(['ab', 'c'], [[1, 2], [3, 4]]))",
    "list(zip([['a', 'b'], ['c', 'd']], [[1, 2], [3, 4]]))",
    "list(zip(z(2, 3), o(2, 2)))",
    "list(zip(z(2, 2), o(2, 2)))",
    "list(zip(z(2, 3), [1, 0]))",
    "list(zip(z(2, 1), [1, 0]))",
    "list(zip(z(2, 3, 4), o(2, 3, 5)))",
    "list(zip(z(2, 3, 3), o(2, 3)))",
    "list(zip(z(2, 1, 3), o(2, 1)))",
    "list(zip(z(2, 1, 1), o(2, 1)))",
    "[(z(1, 2), 1, 0.5, o(1, 2), False)] * 2",
    "[(z(2), np.float32(1), 0.5, o(2), None)] * 3",
    "[z(2, 3), z(4, 3)]",
    "[z(2, 3), z(2, 4)]",
    "[z(2, 3), z(2)]",
    "[z(2), z(2, 3)]",
    "[[[1, 2], [3, 4]], z(2, 3)]",
    "[np.array(1.5), z(2)]",
    "[(np.array(1.5), z(2))] * 2",
    "[[z(2)], [z(3)]]",
    "[np.matrix([[1, 2]]), np.matrix([[1, 2], [3, 4]])]",
    "[np.array([1, None]), [1, 2, 3]]",
    "collections.deque([[1, 2], [1]])",
    "(z(2), z(2, 1, 2))",
    "5",
]
MADE = """
import collections, json, sys
import numpy as np

def z(*shape): return np.zeros(shape, np.float32)
def o(*shape): return np.ones(shape)

def shown(value):
    if isinstance(value, np.ndarray):
        found = [shown(value[place]) for place in np.ndindex(*value.shape)] if value.dtype == object else value.tolist()
        return [value.dtype.kind, list(value.shape), found]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [shown(part) for part in value]]
    return [type(value).__name__, str(value)]

def made(text, make):
    try:
        return shown(make(eval(text)))
    except ValueError as error:
        return str(error).replace(",)", ")")
"""
ASKED = "\nprint(json.dumps([made(text, np.array) for text in json.loads(sys.argv[1])]))"


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_arrays_are_those_of_numpy_1(run_legacy: Callable[..., str]) -> None:
    expected = json.loads(run_legacy(MADE + ASKED, json.dumps(GIVEN)))
    here: dict[str, Any] = {}
    exec(MADE, here)
    made = [here["made"](text, lambda value: np.array(compat.rows(value))) for text in GIVEN]
    assert dict(zip(GIVEN, made, strict=True)) == dict(zip(GIVEN, expected, strict=True))


def test_pairs_of_a_sentence_and_its_label() -> None:
    """What the function of text classifiers that makes batches does, without TensorFlow 1 beside it."""
    data = compat.rows(list(zip(np.arange(6).reshape(2, 3), [[0, 1], [1, 0]], strict=True)))
    assert data.shape == (2, 2) and data.dtype == object
    sentences, labels = zip(*data[[1, 0]], strict=True)
    np.testing.assert_array_equal(np.asarray(sentences), [[3, 4, 5], [0, 1, 2]])
    assert labels == ([1, 0], [0, 1])
    with warnings.catch_warnings(), pytest.raises(ValueError, match="could not broadcast"):
        compat.rows([np.zeros((2, 3)), np.zeros((2, 4))])
