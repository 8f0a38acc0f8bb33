"""Variables of layers and functions: the same weights in every function, made once, under TF1's names."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

# Two unnamed layers whose order of creation is not the order in which a shared part of the graph would make them.
CROSSED = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
first = tf.layers.dense(x, 3, kernel_initializer=tf.constant_initializer(1.0))
second = tf.layers.dense(x, 3, kernel_initializer=tf.constant_initializer(10.0))
a = tf.nn.relu(first)
b = a + 1.0
c = b * 2.0
both = tf.reduce_sum(second) + tf.reduce_sum(c)
one = tf.reduce_sum(c)
other = tf.reduce_sum(second)
plain = tf.reduce_sum(first)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(other, {x: [[1.0, 2.0]]}))
print(sess.run(plain, {x: [[1.0, 2.0]]}))
print(sess.run(both, {x: [[1.0, 2.0]]}))
print(sess.run(one, {x: [[1.0, 2.0]]}))
print(sess.run([one, other], {x: [[1.0, 2.0]]}))
"""


def test_layers_keep_their_weights_in_every_function() -> None:
    result = made_native(CROSSED)
    lines = printed(result.text).replace("np.float32(", "").replace(")", "").split("\n")
    assert lines[:5] == ["90.0", "9.0", "114.0", "24.0", "[24.0, 90.0]"]


LAYERS = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
y = tf.layers.dense(x, 3, kernel_initializer=tf.ones_initializer())
init = tf.global_variables_initializer()
"""


def test_two_initializations_of_layers_are_refused() -> None:
    code = LAYERS + "sess = tf.Session()\nsess.run(init)\nsess.run(y, {x: [[1.0, 2.0]]})\nsess.run(init)\n"
    assert tier_of(f"{code}sess.run(y, {{x: [[1.0, 2.0]]}})\n") == "bridge"
    assert tier_of(f"{code}print(sess.run(tf.constant(1.0)))\n") == "native"


def test_two_sessions_over_layers_are_refused() -> None:
    code = LAYERS + "for_one = tf.Session()\nfor_one.run(init)\nfor_one.run(y, {x: [[1.0, 2.0]]})\n"
    code += "sess = tf.Session()\nsess.run(y, {x: [[1.0, 2.0]]})\n"
    assert "several sessions" in (deciding_site(code).reason or "")


def test_a_layer_after_the_initializer_is_refused() -> None:
    code = LAYERS + "z = tf.layers.dense(y, 1)\nsess = tf.Session()\nsess.run(init)\nsess.run(z, {x: [[1.0, 2.0]]})\n"
    assert "after the initializer" in (deciding_site(code).reason or "")


def test_a_variable_from_a_function_beside_its_update_is_refused() -> None:
    code = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
def weight():
    return tf.get_variable("w", [], initializer=tf.ones_initializer())
w = weight()
loss = w * x
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run([train, w], {x: 1.0}))
_, v = sess.run([train, w], {x: 1.0})
"""
    assert tier_of(code) == "bridge"
    assert tier_of(code.replace("print(sess.run([train, w], {x: 1.0}))\n", "")) == "bridge"


def test_a_function_that_creates_and_returns_nothing_is_refused() -> None:
    code = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
def create(t):
    unused = tf.layers.dense(t, 3)
create(x)
y = tf.layers.dense(x, 3)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
sess.run(y, {x: [[1.0, 2.0]]})
"""
    assert tier_of(code) == "bridge"


SCOPED = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
with tf.variable_scope("actor"):
    hidden = tf.layers.dense(x, 3, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.5), name="hidden")
    with tf.variable_scope("out"):
        act = tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.25), name="act")
with tf.variable_scope("critic"):
    value = tf.layers.dense(x, 1, kernel_initializer=tf.constant_initializer(2.0), name="hidden")
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(act, {x: [[1.0, 2.0]]})[0, 0])
print(sess.run(value, {x: [[1.0, 2.0]]})[0, 0])
"""


def test_layers_keep_their_scopes() -> None:
    result = made_native(SCOPED)
    assert 'with compat.variable_scope("actor"):' in result.text
    assert printed(result.text + "print([v.name for v in store.variables])\n") == (
        "1.125\n6.0\n['actor/hidden/kernel:0', 'actor/hidden/bias:0', 'actor/out/act/kernel:0', "
        "'actor/out/act/bias:0', 'critic/hidden/kernel:0', 'critic/hidden/bias:0']\n"
    )


def test_layers_with_names_are_made_only_where_they_are_needed() -> None:
    text = rewritten(SCOPED).text
    assert text.count('variable_scope("critic")') == 1


def test_unnamed_layers_are_counted_in_their_scope() -> None:
    code = SCOPED.replace(', name="hidden"', "").replace(', name="act"', "")
    result = made_native(code + "print(sess.run(hidden, {x: [[1.0, 2.0]]})[0, 0])\n")
    assert result.text.count('variable_scope("out")') == 2
    assert result.text.count('variable_scope("critic")') == 1
    assert printed(result.text) == "1.125\n6.0\n1.5\n"


