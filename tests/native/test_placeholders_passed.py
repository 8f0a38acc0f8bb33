"""Functions that make placeholders for themselves and are called once: the caller makes these, and passes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native import trees
from tests.native.native import made_native, printed, refuses, rewritten
from tf_migrate.files.source import read
from tf_migrate.names.exports import Index
from tf_migrate.programs.passing import with_passed

HEAD = """\
import numpy as np
import tensorflow as tf

"""
BUILD = """\

def build(sizes=[2, 5], n=1):
    \"\"\"A linear model.\"\"\"
    # what goes in
    x = tf.placeholder(tf.float32, [None, sizes[0]], name='x')

    # what is to come out
    t = tf.placeholder(tf.float32,
                       [None, n])
    w = tf.Variable(tf.ones([sizes[0], n]))
    y = tf.matmul(x, w)
    loss = tf.reduce_mean(tf.square(y - t))
    return {}


"""
TAIL = """\
train = tf.train.GradientDescentOptimizer(0.01).minimize(LOSS)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
a, b = np.array([[1.0, 2.0, 0.5], [3.0, 4.0, 1.5]]), np.ones((2, 1))
for _ in range(3):
    print("%.4f" % sess.run([LOSS, train], {X: a[:, :2], T: b})[0])
print(sess.run(Y, {X: a[:1, :2]}).round(4))
"""
TUPLE = BUILD.replace("{}", "x, t, y, loss")
NET = BUILD.replace("{}", "{'x': x, 't': t, 'y': y, 'loss': loss}")


def tail(x: str = "x", t: str = "t", y: str = "y", loss: str = "loss") -> str:
    return TAIL.replace("LOSS", loss).replace("X", x).replace("T", t).replace("Y", y)


def keyed(name: str) -> str:
    return tail(*(f"{name}['{word}']" for word in ("x", "t", "y", "loss")))


def within(name: str, code: str) -> str:
    body = "".join(f"    {line}\n" if line else "\n" for line in code.splitlines())
    return f"def {name}():\n{body}\n\nif __name__ == '__main__':\n    {name}()\n"


PASSED = {
    "several names": TUPLE + "x, t, y, loss = build()\n" + tail(),
    "several names, others than the function's": TUPLE + "u, v, y, cost = build()\n" + tail("u", "v", loss="cost"),
    "a dictionary": NET + "net = build()\n" + keyed("net"),
    "in a function that runs the session": NET + within("main", "net = build([2])\n" + keyed("net")),
    "a parameter that is given by its name": NET + "net = build(n=1, sizes=[1 + 1, 7])\n" + keyed("net"),
    "a parameter that is given a name": NET + "width, m = (2, 3), 1\nnet = build(width, m)\n" + keyed("net"),
    "no parameters at all": NET.replace("sizes=[2, 5], n=1", "").replace("sizes[0]", "2").replace("n]", "1]")
    + "net = build()\n"
    + keyed("net"),
    "a name of the module": "SIZE = 2\n"
    + NET.replace("[None, sizes[0]]", "[None, SIZE]")
    + "net = build()\n"
    + keyed("net"),
    "TensorFlow is imported where it is called as well": NET
    + within("main", "import tensorflow as tf\n\nnet = build([2])\n" + keyed("net")),
    "by another function": NET
    + "def built(n):\n    net = build(n=n)\n    return net\n\n\nmodel = built(1)\n"
    + keyed("model"),
    "one that is not fed holds its default": NET.replace(
        "    w = tf.Variable", "    k = tf.placeholder_with_default(1.0, [])\n    w = tf.Variable"
    ).replace("tf.matmul(x, w)", "tf.matmul(x, w) * k")
    + "net = build()\n"
    + keyed("net"),
    "a name that other functions have": NET
    + "def shown(x):\n    t = x + 1\n    return t\n\n\nnet = build()\n"
    + keyed("net")
    + "print(shown(1))\n",
}


@pytest.mark.parametrize("name", PASSED)
def test_they_are_passed(name: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + PASSED[name]
    assert printed(made_native(code).text).split() == run_legacy(code).split()


def test_what_is_written() -> None:
    text = made_native(HEAD + PASSED["in a function that runs the session"]).text
    assert (
        """
