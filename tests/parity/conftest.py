"""Programs that are compared are forked from interpreters that have imported TensorFlow."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture
def as_v1_graph(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Originals run as graphs of `tf.compat.v1`, also where TensorFlow 1.15.5 is."""
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(tmp_path / "none"))
