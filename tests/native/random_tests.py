"""Small tests of users, made at random: Python values that change between building, feeding, running and asserting.

    python -m tests.native.random_tests 500 [FIRST]

compares that many in TensorFlow 1.15.5 and after the rewrite.
"""

from __future__ import annotations

import random
import sys
import tempfile
import textwrap
from collections import Counter
from pathlib import Path

from tests.native.changing_code import HELPERS
from tests.native.native import Rewritten, rewritten
from tests.native.originals import asserted
from tf_migrate.parity.legacy import find_legacy

_HEAD = f"""\
import random
import numpy as np
import tensorflow as tf

{HELPERS}

def scale(tensor):
    return tensor * COUNT["n"]


class Box(object):
    def __init__(self):
        self.v = 1.0

    def get(self):
        return self.v

    def put(self, value):
        self.v = value


class AnyTest(tf.test.TestCase):
    def setUp(self):
        super(AnyTest, self).setUp()
        self.n = 1.0
        self.items = [1.0]
        np.random.seed(7)
        random.seed(7)

    def _bump(self):
        self.n += 5.0
        return self.n

    def _add(self):
        self.items.append(3.0)

    def _fill(self, given):
        given.append(7.0)
        return 2.0

    def _net(self, tensor):
        return tensor * self.n

    def testAny(self):
"""
_MADE = (
    "x = np.array([1.0, 2.0])",
    "k = x",
    "l = [1.0, 2.0, 3.0, 4.0]",
    "m = l",
    "n = 1.0",
    "d = {'a': 1.0}",
    "box = Box()",
    "numbers = np.random.RandomState(3)",
    "it = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])",
    "f = lambda: n + 1.0",
    "ys = [tf.constant(1.0), tf.constant(2.0)]",
    "y = tf.constant([1.0, 2.0])",
    "z = tf.constant(1.0)",
)
_VALUES = (
    *("n", "abs(n)", "self.n", "f()", "d['a']", "k[1]", "m[0]", "l[-1]", "float(x[0])", "float(len(l))", "max(l)"),
    *("sum(x)", "float(np.sum(x))", "float(np.sort(x)[0])", "self.items[-1]", "COUNT['n']", "box.v", "box.get()"),
    *("pop()", "grow()", "next(it)", "self._bump()", "self._fill(l)", "np.random.rand()", "numbers.rand()", "2.0"),
)
_CHANGES = (
    *("x[0] = {}", "x[:] = {}", "x *= 2.0", "x = x + {}", "x = np.ones(2) * {}", "x.sort()", "e = x", "k[1] = {}"),
    *("np.multiply(x, 2.0, out=x)", "q = np.add(x, 1.0, x)", "np.copyto(x, 5.0)", "np.random.shuffle(x)"),
    *("l.append({})", "l.reverse()", "l.extend([{}])", "l = l + [{}]", "l[0] = {}", "del l[0]", "h = l", "m.sort()"),
    *("n = {}", "n += {}", "q, n = n, {}", "if n > 1.0:\n    n = {}", "for i in range(2):\n    n += {}"),
    *("self.n = {}", "self._bump()", "self._add()", "self.items = l", "d['a'] = {}", "box.v = {}", "box.put({})"),
    *("push({})", "grow()", "q = {}", "q = [l.pop(0), 1.0]", "h = box", "np.random.seed(3)", "it = iter([{}, 1.0])"),
    *("def f():\n    return n * 2.0", "self.assertEqual({}, 0.0)"),
)
_BUILT = (
    *("y = y + {}", "z = tf.constant({}) * 2.0", "y = y * tf.constant(x)", "z = y + tf.constant(l)[0]"),
    *("z = self._net(y)", "z = scale(y)", "ys.append(y + {})", "y = y + y", "z = tf.reduce_sum(y) + {}"),
)
_RUN = (
    *("self.assertAllClose(sess.run(y), 0.)", "self.assertAllClose(sess.run([z, y]), 0.)", "a = sess.run(z)"),
    *("x[0] = np.sum(sess.run(y))", "self.assertAllClose(sess.run(z) + {}, 0.)", "n = float(np.sum(sess.run(z)))"),
    *("self.assertAllClose(({}, sess.run(z)), 0.)", "self.assertAllClose(sess.run(ys[int({}) % 2]), 0.)"),
)
_ASSIGNED = ("change = v.assign(float({}))", "change = tf.assign_add(v, {})", "z = z + v")
_ASSIGNING = ("sess.run(change)", "self.assertAllClose(sess.run(v), 0.)")
_FED = (
    "self.assertAllClose(sess.run(p, {{ph: {}}}), 0.)",
    "feed = {{ph: {}}}\nself.assertAllClose(sess.run(p, feed), 0.)",
    "feed = {{ph: {}}}\nfor i in range(2):\n    self.assertAllClose(sess.run(p, feed), 0.)",
)
_REST = "self.assertAllClose([n, list(x), list(l), self.n, COUNT['n'], np.random.rand(), random.random()], 0.)"


