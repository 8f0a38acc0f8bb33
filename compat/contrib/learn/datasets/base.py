"""`tf.contrib.learn.datasets.base` of TF 1.15: a data set's three parts, and files that are fetched once."""

from __future__ import annotations

import os
import tempfile
import urllib.request
from typing import Any, NamedTuple

import tensorflow as tf


class Dataset(NamedTuple):
    """Examples and what is to be told of them; stands for `tf.contrib.learn.datasets.base.Dataset`."""

    data: Any
    target: Any


class Datasets(NamedTuple):
    """The parts of a data set; stands for `tf.contrib.learn.datasets.base.Datasets`.

    Example:
      >>> Datasets(train=1, validation=2, test=3).validation
      2
    """

    train: Any
    validation: Any
    test: Any


def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file in a folder, fetched where it is not there yet.

    Stands for `tf.contrib.learn.datasets.base.maybe_download`, which tried again when the server did not answer; here
    the first error counts.

    Raises:
      urllib.error.URLError: `source_url` does not answer or has no such file.

    Example:
      >>> folder = tempfile.mkdtemp()
      >>> with open(os.path.join(folder, "there"), "w") as file:
      ...     _ = file.write("already")
      >>> maybe_download("there", folder, "https://example.org/there") == os.path.join(folder, "there")
      True
    """
    tf.io.gfile.makedirs(work_directory)
    path = os.path.join(work_directory, filename)
    if not tf.io.gfile.exists(path):
        with tempfile.TemporaryDirectory() as folder:
            fetched, _ = urllib.request.urlretrieve(source_url, os.path.join(folder, "fetched"))
            tf.io.gfile.copy(fetched, path)
        print("Successfully downloaded", filename, tf.io.gfile.stat(path).length, "bytes.")
    return path
