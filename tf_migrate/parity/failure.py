"""The verdict on a program that did not come to its end."""

from __future__ import annotations

import signal

from tf_migrate.files.source import TO_PYTHON3
from tf_migrate.parity.process import Ended
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Verdict, VerdictKind
from tf_migrate.parity.scenario import Scenario

_SHOWN = 5


def failure(who: str, record: Record, scenario: Scenario) -> Verdict | None:
    """The verdict, where a program did not come to its end."""
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
    if error is not None and error["missing"]:
        return Verdict(
            failed,
            f"the {who} program needs the package `{error['missing']}`, which is not installed",
            f"install {error['missing']} beside its TensorFlow",
        )
    if error is not None:
        place = f" at {error['place'][0]}:{error['place'][1]}" if error["place"] else ""
        message = error["message"].strip().partition("\n")[0]
        step = "run it by hand"
        if error["type"] in ("SyntaxError", "TabError", "IndentationError"):
            step = f"where it is Python 2, convert it to Python 3 first ({TO_PYTHON3})"
        return Verdict(failed, f"the {who} program raised {error['type']}{place}: {message}", step)
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
