"""The report's parts: counted, ordered, and never a manual entry without a next step."""

from __future__ import annotations

import pytest

from tf_migrate.report.model import FileResult, Finding, Reason, Report, Site, SiteCounts
from tf_migrate.shell.migration import exit_status


def finding(action: str, *, path: str = "a.py", line: int = 1, symbol: str | None = "tf.log") -> Finding:
    step = "do it" if action == "manual" else None
    return Finding(path, line, 1, "TFM101", symbol, action, "info", "it is so", step)  # type: ignore[arg-type]


def site(tier: str, *, line: int = 1) -> Site:
    reasons = (Reason("unproved", "a.py", line, (), "cannot be proved", "prove it"),) if tier == "manual" else ()
    form = "sliced" if tier == "native" else None
    return Site("a.py", line, 1, "Session.run", tier, tier, reasons=reasons, form=form)  # type: ignore[arg-type]


def test_the_summary_is_counted_from_the_parts() -> None:
    report = Report.of(
        [FileResult("b.py", "changed"), FileResult("a.py", "unchanged")],
        [site("native"), site("bridge"), site("bridge"), site("dynamic")],
        [finding("rewritten"), finding("shimmed"), finding("shimmed"), finding("manual", symbol=None)],
        lines=40,
        seconds=1.5,
        unchanged_symbols=7,
    )
    summary = report.summary
    assert (summary.files, summary.lines, summary.seconds) == (2, 40, 1.5)
    assert summary.sites == SiteCounts(native=1, dynamic=1, bridge=2, manual=0)
    symbols = summary.symbols
    assert (symbols.rewritten, symbols.shimmed, symbols.unchanged, symbols.manual) == (1, 2, 7, 0)


def test_parts_are_in_the_order_of_place() -> None:
    report = Report.of(
        [FileResult("b.py", "changed"), FileResult("a.py", "changed")],
        [site("bridge", line=10), site("native", line=9)],
        [finding("rewritten", path="b.py"), finding("rewritten", line=30), finding("rewritten", line=4)],
    )
    assert [result.path for result in report.files] == ["a.py", "b.py"]
    assert [one.line for one in report.sites] == [9, 10]
    assert [(one.path, one.line) for one in report.findings] == [("a.py", 4), ("a.py", 30), ("b.py", 1)]


def test_manual_entries_must_say_why_and_what_next() -> None:
    with pytest.raises(ValueError, match="next step"):
        Finding("a.py", 3, 1, "TFM104", "tf.x", "manual", "warning", "gone")
    with pytest.raises(ValueError, match=r"a\.py:3"):
        Site("a.py", 3, 1, "Session.run", "manual", "manual", reasons=(Reason("x", "a.py", 3, (), "unknown", ""),))
    with pytest.raises(ValueError, match=r"a\.py:3.*form"):
        Site("a.py", 3, 1, "Session.run", "native", "native")
    with pytest.raises(ValueError, match="reason"):
        FileResult("a.py", "failed")


@pytest.mark.parametrize(
    ("files", "findings", "sites", "after_rewrite", "after_check"),
    [
        (["unchanged"], [], [], 0, 0),
        (["changed"], ["rewritten"], ["native", "bridge"], 0, 1),
        (["unchanged"], ["manual"], [], 1, 1),
        (["changed"], [], ["manual"], 1, 1),
        (["changed", "failed"], ["manual"], [], 3, 3),
        (["skipped"], [], [], 0, 0),
    ],
)
def test_exit_status(
    files: list[str], findings: list[str], sites: list[str], after_rewrite: int, after_check: int
) -> None:
    report = Report.of(
        [FileResult(f"{number}.py", status, "so it is") for number, status in enumerate(files)],  # type: ignore[arg-type]
        map(site, sites),
        map(finding, findings),
    )
    assert exit_status(report, only_check=False) == after_rewrite
    assert exit_status(report, only_check=True) == after_check
