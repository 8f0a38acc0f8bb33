"""What the user asked for: the command line and `[tool.tf-migrate]`, put together once and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

HighestTier = Literal["native", "bridge"]
OutputFormat = Literal["text", "github", "json", "sarif"]


@dataclass(frozen=True, slots=True)
class Options:
    """All options of `rewrite` and `check`; what one of the two lacks keeps its default.

    `paths` are what is rewritten or checked; `root` is the tree the analysis may read beyond them (None: the
    paths). `jobs` is at least 1. `output` and `diff` are None/False for an in-place rewrite. An empty
    `select` means all rules. `advice` tells faults of TensorFlow 2 code too.
    """

    paths: tuple[Path, ...]
    root: Path | None = None
    tier: HighestTier = "native"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    jobs: int = 1
    exclude: tuple[str, ...] = ()
    compat_module: str = "compat"
    vendor: bool = False
    output: Path | None = None
    diff: bool = False
    allow_dirty: bool = False
    reports: tuple[Path, ...] = ()
    output_format: OutputFormat = "text"
    statistics: bool = False
    advice: bool = False
    verbosity: int = 0
    """-1 quiet, 0 normal, 1 verbose."""

    def asks(self, rule: str) -> bool:
        """Whether `--select` names this rule or its family."""
        return bool(self.select) and rule.startswith(self.select)

    def advises(self, rule: str) -> bool:
        """Whether a rule on faults of TensorFlow 2 code is wanted: `check` tells them all, `rewrite` if asked to."""
        return (self.advice or self.asks(rule)) and self.enabled(rule)

    def enabled(self, rule: str) -> bool:
        """Whether `--select`/`--ignore` let this rule run; a prefix (`TFM1`) names a family."""
        chosen = not self.select or rule.startswith(self.select)
        return chosen and not rule.startswith(self.ignore)


class Interrupted(Exception):
    """Ctrl-C; the message says what was written until then. The exit status is 130."""


class UsageError(Exception):
    """The command line or the configuration is wrong: nothing is written, the exit status is 2."""
