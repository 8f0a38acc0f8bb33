"""Tests of users that become one function: what base classes of theirs build, and classes of other modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes
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


HELD = """\
class AnyTest(parameterized.TestCase, tf.test.TestCase):
    slopes = [1.0, 2.0]
    ends = []

    for i, slope in enumerate(slopes):
        if slope > 1.0:
            ends.append(slope + 1.0)
        else:
            ends.append(slope * 2.0 + i)

    @parameterized.parameters(*zip(slopes, ends))
    def testEnds(self, slope, end):
        y = Line(slope)(tf.constant(1.0))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), end)
"""
LISTED = """\
@parameterized.named_parameters(("Flat", 0.0), ("Steep", 5.0))
class AnyTest(parameterized.TestCase, tf.test.TestCase):
    def testLine(self, slope):
        y = Line(slope)(tf.constant(1.0))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), slope + 1.0)
"""


@pytest.mark.parametrize("text", [HELD, LISTED], ids=["computed in its body", "given to the class"])
def test_parameters_of_a_class(text: str, tmp_path: Path) -> None:
    result = rewritten(HEAD + text)
    assert tiers(result) == ["native"], [site.reason for site in result.sites]
    passes(result.text, tmp_path, 2)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_parameters_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1((HEAD + text for text in (HELD, LISTED)), tmp_path, legacy_python)


@pytest.mark.parametrize(
    "text",
    [
        HELD.replace("ends.append(slope + 1.0)", "ends.append(tf.constant(slope) + 1.0)"),
        LISTED.replace("@parameterized.named", "@made\n@parameterized.named"),
        LISTED.replace('("Steep", 5.0)', '("Steep", made(Line))').replace("slope + 1.0", "slope(1.0) + 1.0"),
    ],
    ids=["a loop of a class that builds", "a decorator of a class that is not known", "a function that builds, called"],
)
def test_what_a_class_holds(text: str) -> None:
    assert tiers(rewritten(HEAD + text)) == ["bridge"]


CHANGED = """\
class AnyTest(tf.test.TestCase):
    def setUp(self):
        super(AnyTest, self).setUp()
        self.size = 2
        self.x = tf.constant([1.0] * self.size)
        self.listed = [self.x]

    def testSum(self):
        {first}
        (y,) = tf.gradients([tf.reduce_sum(tf.square(self.x))], self.listed)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y), [2.0, 2.0])
"""


def test_what_set_up_builds_of(tmp_path: Path, legacy_python: Path) -> None:
    """The function repeats it when it runs: a test that changes what it was built of would have another graph."""
    result = rewritten(HEAD + CHANGED.format(first="size = 3"))
    assert tiers(result) == ["native"]
    assert "self._build()" in result.text
    passes(result.text, tmp_path, 1)
    changed = [HEAD + CHANGED.format(first=text) for text in ("self.size = 3", "setattr(self, 'size', 3)")]
    for text in changed:
        result = rewritten(text)
        assert tiers(result) == ["bridge"]
        passes(result.text, tmp_path, 1)
    pass_in_tensorflow_1(changed, tmp_path, legacy_python)
