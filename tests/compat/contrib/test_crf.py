"""`compat.contrib.crf` gives TF 1.15.5's values, gradients and names."""

import numpy as np
import pytest

import compat
from tests.goldens.replay_rnn import Family

FAMILY = Family("crf")


@pytest.mark.parametrize(("name", "mode"), FAMILY.cases())
def test_program_agrees_with_tf1(name, mode):
    FAMILY.check(name, mode)


@pytest.mark.usefixtures("at_length")
@pytest.mark.parametrize(("name", "mode"), FAMILY.further_cases())
def test_program_agrees_with_tf1_in_every_mode(name, mode):
    FAMILY.check(name, mode)


@pytest.mark.parametrize(("name", "dtype"), FAMILY.precise_cases())
def test_precision_agrees_with_tf1(name, dtype):
    FAMILY.check_precision(name, dtype)


def test_viterbi_decode_agrees_with_crf_decode_of_tf1():
    program = FAMILY.programs["decode"]
    transitions = FAMILY.initial_value("transitions", [3, 3])
    expected = FAMILY.expected("decode")
    for scores, length, tags, best in zip(
        program.feeds["scores"], program.feeds["lengths"], expected["out/0"], expected["out/1"], strict=True
    ):
        if length:
            found, score = compat.contrib.crf.viterbi_decode(scores[:length], transitions)
            assert found == tags[:length].tolist()
            np.testing.assert_allclose(score, best, rtol=1e-6)
