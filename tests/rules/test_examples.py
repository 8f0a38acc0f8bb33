"""Every rule's own example: what `explain` shows is what happens."""

from __future__ import annotations

import pytest

from tests.engine import becomes, unchanged
from tf_migrate import rules

# Native conversions have tests of their own (steps in steps/test_programs_in_steps.py); pins are no Python.
_NATIVE = ("TFM202", "TFM205", "TFM206")
_EXAMPLES = [rule for rule in rules.all() if "import" in rule.before and rule.id not in _NATIVE and not rule.advice]


@pytest.mark.parametrize("rule", _EXAMPLES, ids=lambda rule: rule.id)
def test_before_becomes_after(rule: rules.Rule) -> None:
    becomes(rule.before, rule.after, select=("TFM",) if rule.asked else ())


@pytest.mark.parametrize("rule", _EXAMPLES, ids=lambda rule: rule.id)
def test_after_stays(rule: rules.Rule) -> None:
    unchanged(rule.after)


def test_every_rule_says_why() -> None:
    assert all(rule.why and rule.id.startswith("TFM") and " " not in rule.name for rule in rules.all())


def test_rules_are_found_by_id_and_by_name() -> None:
    rule = rules.get("tfm120")
    assert rule is not None
    assert rule.name == "dimension-value"
    assert rules.get("dimension-value") is rule
    assert rules.get("TFM999") is None
