"""TensorFlow that functions return, or are given: it is followed, or a person is told that nothing behind it was."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.engine import migrated
from tests.native.native import printed
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import run

RETURNED = {
    "not always": "def import_tf(wanted):\n    import tensorflow as tf\n    if wanted:\n        return tf\n",
    "the module's": "import tensorflow\n\n\nclass Lazy(object):\n    def library(self):\n        return tensorflow\n",
}
GIVEN = "def build(tf, rate):\n    x = tf.placeholder(tf.float32, [None])\n    return x * rate\n"
HELPER = """\
import os


def import_tf(verbose=False):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0" if verbose else "3"
    import tensorflow as tf
    return tf
"""
BUILDS = """\
    x = tf.placeholder(tf.float32, [2])
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(w * x, {x: [1.0, 2.0]}).tolist())
"""
FOLLOWED = {
    "a name in a function": f"from helper import import_tf\n\n\ndef go():\n    tf = import_tf()\n{BUILDS}\n\ngo()\n",
    "the module's name": "import helper as h\n\nlib = h.import_tf(verbose=True)\n\n\ndef go():\n"
    + BUILDS.replace("tf.", "lib.")
    + "\n\ngo()\n",
    "its own function": f"{HELPER}\n\ntf = import_tf()\n\n\ndef go():\n{BUILDS}\n\ngo()\n",
}
LOST = {
    "an attribute": "import helper\n\n\nclass A:\n    def __init__(self):\n        self.tf = helper.import_tf()\n",
    "no name": "import helper\n\nx = helper.import_tf().placeholder('float32')\n",
    "an argument": "from helper import import_tf\n\nprint(vars(import_tf()))\n",
    "one of two": "from helper import import_tf\nimport numpy\n\nlib = import_tf()\nlib = numpy\n",
}
FINE = {
    "a tensor": "import tensorflow as tf\n\n\ndef make():\n    return tf.zeros([2])\n",
    "another tf": "def frequency(tf, idf):\n    return tf.value * idf\n",
    "what TensorFlow 2 has": "def zero(tf):\n    return tf.zeros([2])\n",
}


@pytest.mark.parametrize("code", [*RETURNED.values(), GIVEN], ids=[*RETURNED, "given"])
def test_a_person_is_told(code: str) -> None:
    found = [finding for finding in migrated(code).findings if finding.rule == "TFM108"]
    assert [finding.action for finding in found] == ["manual"]
    assert found[0].next_step


@pytest.mark.parametrize("code", FINE.values(), ids=FINE)
def test_others_are_fine(code: str) -> None:
    assert not [finding for finding in migrated(code).findings if finding.rule == "TFM108"]


@pytest.mark.parametrize("code", FOLLOWED.values(), ids=FOLLOWED)
def test_what_a_function_returns_is_followed(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "program.py").write_text(code)
    outcome = run(discover(options := Options(paths=(tmp_path,), root=tmp_path)).code, options)
    assert not [finding for finding in outcome.report.findings if finding.action == "manual"]
    monkeypatch.syspath_prepend(tmp_path)
    assert printed(outcome.contents["program.py"].decode()) == "[3.0, 6.0]\n"
    sys.modules.pop("helper", None)


@pytest.mark.parametrize("code", LOST.values(), ids=LOST)
def test_what_is_not_followed_is_told_where_it_is_called(code: str) -> None:
    found = [finding for finding in migrated(code, others={"helper.py": HELPER}).findings if finding.rule == "TFM108"]
    assert [finding.action for finding in found] == ["manual"]
    assert "import_tf()" in code.splitlines()[found[0].line - 1]
