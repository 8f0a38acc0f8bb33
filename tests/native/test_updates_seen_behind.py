"""What is computed behind updates of what these left in the variables: tensors that are fetched, and assignments."""

from __future__ import annotations

import pytest

from tests.native.models import SESSION, STEP
from tests.native.native import made_native, printed, refuses

MODEL = (
    STEP
    + """\
v = tf.Variable(10.0, trainable=False, name="v")
inc = n.assign_add(2)
add = w.assign_add(1.0)
"""
)


def waits(updates: str, statement: str) -> str:
    return f"with tf.control_dependencies([{updates}]):\n    {statement}\n"


def runs(fetched: str) -> str:
    numbers = f"np.ravel(sess.run({fetched}, {{x: [1.0]}})).tolist()"
    return f"{SESSION}for _ in range(2):\n    print({numbers}, sess.run(w), sess.run(v), sess.run(n))\n"


# What TF 1.15.5 prints, each time that it was asked.
SEEN = {
    "an identity": (waits("add", "z = tf.identity(w)"), "z", "[3.0] 3.0 10.0 0 [4.0] 4.0 10.0 0"),
    "a step": (waits("step", "z = w.read_value()"), "z", "[2.25] 2.25 10.0 0 [2.4375] 2.4375 10.0 0"),
    "beside the loss": (waits("add", "z = w * 2.0"), "[z, loss]", "[6.0, 1.0] 3.0 10.0 0 [8.0, 0.0] 4.0 10.0 0"),
    "two updates": (
        waits("step, inc", "z = loss + w * tf.cast(n, tf.float32)"),
        "z",
        "[5.5] 2.25 10.0 2 [10.3125] 2.4375 10.0 4",
    ),
    "what is not updated": (
        waits("inc", "z = loss + tf.reduce_sum(w) * tf.cast(n, tf.float32)"),
        "z",
        "[5.0] 2.0 10.0 2 [9.0] 2.0 10.0 4",
    ),
    "slots and the global step": (
        "count = tf.train.get_or_create_global_step()\n"
        "adam = tf.train.AdamOptimizer(0.5).minimize(loss, global_step=count)\n" + waits("adam", "z = count + 1"),
        "[z, loss]",
        "[2.0, 1.0] 2.5 10.0 0 [3.0, 0.25] 2.9660883 10.0 0",
    ),
    "an assignment": (waits("step", "z = v.assign(w * 2.0)"), "z", "[4.5] 2.25 4.5 0 [4.875] 2.4375 4.875 0"),
    "a copy": (
        waits("step", "z = v.assign_add(w)"),
        "[z, loss]",
        "[12.25, 1.0] 2.25 12.25 0 [14.6875, 0.5625] 2.4375 14.6875 0",
    ),
    "of its own value": (
        waits("inc", "z = tf.assign(v, v * 0.5 + tf.cast(n, tf.float32))"),
        "[z, n]",
        "[7.0, 2.0] 2.0 7.0 2 [7.5, 4.0] 2.0 7.5 4",
    ),
    "a count of steps": (waits("step", "z = tf.assign_add(n, 1)"), "z", "[1] 2.25 10.0 1 [2] 2.4375 10.0 2"),
    "of the same variable": (waits("inc", "z = n.assign(n * 3)"), "z", "[6] 2.0 10.0 6 [24] 2.0 10.0 24"),
    "behind a step of it": (
        waits("step", "z = w.assign(w * 2.0)"),
        "[z, loss]",
        "[4.5, 1.0] 4.5 10.0 0 [8.25, 2.25] 8.25 10.0 0",
    ),
    "one behind the other": (
        waits("step", "u = v.assign(w)") + waits("u", "z = v * 10.0"),
        "z",
        "[22.5] 2.25 2.25 0 [24.375] 2.4375 2.4375 0",
    ),
    "the one before": (
        waits("step", "u = v.assign(w)") + waits("u", "z = w * 10.0"),
        "z",
        "[22.5] 2.25 2.25 0 [24.375] 2.4375 2.4375 0",
    ),
    "a tensor and an assignment": (
        waits("step", "u = v.assign(w)") + waits("step", "z = w + 1.0"),
        "[u, z, loss]",
        "[2.25, 3.25, 1.0] 2.25 2.25 0 [2.4375, 3.4375, 0.5625] 2.4375 2.4375 0",
    ),
    "beside another update": (
        waits("step", "u = v.assign(w)"),
        "[u, inc, w]",
        "[2.25, 2.0, 2.25] 2.25 2.25 2 [2.4375, 4.0, 2.4375] 2.4375 2.4375 4",
    ),
}
GROUPED = {
    "a group": waits("step", "u = v.assign(w)") + "z = tf.group(u, inc)\n",
    "nothing": waits("step", "u = v.assign(w)") + waits("u, inc", "z = tf.no_op()"),
}


