"""Functions of other modules of the tree that build a part of the graph, called from those that replace the runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers

OPS = """import numpy as np
import tensorflow as tf

SIZE = 4
RATES = {"a": 0.1}
count = 0
ONE = tf.constant(1.0)


def scale(size):
    return 1.0 / np.sqrt(size)


def dense(x, units, name, activation=tf.nn.relu):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [x.get_shape()[1], units], initializer=tf.constant_initializer(0.1 * scale(SIZE)))
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
    y = tf.matmul(x, w) + b
    if activation is not None:
        y = activation(y)
    return y


def loss(value, target):
    return tf.reduce_mean(tf.square(value - target))


def same(value):
    return value
"""
TRAIN = """import numpy as np
import tensorflow as tf
import ops
from ops import loss as squared

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
hidden = ops.dense(x, 5, "hidden")
value = ops.same(ops.dense(hidden, 1, "out", activation=None))
loss = squared(value, y)
train_op = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        _, found = sess.run([train_op, loss], {x: np.ones([2, 3]), y: [[0.5], [1.0]]})
        print("%.5f" % found)
"""
# What TensorFlow 1.15.5 prints.
PRINTED = "0.57016\n0.11891\n0.45276\n"


def test_builders_of_another_module(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"ops.py": OPS.replace("ONE = tf.constant(1.0)\n", ""), "train.py": TRAIN})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    text = (tmp_path / "train.py").read_text()
    assert 'hidden = ops.dense(x, 5, "hidden")' in text
    assert "Session" not in text
    assert printed(tmp_path, "train.py") == PRINTED


def test_builders_through_packages(tmp_path: Path) -> None:
    layers = OPS.replace("import numpy as np\n", "from .sizes import *\n").replace("SIZE = 4\n", "")
    texts = {
        "nets/__init__.py": "from .layers import dense, loss, same\n",
        "nets/layers.py": layers.replace("ONE = tf.constant(1.0)\n", "").replace("np.sqrt(size)", "size ** 0.5"),
        "nets/sizes.py": "SIZE = 4\n",
        "train.py": TRAIN.replace("import ops\nfrom ops", "import nets as ops\nfrom nets"),
    }
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == PRINTED


def test_what_was_rewritten_stays_as_it_is(tmp_path: Path) -> None:
    rewritten(tmp_path, {"ops.py": OPS.replace("ONE = tf.constant(1.0)\n", ""), "train.py": TRAIN})
    texts = {name: (tmp_path / name).read_text() for name in ("ops.py", "train.py")}
    assert not rewritten(tmp_path, texts).contents


def test_python_values_of_functions_that_only_compute(tmp_path: Path) -> None:
    script = TRAIN.replace("y = tf.placeholder", "z = x * ops.scale(ops.SIZE)\ny = tf.placeholder")
    script = script.replace("ops.dense(x, 5", "ops.dense(2.0 * z, 5")
    outcome = rewritten(tmp_path, {"ops.py": OPS.replace("ONE = tf.constant(1.0)\n", ""), "train.py": script})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == PRINTED


# What `same` does besides, and what the reason says.
REFUSED = {
    "it makes a placeholder": ("return value * tf.placeholder_with_default(1.0, [])", "makes a placeholder"),
    "it makes an update": ("return tf.train.AdamOptimizer(0.1).minimize(value)", "inside a function"),
    "it keeps tensors elsewhere": ("RATES['b'] = value\n    return value", "stores a value outside"),
    "it puts a tensor into a collection": ("tf.add_to_collection('a', value)\n    return value", "does more than"),
    "it describes a tensor": (
        "tf.summary.scalar('a', tf.reduce_mean(value))\n    return value",
        "a summary is made inside",
    ),
    "it counts its calls": ("global count\n    count += 1\n    return value * count", "does more than"),
    "it reads what may change": ("return value * RATES['a']", "is computed while the graph is built"),
    "it reads a tensor of its module": ("return value * ONE", "may be a part of a graph"),
    "it draws numbers from a seed": ("return value * tf.random_normal([], seed=1)", "is computed while"),
    "it runs a session": ("tf.Session().run(tf.global_variables_initializer())\n    return value", "native together"),
    "it lists variables": ("return value + 0.0 * len(tf.trainable_variables())", "of another module"),
    "it takes gradients": ("return tf.gradients(value, [0.5])[0]", "gradients are taken inside a function"),
    "it is of an unknown symbol": ("return tf.contrib.layers.layer_norm(value)", "not understood"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    body, reason = REFUSED[name]
    ops = OPS.replace("    return value\n", f"    {body}\n")
    assert ops != OPS
    outcome = rewritten(tmp_path, {"ops.py": ops, "train.py": TRAIN})
    assert "native" not in tiers(outcome)
    assert any(reason in found for found in reasons(outcome)), reasons(outcome)


PLAIN = OPS.replace("ONE = tf.constant(1.0)\n", "")
CHANGED = {
    "another module binds what it reads": {"settings.py": "import ops\n\nops.SIZE = 8\n"},
    "another module may bind anything in it": {"settings.py": "import ops\n\nsetattr(ops, 'SI' + 'ZE', 8)\n"},
    "another module replaces the function": {"settings.py": "import ops\n\nops.dense = None\n"},
    "it is decorated": {"ops.py": PLAIN.replace("def same", "@np.vectorize\ndef same")},
    "it is defined twice": {"ops.py": PLAIN + "\n\ndef same(value):\n    return -value\n"},
    "it is to be left as it is": {"ops.py": "# tf-migrate: skip-file\n" + PLAIN},
    "it calls a function that is handed to it": {
        "train.py": TRAIN.replace("activation=None", "activation=twice").replace(
            "x = tf", "def twice(value):\n    return value * 2.0\n\n\nx = tf", 1
        )
    },
    "its own name means something else": {"train.py": TRAIN.replace("x = tf", "ops = __import__('ops')\nx = tf", 1)},
}


@pytest.mark.parametrize("name", CHANGED)
def test_refused_for_what_others_do(tmp_path: Path, name: str) -> None:
    outcome = rewritten(tmp_path, {"ops.py": PLAIN, "train.py": TRAIN, **CHANGED[name]})
    assert "native" not in tiers(outcome), (tmp_path / "train.py").read_text()


def test_refused_where_the_other_module_stays(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"ops.py": PLAIN, "train.py": TRAIN}, kept=("ops.py",))
    assert "native" not in tiers(outcome)


def test_a_builder_that_only_others_may_call_keeps_what_it_makes(tmp_path: Path) -> None:
    more = '\n\ndef feed():\n    return tf.placeholder(tf.float32, [None], name="fed")\n'
    outcome = rewritten(tmp_path, {"ops.py": PLAIN, "train.py": TRAIN.replace("\nx = tf", f"{more}\n\nx = tf", 1)})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert 'return compat.placeholder(tf.float32, [None], name="fed")' in (tmp_path / "train.py").read_text()
    assert printed(tmp_path, "train.py") == PRINTED


DATA = """\
import tensorflow as tf