SIZED = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
def dense(inputs, units, name):
    with tf.variable_scope(name):
        size = inputs.get_shape().as_list()[-1]
        kernel = tf.get_variable("kernel", [size, units], initializer=tf.constant_initializer(0.5))
        bias = tf.get_variable("bias", [inputs.shape[1].value], initializer=tf.ones_initializer())
    return tf.matmul(inputs, kernel) + tf.reduce_sum(bias)
hidden = dense(x, 3, "hidden")
y = dense(hidden, 1, "out")
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(y, {x: [[1.0, 2.0]]})[0, 0])
"""


def test_variables_may_be_as_large_as_what_they_are_multiplied_with() -> None:
    assert printed(rewritten(SIZED).text) == "8.25\n"  # 3 * 0.5 * (1.5 + 2) + 3
    unknown = SIZED.replace("[None, 2]", "[2, 2]").replace("[size, units]", "[tf.shape(inputs)[1], units]")
    assert tier_of(unknown) == "bridge"


LISTS = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
with tf.variable_scope("one"):
    h = tf.layers.dense(x, 2, kernel_initializer=tf.ones_initializer())
with tf.variable_scope("two"):
    y = tf.reduce_sum(tf.layers.dense(h, 1, kernel_initializer=tf.ones_initializer()))
"""
RUNS = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(2):
    sess.run(train, {x: [[1.0, 2.0]]})
    print(sess.run(y, {x: [[1.0, 2.0]]}), sess.run(h, {x: [[1.0, 2.0]]}).tolist())
"""
_TRAIN = "train = tf.train.GradientDescentOptimizer(0.1).minimize(y, var_list=chosen)\n"


@pytest.mark.parametrize(
    "listed",
    [
        'tf.trainable_variables("two")',
        'tf.trainable_variables(scope="two")',
        'tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="two")',
        'tf.get_collection("trainable_variables", "two")',
        '[v for v in tf.trainable_variables() if "two" in v.name]',
        '[v for v in tf.trainable_variables() if not v.name.startswith("one") and v.name.endswith(":0")]',
    ],
)
def test_variables_of_layers_that_are_listed(listed: str) -> None:
    result = made_native(f"{LISTS}chosen = {listed}\n{_TRAIN}{RUNS}")
    values = [float(word) for word in re.findall(r"[-\d.]+", printed(result.text))]
    assert values == pytest.approx([4.1, 3.0, 3.0, 2.2, 3.0, 3.0], abs=1e-5)


@pytest.mark.parametrize(
    ("listed", "reason"),
    [
        ("chosen = tf.trainable_variables()\nz = tf.layers.dense(h, 1)\n", "built behind a list"),
        ("chosen = tf.trainable_variables()\nprint(len(chosen))\n", "given to `len`"),
        ("chosen = [tf.nn.l2_loss(v) for v in tf.trainable_variables()]\n", ""),
        ("chosen = [v for v in tf.trainable_variables() if v.shape[0] > 1]\n", ""),
        ("chosen = tf.trainable_variables()[:2]\n", "no tensor"),
        ("chosen = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)\n", "tf.get_collection"),
    ],
)
def test_lists_of_variables_that_are_refused(listed: str, reason: str) -> None:
    site = deciding_site(f"{LISTS}{listed}{_TRAIN}{RUNS}")
    assert site.tier == "bridge"
    assert reason in (site.reason or "")


@pytest.mark.parametrize("listed", ['tf.trainable_variables("two")', 'tf.get_collection("trainable_variables", "two")'])
def test_a_list_in_the_call_of_minimize(listed: str) -> None:
    result = made_native(f"{LISTS}{_TRAIN}{RUNS}".replace("var_list=chosen", f"var_list={listed}"))
    values = [float(word) for word in re.findall(r"[-\d.]+", printed(result.text))]
    assert values == pytest.approx([4.1, 3.0, 3.0, 2.2, 3.0, 3.0], abs=1e-5)


def test_a_list_that_the_call_of_minimize_chooses_is_refused() -> None:
    chosen = 'var_list=[v for v in tf.trainable_variables() if "two" in v.name]'
    code = f"{LISTS}{_TRAIN}{RUNS}".replace("var_list=chosen", chosen)
    assert "made in the call of `minimize`" in (deciding_site(code).reason or "")


def test_layers_in_a_scope_of_their_own_are_counted_by_themselves() -> None:
    code = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 2])\n"
    code += "u = tf.placeholder(tf.float32, [None, 2])\n"
    code += (
        "def net(t, name):\n    with tf.variable_scope(name):\n        return tf.layers.dense(t, 1, use_bias=False)\n"
    )
    code += 'a = net(x, "a")\nb = net(u, "b")\nwith tf.Session() as sess:\n'
    code += "    sess.run(tf.global_variables_initializer())\n    print(sess.run(b, {u: [[0.0, 0.0]]}))\n"
    result = made_native(code)
    assert printed(result.text) == "[[0.]]\n"
    shared = code.replace('b = net(u, "b")', 'b = net(u, "b")').replace("(name):", "(name, reuse=n):", 1)
    shared = shared.replace("def net(t, name", "def net(t, name, n=False").replace('net(u, "b")', 'net(u, "a", True)')
    assert "looks up variables that no run makes" in (deciding_site(shared).reason or "")


@pytest.mark.parametrize(("scope", "tier"), [("dynamic_rnn", "native"), ("basic_rnn_cell", "bridge")])
def test_scopes_with_the_names_of_cells_and_of_what_unrolls_them(scope: str, tier: str) -> None:
    code = f'import tensorflow as tf\nx = tf.placeholder(tf.float32, [1, 2, 3])\nwith tf.variable_scope("{scope}"):\n'
    code += "    y, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(2), x, dtype=tf.float32)\n"
    code += "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
    code += "print(sess.run(y, {x: [[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]}).tolist())\n"
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {tier}
    assert tier == "bridge" or printed(result.text) == "[[[0.0, 0.0], [0.0, 0.0]]]\n"


COUNTED = """\
import tensorflow as tf


