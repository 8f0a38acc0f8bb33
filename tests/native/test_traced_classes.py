"""Tests of users that become one function: what base classes of theirs build, and classes of other modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.test_cases import passes
from tests.native.test_traced_cases import HEAD, tiers
from tests.native.trees import rewritten as rewritten_tree

DERIVED = """\
class BaseTest(tf.test.TestCase):
    def setUp(self):
        super(BaseTest, self).setUp()
        self.x = tf.constant([1.0, 2.0])

    def doubled(self, x):
        return x * 2.0


class AnyTest(BaseTest):
    def setUp(self):
        super(AnyTest, self).setUp()
        self.listed = [self.x]
        self.loss = tf.reduce_sum(self.doubled(tf.square(self.listed[0])))

    def testGradient(self):
        gradients = tf.gradients([self.loss], self.listed)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(gradients[0]), [4.0, 8.0])
"""


def test_what_a_class_and_its_base_build(tmp_path: Path) -> None:
    result = rewritten(HEAD + DERIVED)
    assert tiers(result) == ["native"], [site.reason for site in result.sites]
    assert "super(AnyTest, self)._build()\n        self.listed" in result.text
    assert result.text.count("def setUp") == 1
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)


def test_what_a_base_class_needs_first() -> None:
    """Only what stands behind the call of the base class's `setUp` can be repeated with it."""
    early = DERIVED.replace("        super(AnyTest", "        self.early = 1\n        super(AnyTest")
    assert tiers(rewritten(HEAD + early)) == ["bridge"]


def test_a_name_that_nothing_has() -> None:
    """What functions repeat is a method of a name of its own."""
    taken = DERIVED.replace("    def doubled", "    def _build(self): pass\n\n    def doubled")
    assert "super(AnyTest, self)._build_graph()" in rewritten(HEAD + taken).text
    both = taken.replace("    def doubled", "    def _build_graph(self): pass\n\n    def doubled")
    assert tiers(rewritten(HEAD + both)) == ["bridge"]


LAYERS = """import tensorflow as tf

SCALE = 2.0


class Base(object):
    def __init__(self, name):
        self.template = tf.make_template(name, self._build)

    def __call__(self, *args):
        return self.template(*args)


class Scaled(Base):
    def __init__(self, units):
        super(Scaled, self).__init__("scaled")
        self.units = units

    def _build(self, x):
        w = tf.get_variable("w", [self.units], initializer=tf.constant_initializer(SCALE))
        return {"y": x * w, "w": w}
"""
TEST = """import tensorflow as tf
from layers import Scaled


class ScaledTest(tf.test.TestCase):
    def testScaled(self):
        layer = Scaled(2)
        first, second = layer(1.0), layer(10.0)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            first, second = sess.run([first, second])
        self.assertAllClose(first["y"], [2.0, 2.0])
        self.assertAllClose(second["y"], [20.0, 20.0])
        self.assertAllClose(second["w"], [2.0, 2.0])
"""


UPDATING = LAYERS.replace("        return {", "        w.assign(w + 1.0)\n        return {")


@pytest.mark.parametrize("layers", [LAYERS, UPDATING])
def test_classes_of_another_module(layers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = rewritten_tree(tmp_path, {"layers.py": layers, "layers_test.py": TEST})
    found = {site.tier for site in outcome.report.sites if not site.initializer_only}
    assert found == {"native"}, [site.reason for site in outcome.report.sites]
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "layers", raising=False)
    passes((tmp_path / "layers_test.py").read_text(), tmp_path, 1)


def test_a_class_of_another_module_that_updates_a_part(tmp_path: Path) -> None:
    updating = UPDATING.replace("w.assign(w + 1.0)", "w[0].assign(3.0)")
    outcome = rewritten_tree(tmp_path, {"layers.py": updating, "layers_test.py": TEST})
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
