"""Loops of towers as replicas of one strategy: a real shape before and after, and what stays on the bridge, and why.

`tests/compat/train/test_mirrored_towers.py` compares what the script prints then, in a process of two devices.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten

FOLDER = Path(__file__).parent / "towers"
BEFORE, AFTER = ((FOLDER / name).read_text() for name in ("before.py", "after.py"))
AVERAGE = """
def average(towers):
    return [(tf.reduce_mean([g for g, _ in pairs], axis=0), pairs[0][1]) for pairs in zip(*towers)]

"""
SCRIPT = (
    "import tensorflow as tf\n"
    + AVERAGE
    + """
x = tf.placeholder(tf.float32, [4])
opt = tf.train.GradientDescentOptimizer(0.1)
towers = []
for i in range(2):
    with tf.device("/gpu:%d" % i), tf.variable_scope("net", reuse=i > 0):
        w = tf.get_variable("w", initializer=2.0)
        loss = tf.reduce_mean(w * x[i * 2 : i * 2 + 2])
        grads = opt.compute_gradients(loss)
        towers.append(grads)
train = opt.apply_gradients(average(towers))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train, {x: [1.0, 2.0, 3.0, 4.0]})
"""
)


def reason_of(code: str) -> str:
    """Why a loop is not made replicas; the script is then as the bridge has it."""
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"bridge"}
    (finding,) = (finding for finding in result.findings if finding.rule == "TFM203")
    return finding.message


def native(code: str) -> str:
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"native"}, [finding.message for finding in result.findings]
    assert "Session" not in result.text
    return result.text


def test_before_becomes_after() -> None:
    result = rewritten(BEFORE)
    assert result.text == AFTER
    assert {(site.tier, site.function) for site in result.sites} == {("native", "train_step"), ("native", "main")}
    (finding,) = (finding for finding in result.findings if finding.rule == "TFM203")
    assert (finding.action, "MirroredStrategy" in finding.message) == ("rewritten", True)


def test_after_stays_as_it_is() -> None:
    assert rewritten(AFTER).text == AFTER


def test_a_run_that_keeps_the_last_towers_loss() -> None:
    run = "        _, value = sess.run([train, loss], feed_dict={x: [1.0, 2.0, 3.0, 4.0]})\n"
    text = native(SCRIPT.replace("        sess.run(train, {x: [1.0, 2.0, 3.0, 4.0]})\n", run))
    assert "return tower(x)[-1]\n" in text
    assert "    value = train_step([1.0, 2.0, 3.0, 4.0]).numpy()\n" in text


def test_a_run_that_keeps_several_values() -> None:
    run = "        top, _, value = sess.run([most, train, loss], {x: [1.0, 2.0, 3.0, 4.0]})\n"
    code = SCRIPT.replace("        sess.run(train, {x: [1.0, 2.0, 3.0, 4.0]})\n", run)
    code = code.replace("        grads = opt", "        most = tf.reduce_max(x)\n        grads = opt")
    text = native(code)
    assert "    return most, loss\n" in text
    assert "    top, value = (value.numpy() for value in train_step([1.0, 2.0, 3.0, 4.0]))\n" in text
    first = code.replace("        most =", "        if i == 0:\n            most =")
    assert "not a value that each tower computes" in reason_of(first)
    weights = code.replace("[most, train, loss]", "[w, train, loss]")
    assert "not a value that each tower computes" in reason_of(weights)
    assert "the same values" in reason_of(code + run.replace("most, train, loss", "loss, train, most"))


def test_a_session_that_is_no_block_goes_too() -> None:
    head, runs = SCRIPT.split("with tf.Session() as sess:\n")
    flat = "".join(line[4:] + "\n" for line in runs.splitlines())
    assert native(f"{head}sess = tf.Session()\n{flat}sess.close()\n") == native(SCRIPT)
    assert "`sess` is used beside" in reason_of(f"{head}sess = tf.Session()\n{flat}print(sess.graph)\n")
    assert "not open" in reason_of(f"{head}def f():\n    sess.run(train)\n\nsess = tf.Session()\n{flat}")


def test_the_block_of_the_graph_goes() -> None:
    head, graph = SCRIPT.split("x = tf.placeholder", 1)
    inside = "x = tf.placeholder" + graph
    for opened in ('tf.Graph().as_default(), tf.device("/cpu:0")', 'tf.device("/cpu:0")'):
        indented = "".join(f"    {line}\n" for line in inside.splitlines())
        assert native(f"{head}with {opened}:\n{indented}") == native(SCRIPT)
    assert "stands in another block" in reason_of(f"{head}with tf.variable_scope('v'):\n{indented}")


def test_names_that_the_script_has_are_not_taken() -> None:
    text = native(SCRIPT.replace("for _ in range(3)", "for tower in range(3)"))
    assert "def tower_2(i, x):" in text
    assert "towers_2 = compat.train.Towers(" in text


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(average(towers))", "(average(list(towers)))", "the mean of the towers' gradients"),
        ("tf.reduce_mean([g", "tf.reduce_sum([g", "the mean of the towers' gradients"),
        ('"/gpu:%d" % i', "chosen(i)", "a function chooses the devices"),
        ("range(2)", "[0, 1]", "by `range`"),
        (", reuse=i > 0", "", "share their variables"),
        ("reuse=i > 0", "reuse=tf.AUTO_REUSE if i else None", "share their variables"),
        ('"net", reuse=i > 0', "tf.get_variable_scope(), reuse=tf.AUTO_REUSE", "share their variables"),
        ("w * x[i", "tf.layers.batch_normalization(x) * w * x[i", "each replica would have its own"),
        ("w * x[i", "tf.nn.embedding_lookup(w, 0) * x[i", "known to be the same"),
        ("w * x[i", "w + queue.dequeue() * x[i", "used beside"),
        ("loss = tf", "tf.summary.scalar('w', w)\n        loss = tf", "`tf.summary.scalar`"),
        ("opt.compute_gradients(loss)", "opt.compute_gradients(loss, [w])", "of one loss"),
        ("towers.append(grads)\n", "towers.append(grads)\n        print(len(towers))\n", "what other towers put there"),
        ("train = opt", "print(loss)\ntrain = opt", "`loss` is used beside the towers"),
        ("train = opt", "saver = tf.train.Saver()\ntrain = opt", "`tf.train.Saver` is used beside"),
        ("tf.Session()", "tf.Session(config=tf.ConfigProto(log_device_placement=True))", "options beside"),
        ("sess.run(train, {x", "sess.run(loss, {x", "no function makes the variables"),
        ("sess.run(train, {x: [1.0, 2.0, 3.0, 4.0]})", "sess.run(train, feeds)", "written out"),
        ("sess.run(train, {x: [1.0, 2.0, 3.0, 4.0]})", "sess.run(train, {x: [1.0], w: 2.0})", "feed all placeholders"),
        ("    sess.run(tf.global_variables_initializer())\n", "", "may have no values"),
        ("w * x[i", "nets.model(w) * x[i", "`nets` of another module"),
    ],
)
def test_what_is_not_of_the_form_stays_on_the_bridge(old: str, new: str, reason: str) -> None:
    assert old in SCRIPT
    code = SCRIPT.replace(old, new, 1)
    if "nets" in code:
        code = code.replace("import tensorflow as tf\n", "import tensorflow as tf\nimport nets\n")
    if "queue" in code:
        code = code.replace("x = tf.pl", "queue = tf.FIFOQueue(9, tf.float32)\nx = tf.pl")
    assert reason in reason_of(code)
