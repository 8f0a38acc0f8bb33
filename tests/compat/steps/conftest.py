"""Each test begins without a default store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import compat


@pytest.fixture(autouse=True)
def _no_default_store() -> Iterator[None]:
    yield
    compat.reset_default_graph()
