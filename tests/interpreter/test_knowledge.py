"""What the interpreter knows after a snippet: never more than every way through the program leaves true."""

from __future__ import annotations

import textwrap

import pytest

from tests.interpreter.snippets import after

UNKNOWN = "import os\nflag = os.environ.get('FLAG')\n"


@pytest.mark.parametrize(
    ("snippet", "name", "known"),
    [
        # Ways that leave before the end of a block.
        (UNKNOWN + "a = 1\ndef f():\n  global a\n  if flag is None:\n    return\n  a = 2\nf()", "a", {1, 2}),
        (UNKNOWN + "a = 1\nfor k in range(3):\n  if flag is None:\n    break\n  a = 2", "a", {1, 2}),
        (UNKNOWN + "a = 1\nfor k in 'xy':\n  if flag is None:\n    continue\n  a = 2", "a", {1, 2}),
        (UNKNOWN + "a = 1\nwhile True:\n  if flag is None:\n    break\n  a = 2", "a", {1, 2}),
        (UNKNOWN + "a = 1\nfor k in 'xy':\n  if flag:\n    continue\n  a = 2\na = 3", "a", {3}),
        (UNKNOWN + "def f():\n  if flag is None:\n    return 1\n  return 2\na = f()", "a", {1, 2}),
        (UNKNOWN + "a = 1\ndef f(k):\n  if k:\n    return\n  global a\n  a = 2\nf(True)", "a", {1}),
        ("a = 1\nfor k in range(5):\n  if k == 2:\n    break\n  a = k", "a", {1}),
        # Any statement of a `try` may have raised, and what was written before counts.
        (UNKNOWN + "a = 1\ntry:\n  float(flag)\n  a = 2\nexcept ValueError:\n  pass", "a", {1, 2}),
        (UNKNOWN + "a = 1\ntry:\n  if flag:\n    a = 2\n    raise KeyError\nexcept KeyError:\n  pass", "a", {1, 2}),
        (UNKNOWN + "a = 1\ntry:\n  float(flag)\nfinally:\n  a = 2", "a", {2}),
        # Data may be None.
        (UNKNOWN + "a = 1\nif flag is None:\n  a = 2", "a", {1, 2}),
        # Functions that work on data alone are looked at again where what they read, or write, is another.
        ("s = 1\ndef f():\n  return s == 1\nf()\ns = 2\na = f()", "a", {False}),
        ("def g():\n  global a\n  a = 2\ndef h():\n  global a\n  a = 1\ng()\nh()\ng()", "a", {2}),
        ("def make(k):\n  def f():\n    return k\n  return f\nmake(1)()\na = make(2)()", "a", {2}),
        # Containers.
        ("l = [1, 2, 3]\ndel l[0]\na = l[0]", "a", {2}),
        ("d = {'x': 1}\ndel d['x']\na = d.get('x', 5)", "a", {5}),
        ("d = {'x': 1}\nd.clear()\na = d.get('x', 5)", "a", {5}),
        (UNKNOWN + "d = {'x': 1}\nd[flag] = 2\na = d['x']", "a", {1, 2}),
        (UNKNOWN + "d = {'x': 1}\nd.update({flag: 2})\na = d['x']", "a", {1, 2}),
        ("import random\nl = [1, 2]\nrandom.shuffle(l)\na = l[0]", "a", {1, 2}),
        ("import collections\nl = collections.deque([1, 2])\nl.rotate(1)\na = l[0]", "a", {1, 2}),
        ("globals()['a'] = 4", "a", {4}),
        # What a file says may be the value of any name; None stands for what only the running program knows.
        ("import json\na = 1\nglobals().update(json.load(open('f')))", "a", {1, None}),
        ("import json\nglobals().update(json.load(open('f')))\na = width", "a", {None}),
        ("import json\nglobals().update(json.load(open('f')))\na = len([2])", "a", {1}),
        # A bar of progress goes through what it is given; kept by a name, it is an object that nobody knows.
        ("from tqdm import tqdm\na = 0\nfor k, v in enumerate(tqdm([3, 4], desc='x')):\n  a = v", "a", {4}),
        ("import tqdm\na = 0\nbar = tqdm.tqdm([3, 4])\nbar.set_description('x')\nfor v in [5]:\n  a = v", "a", {5}),
        ("def make(k):\n  def f():\n    pass\n  f.out = k\n  return f\np = make(1)\nq = make(2)\na = p.out", "a", {1}),
    ],
)
def test_what_a_name_may_be(snippet: str, name: str, known: set[object]) -> None:
    assert after(textwrap.dedent(snippet)).constants(name) == known


@pytest.mark.parametrize(
    "snippet",
    [
        "exec(open('settings.py').read())",
        "import sys\nimport tensorflow as tf\nsetattr(sys.modules[__name__], 'out', tf.constant(1.0))",
    ],
)
def test_names_that_are_bound_unseen_are_a_problem(snippet: str) -> None:
    assert after(snippet).problems == {"names-unseen"}
