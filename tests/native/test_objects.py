"""Classes whose constructors build a graph: functions take the place of their tensors, methods call these."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, refuses, rewritten

HEAD = "import numpy as np\nimport tensorflow as tf\n"
MODEL = '''

class Line(object):
    """A line through data."""

    def __init__(self, session, size, rate=0.1):
        self.session = session
        self.size = size
        self._build()
        step = tf.train.GradientDescentOptimizer(rate)
        self.train_op = step.minimize(self.loss)
        self.losses = []

    def _build(self):
        self.x = tf.placeholder(tf.float32, [None, self.size], name="x")
        self.y = tf.placeholder(tf.float32, [None])
        with tf.variable_scope("line"):
            weights = tf.Variable(tf.ones([self.size, 1]), name="weights")
            # one number a row
            self.value = tf.squeeze(tf.matmul(self.x, weights), axis=1)
        self.loss = tf.reduce_mean(tf.square(self.value - self.y))

    def learn(self, x, y):
        _, loss = self.session.run([self.train_op, self.loss], {self.x: x, self.y: y})
        self.losses.append(loss)
        return loss

    def learn_often(self, x, y, times):
        return [self.learn(x, y) for _ in range(times)]

    def predict(self, x):
        return self.session.run(self.value, feed_dict={self.x: x})
'''
USE = """

sess = tf.Session()
line = Line(sess, 2)
sess.run(tf.global_variables_initializer())
print(["%.4f" % value for value in line.learn_often([[1.0, 2.0]], [1.0], 3)])
print("%.4f" % line.predict(np.array([[2.0, 2.0]]))[0])
"""
# What TensorFlow 1.15.5 prints, here and below.
PRINTED = "['4.0000', '0.0000', '0.0000']\n1.6000\n"


def test_methods_that_run_call_functions_made_in_the_constructor() -> None:
    result = made_native(HEAD + MODEL + USE)
    assert "def __init__(self, size, rate=0.1):" in result.text
    assert "line = Line(2)" in result.text
    assert "loss = self.train_step(x, y).numpy()" in result.text
    assert "return self.predict" not in result.text
    assert "session" not in result.text.lower()
    assert printed(result.text) == PRINTED


def test_an_object_that_makes_its_own_session() -> None:
    model = MODEL.replace("session, size", "size").replace("self.session = session", "self.session = tf.Session()")
    model = model.replace(
        "self.losses = []", "self.session.run(tf.global_variables_initializer())\n        self.losses = []"
    )
    code = (
        HEAD
        + model
        + "\n\nline = Line(2)\nprint(['%.4f' % value for value in line.learn_often([[1.0, 2.0]], [1.0], 3)])\n"
    )
    result = made_native(code)
    assert printed(result.text) == PRINTED.split("\n")[0] + "\n"


def test_runs_outside_of_the_class_call_through_the_object() -> None:
    use = USE + "print('%.4f' % sess.run(line.loss, {line.x: [[1.0, 2.0]], line.y: [1.0]}))\n"
    result = made_native(HEAD + MODEL + use)
    assert "line.compute_loss([[1.0, 2.0]], [1.0]).numpy()" in result.text
    assert printed(result.text) == PRINTED + "0.0000\n"


def test_two_objects_have_functions_of_the_same_names() -> None:
    other = MODEL.replace("Line", "Curve").replace('"line"', '"curve"')
    use = USE + "curve = Curve(sess, 1)\n"
    code = HEAD + MODEL + other + USE.replace("sess.run(tf.gl", "curve = Curve(sess, 1)\nsess.run(tf.gl")
    code += "print('%.4f' % curve.learn([[3.0]], [1.0]))\n"
    result = made_native(code)
    assert result.text.count("self.train_step = train_step") == 2
    assert printed(result.text) == PRINTED + "4.0000\n"
    assert use != code


MANY = """

sess = tf.Session()
lines = [Line(sess, size) for size in (1, 2)]
last = Line(sess, 2, rate=0.2)
sess.run(tf.global_variables_initializer())
for line in lines:
    print(['%.4f' % value for value in line.learn_often([[1.0] * line.size], [1.0], 2)])
print(['%.4f' % value for value in last.learn_often([[1.0, 2.0]], [1.0], 3)])
"""
MANY_PRINTED = "['0.0000', '0.0000']\n['1.0000', '0.3600']\n['4.0000', '4.0000', '4.0000']\n"


def test_each_of_several_objects_has_variables_and_functions_of_its_own() -> None:
    result = made_native(HEAD + MODEL + MANY)
    assert "lines = [Line(size) for size in (1, 2)]\nlast = Line(2, rate=0.2)\n" in result.text
    assert "sess" not in result.text
    assert printed(result.text) == MANY_PRINTED


def test_objects_in_scopes_that_are_named_at_run_time() -> None:
    model = MODEL.replace("session, size", "session, name, size").replace('"line"', "self.name")
    model = model.replace("self.size = size", "self.size = size\n        self.name = name")
    many = MANY.replace("Line(sess, size)", "Line(sess, 'line%d' % size, size)").replace("(sess, 2", "(sess, 'last', 2")
    result = made_native(HEAD + model + many)
    assert "with tf.name_scope(self.name):" in result.text
    assert printed(result.text) == MANY_PRINTED


def test_a_method_gives_the_none_of_an_operation() -> None:
    model = MODEL.replace("_, loss = self", "both = self").replace(
        "loss)\n        return loss", "both[1])\n        return both[1]"
    )
    assert "both" in model
    result = rewritten(HEAD + model + USE)
    assert "both = [None, self.train_step(x, y).numpy()]" in result.text
    assert printed(result.text) == PRINTED


APART = """

