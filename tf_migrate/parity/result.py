"""The outcome of a comparison, as the reports and the exit status show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

SCHEMA_VERSION = 1
VerdictKind = Literal[
    "parity",
    "differs",
    "structure differs",
    "original failed",
    "migrated failed",
    "original timed out",
    "migrated timed out",
    "original ran out of memory",
    "migrated ran out of memory",
    "writes outside",
    "not a number",
    "nothing to compare",
    "no device",
]
Kind = Literal["run", "input", "gradient", "initial value", "final value", "regularization loss", "file", "printed"]


@dataclass(frozen=True)
class Verdict:
    """What a comparison comes to, in a sentence, and what to do next."""

    kind: VerdictKind
    message: str
    next_step: str | None = None

    @property
    def good(self) -> bool:
        return self.kind == "parity"


@dataclass(frozen=True)
class Comparison:
    """One array of the original against the migrated program's.

    Attributes:
      kind: what it is.
      name: a variable's name, or "file:line" and the function, or the text around printed numbers.
      step: the number of the run, None for variables.
      values: how many numbers were compared.
      absolute: the largest absolute difference.
      relative: the difference there, relative to the original's value.
      ulps: the largest distance in units in the last place; None where values are not floating point.
      index: where the largest absolute difference is.
      bound: "rtol …, atol …": what was allowed.
      problem: why it does not agree; None where it does.
      excess: the largest difference in units of what was allowed.
      lost: how many values are NaN in both.
      variable: of which variable it is the gradient; None of all else.
    """

    kind: Kind
    name: str
    step: int | None
    values: int
    absolute: float
    relative: float
    ulps: float | None
    index: tuple[int, ...]
    bound: str
    problem: str | None = None
    excess: float = 0.0
    lost: int = 0
    variable: str | None = None


@dataclass(frozen=True)
class Gpu:
    """What a comparison on the GPU ran on, and how.

    Attributes:
      names: the GPUs, as TensorFlow tells them.
      tf32: whether products of float32 may be rounded to TF32.
      deterministic: whether TensorFlow was asked for deterministic kernels.
    """

    names: tuple[str, ...]
    tf32: bool
    deterministic: bool

    def __str__(self) -> str:
        kernels = "deterministic kernels" if self.deterministic else "kernels that may not be deterministic"
        return f"{' and '.join(self.names) or 'no GPU'}, TF32 {'on' if self.tf32 else 'off'}, {kernels}"


@dataclass(frozen=True)
class Bisection:
    """Where the first run that differs parts from the original.

    Attributes:
      tensor: what the first operation computes that differs, by its name in the original's graph.
      operation: the type of this operation.
      original: the line of the original that built it.
      migrated: the line of the migrated program that built what stands in its place.
      absolute: the largest absolute difference there; 0 where the values cannot be subtracted.
      agreeing: how many tensors before it the migrated program computes, too.
      certain: whether all inputs of the operation agree; else the cause lies between these tensors and this one.
      detail: what is different about the two operations, where that can be said in a few words.
      step: the number of the run.
    """

    tensor: str
    operation: str
    original: str
    migrated: str
    absolute: float
    agreeing: int
    certain: bool
    detail: str = ""
    step: int | None = None

    def __str__(self) -> str:
        what = f"the operation {self.tensor} ({self.operation})"
        if not self.certain:
            what = f"{what}, or at what lies between it and the last values that agree"
        run = "" if self.step is None else f" in run {self.step + 1}"
        far = f": {self.absolute:.3g}" if self.absolute else ""
        detail = f" ({self.detail})" if self.detail else ""
        return (
            f"the difference begins{run} at {what}, {self.original} in the original and {self.migrated} in the "
            f"migrated program{far}{detail}; {self.agreeing} tensors before it agree"
        )


@dataclass(frozen=True)
class Place:
    """A place that runs: where in the original, what took its place, how often it was compared."""

    name: str
    path: str
    line: int
    function: str | None
    tier: str
    source: str
    migrated_source: str
    runs: int
    compared: int
    worst: Comparison | None


@dataclass(frozen=True)
class Result:
    """One program compared on one device.

    Attributes:
      program: its name, as it was asked for.
      device: "cpu" or "gpu".
      legacy: what ran the original.
      verdict: what it comes to.
      tiers: how many sites of the original each tier has.
      structure: what differs in names, shapes and types of variables, and in the order of runs.
      comparisons: everything that was compared, in the order of the programs.
      places: the run sites, in order of the original.
      losses: (step, original, migrated) of each scalar series, by its name.
      notes: what a reviewer should know.
      seconds: how long both programs ran: original, migrated.
      runs: how many runs both made: original, migrated.
      bisection: where the first run that differs does so; None where nobody looked, or nothing was found.
      gpu: what it ran on where `device` is "gpu", else None.
    """

    program: str
    device: str
    legacy: str
    verdict: Verdict
    tiers: Mapping[str, int] = field(default_factory=dict)
    structure: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    places: tuple[Place, ...] = ()
    losses: Mapping[str, tuple[tuple[int, float, float], ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    runs: tuple[int, int] = (0, 0)
    bisection: Bisection | None = None
    gpu: Gpu | None = None

    @property
    def where(self) -> str:
        """The device in words."""
        return self.device if self.gpu is None else f"{self.device}: {self.gpu}"

    @property
    def failures(self) -> tuple[Comparison, ...]:
        """What does not agree, the first first."""
        return tuple(item for item in self.comparisons if item.problem is not None)

    @property
    def worst(self) -> Comparison | None:
        """The largest difference of a number that was computed."""
        computed = [item for item in self.comparisons if item.kind != "printed" and item.values]
        return max(computed, key=lambda item: item.absolute, default=None)

    @property
    def values(self) -> int:
        """How many numbers were compared."""
        return sum(item.values for item in self.comparisons)


def as_data(results: tuple[Result, ...]) -> dict[str, Any]:
    """The results as dictionaries and lists."""
    listed = []
    for result in results:
        worst = result.worst
        summary = {"values": result.values, "failures": len(result.failures), "worst": worst and asdict(worst)}
        listed.append({**asdict(result), "summary": summary})
    return {"schema_version": SCHEMA_VERSION, "results": listed}
