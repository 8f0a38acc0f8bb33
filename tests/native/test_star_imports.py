"""Star imports of modules of the tree: what they bring in is known, and then they are read like any other import."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers

SIZES = "import numpy as np\n\nSIZE = 4\n\n\ndef data():\n    return np.ones([2, SIZE], np.float32)\n"
OPS = """import tensorflow as tf
from sizes import *


def dense(x, units, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [SIZE, units], initializer=tf.constant_initializer(0.5))
    return tf.matmul(x, w)
"""
TRAIN = """from ops import *

x = tf.placeholder(tf.float32, [None, SIZE])
y = dense(x, 1, "out")
loss = tf.reduce_mean(tf.square(y - 1.0))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(2):
        _, found = sess.run([train_op, loss], {x: np.float32(step + 1) * data()})
        print("%.4f" % found)
"""
# What TensorFlow 1.15.5 prints.
PRINTED = "1.0000\n1.9600\n"

MODEL = TRAIN.replace("from ops import *\n", "from ops import *\n\n\nclass Net(object):\n    def __init__(self):")
MODEL = MODEL.partition("with")[0].strip() + "\n"
MODEL = "\n".join(
    f"        self.{line}" if " = " in line and not line.startswith(" ") else line for line in MODEL.split("\n")
)
for word in ("(x,", "(y ", "(loss"):
    MODEL = MODEL.replace(word, f"(self.{word[1:]}")
USE = TRAIN.partition("with")[2].replace("train_op, loss", "net.train_op, net.loss").replace("{x:", "{net.x:")
USE = f"from model import *\n\nnet = Net()\n\nwith{USE}"

TREES = {
    "of functions, through which more is taken": {"train.py": TRAIN},
    "beside an import of the same": {"train.py": "import numpy as np\nimport tensorflow as tf\n" + TRAIN},
    "of which nothing is used": {"train.py": TRAIN.replace("ops import *", "ops import *\nfrom none import *")},
    "of a class, through which more is taken": {"train.py": USE, "model.py": MODEL},
    "of a module that lists what it gives": {
        "train.py": TRAIN,
        "sizes.py": SIZES.replace("\nSIZE", '\n__all__ = ["np", "data", "SIZE"]\nOTHER = 3\nSIZE'),
    },
}


@pytest.mark.parametrize("name", TREES)
def test_converted(tmp_path: Path, name: str) -> None:
    texts = {"sizes.py": SIZES, "ops.py": OPS, "none.py": "NONE = 0\n", **TREES[name]}
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert "import *" in (tmp_path / "train.py").read_text()
    assert printed(tmp_path, "train.py") == PRINTED
    assert not rewritten(tmp_path, {path.name: path.read_text() for path in tmp_path.glob("*.py")}).contents


def test_a_package_gives_what_its_modules_make(tmp_path: Path) -> None:
    texts = {
        "nets/__init__.py": "from .model import Net\nfrom .ops import data, np, tf\n",
        "nets/model.py": MODEL.replace("ops", ".ops"),
        "nets/ops.py": OPS.replace("sizes", ".sizes"),
        "nets/sizes.py": SIZES,
        "train.py": USE.replace("from model import *", "from nets import Net, data, np, tf"),
    }
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == PRINTED


_OWN = TRAIN.replace("from ops import *\n", "from ops import *\n\nSIZE = 4\n")
_UNKNOWN = "a star import may bind any name"
REFUSED = {
    "of a library": ({"train.py": "from pylab import *\n" + TRAIN}, _UNKNOWN),
    "of a module that takes all of a library": ({"sizes.py": "from pylab import *\n" + SIZES}, _UNKNOWN),
    "of a module that binds names by their texts": ({"sizes.py": SIZES + "\n\nglobals()['SI' + 'ZE'] = 3\n"}, _UNKNOWN),
    "of a module whose list of names is computed": ({"sizes.py": SIZES + "\n\n__all__ = list(dir())\n"}, _UNKNOWN),
    "where the script binds the same name": ({"train.py": _OWN}, _UNKNOWN),
    "where two modules give another meaning to a name": (
        {"train.py": TRAIN.replace("ops import *", "ops import *\nfrom more import *"), "more.py": "SIZE = 4\n"},
        _UNKNOWN,
    ),
    "in a condition": ({"train.py": TRAIN.replace("from ops", "if True:\n    from ops")}, _UNKNOWN),
    "of a tensor": (
        {"train.py": TRAIN.replace("- 1.0", "- ONE"), "ops.py": OPS + "\n\nONE = tf.constant(1.0)\n"},
        "may be a part of a graph",
    ),
    "of a tensor, into a module that gives it on": (
        {
            "train.py": TRAIN.replace("- 1.0", "- ONE"),
            "sizes.py": "import tensorflow as tf\n" + SIZES + "\n\nONE = tf.constant(1.0)\n",
        },
        "may be a part of a graph",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    texts, reason = REFUSED[name]
    outcome = rewritten(tmp_path, {"sizes.py": SIZES, "ops.py": OPS, "train.py": TRAIN, **texts})
    assert "native" not in tiers(outcome), (tmp_path / "train.py").read_text()
    assert any(reason in found for found in reasons(outcome)), reasons(outcome)
