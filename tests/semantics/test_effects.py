"""What symbols do to a graph: one that has several names does the same under each."""

from __future__ import annotations

import pytest

from tf_migrate import facts
from tf_migrate.semantics.effects import effect


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("tf.contrib.framework.python.ops.add_arg_scope", "tf.contrib.framework.add_arg_scope"),
        ("tf.contrib.framework.python.ops.variables.model_variable", "tf.contrib.framework.model_variable"),
        ("tf.contrib.learn.python.learn.monitored_session.MonitoredSession", "tf.train.MonitoredSession"),
        ("tf.io.PaddingFIFOQueue", "tf.PaddingFIFOQueue"),
        ("tf.sparse.placeholder", "tf.sparse_placeholder"),
        ("tensorflow.python.saved_model.loader.load", "tf.saved_model.loader.load"),
    ],
)
def test_second_names(name: str, public: str) -> None:
    assert effect(name) == effect(public) != effect("tf.matmul")


def test_a_row_of_its_own_counts() -> None:
    assert effect("tf.contrib.learn.monitors.Summary").name == "unsupported"


def test_no_name_of_a_placeholder_is_a_tensor() -> None:
    """Of all names that lead to the shim of what makes one."""
    shims = {"compat.placeholder", "compat.sparse_placeholder", "compat.placeholder_with_default"}
    found = [name for name in facts.symbols() if (facts.lookup(name) or facts.lookup("tf.add")).target in shims]
    assert len(found) > 8
    assert [name for name in found if effect(name).name != "placeholder"] == []
