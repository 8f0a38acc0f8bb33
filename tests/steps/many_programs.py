"""`python -m tests.steps.many_programs 2000 [FIRST]` compares that many random programs in steps with TensorFlow 1.

Every other one is made of layers. Of each kind, every other one is written in steps by the tool, whose older form, that
of moved statements, is left out; the graph of the rest is recorded as it is built, and each run becomes a step or goes
through `compat.run`. So is that of programs which the tool leaves on the bridge. Each side runs in one process.
TensorFlow 1.15.5 says which numbers it leaves open (`originals.py`); those of programs that still differ it computes
five times more.
"""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import pytest

from tests.native.layer_programs import LayerProgram
from tests.native.native import printed, rewritten
from tests.native.programs import Program
from tf_migrate import pipeline, rewrite
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.parity.legacy import find_legacy

ROOT = Path(__file__).parents[2]
_NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|\b(?:inf|nan)\b)")
_BATCH = 100
_AGAIN = 5
OPEN = 987654.0  # of originals.py


def program(seed: int) -> str:
    """The text of a program."""
    return str((LayerProgram if seed % 2 else Program)(seed).text)


def in_tensorflow_1(texts: Sequence[str]) -> list[str | None]:
    """What programs print in TensorFlow 1.15.5, but for what it leaves open; None where one fails."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": "", "PYTHONWARNINGS": "ignore"}
    environment = {**os.environ, **quiet}
    environment.pop("TF2_BEHAVIOR", None)  # importing TF2 sets it, and TF1 obeys it
    command = [str(find_legacy(ROOT).executable), str(Path(__file__).with_name("originals.py"))]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    found: list[str | None] = json.loads(done.stdout)
    return found


def written(text: str) -> str | None:
    """A program in the form of steps, as the tool writes it where nothing is sliced; None where it does not."""
    unsliced = functools.partial(rewrite.plan_module, native=False)
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(rewrite, "plan_module", lambda read, native, barred: unsliced(read, barred=barred)),
        mock.patch.object(rewrite, "_in_another_form", lambda *_: None),
    ):
        path = Path(folder) / "train.py"
        path.write_text(text)
        outcome = pipeline.run([TreeFile(path, "train.py")], Options(paths=(path,), root=Path(folder)))
        assert not outcome.report.failed, outcome.report.failed
    in_steps = all(site.form == "steps" for site in outcome.report.sites)
    return outcome.contents["train.py"].decode() if in_steps else None


def in_steps(seed: int) -> tuple[str, str]:
    """How a program became one of steps, and what it prints then."""
    from tests.steps.stepping import recorded

    text = program(seed)
    by_tool = written(text) if seed % 4 < 2 else None
    if by_tool is not None:
        return "written", printed(by_tool)
    return "recorded", recorded(rewritten(text, tier="bridge").text)


def numbers(text: str) -> list[float]:
    """All that a program printed."""
    return [float(number) for number in _NUMBER.findall(text)]


def are_close(ours: Sequence[float], theirs: Sequence[float]) -> bool:
    """Whether two programs printed the same numbers."""
    return ours == pytest.approx(theirs, rel=1e-4, abs=1e-5, nan_ok=True)


def verdict(ours: str, theirs: Sequence[str | None]) -> str:
    """Whether a program printed what one of its runs in TensorFlow 1.15.5 did, where that is not left open."""
    mine = numbers(ours)
    for run in (numbers(each) for each in theirs if each is not None):
        fixed = [place for place, number in enumerate(run) if number != OPEN]
        if len(run) != len(mine) or not are_close([mine[place] for place in fixed], [run[place] for place in fixed]):
            continue
        if not fixed:
            return "open"
        if len(theirs) > 1:
            return f"same in one of {len(theirs)}"
        return "same" if len(fixed) == len(run) else "same, but for what is left open"
    return "different"


def outcomes(seeds: Sequence[int]) -> Iterator[tuple[int, str]]:
    """What became of each program; `failed` where it could not be compared."""
    batches = [seeds[start : start + _BATCH] for start in range(0, len(seeds), _BATCH)]
    with ThreadPoolExecutor(1) as others:  # TensorFlow 1.15.5 is one batch ahead.
        waiting: list[Future[list[str | None]]] = []
        for batch in batches:
            waiting.append(others.submit(in_tensorflow_1, [program(seed) for seed in batch]))
        for batch, truths in zip(batches, waiting, strict=True):
            printed_here: dict[int, tuple[str, str]] = {}
            for seed in batch:
                try:
                    printed_here[seed] = in_steps(seed)
                except Exception as error:  # the others are to be compared all the same
                    print(f"{seed}: {error!r}", flush=True)
            doubted = {}
            for seed, truth in zip(batch, truths.result(), strict=True):
                if truth is None:
                    yield seed, "not run by TensorFlow 1.15.5"
                elif seed not in printed_here:
                    yield seed, "failed"
                elif (became := verdict(printed_here[seed][1], [truth])) != "different":
                    yield seed, f"{printed_here[seed][0]}: {became}"
                else:
                    doubted[seed] = truth
            again = in_tensorflow_1([program(seed) for seed in doubted for _ in range(_AGAIN)]) if doubted else []
            for number, (seed, truth) in enumerate(doubted.items()):
                how, ours = printed_here[seed]
                yield seed, f"{how}: {verdict(ours, [truth, *again[number * _AGAIN :][:_AGAIN]])}"


def main(count: int, first: int) -> int:
    """Prints the seeds of programs that differ or fail, and how many there were of each kind; 1 where any did."""
    found: Counter[str] = Counter()
    for number, (seed, became) in enumerate(outcomes(range(first, first + count)), 1):
        found[became] += 1
        if became.endswith(("different", "failed")):
            print(f"{became}: {seed}", flush=True)
        if number % _BATCH == 0:
            print(number, dict(sorted(found.items())), flush=True)
    print(dict(sorted(found.items())))
    return 1 if any(became.endswith(("different", "failed")) for became in found) else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
