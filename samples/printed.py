"""What samples print in TensorFlow 1.15.5, kept beside them for where it is missing and `tf.compat.v1` is not enough.

TensorFlow 2 with Keras 3 has no `tf.layers`, cells or `tf.contrib`, so originals that use them run nowhere but in
TensorFlow 1. `printed.txt` beside `parity.toml` is the output of such a run with aligned random numbers, `printed.npz`
the values that its variables began with.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tf_migrate.parity.analysis import analyse
from tf_migrate.parity.failure import failure, no_gpu
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.printed import compare_output
from tf_migrate.parity.programs import record_program
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Comparison, Result, Verdict
from tf_migrate.parity.scenario import Pair, Scenario, read_scenario

BY = "TensorFlow 1.15.5, printed"


def file_of(scenario: Path) -> Path:
    """Where the output of a scenario's original is kept."""
    return scenario.with_name(scenario.name.replace("parity", "printed")).with_suffix(".txt")


def keep(scenario: Path, tree: Path, legacy: Legacy) -> None:
    """Runs the original of a scenario, which stands in `tree`, and keeps what it prints.

    Raises:
      RuntimeError: it fails.
    """
    words = read_scenario(scenario)
    with _run("original", Pair(tree, tree), words, legacy, None, "cpu") as made:
        wrong = failure("original", made, words, legacy)
        if wrong is not None:
            raise RuntimeError(f"{scenario}: {wrong.message}")
        file_of(scenario).write_text(made.output, encoding="utf-8")
        shutil.copy(made.folder / "begins-0.npz", file_of(scenario).with_suffix(".npz"))


def compare(scenario: Path, pair: Pair, device: str = "cpu") -> Result:
    """Runs the migrated program alone, and compares what it prints with what the original printed, on a CPU."""
    words, legacy = read_scenario(scenario), Legacy(None)
    wanted = file_of(scenario).read_text(encoding="utf-8")
    with _run("migrated", pair, words, legacy, file_of(scenario).with_suffix(".npz"), device) as made:
        compared = tuple(compare_output(wanted, made.output))
        verdict = failure("migrated", made, words, legacy)
        if verdict is None and device == "gpu" and not made.gpus:
            verdict = no_gpu("migrated")
        verdict = verdict or _verdict(compared, len(list(compare_output(wanted, wanted))))
        runs = (0, len(made.events))
    tiers = analyse(pair.legacy, pair.migrated).tiers
    return Result(words.script or "", device, BY, verdict, tiers, (), compared, runs=runs)


def _verdict(compared: tuple[Comparison, ...], lines: int) -> Verdict:
    wrong = next((item for item in compared if item.problem is not None), None)
    if wrong is not None:
        return Verdict("differs", f"line {(wrong.step or 0) + 1} of what is printed: {wrong.problem}")
    if len(compared) < lines:
        return Verdict("structure differs", f"{lines} lines of numbers were printed, {len(compared)} of them here")
    if not lines:
        return Verdict("nothing to compare", "the original prints no numbers")
    return Verdict("parity", f"{lines} lines of what is printed agree")


@contextmanager
def _run(side: str, pair: Pair, words: Scenario, legacy: Legacy, begins: Path | None, device: str) -> Iterator[Record]:
    """Runs one side of a pair with the probe, in a folder that is there for as long as the record is read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        shutil.copytree(pair.legacy if side == "original" else pair.migrated, folder / side / "tree")
        if begins is not None:
            (folder / "original" / "record").mkdir(parents=True)
            shutil.copy(begins, folder / "original" / "record" / "begins-0.npz")
        analysis = analyse(pair.legacy, pair.migrated)
        yield record_program(pair, words, legacy, words.script or "", device, side, folder, analysis)
