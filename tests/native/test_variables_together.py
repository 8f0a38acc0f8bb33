"""Functions make every variable that is trained where a loop has to make some: TF1 counted the names of all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

SCRIPT = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
with tf.name_scope("first"):
    w = tf.Variable(tf.ones([2, 2]) * 0.3, name="w")
    net = tf.matmul(x, w)
for i in range(2):
    with tf.name_scope("layer%d" % i):
        v = tf.Variable(tf.random_uniform([2, 2], -1.0, 1.0, seed=7), name="w")
        b = tf.Variable(tf.truncated_normal([2], seed=3), name="b")
        net = tf.nn.tanh(tf.matmul(net, v) + b)
with tf.name_scope("out"):
    u = tf.Variable(tf.random_uniform([2, 2], -1.0, 1.0, seed=7), name="w")
    y = tf.matmul(net, u)
loss = tf.reduce_sum(tf.square(y - 1.0))
step = tf.Variable(0, trainable=False, name="step")
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, global_step=step)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.5f" % sess.run([loss, train], {x: [[1.0, 2.0]]})[0])
    saver.save(sess, "./model", global_step=step)
for item in tf.train.list_variables("./model-3"):
    print(item)
"""
# What TensorFlow 1.15.5 prints, here and below.
OUTPUT = """\
1.60324
1.45406
1.32045
('first/w', [2, 2])
('layer0/b', [2])
('layer0/w', [2, 2])
('layer1/b', [2])
('layer1/w', [2, 2])
('out/w', [2, 2])
('step', [])
"""
BUILDERS = """\
import tensorflow as tf


def dense(t, n):
    w = tf.Variable(tf.ones([2, n]) * 0.5, name="w")
    return tf.matmul(t, w)


x = tf.placeholder(tf.float32, [None, 2])
with tf.name_scope("one"):
    h = dense(x, 2)
with tf.name_scope("two"):
    y = dense(h, 2)
train = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_sum(tf.square(y)))
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {x: [[1.0, 2.0]]})
    saver.save(sess, "./model")
print(tf.train.list_variables("./model"))
"""
BUILDERS_OUTPUT = "[('one/w', [2, 2]), ('two/w', [2, 2])]\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_those_of_the_script_and_of_its_loop() -> None:
    result = made_native(SCRIPT)
    assert '        with compat.name_scope("first/"):\n            w = compat.Variable(' in result.text
    assert "\nstep = tf.Variable(0, trainable=False" in result.text
    assert printed(result.text) == OUTPUT


def test_scopes_of_the_script_around_functions() -> None:
    assert printed(made_native(BUILDERS).text) == BUILDERS_OUTPUT


def test_a_variable_of_the_script_and_one_of_a_function_without_names() -> None:
    code = """\
import tensorflow as tf

def make():
    return tf.Variable(1.0)

w = tf.Variable(2.0)
x = make() + w
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(x))
    saver.save(sess, "./model")
    reader = tf.train.load_checkpoint("./model")
    print(reader.get_tensor("Variable"), reader.get_tensor("Variable_1"))
"""
    assert printed(made_native(code).text) == "3.0\n2.0 1.0\n"


def test_nothing_else_is_moved() -> None:
    alone = re.sub(r"for i in .*?with tf.name_scope\(\"out", 'with tf.name_scope("out', SCRIPT, flags=re.DOTALL)
    assert alone != SCRIPT
    assert "VariableStore" not in rewritten(alone).text


def test_scopes_of_odd_names_that_nothing_goes_by() -> None:
    code = BUILDERS.replace('"two"', '"one/"').replace('"one"', "None").replace("saver = tf.train.Saver()\n", "")
    code = code.replace('    saver.save(sess, "./model")\n', "    print(sess.run(y, {x: [[1.0, 2.0]]}))\n")
    code = code.replace('print(tf.train.list_variables("./model"))\n', "")
    assert printed(made_native(code).text) == "[[1.2285 1.2285]]\n"


