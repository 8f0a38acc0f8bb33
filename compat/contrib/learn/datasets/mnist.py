"""`tf.contrib.learn.datasets.mnist` of TF 1.15, which `tensorflow.examples.tutorials.mnist.input_data` gave too.

The files, the split, the scaling and the order of the batches are TF1's: a program that seeds them gets the same
batches as before.
"""

from __future__ import annotations

import gzip
import importlib
import inspect
import struct
from collections.abc import Callable
from typing import IO, Any

import numpy as np
import tensorflow as tf

from ....random.seeds import get_seed
from .base import Datasets, maybe_download

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"

_IMAGES, _LABELS = 2051, 2049  # how files of images and of labels begin
_PIXELS, _CLASSES, _FAKE_EXAMPLES = 784, 10, 10000


def extract_images(f: IO[bytes]) -> np.ndarray:
    """The images in a gzipped file, `uint8[images, rows, columns, 1]`.

    Stands for `tf.contrib.learn.datasets.mnist.extract_images`.

    Raises:
      ValueError: it is no file of images.

    Example:
      >>> import io
      >>> file = io.BytesIO(gzip.compress(struct.pack(">4I", 2051, 1, 1, 2) + bytes([7, 9])))
      >>> file.name = "images.gz"
      >>> extract_images(file).tolist()
      Extracting images.gz
      [[[[7], [9]]]]
    """
    content = _content(f, _IMAGES, "image")
    count, rows, columns = struct.unpack(">3I", content[4:16])
    pixels = np.frombuffer(content, np.uint8, count * rows * columns, offset=16)
    return pixels.reshape(count, rows, columns, 1)


def extract_labels(f: IO[bytes], one_hot: bool = False, num_classes: int = _CLASSES) -> np.ndarray:
    """The labels in a gzipped file, `uint8[labels]`, or `float64[labels, num_classes]` where they are `one_hot`.

    Stands for `tf.contrib.learn.datasets.mnist.extract_labels`.

    Raises:
      ValueError: it is no file of labels.

    Example:
      >>> import io
      >>> file = io.BytesIO(gzip.compress(struct.pack(">2I", 2049, 3) + bytes([7, 0, 9])))
      >>> file.name = "labels.gz"
      >>> extract_labels(file).tolist()
      Extracting labels.gz
      [7, 0, 9]
    """
    content = _content(f, _LABELS, "label")
    (count,) = struct.unpack(">I", content[4:8])
    labels = np.frombuffer(content, np.uint8, count, offset=8)
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


def dense_to_one_hot(labels_dense: np.ndarray, num_classes: int) -> np.ndarray:
    """`float64[labels, num_classes]` with a one for each label of `int[labels]`.

    Stands for `tf.contrib.learn.datasets.mnist.dense_to_one_hot`.

    Example:
      >>> dense_to_one_hot(np.array([1, 0]), 2).tolist()
      [[0.0, 1.0], [1.0, 0.0]]
    """
    rows: np.ndarray = np.eye(num_classes)[labels_dense.ravel()]
    return rows


class DataSet:
    """Images with their labels, handed out in batches; stands for `tf.contrib.learn.datasets.mnist.DataSet`.

    As in TF1, making one seeds NumPy's global generator, which shuffles the examples: with `seed`, else with the
    graph's seed, else by chance.

    Args:
      images: `uint8[examples, rows, columns, 1]`.
      labels: One row an example.
      fake_data: Every example is the same white image, of class 0.
      one_hot: Whether the labels of fake data are one-hot.
      dtype: `tf.float32` scales pixels to [0, 1]; `tf.uint8` leaves them.
      reshape: Makes each image one row of pixels.
      seed: The seed of the shuffling.

    Raises:
      TypeError: `dtype` is another type.
      ValueError: there are not as many labels as images, or `reshape` is asked for images of several channels.

    Example:
      >>> data = DataSet(np.full([4, 1, 1, 1], 255), np.arange(4), seed=1)
      >>> images, labels = data.next_batch(3)
      >>> images.tolist(), labels.tolist()
      ([[1.0], [1.0], [1.0]], [3, 2, 0])
    """

    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = tf.float32,
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        of_graph, of_data = get_seed(seed)
        np.random.seed(of_graph if seed is None else of_data)
        dtype = tf.as_dtype(dtype)
        if dtype not in (tf.uint8, tf.float32):
            raise TypeError(f"images are uint8 or float32, not {dtype!r}")
        self.one_hot = one_hot
        self._num_examples = _FAKE_EXAMPLES if fake_data else len(images)
        self._images = images if fake_data else _prepared(images, labels, dtype, reshape)
        self._labels = labels
        self._epochs_completed = 0
        self._index_in_epoch = 0

    @property
    def images(self) -> Any:
        """The images, in the order of the current epoch."""
        return self._images

    @property
    def labels(self) -> Any:
        """The labels, in the order of the current epoch."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """How many examples there are."""
        return self._num_examples

    @property
    def epochs_completed(self) -> int:
        """How often all examples have been handed out."""
        return self._epochs_completed

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        """The next examples; a batch that reaches over the end goes on with the next epoch.

        Args:
          batch_size: How many, no more than there are.
          fake_data: Gives white images of class 0 instead.
          shuffle: Whether an epoch that begins here has an order of its own.
        """
        if fake_data:
            return self._fake(batch_size)
        start = self._index_in_epoch
        if start == 0 and self._epochs_completed == 0 and shuffle:
            self._shuffle()
        end = start + batch_size
        if end <= self._num_examples:
            self._index_in_epoch = end
            return self._images[start:end], self._labels[start:end]
        images, labels = self._images[start:], self._labels[start:]
        self._epochs_completed += 1
        if shuffle:
            self._shuffle()
        self._index_in_epoch = end = end - self._num_examples
        return np.concatenate([images, self._images[:end]]), np.concatenate([labels, self._labels[:end]])

    def _shuffle(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def _fake(self, batch_size: int) -> tuple[list[Any], list[Any]]:
        label: Any = [1] + [0] * (_CLASSES - 1) if self.one_hot else 0
        return [[1] * _PIXELS for _ in range(batch_size)], [label for _ in range(batch_size)]


def _installed() -> Callable[..., Datasets] | None:
    """The function of TF 1.x's own module, which many people have copied into a TensorFlow 2 that lacks it."""
    try:
        module = importlib.import_module("tensorflow.examples.tutorials.mnist.input_data")
    except ImportError:
        return None
    found: Callable[..., Datasets] | None = getattr(module, "read_data_sets", None)
    return None if found is read_data_sets else found


