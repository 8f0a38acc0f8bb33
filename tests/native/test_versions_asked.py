"""Programs that ask for the version of TensorFlow, to call what it has: one way is the program, the other never ran."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, tier_of

CODE = """\
import tensorflow as tf


def joined(parts):
    if TEST:
        return tf.concat(parts, 0)
    else:
        return tf.concat_v2(parts, 0)


x = tf.placeholder(tf.float32, [None])
w = tf.Variable(3.0)
if TEST:
    y = joined([x, x * w])
else:
    y = tf.mul(x, w)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, feed_dict={x: [1.0, 2.0]}).tolist())
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = "[1.0, 2.0, 3.0, 6.0]\n"


@pytest.mark.parametrize(
    "test",
    [
        'tf.__version__.startswith("1.")',
        'tf.VERSION.startswith("1.1")',
        'not tf.__version__.startswith("0.")',
        'tf.__version__.endswith(".5")',
        'tf.__version__ >= "1.0"',
        'tf.__version__ == "1.15.5"',
        '"2.0" > tf.__version__',
        'tf.__version__ != "0.12.1"',
        'int(tf.__version__.split(".")[0]) >= 1',
        'not (int((tf.__version__).split(".")[1]) < 12 and int((tf.__version__).split(".")[0]) < 1)',
        'tf.__version__[0] >= "1"',
        "float(tf.__version__[:3]) > 1.0",
        'tf.__version__.split(".")[0] in ["1", "2"]',
        'tf.__version__ not in ("0.11", "0.12")',
        'parse(tf.__version__) >= parse("1.4")',
        'tf.__version__.find("0.") != 0 or unknown',
    ],
)
def test_the_way_that_was_taken(test: str) -> None:
    imported = "from packaging.version import parse\n" if "parse" in test else ""
    result = made_native(imported + CODE.replace("TEST", test))
    assert printed(result.text) == OUTPUT


def test_another_name_of_the_version_decides_nothing() -> None:
    changed = CODE.replace(
        "x =", "class Settings: pass\n\n\nsettings = Settings()\nsettings.v = tf.__version__\nx =", 1
    )
    changed = changed.replace("if TEST", 'if settings.v > "1.0"')
    assert tier_of(changed) == "bridge"
    assert (deciding_site(changed).reason or "").startswith("`tf.concat_v2` is not understood")


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ('tf.__version__.startswith("0.")', "`tf.concat_v2` is not understood"),
        ('tf.__version__ < "1.0"', "`tf.concat_v2` is not understood"),
        ('tf.__version__.startswith(("1.", "2."))', "`tf.concat_v2` is not understood"),
        ('int(tf.__version__.split(".")[1]) < 12', "`tf.concat_v2` is not understood"),
        ('int(tf.__version__.split("-")[1]) < 12', "`tf.concat_v2` is not understood"),
        ('tf.__version__ >= "1.0" and unknown', "`tf.concat_v2` is not understood"),
        ("len(tf.__version__) > 5", "`tf.concat_v2` is not understood"),
    ],
)
def test_the_other_way_and_what_is_not_decided(test: str, reason: str) -> None:
    assert tier_of(CODE.replace("TEST", test)) == "bridge"
    assert (deciding_site(CODE.replace("TEST", test)).reason or "").startswith(reason)


INITIALIZED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32)
w = tf.Variable(3.0)
# important step
if TEST:
    init = tf.initialize_all_variables()
else:
    # as it is called now
    init = tf.global_variables_initializer()
sess = tf.Session()
sess.run(init)
print(sess.run(w * x, {x: 2.0}))
"""


@pytest.mark.parametrize(
    "test",
    [
        "int((tf.__version__).split('.')[1]) < 12 and int((tf.__version__).split('.')[0]) < 1",
        "int((tf.__version__).split('.')[1]) < 12",
        "tf.__version__ < '0.12'",
    ],
)
def test_the_name_that_the_initializer_had(test: str) -> None:
    text = made_native(INITIALIZED.replace("TEST", test)).text
    assert "if " not in text
    assert printed(text) == "6.0\n"


def test_initializers_that_something_else_chooses() -> None:
    assert tier_of(INITIALIZED.replace("TEST", "len(tf.__version__) < 4")) == "bridge"
