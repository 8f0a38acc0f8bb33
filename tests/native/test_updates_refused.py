"""Tests of users that build updates, and stay on the bridge: what each run would build anew is not the same."""

from __future__ import annotations

import pytest

from tests.native.native import rewritten
from tests.native.test_cases import refusals
from tests.native.test_traced_cases import tiers
from tests.native.test_traced_modules import RUN
from tests.native.test_traced_updates import HEAD, TEST

MORE = "what each run builds anew is needed for more than what runs fetch"
DRAWS = "what each run builds anew draws random numbers, or remembers something"
FLAGGED = """\
        training = tf.placeholder(tf.bool, [])
        averaged = Averaged()
        y = averaged(tf.constant([1.0, 3.0]), training)
"""
BUILT = "        averaged = Averaged()\n        y = averaged(tf.constant([1.0, 3.0]), True)\n"
REFUSED = {
    "random numbers": (
        "        averaged = Averaged()\n        y = averaged(tf.random_normal([2]), True)\n"
        "{run}            sess.run(y)\n",
        DRAWS,
    ),
    "random numbers of NumPy": (
        "        def drawn():\n            return tf.constant(np.random.rand(2))\n"
        "        averaged = Averaged()\n        y = averaged(drawn(), True)\n{run}            sess.run(y)\n",
        DRAWS,
    ),
    "a name that building reads, bound again before another run": (
        "        scale = 2.0\n        averaged = Averaged()\n        y = averaged(tf.constant([1.0, scale]), True)\n"
        "{run}            sess.run(y)\n            scale = 3.0\n            sess.run(averaged.mean)\n",
        "what builds may be another thing at a later run",
    ),
    "an array that building reads, changed before another run": (
        "        given = np.ones([2])\n        averaged = Averaged()\n        y = averaged(tf.constant(given), True)\n"
        "{run}            sess.run(y)\n            given[0] = 3.0\n            sess.run(averaged.mean)\n",
        "what builds may be another thing at a later run",
    ),
    "a list that building fills": (
        "        found = []\n        averaged = Averaged()\n"
        "        y = averaged(tf.constant([1.0, 3.0]) + len(found), True)\n        found.append(y)\n"
        "{run}            sess.run(y)\n",
        "building may change `found`, and is repeated",
    ),
    "an iterator that building takes from": (
        "        given = iter([1.0, 2.0])\n        averaged = Averaged()\n"
        "        y = averaged(tf.constant([1.0, next(given)]), True)\n{run}            sess.run(y)\n",
        "building may change `given`, and is repeated",
    ),
    "a loop of the graph": (
        "        averaged = Averaged()\n        y = tf.map_fn(lambda x: averaged(x, True), tf.ones([2, 2]))\n"
        "{run}            sess.run(y)\n",
        "what each run builds anew holds a loop of the graph",
    ),
    "an error that a run ends with": (
        BUILT + "{run}            with self.assertRaises(ValueError):\n                sess.run(y)\n",
        MORE,
    ),
    "an error of a run before others": (
        BUILT + "{run}            sess.run(y)\n            with self.assertRaises(ValueError):\n"
        "                sess.run(y)\n            sess.run(averaged.mean)\n",
        "one of several runs ends with an error",
    ),
    "an error of a run that is fed": (
        FLAGGED + "{run}            sess.run(y, {training: True})\n            with self.assertRaises(ValueError):\n"
        "                sess.run(y, {training: [True]})\n",
        "one of several runs ends with an error",
    ),
    "an error that is caught": (
        BUILT + "{run}            sess.run(y)\n            try:\n                sess.run(tf.gather(y, 5))\n"
        "            except ValueError:\n                pass\n",
        "one of several runs ends with an error",
    ),
    "an error of TensorFlow, without a flag that is fed": (
        FLAGGED + "{run}            sess.run(y, {training: True})\n"
        "            with self.assertRaises(tf.errors.InvalidArgumentError):\n                sess.run(y)\n",
        DRAWS,
    ),
    "values that are asserted in building": (
        BUILT + "        self.assertAllEqual(tf.ones([2]), [1.0, 1.0])\n{run}            sess.run(y)\n",
        MORE,
    ),
    "an assignment between runs": (
        BUILT + "        change = averaged.mean.assign(2.0)\n{run}            sess.run(y)\n"
        "            sess.run(change)\n            sess.run(y)\n",
        MORE,
    ),
    "a tensor of an object, fetched without a flag that is fed": (
        FLAGGED + "{run}            sess.run(y, {training: True})\n            sess.run(averaged.given)\n",
        DRAWS,
    ),
    "an attribute that the test binds, fetched without a flag that is fed": (
        FLAGGED + "        averaged._mean = 2.0 * y\n"
        "{run}            sess.run(y, {training: True})\n            sess.run(averaged.mean)\n",
        DRAWS,
    ),
    "a variable, or a tensor under its name, fetched without a flag that is fed": (
        FLAGGED + "        mean = averaged.mean\n        mean = mean + y\n"
        "{run}            sess.run(y, {training: True})\n            sess.run(mean)\n",
        DRAWS,
    ),
    "an update of a part": (
        BUILT + "        averaged.mean[0].assign(2.0)\n{run}            sess.run(y)\n",
        "may update a variable",
    ),
    "an update by another method": (
        BUILT + "        averaged.mean.count_up_to(9)\n{run}            sess.run(y)\n",
        "may update a variable",
    ),
    "an update by a method that a text names": (
        BUILT + "        getattr(averaged.mean, 'assign')(2.0)\n{run}            sess.run(y)\n",
        "may update a variable",
    ),
    "an initial value that is drawn, and used": (
        "        drawn = tf.random_normal([])\n        v = tf.Variable(drawn)\n        change = v.assign(drawn)\n"
        "{run}            sess.run(v)\n            sess.run([change, v])\n",
        DRAWS,
    ),
    "random numbers beside an initial value": (
        "        v = tf.Variable(tf.random_normal([]))\n        change = v.assign(tf.random_normal([]))\n"
        "{run}            self.assertIsNot(sess.run(change), None)\n            sess.run(v)\n",
        DRAWS,
    ),
}


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_the_same_each_time(body: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEST + body.replace("{run}", RUN)
    assert reason in " ".join(refusals(text, monkeypatch))


def test_what_decorators_give() -> None:
    test = """\
    @parameterized.parameters(({},))
    def testAny(self, given):
        averaged = Averaged(*GIVEN)
        y = averaged(tf.constant([1.0, 3.0]), True)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [-1.0, 1.0])
"""
    head = HEAD + "class AnyTest(AnyCase, parameterized.TestCase):\n"
    text = rewritten(head + test.replace("{}", '["own"]').replace("*GIVEN", "given[0]"))
    assert set(tiers(text)) == {"bridge"}
    text = rewritten(head + test.replace("{}", '"own"').replace("*GIVEN", "given"))
    assert set(tiers(text)) == {"native"}
    for row, tier in (("{'given': 'own'}", "native"), ("{'given': ['own'][0]}", "bridge"), ("{**{}}", "bridge")):
        text = rewritten(head + test.replace("({},)", row).replace("*GIVEN", "given"))
        assert set(tiers(text)) == {tier}
