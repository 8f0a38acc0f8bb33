"""Tests of users that ask `tf.metrics`: each run makes the updates that it fetched, and the value alone makes none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import asserted
from tests.native.test_cases import refusals
from tests.native.test_traced_cases import module, tiers

METRICS = {
    "accuracy": "accuracy([1.0, 4.0, 6.0, 8.0], x)",
    "false negatives": "false_negatives([True, False, True, False], x > 2.5)",
    "false positives": "false_positives([True, False, True, False], x > 2.5)",
    "true negatives": "true_negatives([True, False, True, False], x > 2.5)",
    "true positives": "true_positives([True, False, True, False], x > 2.5)",
    "mean": "mean(x)",
    "mean with weights": "mean(x, weights=[1.0, 0.0, 1.0, 2.0])",
    "absolute error": "mean_absolute_error(tf.ones([4]), x)",
    "cosine distance": "mean_cosine_distance(tf.ones([4]), x / 9.0, 0)",
    "relative error": "mean_relative_error(tf.ones([4]), x, x + 1.0)",
    "squared error": "mean_squared_error(tf.ones([4]), x)",
    "share below": "percentage_below(x, 2.5)",
    "precision": "precision([True, False, True, False], x > 2.5)",
    "recall": "recall([True, False, True, False], x > 2.5)",
    "root of the squared error": "root_mean_squared_error(tf.ones([4]), x)",
}
BODY = """\
    def testMetric(self):
        first = np.array([1.0, 2.0, 3.0, 6.0])
        first *= 1.0
        x = tf.placeholder(tf.float32, [4])
        value, update = tf.metrics.{metric}
        with self.test_session() as sess:
            sess.run(tf.local_variables_initializer())
            self.assertAllClose(sess.run(value, {{x: first}}), 0.0)
            self.assertAllClose(sess.run(update, {{x: first}}), 1.0)
            self.assertAllClose(sess.run(value, {{x: first * 3.0}}), 1.0)
            self.assertAllClose(sess.run(update, {{x: [2.0, 3.0, 6.0, 4.0]}}), 1.0)
            self.assertAllClose(sess.run(value, {{x: first}}), 1.0)
            self.assertAllClose(sess.run(value, {{x: first * 2.0}}), 1.0)
"""


def test_each_run_updates_what_it_fetches(tmp_path: Path, legacy_python: Path) -> None:
    """What is asserted of is what TF 1.15.5 gave there; what is expected does not matter."""
    texts = [module(BODY.format(metric=metric)) for metric in METRICS.values()]
    results = [rewritten(text) for text in texts]
    for name, result in zip(METRICS, results, strict=True):
        assert set(tiers(result)) == {"native"}, (name, result.sites)
    before = asserted(texts, tmp_path, legacy_python)
    after = asserted((result.text for result in results), tmp_path, Path(sys.executable))
    for name, old, new in zip(METRICS, before, after, strict=True):
        assert not old[1], old[1]
        assert not new[1], new[1]
        assert old == new, name
        assert len({str(value) for value in new[0]}) > 1, name


def test_an_array_that_building_may_change() -> None:
    """Building is repeated: a list that it is given may be another one then."""
    text = module(BODY.format(metric="mean(x, weights=first)"))
    assert set(tiers(rewritten(text))) == {"native"}
    listed = text.replace("np.array([1.0, 2.0, 3.0, 6.0])\n        first *= 1.0", "[1.0, 2.0, 3.0, 6.0]")
    assert set(tiers(rewritten(listed))) == {"bridge"}


AREA = """\
    def testArea(self):
        x = tf.placeholder(tf.float32, [4])
        value, update = tf.metrics.auc([True, False, True, False], x)
        with self.test_session() as sess:
            sess.run(tf.local_variables_initializer())
            self.assertAllClose(sess.run(update, {x: [0.2, 0.4, 0.8, 0.1]}), 1.0)
"""


def test_a_metric_that_asserts(tmp_path: Path, legacy_python: Path) -> None:
    """TF 1.15.5 made the assertion where the update was fetched, and a function makes it at each call."""
    result = rewritten(module(AREA))
    assert tiers(result) == ["native"]
    (before,) = asserted([module(AREA)], tmp_path, legacy_python)
    assert asserted([result.text], tmp_path, Path(sys.executable)) == [before]
    assert before[0][0] < 1.0
    again = "            self.assertAllClose(sess.run(value, {x: [2.0, 2.0, 2.0, 2.0]}), 1.0)\n"
    assert set(tiers(rewritten(module(AREA + again)))) == {"bridge"}


def test_a_value_beside_its_update() -> None:
    """TF 1.15.5 gave now the value before the update, now the one behind it, now of half of it."""
    fetched = ["update", "[update]", "[value, update]", "(update, value)", '{"value": value, "update": update}']
    texts = [
        module(AREA.replace("auc([True, False, True, False], x)", "mean(x)").replace("(update,", f"({each},"))
        for each in fetched
    ]
    assert [tiers(rewritten(text)) for text in texts] == [["native"]] * 2 + [["bridge"]] * 3


@pytest.mark.parametrize("metric", ["mean_iou([0, 1, 1, 0], x > 2.5, 2)", "mean_tensor(x)"])
def test_metrics_that_were_not_compared(metric: str) -> None:
    assert set(tiers(rewritten(module(BODY.format(metric=metric))))) == {"bridge"}


PAIRS = {
    "a name": ("pair = tf.metrics.mean(x)", "pair"),
    "a list of one": ("pair = tf.metrics.mean(x)", "[pair]"),
    "another name": ("pair = tf.metrics.mean(x)\n        again = pair", "again"),
    "a part of a list": ("pairs = [tf.metrics.mean(x), x]", "pairs[0]"),
    "a dictionary": ("pairs = {'a': tf.metrics.mean(x)}", "pairs"),
    "a list of both": ("pair = list(tf.metrics.mean(x))", "pair"),
    "the result of a function": ("mean = lambda: tf.metrics.mean(x)\n        pair = mean()", "pair"),
    "pairs that are unpacked": ("one, two = tf.metrics.mean(x), tf.metrics.mean(x + 1.0)", "one"),
    "the call": ("y = 2.0 * x", "tf.metrics.mean(y)"),
}
PAIR = """\
    def testPair(self):
        x = tf.constant([1.0, 3.0])
        {made}
        with self.test_session() as sess:
            sess.run(tf.local_variables_initializer())
            self.assertIsNot(sess.run({fetched}), None)
"""


@pytest.mark.parametrize(("made", "fetched"), PAIRS.values(), ids=PAIRS.keys())
def test_a_metric_and_its_update_as_one_value(made: str, fetched: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """TF 1.15.5 gave any of two values for the metric."""
    found = refusals(module(PAIR.format(made=made, fetched=fetched)), monkeypatch)
    assert "a run may fetch a metric beside its update" in found


@pytest.mark.parametrize("fetched", ["pair[1]", "pair[0]", "tf.reduce_sum(x)", "2.0 * x", "[pair[1]]"])
def test_one_of_the_two(fetched: str) -> None:
    text = module(PAIR.format(made="pair = tf.metrics.mean(x)", fetched=fetched))
    assert set(tiers(rewritten(text))) == {"native"}
