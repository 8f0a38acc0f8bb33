"""Options of sessions become calls of `tf.config`, before TensorFlow starts."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten

HEAD = """\
import os
os.environ["SOMETHING"] = "1"
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0)
y = x * w
"""
TAIL = """
sess.run(tf.global_variables_initializer())
print(sess.run(y, feed_dict={x: [0.0, 1.0]}))
"""
INSIDE = """\
import tensorflow as tf

def main():
    x = tf.placeholder(tf.float32, [None])
    w = tf.Variable(2.0)
    y = x * w
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(y, feed_dict={x: [0.0, 1.0]}))

main()
"""
GROWTH = """\
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
"""


def options(session: str) -> str:
    """What stands between the import of TensorFlow and the variable."""
    result = made_native(HEAD + session + TAIL)
    assert "ConfigProto" not in result.text
    assert "GPUOptions" not in result.text
    assert "compat" not in result.text
    return result.text.partition("import tensorflow as tf\n")[2].partition("w = tf.Variable")[0].strip("\n") + "\n"


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        ("config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\nsess = tf.Session(config=config)", GROWTH),
        ("sess = tf.InteractiveSession(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))", GROWTH),
        (
            "gpu_options = tf.GPUOptions()\ngpu_options.allow_growth = True\n"
            "sess = tf.Session(config=tf.ConfigProto(gpu_options=gpu_options, log_device_placement=False))",
            GROWTH,
        ),
        (
            "sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True, log_device_placement=True))",
            "tf.config.set_soft_device_placement(True)\ntf.debugging.set_log_device_placement(True)\n",
        ),
        (
            "c = tf.ConfigProto(intra_op_parallelism_threads=1)\nc.inter_op_parallelism_threads = 2\n"
            "sess = tf.Session(config=c)",
            "tf.config.threading.set_inter_op_parallelism_threads(2)\n"
            "tf.config.threading.set_intra_op_parallelism_threads(1)\n",
        ),
        (
            'sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))',
            'tf.config.set_visible_devices([], "GPU")\n',
        ),
        (
            'sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="1,0")))',
            'gpus = tf.config.list_physical_devices("GPU")\n'
            'tf.config.set_visible_devices([gpus[number] for number in (1, 0,) if number < len(gpus)], "GPU")\n',
        ),
        (
            "LOG = True\nsess = tf.Session(config=tf.ConfigProto(log_device_placement=LOG))",
            "tf.debugging.set_log_device_placement(True)\n",
        ),
        ("sess = tf.Session(config=tf.ConfigProto())", "\n"),
    ],
)
def test_become_calls_of_tf_config(session: str, expected: str) -> None:
    assert options(session) == expected


def test_the_result_runs() -> None:
    session = "config = tf.ConfigProto(allow_soft_placement=True)\nconfig.gpu_options.allow_growth = True\n"
    assert printed(rewritten(HEAD + session + "sess = tf.Session(config=config)" + TAIL).text) == "[0. 2.]\n"


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        (
            "config = tf.ConfigProto(allow_soft_placement=soft, log_device_placement=not soft)\n"
            "sess = tf.Session(config=config)",
            "tf.config.set_soft_device_placement(soft)\ntf.debugging.set_log_device_placement(not soft)\n",
        ),
        (
            "config = tf.ConfigProto()\nconfig.allow_soft_placement = soft\nsess = tf.Session(config=config)",
            "tf.config.set_soft_device_placement(soft)\n",
        ),
        (
            "sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=soft))",
            "tf.config.set_soft_device_placement(soft)\n",
        ),
    ],
)
def test_values_that_are_computed(session: str, expected: str) -> None:
    result = made_native(f"soft = bool(1)\n{HEAD}{session}{TAIL}")
    assert f"w = tf.Variable(2.0)\n{expected}" in result.text
    assert "ConfigProto" not in result.text
    assert printed(result.text) == "[0. 2.]\n"


COMPUTED = {
    "a tensor": ("sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=w))", "used as a Python value"),
    "an option that TensorFlow 2 takes first": (
        "config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = soft\nsess = tf.Session(config=config)",
        "no plain value that TensorFlow 2 takes",
    ),
    "in a loop": (
        "config = tf.ConfigProto()\nfor soft in (True, False):\n    config.allow_soft_placement = soft\n"
        "sess = tf.Session(config=config)",
        "`config` is used for more than options of a session",
    ),
    "of two sessions": (
        "config = tf.ConfigProto(allow_soft_placement=soft)\nsess = tf.Session(config=config)\n"
        "sess = tf.Session(config=config)",
        "options of several sessions are computed",
    ),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_computed_values_that_stay_on_the_bridge(name: str) -> None:
    session, reason = COMPUTED[name]
    site = deciding_site(f"soft = bool(1)\n{HEAD}{session}{TAIL}")
    assert site.tier == "bridge"
    assert reason in str(site.reason)


def test_inside_a_function() -> None:
    result = made_native(INSIDE)
    assert "import tensorflow as tf\n\ntf.config.set_soft_device_placement(True)\n" in result.text
    assert "config = " not in result.text
    assert printed(result.text) == "[0. 2.]\n"


def test_what_is_not_carried_over_is_told() -> None:
    session = "o = tf.GPUOptions(per_process_gpu_memory_fraction=share)\n"
    session += "sess = tf.Session(config=tf.ConfigProto(gpu_options=o))"
    result = made_native("share = 0.3\n" + HEAD + session + TAIL)
    assert "set_logical_device_configuration" in " ".join(finding.message for finding in result.findings)


@pytest.mark.parametrize(
    ("session", "reason"),
    [
        ("sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=bool(w)))", "given to `bool`"),
        ("a = 1\na = 2\nsess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=a))", "parallelism"),
        ("sess = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=5))", "operation_timeout_in_ms"),
        ("sess = tf.Session(config=tf.ConfigProto(device_count={'CPU': 4}))", "number of devices"),
        ("sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list='a')))", "no numbers"),
        (
            "c = tf.ConfigProto()\nif os.environ:\n    c.log_device_placement = True\nsess = tf.Session(config=c)",
            "more",
        ),
        ("c = tf.ConfigProto()\nprint(c)\nsess = tf.Session(config=c)", "more than options"),
        ("c = tf.ConfigProto()\nc = c\nsess = tf.Session(config=c)", "different options"),
        ("if os.environ:\n    c = tf.ConfigProto()\nsess = tf.Session(config=c)", "inside a loop or a condition"),
        ("sess = tf.Session(config=dict())", "made elsewhere"),
        ("sess = tf.Session(config=tf.ConfigProto(), graph=tf.get_default_graph())", "arguments"),
    ],
)
def test_what_is_not_known_stays_on_the_bridge(session: str, reason: str) -> None:
    site = deciding_site(HEAD + session + TAIL)
    assert site.tier == "bridge"
    if reason != "no numbers":
        assert reason in (site.reason or "")


def test_a_name_of_the_options_that_means_something_else_in_a_function() -> None:
    code = """\
import tensorflow as tf


def rate():
    config = {"rate": 2.0}
    return config["rate"]


x = tf.placeholder(tf.float32)
y = x * rate()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(y, {x: 3.0}))
"""
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"native"}
    assert "ConfigProto" not in result.text
    assert printed(result.text) == "6.0\n"
    told = "def rate():\n    return len(str(config))\n\n\nconfig = 1\nx ="
    for other in (
        code.replace("    config = {", "    global config\n    config = {"),
        code.replace("with tf.Session", "print(config)\nwith tf.Session"),
        code.replace("with tf.Session", "def show():\n    print(config)\n\n\nshow()\nwith tf.Session"),
        code[: code.index("def rate")] + told + code[code.index("x =") + 3 :],
    ):
        assert {site.tier for site in rewritten(other).sites} == {"bridge"}
