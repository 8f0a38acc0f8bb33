"""Readers of TF 1.15: take file names from a queue, give records."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def _reference(queue: Any) -> tf.Tensor:
    return queue if isinstance(queue, tf.Tensor) else queue.queue_ref


class ReaderBase:
    """What all readers can do; stands for `tf.ReaderBase`.

    Args:
      reader_ref: the reader's resource.
      supports_serialize: whether its state can be saved.
    """

    def __init__(self, reader_ref: tf.Tensor, supports_serialize: bool = False) -> None:
        self._reader_ref = reader_ref
        self._supports_serialize = supports_serialize

    @property
    def reader_ref(self) -> tf.Tensor:
        """The reader's resource."""
        return self._reader_ref

    @property
    def supports_serialize(self) -> bool:
        """Whether its state can be saved."""
        return self._supports_serialize

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The next record, from the next file of `queue` where the last one is read out.

        Returns:
          key and value, string scalars.

        Raises:
          tf.errors.OutOfRangeError: (when run) no record is left and the queue is closed.
        """
        return tf.raw_ops.ReaderReadV2(reader_handle=self._reader_ref, queue_handle=_reference(queue), name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """Up to `num_records` records: keys and values, string vectors."""
        return tf.raw_ops.ReaderReadUpToV2(
            reader_handle=self._reader_ref, queue_handle=_reference(queue), num_records=num_records, name=name
        )

    def num_records_produced(self, name: str | None = None) -> tf.Tensor:
        """How many records it has given, int64."""
        return tf.raw_ops.ReaderNumRecordsProducedV2(reader_handle=self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> tf.Tensor:
        """How many files it has read out, int64."""
        return tf.raw_ops.ReaderNumWorkUnitsCompletedV2(reader_handle=self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> tf.Tensor:
        """Its state as a string, for readers that support it."""
        return tf.raw_ops.ReaderSerializeStateV2(reader_handle=self._reader_ref, name=name)

    def restore_state(self, state: Any, name: str | None = None) -> Any:
        """Goes back to a state that `serialize_state` gave."""
        return tf.raw_ops.ReaderRestoreStateV2(reader_handle=self._reader_ref, state=state, name=name)

    def reset(self, name: str | None = None) -> Any:
        """Goes back to the beginning."""
        return tf.raw_ops.ReaderResetV2(reader_handle=self._reader_ref, name=name)


class WholeFileReader(ReaderBase):
    """One record a file: its name and its content; stands for `tf.WholeFileReader`."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(tf.raw_ops.WholeFileReaderV2(name=name), supports_serialize=True)


class TextLineReader(ReaderBase):
    """One record a line, without its end; stands for `tf.TextLineReader`.

    Args:
      skip_header_lines: how many lines at the beginning of each file are no records.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> names = compat.train.string_input_producer(["data.csv"], shuffle=False)
      >>> key, line = TextLineReader().read(names)
      >>> x, y = compat.decode_csv(line, record_defaults=[[0.0], [0.0]])
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(tf.raw_ops.TextLineReaderV2(skip_header_lines=skip_header_lines or 0, name=name))


class FixedLengthRecordReader(ReaderBase):
    """One record every `record_bytes` bytes; stands for `tf.FixedLengthRecordReader`.

    Args:
      record_bytes, header_bytes, footer_bytes: lengths.
      hop_bytes: from the beginning of a record to that of the next; `record_bytes` when None or 0.
      encoding: None or "ZLIB".
    """

    def __init__(
        self,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        hop_bytes: int | None = None,
        name: str | None = None,
        encoding: str | None = None,
    ) -> None:
        reference = tf.raw_ops.FixedLengthRecordReaderV2(
            record_bytes=record_bytes,
            header_bytes=header_bytes or 0,
            footer_bytes=footer_bytes or 0,
            hop_bytes=hop_bytes or 0,
            encoding=encoding or "",
            name=name,
        )
        super().__init__(reference)


class TFRecordReader(ReaderBase):
    """The records of TFRecord files; stands for `tf.TFRecordReader`.

    Args:
      options: `tf.io.TFRecordOptions`, for compressed files.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        compression = getattr(options, "compression_type", None) or ""
        if not isinstance(compression, str):
            compression = {0: "", 1: "ZLIB", 2: "GZIP"}[compression]
        super().__init__(tf.raw_ops.TFRecordReaderV2(compression_type=compression, name=name))


class IdentityReader(ReaderBase):
    """Gives each string of the queue as key and as value; stands for `tf.IdentityReader`."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(tf.raw_ops.IdentityReaderV2(name=name), supports_serialize=True)
