"""The text of a graph beside its checkpoints, whatever versions TensorFlow and protobuf have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from google.protobuf import text_format

import compat


def _built() -> compat.Graph:
    with compat.Graph().as_default() as graph:
        compat.train.get_or_create_global_step()
        tf.multiply(compat.get_variable("w", initializer=0.1), 2.0, name="twice")
    return graph


def _by_a_hook(folder: str) -> None:
    hook = compat.train.CheckpointSaverHook(folder, save_steps=1)
    with compat.train.MonitoredSession(hooks=[hook]):
        pass


def _by_a_supervisor(folder: str) -> None:
    compat.train.Supervisor(logdir=folder, save_model_secs=0).prepare_or_wait_for_session().close()


@pytest.mark.parametrize("write", [_by_a_hook, _by_a_supervisor])
def test_the_text_is_that_of_the_graph(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_an_argument_that_protobuf_7_took_back(*_: Any) -> None:
        raise TypeError("MessageToString() got an unexpected keyword argument 'float_format'")

    monkeypatch.setattr(tf.io, "write_graph", with_an_argument_that_protobuf_7_took_back)
    folder = tmp_path / "deep" / "logs"
    with _built().as_default():
        write(str(folder))
    text = (folder / "graph.pbtxt").read_text(encoding="utf-8")
    found = {node.name: node for node in text_format.Parse(text, tf.compat.v1.GraphDef()).node}
    assert found["twice"].op == "Mul"
    assert "_output_shapes" in found["twice"].attr
    assert "w" in found
    assert not list(folder.glob("graph.pbtxt.*"))