class RandomTest:
    """One test; `text` is the source of its module."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        kind = self._random.choice(["plain", "plain", "fed", "assigned"])
        runs, built = _RUN, _BUILT
        self.lines = list(_MADE)
        if kind == "fed":
            self.lines += ["ph = tf.placeholder(tf.float32, [])", "p = ph * 2.0 + z"]
            runs = _FED
        elif kind == "assigned":
            self.lines += ["v = tf.Variable(0.0)", self._one(_ASSIGNED[:2])]
            runs, built = runs + _ASSIGNING, built + _ASSIGNED
        self.lines += [self._one(self._random.choice([built, _CHANGES])) for _ in range(self._random.randint(0, 4))]
        self.runs = [self._one(self._random.choice([runs, runs, _CHANGES, built])) for _ in range(4)]
        self.runs.append(self._one(runs))

    def _one(self, statements: tuple[str, ...]) -> str:
        return self._random.choice(statements).format(self._random.choice(_VALUES))

    @property
    def text(self) -> str:
        """The source."""
        begin = ["with self.test_session() as sess:", "    sess.run(tf.global_variables_initializer())"]
        runs = [textwrap.indent(run, "    ") for run in self.runs]
        return _HEAD + textwrap.indent("\n".join([*self.lines, *begin, *runs, _REST]), " " * 8) + "\n"


def compared(seeds: range, folder: Path, legacy: Path) -> dict[int, str]:
    """What became of the test of each seed: `same`, `refused`, `invalid` in TensorFlow 1 too, or what is different."""
    sources = {seed: RandomTest(seed).text for seed in seeds}
    texts = {seed: result.text for seed, text in sources.items() if _is_native(result := rewritten(text))}
    found = dict.fromkeys(seeds, "refused")
    before = asserted([sources[seed] for seed in texts], folder / "before", legacy)
    after = asserted(list(texts.values()), folder / "after", Path(sys.executable))
    for seed, (values, error), (ours, ours_error) in zip(texts, before, after, strict=True):
        found[seed] = (
            "invalid" if error else "same" if (values, "") == (ours, ours_error) else f"{values} {ours} {ours_error}"
        )
    return found


def _is_native(result: Rewritten) -> bool:
    return {site.tier for site in result.sites if not site.initializer_only} == {"native"}


if __name__ == "__main__":
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    python = find_legacy(Path(__file__).parents[2]).python
    if python is None:
        sys.exit("needs real TensorFlow 1.15.5: `make legacy`, or set TF_MIGRATE_LEGACY_PYTHON")
    with tempfile.TemporaryDirectory() as made:
        results = compared(range(first, first + int(sys.argv[1])), Path(made), python)
    different = {seed: found for seed, found in results.items() if found not in ("same", "refused", "invalid")}
    for seed, found in different.items():
        print(f"different: {seed}: {found}")
    print(dict(Counter("different" if seed in different else found for seed, found in results.items())))
    sys.exit(bool(different))