def build(x, t, sizes=[2, 5], n=1):
    \"\"\"A linear model.\"\"\"

    # what is to come out
    w = compat.Variable(tf.ones([sizes[0], n]))
"""
        in text
    )
    assert "TensorSpec([None, 2], tf.float32, name='x')" in text
    assert "net = build(x, t, [2])" in text


def test_the_report_tells_of_the_lines_of_the_file() -> None:
    code = HEAD + PASSED["a dictionary"]
    lines = code.split("\n")
    result = rewritten(code)
    assert [lines[site.line - 1][site.column - 1 :][:9] for site in result.sites] == ["sess.run("] * 3
    told = [found for found in result.findings if found.symbol == "tf.placeholder"]
    assert [lines[found.line - 1][found.column - 1 :][:15] for found in told] == ["tf.placeholder("] * 2
    assert len({found.line for found in told}) == 2


def test_a_function_that_other_modules_call_stays(tmp_path: Path) -> None:
    script = HEAD + PASSED["in a function that runs the session"]
    outcome = trees.rewritten(tmp_path, {"train.py": script, "other.py": "from train import build\n\nprint(build)\n"})
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert b"def build(sizes" in outcome.contents["train.py"]


STAY = {
    "any number of parameters": NET.replace("sizes=[2, 5], n=1", "*more").replace("sizes[0]", "2").replace("n]", "1]")
    + "net = build(3, 4)\n"
    + keyed("net"),
    "called twice": NET + "net = build()\nother = build()\n" + keyed("net"),
    "called in a larger expression": NET + "nets = [build()]\n" + keyed("nets[0]"),
    "passed on": NET + "make = build\nnet = make()\n" + keyed("net"),
    "decorated": NET.replace("def build", "@staticmethod\ndef build") + "net = build()\n" + keyed("net"),
    "a name that means something where it is called": NET
    + "net = build()\n"
    + keyed("net")
    + "for x in range(2):\n    print(x)\n",
    "a name that something of the module reads": NET
    + "def shown():\n    return t\n\n\nnet = build()\n"
    + keyed("net")
    + "t = 3\nprint(shown())\n",
    "a name of Python's": NET.replace("x = tf", "input = tf").replace("(x,", "(input,").replace("'x': x", "'x': input")
    + "net = build()\nprint(callable(input))\n"
    + keyed("net"),
    "a size that the function computes": NET.replace("    # what goes in", "    size = max(sizes)\n").replace(
        "[None, sizes[0]]", "[None, size]"
    )
    + "net = build([2])\n"
    + keyed("net"),
    "a size that the function changes": NET.replace("    # what goes in", "    sizes.insert(0, 2)")
    + "net = build([3])\n"
    + keyed("net"),
    "a size that is bound anew": NET.replace("    # what goes in", "    sizes = [2]\n")
    + "net = build([3])\n"
    + keyed("net"),
    "a size that is computed in the call": NET + "net = build(list(range(2, 4)))\n" + keyed("net"),
    "a size that another argument may change": NET
    + "many = [3]\nnet = build(many, many.insert(0, 2) or 1)\n"
    + keyed("net"),
    "a name that means something else there": "SIZE = 2\n"
    + NET.replace("[None, sizes[0]]", "[None, SIZE]")
    + "def built():\n    SIZE = 3\n    net = build(n=SIZE - 2)\n    return net\n\n\nmodel = built()\n"
    + keyed("model"),
    "TensorFlow means something else there": NET
    + "def built():\n    import numpy as tf\n\n    net = build()\n    return net, tf.ones(2)\n\n\n"
    + "model = built()[0]\n"
    + keyed("model"),
    "what a name of the function means": NET.replace("[None, sizes[0]]", "[None, width()]").replace(
        '    """A linear model."""', "    def width():\n        return 2\n"
    )
    + "net = build()\n"
    + keyed("net"),
    "a name of the whole module": NET.replace("    # what goes in", "    global x") + "net = build()\n" + keyed("net"),
    "one of several names": NET.replace("    w =", "    x = x * 1.0\n    w =") + "net = build()\n" + keyed("net"),
    "one that depends on a condition": NET.replace("    x =", "    if n:\n        x =")
    + "net = build()\n"
    + keyed("net"),
}


REASONS = {
    "decorated": "`build` is decorated",
    "any number of parameters": "`build` takes any number of arguments",
    "a size that the function changes": "`build` does more than build a part of the graph",
    "TensorFlow means something else there": "`built` does more than build a part of the graph",
    "a name of the whole module": "`build` does more than build a part of the graph",
}


@pytest.mark.usefixtures("as_it_stands")
@pytest.mark.parametrize("name", STAY)
def test_it_stays(name: str) -> None:
    code = HEAD + STAY[name]
    assert with_passed(read("train.py", code.encode()), Index({}, {}), "compat") is None
    refuses(code, REASONS.get(name, "`build` makes a placeholder"))


WRITTEN_WHERE_CALLED = {
    "a name that means something where it is called",
    "a name that something of the module reads",
    "a name of Python's",
    "a size that the function computes",
    "a size that the function changes",
    "a size that is bound anew",
    "a size that is computed in the call",
    "a size that another argument may change",
}


@pytest.mark.parametrize("name", STAY)
def test_its_function_may_be_written_where_it_is_called(name: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + STAY[name]
    if name in WRITTEN_WHERE_CALLED:
        assert printed(made_native(code).text).split() == run_legacy(code).split()
    else:
        assert {site.tier for site in rewritten(code).sites} == {"bridge"}


OTHERS = {
    "two names the other way round": """\
