"""Datasets: each run that depends on `get_next()` takes one element, and loops end where the data does."""

from __future__ import annotations

import re

import pytest
import tensorflow as tf

from tests.native.native import deciding_site, made_native, printed, rewritten

HEAD = "import numpy as np\nimport tensorflow as tf\n"
RUNS = """\
w = tf.Variable(2.0, name="w")
out = x * w
grow = tf.assign_add(w, 1.0)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""
NUMBERS = "tf.data.Dataset.from_tensor_slices(np.arange(6, dtype=np.float32))"
ONE_SHOT = f"{HEAD}data = {NUMBERS}\niterator = data.make_one_shot_iterator()\nx = iterator.get_next()\n{RUNS}"
TWO = f"{HEAD}data = {NUMBERS}.batch(2)\niterator = data.make_initializable_iterator()\nx = iterator.get_next()\n{RUNS}"


def shown(code: str) -> str:
    """What a script prints that has become native."""
    result = made_native(code)
    return printed(result.text)


def test_a_run_takes_one_element_for_all_that_it_fetches() -> None:
    assert (
        shown(f"{ONE_SHOT}print([float(v) for v in sess.run([x, out])])\nprint(sess.run(out))") == "[0.0, 0.0]\n2.0\n"
    )


def test_a_run_that_needs_no_element_takes_none() -> None:
    assert shown(f"{ONE_SHOT}sess.run(out)\nsess.run(grow)\nprint(sess.run(w))\nprint(sess.run(x))") == "3.0\n1.0\n"


def test_the_position_survives_between_runs_in_functions_and_loops() -> None:
    code = f"{ONE_SHOT}def look():\n    return sess.run(out)\nfor _ in range(2):\n    print(look())\nprint(sess.run(x))"
    assert shown(code) == "0.0\n2.0\n2.0\n"


def test_two_calls_of_get_next_are_two_elements() -> None:
    code = ONE_SHOT.replace("w = ", "second = iterator.get_next()\nw = ", 1)
    result = rewritten(f"{code}print(sess.run(x + second))\nprint(sess.run(second))")
    assert printed(result.text) == "1.0\n2.0\n"
    assert any("left open which" in finding.message for finding in result.findings)


def test_feeding_an_element_takes_none() -> None:
    assert shown(f"{ONE_SHOT}print(sess.run(out, {{x: 10.0}}))\nprint(sess.run(x))") == "20.0\n0.0\n"


def test_an_iterator_begins_where_it_is_initialized() -> None:
    begin = "sess.run(iterator.initializer)\n"
    code = f"{TWO}{begin}print(sess.run(x).tolist())\nprint(sess.run(x).tolist())\n{begin}print(sess.run(x).tolist())"
    assert shown(code) == "[0.0, 1.0]\n[2.0, 3.0]\n[0.0, 1.0]\n"


def test_one_run_initializes_variables_and_an_iterator() -> None:
    code = TWO.replace("sess.run(tf.gl", "sess.run([iterator.initializer, tf.gl").replace("zer())", "zer()])")
    assert shown(f"{code}print(sess.run(out).tolist())") == "[0.0, 2.0]\n"


def test_the_end_of_the_data_ends_a_loop() -> None:
    loop = "while True:\n    try:\n        print(sess.run(x).tolist())\n"
    loop += "    except tf.errors.OutOfRangeError:\n        break\n"
    code = f"{TWO}sess.run(iterator.initializer)\n{loop}print('behind')"
    assert "for x in iterator:" in rewritten(code).text
    assert shown(code) == "[0.0, 1.0]\n[2.0, 3.0]\n[4.0, 5.0]\nbehind\n"


def test_what_follows_the_end_stands_behind_the_loop() -> None:
    loop = "try:\n    while True:\n        print(sess.run(out).tolist())\n"
    loop += "except tf.errors.OutOfRangeError:\n    print('end')\n"
    code = f"{TWO}sess.run(iterator.initializer)\n{loop}"
    text = rewritten(code).text
    assert "try:" not in text
    assert "for x in iterator:\n    print(" in text
    assert shown(code) == "[0.0, 2.0]\n[4.0, 6.0]\n[8.0, 10.0]\nend\n"


KEPT = {
    "another statement comes first": ("print('step')", "value = sess.run(x)"),
    "two runs take elements": ("value = sess.run(x)", "other = sess.run(out)"),
    "a call is evaluated before": ("value = print('a'), sess.run(x)", "pass"),
    "a break would jump over the handler": ("value = sess.run(x)", "if value[0] > 1: break"),
}


@pytest.mark.parametrize("lines", KEPT.values(), ids=KEPT)
def test_a_loop_that_is_not_plainly_a_for_loop_keeps_its_handler(lines: tuple[str, str]) -> None:
    body = "".join(f"        {line}\n" for line in lines)
    loop = f"while True:\n    try:\n{body}    except tf.errors.OutOfRangeError:\n        print('end')\n        break\n"
    code = f"{TWO}sess.run(iterator.initializer)\n{loop}print(sess.run(w))"
    text = rewritten(code).text
    assert "except tf.errors.OutOfRangeError:" in text
    assert "iterator.get_next()" in text
    assert shown(code).endswith("2.0\n")


def test_the_end_raises_what_a_handler_may_expect() -> None:
    code = f"{TWO}sess.run(iterator.initializer)\nfor _ in range(9):\n    try:\n        n = sess.run(x)[0]\n"
    code += "    except Exception as error:\n        print(type(error).__name__, n)\n        break\n"
    assert shown(code) == "OutOfRangeError 4.0\n"


def test_a_feed_is_computed_before_an_element_is_taken() -> None:
    code = ONE_SHOT.replace("w = ", "k = tf.placeholder(tf.float32, [])\nz = x * k\nw = ", 1)
    code += (
        "def bad():\n    raise KeyError\ntry:\n    sess.run(z, {k: bad()})\nexcept KeyError:\n    print(sess.run(x))"
    )
    assert shown(code) == "0.0\n"


def test_functions_are_traced_once_for_all_batches() -> None:
    code = f"{HEAD}data = {NUMBERS}.batch(4)\nx = data.make_one_shot_iterator().get_next()\n{RUNS}"
    result = rewritten(f"{code}for _ in range(2):\n    print(sess.run(out).tolist())")
    text = result.text + "\nprint(compute_out.experimental_get_tracing_count())"
    assert printed(text) == "[0.0, 2.0, 4.0, 6.0]\n[8.0, 10.0]\n1\n"


def test_functions_that_run_eagerly_give_the_same() -> None:
    code = f"{TWO}sess.run(iterator.initializer)\nprint(sess.run(out).tolist())\nprint(sess.run([x, out])[1].tolist())"
    compiled = shown(code)
    tf.config.run_functions_eagerly(True)
    try:
        assert shown(code) == compiled
    finally:
        tf.config.run_functions_eagerly(False)


def test_an_error_in_the_pipeline_surfaces_where_the_element_is_taken() -> None:
    parse = "map(lambda v: tf.gather([5.0], tf.cast(v, tf.int32)))"
    code = ONE_SHOT.replace(NUMBERS, f"{NUMBERS}.{parse}") + "print(sess.run(x))\n"
    code += "try:\n    sess.run(x)\nexcept tf.errors.InvalidArgumentError:\n    print('invalid')"
    assert shown(code) == "5.0\ninvalid\n"


FED = f"""{HEAD}rows = tf.placeholder(tf.float32, [None, 2])
data = tf.data.Dataset.from_tensor_slices(rows).batch(2)
iterator = data.make_initializable_iterator()
x = iterator.get_next()
{RUNS}"""


def test_what_is_fed_is_cast_and_iterated_over() -> None:
    begin = "sess.run(iterator.initializer, {rows: [[1, 2], [3, 4], [5, 6]]})\n"
    code = f"{FED}{begin}print(sess.run(out).tolist())\nprint(sess.run(out).tolist())"
    assert shown(code) == "[[2.0, 4.0], [6.0, 8.0]]\n[[10.0, 12.0]]\n"


REFUSED = {
    "a dataset of a variable": (
        HEAD + "v = tf.Variable([1.0])\nx = tf.data.Dataset.from_tensor_slices(v).make_one_shot_iterator().get_next()\n"
        "sess = tf.Session()\nprint(sess.run(x))",
        "made of variables",
    ),
    "a dataset of random numbers": (
        HEAD + "x = tf.data.Dataset.from_tensor_slices(tf.random_normal([3])).make_one_shot_iterator().get_next()\n"
        "sess = tf.Session()\nprint(sess.run(x))",
        "computes anew",
    ),
    "a map that reads a variable": (
        ONE_SHOT.replace("data = ", "v = tf.Variable(1.0)\ndata = ").replace(NUMBERS, f"{NUMBERS}.map(lambda a: a * v)")
        + "sess.run(x)",
        "reads `v` of the graph",
    ),
    "a map that makes variables": (
        ONE_SHOT.replace(NUMBERS, f"{NUMBERS}.map(lambda a: tf.layers.dense([[a]], 1))") + "sess.run(x)",
        "makes variables",
    ),
    "a map of a function that is not known": (
        ONE_SHOT.replace("data = ", "f = make()\ndata = ").replace(NUMBERS, f"{NUMBERS}.map(f)") + "sess.run(x)",
        "is not known",
    ),
    "a dataset that is not known": (
        HEAD + "x = make().make_one_shot_iterator().get_next()\nsess = tf.Session()\nprint(sess.run(x))",
        "where the dataset",
    ),
    "a seeded shuffle that is repeated": (
        ONE_SHOT.replace(NUMBERS, f"{NUMBERS}.shuffle(6, seed=1).repeat()") + "sess.run(x)",
        "in an order of its own for this seed",
    ),
    "a seeded shuffle that begins twice": (
        TWO.replace(NUMBERS, f"{NUMBERS}.shuffle(6, seed=1)")
        + "sess.run(iterator.initializer)\nsess.run(x)\nsess.run(iterator.initializer)\nsess.run(x)",
        "in the same order for this seed",
    ),
    "several sessions": (ONE_SHOT + "sess.run(x)\nprint(tf.Session().run(x))", "several sessions"),
    "a part of an element is fed": (
        HEAD + f"x, y = tf.data.Dataset.zip(({NUMBERS}, {NUMBERS})).make_one_shot_iterator().get_next()\n"
        "z = x + y\nsess = tf.Session()\nprint(sess.run(z, {x: 1.0}))",
        "a part of an element is fed",
    ),
    "an iterator with two names": (
        ONE_SHOT.replace("x = ", "other = iterator\nx = ") + "sess.run(x)",
        "second name",
    ),
    "an iterator that is made in a loop": (
        HEAD + f"for n in range(2):\n    x = {NUMBERS}.make_one_shot_iterator().get_next()\n    print(sess.run(x))",
        "inside a loop",
    ),
    "an iterator that begins in another function": (
        TWO + "def begin():\n    sess.run(iterator.initializer)\nbegin()\nsess.run(x)",
        "in another function",
    ),
    "a dataset whose name is bound again": (
        TWO.replace("w = ", "data = None\nw = ") + "sess.run(iterator.initializer)\nsess.run(x)",
        "is another dataset here",
    ),
    "a structure that no dataset says": (
        HEAD + "iterator = tf.data.Iterator.from_structure(tf.float32, [])\nx = iterator.get_next()\n"
        "sess = tf.Session()\nprint(sess.run(x))",
        "the structure of the elements",
    ),
    "a dataset that is not fed": (FED + "sess.run(iterator.initializer)\nsess.run(x)", "`rows` is not fed"),
}


@pytest.mark.parametrize(("code", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused(code: str, reason: str) -> None:
    site = deciding_site(code)
    assert site.tier == "bridge"
    assert re.search(re.escape(reason), site.reason or ""), site.reason
    assert site.next_step
