"""Settings that a graph is built with: what `argparse` read, and attributes of objects of plain classes of values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native import trees
from tests.native.native import made_native, printed, refuses

PARSED = """\
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=3)
parser.add_argument("--learning-rate", dest="unused", default=None)
parser.add_argument("--rate", type=float, default=0.1)
args = parser.parse_args([])

x = tf.placeholder(tf.float32, [None, args.size])
w = tf.Variable(tf.ones([args.size, 1]))
y = tf.matmul(x, w) * args.rate
loss = tf.reduce_mean(tf.square(y))
step = tf.train.GradientDescentOptimizer(args.rate).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.5f" % sess.run([loss, step], {x: [[1.0] * args.size]})[0])
"""
OBJECT = """\
import tensorflow as tf


class Config(object):
    size = 3
    rate = 0.1


class Model:
    def __init__(self, config):
        self.config = config
        self.x = tf.placeholder(tf.float32, [None, config.size])
        self.build()

    def build(self):
        self.w = tf.Variable(tf.ones([self.config.size, 1]))
        self.loss = tf.reduce_mean(tf.square(tf.matmul(self.x, self.w) * self.config.rate))
        self.step = tf.train.GradientDescentOptimizer(self.config.rate).minimize(self.loss)


def main():
    config = Config()
    model = Model(config)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            print("%.5f" % sess.run([model.loss, model.step], {model.x: [[1.0] * config.size]})[0])


if __name__ == "__main__":
    main()
"""
RUN = "with tf.Session() as sess:\n"
RATES = PARSED.replace("type=float, default=0.1", 'type=float, nargs="+", default=[0.1]').replace(
    "args.rate", "args.rate[0]"
)
IN_CONSTRUCTOR = OBJECT.replace("    rate = 0.1\n", "\n    def __init__(self, rate=0.2):\n        self.rate = rate\n")
LISTED = OBJECT.replace("    rate = 0.1\n", "    rates = [0.1]\n").replace("self.config.rate", "self.config.rates[0]")
CHECKED = """\
def check(given):
    if given.size < 1:
        return None
    return given


def read():
    return check(parser.parse_args([]))