class Net(object):
    def __init__(self, size):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self._build()

    def _build(self):
        w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        self.out = tf.reduce_sum(tf.matmul(self.x, w))
        self.count = tf.Variable(0, trainable=False, name="count")
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.out, global_step=self.count)


def main():
    net = Net(2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            _, out, count = sess.run([net.train_op, net.out, net.count], {net.x: [[1.0, 2.0]]})
            print(count, "%.4f" % out)


main()
"""


def test_a_variable_that_a_function_outside_fetches() -> None:
    result = made_native(HEAD + APART)
    assert "self.count.read_value()" in result.text
    assert printed(result.text) == "1 3.0000\n2 2.5000\n"


SIZED = APART.replace("[None, 2]", "[None, size]")


def test_a_shape_that_only_another_method_knows() -> None:
    """The function is made where the parameter `size` is not known: an attribute holds it."""
    text = rewritten(HEAD + SIZED).text
    assert "        self.size = size\n" in text and "tf.TensorSpec([None, self.size]" in text
    assert printed(text) == "1 3.0000\n2 2.5000\n"


def test_an_attribute_that_holds_a_parameter_already() -> None:
    code = SIZED.replace(
        "        self.x = tf.placeholder", "        self.width = size\n        self.x = tf.placeholder"
    )
    text = rewritten(HEAD + code).text
    assert "size = size" not in text and "tf.TensorSpec([None, self.width]" in text
    changed = rewritten(HEAD + code + "model.width = 5\n").text
    assert "        self.size = size\n" in changed and "tf.TensorSpec([None, self.size]" in changed


def test_a_parameter_that_is_bound_anew() -> None:
    site = deciding_site(
        HEAD + SIZED.replace("        self.x = tf.placeholder", "        size += 0\n        self.x = tf.placeholder")
    )
    assert site.tier == "bridge" and "needs `size` of `__init__`" in str(site.reason)


REFUSED = {
    "objects that get different sessions": (MODEL, MANY.replace("Line(sess, 2, ", "Line(tf.Session(), 2, "), "session"),
    "objects of a class that runs the initializer": (
        MODEL.replace("self.losses = []", "self.session.run(tf.global_variables_initializer())"),
        MANY,
        "each time that one is made",
    ),
    "objects that are made on a device": (
        MODEL,
        MANY.replace("last = ", 'with tf.device("/cpu:0"):\n    lines.append(Line(sess, 1))\nlast = ').replace(
            "lines = [Line(sess, size) for size in (1, 2)]", "lines = []"
        ),
        "is made on a device",
    ),
    "a session that is bound beside another value": (
        MODEL.replace(
            "        self.session = session\n        self.size = size\n",
            "        self.session, self.size = session, size\n",
        ),
        MANY,
        "is bound beside other values",
    ),
    "several objects and a Saver": (
        MODEL,
        MANY.replace("sess.run(tf.gl", "saver = tf.train.Saver()\nsess.run(tf.gl"),
        "a Saver",
    ),
    "several objects of a class that lists all variables": (
        MODEL.replace(".minimize(self.loss)", ".minimize(self.loss, var_list=tf.trainable_variables())"),
        MANY,
        "depends on the others",
    ),
    "an object that is made in a loop, and fetched from outside": (
        MODEL,
        "\nsess = tf.Session()\nfor _ in range(2):\n    line = Line(sess, 2)\n    print(sess.run(line.loss))\n",
        "is fetched, and what it is is not known",
    ),
    "an attribute that is bound again": (
        MODEL + "\n    def forget(self):\n        self.loss = 0\n",
        USE,
        "bound again",
    ),
    "a tensor that a method reads without running it": (
        MODEL + "\n    def show(self):\n        print(self.loss)\n",
        USE,
        "no run",
    ),
    "a tensor is fed that is no placeholder": (
        MODEL.replace("{self.x: x})", "{self.x: x, self.value: [1.0]})"),
        USE,
        "is fed, and may have other names",
    ),
    "an object that other code may read": (MODEL, USE + "def show(it):\n    print(it.loss)\nshow(line)\n", "no run"),
    "attributes by name": (MODEL + "\n    def show(self, name):\n        return getattr(self, name)\n", USE, "getattr"),
    "a value that a method changes": (
        MODEL.replace("axis=1)", "axis=1) * self.size") + "\n    def grow(self):\n        self.size += 1\n",
        USE,
        "may be changed",
    ),
    "a subclass": (MODEL.replace("(object)", "(Base)"), USE.replace("\nsess", "\nclass Base: pass\nsess", 1), "class"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    model, use, reason = REFUSED[name]
    code = HEAD + model + use
    refuses(code, reason)
