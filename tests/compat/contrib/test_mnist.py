"""MNIST as TF 1.15's tutorials read it: the same parts and the same batches."""

import doctest
import gzip
import json
import struct
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from tests.goldens import mnist_cases

tf = pytest.importorskip("tensorflow")

import compat  # noqa: E402
from compat.contrib.learn.datasets import base, mnist  # noqa: E402

GOLDEN = json.loads((Path(mnist_cases.__file__).parent / "mnist.json").read_text())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("mnist")
    mnist_cases.write_files(path)
    return str(path)


@pytest.mark.parametrize("name", sorted(mnist_cases.CASES))
def test_parts_and_batches_are_those_of_tf1(name, folder):
    read = compat.examples.tutorials.mnist.input_data.read_data_sets
    with compat.Graph().as_default():
        found = mnist_cases.run(read, compat.set_random_seed, folder, mnist_cases.CASES[name])
    assert json.loads(json.dumps(found)) == GOLDEN[name]


def test_data_read_between_blocks_that_build_has_the_seed_of_their_graph(folder):
    read = compat.examples.tutorials.mnist.input_data.read_data_sets
    with compat.VariableStore():
        with compat.building():
            compat.set_random_seed(11)
        found = mnist_cases.run(read, lambda seed: None, folder, mnist_cases.CASES["no-seed"])
    assert json.loads(json.dumps(found)) == GOLDEN["no-seed"]


def test_fake_data_is_white_images_of_class_0():
    data = mnist.read_data_sets("nowhere", fake_data=True, one_hot=True)
    images, labels = data.test.next_batch(2, fake_data=True)
    assert (len(images), set(images[0]), labels[1]) == (2, {1}, [1] + [0] * 9)
    assert data.train.num_examples == 10000


def test_missing_files_are_fetched_once(tmp_path, capsys):
    server, work = tmp_path / "server", tmp_path / "work"
    server.mkdir()
    mnist_cases.write_files(server)
    url = f"{server.as_uri()}/"
    mnist.read_data_sets(str(work), validation_size=2, source_url=url)
    assert capsys.readouterr().out.count("Successfully downloaded") == 4
    assert mnist.read_data_sets(str(work), validation_size=2, source_url=url).train.num_examples == 21
    assert "downloaded" not in capsys.readouterr().out


def test_what_is_refused(folder, tmp_path):
    with pytest.raises(ValueError, match="between 0 and 23"):
        mnist.read_data_sets(folder, validation_size=24)
    with pytest.raises(ValueError, match="2 labels do not go with 3 images"):
        mnist.DataSet(np.zeros([3, 1, 1, 1]), np.zeros(2))
    with pytest.raises(ValueError, match="3 channels"):
        mnist.DataSet(np.zeros([2, 1, 1, 3]), np.zeros(2))
    with pytest.raises(TypeError, match="uint8 or float32"):
        mnist.DataSet(np.zeros([2, 1, 1, 1]), np.zeros(2), dtype=tf.int32)
    (tmp_path / "labels.gz").write_bytes(gzip.compress(struct.pack(">2I", 2051, 0)))
    with pytest.raises(ValueError, match="begins with 2051, not 2049"), (tmp_path / "labels.gz").open("rb") as file:
        mnist.extract_labels(file)


@pytest.mark.parametrize("module", [base, mnist])
def test_examples(module):
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_a_module_of_tf1_that_was_copied_in_does_the_work(monkeypatch):
    given = []
    name = "tensorflow.examples.tutorials.mnist.input_data"
    module = types.ModuleType(name)
    module.read_data_sets = lambda *args, **words: given.append((args, words)) or "read"
    for end in ("tensorflow.examples", "tensorflow.examples.tutorials", "tensorflow.examples.tutorials.mnist"):
        monkeypatch.setitem(sys.modules, end, types.ModuleType(end))
    monkeypatch.setitem(sys.modules, name, module)
    assert mnist.read_data_sets("data", one_hot=True) == "read"
    assert given == [(("data",), {"one_hot": True})]


def test_files_one_by_one(folder):
    with open(Path(folder) / "t10k-images-idx3-ubyte.gz", "rb") as file:
        images = mnist.extract_images(file)
    assert images.dtype == np.uint8 and images.shape[1:] == (28, 28, 1)
    assert mnist.dense_to_one_hot(np.array([2, 0]), 3).tolist() == [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    with pytest.raises(ValueError, match="validation_size is 5000"):
        mnist.load_mnist(folder)
    assert base.Datasets(1, 2, 3).validation == 2
    assert base.Dataset(data=1, target=2).target == 2
    path = Path(folder) / "t10k-images-idx3-ubyte.gz"
    assert base.maybe_download(path.name, folder, "https://example.invalid/") == str(path)
