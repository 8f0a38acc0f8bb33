"""Programs that train and freeze what they trained: the file holds the inputs and outputs that TensorFlow 1 wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.native.frozen_operations import EXPRESSIONS, program
from tests.native.native import made_native, printed, refuses
from tf_migrate.planning.freezing import MEASURED

BUILD = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3], name="x")
t = tf.placeholder(tf.float32, [None, 2], name="target")
w = tf.Variable(tf.zeros([3, 2]), name="w")
b = tf.Variable(tf.zeros([2]), name="b")
logits = tf.matmul(x, w) + b
y = tf.nn.softmax(logits, name="output")
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=t))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
TRAIN = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train, {x: np.float32([[1, 2, 3]]), t: np.float32([[1, 0]])})
"""
FREEZE = """\
    frozen = tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, ["output"])
    with tf.gfile.GFile("PATH", "wb") as f:
        f.write(frozen.SerializeToString())
"""
SCRIPT = BUILD + "\n" + TRAIN + FREEZE
CLASS = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 3], name="x")
        self.t = tf.placeholder(tf.float32, [None, 2], name="target")
        hidden = tf.layers.dense(self.x, 4, activation=tf.nn.relu, kernel_initializer=tf.ones_initializer())
        self.logits = tf.layers.dense(hidden, 2, kernel_initializer=tf.constant_initializer(0.25))
        self.y = tf.nn.softmax(self.logits, name="output")
        self.loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=self.logits, labels=self.t))
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def fit(self, x, t):
        return self.sess.run([self.loss, self.train], {self.x: x, self.t: t})[0]

    def freeze(self, folder, name):
        frozen = tf.graph_util.convert_variables_to_constants(
            self.sess, tf.get_default_graph().as_graph_def(), ["output"]
        )
        tf.train.write_graph(frozen, folder, name, as_text=False)


net = Net()
for _ in range(3):
    net.fit(np.float32([[1, 2, 3]]), np.float32([[1, 0]]))
net.freeze("FOLDER", "NAME")
"""
CONVOLUTIONS = """\
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import graph_util

x = tf.placeholder(tf.float32, [None, 4, 4, 1], name="input_image")
keep = tf.placeholder(tf.float32, name="keep_prob")
kernel = tf.Variable(tf.constant(0.25, shape=[2, 2, 1, 3]))
h = tf.nn.max_pool(tf.nn.relu(tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "SAME")), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
h = tf.nn.dropout(tf.reshape(h, [-1, 12]), keep)
weights = tf.get_variable("weights", [12, 2], initializer=tf.ones_initializer())
logits = tf.matmul(h, weights)
y = tf.identity(logits, "scores")
labels = tf.argmax(y, 1, name="labels")
sess = tf.Session()
sess.run(tf.global_variables_initializer())


def save(session, path):
    graph = tf.get_default_graph()
    input_graph_def = graph.as_graph_def()
    names = "scores,labels"
    output_graph_def = graph_util.convert_variables_to_constants(session, input_graph_def, names.split(","))
    with tf.gfile.FastGFile(path, mode="wb") as f:
        f.write(output_graph_def.SerializeToString())


print(sess.run(labels, {x: np.ones([1, 4, 4, 1], np.float32), keep: np.float32(1.0)}))
save(sess, "PATH")
"""
POINTS = [[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]]
IMAGES = np.arange(32.0).reshape([2, 4, 4, 1]).tolist()
PROGRAMS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "a script": (SCRIPT, {"x:0": POINTS}, ["output:0"]),
    "written at once": (
        BUILD
        + TRAIN
        + "    with open('PATH', 'wb') as f:\n        f.write(tf.graph_util.convert_variables_to_constants(\n"
        + "            sess, sess.graph.as_graph_def(), ['output']).SerializeToString())\n",
        {"x:0": POINTS},
        ["output:0"],
    ),
    "a class with layers": (CLASS, {"x:0": POINTS}, ["output:0"]),
    "a function, two outputs, and dropout": (
        CONVOLUTIONS,
        {"input_image:0": IMAGES, "keep_prob:0": 1.0},
        ["scores:0", "labels:0"],
    ),
    "a name that nothing is bound to": (
        SCRIPT.replace("y = tf.nn.softmax(logits, name=", "tf.sigmoid(logits, name="),
        {"x:0": POINTS},
        ["output:0"],
    ),
    "a graph by its name": (
        "import numpy as np\nimport tensorflow as tf\n\ngraph = tf.Graph()\nwith graph.as_default():\n"
        + "".join(f"    {line}\n" for line in BUILD.splitlines()[3:])
        + "    init = tf.global_variables_initializer()\n"
        + TRAIN.replace("Session()", "Session(graph=graph)").replace("tf.global_variables_initializer()", "init")
        + FREEZE.replace("sess.graph_def", "graph.as_graph_def()"),
        {"x:0": POINTS},
        ["output:0"],
    ),
}
READ = """
import json, sys
import tensorflow as tf
found = []
for path in sys.argv[2:]:
    definition = tf.GraphDef()
    with open(path, "rb") as file:
        definition.ParseFromString(file.read())
    feeds, outputs = json.loads(sys.argv[1])
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(definition, name="")
        fed = [node for node in definition.node if node.op == "Placeholder"]
        inputs = sorted([node.name, str(node.attr["dtype"]), str(node.attr["shape"])] for node in fed)
        values = [value.tolist() for value in session.run(outputs, feeds)]
        kinds = [[t.dtype.name, str(t.shape)] for t in map(graph.get_tensor_by_name, outputs)]
        found.append([inputs, kinds, [n.op for n in definition.node if "Var" in n.op], values])
