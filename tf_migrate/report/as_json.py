"""The JSON report, schema version 1: the parts of the report, field by field."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tf_migrate import __version__
from tf_migrate.report.model import SCHEMA_VERSION, Report, Site


def render(report: Report, prefix: str) -> str:
    """The report as JSON text; `tree` is the way from the current folder to the tree that paths are relative to."""
    return json.dumps(as_data(report, prefix), indent=2, ensure_ascii=True) + "\n"


def as_data(report: Report, prefix: str) -> dict[str, Any]:
    """The report as dictionaries and lists."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "tf-migrate", "version": __version__},
        "tree": prefix.rstrip("/") or ".",
        "files": [asdict(result) for result in report.files],
        "sites": [_of_site(site) for site in report.sites],
        "findings": [{**asdict(found), "reason": found.reason} for found in report.findings],
        "shims": [asdict(use) for use in report.shims],
        "summary": asdict(report.summary),
    }


def _of_site(site: Site) -> dict[str, Any]:
    """A site with its reasons' texts; a reason about a whole file stands at the site's own line."""
    reasons = [
        {**asdict(reason), "message": reason.text, "line": site.line if reason.line is None else reason.line}
        for reason in site.reasons
    ]
    return {**asdict(site), "reasons": reasons, "reason": site.reason, "next_step": site.next_step}