def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: Any = tf.float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str = DEFAULT_SOURCE_URL,
) -> Datasets:
    """MNIST's three parts, each a `DataSet`, from the four `.gz` files in `train_dir`, fetched where they are missing.

    Stands for `tf.contrib.learn.datasets.mnist.read_data_sets` and for
    `tensorflow.examples.tutorials.mnist.input_data.read_data_sets`. Where that module of TF 1.x was copied into the
    TensorFlow 2 that runs, it does the work.

    Args:
      train_dir: The folder of the files.
      fake_data: Reads nothing, and gives white images of class 0.
      one_hot: Labels as rows of `float64` with a one instead of numbers.
      dtype: `tf.float32` scales pixels to [0, 1]; `tf.uint8` leaves them.
      reshape: Makes each image one row of 784 pixels instead of `[28, 28, 1]`.
      validation_size: How many of the training examples (the first ones) are set apart for validation.
      seed: The seed of each part's shuffling.
      source_url: Where the files are fetched from, with a `/` at its end.

    Raises:
      ValueError: a file is not what its name says, or there are fewer than `validation_size` training examples.
      urllib.error.URLError: a missing file cannot be fetched.

    Example:
      >>> images, labels = read_data_sets("", fake_data=True).train.next_batch(2, fake_data=True)
      >>> len(images[0]), labels
      (784, [0, 0])
    """
    installed = _installed()
    if installed is not None:
        options = {"fake_data": fake_data, "one_hot": one_hot, "dtype": dtype, "reshape": reshape, "seed": seed}
        options |= {"validation_size": validation_size, "source_url": source_url}
        defaults = inspect.signature(read_data_sets).parameters
        given = {word: value for word, value in options.items() if value != defaults[word].default}
        return installed(train_dir, **given)
    if fake_data:
        train, validation, test = (DataSet([], [], True, one_hot, dtype, seed=seed) for _ in range(3))
        return Datasets(train, validation, test)
    url = source_url or DEFAULT_SOURCE_URL
    train_images, train_labels = _part("train", train_dir, url, one_hot)
    test_images, test_labels = _part("t10k", train_dir, url, one_hot)
    if not 0 <= validation_size <= len(train_images):
        raise ValueError(f"validation_size is {validation_size}, not between 0 and {len(train_images)}")
    cut = validation_size
    parts = [
        (train_images[cut:], train_labels[cut:]),
        (train_images[:cut], train_labels[:cut]),
        (test_images, test_labels),
    ]
    return Datasets(*(DataSet(*part, dtype=dtype, reshape=reshape, seed=seed) for part in parts))


def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    """`read_data_sets` with its defaults; stands for `tf.contrib.learn.datasets.mnist.load_mnist`."""
    return read_data_sets(train_dir)


def _part(prefix: str, folder: str, url: str, one_hot: bool) -> tuple[np.ndarray, np.ndarray]:
    files = [f"{prefix}-images-idx3-ubyte.gz", f"{prefix}-labels-idx1-ubyte.gz"]
    images_path, labels_path = (maybe_download(file, folder, url + file) for file in files)
    with tf.io.gfile.GFile(images_path, "rb") as file:
        images = extract_images(file)
    with tf.io.gfile.GFile(labels_path, "rb") as file:
        return images, extract_labels(file, one_hot=one_hot)


def _content(file: IO[bytes], begins_with: int, kind: str) -> bytes:
    print("Extracting", file.name)
    content = gzip.decompress(file.read())
    (magic,) = struct.unpack(">I", content[:4])
    if magic != begins_with:
        raise ValueError(f"{file.name} is no MNIST {kind} file: it begins with {magic}, not {begins_with}")
    return content


def _prepared(images: np.ndarray, labels: np.ndarray, dtype: tf.DType, reshape: bool) -> np.ndarray:
    if len(images) != len(labels):
        raise ValueError(f"{len(labels)} labels do not go with {len(images)} images")
    if reshape:
        if images.shape[3] != 1:
            raise ValueError(f"images of {images.shape[3]} channels cannot become rows of pixels")
        images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
    return images.astype(np.float32) * np.float32(1.0 / 255.0) if dtype == tf.float32 else images
