"""XLA devices become clusters that are compiled; whatever else names one is left to a person."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated, unchanged
from tests.native.native import printed, rewritten


def body(lines: str, tail: str = "") -> str:
    return f"import tensorflow as tf\n{tail}\ndef f(x, i):\n    {lines}\n"


COMPAT = "import compat\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('with tf.device("/device:XLA_GPU:0"): return -x', 'with compat.xla_device("/device:GPU:0"): return -x'),
        ("with tf.device('XLA_CPU:0'): return -x", "with compat.xla_device('CPU:0'): return -x"),
        (
            'with tf.device("/job:worker/task:1/device:XLA_GPU:1"): return -x',
            'with compat.xla_device("/job:worker/task:1/device:GPU:1"): return -x',
        ),
        (
            'with tf.device("/device:XLA_GPU:%d" % i): return -x',
            'with compat.xla_device("/device:GPU:%d" % i): return -x',
        ),
        (
            'with tf.device("/device:XLA_GPU:{}".format(i)): return -x',
            'with compat.xla_device("/device:GPU:{}".format(i)): return -x',
        ),
        ('with tf.device(f"/device:XLA_GPU:{i}"): return -x', 'with compat.xla_device(f"/device:GPU:{i}"): return -x'),
        (
            'with tf.device("/device:XLA_GPU:" + str(i)): return -x',
            'with compat.xla_device("/device:GPU:" + str(i)): return -x',
        ),
        (
            'with tf.device(device_name_or_function="/device:XLA_GPU:0"): return -x',
            'with compat.xla_device(device="/device:GPU:0"): return -x',
        ),
        (
            'with tf.device("/gpu:0"), tf.device("/device:XLA_GPU:0"): return -x',
            'with tf.device("/gpu:0"), compat.xla_device("/device:GPU:0"): return -x',
        ),
        (
            'with open("a"), tf.device("/device:XLA_GPU:0"), tf.device("/gpu:0"): return -x',
            'with open("a"), compat.xla_device("/device:GPU:0"), tf.device("/gpu:0"), '
            "tf.xla.experimental.jit_scope(compile_ops=False): return -x",
        ),
    ],
)
def test_devices_of_with_blocks(before: str, after: str) -> None:
    result = becomes(body(before), body(after, COMPAT))
    assert next(finding.action for finding in result.findings if finding.rule == "TFM122") == "shimmed"


def test_both_nested_forms() -> None:
    becomes(
        """\
        import tensorflow as tf

        def f(x):
            with tf.device("/gpu:0"):
                a = x + 1
                with tf.device("/device:XLA_GPU:0"):
                    b = a * 2
                    with tf.device("/cpu:0"):
                        c = b - 3
                        with tf.device("/gpu:1"):
                            c = c - 1
                return b / c
        """,
        """\
        import tensorflow as tf
        import compat

        def f(x):
            with tf.device("/gpu:0"):
                a = x + 1
                with compat.xla_device("/device:GPU:0"):
                    b = a * 2
                    with tf.device("/cpu:0"), tf.xla.experimental.jit_scope(compile_ops=False):
                        c = b - 3
                        with tf.device("/gpu:1"):
                            c = c - 1
                return b / c
        """,
    )


def test_a_name_that_only_says_where_to_put_operations() -> None:
    before = 'DEVICE = "/device:XLA_GPU:0"\n'
    inside = "with tf.device(DEVICE): return -x"
    becomes(
        body(inside, before), body("with compat.xla_device(DEVICE): return -x", f'{COMPAT}DEVICE = "/device:GPU:0"\n')
    )
    for other in (before + "print(DEVICE)\n", before * 2, 'def DEVICE(op): return "/device:XLA_GPU:0"\n'):
        result = migrated(body(inside, other))
        told = [finding.action for finding in result.findings if finding.rule == "TFM122"]
        assert told == ["manual"] * other.count("XLA")
        assert "xla_device" not in result.text
    result = migrated(body(inside, before), others={"other.py": "from train import DEVICE\n"})
    assert "xla_device" not in result.text


def test_an_imported_name() -> None:
    becomes(
        """\
        from tensorflow import device, sin

        def f(x):
            with device("/device:XLA_GPU:0"):
                return sin(x)
        """,
        """\
        from compat import device
        from tensorflow import sin
        import compat

        def f(x):
            with compat.xla_device("/device:GPU:0"):
                return sin(x)
        """,
    )


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('name = "/device:XLA_GPU:0"; return name', 12),
        ('with tf.device("/device:XLA_GPU:0" if i else "/gpu:0"): return -x', 20),
        ('return tf.DeviceSpec(device_type="XLA_GPU")', 38),
        ("return [d for d in i if d.device_type == 'XLA_CPU']", 46),
        ('name = f"/device:XLA_GPU:{i}"; return name', 12),
    ],
)
def test_other_names_of_such_devices_are_told_of(line: str, column: int) -> None:
    result = migrated(body(line))
    told = [finding for finding in result.findings if finding.rule == "TFM122"]
    assert [(finding.action, finding.line, finding.column) for finding in told] == [("manual", 4, column)]
    assert "compat.xla_device" in (told[0].next_step or "")


@pytest.mark.parametrize(
    "line",
    [
        'with tf.device("/gpu:0"): return -x',
        "with tf.device(None): return -x",
        '"/device:XLA_GPU:0"; return -x',
        'print("runs on XLA_GPU or not"); return -x',
        'return x + "--tf_xla_cpu_global_jit"',
        'return x + "XLA_GPU_JIT"',
        "return x.XLA_GPU",
    ],
)
def test_silent(line: str) -> None:
    result = unchanged(body(line))
    assert not [finding for finding in result.findings if finding.rule == "TFM122"]


def test_skipped_lines_stay() -> None:
    unchanged(body('with tf.device("/device:XLA_GPU:0"): return -x  # tf-migrate: skip'))


def test_code_of_tensorflow_2_is_told_and_left() -> None:
    code = """\