LOOP = '"layer%d" % i'
CLASH = "their names may clash"
REFUSED = {
    "a scope that is entered twice": (
        "net = tf.matmul(x, w)\n",
        'net = tf.matmul(x, w)\nwith tf.name_scope("first"):\n    c = tf.Variable([0.1, 0.2])\n    net = net + c\n',
        CLASH,
    ),
    "a scope in other letters": ('name_scope("out")', 'name_scope("First")', CLASH),
    "a scope of the loop's names": ('name_scope("out")', 'name_scope("layer1")', CLASH),
    "a scope of the loop of any name": (LOOP, '"%d/out" % i', CLASH),
    "a scope whose name is computed": (
        'with tf.name_scope("out")',
        'other = "out" if len("x") else "o"\nwith tf.name_scope(other)',
        CLASH,
    ),
    "a scope with an operation's name": (
        "    net = tf.matmul(x, w)",
        '    net = tf.matmul(x, w)\ne = tf.ones([], name="out")',
        CLASH,
    ),
    "a scope with the name of an operation by default": ('name_scope("out")', 'name_scope("MatMul")', CLASH),
    "a scope with the variable's name": ('name_scope("out")', 'name_scope("step")', CLASH),
    "a variable in a scope": ("step = tf", 'with tf.name_scope("other"):\n    step = tf', CLASH),
    "a variable without a name": (', name="step")', ")", CLASH),
    "a variable that has the name of the others": ('name="step"', 'name="w"', CLASH),
    "a scope of the loop that begins as the variable does": (LOOP, '"st%d" % i', CLASH),
    "a variable that is assigned to": (
        "saver = ",
        "double = tf.assign(w, w * 2.0)\nsaver = ",
        CLASH,
    ),
    "numbers that are drawn by NumPy": ("tf.ones([2, 2]) * 0.3", "np.random.rand(2, 2)", CLASH),
    "an initial value that a tensor has": ("tf.ones([2, 2]) * 0.3", "tf.ones([2, 2]) * tf.reduce_sum(x)", "from `x`"),
    "a seed that two runs draw by": (
        "    saver.save",
        "    print(sess.run(y, {x: [[1.0, 2.0]]}))\n    saver.save",
        CLASH,
    ),
    "a flag that is computed": ('name="w")\n    net', 'name="w", trainable=len("x") > 0)\n    net', "only at run time"),
    "a list of all variables": ("saver = ", "print(len(tf.global_variables()))\nsaver = ", "global_variables"),
}


@pytest.mark.parametrize(("old", "new", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(old: str, new: str, reason: str) -> None:
    assert old in SCRIPT
    refuses("import numpy as np\n" + SCRIPT.replace(old, new, 1), reason)


OTHER_NAMES = {
    "a scope that is entered twice": ('"two"', '"one"'),
    "a scope in other letters": ('"two"', '"ONE"'),
    "a scope with an operation's name": ("x = tf", 'e = tf.ones([], name="two")\nx = tf'),
    "a scope with the name of an operation by default": ('"two"', '"MatMul"'),
    "a scope at the root": ('"two"', "None"),
    "a scope whose name is empty": ('"two"', '""'),
    "a scope that is absolute": ('"two"', '"one/"'),
    "a scope in a scope": ('"two"', '"one/two"'),
    "a scope of the function": ("    w = tf", '    with tf.name_scope("two"):\n        e = tf.ones([])\n    w = tf'),
    "a scope of the function of any name": (
        "    w = tf",
        '    with tf.name_scope("t%s" % n):\n        e = tf.ones([])\n    w = tf',
    ),
}


@pytest.mark.parametrize(("old", "new"), OTHER_NAMES.values(), ids=OTHER_NAMES.keys())
def test_scopes_that_may_have_numbers(old: str, new: str) -> None:
    assert old in BUILDERS
    refuses(BUILDERS.replace(old, new, 1), "so TF1 may have numbered it")
