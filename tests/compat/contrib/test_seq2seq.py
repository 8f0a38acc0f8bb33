"""`compat.contrib.seq2seq` gives TF 1.15.5's values, gradients and names."""

import pytest
from goldens.replay_rnn import Family

FAMILY = Family("seq2seq")


@pytest.mark.parametrize(("name", "mode"), FAMILY.cases())
def test_program_agrees_with_tf1(name, mode):
    FAMILY.check(name, mode)
