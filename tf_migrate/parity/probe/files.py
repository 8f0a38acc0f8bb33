"""The numbers in files that a program writes into its tree: checkpoints, summaries, arrays, tables."""

from __future__ import annotations

import gc
import glob
import os
import re
import threading
import time
from typing import Any

import numpy as np

_MOST = 200  # files
_LARGEST = 2**28  # bytes of one
_TEXT = (".csv", ".tsv", ".txt", ".json", ".log")
_PATIENCE = 5.0  # seconds for a thread that writes summaries
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")


def watch_files(recorder: Any) -> None:
    """Keeps what stands in the files that are new or changed when the program has ended."""
    before = _found(recorder.root)

    def end() -> None:
        _flush_summaries()
        found = _found(recorder.root)
        changed = sorted(path for path, mark in found.items() if before.get(path) != mark)
        arrays: dict[str, Any] = {}
        for path in changed[:_MOST]:
            if found[path][1] <= _LARGEST and recorder.is_program(path):
                arrays.update(_numbers(path, os.path.relpath(path, recorder.root)))
        recorder.save_variables("files", {**arrays, **_summaries(changed, recorder.root)})

    recorder.at_end.append(end)


def _flush_summaries() -> None:
    """Writes what writers of summaries still hold: without `close()` the time decides how much of it is lost."""
    for item in gc.get_objects():
        if type(item).__name__ in ("FileWriter", "EventFileWriter") and hasattr(item, "flush"):
            try:
                item.flush()
            except Exception:
                continue  # it is closed
    for thread in threading.enumerate():
        if type(thread).__name__ == "_EventLoggerThread":
            _flush_thread(thread)


def _flush_thread(thread: Any) -> None:
    """Writes what the thread of a writer still holds that the program has let go of."""
    if hasattr(thread, "_flush_sentinel"):  # TensorFlow 2's
        thread._flush_complete.clear()
        thread._queue.put(thread._flush_sentinel)
        thread._flush_complete.wait(_PATIENCE)
        return
    end = time.monotonic() + _PATIENCE
    while thread._queue.unfinished_tasks and thread.is_alive() and time.monotonic() < end:
        time.sleep(0.01)
    thread._ev_writer.Flush()


def _found(root: str) -> dict[str, tuple[float, int]]:
    paths = (path for path in glob.iglob(os.path.join(root, "**", "*"), recursive=True) if os.path.isfile(path))
    return {path: (os.path.getmtime(path), os.path.getsize(path)) for path in paths}


def _numbers(path: str, name: str) -> dict[str, Any]:
    """What stands in one file, by names that begin with its path."""
    try:
        if path.endswith(".index"):
            return _checkpoint(path[: -len(".index")], name[: -len(".index")])
        if path.endswith(".npy"):
            return {name: np.load(path)}
        if path.endswith(".npz"):
            with np.load(path) as file:
                return {f"{name}: {item}": file[item] for item in file.files}
        if path.endswith(_TEXT):
            with open(path, encoding="utf-8") as text:
                numbers = [float(word) for word in _NUMBER.findall(text.read())]
            return {name: np.array(numbers)} if numbers else {}
    except Exception:
        return {}  # cut short, or of another kind than its name says
    return {}


def _checkpoint(prefix: str, name: str) -> dict[str, Any]:
    import tensorflow as tf

    try:
        reader = tf.train.load_checkpoint(prefix)
    except Exception:
        return {}  # another kind of index
    found = {key: reader.get_tensor(key) for key in reader.get_variable_to_shape_map() if not key.startswith("_CHECK")}
    return {f"{name}: {key}": value for key, value in found.items() if np.asarray(value).dtype.kind in "fiub"}


def _summaries(paths: list[str], root: str) -> dict[str, Any]:
    """Each tag's numbers in the order of steps, all files of a folder together."""
    import tensorflow as tf

    iterator = getattr(getattr(tf, "compat", tf), "v1", tf).train.summary_iterator
    series: dict[str, list[tuple[int, list[float]]]] = {}
    for path in paths:
        if ".tfevents." not in os.path.basename(path):
            continue
        folder = os.path.relpath(os.path.dirname(path), root)
        try:
            for event in iterator(path):
                for value in event.summary.value:
                    series.setdefault(f"{folder}: summary {value.tag}", []).append((event.step, _told(tf, value)))
        except Exception:
            continue  # cut short
    made = {}
    for name, points in series.items():
        numbers = [told for _, told in sorted(points, key=lambda point: point[0])]
        if all(numbers) and len({len(told) for told in numbers}) == 1:
            made[name] = np.array(numbers, np.float32)
    return made


def _told(tf: Any, value: Any) -> list[float]:
    """A scalar, or the five figures that describe a histogram; nothing of images, sounds and texts."""
    kind = value.WhichOneof("value")
    if kind == "simple_value":
        return [value.simple_value]
    if kind == "histo":
        return [value.histo.min, value.histo.max, value.histo.num, value.histo.sum, value.histo.sum_squares]
    if kind == "tensor":
        array = np.asarray(tf.make_ndarray(value.tensor))
        return [float(array)] if array.shape == () and array.dtype.kind in "fi" else []
    return []
