"""SARIF 2.1.0, for code scanning and editors."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from tf_migrate import __version__
from tf_migrate.report.entries import Entry, entries
from tf_migrate.report.model import FileResult, Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FAILED_RULE = "TFM000"
_LEVELS = {"info": "note", "warning": "warning", "error": "error"}


def render(report: Report, prefix: str, titles: Mapping[str, str]) -> str:
    """The report as SARIF text; `titles` has one line on each rule."""
    return json.dumps(as_data(report, prefix, titles), indent=2) + "\n"


def as_data(report: Report, prefix: str, titles: Mapping[str, str]) -> dict[str, Any]:
    """The report as a SARIF log. Fingerprints do not count lines, so that a place keeps its own when text moves."""
    lines = entries(report)
    rules = sorted({entry.rule for entry in lines} | ({FAILED_RULE} if report.failed else set()))
    index = {rule: number for number, rule in enumerate(rules)}
    seen: Counter[str] = Counter()
    results = [_failure(result, prefix, index[FAILED_RULE]) for result in report.failed]
    results += [_result(entry, prefix, index[entry.rule], seen) for entry in lines]
    driver = {
        "name": "tf-migrate",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule, titles) for rule in rules],
    }
    invocation = {"executionSuccessful": not report.failed}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: str, titles: Mapping[str, str]) -> dict[str, Any]:
    title = titles.get(rule, "a file that could not be migrated" if rule == FAILED_RULE else rule)
    return {"id": rule, "shortDescription": {"text": title}, "help": {"text": f"tf-migrate explain {rule}"}}


def _result(entry: Entry, prefix: str, rule_index: int, seen: Counter[str]) -> dict[str, Any]:
    identity = "\0".join((entry.path, entry.rule, entry.subject, entry.message))
    fingerprint = _fingerprint(f"{identity}\0{seen[identity]}")
    seen[identity] += 1
    region = {"startLine": entry.line, "startColumn": entry.column}
    return {
        "ruleId": entry.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[entry.severity],
        "message": {"text": entry.sentence},
        "locations": [{"physicalLocation": {**_artifact(prefix + entry.path), "region": region}}],
        "partialFingerprints": {"tfMigrate/v1": fingerprint},
        "properties": {"outcome": entry.outcome},
    }


def _failure(result: FileResult, prefix: str, rule_index: int) -> dict[str, Any]:
    return {
        "ruleId": FAILED_RULE,
        "ruleIndex": rule_index,
        "level": "error",
        "message": {"text": result.reason},
        "locations": [{"physicalLocation": _artifact(prefix + result.path)}],
        "partialFingerprints": {"tfMigrate/v1": _fingerprint(f"{result.path}\0{FAILED_RULE}")},
    }


def _artifact(path: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": quote(path)}}


def _fingerprint(identity: str) -> str:
    return hashlib.sha256(identity.encode("utf-8", "backslashreplace")).hexdigest()[:32]
