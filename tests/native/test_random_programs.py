"""Random small programs: what comes out prints what the original prints."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from native import printed, rewritten
from programs import Program

_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]


def _original(code: str) -> str:
    """The original as a graph of reference variables, TensorFlow 1's kind, on this TensorFlow."""
    import tensorflow as tf

    tf.compat.v1.disable_resource_variables()
    try:
        with tf.compat.v1.Graph().as_default():
            return printed(code.replace("import tensorflow as tf", "import tensorflow.compat.v1 as tf"))
    finally:
        tf.compat.v1.enable_resource_variables()


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(min_value=0, max_value=10_000))
def test_native_prints_what_the_original_prints(seed: int) -> None:
    code = Program(seed).text
    result = rewritten(code)
    if {site.tier for site in result.sites} != {"native"}:
        assert all(site.reason for site in result.sites)
        return
    ours = printed(result.text)
    if any("left open" in finding.message for finding in result.findings):
        return
    assert _numbers(ours) == pytest.approx(_numbers(_original(code)), rel=1e-4, abs=1e-5)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(min_value=0, max_value=10_000))
def test_a_second_rewriting_changes_nothing(seed: int) -> None:
    result = rewritten(Program(seed).text)
    if {site.tier for site in result.sites} == {"native"}:
        assert rewritten(result.text).text == result.text
