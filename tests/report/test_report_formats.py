"""Each format says the same report, in its own grammar."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tf_migrate.options import UsageError
from tf_migrate.report import as_json, github, markdown, page, sarif, text
from tf_migrate.report.files import check_report_file, render
from tf_migrate.report.model import FileResult, Finding, Reason, Report, Site

GROWS = Reason("graph-grows", "eval.py", 9, ("logits",), "the graph grows in a loop", "build it above the loop")
FEEDS = Reason("feeds", "train.py", None, (), "the feeds are known at run time", "write them out")
REPORT = Report.of(
    [
        FileResult("train.py", "changed"),
        FileResult("old one.py", "failed", "line 3: Python 2 source; convert it first"),
        FileResult("vendor.py", "skipped", "it says so"),
    ],
    [
        Site(
            "train.py", 57, 12, "Session.run", "bridge", "native", "eval.py:9", False, "step", "TFM201", (GROWS, FEEDS)
        ),
        Site(
            "train.py",
            80,
            5,
            "Tensor.eval",
            "manual",
            "manual",
            rule="TFM209",
            reasons=(Reason("hand", "train.py", 80, (), "<graph>", "pass it"),),
        ),
        Site("train.py", 20, 5, "Operation.run", "native", "native", rule="TFM202", form="sliced"),
    ],
    [
        Finding("train.py", 9, 4, "TFM103", "tf.layers.dense", "shimmed", "info", "is `compat.layers.dense`"),
        Finding("train.py", 9, 40, "TFM104", "tf.foo", "manual", "error", "50% gone,\nsee: a|b", "write <b>"),
        Finding("train.py", 12, 4, "TFM103", "tf.layers.dense", "shimmed", "info", "is `compat.layers.dense`"),
    ],
    lines=100,
    seconds=0.25,
    unchanged_symbols=11,
)


def test_json_has_exactly_the_fields_of_the_contract_and_more() -> None:
    data = json.loads(as_json.render(REPORT, "src/"))
    assert data["schema_version"] == 1
    assert data["tool"]["name"] == "tf-migrate"
    assert data["tree"] == "src"
    assert data["files"][0] == {
        "path": "old one.py",
        "status": "failed",
        "reason": "line 3: Python 2 source; convert it first",
    }
    fields = "path line column kind tier alone forced_by initializer_only function rule reason reasons form"
    assert set(data["sites"][0]) == {*fields.split(), "next_step", "fetched", "elements"}
    fields = "path line column rule symbol action severity message next_step"
    assert set(data["findings"][0]) == {*fields.split(), "reason"}
    assert data["sites"][1] == {
        "path": "train.py",
        "line": 57,
        "column": 12,
        "kind": "Session.run",
        "tier": "bridge",
        "alone": "native",
        "forced_by": "eval.py:9",
        "initializer_only": False,
        "function": "step",
        "rule": "TFM201",
        "reason": "the graph grows in a loop (eval.py:9)",
        "reasons": [
            {
                "code": "graph-grows",
                "path": "eval.py",
                "line": 9,
                "names": ["logits"],
                "message": "the graph grows in a loop (eval.py:9)",
                "next_step": "build it above the loop",
            },
            {
                "code": "feeds",
                "path": "train.py",
                "line": 57,
                "names": [],
                "message": "the feeds are known at run time",
                "next_step": "write them out",
            },
        ],
        "form": None,
        "next_step": "build it above the loop",
        "fetched": None,
        "elements": [],
    }
    assert data["summary"] == {
        "files": 3,
        "lines": 100,
        "seconds": 0.25,
        "sites": {"native": 1, "dynamic": 0, "bridge": 1, "manual": 1},
        "symbols": {"rewritten": 0, "shimmed": 2, "unchanged": 11, "manual": 1},
    }
    manual = [
        entry for entry in data["findings"] + data["sites"] if "manual" in (entry.get("action"), entry.get("tier"))
    ]
    assert all(entry["reason"] and entry["next_step"] for entry in manual)


def test_text_lists_what_needs_a_look_by_file_and_place() -> None:
    shown = text.render(REPORT, "src/", "work", only_check=False)
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    places = re.findall(r"^  (\S+):(\d+):(\d+): (\S+) (\w+)", plain, re.MULTILINE)
    assert places == [
        ("src/train.py", "9", "40", "TFM104", "manual"),
        ("src/train.py", "80", "5", "TFM209", "manual"),
    ]
    assert "  1  the graph grows in a loop\n" in plain.partition("Why session runs stay on the bridge")[2]
    assert "next: pass it" in plain
    assert "src/old one.py: failed: line 3: Python 2 source; convert it first" in plain
    assert "3 files: 1 changed, 0 unchanged, 1 failed, 1 skipped (100 lines, 0.2 s)" in plain
    assert "3 session runs: 1 native, 1 bridge, 1 manual" in plain
    assert "3 TF1 symbol uses: 0 rewritten, 2 shimmed, 1 manual; 11 mean the same" in plain


def test_text_can_list_everything_or_only_failures() -> None:
    everything = text.render(REPORT, "", "places", only_check=True)
    assert everything.count("is `compat.layers.dense`") == 2
    assert "because of eval.py:9 (alone it would be native)" in everything
    assert "1 would change" in everything
    kinds = text.render(REPORT, "", "kinds", only_check=True)
    assert kinds.count("is `compat.layers.dense`") == 1
    assert "is `compat.layers.dense` (2 places)" in kinds
    quiet = text.render(REPORT, "", "failures", only_check=True)
    assert "TFM" not in quiet and "would change" not in quiet
    assert "Python 2 source" in quiet
    assert text.render(replace(REPORT, files=()), "", "failures", only_check=True) == ""


def test_statistics_count_by_rule_and_reason() -> None:
    rows = text.statistics(REPORT).splitlines()
    assert rows[0] == "2  TFM103  shimmed    is `compat.layers.dense`"
    assert "1  TFM209  manual     <graph>" in rows


def test_github_commands_escape_and_put_the_worst_first() -> None:
    lines = github.render(REPORT, "src/").splitlines()
    assert lines[0].startswith("::error file=src/old one.py,title=tf-migrate TFM000::line 3: Python 2 source")
    assert lines[1] == (
        "::error file=src/train.py,line=9,col=40,title=tf-migrate TFM104::"
        "`tf.foo`: 50%25 gone,%0Asee: a|b; next: write <b>"
    )
    assert [line.split(" ")[0] for line in lines] == ["::error"] * 2 + ["::warning"] + ["::notice"] * 4
    tricky = Report.of([FileResult("a,b:c.py", "failed", "x")])
    assert github.render(tricky, "").startswith("::error file=a%2Cb%3Ac.py,")


def test_sarif_has_what_the_schema_requires() -> None:
    log = json.loads(sarif.render(REPORT, "src/", {"TFM103": "a shim"}))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "tf-migrate"
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == sorted(set(ids))
    assert {rule["id"]: rule["shortDescription"]["text"] for rule in driver["rules"]}["TFM103"] == "a shim"
    assert run["invocations"] == [{"executionSuccessful": False}]
    assert len(run["results"]) == 7
    for result in run["results"]:
        _check_result(result, ids)
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/old%20one.py"
    levels = {result["ruleId"]: result["level"] for result in run["results"]}
    assert levels == {
        "TFM000": "error",
        "TFM103": "note",
        "TFM104": "error",
        "TFM201": "note",
        "TFM202": "note",
        "TFM209": "warning",
    }


def _check_result(result: dict[str, Any], ids: list[str]) -> None:
    assert ids[result["ruleIndex"]] == result["ruleId"]
    assert result["level"] in ("none", "note", "warning", "error")
    assert result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert re.fullmatch(r"[\w/.%-]+", place["artifactLocation"]["uri"])
    if "region" in place:
        assert place["region"]["startLine"] >= 1 and place["region"]["startColumn"] >= 1
    assert re.fullmatch(r"[0-9a-f]{32}", result["partialFingerprints"]["tfMigrate/v1"])


def test_sarif_fingerprints_differ_within_a_file_and_survive_moved_lines() -> None:
    def prints(shift: int) -> list[str]:
        found = [
            Finding("a.py", line + shift, 1, "TFM103", "tf.x", "shimmed", "info", "is `compat.x`") for line in (1, 5, 9)
        ]
        log = sarif.as_data(Report.of([FileResult("a.py", "changed")], (), found), "", {})
        return [result["partialFingerprints"]["tfMigrate/v1"] for result in log["runs"][0]["results"]]

    assert len(set(prints(0))) == 3
    assert prints(0) == prints(40)


class _Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_page_that_needs_nothing_else() -> None:
    html = page.render(REPORT, "src/")
    parser = _Balance()
    parser.feed(html)
    assert parser.open == [] and parser.links == []
    assert "write &lt;b&gt;" in html and "<b>" not in html
    assert "src/old one.py" in html and "Left to a person" in html


def test_markdown_lists_what_is_left_as_a_checklist() -> None:
    shown = markdown.render(REPORT, "src/")
    assert "- [ ] `src/train.py:9:40` TFM104: \\`tf.foo\\`: 50% gone, see: a\\|b; next: write \\<b\\>" in shown
    assert "| 57:12 | TFM201 | bridge |" in shown
    rows = [line for line in shown.splitlines() if line.startswith("| 9:40")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [5]


@pytest.mark.parametrize("suffix", [".json", ".sarif", ".html", ".md"])
def test_the_suffix_tells_the_format(suffix: str) -> None:
    shown = render(REPORT, suffix, "", {})
    assert shown.startswith({".json": "{", ".sarif": "{", ".html": "<!doctype", ".md": "#"}[suffix])
    assert "train.py" in shown


def test_a_report_that_could_not_be_written_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"use one of \.json"):
        check_report_file(tmp_path / "report.xml")
    with pytest.raises(UsageError, match="is not there"):
        check_report_file(tmp_path / "no" / "report.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        check_report_file(tmp_path / "folder.json")
