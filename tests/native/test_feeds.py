"""Feed dictionaries with a name: filled step by step, or made right before the run that they are for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import deciding_site, made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
y = tf.placeholder(tf.float32, [])
k = tf.placeholder_with_default(2.0, [])
w = tf.Variable(3.0)
out = x * w + y * k
sess = tf.Session()
sess.run(tf.global_variables_initializer())
a, b = np.array([1.0]), 5.0
"""


def shown(code: str) -> str:
    result = made_native(HEAD + code)
    return printed(result.text)


FED = {
    "an empty dictionary that is filled": (
        "feed = {}\nfeed[x] = a\nfeed[y] = b\nprint(sess.run(out, feed))\n",
        "[13.]\n",
    ),
    "made by a call": ("feed = dict()\nfeed[x] = a\nfeed[y] = b\nprint(sess.run(out, feed))\n", "[13.]\n"),
    "one that holds something": ("feed = {x: a}\nfeed[y] = b\nprint(sess.run(out, feed_dict=feed))\n", "[13.]\n"),
    "a value in the place of another": (
        "feed = {x: a, y: b}\nfeed[y] = 1.0\nprint(sess.run(out, feed))\nfeed[y] = 2.0\nprint(sess.run(out, feed))\n",
        "[5.]\n[7.]\n",
    ),
    "anew in a loop": (
        "for number in range(2):\n    feed = {}\n    feed[x] = a * number\n    feed[y] = a[0] + number\n"
        "    value = sess.run(out, feed)\n    print(value)\n",
        "[2.]\n[7.]\n",
    ),
    "values that are computed right before the run": (
        "feed = {x: a[:1] * 2.0, y: float(len(a))}\nvalue = sess.run(out, feed)\nprint(value)\n",
        "[8.]\n",
    ),
    "values that are the same each time": (
        "feed = {x: np.ones(1) * 2.0, y: 1.0 / 2}\nprint(sess.run(out, feed))\nprint(sess.run(out, feed_dict=feed))\n",
        "[7.]\n[7.]\n",
    ),
    "one name for several": (
        "for number in range(2):\n    feed = {x: a * number, y: b}\n    value = sess.run(out, feed)\n    print(value)\n"
        "    feed = {}\n    feed[x] = a + number\n    feed[y] = b * 2.0\n    value = sess.run(out, feed)\n"
        "    print(value)\n",
        "[10.]\n[23.]\n[13.]\n[26.]\n",
    ),
    "in a function, and a value that is drawn once": (
        "drawn = iter([4.0, 6.0])\n\n\ndef step(values):\n    feed = {x: values, y: next(drawn)}\n"
        "    return sess.run(out, feed)\n\n\nprint(step(a), step(a))\n",
        "[11.] [15.]\n",
    ),
}


@pytest.mark.parametrize("name", FED)
def test_fed(name: str) -> None:
    code, expected = FED[name]
    assert shown(code) == expected


