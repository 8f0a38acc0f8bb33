"""Cells and unrollings give TF 1.15.5's values, gradients and names: eagerly, in a function, under the bridge."""

import pytest

from tests.goldens.replay_rnn import Family

FAMILY = Family("rnn")


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