def scaled(images):
    return tf.cast(images, tf.float32) / 2.0


def make_dataset(images, size):
    dataset = tf.data.Dataset.from_tensor_slices(images)
    return dataset.map(scaled, num_parallel_calls=2).repeat().batch(size, drop_remainder=True)
"""
READ = """\
import numpy as np
import tensorflow as tf
from data import make_dataset

train = make_dataset(np.arange(6).reshape(6, 1), 4)
x = train.make_one_shot_iterator().get_next()
w = tf.Variable(2.0)
y = tf.reduce_sum(x * w)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print([float(sess.run(y)) for _ in range(3)])
"""


def test_a_function_of_another_module_that_makes_a_dataset(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"data.py": DATA, "train.py": READ})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == "[6.0, 10.0, 14.0]\n"  # What TensorFlow 1.15.5 prints.


def test_refused_where_it_makes_the_iterator_too(tmp_path: Path) -> None:
    data = DATA.replace("drop_remainder=True)", "drop_remainder=True).make_one_shot_iterator()")
    outcome = rewritten(
        tmp_path, {"data.py": data, "train.py": READ.replace("train.make_one_shot_iterator()", "train")}
    )
    assert tiers(outcome) == {"bridge"}
    assert "`make_dataset` of another module" in reasons(outcome)[0]