args = read()
if args is None:
    exit()"""
PROGRAMS = {
    "a command line": PARSED,
    "of which some is not known": PARSED.replace(
        "args = parser.parse_args([])", "args, rest = parser.parse_known_args([])"
    ),
    "that a function reads": PARSED.replace("parser = ", "def read():\n    parser = ", 1)
    .replace("\nparser.", "\n    parser.")
    .replace("args = parser.parse_args([])", "    return parser.parse_args([])\n\n\nargs = read()"),
    "that a function checks and gives back": PARSED.replace("args = parser.parse_args([])", CHECKED),
    "lists of it": RATES,
    "another setting that changes": PARSED.replace(RUN, "args.size = 3\n" + RUN)
    .replace("args.size]", "3]")
    .replace("[args.size", "[3"),
    "that is printed": PARSED.replace(
        RUN, "for name, value in sorted(vars(args).items()):\n    print(name, value)\n" + RUN
    ),
    "an object": OBJECT,
    "a class": OBJECT.replace("config = Config()", "config = Config"),
    "what a constructor keeps": IN_CONSTRUCTOR,
    "a list of an object": LISTED,
    "one of two objects": OBJECT.replace(
        "    model = ", "    if config.size > 5:\n        config = Config()\n    model = "
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_tf1_computed(name: str, run_legacy: Callable[..., str]) -> None:
    code = PROGRAMS[name]
    assert printed(made_native(code).text) == run_legacy(code)


CHANGED = {
    "is set": "args.rate = 0.5\n",
    "is added to": "args.rate *= 0.5\n",
    "is set under another name": "other = args\nother.rate = 0.5\n",
    "is set by a function": "def change(given):\n    given.rate = 0.5\n\n\nchange(args)\n",
    "is bound by a loop": "for args.rate in [0.5]:\n    pass\n",
    "is set by its name": "setattr(args, 'rate', 0.5)\n",
    "is set by a text": "setattr(args, 'ra' + 'te', 0.5)\n",
    "is set by a text of builtins": "import builtins\nbuiltins.setattr(args, 'rate', 0.5)\n",
    "is set by a hook that is asked for": "getattr(args, '__setattr__')('rate', 0.5)\n",
    "is set by a dictionary that is asked for": "getattr(args, '__dict__')['rate'] = 0.5\n",
    "is set by the object's dictionary": "vars(args)['rate'] = 0.5\n",
    "is updated": "args.__dict__.update(rate=0.5)\n",
    "is set by a hook": "object.__setattr__(args, 'rate', 0.5)\n",
    "is set by code": "exec('args.rate = 0.5')\n",
    "is parsed again": "parser.parse_args(['--rate', '0.5'], args)\n",
    "is parsed again by name": "parser.parse_args(['--rate', '0.5'], namespace=args)\n",
}


@pytest.mark.parametrize("name", CHANGED)
def test_refuses_what(name: str) -> None:
    refuses(PARSED.replace(RUN, CHANGED[name] + RUN), "`args.rate` is computed while the graph is built")


REFUSED = {
    "a list that is changed": (RATES.replace(RUN, "args.rate[0] = 0.5\n" + RUN), "`args.rate`"),
    "a list that is changed under another name": (
        RATES.replace(RUN, "rates = args.rate\nrates.append(1)\n" + RUN),
        "`args.rate`",
    ),
    "what a function makes of a text": (PARSED.replace("type=float", "type=lambda text: float(text)"), "`args.rate`"),
    "an argument under another name": (PARSED.replace("args.rate", "args.unused"), "`args.unused`"),
    "an object that is another one": (
        PARSED.replace(RUN, "args = parser.parse_args([])\n" + RUN),
        "`args` has another value here than when the graph was built",
    ),
    "a class that is set": (OBJECT.replace("    with", "    Config.rate = 0.5\n    with"), "`self.config.rate`"),
    "a class that is asked for": (
        OBJECT.replace("    with", "    type(config).rate = 0.5\n    with"),
        "`self.config.rate`",
    ),
    "a method that sets": (
        OBJECT.replace("    rate = 0.1\n", "    rate = 0.1\n\n    def decay(self):\n        self.rate *= 0.5\n"),
        "`self.config.rate`",
    ),
    "a method of another class": (
        OBJECT.replace("def main", "class Other:\n    def take(self):\n        self.rate = 1\n\n\ndef main").replace(
            "    with", "    Other.take(config)\n    with"
        ),
        "`self.config.rate`",
    ),
    "a constructor that is called again": (
        IN_CONSTRUCTOR.replace("    with", "    config.__init__(0.5)\n    with"),
        "`self.config.rate`",
    ),
    "a property": (
        OBJECT.replace("    rate = 0.1\n", "    @property\n    def rate(self):\n        return 0.1\n"),
        "`self.config.rate`",
    ),
    "a descriptor": (
        OBJECT.replace("    rate = 0.1\n", "    rate = property(lambda self: 0.1)\n"),
        "`self.config.rate`",
    ),
    "a hook": (
        OBJECT.replace("    rate = 0.1\n", "    rate = 0.1\n\n    def __getattr__(self, name):\n        return 0.1\n"),
        "`self.config.rate`",
    ),
    "a derived class": (
        OBJECT.replace("class Model", "class Other(Config):\n    rate = 0.2\n\n\nclass Model").replace(
            "Config()", "Other()"
        ),
        "`self.config.rate`",
    ),
    "a list of an object that is changed": (
        LISTED.replace("    with", "    model.config.rates.append(0.5)\n    with"),
        "`self.config.rates`",
    ),
    "a list under the name that it was given by": (
        IN_CONSTRUCTOR.replace("Config()", "Config(rates)")
        .replace("    config = ", "    rates = [0.1]\n    config = ")
        .replace("self.config.rate", "self.config.rate[0]")
        .replace("    with", "    rates[0] = 0.5\n    with"),
        "`self.config.rate`",
    ),
    "what a test patches": (
        OBJECT.replace("    with", "    mock.patch.object(Config, 'rate', 0.5).start()\n    with").replace(
            "import tensorflow", "from unittest import mock\n\nimport tensorflow"
        ),
        "`self.config.rate`",
    ),
    "an iterator": (
        IN_CONSTRUCTOR.replace("= rate\n", "= map(float, [0.1, 0.2])\n").replace(
            "self.config.rate", "sum(self.config.rate)"
        ),
        "`self.config.rate`",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str) -> None:
    code, reason = REFUSED[name]
    refuses(code, reason)


HEAD, _, BUILDING = OBJECT.partition("class Config(object):\n    size = 3\n    rate = 0.1\n\n\n")
MODEL, _, MAIN = BUILDING.partition("def main():\n")
TREE = {
    "settings.py": "class Config(object):\n    size = 3\n    rate = 0.1\n",
    "loader.py": "def batches(config):\n    return [[[1.0] * config.size]] * 3\n",
    "model.py": HEAD + MODEL.rstrip("\n") + "\n",
    "train.py": HEAD
    + "from loader import batches\nfrom model import Model\nfrom settings import Config\n\n\ndef main():\n"
    + MAIN.replace("for _ in range(3)", "for batch in batches(config)").replace("[[1.0] * config.size]", "batch"),
}
READING = "def batches(config):\n    {}\n    return [[[1.0] * config.size]] * 3\n"


def test_settings_of_another_module(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = trees.rewritten(tmp_path, TREE)
    assert trees.tiers(outcome) == {"native"}
    assert trees.printed(tmp_path, "train.py") == run_legacy(OBJECT)


@pytest.mark.parametrize(
    "changed",
    [
        {"loader.py": READING.format("config.rate = 0.5")},
        {"loader.py": TREE["loader.py"] + "\n\ndef later(config, name):\n    setattr(config, name, 0.5)\n"},
        {"loader.py": READING.format("vars(config)['rate'] = 0.5")},
        {"loader.py": READING.format("getattr(config, '__dict__')['rate'] = 0.5")},
        {"loader.py": READING.format("exec('config.rate = 0.5')")},
        {"settings.py": TREE["settings.py"] + "\n    def decay(self):\n        self.rate *= 0.5\n"},
        {
            "other.py": "import settings\n\nsettings.Config.rate = 0.5\n",
            "loader.py": "import other\n" + TREE["loader.py"],
        },
    ],
    ids=[
        "is set",
        "may be set",
        "sets by a dictionary",
        "sets by an attribute",
        "sets by code",
        "is set by its class",
        "is set by the way",
    ],
)
def test_refuses_what_another_module(changed: dict[str, str], tmp_path: Path) -> None:
    outcome = trees.rewritten(tmp_path, TREE | changed)
    assert trees.tiers(outcome) == {"bridge"}
    assert "`self.config.rate` is computed while the graph is built" in trees.reasons(outcome)[0]
