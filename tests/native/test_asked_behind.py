"""Tests that ask the objects of their graph behind a run: for sizes, names and numbers, by methods of their own too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes, refusals
from tests.native.test_traced_cases import CLASS, tiers
from tests.native.test_traced_modules import HEAD as MODULES
from tests.native.test_traced_modules import RUN

HEAD = (
    MODULES
    + """\
class Sized(Linear):
    factor = 3.0

    def __init__(self, units):
        super(Sized, self).__init__(units, name="sized")
        self.decay = 0.5

    @property
    def size(self):
        return (self._units, self.twice())

    @property
    def tensor(self):
        return tf.ones([self._units])

    def twice(self):
        return 2 * self._units


"""
)
HELPERS = """\
    def _check(self, sized, result, rows=1):
        self.assertEqual(result.shape, (rows,) + sized.size[:1])

    def _scale(self, sized, result):
        self.assertAllClose(result, 2.0 * sized(tf.ones([1, 1])))

    def _each(self, sized, result):
        for variable in sized.variables:
            self.assertIsNotNone(variable)

"""
BUILT = "        sized = Sized(2)\n        y = sized(tf.ones([1, 1]))\n{run}            result = sess.run(y)\n"
NATIVE = {
    "a size, by a method of the test": "        self._check(sized, result)\n"
    "        self.assertAllClose(result, [[1.0, 1.0]])\n",
    "a property, by another method": "        self.assertEqual(result.shape, (1, sized.size[0]))\n"
    "        self.assertEqual(sized.twice(), 4 * result[0, 0])\n        self.assertAllClose(result[0], [1.0, 1.0])\n",
    "a number, in what is computed": "        half = sized.decay * result\n"
    "        self.assertAllClose(half, [[0.5, 0.5]])\n",
    "the shape of a tensor": "        shape = result.shape\n"
    "        self.assertAllEqual(y.get_shape().as_list(), shape)\n"
    "        self.assertAllClose(result, [[1.0, 1.0]])\n",
}


def text_of(behind: str) -> str:
    return f"{HEAD}{CLASS}{HELPERS}    def testAny(self):\n{BUILT.replace('{run}', RUN)}{behind}"


@pytest.mark.parametrize("behind", NATIVE.values(), ids=NATIVE.keys())
def test_what_is_asked(behind: str, tmp_path: Path) -> None:
    result = rewritten(text_of(behind))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "nonlocal" in result.text
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose(", "assertNotAllClose("), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1(map(text_of, NATIVE.values()), tmp_path, legacy_python)


def test_the_names_that_are_kept() -> None:
    described = text_of(NATIVE["a size, by a method of the test"]).replace(
        "    def testAny(self):\n", '    def testAny(self):\n        """Sizes."""\n\n'
    )
    assert (
        '        """Sizes."""\n\n'
        "        sized = None\n"
        "        store = compat.VariableStore()\n\n"
        "        @tf.function(autograph=False)\n"
        "        def compute_y():\n"
        "            nonlocal sized\n"
        "            with store:\n"
        "                sized = Sized(2)\n"
    ) in rewritten(described).text


BEHIND = "what is built behind a run depends on it"
REFUSED = {
    "a property that builds": ("        self.assertEqual(result.shape, sized.tensor.shape)\n", BEHIND),
    "a call of the object": ("        self.assertIsNotNone((result, sized(tf.ones([1, 1]))))\n", BEHIND),
    "a method that calls it": ("        self._scale(sized, result)\n", BEHIND),
    "a method that goes through its variables": ("        self._each(sized, result)\n", BEHIND),
    "variables, one after the other": ("        print(result, [v + 1.0 for v in sized.variables])\n", BEHIND),
    "a variable that takes a name": ("        print(result)\n        kept = sized.variables\n", BEHIND),
    "values of variables": ("        self.assertAllClose(result, sized.variables)\n", BEHIND),
    "an object in another place": ("        print(result, sized)\n", BEHIND),
    "a number that is not the other one": ("        self.assertNotEqual(result[0, 0], sized.decay)\n", BEHIND),
    "an attribute that changes": ("        print(result)\n        sized.decay = 0.25\n", BEHIND),
    "what may be tensors, compared": ("        print(result)\n        self.assertFalse(sized.a == sized.b)\n", BEHIND),
    "another value of the tensor": (
        "        print(result, y.graph)\n        self.assertAllEqual(result, y.T)\n",
        BEHIND,
    ),
}


@pytest.mark.parametrize(("behind", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(behind: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reason in refusals(text_of(behind), monkeypatch)
