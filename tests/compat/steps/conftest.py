"""Each test begins without a default store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_default_store() -> Iterator[None]:
    yield
    import compat  # not while tests are collected: those of `make check` know no TensorFlow

    compat.reset_default_graph()
