"""Functions that run tensors which they are given: natively they are given the functions that replace their runs."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

IMPORTS = "import numpy as np\nimport tensorflow as tf\n\n\n"
GRAPH = """\
x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None])
w = tf.Variable(tf.ones([2, 1]))
pred = tf.squeeze(tf.matmul(x, w), 1)
loss = tf.reduce_mean(tf.square(pred - y))
error = tf.reduce_max(tf.abs(pred - y))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
DATA = "data = [(np.full([3, 2], k, np.float32), np.arange(3.0)) for k in range(1, 3)]\n"
BEGIN = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
EVALUATE = """\
def evaluate(sess, tensor, x, y, data):
    return np.mean([sess.run(tensor, feed_dict={x: bx, y: by}) for bx, by in data])


"""
TRAIN = """\
def train(sess, train_op, loss, x, y, data, times=1):
    for bx, by in data * times:
        feed = {x: bx}
        feed[y] = by
        _, value = sess.run([train_op, loss], feed)
        print("%.4f" % value)


"""
CALLS = (
    '    train(sess, train_op, loss, x, y, data, 2)\n    print("%.4f" % evaluate(sess, loss, x=x, y=y, data=data))\n'
)
TRAINED = "1.6667\n5.5067\n2.0123\n0.8203\n"


def in_main(body: str) -> str:
    lines = "".join(f"    {line}".rstrip() + "\n" for line in body.splitlines())
    return f"def main():\n{lines}\n\nmain()\n"


def native(code: str) -> str:
    result = made_native(code)
    assert "sess" not in result.text.lower()
    assert rewritten(result.text).text == result.text
    return result.text


def test_functions_of_the_module_are_called_by_their_names() -> None:
    text = native(f"{IMPORTS}{TRAIN}{EVALUATE}{GRAPH}{DATA}{BEGIN}{CALLS}")
    assert "def train(data, times=1):" in text and "    train(data, 2)\n".strip() in text
    assert "value = train_step(bx, by).numpy()" in text and "evaluate(data=data)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == f"{TRAINED}0.7674\n"


def test_functions_of_another_function_are_handed_over() -> None:
    text = native(f"{IMPORTS}{TRAIN}{EVALUATE}{in_main(GRAPH + DATA + BEGIN + CALLS)}")
    assert "def train(train_step, data, times=1):" in text and "    train(train_step, data, 2)\n" in text
    assert "def evaluate(compute_loss, data):" in text and "evaluate(compute_loss, data=data)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == f"{TRAINED}0.7674\n"


@pytest.mark.parametrize("function", [False, True])
def test_each_call_hands_over_its_own(function: bool) -> None:
    calls = (
        '    print("%.4f" % evaluate(sess, loss, x, y, data))\n    sess.run(train_op, {x: data[0][0], y: data[0][1]})\n'
        '    print("%.4f" % evaluate(sess, tensor=error, x=x, y=y, data=data))\n'
        '    print("%.4f" % evaluate(sess, loss, x, y, data))\n'
    )
    body = GRAPH + DATA + BEGIN + calls
    text = native(f"{IMPORTS}{EVALUATE}{in_main(body) if function else body}")
    assert "def evaluate(compute_tensor, data):" in text
    assert "evaluate(compute_tensor=compute_error, data=data)" in text and "evaluate(compute_loss, data)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == "5.6667\n2.4000\n3.2667\n"


ON = """\
def step(sess, train_op, loss, x, y, bx, by):
    _, value = sess.run([train_op, loss], {x: bx, y: by})
    return value


def epoch(session, step_op, cost, x, y, data):
    for bx, by in data:
        print("%.4f" % step(session, step_op, cost, x, y, bx, by))


"""


def test_functions_that_hand_them_on() -> None:
    text = native(f"{IMPORTS}{ON}{in_main(GRAPH + DATA + BEGIN + '    epoch(sess, train_op, loss, x, y, data * 2)')}")
    assert "def epoch(train_step, data):" in text and "step(train_step, bx, by)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == TRAINED


def test_functions_that_hand_on_other_ones_each_time() -> None:
    half = "half = loss / 2\n"
    calls = (
        "    epoch(sess, train_op, loss, x, y, data)\n    epoch(sess, train_op, half, x, y, data)\n"
        '    print("%.4f" % step(sess, train_op, half, x, y, *data[0]))\n'
    )
    text = native(f"{IMPORTS}{ON}{in_main(GRAPH + half + DATA + BEGIN + calls)}")
    assert text.count("@tf.function") == 2 and "def epoch(train_step, data):" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == "1.6667\n5.5067\n1.0061\n0.4102\n0.4064\n"


