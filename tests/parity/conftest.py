"""Programs that are compared are forked from interpreters that have imported TensorFlow."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests import warm
from tf_migrate.parity import process


@pytest.fixture(autouse=True, scope="module")
def _warm() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if warm.AVAILABLE:
            patch.setattr(process, "subprocess", warm)
        yield


@pytest.fixture
def started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are started as users' are: for what depends on it, and for one whole comparison."""
    monkeypatch.setattr(process, "subprocess", subprocess)
