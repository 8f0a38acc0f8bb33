"""Scripts whose graphs, one behind the other, are not all native: those that are do without a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import tensorflow as tf

from tests.native.native import printed, refuses, rewritten

HEAD = "import numpy as np\nimport tensorflow as tf\n\nX = np.arange(8, dtype=np.float32).reshape(4, 2) / 8\n"
RESET = "\ntf.reset_default_graph()\n"
BRIDGED = """\
c = tf.placeholder(tf.float32)
doubled = tf.multiply(c, 2.0)
with tf.Session() as sess:
    double = sess.make_callable(doubled, [c])
    total = sess.run(doubled, {c: 1.5})
    print(double(4.0), total)
"""
TRAINED = """\
x = tf.placeholder(tf.float32, [None, 2])
hidden = tf.layers.dense(x, 3, activation=tf.nn.relu, kernel_initializer=tf.constant_initializer(0.5))
out = tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.5))
loss = tf.reduce_mean(tf.square(out))
step = tf.train.AdamOptimizer(0.1).minimize(loss)
init = tf.global_variables_initializer()
saver = tf.train.Saver()
with tf.Session() as sess:
    init.run()
    for epoch in range(3):
        _, value = sess.run([step, loss], feed_dict={x: X})
        print("%.4f" % value)
    saver.save(sess, "./model")
"""
RESTORED = TRAINED.replace("    init.run()\n", '    saver.restore(sess, "./model")\n').replace("./model", "./again", 2)
RESTORED = RESTORED.replace('restore(sess, "./again")', 'restore(sess, "./model")')
ASKED = """\
out = tf.layers.dense(tf.constant(X), 3, activation=tf.nn.relu, kernel_initializer=tf.zeros_initializer())
saver = tf.train.Saver()
with tf.Session() as sess:
    saver.restore(sess, "./model")
    give = sess.make_callable(out)
    print(np.round(give(), 4).tolist())
"""
SCALED = """
scale = 3.0


def net(x):
    return tf.layers.dense(x, 2, kernel_initializer=tf.ones_initializer()) * scale

"""
NET = """
x = tf.placeholder(tf.float32, [None, 2])
out = net(net(x))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(out.eval({x: X}).tolist())
"""
DRAWN = """\
x = tf.placeholder(tf.float32, [None, 2])
h = tf.layers.dense(x, 2, kernel_initializer=tf.constant_initializer(0.5))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(h, {x: np.float32(np.random.rand(1, 2))}).tolist())
"""
SEEDED = """
def reset_graph(seed=42):
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    np.random.seed(seed)


