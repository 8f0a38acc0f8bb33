"""The shards of a TPU, where there is none: TF 1.15.5 gave the same on a CPU."""

from __future__ import annotations

import threading

import pytest

from compat import contrib


def test_there_are_shards_inside_of_their_scope_only() -> None:
    context = contrib.tpu.get_tpu_context()
    assert isinstance(context, contrib.tpu.TpuContext) and context.number_of_shards is None
    with contrib.tpu.tpu_shard_context(4):
        assert contrib.tpu.get_tpu_context().number_of_shards == 4
        with pytest.raises(NotImplementedError, match="nested"), contrib.tpu.tpu_shard_context(2):
            pass
    assert context.number_of_shards is None


def test_each_thread_has_its_own() -> None:
    seen: list[int | None] = []
    with contrib.tpu.tpu_shard_context(4):
        thread = threading.Thread(target=lambda: seen.append(contrib.tpu.get_tpu_context().number_of_shards))
        thread.start()
        thread.join()
    assert seen == [None]


def test_an_error_ends_the_scope() -> None:
    with pytest.raises(ValueError, match="broken"), contrib.tpu.tpu_shard_context(4):
        raise ValueError("broken")
    assert contrib.tpu.get_tpu_context().number_of_shards is None
