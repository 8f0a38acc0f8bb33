"""Scripts whose graph other modules build: where these stay on the bridge, the script stays there with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers

NET = """\
import tensorflow as tf


class Net(object):
    def __init__(self, name, size):
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [None, 4])
            self.w = tf.get_variable("w", [4, size], initializer=tf.constant_initializer(0.1))
            self.y = tf.matmul(self.x, self.w)
            self.scope = tf.get_variable_scope().name
        self.loss = tf.reduce_mean(tf.square(self.y - 1.0))
        self.step = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def train(self, x):
        return tf.get_default_session().run([self.loss, self.step], {self.x: x})[0]
"""
INNER = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
ROWS = "np.full([2, 4], 0.5 * i, np.float32)"
LOOP = f"    for i in range(3):\n        print('%.5f' % net.train({ROWS}))\n"
HEAD = "import numpy as np\nimport tensorflow as tf\n"
PROGRAMS = {
    "a class of a module": {
        "net.py": NET,
        "train.py": HEAD + "from net import Net\nnet = Net('policy', 3)\nsaver = tf.train.Saver()\n" + INNER + LOOP,
    },
    "a module's own object": {
        "model.py": NET + "\n\nnet = Net('value', 2)\n",
        "train.py": HEAD + "from model import net\n" + INNER + LOOP,
    },
    "a class of the script that goes on": {
        "nets/__init__.py": "",
        "nets/base.py": NET,
        "train.py": HEAD
        + "from nets import base\n\n\nclass Small(base.Net):\n    pass\n\n\nnet = Small('small', 2)\n"
        + INNER
        + LOOP,
    },
    "a run of the script's own": {
        "net.py": NET,
        "train.py": HEAD
        + "import net as nets\nrate = tf.placeholder(tf.float32, [])\nhalf = rate / 2.0\nnet = nets.Net('policy', 3)\n"
        + INNER
        + LOOP
        + "    print(sess.run(half, {rate: 3.0}))\n",
    },
    "a function that makes it": {
        "net.py": NET + "\n\ndef make(size):\n    return Net('made', size)\n",
        "train.py": HEAD + "import net as nets\nnet = nets.make(3)\n" + INNER + LOOP,
    },
}


@pytest.mark.parametrize("files", PROGRAMS.values(), ids=PROGRAMS)
def test_it_goes_with_its_modules(files: dict[str, str], tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    before = tmp_path / "before"
    for name, text in files.items():
        (before / name).parent.mkdir(parents=True, exist_ok=True)
        (before / name).write_text(text)
    expected = run_legacy("import sys\nsys.path.insert(0, '.')\n" + files["train.py"], cwd=before)
    outcome = rewritten(tmp_path / "after", files)
    assert tiers(outcome) == {"bridge"}, reasons(outcome)
    assert printed(tmp_path / "after", "train.py") == expected
