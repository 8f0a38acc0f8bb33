"""What the shims refuse when a program runs is told when it is rewritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine import migrated
from tests.native.native import printed

HEAD = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [], name='x')\nv = tf.Variable(1.0)\n"
REFUSED = {
    "strategy": "tf.estimator.RunConfig(train_distribute=tf.distribute.MirroredStrategy(['cpu:0']))",
    "builder": "tf.train.Saver(builder=object())",
    "first format": "tf.train.Saver([v], write_version=tf.train.SaverDef.V1)",
    "first format, by number": "version = 1\ntf.train.Saver(write_version=version)",
    "a writer in a graph": "tf.summary.FileWriter('logs', session=tf.Session())",
    "one scope": "tf.train.export_meta_graph(export_scope='x')",
    "a definition": "tf.contrib.training.HParams(hparam_def=object())",
    "in parts": "sess = tf.Session()\nhandle = sess.partial_run_setup([x * v], [x])",
    "in parts, later": (
        "class Net:\n    def __init__(self):\n        self.sess = tf.Session()\n    def part(self, handle):\n"
        "        return self.sess.partial_run(handle, x)\nNet().part('h')"
    ),
}


@pytest.mark.parametrize("code", REFUSED.values(), ids=REFUSED)
def test_what_raises_is_told(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = migrated(HEAD + code + "\n")
    found = [finding for finding in result.findings if finding.rule == "TFM137"]
    assert [finding.action for finding in found] == ["manual"]
    assert found[0].next_step
    monkeypatch.chdir(tmp_path)
    with pytest.raises((NotImplementedError, ValueError)):
        printed(result.text)


@pytest.mark.parametrize(
    "code",
    [
        "tf.train.Saver(write_version=tf.train.SaverDef.V2)",
        "tf.train.Saver(write_version=2, builder=None)",
        "tf.estimator.RunConfig(train_distribute=None, save_summary_steps=2)",
        "tf.summary.FileWriter('logs', tf.get_default_graph())",
        "class Job:\n    def partial_run(self):\n        return 1\nJob().partial_run()",
        "tf.train.Saver(builder=object())  # tf-migrate: skip",
    ],
)
def test_other_calls_say_nothing(code: str) -> None:
    assert not [finding for finding in migrated(f"{HEAD}{code}\n").findings if finding.rule == "TFM137"]


GROWN = """\
import tensorflow as tf
rows = tf.Variable([1.0, 2.0], name="rows"{})
grow = tf.assign(rows, tf.concat([rows, [3.0]], 0), validate_shape=False)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(grow).tolist(), sess.run(grow).tolist())
"""


def test_a_variable_that_grows_is_told_of_where_it_keeps_its_shape() -> None:
    told = migrated(GROWN.format(""))
    (finding,) = [each for each in told.findings if each.rule == "TFM137"]
    assert (finding.line, finding.severity) == (3, "warning")
    with pytest.raises(ValueError, match="Dimension 0"):
        printed(told.text)
    as_told = migrated(GROWN.format(", validate_shape=False"))
    assert not [each for each in as_told.findings if each.rule == "TFM137"]
    assert printed(as_told.text) == "[1.0, 2.0, 3.0] [1.0, 2.0, 3.0, 3.0]\n"
