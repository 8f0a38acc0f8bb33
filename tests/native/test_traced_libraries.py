"""Tests that become one function and build with modules of a library that is not of the tree: Sonnet's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes
from tests.native.test_traced_cases import CLASS, RUN, tiers

LIBRARY = """
class AbstractModule(object):
    def __init__(self, name="module"):
        self._template = scopes.make_template(name, self._build, create_scope_now_=True)

    def __call__(self, *args):
        return self._template(*args)


class Linear(AbstractModule):
    def __init__(self, output_size, name="linear"):
        super(Linear, self).__init__(name)
        self._output_size = output_size

    def _build(self, x):
        self.w = scopes.get_variable("w", [2, self._output_size], initializer=tf.ones_initializer())
        return tf.matmul(x, self.w)
"""
HEAD = """\
import sonnet as snt
import tensorflow as tf
from sonnet import Linear


class Scaled(snt.AbstractModule):
    def __init__(self, by, name="scaled"):
        super(Scaled, self).__init__(name)
        self._by = by
        self._inner = snt.Linear(2)

    def _build(self, x):
        return self._by * self._inner(x)


class Counted(snt.AbstractModule):
    def _build(self, x):
        calls = tf.get_variable("calls", [], initializer=tf.zeros_initializer())
        with tf.control_dependencies([calls.count_up_to(9)]):
            return tf.identity(x)


"""
NATIVE = {
    "modules of the library": """\
    def testLinear(self):
        linear = snt.Linear(1)
        y = linear(tf.constant([[1.0, 2.0]])) + Linear(1)(tf.constant([[1.0, 1.0]]))
        self.assertEqual(linear.w.name, "linear/w:0")
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[5.0]])
""",
    "a module that derives from one of the library": """\
    def testScaled(self):
        y = Scaled(2.0)(tf.constant([[1.0, 2.0]]))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[6.0, 6.0]])
""",
}


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library, as it is once it has moved to TensorFlow 2."""
    (tmp_path / "sonnet.py").write_text("import compat as scopes\nimport tensorflow as tf\n" + LIBRARY)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "sonnet", raising=False)


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
@pytest.mark.usefixtures("library")
def test_what_builds_with_the_library(methods: str, tmp_path: Path) -> None:
    result = rewritten(HEAD + CLASS + methods)
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "store = compat.VariableStore()" in result.text
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sonnet.py").write_text("import tensorflow as tf\nscopes = tf\n" + LIBRARY)
    pass_in_tensorflow_1((HEAD + CLASS + methods for methods in NATIVE.values()), tmp_path, legacy_python)


def test_what_may_draw_is_asserted_beside_no_run() -> None:
    test = f"""\
    def testAny(self):
        y = snt.nets.MLP([1], use_dropout=True)(tf.ones([1, 2]))
        self.assertAllEqual(tf.shape(y), [1, 1])
{RUN}            sess.run(y)
"""
    result = rewritten(HEAD + DERIVED + test)
    (site,) = (site for site in result.sites if not site.initializer_only)
    assert (site.reason or "").startswith("values that may be drawn at random are asserted beside a run")


DERIVED = "class BaseTest(tf.test.TestCase):\n    pass\n\n\nclass AnyTest(BaseTest):\n"
REFUSED = {
    "a module that updates": ("y = snt.BatchNorm()(tf.ones([1, 2]), True)", "`snt.BatchNorm` may build a part"),
    "a function of the library": ("y = snt.clip_gradient(tf.ones([2]), 0, 1)", "`snt.clip_gradient` may build a part"),
    "a module of another package": ("y = snt.nets.ConvNet2D([1])(tf.ones([1, 2]))", "`snt.nets` may build a part"),
    "an update in a module of the tree": (
        "y = Counted()(tf.ones([1, 2]))",
        "what is called here may update a variable",
    ),
}


@pytest.mark.parametrize(("made", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_known(made: str, reason: str) -> None:
    test = f"    def testAny(self):\n        {made}\n{RUN}            sess.run(y)\n"
    result = rewritten(HEAD + DERIVED + test)
    (site,) = (site for site in result.sites if not site.initializer_only)
    assert site.tier == "bridge"
    assert (site.reason or "").startswith(reason)


def test_modules_that_are_not_known() -> None:
    """It is the library that is known, not the names that it is imported under."""
    text = HEAD.replace("import sonnet as snt", "import mine as snt").replace("from sonnet", "from mine")
    result = rewritten(text + DERIVED + NATIVE["modules of the library"])
    assert tiers(result) == ["bridge"]
    reasons = {site.reason for site in result.sites}
    assert all("may build a part of the graph" in (reason or "") for reason in reasons), reasons
