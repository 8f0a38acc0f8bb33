"""Each check finds the fault of its own example, is silent on the mended one, and mends it where it offers to."""

from __future__ import annotations

import pytest

from tests.engine import migrated as rewritten
from tf_migrate import rules
from tf_migrate.changes.application import Rewritten
from tf_migrate.report.model import Finding

_CHECKS = [rule for rule in rules.all() if rule.advice]
_IDS = {rule.id for rule in _CHECKS}


def migrated(code: str, select: tuple[str, ...] = ()) -> Rewritten:
    return rewritten(code, select=select, advice=True)


def told(code: str, rule: str) -> list[Finding]:
    return [finding for finding in migrated(code).findings if finding.rule == rule]


@pytest.mark.parametrize("rule", _CHECKS, ids=lambda rule: rule.name)
def test_fault_is_found_and_left(rule: rules.Rule) -> None:
    result = migrated(rule.before)
    found = [finding for finding in result.findings if finding.rule in _IDS]
    assert {finding.rule for finding in found} == {rule.id}
    assert all(finding.action == "manual" and finding.next_step for finding in found)
    assert result.text == rule.before, "a check must not change a program that nobody asked it to change"


@pytest.mark.parametrize("rule", _CHECKS, ids=lambda rule: rule.name)
def test_rewrite_does_not_speak_of_it_unasked(rule: rules.Rule) -> None:
    assert not [finding for finding in rewritten(rule.before).findings if finding.rule == rule.id]


@pytest.mark.parametrize("rule", _CHECKS, ids=lambda rule: rule.name)
def test_mended_program_is_left_alone(rule: rules.Rule) -> None:
    result = migrated(rule.after)
    assert not [finding for finding in result.findings if finding.rule in _IDS]
    assert result.text == rule.after


@pytest.mark.parametrize("rule", _CHECKS, ids=lambda rule: rule.name)
def test_selected_check_mends_what_it_can(rule: rules.Rule) -> None:
    result = migrated(rule.before, select=(rule.id,))
    if any(finding.action == "rewritten" for finding in result.findings):
        assert result.text == rule.after
    else:
        assert result.text == rule.before


def test_skipped_lines_are_skipped() -> None:
    code = next(rule.before for rule in _CHECKS if rule.name == "unwatched-tensor")
    assert told(code, "TFM411")
    assert not told(code.replace("(y, x)", "(y, x)  # tf-migrate: skip"), "TFM411")
