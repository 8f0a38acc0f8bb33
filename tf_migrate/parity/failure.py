"""The verdict on a program that did not come to its end."""

from __future__ import annotations

import signal
from typing import Any

from tf_migrate.files.source import TO_PYTHON3
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.process import Ended
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Verdict, VerdictKind
from tf_migrate.parity.scenario import Scenario

_SHOWN = 5
_TENSORFLOW_1 = "run the original in TensorFlow 1.15: --legacy-python PATH names one, --setup-legacy DIR makes one"


def failure(who: str, record: Record, scenario: Scenario, legacy: Legacy) -> Verdict | None:
    """The verdict, where a program did not come to its end; `legacy` is what runs originals."""
    kinds: dict[tuple[str, str], VerdictKind] = {
        ("original", "timeout"): "original timed out",
        ("migrated", "timeout"): "migrated timed out",
        ("original", "memory"): "original ran out of memory",
        ("migrated", "memory"): "migrated ran out of memory",
    }
    failed: VerdictKind = "original failed" if who == "original" else "migrated failed"
    if record.ended.how != "ended":
        limit = f"{scenario.seconds:g} s" if record.ended.how == "timeout" else f"{scenario.megabytes} MB"
        return Verdict(
            kinds[who, record.ended.how],
            f"the {who} program did not end within {limit}",
            "give it less to do, or raise the limit in the scenario",
        )
    if record.outcome is None:
        status = record.ended.status
        how = f"by {signal.Signals(-status).name}" if -status in set(signal.Signals) else f"(status {status})"
        return Verdict(failed, f"the {who} program was killed {how}", "run it by hand")
    error = record.outcome["error"]
    if error is not None:
        return Verdict(failed, *_raised(who, error, legacy))
    if record.outcome["status"]:
        said = [line for line in (record.output or record.errors).splitlines() if line.strip()]
        last = f": {said[-1].strip()[:200]}" if said else ""
        return Verdict(failed, f"the {who} program ended with exit status {record.outcome['status']}{last}")
    if record.outcome["outside"]:
        listed = ", ".join(record.outcome["outside"][:_SHOWN])
        return Verdict(
            "writes outside", f"the {who} program writes outside of its folder: {listed}", "give it other paths"
        )
    return None


def no_gpu(who: str) -> Verdict:
    """The verdict, where a program that was to run on the GPU did not."""
    return Verdict(
        "no device",
        f"TensorFlow sees no GPU in the {who} program, which ran on the CPU",
        "look what `nvidia-smi` lists and CUDA_VISIBLE_DEVICES says, or compare with --device cpu",
    )


def _raised(who: str, error: dict[str, Any], legacy: Legacy) -> tuple[str, str]:
    """What a program's error says, and what to do next."""
    missing, place = error["missing"], f" at {error['place'][0]}:{error['place'][1]}" if error["place"] else ""
    said = f"the {who} program raised {error['type']}{place}: {error['message'].strip().partition(chr(10))[0]}"
    if error.get("lacks_name"):
        if who == "migrated":
            return said, "TensorFlow 2 has no such name: `tf-migrate check` says what takes its place"
        return said, "run it by hand" if legacy.python else _TENSORFLOW_1
    if missing:
        package, _, part = missing.partition(".")
        what = f"a version of {package} that has {missing}" if part else package
        return (
            f"the {who} program needs the package `{missing}`, which is not installed",
            f"install {what} beside its TensorFlow",
        )
    if error["type"] in ("SyntaxError", "TabError", "IndentationError"):
        return said, f"where it is Python 2, convert it to Python 3 first ({TO_PYTHON3})"
    if error.get("of_tensorflow") and who == "original" and legacy.python is None:
        return said, f"run it by hand; where TensorFlow 2 is the reason, {_TENSORFLOW_1}"
    return said, "run it by hand"


def failure_as_it_is(ended: Ended, said: str, scenario: Scenario) -> Verdict | None:
    """The verdict, where the migrated program fails that ended well beside a probe.

    The probe draws the random numbers itself: what only fails without it concerns them, or time.
    """
    if ended.how != "ended":
        limit = f"{scenario.seconds:g} s" if ended.how == "timeout" else f"{scenario.megabytes} MB"
        kind: VerdictKind = "migrated timed out" if ended.how == "timeout" else "migrated ran out of memory"
        return Verdict(
            kind,
            f"all compared values agree, but run as it is, without the probe, the program did not end within {limit}",
            "run it by hand",
        )
    if ended.status:
        last = f": {said[:200]}" if said else ""
        return Verdict(
            "migrated failed",
            "all compared values agree, but run as it is, without the probe that draws the random numbers, the "
            f"migrated program ended with exit status {ended.status}{last}",
            "run it by hand",
        )
    return None
