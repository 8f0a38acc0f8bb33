"""`tensorflow.contrib.tpu.python.tpu.tpu_function`, off TPU."""

from __future__ import annotations

import pytest

from compat.contrib.tpu.python.tpu import tpu_function


def test_nothing_is_sharded_but_where_the_program_says_so() -> None:
    context = tpu_function.get_tpu_context()
    assert context.number_of_shards is None
    with tpu_function.tpu_shard_context(4):
        assert tpu_function.get_tpu_context().number_of_shards == 4
        with pytest.raises(NotImplementedError, match="nested"), tpu_function.tpu_shard_context(2):
            pass
    assert context.number_of_shards is None