class Model:
    def __init__(self, sess, name):
        self.sess = sess
        self.name = name
        with tf.variable_scope(self.name):
            x = tf.placeholder(tf.float32, [None])
            w = tf.Variable(-0.5)
            k = tf.get_variable("k", [], initializer=tf.constant_initializer(0.5))
            h = tf.layers.dense(tf.reshape(tf.tanh(x * k), [-1, 1]), 1, kernel_initializer=tf.ones_initializer())
            g = h * w
            loss = tf.reduce_mean(tf.square(g))
            train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(loss * w))
            count = tf.Variable(0.0, trainable=False)
            counting = tf.assign_add(count, 2.0)
            self.x = x
            self.w = w
            self.loss = loss
            self.train = train
            self.counting = counting

    def tally(self):
        _, value, w = self.sess.run([self.counting, self.loss, self.w], {self.x: [0.2, -0.3]})
        return value.tolist(), w.tolist()

    def learn(self):
        _, value, w = self.sess.run([self.train, self.loss, self.w], {self.x: [0.2, -0.3]})
        return value.tolist(), w.tolist()


sess = tf.Session()
one = Model(sess, "one")
two = Model(sess, "two")
sess.run(tf.global_variables_initializer())
for _ in range(2):
    print(two.tally(), one.learn())
"""


def test_no_scope_is_entered_for_nothing() -> None:
    result = made_native(COUNTED)
    # The values of TensorFlow 1.15.5.
    expected = [0.0040125577, -0.5, 0.0040125577, -0.49999517, 0.0040125577, -0.5, 0.004012386, -0.49999034]
    found = [float(word) for word in re.findall(r"-?\d[-\d.e]*", printed(result.text))]
    assert found == pytest.approx(expected, rel=1e-6)


def test_a_scope_that_makes_no_variables_needs_no_initializer() -> None:
    code = """\
import tensorflow as tf

def loss_of(x):
    with tf.variable_scope("loss"):
        return tf.reduce_mean(tf.square(x))

x = tf.placeholder(tf.float32, [None])
loss = loss_of(x)
with tf.Session() as sess:
    print(sess.run(loss, {x: [1.0, 2.0]}))
"""
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"native"}
    # What TF 1.15.5 prints.
    assert printed(result.text) == "2.5\n"
    made = 'return tf.reduce_mean(tf.square(x)) * tf.get_variable("w", [], initializer=tf.zeros_initializer())'
    site = deciding_site(code.replace("return tf.reduce_mean(tf.square(x))", made))
    assert (site.tier, "no initializer" in (site.reason or "")) == ("bridge", True)
    found = code.replace('"loss")', '"loss", reuse=True)').replace("return tf.reduce_mean(tf.square(x))", made)
    assert deciding_site(found).tier == "bridge"


def test_a_shared_function_makes_variables_before_others_look_them_up(run_legacy: Callable[..., str]) -> None:
    code = """\
import tensorflow as tf

def net(t, reuse=False):
    with tf.variable_scope("net", reuse=reuse):
        return tf.layers.dense(t, 2, kernel_initializer=tf.ones_initializer())

x = tf.placeholder(tf.float32, [None, 3])
y = net(x)
again = net(x * 2.0, reuse=True)
square = tf.square(y)
loss = tf.reduce_mean(square)
DATA = {x: [[1.0, 2.0, 4.0]]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([again, loss], DATA)[0].tolist())
    print(sess.run(loss, DATA).tolist())
    print(sess.run([loss, again * 3.0], DATA)[1].tolist())
"""
    assert printed(made_native(code).text) == run_legacy(code)
