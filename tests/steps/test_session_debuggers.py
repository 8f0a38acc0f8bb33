"""A debugger of sessions behind an option of the program."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.steps.migration import migrated

OF_OBJECT = """\
import sys

import tensorflow as tf
from tensorflow.python import debug as tf_debug


class Bot(object):
    def __init__(self, debugs):
        self.x = tf.placeholder(tf.float32, [])
        self.y = self.x * tf.Variable(2.0)
        self.sess = tf.Session()
        if debugs:
            print("debugs")
            self.sess = tf_debug.LocalCLIDebugWrapperSession(self.sess, ui_type="readline")
            self.sess.add_tensor_filter("has_inf_or_nan", tf_debug.has_inf_or_nan)
        else:
            print("no debugger")
        self.sess.run(tf.global_variables_initializer())

    def go(self, value):
        return self.sess.run(self.y, {self.x: value})


print("%.3f" % Bot("--debug" in sys.argv).go(1.5))
"""

BY_FLAG = """\
import tensorflow as tf
from tensorflow.python import debug as tf_debug

tf.flags.DEFINE_string("dump", None, "where TensorBoard listens")
FLAGS = tf.flags.FLAGS


def main(_):
    v = tf.Variable(2.5)
    with tf.Session() as sess:
        if FLAGS.dump is not None:
            sess = tf_debug.TensorBoardDebugWrapperSession(sess, FLAGS.dump)
        sess.run(v.initializer)
        print("%.3f" % sess.run(v * 2.0))


tf.app.run()
"""

REFUSED = {
    "always": """\
import tensorflow as tf
from tensorflow.python import debug as tf_debug

v = tf.Variable(2.5)
sess = tf_debug.LocalCLIDebugWrapperSession(tf.Session())
sess.run(v.initializer)
""",
    "one of two": """\
import sys

import tensorflow as tf
from tensorflow.python import debug as tf_debug

v = tf.Variable(2.5)
sess = tf.Session()
sess = tf_debug.LocalCLIDebugWrapperSession(sess) if "--debug" in sys.argv else sess
sess.run(v.initializer)
print(sess.run(v))
""",
}


@pytest.mark.parametrize(("program", "option"), [(OF_OBJECT, "--debug"), (BY_FLAG, "--dump=localhost:1")])
def test_the_program_runs_without_the_option_and_says_so_with_it(
    program: str, option: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    text = outcome.contents["main.py"].decode()
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.stdout == run_legacy(program), done.stderr
    begun = f"import sys; sys.argv += [{option!r}]\nimport tensorflow as tf\n"
    with_option = text.replace("import tensorflow as tf\n", begun, 1)
    told = warm.run([sys.executable, "-c", with_option], cwd=tmp_path, env=environment)
    assert told.returncode != 0
    assert "NotImplementedError: steps have no session to debug" in told.stderr


@pytest.mark.parametrize("program", REFUSED.values(), ids=REFUSED)
def test_what_stays_on_the_bridge(program: str, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "debuggers" in {reason.code for site in outcome.report.sites for reason in site.reasons}
