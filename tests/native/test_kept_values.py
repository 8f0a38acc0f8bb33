"""Objects that keep what another one was built with: TensorFlow 1 kept the value that the graph was built with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.native import deciding_site, made_native, printed, refuses, tier_of
from tests.native.trees import reasons
from tests.native.trees import rewritten as rewritten_tree

SCRIPT = """\
import operator

import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self, conf):
        self.conf = conf
        self.x = tf.placeholder(tf.float32, [])
        self.y = self.x * self.conf{item}

    def show(self, sess):
        print(sess.run(self.y, {{self.x: 1.0}}))


{holder}


values = {value}
model = Model(values)
{behind}
with tf.Session() as sess:
    model.show(sess)
"""
HOLDER = "class Holder(object):\n    def __init__(self, o):\n        self.o = o\n"
CHANGING = "value[0] = 5.0\n"
SETTER = "class Holder(object):\n    def __init__(self, o):\n        self.o = o\n\n    @property\n    def o(self):\n"
SETTER += "        return 1\n\n    @o.setter\n    def o(self, value):\n"

# In TensorFlow 1.15.5 all of them print 2.0; with the list that holds 5.0 they would print that.
CHANGED = {
    "the dictionary of an object": (HOLDER, "holder = Holder(values)\nvars(holder)['o'][0] = 5.0"),
    "what `__dict__` gives": (HOLDER, "holder = Holder(values)\nholder.__dict__['o'][0] = 5.0"),
    "every attribute": (HOLDER, "holder = Holder(values)\nfor value in vars(holder).values():\n    " + CHANGING),
    "a text": (HOLDER, "holder = Holder(values)\ngetattr(holder, 'o')[0] = 5.0"),
    "an operator": (HOLDER, "holder = Holder(values)\noperator.attrgetter('o')(holder)[0] = 5.0"),
    "the names of a constructor": (HOLDER + "        locals()['o'][0] = 5.0\n", "holder = Holder(values)"),
    "a list that is joined": (HOLDER, "holder = Holder([values])\n(holder.o + [1])[0][0] = 5.0"),
    "a list that is repeated": (HOLDER, "holder = Holder([values])\n(holder.o * 2)[1][0] = 5.0"),
    "a setter": (SETTER + "        " + CHANGING, "holder = Holder(values)"),
    "a setter that keeps it": (
        SETTER + "        self._o = value\n\n    def change(self):\n        self._o[0] = 5.0\n",
        "holder = Holder(values)\nholder.change()",
    ),
    "a hook": (
        HOLDER + "\n    def __setattr__(self, name, value):\n        " + CHANGING,
        "holder = Holder(values)",
    ),
    "the making": (
        HOLDER + "\n    def __new__(cls, value):\n        " + CHANGING + "        return object.__new__(cls)\n",
        "holder = Holder(values)",
    ),
    "a hook of the class behind it": (
        "class Base(object):\n    def __setattr__(self, name, value):\n        "
        + CHANGING
        + "\n\n"
        + HOLDER.replace("object", "Base"),
        "holder = Holder(values)",
    ),
    "another constructor": (
        "def init(self, value):\n    " + CHANGING + "\n\n" + HOLDER + "\n    __init__ = init\n",
        "holder = Holder(values)",
    ),
    "a constructor from outside": (
        "def init(self, value):\n    " + CHANGING + "\n\n" + HOLDER + "\n\nHolder.__init__ = init\n",
        "holder = Holder(values)",
    ),
    "an attribute of a class": ("", "class Holder(object):\n    o = values\n\n\nHolder.o[0] = 5.0"),
    "an attribute of a class, by an object": (
        "",
        "class Holder(object):\n    o = values\n\n    def go(self):\n        self.o[0] = 5.0\n\n\nHolder().go()",
    ),
    "a method that is called `format`": (
        "class Holder(object):\n    def format(self, value):\n        " + CHANGING,
        "Holder().format(values)",
    ),
    "a method that is called `run`": (
        "class Holder(object):\n    def run(self, feed):\n        for value in feed.values():\n            " + CHANGING,
        "Holder().run({'a': values})",
    ),
    "a text that names the attribute of the model": (HOLDER, "setattr(model, 'conf', [5.0])"),
    "the dictionary of the model": (HOLDER, "model.__dict__['conf'] = [5.0]"),
    "more for the dictionary of the model": (HOLDER, "model.__dict__.update(conf=[5.0])"),
    "what setting is made of": (HOLDER, "object.__setattr__(model, 'conf', [5.0])"),
}


@pytest.mark.parametrize(("holder", "behind"), CHANGED.values(), ids=CHANGED.keys())
def test_refused_where_it_is_changed_by(holder: str, behind: str) -> None:
    text = SCRIPT.format(item="[0]", holder=holder, value="[2.0, 3.0]", behind=behind)
    assert tier_of(text) == "bridge"
    reason = deciding_site(text).reason or ""
    assert reason.startswith("`Model.conf`, which the graph was built with, may be changed here"), reason


def test_refused_where_a_function_that_is_given_the_model_sets_it() -> None:
    put = "def put(a, name):\n    setattr(a, name, [5.0])\n"
    refuses(
        SCRIPT.format(item="[0]", holder=put, value="[2.0, 3.0]", behind="put(model, 'conf')"),
        "`setattr` asks by a text what attributes `Model`, which builds a graph, has",
    )


COPIES = {
    "an array that is the same": ("values", "np.array([2.0])", "other = np.array(values, copy=False)\nother[0] = 5.0"),
    "a type that it has": ("values", "np.array([2.0])", "other = values.astype(float, copy=False)\nother[0] = 5.0"),
    "the rows of a list": ("values", "[[2.0], [3.0]]", "other = values * 2\nother[0][0] = 5.0"),
    "the rows of a longer list": ("values", "[[2.0], [3.0]]", "more = [1.0]\nother = values + more\nother[0][0] = 5.0"),
    "the rows of the model's list": (
        "conf",
        "[[2.0], [3.0]]",
        "g = [[1]]\nother = model.conf + g\nother[0][0] = 5.0",
    ),
    "the rows of the model's list, behind": (
        "conf",
        "[[2.0]]",
        "g = [[1.0]]\nother = g + model.conf\nother[1][0] = 5.0",
    ),
    "the model's list, twice": ("conf", "[[2.0], [3.0]]", "other = 2 * model.conf\nother[0][0] = 5.0"),
    "the model's list, some times": ("conf", "[[2.0], [3.0]]", "n = 3\nother = model.conf * n\nother[0][0] = 5.0"),
    "rows of the model's list, one by one": ("conf", "[[2.0]]", "g = []\nfor row in model.conf + g:\n    row[0] = 5.0"),
    "rows that are objects": (
        "values",
        "[[2.0], [3.0]]",
        "other = np.array(values + [1], dtype=object)\nother[0][0] = 5.0",
    ),
}


@pytest.mark.parametrize(("name", "value", "behind"), COPIES.values(), ids=COPIES.keys())
def test_refused_where_a_copy_holds_what_is_changed(name: str, value: str, behind: str) -> None:
    text = SCRIPT.format(item="[0]", holder="", value=value, behind=behind)
    assert name in text
    refuses(text, "may be changed here")


# What is only looked at stays native.
KEPT = {
    "by another object": (HOLDER, "holder = Holder(values)\nprint(len(holder.o))"),
    "by a module asked by a text": (HOLDER, "holder = Holder(values)\nprint(len(holder.o), getattr(np, 'pi') > 3)"),
    "in sums with names": (HOLDER, "g = [1]\nprint(len(model.conf + g), len(model.conf * 2), model.conf[0] * 2)"),
    "in sums": (HOLDER, "holder = Holder(values)\nprint(len(holder.o + [1]))"),
}


@pytest.mark.parametrize(("holder", "behind"), KEPT.values(), ids=KEPT.keys())
def test_native_where_it_is_only_looked_at(holder: str, behind: str, run_legacy: Callable[..., str]) -> None:
    text = SCRIPT.format(item="[0]", holder=holder, value="[2.0, 3.0]", behind=behind)
    result = made_native(text)
    assert printed(result.text) == run_legacy(text)


def test_refused_where_another_module_gets_the_object(tmp_path: Path) -> None:
    # TensorFlow 1.15.5 prints 2.0, not 5.0.
    text = SCRIPT.format(item="", holder="import helper", value="2.0", behind="helper.change(model)")
    helper = "def change(model):\n    model.conf = 5.0\n"
    (reason,) = reasons(rewritten_tree(tmp_path, {"main.py": text, "helper.py": helper}))
    assert reason.startswith("`Model.conf`, which the graph was built with, may be changed here"), reason
