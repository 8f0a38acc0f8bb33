"""Random small programs: what comes out prints what the original prints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.native.layer_programs import LayerProgram
from tests.native.native import printed, rewritten
from tests.native.programs import Program

Verdict = Literal["refused", "partly", "same", "different"]
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


def _numbers(text: str, without: set[str]) -> list[float]:
    """The numbers of all runs but those of which TF1 left open what comes first."""
    lines = [line for line in text.splitlines() if line.partition(" ")[0] not in without]
    return [float(number) for line in lines for number in _NUMBER.findall(line)]


def _original(code: str) -> str:
    """The original as a graph of reference variables and TensorFlow 1's kind of `tf.cond`, on this TensorFlow."""
    import tensorflow as tf

    tf.compat.v1.disable_resource_variables()
    tf.compat.v1.disable_control_flow_v2()
    try:
        with tf.compat.v1.Graph().as_default():
            return printed(code.replace("import tensorflow as tf", "import tensorflow.compat.v1 as tf"))
    finally:
        tf.compat.v1.enable_control_flow_v2()
        tf.compat.v1.enable_resource_variables()


def verdict(code: str, original: Callable[[str], str] = _original) -> Verdict:
    """What became of a program, once what it prints is seen to be the same as before where it is native."""
    result = rewritten(code)
    if {site.tier for site in result.sites} != {"native"}:
        assert all(site.reason for site in result.sites)
        return "refused"
    ours = printed(result.text)
    lines = [finding.line for finding in result.findings if "left open" in finding.message]
    unordered = {_tag(code, line) for line in lines}
    unordered |= {"noted"} if unordered else set()  # what a Python function prints that such a run calls
    if lines and "averages.apply" in code:
        # Such a run moves averages of what is computed before or after a step: later runs see what it left.
        behind = (line for line in code.splitlines()[min(lines) :] if "print('" in line)
        unordered |= {line.split("print('")[1].split("'")[0] for line in behind}
    theirs = original(code)
    if _are_close(ours, theirs, set()):
        return "same"
    return "partly" if unordered and _are_close(ours, theirs, unordered) else "different"


def _are_close(mine: str, theirs: str, without: set[str]) -> bool:
    return _numbers(mine, without) == pytest.approx(_numbers(theirs, without), rel=1e-4, abs=1e-5)


def _tag(code: str, line: int) -> str:
    """The word before what a run prints: the statements behind the run say it."""
    return code.splitlines()[line].split("'")[1]


def _print_what_the_originals_print(first: int) -> None:
    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.integers(min_value=first, max_value=first + 2_499))
    def prints_the_same(seed: int) -> None:
        assert verdict(Program(seed).text) != "different"

    prints_the_same()


def test_native_prints_what_the_original_prints() -> None:
    _print_what_the_originals_print(0)


@pytest.mark.usefixtures("at_length")
@pytest.mark.parametrize("first", range(2_500, 10_000, 2_500))
def test_more_native_programs_print_what_the_originals_print(first: int) -> None:
    _print_what_the_originals_print(first)


@pytest.mark.parametrize("first", range(0, 4_000, 1_000))
def test_layers_print_what_they_print_in_tensorflow_1(first: int, run_legacy: Callable[..., str]) -> None:
    found = Counter(verdict(LayerProgram(seed).text, run_legacy) for seed in range(first, first + 8))
    assert not found["different"]
    assert found["same"] > 2, found


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(min_value=0, max_value=10_000))
def test_a_second_rewriting_changes_nothing(seed: int) -> None:
    result = rewritten(Program(seed).text)
    if {site.tier for site in result.sites} == {"native"}:
        assert rewritten(result.text).text == result.text
