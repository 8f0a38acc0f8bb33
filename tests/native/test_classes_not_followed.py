"""Classes that use TensorFlow, whose objects cannot be read where they are made: the report says why, and where."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, refuses

SCRIPT = """\
import tensorflow as tf


class Model(object):
    size = 2

    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, self.size])
        self.total = tf.reduce_sum(self.x)


model = Model()
with tf.Session() as sess:
    print(sess.run(model.total, {model.x: [[1.0, 2.0]]}))
"""
BASE = "class Base(object):\n    pass\n\n\nclass Model(Base):"
REASONS = {
    "a base": ("class Model(object):", BASE, "is derived from `Base`"),
    "a class that is derived": (
        "\nmodel =",
        "\nclass Other(Model):\n    pass\n\n\nmodel =",
        "`Other` is derived from it",
    ),
    "a metaclass": ("(object)", "(object, metaclass=type)", "is decorated, or has a metaclass"),
    "a decorator": ("class Model", "def same(c):\n    return c\n\n\n@same\nclass Model", "is decorated"),
    "another meaning": ("\nmodel =", "\nModel = Model\nmodel =", "is a name that means something else as well"),
    "another name": ("model = Model()", "Alias = Model\nmodel = Alias()", "is used for more than to make objects"),
    "a value of the class": ("\nmodel =", "\nprint(Model.size)\nmodel =", "is used for more than to make objects"),
    "its own name": ("self.size]", "Model.size]", "names itself"),
    "a static method": (
        "    def __init__",
        "    @staticmethod\n    def half(t):\n        return t\n\n    def __init__",
        "its `half` is no plain method",
    ),
    "a method without self": (
        "    def __init__",
        "    def half(t):\n        return t\n\n    def __init__",
        "its `half` is no",
    ),
    "a class inside": ("    size = 2", "    size = 2\n\n    class Part(object):\n        pass", "holds more than"),
    "two methods of a name": (
        "    def __init__",
        "    def f(self):\n        pass\n\n    def f(self):\n        pass\n\n    def __init__",
        "has two methods of one name",
    ),
    "no constructor": ("__init__(self)", "build(self)", "has no constructor"),
    "a block": ("class Model", "if True:\n  class Model", "is not defined at the top of the module"),
}


def test_a_class_that_is_followed() -> None:
    made_native(SCRIPT)


@pytest.mark.parametrize(("old", "new", "reason"), REASONS.values(), ids=REASONS.keys())
def test_why_not(old: str, new: str, reason: str) -> None:
    assert old in SCRIPT
    code = SCRIPT.replace(old, new, 1)
    if new.startswith("if True"):
        head, _, rest = code.partition("  class Model")
        body, _, end = rest.partition("\n\n\n")
        code = head + "  class Model" + body.replace("\n", "\n  ") + "\n\n\n" + end
    refuses(code, f"`Model` uses TensorFlow, and {reason}")


def test_the_place_that_stands_in_the_way() -> None:
    code = SCRIPT.replace("\nmodel =", "\nclass Other(Model):\n    pass\n\n\nmodel =")
    assert deciding_site(code).forced_by == "train.py:12"


def test_a_class_that_nothing_makes() -> None:
    rest = "x = tf.constant(1.0)\nwith tf.Session() as sess:\n    print(sess.run(x))\n"
    refuses(SCRIPT.partition("model =")[0] + rest, "`Model` uses TensorFlow, and nothing makes an object of it")
