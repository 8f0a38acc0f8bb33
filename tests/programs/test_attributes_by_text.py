"""Attributes reached by a text in a program of several modules: harmless where the object is none of its classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers

MODEL = """\
import argparse

import tensorflow as tf


class Scaled(object):
    def __init__(self, scale):
        self.x = tf.placeholder(tf.float32, [None])
        self.value = self.x * scale
        self.total = tf.reduce_sum(self.value)


def written(args, out):
    for key, value in sorted(vars(args).items()):
        out.append("%s=%s" % (key, value))
    return out


def same(value):
    return value
"""
TRAIN = """\
import argparse
import copy
import sys

import tensorflow as tf

import model


def parsed(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=2.0)
    return parser.parse_args(argv)


def main(args):
    print(model.written(args, []))
    scaled = model.Scaled(3.0)
    with tf.Session() as sess:
        print(sess.run(scaled.total, {scaled.x: [1.0, 2.0]}))


if __name__ == "__main__":
    main(parsed(sys.argv[1:]))
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = "['rate=2.0']\n9.0\n"
CALL = "model.written(args, [])"
MAKE = "    scaled = model.Scaled(3.0)\n"
KEPT = {
    "what a parser read": ("", ""),
    "what it knows of": (
        "return parser.parse_args(argv)",
        "known, rest = parser.parse_known_args(argv)\n    return known",
    ),
    "the first of what it knows of": ("parser.parse_args(argv)", "parser.parse_known_args(argv)[0]"),
    "a namespace": ("parser.parse_args(argv)", "argparse.Namespace(rate=2.0)"),
    "one of two": ("parser.parse_args(argv)", "parser.parse_args(argv) if argv else argparse.Namespace(rate=2.0)"),
    "by its name": (CALL, "model.written(out=[], args=args)"),
    "under another name": ("    print(" + CALL, "    again = args\n    print(model.written(again, [])"),
    "nothing calls it": ("print(" + CALL + ")", "print(['rate=' + str(args.rate)])"),
    "an attribute of it": ("print(" + CALL + ")", "print(['rate=' + str(getattr(args, 'ra' + 'te'))])"),
    "it is set": (MAKE, MAKE + "    setattr(args, 'ra' + 'te', 1.0)\n"),
    "a name that nothing has": (MAKE, MAKE + "    setattr(scaled, 'remark', 1.0)\n"),
    "a name that nothing has is asked for": (MAKE, MAKE + "    assert getattr(scaled, 'remark', None) is None\n"),
    "a part of a library": (MAKE, MAKE + "    assert getattr(sys, 'ar' + 'gv')\n"),
}


def _tree(old: str, new: str, model: str = MODEL) -> dict[str, str]:
    assert old in TRAIN
    return {"model.py": model, "train.py": TRAIN.replace(old, new, 1)}


@pytest.mark.parametrize(("old", "new"), KEPT.values(), ids=KEPT.keys())
def test_objects_of_no_class_of_the_modules(tmp_path: Path, old: str, new: str) -> None:
    outcome = rewritten(tmp_path, _tree(old, new))
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == OUTPUT


REFUSED = {
    "an object of a class": (CALL, "model.written(model.Scaled(1.0), [])"),
    "an object of a class by its name": (CALL, "model.written(out=[], args=model.Scaled(1.0))"),
    "an object in another call": (MAKE, MAKE + "    model.written(scaled, [])\n"),
    "an object of a list": (MAKE, MAKE + "    for each in [scaled]:\n        model.written(each, [])\n"),
    "one of a list": (MAKE, MAKE + "    listed = [scaled]\n    model.written(listed[0], [])\n"),
    "a name for it": (MAKE, MAKE + "    args = scaled\n    vars(args).clear()\n"),
    "a function gives it back": (MAKE, MAKE + "    model.written(model.same(scaled), [])\n"),
    "a copy of it": (MAKE, MAKE + "    model.written(copy.copy(scaled), [])\n"),
    "one of two": (MAKE, MAKE + "    model.written(args if sys.argv[1:] else scaled, [])\n"),
    "given as several": (MAKE, MAKE + "    model.written(*[scaled, []])\n"),
    "given in a dictionary": (MAKE, MAKE + "    model.written(**{'args': scaled, 'out': []})\n"),
    "the function is passed on": (MAKE, MAKE + "    list(map(model.written, [scaled], [[]]))\n"),
    "the function has another name": (MAKE, MAKE + "    write = model.written\n    write(scaled, [])\n"),
    "a parser fills it": (
        MAKE,
        MAKE + "    vars(argparse.ArgumentParser().parse_args([], namespace=scaled))\n",
    ),
    "a parser fills it, by place": (MAKE, MAKE + "    vars(argparse.ArgumentParser().parse_args([], scaled))\n"),
    "a parser of one's own": (
        "def main(args):\n",
        "class Parser(object):\n    def parse_args(self):\n        return model.Scaled(1.0)\n\n\n"
        "def main(args):\n    vars(Parser().parse_args())\n",
    ),
    "a name that is bound anew": (MAKE, MAKE + "    global found\n    found = scaled\n    vars(found)\n"),
    "a name of the class": (MAKE, MAKE + "    setattr(scaled, 'total', scaled.value)\n"),
    "any name": (MAKE, MAKE + "    setattr(scaled, 'to' + 'tal', scaled.value)\n"),
    "any name is asked for": (MAKE, MAKE + "    print(getattr(scaled, 'to' + 'tal'))\n"),
    "its class": (MAKE, MAKE + "    setattr(scaled, '__class__', object)\n"),
    "a function of a library": (MAKE, MAKE + "    setattr(tf, 'reduce_' + 'sum', None)\n"),
    "the names of a library": (MAKE, MAKE + "    vars(tf)['reduce_sum'] = None\n"),
    "an attribute that holds it": (MAKE, MAKE + "    args.model = scaled\n    vars(args.model)\n"),
    "an attribute of a library that holds it": (MAKE, MAKE + "    sys.model = scaled\n    vars(sys.model)\n"),
    "a default": (
        "def main(args):\n",
        "def shown(it=model.Scaled(1.0)):\n    return vars(it)\n\n\ndef main(args):\n    shown()\n",
    ),
    "code that is a text": ("print(" + CALL + ")", "eval('model.written(model.Scaled(1.0), [])')"),
}


@pytest.mark.parametrize(("old", "new"), REFUSED.values(), ids=REFUSED.keys())
def test_what_may_be_an_object_of_a_class(tmp_path: Path, old: str, new: str) -> None:
    outcome = rewritten(tmp_path, _tree(old, new))
    assert tiers(outcome) == {"bridge"}
    assert any("may reach into an object" in reason for reason in reasons(outcome)), reasons(outcome)


def test_what_a_decorator_may_give(tmp_path: Path) -> None:
    model = MODEL.replace(
        "def written", "def given(f):\n    return lambda a, b: f(Scaled(1.0), b)\n\n\n@given\ndef written"
    )
    assert tiers(rewritten(tmp_path, _tree("", "", model))) == {"bridge"}
