"""Functions and methods that mean something else once the graph is built: TensorFlow 1 had called them before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.native import deciding_site, printed, rewritten, tier_of
from tests.native.trees import reasons
from tests.native.trees import rewritten as rewritten_tree

CLASS = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [])
        self.y = self.build(self.x)

    def build(self, value):
        return value * 2.0

    def other(self, value):
        return value * 7.0

    def show(self, sess):
        print(sess.run(self.y, {{self.x: 1.0}}))


model = Model()
{behind}
with tf.Session() as sess:
    model.show(sess)
"""
FUNCTION = """\
import tensorflow as tf


def build(value, times=2.0, *, more=1.0):
    return tf.nn.relu(value) * times * more


def other(value, times=7.0, *, more=1.0):
    return value * times


x = tf.placeholder(tf.float32, [])
y = build(x)
{behind}
with tf.Session() as sess:
    print(sess.run(y, {{x: 1.0}}))
"""
# In TensorFlow 1.15.5 all of them print 2.0; with what takes the place of the method they would print 7.0.
METHODS = {
    "of the object": "model.build = model.other",
    "of its class": "type(model).build = model.other",
    "by a text": "setattr(model, 'build', model.other)",
    "in its dictionary": "model.__dict__['build'] = model.other",
    "by what setting is made of": "object.__setattr__(model, 'build', model.other)",
}
ANOTHER_MEANING = "`{}` may give another meaning to what the graph was built with"
FUNCTIONS = {
    "another body": ("build.__code__ = other.__code__", ANOTHER_MEANING.format("build.__code__")),
    "another default": ("build.__defaults__ = (7.0,)", ANOTHER_MEANING.format("build.__defaults__")),
    "another default of a name": (
        "build.__kwdefaults__['more'] = 3.5",
        ANOTHER_MEANING.format("build.__kwdefaults__"),
    ),
    "another operation": ("tf.nn.relu = tf.negative", ANOTHER_MEANING.format("tf.nn.relu")),
    "another operation, by a text": (
        "setattr(tf.nn, 'relu', tf.negative)",
        "names of TensorFlow are replaced while the program runs",
    ),
}


@pytest.mark.parametrize("behind", METHODS.values(), ids=METHODS.keys())
def test_refused_where_a_method_is_another_one(behind: str) -> None:
    text = CLASS.format(behind=behind)
    assert tier_of(text) == "bridge"
    assert "the place of the method `build` of `Model`" in (deciding_site(text).reason or "")


def test_refused_where_the_object_itself_gets_another_method() -> None:
    text = CLASS.format(behind="").replace(
        "self.build(self.x)\n", "self.build(self.x)\n        self.build = self.other\n"
    )
    assert tier_of(text) == "bridge"
    assert "the place of the method `build` of `Model`" in (deciding_site(text).reason or "")


def test_refused_where_the_class_binds_the_name_again() -> None:
    # TensorFlow 1.15.5 prints 7.0.
    text = CLASS.format(behind="").replace("    def show", "    build = other\n\n    def show")
    assert tier_of(text) == "bridge"
    assert "the place of the method `build` of `Model`" in (deciding_site(text).reason or "")


def test_refused_where_another_module_gets_the_object(tmp_path: Path) -> None:
    text = CLASS.format(behind="helper.change(model)").replace("import numpy as np\n", "import helper\n")
    helper = "def change(model):\n    model.build = model.other\n"
    (reason,) = reasons(rewritten_tree(tmp_path, {"main.py": text, "helper.py": helper}))
    assert reason.startswith("another module gets an object of `Model`, and may give it other methods"), reason


@pytest.mark.parametrize(("behind", "reason"), FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_refused_where_a_function_is_another_one(behind: str, reason: str) -> None:
    text = FUNCTION.format(behind=behind)
    assert tier_of(text) == "bridge"
    assert reason in (deciding_site(text).reason or "")


NATIVE = {
    "nothing": CLASS.format(behind=""),
    "a local name of the object's": CLASS.format(behind="def twice(model):\n    return np.abs(model)\nprint(twice(2))"),
    "another attribute of the same object": CLASS.format(behind="model.label = 'one'\nprint(model.label)"),
    "a function": FUNCTION.format(behind="print(build.__name__)"),
}


@pytest.mark.parametrize("text", NATIVE.values(), ids=NATIVE.keys())
def test_native_where_they_stay_what_they_are(text: str, run_legacy: Callable[..., str]) -> None:
    result = rewritten(text)
    assert {site.tier for site in result.sites} == {"native"}, [site.reason for site in result.sites]
    assert printed(result.text) == run_legacy(text)
