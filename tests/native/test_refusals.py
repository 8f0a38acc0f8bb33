"""What the native tier is not sure of goes to the bridge, with the place and the reason."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, refuses, tier_of

MODEL = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
y = x * w
loss = tf.reduce_sum(y)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""

CASES = {
    "a builder that makes a placeholder": (
        "def f(t):\n    return t * tf.placeholder_with_default(2.0, [])\nz = f(y)\nprint(sess.run(z, {x: [1.0]}))",
        "`f` makes a placeholder",
    ),
    "a builder that returns from a try": (
        "def f(t):\n    try:\n        return t * w\n    except ValueError:\n        return t\n"
        "print(sess.run(f(y), {x: [1.0]}))",
        "returns from a `try`",
    ),
    "a function that is given a builder": (
        "def build():\n    return tf.constant(1.0) * w\ndef call(f):\n    print(f)\n    return f()\n"
        "z = call(build)\nprint(sess.run(z))",
        "does more than build",
    ),
    "a part of a graph that was thrown away": (
        "tf.reset_default_graph()\nz = y * 2.0\nprint(tf.Session().run(z, {x: [1.0]}))",
        "is of a graph that was thrown away",
    ),
    "the session of a graph that was thrown away": (
        "tf.reset_default_graph()\nz = tf.constant(1.0)\nprint(sess.run(z))",
        "is of a graph that was thrown away",
    ),
    "a graph thrown away in a loop": (
        "for _ in range(2):\n    tf.reset_default_graph()",
        "another one begins",
    ),
    "a function of a graph that was thrown away": (
        "def f(a):\n    return sess.run(y, {x: a})\nprint(f([1.0]))\ntf.reset_default_graph()\nprint(f([2.0]))",
        "another one begins",
    ),
    "a name of Python's own that the written code needs": (
        "for zip in range(2):\n    sess.run(train, {x: [1.0]})",
        "calls Python's own `zip`",
    ),
    "a placeholder that is not fed": ("sess.run(loss)", "`x` is not fed"),
    "a tensor is fed": ("sess.run(loss, {y: [1.0]})", "a type and a shape that no function shows"),
    "a feed by name": ('sess.run(loss, {"x:0": [1.0]})', "what is fed is not known"),
    "a fetch by name": ('sess.run("y:0", {x: [1.0]})', "what it is is not known"),
    "a feed dictionary filled in a condition": (
        "feed = {x: [1.0]}\nif rate:\n    feed[x] = [2.0]\nsess.run(loss, feed)",
        "used as a Python value",
    ),
    "a feed dictionary whose value changed since": (
        "v = [1.0]\nfeed = {x: v}\nv = [2.0]\nsess.run(loss, feed)\nfeed = {x: v}\nsess.run(loss, feed)",
        "may have changed",
    ),
    "a feed dictionary from a function": ("sess.run(loss, make())", "what is fed is not known"),
    "a name rebound in a loop": (
        "for _ in range(2):\n    loss = sess.run(loss, {x: [1.0]})",
        "on some paths",
    ),
    "a variable's name rebound before a later run, and read in a function": (
        "def f(a):\n    return a * w\nz = f(x)\nw = sess.run(w)\nsess.run(z, {x: [1.0]})",
        "`w` has another value here",
    ),
    "a Python value rebound before the run": (
        "k = 2.0\nz = y * k\nk = 3.0\nsess.run(z, {x: [1.0]})",
        "`k` has another value here",
    ),
    "a name that an import binds anew before the run": (
        "pi = 2.0\nz = y * pi\nfrom math import pi\nsess.run(z, {x: [1.0]})",
        "`pi` has another value here",
    ),
    "a name that an import in a block binds anew": (
        "pi = 2.0\nz = y * pi\ntry:\n    from math import pi\nexcept ImportError:\n    pass\nsess.run(z, {x: [1.0]})",
        "`pi` has another value here",
    ),
    "a name that an import in a function binds anew": (
        "pi = 2.0\nz = y * pi\ndef f():\n    return sess.run(z, {x: [1.0]})\n"
        "def load():\n    global pi\n    from math import pi\nload()\nf()",
        "may be bound anew",
    ),
    "a number that a loop binds as well, and that a tensor goes on from": (
        "k = 2.0\nfor _ in range(2):\n    print(sess.run(loss, {x: [1.0]}))\n    k += 1.0\nk = k * y\n"
        "print(sess.run(k, {x: [1.0]}))",
        "`k` is a value that stays first",
    ),
    "a list that changes before the run": (
        "k = [2.0]\nz = y * k\nk.append(3.0)\nsess.run(z, {x: [1.0]})",
        "`k`, which the graph was built with",
    ),
    "an array that may change before the run": (
        "k = np.ones(3)\nz = y * k\nk[0] = 5.0\nsess.run(z, {x: [1.0]})",
        "`k`, which the graph was built with",
    ),
    "an array given to unknown code": (
        "k = np.ones(3)\nz = y * k\nshuffle(k)\nsess.run(z, {x: [1.0]})",
        "`k`, which the graph was built with",
    ),
    "a graph that depends on a loop variable": (
        "for k in range(3):\n    sess.run(y * k, {x: [1.0]})",
        "`k`, which changes",
    ),
    "Python's random numbers in the graph": (
        "z = y * np.random.rand()\nsess.run(z, {x: [1.0]})",
        "is computed while the graph is built",
    ),
    "a graph that grows in a loop of runs": (
        "for _ in range(3):\n    y = y * 2.0\n    sess.run(y, {x: [1.0]})",
        "on some paths",
    ),
    "a loop that takes random numbers of Python": (
        "for _ in range(3):\n    y = y * np.random.rand()\nsess.run(y, {x: [1.0]})",
        "is computed while the graph is built",
    ),
    "a loop over what may have changed": (
        "sizes = [1, 2]\nfor size in sizes:\n    y = y * size\nsizes.append(3)\nsess.run(y, {x: [1.0]})",
        "`sizes`, which the graph was built with",
    ),
    "a loop whose number another statement reads": (
        "total = 0\nprint(total)\nfor _ in range(3):\n    total += y\nsess.run(total, {x: [1.0]})",
        "the graph grows inside a loop",
    ),
    "a number of a loop that is needed behind it": (
        "for n in range(3):\n    y = y * n\nprint(n)\nsess.run(y, {x: [1.0]})",
        "on some paths",
    ),
    "a list with another name that a loop fills": (
        "parts = []\nother = parts\nfor n in range(3):\n    parts.append(y * n)\nsess.run(tf.add_n(other), {x: [1.0]})",
        "given to `parts.append`",
    ),
    "a condition on a random number": (
        "if np.random.rand() > 0.5:\n    y = y * 2.0\nsess.run(y, {x: [1.0]})",
        "is computed while the graph is built",
    ),
    "a loop that makes variables": (
        "for _ in range(3):\n    y = y * tf.Variable(1.0)\nsess.run(y, {x: [1.0]})",
        "this variable is created after the initializer",
    ),
    "a variable without a name of its own": (
        "z = y * tf.Variable(1.0)\nsess.run(z, {x: [1.0]})",
        "a variable is created inside an expression",
    ),
    "a tensor from outside, hidden by a name of the caller": (
        "def f(t):\n    return t * y\ndef g(t):\n    y = t + 1.0\n    return f(t) + y\nsess.run(g(x), {x: [1.0]})",
        "reads the tensor `y` from outside",
    ),
    "a function that takes a tensor by default": (
        "def f(t, u=y):\n    return t * u\nsess.run(f(x), {x: [1.0]})",
        "a part of the graph is used as a Python value",
    ),
    "random numbers that two variables begin with": (
        "r = tf.random_normal([2])\na = tf.Variable(r)\nb = tf.Variable(r)\nsess.run([a, b])",
        "initial value",
    ),
    "a loop that is left early": (
        "scales = [2.0]\ndef f(t):\n    for n in range(3):\n        t = t * 2.0\n        if n:\n            break\n"
        "    return t * scales[0]\n"
        "sess.run(f(y), {x: [1.0]})",
        "leaves a loop early",
    ),
    "a builder that fills a list it is given": (
        "def f(t, parts):\n    parts.append(t * 2.0)\n    return tf.add_n(parts)\nsess.run(f(y, [y]), {x: [1.0]})",
        "does more than build",
    ),
    "an operation that is not understood": (
        "z = tf.nn.ctc_greedy_decoder(y, [1])\nsess.run(z, {x: [1.0]})",
        "`tf.nn.ctc_greedy_decoder` is not understood",
    ),
    "control dependencies": (
        "with tf.control_dependencies([train]):\n    z = tf.get_variable('z', [])\nsess.run(z, {x: [1.0]})",
        "something else than averages, assignments, groups and tensors",
    ),
    "all trainable variables": ("f(tf.trainable_variables())\nsess.run(y, {x: [1.0]})", "given to `f`"),
    "the variables of a scope": ('v = tf.trainable_variables("a")\nsess.run(y, {x: [1.0]})', "of one scope"),
    "a filter over shapes": (
        "v = [v for v in tf.trainable_variables() if v.shape.ndims]\nsess.run(y, {x: [1.0]})",
        "a part of the graph is used as a Python value",
    ),
    "gradients of gradients": (
        "g = tf.gradients(loss, [w])\nh = tf.gradients(tf.reduce_sum(g[0]), [w])\nsess.run(h, {x: [1.0]})",
        "computed from gradients",
    ),
    "gradients of a tensor": ("g = tf.gradients(loss, [3.0])\nsess.run(g, {x: [1.0]})", "other than variables"),
    "gradients in the run": ("sess.run(tf.gradients(loss, [w]), {x: [1.0]})", "inside a function or a run"),
    "tensors compared": ("print(y == loss)\nsess.run(y, {x: [1.0]})", "compares tensors by identity"),
    "a tensor printed that no run computes": (
        "z = y + 1.0\nprint(z)\nsess.run(y, {x: [1.0]})",
        "no function computes all",
    ),
    "a tensor in an f-string": ('print(f"{y}")\nsess.run(y, {x: [1.0]})', "used as a Python value"),
    "a tensor formatted": ('s = "%s" % y\nsess.run(y, {x: [1.0]})', "formatted as text"),
    "a tensor stored in an object": ("model.y = y\nsess.run(y, {x: [1.0]})", "stored in an object"),
    "the session's graph": ("print(sess.graph)\nsess.run(y, {x: [1.0]})", "`.graph`"),
    "the session given away": ("evaluate(sess)\nsess.run(y, {x: [1.0]})", "given to `evaluate`"),
    "a variable after the initializer": (
        "v = tf.Variable(1.0)\nsess.run(y * v, {x: [1.0]})",
        "created after the initializer",
    ),
    "a variable initialized again": (
        "sess.run(w.initializer)\nsess.run(y, {x: [1.0]})",
        "initialized that has a value",
    ),
    "a variable assigned to, then initialized": (
        "v = tf.Variable(1.0)\nsess.run(v.assign(2.0))\nsess.run(v.initializer)\nprint(sess.run(v))",
        "initialized that has a value",
    ),
    "variables of a list that is not known": (
        "sess.run(tf.variables_initializer(tf.global_variables()))\nsess.run(y, {x: [1.0]})",
        "tf.global_variables",
    ),
    "an optimizer that is used after all were initialized again": (
        "opt = tf.train.AdamOptimizer(0.1)\nv = tf.Variable(1.0)\nsess.run(v.initializer)\n"
        "sess.run(opt.minimize(v * v))\nu = tf.Variable(1.0)\nstep = opt.minimize(u * u)\n"
        "sess.run(tf.global_variables_initializer())\nsess.run(step)",
        "",
    ),
    "two sessions": ("sess2 = tf.Session()\nsess2.run(y, {x: [1.0]})", "several sessions"),
    "run options": ("sess.run(y, {x: [1.0]}, options=o)", "options or metadata"),
    "an alias of a variable beside its update": (
        "same = tf.identity(w)\nsess.run([train, same], {x: [1.0]})",
        "shares the memory of a variable",
    ),
    "a list with an alias of a variable beside its update": (
        "both = [y, tf.identity(w)]\nsess.run([train, both], {x: [1.0]})",
        "shares the memory of a variable",
    ),
    "an update and a copy of one variable": (
        "v = w.assign(3.0)\nu = w.assign_add(1.0)\nsess.run([u, v])",
        "updates `w` twice",
    ),
    "the None of an operation": ("done, result = sess.run([train, y], {x: [1.0]})\nprint(done)", "the None"),
    "a variable in an expression": ("z = y * tf.Variable(2.0)\nsess.run(z, {x: [1.0]})", "inside an expression"),
    "a tensor as a condition": ("z = y if loss > 0 else x\nsess.run(z, {x: [1.0]})", "condition"),
    "a run in a comprehension": ("print([sess.run(t, {x: [1.0]}) for t in (y, loss)])", "inside a comprehension"),
    "a run in a lambda": ("f = lambda: sess.run(y, {x: [1.0]})\nf()", "inside a lambda"),
    "a run in a function that is passed on": ("def f():\n    return sess.run(y, {x: [1.0]})\ngo(f)", "is passed on"),
    "a run in a function whose tensors are rebound": (
        "def f():\n    return sess.run(y, {x: [1.0]})\nf()\ny = 3",
        "bound again",
    ),
    "a run in a function with a session of its own": (
        "def f(sess):\n    return sess.run(y, {x: [1.0]})\nf(made())",
        "is not given the session",
    ),
    "a run in a nested function": (
        "def f():\n    def g():\n        return sess.run(y, {x: [1.0]})\n    return g()\nf()",
        "inside the function `f`",
    ),
    "a run in a class": ("class A:\n    def f(self):\n        return sess.run(y, {x: [1.0]})", "inside a class"),
    "a graph that depends on a parameter": (
        "def f(k):\n    return sess.run(y * k, {x: [1.0]})\nf(2.0)",
        "`k`, which changes",
    ),
    "make_callable": ("f = sess.make_callable(y)\n", "make_callable"),
}


@pytest.mark.parametrize("name", CASES)
def test_refused(name: str) -> None:
    code, reason = CASES[name]
    code = MODEL + code + "\n"
    assert tier_of(code) == "bridge"
    site = deciding_site(code)
    assert reason in (site.reason or "")
    assert site.next_step


BUILDING = {
    "a default that is computed": (
        "x = tf.placeholder_with_default(tf.zeros([]), [])",
        "neither a number nor a variable",
    ),
    "a sparse placeholder": ("x = tf.sparse_placeholder(tf.float32)", "tf.sparse_placeholder"),
    "an initial value from another variable": (
        "w = tf.Variable(1.0)\nx = tf.Variable(w + 1.0)",
        "computed from `w`",
    ),
    "a variable made in a function from a tensor": (
        "p = tf.placeholder(tf.float32)\ndef make(t):\n    return tf.Variable(t)\nx = make(p)",
        "computed from tensors",
    ),
    "a collection": ("w = tf.Variable(1.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])\nx = w", "collections"),
    "a variable whose name another operation may have": (
        'c = tf.constant(1.0, name="w")\nx = tf.Variable(1.0, name="w")',
        "another operation may have the name `w`",
    ),
    "get_variable twice": (
        'w = tf.get_variable("w", [1], initializer=tf.zeros_initializer())\n'
        'x = tf.get_variable("w", [1], initializer=tf.zeros_initializer())',
        "`w`",
    ),
    "a scope entered twice": (
        'with tf.variable_scope("a"):\n    w = tf.Variable(1.)\nwith tf.variable_scope("a"):\n    x = tf.Variable(1.)',
        "entered twice",
    ),
    "a scope that reuses": ('with tf.variable_scope("a", reuse=True):\n    x = tf.Variable(1.0)', "tf.variable_scope"),
    "gradients of a variable that is not trainable": (
        "w = tf.Variable(1.0, trainable=False)\nx = tf.gradients(w * w, [w])",
        "not trainable",
    ),
    "an optimizer with a tensor for its momentum": (
        "r = tf.placeholder(tf.float32)\nw = tf.Variable(1.0)\nx = tf.train.AdamOptimizer(0.1, r).minimize(w * w)",
        "AdamOptimizer",
    ),
    "a queue": ("x = tf.FIFOQueue(3, tf.float32).dequeue()", "tf.FIFOQueue"),
    "a feedable iterator": ("x = tf.data.Iterator.from_string_handle(h, tf.int64).get_next()", "from_string_handle"),
    "a builder that prints": (
        "p = tf.placeholder(tf.float32)\ndef f(a):\n    print(1)\n    return a\nx = f(p)",
        "does more than build",
    ),
    "a class that builds": (
        "class M:\n    y = tf.constant(1.0)\nx = M.y",
        "`M` uses TensorFlow, and is used for more than to make",
    ),
    "a layer that updates": (
        "p = tf.placeholder(tf.float32, [1, 1])\nx = tf.layers.batch_normalization(p, renorm=True)",
        "tf.layers.batch_normalization",
    ),
    "a scope that counts as a layer": (
        'p = tf.placeholder(tf.float32, [1, 1])\nwith tf.variable_scope("dense"):\n    q = p + 1.0\n'
        "x = tf.layers.dense(q, 1)",
        "may take the name",
    ),
    "a layer whose input the run does not feed": (
        "p = tf.placeholder(tf.float32, [1, 1])\nx = tf.layers.dense(tf.zeros([1, 1]), 1)\ny = tf.layers.dense(p, 1)",
        "`p` is not fed",
    ),
    "the variables of layers": (
        "p = tf.zeros([1, 1])\nv = tf.Variable(1.0)\nx = tf.gradients(tf.layers.dense(p, 1), tf.trainable_variables())",
        "variables of layers",
    ),
}


@pytest.mark.parametrize("name", BUILDING)
def test_refused_while_building(name: str) -> None:
    code, reason = BUILDING[name]
    code = f"import tensorflow as tf\n{code}\nwith tf.Session() as sess:\n"
    code += "    sess.run(tf.global_variables_initializer())\n    print(sess.run(x))\n"
    assert tier_of(code) == "bridge"
    site = deciding_site(code)
    assert reason in (site.reason or "")
    assert site.next_step


def test_no_initializer_ran() -> None:
    code = MODEL.replace("sess.run(tf.global_variables_initializer())\n", "") + "sess.run(y, {x: [1.0]})\n"
    assert "no initializer" in (deciding_site(code).reason or "")


def test_a_site_names_what_forced_it() -> None:
    code = MODEL + "sess.run(loss)\nsess.run(y, {x: [1.0]})\n"
    site = deciding_site(code + "\n")
    assert (site.tier, site.alone, site.forced_by) == ("bridge", "native", "train.py:10")


def test_tabs_among_spaces_stay_with_the_bridge() -> None:
    code = MODEL + "for _ in range(2):\n\tsess.run(train, {x: [1.0]})\nif True:\n    print(1)\n"
    refuses(code, "the file is indented with tabs and spaces")


def test_a_script_without_functions_would_be_taken_for_tf1_again() -> None:
    code = "import tensorflow as tf\nw = tf.Variable(1.0)\nwith tf.Session() as sess:\n"
    code += "    sess.run(tf.global_variables_initializer())\n    sess.run(tf.assign(w, 2.0))\n"
    assert "without a function" in (deciding_site(code).reason or "")
