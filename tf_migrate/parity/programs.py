"""Original and migrated program, each run as by hand in a copy of its tree, compared on each device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tf_migrate.options import UsageError
from tf_migrate.parity.analysis import Analysis, analyse
from tf_migrate.parity.failure import failure, failure_as_it_is, no_gpu
from tf_migrate.parity.judge import Judge, when
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.notebooks import SUFFIX, left_out
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Result
from tf_migrate.parity.scenario import Pair, Scenario
from tf_migrate.parity.search import search
from tf_migrate.parity.sensitivity import DISTURBED
from tf_migrate.parity.trial import Look, Trial

_AGAIN = {DISTURBED: Look(disturbed=True), "when it runs again": Look()}


def compare_programs(
    pair: Pair, scenario: Scenario, legacy: Legacy, progress: Callable[[str], None] = lambda text: None
) -> tuple[Result, ...]:
    """Runs both programs on each device of the scenario, and compares what they did.

    Raises:
      UsageError: there is no such program, no such device, or no such checkpoint.
    """
    program = _program(pair, scenario)
    _require_checkpoint(scenario.checkpoint)
    analysis = analyse(pair.legacy, pair.migrated)
    trials = (Trial(pair, scenario, legacy, program, device, analysis) for device in scenario.devices)
    return tuple(_compared_alike(trial, progress) for trial in trials)


def record_program(
    pair: Pair,
    scenario: Scenario,
    legacy: Legacy,
    program: str,
    device: str,
    side: str,
    folder: Path,
    analysis: Analysis,
) -> Record:
    """Runs one side of a pair, in `folder`/side/tree, and gives what its probe wrote down."""
    return Trial(pair, scenario, legacy, program, device, analysis).record(side, folder)


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


def _require_checkpoint(prefix: Path | None) -> None:
    if prefix is not None and not prefix.exists() and not prefix.with_name(f"{prefix.name}.index").exists():
        raise UsageError(f"{prefix}: no such checkpoint; name its files without their endings, as `Saver.restore` does")


def _compared_alike(trial: Trial, progress: Callable[[str], None]) -> Result:
    """The comparison; where other libraries than the original's give other data, with the same libraries in both."""
    result = _compared(trial, progress)
    given = min(result.failures, key=when, default=None)
    if trial.legacy.python is None or result.verdict.kind != "differs" or given is None or given.kind != "input":
        return result
    progress(f"{trial.program}: they are given other data; once more with the same Python and libraries")
    again = _compared(replace(trial, legacy=Legacy(None)), progress)
    what = f"{given.name} in run {(given.step or 0) + 1} ({given.problem})"
    if again.verdict.good:
        note = (
            f"in {trial.legacy.name} the original is given other data, beginning with {what}: its Python and libraries "
            "order or read them in another way. Compared is the original as a tf.compat.v1 graph, with the same ones"
        )
        return replace(again, notes=(note, *again.notes))
    note = f"as a tf.compat.v1 graph, with the same Python and libraries: {again.verdict.kind}: {again.verdict.message}"
    return replace(result, notes=(*result.notes, note))


def _compared(trial: Trial, progress: Callable[[str], None]) -> Result:
    """The comparison; on a GPU without deterministic kernels where an operation has none."""
    result, refused = _once(trial, progress)
    if refused is None or result.gpu is None or not result.gpu.deterministic:
        return result
    progress(f"{trial.program}: once more with kernels that may not be deterministic")
    again, still = _once(replace(trial, deterministic=False), progress)
    if still == refused:
        return result
    note = (
        f"TensorFlow has no deterministic kernel on the GPU for {refused}: compared are runs without the demand for "
        "such ones, and two runs of one program may differ"
    )
    return replace(again, notes=(note, *again.notes))


def _once(trial: Trial, progress: Callable[[str], None]) -> tuple[Result, str | None]:
    """The comparison, and what TensorFlow would not do of a program that failed for it."""
    program, device, legacy = trial.program, trial.device, trial.legacy
    tiers = trial.analysis.tiers
    with trial.folder() as folder:
        progress(f"{program}: the original, in {legacy.name}")
        original = trial.record("original", folder)
        verdict = failure("original", original, trial.scenario, legacy)
        refused = None if verdict is None else original.refused
        if verdict is None and trial.device == "gpu" and not original.gpus and legacy.python is None:
            verdict = no_gpu("original")
        if verdict is not None:
            seconds, runs = (original.ended.seconds, 0.0), (len(original.events), 0)
            gpu = trial.gpu(original.gpus)
            return Result(program, device, legacy.name, verdict, tiers, seconds=seconds, runs=runs, gpu=gpu), refused
        progress(f"{program}: the migrated program")
        migrated = trial.record("migrated", folder)
        roots = (folder / "original" / "tree", folder / "migrated" / "tree")
        judge = Judge(original, migrated, trial.analysis, trial.scenario, roots, legacy)
        result = replace(judge.result(program, device), gpu=trial.gpu(migrated.gpus))
        if judge.compared and device == "gpu" and not migrated.gpus:
            return replace(result, verdict=no_gpu("migrated")), None
        result = reconsidered(trial, judge, result, progress)
        if result.verdict.good:
            result = _unprobed(trial, result, progress)
        if trial.scenario.bisect and result.failures:
            found = search(trial, result, original, migrated, lambda text: progress(f"{program}: {text}"))
            if isinstance(found, str):
                result = replace(result, notes=(*result.notes, f"no operation is named: {found}"))
            else:
                result = replace(result, bisection=found)
    return replace(result, notes=(*result.notes, *_notes(trial, original))), migrated.refused


def _unprobed(trial: Trial, result: Result, progress: Callable[[str], None]) -> Result:
    """The result once the migrated program has also run as it is: parity is of no use to one that then fails."""
    progress(f"{trial.program}: the migrated program, as it is")
    with trial.folder() as folder:
        verdict = failure_as_it_is(*trial.as_it_is(folder), trial.scenario)
    return result if verdict is None else replace(result, verdict=verdict)


def reconsidered(trial: Trial, judge: Judge, result: Result, progress: Callable[[str], None]) -> Result:
    """The result once the original has been held against itself, where that may explain what differs."""
    others: list[Record] = []
    with ExitStack() as folders:
        for how, look in _AGAIN.items():
            # On the CPU a graph of TensorFlow 2 reads and updates in one order, and gives the same numbers again.
            if not may_be_sensitive(result) or not (look.disturbed or trial.legacy.python or result.gpu):
                break
            progress(f"{trial.program}: the original once more: how far it parts from itself {how}")
            other = trial.record("original", folders.enter_context(trial.folder()), look)
            if failure("original", other, trial.scenario, trial.legacy) is None:
                others.append(other)
                judge.reconsider(how, *others)
                result = replace(judge.result(trial.program, trial.device), gpu=result.gpu)
    return result


def may_be_sensitive(result: Result) -> bool:
    """Whether what differs are numbers that were computed from the same data, or how many runs they led to."""
    given = any(item.kind in ("initial value", "input") for item in result.failures)
    led = result.verdict.kind == "structure differs" and result.runs[0] != result.runs[1]
    return not given and (led or result.verdict.kind == "differs")


def _notes(trial: Trial, original: Record) -> Iterator[str]:
    if trial.program.endswith(SUFFIX):
        yield from left_out(trial.pair.legacy / trial.scenario.folder / trial.program)
    if trial.device == "gpu" and not original.gpus:
        yield f"the original ran on the CPU: {trial.legacy.name} sees no GPU"
