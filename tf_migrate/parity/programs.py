"""Original and migrated program, each run as by hand in a copy of its tree, compared on each device."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tf_migrate.options import UsageError
from tf_migrate.parity import probe
from tf_migrate.parity.analysis import Analysis, analyse
from tf_migrate.parity.bisection import bisect
from tf_migrate.parity.judge import Judge, failure
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.process import run
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Bisection, Result
from tf_migrate.parity.scenario import Pair, Scenario

_PROBE = Path(next(iter(probe.__path__))) / "run.py"
_PROJECT = Path(__file__).resolve().parents[2]
_NOT_COPIED = shutil.ignore_patterns(".git", "__pycache__", ".venv", ".legacy", "node_modules")
_QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore", "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg"}
# The same kernels on both sides: none of oneDNN's, no shortened multiplication on the GPU, no order of threads there.
_ALIKE = {"TF_ENABLE_ONEDNN_OPTS": "0", "TF_CUDNN_DETERMINISTIC": "1", "NVIDIA_TF32_OVERRIDE": "0"}


def compare_programs(
    pair: Pair, scenario: Scenario, legacy: Legacy, progress: Callable[[str], None] = lambda text: None
) -> tuple[Result, ...]:
    """Runs both programs on each device of the scenario, and compares what they did.

    Raises:
      UsageError: there is no such program, or no such device.
    """
    program = _program(pair, scenario)
    analysis = analyse(pair.legacy, pair.migrated)
    return tuple(_on_device(pair, scenario, legacy, program, device, analysis, progress) for device in scenario.devices)


def _program(pair: Pair, scenario: Scenario) -> str:
    if scenario.module is not None:
        return scenario.module
    if scenario.script is None:
        raise UsageError("say which program to run: `tf-migrate parity LEGACY MIGRATED -- script.py arguments`")
    for tree in (pair.legacy, pair.migrated):
        if not (tree / scenario.folder / scenario.script).is_file():
            raise UsageError(
                f"{tree / scenario.folder / scenario.script}: no such program; name one that both trees have"
            )
    return scenario.script


def _on_device(
    pair: Pair,
    scenario: Scenario,
    legacy: Legacy,
    program: str,
    device: str,
    analysis: Analysis,
    progress: Callable[[str], None],
) -> Result:
    with tempfile.TemporaryDirectory(prefix="tf-migrate-parity-") as name:
        folder = Path(name).resolve()
        sides = {"original": pair.legacy, "migrated": pair.migrated}
        _copy(sides, folder)
        progress(f"{program}: the original, in {legacy.name}")
        original = record_program(pair, scenario, legacy, program, device, "original", folder, analysis)
        verdict = failure("original", original, scenario)
        if verdict is not None:
            seconds, runs = (original.ended.seconds, 0.0), (len(original.events), 0)
            return Result(program, device, legacy.name, verdict, analysis.tiers, seconds=seconds, runs=runs)
        progress(f"{program}: the migrated program")
        migrated = record_program(pair, scenario, legacy, program, device, "migrated", folder, analysis)
        roots = (folder / "original" / "tree", folder / "migrated" / "tree")
        result = Judge(original, migrated, analysis, scenario, roots).result(program, device, legacy.name)
        first = next((item for item in result.failures if item.kind == "run"), None)
        if scenario.bisect and first is not None and first.step is not None:
            progress(f"{program}: both once more, to look inside of run {first.step + 1}")
            result = replace(
                result, bisection=_look_inside(pair, scenario, legacy, program, device, analysis, first.step)
            )
    return replace(result, notes=(*result.notes, *_device_notes(device)))


def _copy(sides: Mapping[str, Path], folder: Path) -> None:
    for side, tree in sides.items():
        shutil.copytree(tree, folder / side / "tree", ignore=_NOT_COPIED, symlinks=True)


def _look_inside(
    pair: Pair, scenario: Scenario, legacy: Legacy, program: str, device: str, analysis: Analysis, step: int
) -> Bisection | None:
    """Runs both once more in fresh copies of their trees, and compares the tensors inside of one run."""
    with tempfile.TemporaryDirectory(prefix="tf-migrate-parity-") as name:
        folder = Path(name).resolve()
        _copy({"original": pair.legacy, "migrated": pair.migrated}, folder)
        original, migrated = (
            record_program(pair, scenario, legacy, program, device, side, folder, analysis, step)
            for side in ("original", "migrated")
        )
        return bisect(original, migrated)


def _device_notes(device: str) -> Iterator[str]:
    if device == "gpu":
        yield "on the GPU: TF32 is off, and TensorFlow was asked for deterministic kernels"


def record_program(
    pair: Pair,
    scenario: Scenario,
    legacy: Legacy,
    program: str,
    device: str,
    side: str,
    folder: Path,
    analysis: Analysis,
    inside: int | None = None,
) -> Record:
    """Runs one side of a pair, in `folder`/side/tree, and gives what its probe wrote down.

    With `inside`, the number of a run, all tensors that this run computes are written down, too.
    """
    record = folder / side / "record"
    tree = folder / side / "tree"
    record.mkdir()
    initial = folder / "original" / "record" / "initial.npz"
    settings = {
        "role": side,
        "record": str(record),
        "root": str(tree),
        "seed": scenario.seed,
        "align_random": scenario.align_random,
        "v1": side == "original" and legacy.python is None,
        "module": scenario.module is not None,
        "every_step": scenario.every_step,
        "shims": pair.shims,
        "initial": str(initial) if side == "migrated" and initial.exists() else None,
        "checkpoint": str(scenario.checkpoint) if scenario.checkpoint else None,
        "inside": inside,
        "functions": analysis.functions,
        "eager_lines": analysis.eager_lines(),
    }
    file = record / "settings.json"
    file.write_text(json.dumps(settings), encoding="utf-8")
    executable = legacy.executable if side == "original" else sys.executable
    ended = run(
        [executable, str(_PROBE), str(file), program, *scenario.arguments],
        tree / scenario.folder,
        _environment(scenario, device, side, tree),
        record / "stdout.txt",
        record / "stderr.txt",
        scenario.seconds,
        scenario.megabytes,
    )
    return Record(record, ended)


def _environment(scenario: Scenario, device: str, side: str, tree: Path) -> dict[str, str]:
    environment = {**os.environ, **_QUIET, **_ALIKE}
    environment.pop("PYTHONPATH", None)
    environment.pop("TF2_BEHAVIOR", None)
    if device == "cpu":
        environment["CUDA_VISIBLE_DEVICES"] = ""
    path = [str(_PROJECT)] if side == "migrated" else []
    path += [str(tree / item) for item in scenario.environment.get("PYTHONPATH", "").split(os.pathsep) if item]
    return {**environment, **scenario.environment, "PYTHONPATH": os.pathsep.join(path)}