import tensorflow as tf

@tf.function
def f(x):
    with tf.device("/device:XLA_GPU:0"):
        return tf.math.log(x)
"""
    result = migrated(code)
    assert result.text == code
    assert [(finding.rule, finding.line) for finding in result.findings] == [("TFM122", 5)]


SCRIPT = """\
import tensorflow as tf

def network(x):
    with tf.device("/cpu:0"):
        h = x + 1.0
        with tf.device("/device:XLA_CPU:0"):
            h = tf.tanh(h) * 2.0
        return tf.square(h)

x = tf.placeholder(tf.float32, [None])
y = network(x)
sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
print(sess.run(y, feed_dict={x: [0.0, 1.0]}).round(3))
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_the_result_runs(tier: str) -> None:
    result = rewritten(SCRIPT, tier=tier)
    assert {site.tier for site in result.sites} == {tier}
    assert 'with compat.xla_device("/device:CPU:0"):' in result.text
    assert printed(result.text) == "[2.32  3.717]\n"


def test_a_device_whose_number_is_computed_is_one_of_the_function() -> None:
    result = rewritten(SCRIPT.replace('"/cpu:0"', "'/cpu:%d' % 0"))
    assert {site.tier for site in result.sites} == {"native"}
    assert printed(result.text) == "[2.32  3.717]\n"


def test_a_device_that_is_not_known_keeps_a_function_on_the_bridge() -> None:
    for device in ("lambda op: '/cpu:0'", "'/device:%s' % 'XLA_CPU:0'", "device_name_or_function='/cpu:0'"):
        assert {site.tier for site in rewritten(SCRIPT.replace('"/cpu:0"', device)).sites} == {"bridge"}


TRAINING = """\
import numpy as np
import tensorflow as tf

def network(x, w):
    with tf.device("/device:XLA_CPU:0"):
        return tf.tanh(x * w) * 2.0

x = tf.placeholder(tf.float32, [None])
w = tf.Variable(0.5)
loss = tf.reduce_mean(tf.square(network(x, w) - 1.0))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(5):
    _, value = sess.run([train, loss], feed_dict={x: [0.5, 1.0]})
print("%.4f %.4f" % (value, sess.run(w)))
"""


def test_training_is_the_same_on_both_tiers() -> None:
    results = {tier: rewritten(TRAINING, tier=tier) for tier in ("native", "bridge")}
    assert {site.tier for site in results["native"].sites} == {"native"}
    assert printed(results["native"].text) == printed(results["bridge"].text) == "0.0798 0.6623\n"