REFUSED = {
    "filled in a condition": "feed = {x: a}\nif b:\n    feed[y] = b\nprint(sess.run(out, feed))\n",
    "filled in a loop around": (
        "feed = {x: a, y: b}\nfor _ in range(2):\n    print(sess.run(out, feed))\n    feed[y] = 1.0\n"
    ),
    "a value taken out again": "feed = {x: a, k: 1.0}\nfeed[y] = b\ndel feed[k]\nprint(sess.run(out, feed))\n",
    "a value that is added to": "feed = {x: a}\nfeed[y] = b\nfeed[y] += 1.0\nprint(sess.run(out, feed))\n",
    "another name for it": "feed = {}\nsame = feed\nfeed[x] = a\nfeed[y] = b\nprint(sess.run(out, same))\n",
    "a computed value that the next time sees as well": (
        "feed = {x: a, y: b}\nfor number in range(2):\n    print(sess.run(out, feed))\n"
        "    feed = {x: a * number, y: b}\n    v = sess.run(out, feed)\n"
    ),
    "a computed value, and the dictionary beside a loop that binds its name": (
        "feed = {x: a * 2.0, y: b}\nprint(sess.run(out, feed), sess.run(out, feed))\n"
        "for feed in [{x: a, y: 1.0}]:\n    print(sess.run(out, feed))\n"
    ),
    "two placeholders of one word": (
        "class Other:\n    x = tf.placeholder(tf.float32, [None])\n\n\nfeed = {x: a * 2.0, Other.x: a, y: b}\n"
        "print(sess.run(out, feed))\nprint(sess.run(out, feed))\n"
    ),
    "a run in the dictionary": (
        "feed = {x: sess.run(out, {x: a, y: b}), y: b}\nprint(sess.run(out, feed))\nprint(sess.run(out, feed))\n"
    ),
    "a dictionary that is counted": (
        "feed = {x: a * 2.0, y: b}\nprint(len(feed), sess.run(out, feed), sess.run(out, feed))\n"
    ),
    "something else than a placeholder": "feed = {x: a}\nfeed[out] = b\nprint(sess.run(out, feed))\n",
    "a part of the graph": "feed = {x: a}\nfeed[y] = w\nprint(sess.run(out, feed))\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    site = deciding_site(HEAD + REFUSED[name])
    assert site.tier == "bridge"
    assert site.reason


STAYING = {
    "changed memory": "feed = {x: a[:], y: a[0]}\na[0] = 2.0\nprint(sess.run(out, feed))\n",
    "two runs": "feed = {x: a * 1.0, y: b}\nprint(sess.run(out, feed))\nprint(sess.run([out, w], feed)[0])\n",
    "drawn numbers": (
        "random = np.random.RandomState(3)\nfeed = {x: random.rand(1), y: 1.0}\n"
        "for _ in range(2):\n    print(sess.run(out, feed_dict=feed))\nprint(random.rand())\n"
    ),
    "what is computed for it alone": (
        "drawn = iter([5.0, 6.0])\nfeed = {y: next(drawn), x: a, k: next(drawn)}\n"
        "print(sess.run(x * w, feed))\nprint(sess.run(out, feed))\n"
    ),
    "behind something else": "feed = {x: a * 1.0, y: b}\nv = [a.sort(), sess.run(out, feed)]\nprint(v)\n",
    "names that mean something else when a function runs": (
        "feed = {x: a, y: b}\n\n\ndef step():\n    return sess.run(out, feed)\n\n\nb = 1.0\nprint(step())\n"
    ),
    "in a function": (
        "def both(n):\n    feed = {x: np.arange(n) * 1.0, y: n}\n    first = sess.run(out, feed)\n"
        "    return first, sess.run(out, feed)\n\n\nprint(both(2), both(3))\n"
    ),
    "anew in a loop": (
        "for number in range(2):\n    feed = {x: a * number, y: b}\n    print(sess.run(out, feed))\n"
        "    print(sess.run(out * 2.0, feed))\n"
    ),
}


@pytest.mark.parametrize("name", STAYING)
def test_dictionaries_that_stay(name: str, run_legacy: Callable[..., str]) -> None:
    assert shown(STAYING[name]) == run_legacy(HEAD + STAYING[name])


def test_what_a_dictionary_that_stays_looks_like() -> None:
    code = "feed = {\n    x: a * 1.0,  # the examples\n    y: b,\n}\nu = sess.run(out, feed)\nv = sess.run(out, feed)\n"
    text = made_native(HEAD + code).text
    assert 'feed = {\n    "x": a * 1.0,  # the examples\n    "y": b,\n}\n' in text
    assert 'v = compute_out(feed["x"], feed["y"], 2.0).numpy()' in text


UNNEEDED = {
    "beside one that it needs": "print(sess.run(x * w, {x: a, y: next(drawn)}))\n",
    "in another order": "print(sess.run(x * w, {y: next(drawn), x: [next(drawn)]}))\n",
    "where it needs none": "print(sess.run(w, {y: next(drawn)}))\n",
    "that has a default": "print(sess.run(x * w, {x: a, k: next(drawn)}))\n",
    "in a loop, for an update": (
        "up = tf.assign(w, w * 2.0)\nfor _ in range(2):\n    print(sess.run(up, {y: next(drawn)}))\n"
    ),
    "for an update made in the run": "print(sess.run(w.assign(4.0), {y: next(drawn)}))\n",
    "in a dictionary with a name": "feed = {x: a, y: next(drawn)}\nv = sess.run(x * w, feed)\nprint(v)\n",
    "in a function": (
        "def shown(value):\n    return sess.run(x * w, {x: value, y: next(drawn)})\n\n\nprint(shown(a), shown(a))\n"
    ),
}


@pytest.mark.parametrize("name", UNNEEDED)
def test_a_value_drawn_for_a_placeholder_that_the_run_does_not_need(name: str, run_legacy: Callable[..., str]) -> None:
    code = "drawn = iter([5.0, 6.0, 7.0, 8.0])\n" + UNNEEDED[name] + "print(next(drawn), sess.run(w))\n"
    assert shown(code).split() == run_legacy(HEAD + code).split()


@pytest.mark.parametrize(
    "code",
    [
        "print(sess.run(w, {y: np.ones(3)}))\n",
        "feed = {x: a, y: a.repeat(3)}\nfor _ in range(2):\n    print(sess.run(w, feed))\n",
    ],
)
def test_a_value_of_the_wrong_shape_for_a_placeholder_that_the_run_does_not_need(code: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        shown(code)


CUT = {
    "a variable": "print(sess.run(w, {out: next(drawn)}))\n",
    "a tensor": "print(sess.run(x * 2.0, {x: a, out: [next(drawn)]}))\n",
}


@pytest.mark.parametrize("name", CUT)
def test_a_value_drawn_for_a_tensor_that_the_run_does_not_need(name: str) -> None:
    refuses(
        HEAD + "drawn = iter([5.0, 6.0])\n" + CUT[name], "a value is computed for a tensor that the run does not need"
    )


UNFIT = {
    "an integer beyond the range": ("tf.int32", "4294967296"),
    "a negative one": ("tf.uint8", "-1"),
    "a fraction": ("tf.int64", "2.0"),
    "a number for a truth value": ("tf.bool", "1"),
    "a truth value for a number": ("tf.int16", "True"),
}


@pytest.mark.parametrize("name", UNFIT)
@pytest.mark.parametrize("feed", ["sess.run(out, {n: %s})", "feed = {}; feed[n] = %s; sess.run(out, feed)"])
def test_a_number_that_a_function_would_not_take_as_a_run_did(name: str, feed: str) -> None:
    dtype, number = UNFIT[name]
    code = f"n = tf.placeholder({dtype}, [])\nout = tf.cast(n, tf.float32) * w\n"
    fed = (feed % number).replace("; ", "\n")
    refuses(HEAD + code + fed + "\n", f"`{number}` is fed to a placeholder of `{dtype}`")


HELD = {
    "of a loop": ("for value in (1, 1.5):\n    print(sess.run(out, {n: value}))", "1.5"),
    "of a name": ("size = 4294967296\nprint(sess.run(out, {n: size}))", "4294967296"),
    "of two branches": ("size = 1\nif len(str(size)) > 3:\n    size = 0.5\nprint(sess.run(out, {n: size}))", "0.5"),
    "of a list": ("print(sess.run(out, {n: [1, 2.5]}))", "2.5"),
    "tried": (
        "import sys\ntry:\n    print(sess.run(out, {n: sys.maxsize}))\nexcept Exception:\n    print('large')",
        "sys.maxsize",
    ),
}


@pytest.mark.parametrize("name", HELD)
def test_numbers_that_names_hold(name: str) -> None:
    code, number = HELD[name]
    head = "n = tf.placeholder(tf.int32)\nout = tf.cast(n, tf.float32) * w\n"
    refuses(HEAD + head + code + "\n", f"`{number}` is fed to a placeholder of `tf.int32`")


def test_numbers_of_the_type_of_their_placeholder(run_legacy: Callable[..., str]) -> None:
    code = """\
n = tf.placeholder(tf.int32, [])
b = tf.placeholder(dtype=tf.bool, shape=[])
out = tf.cast(n, tf.float32) * w + tf.cast(b, tf.float32) + y
for feed in 1, 2:
    print(float(sess.run(out, {n: -2147483648, b: True, y: 1})))
    print(float(sess.run(out, {n: True, b: False, y: True})))
"""
    assert shown(code).split() == run_legacy(HEAD + code).split()
