"""`tf-migrate explain`: a row or a rule in words, and near names for a slip."""

from __future__ import annotations

import pytest

from tf_migrate import facts, rules
from tf_migrate.options import UsageError
from tf_migrate.shell.explain import check_rules, explain, list_rules, titles


@pytest.mark.parametrize(
    ("symbol", "words"),
    [
        ("tf.log", "tf.log (function of TensorFlow 1.15) becomes tf.math.log, called the same way."),
        ("tensorflow.log", "becomes tf.math.log"),
        ("tf.compat.v1.log", "becomes tf.math.log"),
        ("tf.matmul", "tf.matmul (function of TensorFlow 1.15)"),
        ("tf.nn.relu", "means the same in TensorFlow 2 and stays as it is"),
        ("tf.placeholder", "becomes compat.placeholder, which computes what TensorFlow 1.15 computed"),
        ("tf.GraphKeys.LOSSES", "tf.GraphKeys.LOSSES goes with its class:\ntf.GraphKeys (class"),
        ("tensorflow.python.framework.ops", "tensorflow.python.framework.ops ("),
    ],
)
def test_a_symbol(symbol: str, words: str) -> None:
    assert words in explain(symbol)


def test_changed_arguments_are_listed_with_both_signatures() -> None:
    lines = explain("tf.nn.dropout").splitlines()
    assert "  keep_prob becomes rate, its value as 1 - x" in lines
    assert "  TensorFlow 1.15: (x, keep_prob, noise_shape, seed, name, rate)" in lines
    assert "  TensorFlow 2:    (x, rate, noise_shape, seed, name)" in lines


def test_a_symbol_without_successor_has_a_reason_and_a_next_step() -> None:
    rows = (facts.lookup(symbol) for symbol in facts.symbols() if not symbol.endswith(".*"))
    row = next(row for row in rows if row is not None and row.action == "manual")
    shown = explain(row.symbol)
    assert "is left to a person" in shown and "\nWhy: " in shown and "\nNext: " in shown


def test_every_row_can_be_explained() -> None:
    for symbol in facts.symbols():
        if not symbol.endswith(".*"):
            assert explain(symbol).startswith(symbol)


@pytest.mark.parametrize("name", ["TFM101", "tfm101", "renamed-symbol"])
def test_a_rule_has_its_why_and_its_example(name: str) -> None:
    shown = explain(name)
    rule = rules.get("TFM101")
    assert rule is not None
    assert shown.startswith("TFM101 renamed-symbol\n\n")
    assert rule.why in shown
    assert "Before:\n\n    import tensorflow as tf\n" in shown
    assert "    return -p * tf.math.log(p)" in shown.partition("After:")[2]


@pytest.mark.parametrize(
    ("slip", "hint"),
    [
        ("tf.lgo", "did you mean tf.log"),
        ("tf.plaecholder", "did you mean tf.placeholder"),
        ("tf.qqqqqqqqqqq", "check the spelling"),
        ("TFM10l", "did you mean TFM1"),
        ("renamed-symbl", "did you mean renamed-symbol"),
        ("zzz", "see `tf-migrate rules`"),
    ],
)
def test_a_slip(slip: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        explain(slip)
    assert hint in str(caught.value)


def test_the_list_has_one_short_line_for_each_rule() -> None:
    lines = list_rules().splitlines()
    assert [line.split()[0] for line in lines] == [rule.id for rule in rules.all()]
    assert all(len(line) <= 112 for line in lines)
    assert all(titles().values())


def test_rules_are_chosen_by_id_or_beginning() -> None:
    check_rules(("TFM101", "TFM2"), "--select")
    with pytest.raises(UsageError, match="--select TFM9: no rule begins like that"):
        check_rules(("TFM9",), "--select")


def test_what_keras_3_has_no_counterpart_of_is_not_called_the_same() -> None:
    for symbol in ("tf.keras.Model.fit_generator", "tf.keras.backend.gradients", "tf.keras.backend.get_session"):
        said = explain(symbol)
        assert "a program that uses it keeps Keras 2" in said and "means the same" not in said
    plain = explain("tf.keras.layers.Dense")
    assert "means the same" in plain and "In a program that keeps Keras 2 it is compat.keras2.layers.Dense" in plain
