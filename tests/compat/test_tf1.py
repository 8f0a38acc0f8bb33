"""Names of TensorFlow 1 that programs look up while they run mean what the rewriter would have written for them."""

from __future__ import annotations

import functools

import pytest
import tensorflow as tf

import compat
from compat import tf1
from tf_migrate import facts
from tf_migrate.facts.shims import installed, shim_path
from tf_migrate.names.homes import home

SHIMS = installed()
NAMESPACES = ("", "data", "debugging", "errors", "image", "initializers", "io", "linalg", "losses", "math", "metrics")
NAMESPACES += ("nn", "random", "sets", "sparse", "spectral", "strings", "summary", "test", "train")


def _at(path: str) -> object:
    root, _, rest = path.partition(".")
    return functools.reduce(getattr, rest.split("."), {"tf": tf, "compat": compat}[root])


def _symbols(namespace: str) -> list[str]:
    prefix = f"tf.{namespace}." if namespace else "tf."
    found = [each for each in facts.symbols() if each.rpartition(".")[0] == prefix[:-1] and not each.endswith("*")]
    return [each for each in found if "._" not in each and getattr(facts.lookup(each), "kind", "") != "module"]


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_each_name_is_what_is_written_for_it(namespace: str) -> None:
    looked_in = tf1.Namespace(namespace)
    found = {}
    wanted = {}
    for symbol in _symbols(namespace):
        where = home(SHIMS, symbol)
        shim = shim_path(symbol)
        path = shim if SHIMS.has(shim) else where.path if where is not None else "tf.raw_ops."
        wanted[symbol] = None if path.startswith("tf.raw_ops.") else _at(path)
        found[symbol] = getattr(looked_in, symbol.rpartition(".")[2], None)
    assert len(found) >= 4
    assert {symbol for symbol, value in found.items() if value is not wanted[symbol]} == set()


@pytest.mark.parametrize("name", ["train.Nothing", "nn.gelu", "train.sdca_shrink_l1", "losses.MeanSquaredError"])
def test_what_tensorflow_1_had_not_is_not_there(name: str) -> None:
    namespace, _, last = name.partition(".")
    assert not hasattr(tf1.Namespace(namespace), last)
    with pytest.raises(AttributeError, match=f"module 'tensorflow.{namespace}' has no attribute '{last}'"):
        getattr(tf1.Namespace(namespace), last)


def test_namespaces_in_namespaces_and_their_names() -> None:
    assert tf1.train.AdamOptimizer is compat.train.AdamOptimizer
    assert tf1.Namespace().train.__dict__["AdamOptimizer"] is compat.train.AdamOptimizer
    assert "Nothing" not in vars(tf1.nn) and vars(tf1.nn).get("tanh") is tf.nn.tanh
    assert [name for name in dir(tf1.train) if name.endswith("Optimizer")][:3] == [
        "AdadeltaOptimizer",
        "AdagradDAOptimizer",
        "AdagradOptimizer",
    ]
    with pytest.raises(AttributeError):
        tf1.log  # noqa: B018