"""
INTERACTIVE = BRIDGED.replace("with tf.Session() as sess:\n", "sess = tf.InteractiveSession()\n").replace(
    "\n    ", "\n"
)
PROGRAMS = {
    "native behind the bridge": (HEAD + BRIDGED + RESET + TRAINED, 2, 1),
    "native before the bridge": (HEAD + TRAINED + RESET + BRIDGED, 2, 1),
    "native between": (HEAD + BRIDGED + RESET + TRAINED + RESET + ASKED, 3, 1),
    "two together": (HEAD + TRAINED + RESET + RESTORED + RESET + ASKED + RESET + BRIDGED, 3, 2),
    "a session that stays open": (HEAD + INTERACTIVE + RESET + TRAINED + RESET + BRIDGED, 4, 1),
    "a builder of all": (
        HEAD
        + SCALED
        + BRIDGED
        + RESET
        + NET
        + RESET
        + NET.replace("out.eval({x: X})", "sess.make_callable(out, [x])(X)"),
        3,
        1,
    ),
    "a function that resets": (
        HEAD + SEEDED + "reset_graph()\n" + DRAWN + RESET + BRIDGED + "reset_graph(3)\n" + DRAWN,
        2,
        2,
    ),
    "an initializer by a name that means others": (
        HEAD
        + "\ndef build():\n    y = tf.constant(1.0)\n    return y, tf.global_variables_initializer()\n\n\n"
        + BRIDGED.replace("c = ", "y, init = build()\nc = ")
        + RESET
        + TRAINED.replace("init.run()", "sess.run(init)"),
        2,
        2,
    ),
}


def tiers(code: str) -> list[str]:
    """The tiers of the runs that do more than initialize."""
    return [site.tier for site in rewritten(code).sites if not site.initializer_only]


@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_tf1_computed(
    name: str, run_legacy: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, bridged, native = PROGRAMS[name]
    found = tiers(code)
    assert (found.count("bridge"), found.count("native")) == (bridged, native), [
        site.reason for site in rewritten(code).sites
    ]
    monkeypatch.chdir(tmp_path)
    expected = run_legacy(code)
    text = rewritten(code).text
    assert rewritten(text).text == text
    assert printed(text) == expected
    tf.config.run_functions_eagerly(True)
    try:
        assert printed(text) == expected
    finally:
        tf.config.run_functions_eagerly(False)


def test_the_graph_is_open_where_a_section_needs_it() -> None:
    text = rewritten(PROGRAMS["native between"][0]).text
    before, native, behind = (
        text.split("compat.close_graph()\n")[0],
        *text.split("compat.close_graph()\n")[1].split("compat.open_graph()\n"),
    )
    assert before.count("compat.open_graph()\n") == 1
    assert "Session" not in native and "reset_default_graph" not in native
    assert behind.startswith("compat.reset_default_graph()\n")
    assert "compat.close_graph" not in behind


def test_a_graph_may_not_have_the_seed_of_another() -> None:
    code = HEAD + "tf.set_random_seed(3)\n" + ALONE + RESET + BRIDGED + RESET + TRAINED
    first, *others = [site for site in rewritten(code).sites if not site.initializer_only]
    assert first.tier == "native"
    assert "is a seed of another graph than the one that begins here" in (others[-1].reason or "")


def test_sessions_of_others_may_have_options() -> None:
    code = BRIDGED.replace("tf.Session()", "tf.Session(config=tf.ConfigProto(log_device_placement=True))")
    assert tiers(HEAD + code + RESET + code.replace("True", "False") + RESET + TRAINED) == ["bridge"] * 4 + ["native"]


def test_each_section_tells_its_own_reason() -> None:
    code = HEAD + BRIDGED + RESET + TRAINED + RESET + ASKED + RESET + TRAINED.replace("tf.square(out)", "out[i]")
    reasons = [site.reason for site in rewritten(code).sites if not site.initializer_only]
    assert [reason is None for reason in reasons] == [False, False, True, False, True]


ALONE = """\
x = tf.placeholder(tf.float32)
v = tf.Variable(2.0)
y = x * v
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: 3.0}))
"""
REFUSED = {
    "a tensor that is used behind": (
        TRAINED + RESET + BRIDGED + "print(out.shape)\n",
        "`out` is of a graph that was thrown away",
    ),
    "a tensor that a function uses behind": (
        "def show():\n    print(out.shape)\n\n\n" + TRAINED + RESET + BRIDGED + "show()\n",
        "`out` is of a graph that was thrown away",
    ),
    "a tensor that a loop binds perhaps": (
        TRAINED + RESET + BRIDGED + "for _ in range(int(total)):\n    out = 3\nprint(out)\n",
        "`out` is of a graph that was thrown away",
    ),
    "a tensor that is changed behind": (
        TRAINED + RESET + BRIDGED + "out += 1.0\n",
        "`out` is of a graph that was thrown away",
    ),
    "a tensor of the graph before": (
        BRIDGED + RESET + TRAINED.replace("tf.square(out)", "tf.square(out * doubled)"),
        "`doubled` is a part of another graph",
    ),
    "what is computed of the graph before": (
        BRIDGED + "shape = doubled.shape\n" + RESET + TRAINED.replace("[None, 2]", "[None, 2 + len(shape)]"),
        "`shape` is a part of another graph",
    ),
    "a function that runs several": (
        "def fit(sess):\n    for epoch in range(3):\n        sess.run(step, feed_dict={x: X})\n\n\n"
        + TRAINED.replace("    for epoch", "    fit(sess)\n    for epoch")
        + RESET
        + BRIDGED
        + RESET
        + TRAINED.replace("    for epoch", "    fit(sess)\n    for epoch"),
        "`fit`",
    ),
    "options": (
        BRIDGED
        + RESET
        + TRAINED.replace("tf.Session()", "tf.Session(config=tf.ConfigProto(log_device_placement=True))"),
        "the options of a session",
    ),
    "variables without values": (
        BRIDGED + RESET + ALONE.replace("    sess.run(tf.global_variables_initializer())\n", ""),
        "no initializer of all variables provably ran",
    ),
    "a graph that is read": (
        TRAINED + RESET + BRIDGED + RESET + 'saver = tf.train.import_meta_graph("./model.meta")\n',
        "the graph of a checkpoint is read",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_a_section(name: str) -> None:
    code, reason = REFUSED[name]
    sites = [site for site in rewritten(HEAD + code + RESET + ALONE).sites if not site.initializer_only]
    assert [site.tier for site in sites] == ["bridge"] * (len(sites) - 1) + ["native"]
    assert any(reason in (site.reason or "") for site in sites), [site.reason for site in sites]


WHOLE = {
    "a main guard": BRIDGED + RESET + TRAINED + "\nif __name__ == '__main__':\n    print(total)\n",
    "a graph that stays open": BRIDGED.replace("tf.Session()", "tf.InteractiveSession(graph=tf.get_default_graph())")
    + RESET
    + TRAINED,
    "a block without an end": "tf.device('/cpu:0').__enter__()\n" + BRIDGED + RESET + TRAINED,
    "code that is a text": BRIDGED + RESET + TRAINED + "exec('print(1)')\n",
}


@pytest.mark.parametrize("name", WHOLE)
def test_refuses_as_a_whole(name: str) -> None:
    refuses(HEAD + WHOLE[name], "")
