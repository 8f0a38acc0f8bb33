"""Input pipelines of queues: producers, readers, batches, their runners."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from compat import train


@pytest.fixture
def numbers(tmp_path: Path) -> str:
    path = tmp_path / "numbers.csv"
    path.write_text("".join(f"{number},{number * 2}\n" for number in range(10)))
    return str(path)


@pytest.fixture
def running(graph: Any) -> Iterator[Any]:
    """A function that gives a session with all queue runners started."""
    sessions: list[tuple[compat.Session, Any, Any]] = []

    def start() -> compat.Session:
        session = compat.Session()
        session.run([compat.global_variables_initializer(), compat.local_variables_initializer()])
        coord = tf.train.Coordinator()
        sessions.append((session, coord, train.start_queue_runners(session, coord)))
        return session

    yield start
    for session, coord, threads in sessions:
        coord.request_stop()
        coord.join(threads)
        session.close()


def test_lines_to_batches(numbers: str, running: Any) -> None:
    queue = train.string_input_producer([numbers], shuffle=False, name="files")
    key, line = compat.TextLineReader(skip_header_lines=1).read(queue)
    x, y = compat.decode_csv(line, record_defaults=[[0.0], [0.0]])
    batch = train.batch([x, y, key], batch_size=4)
    assert queue.name == "files"
    session = running()
    xs, ys, keys = session.run(batch)
    assert xs.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert ys.tolist() == [2.0, 4.0, 6.0, 8.0]
    assert keys[0] == f"{numbers}:2".encode()
    # The file begins again, without its header line.
    assert session.run(batch)[0].tolist() == [5.0, 6.0, 7.0, 8.0]
    assert session.run(batch)[0].tolist() == [9.0, 1.0, 2.0, 3.0]


def test_one_epoch_ends_with_a_smaller_batch(numbers: str, running: Any) -> None:
    queue = train.string_input_producer([numbers], num_epochs=1)
    _, line = compat.TextLineReader().read(queue)
    lines = train.shuffle_batch([line], 4, capacity=20, min_after_dequeue=5, seed=1, allow_smaller_final_batch=True)
    session = running()
    found: list[bytes] = []
    with pytest.raises(tf.errors.OutOfRangeError):
        while True:
            found += session.run(lines).tolist()
    assert sorted(found) == [f"{number},{number * 2}".encode() for number in range(10)]


def test_slices_keep_rows_together_and_maybe_batch_drops(running: Any) -> None:
    one, ten = train.slice_input_producer([tf.range(4), tf.range(4) * 10], shuffle=False, num_epochs=2)
    pairs = train.maybe_batch([one, ten], tf.not_equal(one, 1), 3)
    session = running()
    assert [part.tolist() for part in session.run(pairs)] == [[0, 2, 3], [0, 20, 30]]
    assert [part.tolist() for part in session.run(pairs)] == [[0, 2, 3], [0, 20, 30]]
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(pairs)


def test_dictionaries_sparse_tensors_and_padding(running: Any) -> None:
    number = train.range_input_producer(3, shuffle=False).dequeue()
    sparse = tf.SparseTensor(tf.cast([[number]], tf.int64), [number], [3])
    examples = train.batch({"sparse": sparse, "ones": tf.ones([number + 1])}, 3, dynamic_pad=True, shapes=None)
    session = running()
    batch = session.run(examples)
    assert batch["ones"].tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert batch["sparse"].indices.tolist() == [[0, 0], [1, 1], [2, 2]]
    assert batch["sparse"].dense_shape.tolist() == [3, 3]


def test_join_reads_from_all_sources(running: Any) -> None:
    sources = [[tf.constant(number)] for number in (1, 2)]
    joined = train.batch_join(sources, 20)
    assert set(running().run(joined).tolist()) <= {1, 2}
    with pytest.raises(ValueError, match="bigger than min_after_dequeue"):
        train.shuffle_batch_join(sources, 2, capacity=5, min_after_dequeue=5)


def test_other_readers(tmp_path: Path, running: Any) -> None:
    (tmp_path / "fixed").write_bytes(b"HHabcdef")
    records = str(tmp_path / "records")
    with tf.io.TFRecordWriter(records) as writer:
        writer.write(b"first")
        writer.write(b"second")
    fixed = train.string_input_producer([str(tmp_path / "fixed")])
    tfrecords = train.string_input_producer([records])
    _, part = compat.FixedLengthRecordReader(record_bytes=3, header_bytes=2).read(fixed)
    reader = compat.TFRecordReader()
    _, record = reader.read_up_to(tfrecords, 2)
    _, whole = compat.WholeFileReader().read(train.string_input_producer([str(tmp_path / "fixed")]))
    session = running()
    assert [session.run(part), session.run(part)] == [b"abc", b"def"]
    assert session.run(record).tolist() == [b"first", b"second"]
    assert session.run(reader.num_records_produced()) == 2
    assert session.run(whole) == b"HHabcdef"


def test_errors_in_a_thread_reach_the_coordinator(graph: Any) -> None:
    queue = compat.FIFOQueue(2, tf.float32, shapes=[[]])
    bad = tf.debugging.check_numerics(tf.constant(1.0) / tf.constant(0.0), "bad number")
    train.add_queue_runner(train.QueueRunner(queue, [queue.enqueue(bad)]))
    with compat.Session() as session:
        coord = tf.train.Coordinator()
        threads = train.start_queue_runners(session, coord)
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad number"):
            coord.join(threads)


def test_match_filenames_once(tmp_path: Path, graph: Any) -> None:
    pattern = str(tmp_path / "*.txt")
    names = train.match_filenames_once(pattern)
    for name in ("b", "a"):
        (tmp_path / f"{name}.txt").touch()
    with compat.Session() as session:
        session.run(compat.local_variables_initializer())
        assert sorted(Path(name.decode()).name for name in session.run(names)) == ["a.txt", "b.txt"]


def test_wrong_use(graph: Any) -> None:
    with pytest.raises(ValueError, match="non-null"):
        train.string_input_producer([])
    with pytest.raises(ValueError, match="num_epochs must be > 0"):
        train.limit_epochs(tf.constant(1), 0)
    with pytest.raises(ValueError, match="queue and enqueue_ops"):
        train.QueueRunner()
    with pytest.raises(ValueError, match="No default session"):
        train.start_queue_runners()


def test_looper_thread() -> None:
    coord = tf.train.Coordinator()
    calls: list[int] = []

    def work(number: int) -> None:
        calls.append(number)
        if len(calls) == 3:
            coord.request_stop()

    train.LooperThread.loop(coord, 0.001, work, args=(7,)).join(timeout=10)
    assert calls == [7, 7, 7]