def test_variables_stay() -> None:
    show = "def show(sess, v, t, x):\n    print(sess.run(v).tolist(), sess.run(t, {x: [[1.0, 1.0]]}).tolist())\n\n\n"
    text = native(f"{IMPORTS}{show}{in_main(GRAPH + BEGIN + '    show(sess, w, pred, x)')}")
    assert "def show(v, predict):" in text and "show(w, predict)" in text and "v.numpy().tolist()" in text
    assert printed(text) == "[[1.0], [1.0]] [2.0]\n"


def test_a_variable_beside_its_update() -> None:
    step = "def step(sess, op, v, x, y):\n    return sess.run([op, v], {x: [[1.0, 2.0]], y: [1.0]})[1].tolist()\n\n\n"
    text = native(f"{IMPORTS}{step}{in_main(GRAPH + BEGIN + '    print(step(sess, train_op, w, x, y))')}")
    # What TensorFlow 1.15.5 prints, six times of six: the variable behind its update.
    assert printed(text) == "[[0.6000000238418579], [0.19999998807907104]]\n"


def test_evaluated_tensors() -> None:
    show = "def show(sess, t, x):\n    print(t.eval(feed_dict={x: [[1.0, 1.0]]}, session=sess).tolist())\n\n\n"
    text = native(f"{IMPORTS}{show}{in_main(GRAPH + BEGIN + '    show(sess, pred, x)')}")
    assert printed(text) == "[2.0]\n"


ATTRIBUTES = """\
class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.y = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(tf.ones([2, 1]))
        pred = tf.squeeze(tf.matmul(self.x, self.w), 1)
        self.loss = tf.reduce_mean(tf.square(pred - self.y))
        self.error = tf.reduce_max(tf.abs(pred - self.y))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def fit(self, data):
        train(self.sess, self.train_op, self.loss, self.x, self.y, data)

    def mean(self, tensor, data):
        return "%.4f" % np.mean([self.sess.run(tensor, {self.x: bx, self.y: by}) for bx, by in data])

    def report(self, data):
        print(self.mean(self.loss, data), self.mean(self.error, data))


"""


def test_methods_hand_over_attributes_and_take_them() -> None:
    calls = "model = Model()\nmodel.fit(data * 2)\nmodel.report(data)\nprint(model.mean(model.error, data))\n"
    text = native(f"{IMPORTS}{TRAIN}{ATTRIBUTES}{DATA}{calls}")
    assert "train(self.train_step, data)" in text and "def mean(self, compute_tensor, data):" in text
    assert "self.mean(self.compute_loss, data)" in text and "model.mean(model.compute_error, data)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == f"{TRAINED}0.7674 1.3088\n1.3088\n"


def test_objects_hand_over_what_they_keep() -> None:
    net = ATTRIBUTES[: ATTRIBUTES.index("        self.sess")]
    calls = "    train(sess, net.train_op, net.loss, net.x, net.y, data * 2)\n"
    text = native(f"{IMPORTS}{TRAIN}{net}\n\n{in_main(f'net = Model(){chr(10)}{DATA}{BEGIN}{calls}')}")
    assert "train(net.train_step, data * 2)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == TRAINED


def test_nothing_is_traced_again() -> None:
    code = f"{IMPORTS}{TRAIN}{EVALUATE}{in_main(GRAPH + DATA + BEGIN + CALLS * 2)}"
    text = native(code).replace("    with tf.GradientTape()", '    print("traced")\n        with tf.GradientTape()')
    assert printed(text).count("traced") == 1


def test_eagerly() -> None:
    import tensorflow as tf

    text = native(f"{IMPORTS}{TRAIN}{EVALUATE}{in_main(GRAPH + DATA + BEGIN + CALLS)}")
    tf.config.run_functions_eagerly(True)
    try:
        assert printed(text.replace("np.arange(3.0)", "np.arange(3.0, dtype=np.float32)")) == f"{TRAINED}0.7674\n"
    finally:
        tf.config.run_functions_eagerly(False)