def build():
    x = tf.placeholder(tf.float32, [])
    z = tf.placeholder(tf.float32, [])
    y = x - z
    return z, x, y


x, z, y = build()
sess = tf.Session()
print(sess.run(y, {x: 3.0, z: 1.0}))
""",
    "in a constructor": """\
def build(n):
    x = tf.placeholder(tf.float32, [None, n])
    w = tf.Variable(tf.ones([n, 1]))
    return x, tf.matmul(x, w)


class Model(object):
    def __init__(self, n):
        self.x, self.y = build(n)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def run(self, value):
        return self.sess.run(self.y, {self.x: value})


model = Model(2)
print(model.run(np.ones((1, 2))))
""",
}


@pytest.mark.parametrize("name", OTHERS)
def test_others(name: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + OTHERS[name]
    assert printed(made_native(code).text).split() == run_legacy(code).split()


FED_OTHERWISE = {
    "a result that has the name is fed": """\
def build():
    x = tf.placeholder(tf.float32, [])
    return x * 2.0


x = build()
y = x + 1.0
sess = tf.Session()
print(sess.run(y, {x: 3.0}))
""",
    "a tensor inside of the function is fed": """\
def build():
    x = tf.placeholder(tf.float32, [])
    h = x * 2.0
    return {'x': x, 'h': h, 'y': h + 1.0}


net = build()
sess = tf.Session()
print(sess.run(net['y'], {net['x']: 3.0}), sess.run(net['y'], {net['h']: 3.0}))
""",
    "it is called in a loop": """\
def build(n):
    x = tf.placeholder(tf.float32, [n])
    return x, tf.reduce_sum(x)


sess = tf.Session()
for n in [1, 2]:
    x, y = build(n)
    print(sess.run(y, {x: np.ones(n)}))
""",
}


@pytest.mark.usefixtures("as_it_stands")
@pytest.mark.parametrize("name", FED_OTHERWISE)
def test_it_stays_where_the_runs_need_another_graph(name: str) -> None:
    refuses(HEAD + FED_OTHERWISE[name], "`build` makes a placeholder")