print(json.dumps(found))
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_tensorflow_1_reads_what_it_would_have_written(
    name: str, run_legacy: Callable[..., str], tmp_path: Path
) -> None:
    code, feeds, outputs = PROGRAMS[name]

    def writing(to: str) -> str:
        return code.replace("PATH", str(tmp_path / to)).replace("FOLDER", str(tmp_path)).replace("NAME", to)

    text = made_native(writing("new.pb")).text
    assert "graph_util" not in text and "compat.freeze" in text
    assert printed(text) == run_legacy(writing("old.pb"))
    tf.config.run_functions_eagerly(True)
    try:
        printed(text.replace("new.pb", "eager.pb"))
    finally:
        tf.config.run_functions_eagerly(False)
    require_same(run_legacy, feeds, outputs, [tmp_path / f"{kind}.pb" for kind in ("old", "new", "eager")])


def require_same(run_legacy: Callable[..., str], feeds: dict[str, Any], outputs: list[str], files: list[Path]) -> None:
    """Reads files by TensorFlow 1: all of them have to hold what the first one does."""
    old, *others = json.loads(run_legacy(READ, json.dumps([feeds, outputs]), *map(str, files)))
    for new in others:
        assert new[:3] == old[:3]
        for value, expected in zip(new[3], old[3], strict=True):
            np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)


def test_operations_that_tensorflow_1_has(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    assert set(EXPRESSIONS) == MEASURED
    code, names = program(str(tmp_path / "old.pb"))
    run_legacy(code)
    printed(made_native(code.replace("old.pb", "new.pb")).text)
    feeds = {
        "x:0": (np.arange(8.0).reshape(2, 4) / 3.0 - 1.0).tolist(),
        "im:0": (np.arange(64.0).reshape(2, 4, 4, 2) / 10.0).tolist(),
        "n:0": [1, 3],
    }
    files = [tmp_path / "old.pb", tmp_path / "new.pb"]
    require_same(run_legacy, feeds, [f"{name}:0" for name in names], files)


NUMBERED = "so TF1 may have numbered it"
REFUSED = {
    "only some variables": ('["output"])', '["output"], ["w"])', "only some variables become constants"),
    "another graph": ("sess.graph_def", "other", "`other` is frozen, which may be another graph"),
    "a graph that is changed": (
        "sess.graph_def",
        "tf.graph_util.remove_training_nodes(sess.graph_def)",
        "is frozen, which may be another graph",
    ),
    "names from elsewhere": ('["output"]', "names", "the names of the outputs are not written out"),
    "a name that nothing has": ('["output"]', '["other"]', "no tensor is known whose operation is given the name"),
    "its operations are counted": (
        "    with tf.gf",
        '    print("%d operations" % len(frozen.node))\n    with tf.gf',
        "more is used than its bytes",
    ),
    "its bytes are counted": ("f.write(frozen", "len(frozen", "more is used than its bytes"),
    "kept elsewhere": ("    frozen = ", "    keep.frozen = frozen = ", "kept in something else than a name"),
    "bound again": ("    with tf.gf", "    frozen = frozen or None\n    with tf.gf", "bound to something else"),
    "an input without a name": ('[None, 3], name="x")', "[None, 3])", "an input of what is frozen has no name"),
    "an input with a value": (
        "logits = tf.matmul(x, w) + b",
        'scale = tf.placeholder_with_default(1.0, [], name="scale")\nlogits = (tf.matmul(x, w) + b) * scale',
        "has a value of its own",
    ),
    "the name of another operation": ('name="target"', 'name="Output"', NUMBERED),
    "the name of a scope": ("loss = ", 'with tf.name_scope("output"):\n    z = logits + 1.0\nloss = ', NUMBERED),
    "the name of a variable": ('name="w"', 'name="output"', NUMBERED),
    "a name that is put together": (
        "loss = ",
        'z = tf.identity(y, name="out%s" % "put")\nloss = ',
        NUMBERED,
    ),
    "the name of a kind of operations": ('"output"', '"mean"', NUMBERED),
    "in a scope": (
        "y = tf.nn.softmax",
        'with tf.name_scope("end"):\n    y = tf.nn.softmax',
        "is made in a scope or a branch",
    ),
    "several operations": ("tf.nn.softmax(logits, name", "tf.concat([logits], 1, name", "may have another name"),
    "seeded random numbers": (
        "logits = tf.matmul(x, w) + b",
        "logits = tf.matmul(tf.nn.dropout(x, 0.5, seed=3), w) + b",
        "draws seeded random numbers",
    ),
    "a seeded graph": (
        "logits = tf.matmul(x, w) + b",
        "tf.set_random_seed(1)\nlogits = tf.matmul(tf.nn.dropout(x, 0.5), w) + b",
        "draws seeded random numbers",
    ),
    "operations that TensorFlow 1 lacks": (
        "logits = tf.matmul(x, w) + b",
        "logits = tf.map_fn(lambda row: row + 1.0, tf.matmul(x, w) + b)",
        "TensorFlow 1 may lack what `tf.map_fn` becomes",
    ),
    "operations of a function": (
        "logits = tf.matmul(x, w) + b",
        "def net(value):\n    return tf.cumsum(value)\n\n\nlogits = net(tf.matmul(x, w)) + b",
        "TensorFlow 1 may lack what `tf.cumsum` becomes",
    ),
    "no inputs": (
        "y = tf.nn.softmax(logits",
        "y = tf.nn.softmax(w",
        "what is frozen has no inputs",
    ),
    "averages that move": (
        "logits = tf.matmul(x, w) + b",
        "logits = tf.layers.batch_normalization(tf.matmul(x, w) + b, training=True)",
        "what is frozen moves averages",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    code = SCRIPT
    assert old in code
    refuses(code.replace(old, new), reason)
