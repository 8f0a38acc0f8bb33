"""Which TensorFlow a name means that both have."""

from __future__ import annotations

import functools
import operator
from pathlib import Path
from types import ModuleType

import pytest

from tests.names.test_canonical import names_of
from tf_migrate.facts import lookup
from tf_migrate.files.discover import discover
from tf_migrate.names.eras import _IN_BOTH, exists_in_tf2, is_missing, is_tf2
from tf_migrate.options import Options
from tf_migrate.pipeline import run


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import tensorflow as tf\nv = tf.Variable(1)\n", False),
        ("import tensorflow as tf\ntf.Session()\n", False),
        ("import tensorflow as tf\n@tf.function\ndef f(): return tf.Variable(1)\n", True),
        ("import tensorflow as tf\n@tf.function\ndef f(): return tf.placeholder(1)\n", False),
        ("import tensorflow as tf\n@tf.function\ndef f(): return tf.compat.v1.placeholder(1)\n", True),
        ("import tensorflow as tf\nclass M(tf.Module): pass\n", True),
        ("import tensorflow as T\n@T.function\ndef f(): return T.Variable(1)\n", True),
        ("import tensorflow as tf\nimport compat\ntf.Session()\n", True),
        ("import tensorflow as tf\nfrom compat.contrib import slim\n", True),
        ("import tensorflow as tf\ndef f():\n    import compat\n", True),
        ("import numpy\n", False),
        ("import tensorflow as tf\no = tf.optimizers.SGD(1)\nv = tf.Variable(1)\n", True),
        ("import tensorflow as tf\ntf.moments(1)\nv = tf.Variable(1)\n", False),
        ("import tensorflow as tf\nd.prefetch(tf.data.AUTOTUNE)\nv = tf.Variable(1)\n", True),
        ("import tensorflow as tf\ntf.keras.utils.set_random_seed(1)\nv = tf.Variable(1)\n", True),
        ("import tensorflow as tf\nd.prefetch(tf.data.AUTOTUNE)\nx = tf.placeholder(1)\n", False),
        ("import tensorflow.compat.v1 as tf\nd.prefetch(tf.data.AUTOTUNE)\nx = tf.placeholder(1)\n", False),
        ("import tensorflow as tf\ntf.data.Dataset.range(3)\nv = tf.Variable(1)\n", False),
        ("import tensorflow as tf\nprint(tf.GraphKeys.LOSSES, tf.app.flags.FLAGS.x, tf.__version__.split())\n", False),
    ],
)
def test_modules(code: str, expected: bool) -> None:
    assert is_tf2(names_of(code)) is expected


@pytest.mark.parametrize("symbol", ["tf.moments", "tf.gfile.open", "tf.summary.historgram", "tf.model.fit"])
def test_names_that_no_tensorflow_has(symbol: str) -> None:
    assert is_missing(symbol)


@pytest.mark.parametrize(
    "symbol",
    ["tf.nn.moments", "tf.gfile.Open", "tf.data.AUTOTUNE", "tf.RaggedTensorSpec.from_value", "tf.GraphKeys.MINE"],
)
def test_names_that_some_tensorflow_has(symbol: str) -> None:
    assert not is_missing(symbol)


def test_no_name_of_tensorflow_2_counts_as_missing() -> None:
    tf = pytest.importorskip("tensorflow")
    names = [f"tf.{name}" for name in dir(tf) if not isinstance(getattr(tf, name), ModuleType)]
    for part in (name for name in dir(tf) if isinstance(getattr(tf, name), ModuleType)):
        inside = vars(getattr(tf, part)).items()
        names += [f"tf.{part}.{name}" for name, value in inside if not isinstance(value, ModuleType)]
    public = [name for name in names if not name.startswith(("tf.compat.", "tf.python.", "tf.core.", "tf.tools."))]
    assert len(public) > 1000
    assert [name for name in public if is_missing(name)] == []


def test_names_in_both_are_in_tensorflow_2() -> None:
    tf = pytest.importorskip("tensorflow")
    for symbol in _IN_BOTH:
        functools.reduce(getattr, symbol.split(".")[1:], tf)


def test_no_name_of_tensorflow_2_is_missing() -> None:
    tf = pytest.importorskip("tensorflow")
    from tf_migrate import facts

    missing = []
    for symbol in facts.symbols():
        row = lookup(symbol)
        if symbol.startswith("tf.") and not symbol.endswith(".*") and row is not None and row.kind != "module":
            try:
                operator.attrgetter(symbol.removeprefix("tf."))(tf)
            except AttributeError:
                continue
            if not exists_in_tf2(row):
                missing.append(symbol)
    assert missing == []


FORMS = "tf.nn.softmax_cross_entropy_with_logits(logits=x, labels=y)"
SIZES = """\
from tensorflow.nn import relu  # the only one
import tensorflow as tf


def ramp(x):
    return relu(x)


def losses(x, y):
    return FORMS, tf.nn.softmax_cross_entropy_with_logits_v2(logits=x, labels=y)
"""


@pytest.mark.parametrize(
    "code",
    [
        f"import tensorflow as tf\n\n\ndef both(x, y):\n    return {FORMS}, {FORMS.replace('logits(', 'logits_v2(')}\n",
        SIZES.replace("FORMS", FORMS),
    ],
)
def test_a_module_of_which_nothing_tells_that_it_is_migrated_says_so(code: str, tmp_path: Path) -> None:
    """Both forms have the same name in TensorFlow 2: a second look would take the one for the other."""
    (tmp_path / "losses.py").write_text(code)
    options = Options(paths=(tmp_path,), root=tmp_path)
    first = run(discover(options).code, options)
    assert not first.report.failed
    text = first.contents["losses.py"].decode()
    assert text.count("tf.stop_gradient(y)") == 1
    assert text.count("logits_v2") == 0
    assert text.count("# tf-migrate: tensorflow 2\n") == 1
    (tmp_path / "losses.py").write_text(text)
    assert run(discover(options).code, options).contents == {}