@pytest.mark.parametrize(("block", "fetched", "expected"), SEEN.values(), ids=SEEN.keys())
def test_what_is_behind_updates_sees_them(block: str, fetched: str, expected: str) -> None:
    assert printed(made_native(MODEL + block + runs(fetched)).text).split() == expected.split()


@pytest.mark.parametrize("block", GROUPED.values(), ids=GROUPED.keys())
def test_groups_of_what_waits(block: str) -> None:
    code = f"{MODEL}{block}{SESSION}sess.run(z, {{x: [1.0]}})\nprint(sess.run(w), sess.run(v), sess.run(n))\n"
    # What TF 1.15.5 prints.
    assert printed(made_native(code).text).split() == ["2.25", "2.25", "2"]


@pytest.mark.parametrize("name", ["a step", "a tensor and an assignment", "slots and the global step"])
def test_eager_mode_gives_the_same_numbers(name: str) -> None:
    import tensorflow as tf

    block, fetched, expected = SEEN[name]
    text = made_native(MODEL + block + runs(fetched)).text
    try:
        tf.config.run_functions_eagerly(True)
        assert printed(text).split() == expected.split()
    finally:
        tf.config.run_functions_eagerly(False)


def test_the_code_that_is_written() -> None:
    block, fetched, _ = SEEN["a tensor and an assignment"]
    assert (
        """\
    v.assign(w)
    z = w + 1.0
    return v.read_value(), z, loss
"""
        in made_native(MODEL + block + runs(fetched)).text
    )


def test_a_function_does_not_retrace() -> None:
    block, _, _ = SEEN["a step"]
    code = f"{MODEL}{block}{SESSION}for k in range(3):\n    sess.run(z, {{x: [1.0] * (k + 1)}})\n"
    text = made_native(code).text
    name = text.rpartition("def ")[2].partition("(")[0]
    assert printed(f"{text}print({name}.experimental_get_tracing_count())\n") == "1\n"


def test_an_object_has_what_is_behind() -> None:
    code = """\
import tensorflow as tf
class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(2.0)
        self.best = tf.Variable(0.0, trainable=False)
        loss = tf.reduce_mean(tf.square(self.x * self.w - 3.0))
        step = tf.train.GradientDescentOptimizer(0.125).minimize(loss, var_list=[self.w])
        with tf.control_dependencies([step]):
            self.kept = self.best.assign(self.w * 2.0)
            self.train_op = tf.identity(self.w)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
    def train(self, data):
        return self.sess.run([self.train_op, self.kept], {self.x: data})
model = Model()
print(*map(float, model.train([1.0])), *map(float, model.train([1.0])))
"""
    # What TF 1.15.5 prints.
    assert printed(made_native(code).text).split() == ["2.25", "4.5", "2.4375", "4.875"]


OPEN = "and waits for other updates only"


@pytest.mark.parametrize(
    ("block", "fetched", "reason"),
    [
        (waits("inc", "z = w * tf.cast(n, tf.float32)"), "[z, add]", OPEN),
        (waits("inc", "z = v.assign(w)"), "[z, add]", OPEN),
        (waits("inc", "z = n.assign(n + 1)"), "[inc, z]", "one run updates `n` twice"),
        (waits("inc", "a = n.assign(1)\n    z = n.assign(2)"), "[a, z]", "one run updates `n` twice"),
        (waits("step", "u = v.assign(loss)") + waits("inc", "z = v * 1.0"), "[u, z]", OPEN),
        ("r = tf.reshape(w, [])\n" + waits("step", "z = v.assign(r)"), "z", "`r` is read where updates come first"),
        (
            "def twice():\n    return w * 2.0\n" + waits("step", "z = v.assign(twice())"),
            "z",
            "`w` is read where updates come first",
        ),
        (
            "t = tf.Variable([1.0])\n" + waits("step", "z = tf.scatter_update(t, [0], [2.0])"),
            "z",
            "something else than averages, assignments, groups and tensors",
        ),
        (
            "other = tf.train.GradientDescentOptimizer(0.5)\n" + waits("inc", "z = other.minimize(loss)"),
            "z",
            "something else than averages, assignments, groups and tensors",
        ),
        (waits("step", "u = w * 2.0\n    z = v.assign(u)"), "z", "which waits for updates, is used where it is not"),
    ],
)
def test_what_is_not_sure_is_refused(block: str, fetched: str, reason: str) -> None:
    refuses(MODEL + block + runs(fetched), reason)
