"""Sessions one after another, and values that only look at what they are given."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

FIRST = """\
import tensorflow as tf
sess = tf.InteractiveSession()
print(tf.constant(1.0).eval())
"""
MODEL = """\
w = tf.Variable(2.0, name="w")
y = w * 3.0
"""
AGAIN = "sess = tf.InteractiveSession()\n"
INIT = "sess.run(tf.global_variables_initializer())\n"


def test_a_session_before_there_are_variables_holds_none() -> None:
    result = made_native(f"{FIRST}{AGAIN}{MODEL}{INIT}print(y.eval())\n")
    assert printed(result.text).split() == ["1.0", "6.0"]


def test_a_session_that_initializes_anew_what_is_new() -> None:
    code = f"import tensorflow as tf\nwith tf.Session() as sess:\n    v = tf.Variable(1.0)\n    {INIT}"
    code += f"    print(sess.run(v))\nwith tf.Session() as sess:\n    w = tf.Variable(5.0)\n    {INIT}"
    result = made_native(f"{code}    print(sess.run(w))\n")
    assert printed(result.text).split() == ["1.0", "5.0"]
    result = rewritten(f"{code}    print(sess.run(v + w))\n")
    assert "v.assign(1.0)" in result.text
    assert printed(result.text).split() == ["1.0", "6.0"]


@pytest.mark.parametrize(
    "code",
    [
        f"{FIRST}other = tf.Session()\n{MODEL}{INIT}other.run(y)\nprint(sess.run(y))\n",
        f"{FIRST}{MODEL}{INIT}{AGAIN}print(y.eval())\n",
        f"{FIRST}{MODEL}{INIT}with tf.Session() as other:\n    other.run(tf.global_variables_initializer())\n"
        "    print(other.run(y))\nprint(sess.run(y))\n",
    ],
)
def test_sessions_with_values_of_their_own_are_refused(code: str) -> None:
    assert "several sessions" in (deciding_site(code).reason or "")


ARRAY = """\
import numpy as np
import pprint
import tensorflow as tf
pp = pprint.PrettyPrinter()
data = np.array([[1.0, 2.0]], dtype=np.float32)
x = tf.placeholder(tf.float32, [])
def total(values, x):
    return tf.reduce_sum(values * x)
y = total(data, x)
{}
sess = tf.Session()
for _ in range(2):
    print(sess.run(y, {{x: 1.0}}))
"""


@pytest.mark.parametrize("look", ["pp.pprint(data)", "pprint.pprint(data)", "print(data.shape)"])
def test_an_array_that_is_only_looked_at(look: str) -> None:
    result = made_native(ARRAY.format(look))
    assert printed(result.text).split()[-2:] == ["3.0", "3.0"]


def test_an_array_that_a_function_may_change_is_refused() -> None:
    code = ARRAY.format("def change(values):\n    values *= 2\nchange(data)")
    assert tier_of(code) == "bridge"


VARIABLE = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
y = x * w
print(w)
print(tf.trainable_variables())
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(y, {x: [1.0]}))
"""


def test_printing_a_variable_shows_what_it_is() -> None:
    result = made_native(VARIABLE)
    one = "<tf.Variable 'w:0' shape=() dtype=float32>"
    assert printed(result.text).splitlines() == [one, f"[{one}]", "[2.]"]


def test_a_variable_that_is_trained_is_printed_once_in_each_place() -> None:
    train = "train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(y * y))\n"
    code = VARIABLE.replace("sess =", f"{train}sess =").replace("print(sess", "sess.run(train, {x: [1.0]})\nprint(sess")
    # What TensorFlow 1.15.5 prints.
    one = "<tf.Variable 'w:0' shape=() dtype=float32_ref>"
    assert printed(rewritten(code).text).splitlines() == [one, f"[{one}]", "[1.9]"]


def test_a_box_that_is_drawn_has_three_parts() -> None:
    result = rewritten("""\
import tensorflow as tf
x = tf.placeholder(tf.uint8, [None, None, 3])
box = tf.constant([[[0.0, 0.0, 1.0, 1.0]]])
begin, size, drawn = tf.image.sample_distorted_bounding_box(tf.shape(x), bounding_boxes=box, area_range=(1.0, 1.0),
                                                            aspect_ratio_range=(1.0, 1.0))
part = tf.slice(x, begin, size)
print(tf.Session().run(tf.shape(part), {x: [[[1, 2, 3]] * 4] * 4}))
""")
    assert {site.tier for site in result.sites} == {"native"}
    assert printed(result.text).strip() == "[4 4 3]"


def test_shapes_of_constants_are_printed_where_they_were() -> None:
    code = f"{FIRST}c = tf.constant([1.0])\nprint(c.shape)\nassert c.shape[0] == 1\nc = tf.constant([[1.0, 2.0]])\n"
    code += f"print(c.shape)\n{AGAIN}{MODEL}{INIT}print(y.eval())\n"
    result = made_native(code)
    assert printed(result.text).split("\n")[1:3] == ["(1,)", "(1, 2)"]


def test_a_shape_is_not_printed_beside_another_value_than_in_its_place() -> None:
    code = f"{FIRST}n = 1\nz = tf.placeholder(tf.float32, [2])\nprint(z.shape, n)\nn = 2\n"
    code += "print(sess.run(z * 2.0, {z: [1, 2]}))\n"
    before = code.replace("n = 2\n", "print(sess.run(z, {z: [0, 0]}))\nn = 2\n").replace(
        "sess.run(z,", "sess.run(z + n,"
    )
    assert tier_of(before) == "native"
    assert "(2,) 1\n" in printed(rewritten(before).text)
    assert "no function computes all" in (deciding_site(code).reason or "")
