"""How the code that comes out is written: what a person would have called it, and where they would have put it."""

from __future__ import annotations

from tests.native.native import printed, rewritten

_ENCODER = """import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
hidden = tf.layers.dense(x, 3, tf.nn.tanh)
code = tf.layers.dense(hidden, 2, kernel_initializer=tf.ones_initializer())
back = tf.layers.dense(code, 3, tf.nn.tanh)
copy = tf.layers.dense(back, 4, kernel_initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.square(copy - x))
sess = tf.Session()
sess.run(tf.global_variables_initializer())
given = np.ones([5, 4], np.float32)
"""


def test_what_functions_share_may_have_two_results() -> None:
    runs = "print(sess.run(code, {x: given}).shape)\nprint(sess.run([copy, loss], {x: given})[0].shape)\n"
    code = rewritten(_ENCODER + runs).text
    assert code.count("hidden = ") == 1
    assert "def compute_code_and_copy(x):" in code
    assert code.count("code, copy = compute_code_and_copy(x)") == 2
    assert printed(code) == "(5, 2)\n(5, 4)\n"


def test_a_function_stands_behind_the_scope_that_its_statements_stood_in() -> None:
    code = rewritten("""import tensorflow as tf
x = tf.placeholder(tf.float32, [])
with tf.name_scope("line"):
    w = tf.Variable(2.0, name="w")
    y = w * x

sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run([y, w], {x: 3.0}))
""").text
    scope, _, behind = code.partition("\n\n\n")
    assert scope.endswith('with tf.name_scope("line"):\n    w = tf.Variable(2.0, name="w")')
    assert behind.startswith("@tf.function(")
    assert "\n\n\n\n" not in code
    assert printed(code) == "[6.0, 2.0]\n"


def test_a_function_stays_in_a_scope_that_calls_it() -> None:
    code = rewritten("""import tensorflow as tf
x = tf.placeholder(tf.float32, [])
sess = tf.Session()
with tf.name_scope("line"):
    w = tf.Variable(2.0, name="w")
    y = w * x
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: 3.0}))
""").text
    assert "    def compute_y(x):" in code
    assert printed(code) == "6.0\n"


def test_a_call_that_is_too_long_for_a_line_stays_on_several() -> None:
    code = rewritten("""import tensorflow as tf
first_factor = tf.placeholder(tf.float32, [None])
second_factor = tf.placeholder(tf.float32, [None])
product = first_factor * second_factor
with tf.Session() as sess:
    for step in range(1):
        print(sess.run(product, feed_dict={
            first_factor: [float(number) for number in range(3)],
            second_factor: [float(number) / 2 for number in range(step, 3)],
        }))
""").text
    assert (
        """    print(compute_product(
        [float(number) for number in range(3)],
        [float(number) / 2 for number in range(step, 3)],
    ).numpy())
"""
        in code
    )
    assert printed(code) == "[0.  0.5 2. ]\n"


def test_optimizers_are_called_after_their_steps() -> None:
    code = rewritten("""import tensorflow as tf
v = tf.Variable(1.0)
w = tf.Variable(2.0)
loss = v * w
g_opt = tf.train.GradientDescentOptimizer(0.5).minimize(loss, var_list=[v])
d_opt = tf.train.GradientDescentOptimizer(0.25).minimize(loss, var_list=[w])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(g_opt)
    sess.run(d_opt)
    print(sess.run([v, w]))
""").text
    assert "g_optimizer = " in code
    assert "d_optimizer.apply_gradients(" in code
    assert printed(code) == "[0.0, 2.0]\n"


def test_a_function_is_called_after_the_one_tensor_that_is_fetched() -> None:
    code = rewritten("""import tensorflow as tf
x = tf.placeholder(tf.float32, [])
def cube(value):
    return value ** 3
accuracy = tf.square(x)
with tf.Session() as sess:
    print(sess.run(accuracy * 100, {x: 2.0}))
    print(sess.run(cube(x), {x: 2.0}))
""").text
    assert "compute_accuracy(2.0)" in code
    assert "compute_cube(2.0)" in code
    assert printed(code) == "400.0\n8.0\n"


def test_imports_that_nothing_needs_any_more_go() -> None:
    code = rewritten("""import tensorflow as tf
from tensorflow.python.framework import ops
ops.reset_default_graph()
x = tf.placeholder(tf.float32, [])
y = x + 1.0
sess = tf.Session()
print(sess.run(y, {x: 2.0}))
""").text
    assert "import ops" not in code
    assert printed(code) == "3.0\n"


def test_an_import_that_nothing_ever_needed_stays() -> None:
    code = rewritten("""import tensorflow as tf
from tensorflow.python.framework import ops
x = tf.placeholder(tf.float32, [])
y = x + 1.0
sess = tf.Session()
print(sess.run(y, {x: 2.0}))
""").text
    assert "import ops" in code


def test_comments_at_the_end_of_a_session_move_out_with_it() -> None:
    code = rewritten("""import tensorflow as tf
x = tf.placeholder(tf.float32, [])
y = x + 1.0
with tf.Session() as sess:
    print(sess.run(y, {x: 2.0}))

    # as deep as the block
# not of the block
""").text
    assert code.endswith("\n\n# as deep as the block\n# not of the block\n")
