"""Lists, tuples and dictionaries of what runs fetch that have a name of their own: `fetches = [train, loss]`."""

from __future__ import annotations

import pytest

from tests.native.models import SESSION, STEP
from tests.native.native import made_native, printed, refuses

MODEL = STEP + "count = n.assign_add(1)\n"


@pytest.mark.parametrize(
    ("fetches", "run", "expected"),
    [
        # What TF 1.15.5 prints.
        ("[step, loss]", "_, got = sess.run(fetches, {x: [1.0]})\nprint(float(got), sess.run(w))\n", "1.0 2.25"),
        ("[count, loss]", "got = sess.run(fetches, {x: [1.0]})\nprint(float(got[1]), sess.run(n))\n", "1.0 1"),
        ("(count, [loss, w])", "a, (b, c) = sess.run(fetches, {x: [1.0]})\nprint(float(b), c)\n", "1.0 2.0"),
        ("{'n': count, 'l': loss}", "got = sess.run(fetches, {x: [1.0]})\nprint(got['n'], got['l'])\n", "1 1.0"),
        (
            "[loss, w]",
            "for _ in range(2):\n    got = sess.run(fetches, {x: [1.0]})\nprint(len(got), *got)\n",
            "2 1.0 2.0",
        ),
    ],
)
@pytest.mark.parametrize("first", [True, False], ids=["before the session", "behind it"])
def test_a_run_fetches_what_a_list_holds(fetches: str, run: str, expected: str, first: bool) -> None:
    named = f"fetches = {fetches}\n"
    result = made_native(MODEL + (named + SESSION if first else SESSION + named) + run)
    assert "fetches" not in result.text
    assert printed(result.text).strip() == expected


def test_functions_and_methods_that_run_name_what_they_fetch() -> None:
    function = """\
def epoch(size):
    fetches = [step, loss]
    for _ in range(size):
        _, value = sess.run(fetches, {x: [1.0]})
    return value
print(float(epoch(2)))
"""
    # What TF 1.15.5 prints.
    assert printed(made_native(MODEL + SESSION + function).text).strip() == "0.5625"
    model = """\
import tensorflow as tf
class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(2.0)
        self.loss = tf.reduce_mean(tf.square(self.x * self.w - 3.0))
        self.step = tf.train.GradientDescentOptimizer(0.125).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
    def train(self, data):
        fetches = [self.step, self.loss]
        _, loss = self.sess.run(fetches, {self.x: data})
        return loss
model = Model()
print(float(model.train([1.0])), float(model.train([1.0])))
"""
    # What TF 1.15.5 prints.
    assert printed(made_native(model).text).strip() == "1.0 0.5625"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            f"fetches = [step, loss]\n{SESSION}loss = loss * 2.0\n_, got = sess.run(fetches, {{x: [1.0]}})\n",
            "`loss` in `fetches` means something else by the time of the run",
        ),
        (
            f"fetches = [count, loss]\nfetches.append(w)\n{SESSION}got = sess.run(fetches, {{x: [1.0]}})\n",
            "`.append()` of a part of the graph",
        ),
        (
            f"fetches = [count, loss]\n{SESSION}print(len(fetches), sess.run(fetches, {{x: [1.0]}}))\n",
            "a part of the graph is given to `len`",
        ),
        (
            f"fetches = [count, loss]\nif len('a'):\n    fetches = [loss]\n{SESSION}sess.run(fetches, {{x: [1.0]}})\n",
            "the graph grows inside a loop or a condition",
        ),
        (
            f"{SESSION}got = sess.run([count, loss] if n is not None else [loss], {{x: [1.0]}})\n",
            "updates and tensors are fetched as one",
        ),
        (
            f"fetches = [step, loss]\n{SESSION}made, got = sess.run(fetches, {{x: [1.0]}})\nprint(made)\n",
            "the None that an operation's fetch gives is used",
        ),
    ],
    ids=["rebound", "appended", "counted", "another list", "chosen", "None"],
)
def test_what_a_list_holds_may_not_be_sure(code: str, reason: str) -> None:
    refuses(MODEL + code, reason)
