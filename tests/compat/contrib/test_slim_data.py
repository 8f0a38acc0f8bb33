"""slim's reading and decoding of examples, and its evaluation."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

slim = compat.contrib.slim
decoder = slim.tfexample_decoder


def feature(*values: Any) -> tf.train.Feature:
    if isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(values[0], int):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def example(number: int, kind: bytes = b"png") -> bytes:
    pixels = np.full([2, 3, 3], number, np.uint8)
    encoded = {
        b"png": lambda: tf.io.encode_png(pixels).numpy(),
        b"jpeg": lambda: tf.io.encode_jpeg(pixels).numpy(),
        b"raw": pixels.tobytes,
    }[kind]()
    features = {
        "image/encoded": feature(encoded),
        "image/format": feature(kind),
        "label": feature(number),
        "xmin": feature(0.1, 0.2),
        "ymin": feature(0.3, 0.4),
        "xmax": feature(0.5, 0.6),
        "ymax": feature(0.7, 0.8),
        "shape": feature(2, 1),
        "values": feature(7.0, 8.0),
        "indices": feature(1, 3),
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/format": tf.io.FixedLenFeature([], tf.string, "png"),
    "label": tf.io.FixedLenFeature([1], tf.int64),
    **{side: tf.io.VarLenFeature(tf.float32) for side in ("xmin", "ymin", "xmax", "ymax", "values")},
    "shape": tf.io.VarLenFeature(tf.int64),
    "indices": tf.io.VarLenFeature(tf.int64),
}
HANDLERS = {
    "image": decoder.Image(shape=[2, 3, 3]),
    "label": decoder.Tensor("label", shape=[]),
    "boxes": decoder.BoundingBox(),
    "shaped": decoder.Tensor("values", shape_keys="shape"),
    "sparse": decoder.SparseTensor("indices", "values", shape=[5], densify=True),
    "doubled": decoder.ItemHandlerCallback("label", lambda tensors: tensors["label"] * 2),
    "backed": decoder.BackupHandler(decoder.Tensor("values", shape=[-1]), decoder.Tensor("xmin")),
}


@pytest.mark.parametrize("kind", [b"png", b"jpeg", b"raw"])
def test_decoding_an_example(kind: bytes) -> None:
    decode = decoder.TFExampleDecoder(FEATURES, HANDLERS)
    assert decode.list_items() == list(HANDLERS)
    items = dict(zip(HANDLERS, decode.decode(tf.constant(example(5, kind))), strict=True))
    np.testing.assert_array_equal(items["image"], np.full([2, 3, 3], 5))
    assert int(items["label"]) == 5
    np.testing.assert_allclose(items["boxes"], [[0.3, 0.1, 0.7, 0.5], [0.4, 0.2, 0.8, 0.6]])
    assert items["shaped"].numpy().tolist() == [[7.0], [8.0]]
    assert items["sparse"].numpy().tolist() == [0.0, 7.0, 0.0, 8.0, 0.0]
    assert items["doubled"].numpy().tolist() == [10]
    assert items["backed"].numpy().tolist() == [7.0, 8.0]
    assert [int(each) for each in decode.decode(tf.constant(example(3)), ["label"])] == [3]


def test_wrong_handlers() -> None:
    with pytest.raises(ValueError, match="4 keys"):
        decoder.BoundingBox(["a"])
    with pytest.raises(ValueError, match="both shape_keys and shape"):
        decoder.Tensor("a", shape_keys="b", shape=[1])
    with pytest.raises(ValueError, match="Backup handler"):
        decoder.BackupHandler(decoder.Tensor("a"), None)


def test_a_provider_reads_the_files_in_order(tmp_path: pathlib.Path) -> None:
    for file in range(2):
        with tf.io.TFRecordWriter(str(tmp_path / f"data-{file}")) as writer:
            for number in range(3):
                writer.write(example(file * 3 + number))
    with compat.Graph().as_default(), compat.Session() as session:
        dataset = slim.dataset.Dataset(
            data_sources=[str(tmp_path / "data-[0]"), str(tmp_path / "data-1")],
            reader=compat.TFRecordReader,
            decoder=decoder.TFExampleDecoder(FEATURES, HANDLERS),
            num_samples=6,
            items_to_descriptions={},
            num_classes=10,
        )
        assert dataset.num_classes == 10
        provider = slim.dataset_data_provider.DatasetDataProvider(dataset, shuffle=False, num_epochs=1)
        assert provider.num_samples() == 6
        label, image = provider.get(["label", "image"])
        with pytest.raises(ValueError, match=r"Item \[odd\] is invalid"):
            provider.get(["odd"])
        queue = slim.prefetch_queue.prefetch_queue({"label": label, "image": image}, capacity=2)
        batch = queue.dequeue()
        session.run([compat.global_variables_initializer(), compat.local_variables_initializer()])
        seen = []
        with slim.queues.QueueRunners(session):
            for _ in range(6):
                seen.append(session.run(batch))
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(batch)
    assert [int(each["label"]) for each in seen] == list(range(6))
    assert [int(each["image"][0, 0, 0]) for each in seen] == list(range(6))


def test_files_by_pattern(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a").touch()
    found = slim.parallel_reader.get_data_files([str(tmp_path / "[ab]"), "named"])
    assert found == [str(tmp_path / "a"), "named"]
    with pytest.raises(ValueError, match="No data files found"):
        slim.parallel_reader.get_data_files(str(tmp_path / "none*"))


def _model() -> tuple[Any, Any]:
    """A variable, and a metric that counts how often it was updated."""
    weight = compat.get_variable("w", [], initializer=compat.zeros_initializer())
    compat.train.get_or_create_global_step()
    return weight, compat.metrics.mean(weight)


def _save(folder: pathlib.Path, value: float, step: int) -> str:
    with compat.Graph().as_default(), compat.Session() as session:
        weight, _ = _model()
        session.run(compat.global_variables_initializer())
        weight.load(value, session)
        return str(compat.train.Saver().save(session, str(folder / "model"), global_step=step))


def test_evaluating_a_checkpoint(tmp_path: pathlib.Path) -> None:
    path = _save(tmp_path, 4.0, 7)
    with compat.Graph().as_default():
        weight, (mean, update) = _model()
        compat.summary.scalar("mean", mean)
        result = slim.evaluation.evaluate_once(
            "", path, str(tmp_path / "events"), num_evals=3, eval_op=update, final_op=[weight, mean]
        )
    assert result == [4.0, 4.0]
    assert list((tmp_path / "events").iterdir())


def test_evaluating_a_folder(tmp_path: pathlib.Path) -> None:
    _save(tmp_path, 2.0, 1)
    with compat.Graph().as_default():
        weight, _ = _model()
        arguments = {"final_op": weight, "max_number_of_evaluations": 1, "eval_interval_secs": 0}
        assert slim.evaluation.evaluation_loop("", str(tmp_path), None, **arguments) == 2.0
        with pytest.raises(ValueError, match="MonitoredSession"):
            slim.evaluation.evaluation_loop("", str(tmp_path), None, hooks=[object()])


def test_summaries() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        values = tf.constant([0.0, 1.0, 0.0, 0.0], name="values")
        slim.summaries.add_histogram_summaries([values], prefix="some")
        share = slim.summaries.add_zero_fraction_summary(values)
        slim.summaries.add_scalar_summary(tf.constant(3.0), "three", print_summary=True)
        assert len(compat.get_collection(compat.GraphKeys.SUMMARIES)) == 3
        (value,) = compat.Summary.FromString(session.run(share)).value
    assert value.tag == "values/Fraction_of_Zero_Values"
    assert value.simple_value == 0.75


def test_features_through_a_table_and_handlers_of_users() -> None:
    table = compat.contrib.lookup.index_table_from_tensor(["jpeg", "png"])

    class Sum(decoder.ItemHandler):
        def tensors_to_item(self, keys_to_tensors: Any) -> Any:
            return tf.reduce_sum(tf.sparse.to_dense(keys_to_tensors["values"]))

    handlers = {"kind": decoder.LookupTensor("image/format", table), "sum": Sum("values")}
    decode = decoder.TFExampleDecoder(FEATURES, handlers)
    assert isinstance(decode, slim.data_decoder.DataDecoder)
    assert [int(each) for each in decode.decode(tf.constant(example(5)))] == [1, 15]


def test_a_provider_of_tensors_gives_them_by_name() -> None:
    provider = slim.data_provider.DataProvider({"a": 1, "b": 2}, num_samples=7)
    assert (provider.get(["b", "a"]), provider.num_samples(), list(provider.list_items())) == ([2, 1], 7, ["a", "b"])


@pytest.mark.parametrize("kind", ["single", "parallel", "class"])
def test_records_of_several_files(kind: str, tmp_path: pathlib.Path) -> None:
    for file in range(2):
        with tf.io.TFRecordWriter(str(tmp_path / f"data-{file}")) as writer:
            for number in range(2):
                writer.write(b"%d%d" % (file, number))
    reader, sources = slim.parallel_reader, str(tmp_path / "data-*")
    with compat.Graph().as_default(), compat.Session() as session:
        if kind == "single":
            _, value = reader.single_pass_read(sources, compat.TFRecordReader)
        elif kind == "parallel":
            _, value = reader.parallel_read(sources, compat.TFRecordReader, num_epochs=1, shuffle=False, num_readers=2)
        else:
            names = compat.train.string_input_producer(reader.get_data_files(sources), num_epochs=1)
            queue = compat.FIFOQueue(10, [tf.string, tf.string])
            parallel = reader.ParallelReader(compat.TFRecordReader, queue, num_readers=1)
            assert (parallel.num_readers, parallel.common_queue) == (1, queue)
            _, value = parallel.read(names)
        session.run([compat.global_variables_initializer(), compat.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = compat.train.start_queue_runners(session, coordinator)
        found = [session.run(value) for _ in range(4)]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(value)
        coordinator.request_stop()
        coordinator.join(threads)
    assert sorted(found) == [b"00", b"01", b"10", b"11"]
    assert kind != "single" or [each[1:] for each in found] == [b"0", b"1", b"0", b"1"]
