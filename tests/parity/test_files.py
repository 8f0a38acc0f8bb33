"""What stands in the files that a program writes, when it has ended."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_migrate.parity.probe.files import watch_files


class Recorder:
    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.at_end: list[object] = []
        self.saved: dict[str, np.ndarray] = {}

    def is_program(self, path: str) -> bool:
        return True

    def save_variables(self, kind: str, arrays: dict[str, np.ndarray]) -> None:
        self.saved = arrays


def test_summaries_of_a_writer_that_is_gone_and_was_never_closed(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    watch_files(recorder)
    with tf.Graph().as_default():
        writer = tf.compat.v1.summary.FileWriter(str(tmp_path / "logs"))
    for step in range(40):
        value = tf.compat.v1.Summary.Value(tag="loss", simple_value=step * 0.5)
        writer.add_summary(tf.compat.v1.Summary(value=[value]), step)
    del writer
    (end,) = recorder.at_end
    end()  # type: ignore[operator]
    np.testing.assert_array_equal(recorder.saved["logs: summary loss"], np.arange(40)[:, None] * 0.5)