USED = EVALUATE.replace("    return", "    assert tensor is not None\n    return")
KEPT = "kept = []\n\n\n" + EVALUATE.replace("    return", "    kept.append(tensor)\n    return")
SWAPPED = "    print(evaluate(sess, loss, x, y, data), evaluate(sess, error, y, x, [(b, a) for a, b in data]))\n"
ONE = "    print(evaluate(sess, loss, x, y, data))\n"
SHOW = "def show(sess, v):\n    print(sess.run(v))\n\n\n"
PLAIN = GRAPH + DATA + BEGIN
REFUSED = {
    "a tensor that is used beside the runs": (f"{USED}{PLAIN}{ONE}", "uses the tensor `tensor`, which it is given"),
    "a tensor that is kept": (f"{KEPT}{PLAIN}{ONE}", "a part of the graph is given to `kept.append`"),
    "what is not known": (
        f"{EVALUATE}{PLAIN}    print(evaluate(sess, [loss][0], x, y, data))\n",
        "`evaluate` runs what it is given as `tensor`, and what `[loss][0]` is is not known",
    ),
    "an expression": (
        f"{EVALUATE}{PLAIN}    print(evaluate(sess, loss * 2, x, y, data))\n",
        "what `loss * 2` is is not known",
    ),
    "a call without a tensor": (
        f"{EVALUATE.replace('y, data', 'y=None, data=()')}{PLAIN}    print(evaluate(sess, loss, x, data=data))\n",
        "`evaluate` is not given the tensor that it runs as `y`",
    ),
    "no call": (
        f"{EVALUATE}{PLAIN}    print(sess.run(w))\n",
        "`evaluate` runs what it is given, and nothing here calls",
    ),
    "feeds in another order": (
        f"{EVALUATE}{PLAIN.replace('[None, 2]', '[None]')}{SWAPPED}".replace("tf.matmul(x, w), 1", "x * w, 0"),
        "the run becomes another call with other tensors that its function is given",
    ),
    "a variable once and a tensor another time": (
        f"{SHOW}{GRAPH}two = w * 2\n{BEGIN}    show(sess, w)\n    show(sess, two)\n",
        "the run computes something for some of the tensors that its function is given",
    ),
    "an update once and a tensor another time": (
        f"{EVALUATE}{PLAIN}{ONE}    print(evaluate(sess, train_op, x, y, data))\n",
        "the run becomes another call with other tensors that its function is given",
    ),
    "a function that is passed on as well": (
        f"{EVALUATE}{PLAIN}{ONE}    print(list(map(evaluate, [sess], [loss], [x], [y], [data])))\n",
        "`evaluate`, which runs the session, is passed on",
    ),
    "a method that is passed on as well": (
        f"{TRAIN}{ATTRIBUTES}{DATA}model = Model()\nmodel.fit(data)\nmodel.report(data)\nmean = model.mean\n",
        "`mean`, which a tensor is handed to, is used where that is not seen",
    ),
    "a tensor that a condition chooses": (
        f"{EVALUATE}{GRAPH}if len('a') > 1:\n    chosen = loss * 2\nelse:\n    chosen = loss * 3\n{DATA}{BEGIN}"
        "    print(evaluate(sess, chosen, x, y, data))\n",
        "what `chosen` is is not known",
    ),
    "any number of arguments": (
        f"{EVALUATE.replace('y, data)', 'y, data, *more)')}{PLAIN}    print(evaluate(sess, loss, x, y, data, 1))\n",
        "`evaluate` takes a session beside parameters of other kinds",
    ),
    "a name of the caller": (
        f"size = 2.0\n\n\n{EVALUATE.replace('data])', 'data]) * size')}"
        + in_main(f"{GRAPH}{DATA}size = 3\n{BEGIN}{ONE}"),
        "`size` means one thing in `main` and another outside it",
    ),
    "a name of the method that calls": (
        f"size = 2.0\n\n\n{EVALUATE.replace('data])', 'data]) * size')}"
        + ATTRIBUTES.replace(
            "train(self.sess, self.train_op, self.loss,", "size = 3\n        evaluate(self.sess, self.loss,"
        )
        + f"{DATA}model = Model()\nmodel.fit(data)\nmodel.report(data)\n",
        "`size` means one thing in `evaluate` and another where that is called",
    ),
    "the next element of a dataset": (
        f"{SHOW}item = tf.data.Dataset.range(3).make_one_shot_iterator().get_next()\n"
        "with tf.Session() as sess:\n    show(sess, item)\n",
        "what `item` is is not known",
    ),
    "more functions than tensors": (
        "def show(sess, v):\n    print(sess.run(v), sess.run([v, v]))\n\n\n"
        + in_main(f"w = tf.Variable(2.0)\nv = w * 2\n{BEGIN}    show(sess, v)\n"),
        "`show` runs more than it has parameters to be given the functions for",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    code, reason = REFUSED[name]
    refuses(IMPORTS + code, reason)
