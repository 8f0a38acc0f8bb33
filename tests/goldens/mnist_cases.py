"""Small files in MNIST's format, and programs over them that run under TF 1.15 and over the shims alike."""

import gzip
import os
import struct

import numpy as np

FILES = {"train": 23, "t10k": 7}
CASES = {
    "seeded": {"seed": 7, "validation_size": 4},
    "one-hot": {"seed": 7, "validation_size": 4, "one_hot": True},
    "bytes": {"seed": 3, "validation_size": 0, "dtype": "uint8"},
    "images": {"seed": 3, "validation_size": 10, "reshape": False},
    "no-seed": {"validation_size": 4},
}


def write_files(folder):
    """The four files, with pixels and labels that follow from their places."""
    for name, count in FILES.items():
        pixels = (np.arange(count * 28 * 28) * 31 % 256).astype(np.uint8)
        labels = (np.arange(count) * 7 % 10).astype(np.uint8)
        files = {
            f"{name}-images-idx3-ubyte.gz": struct.pack(">4I", 2051, count, 28, 28) + pixels.tobytes(),
            f"{name}-labels-idx1-ubyte.gz": struct.pack(">2I", 2049, count) + labels.tobytes(),
        }
        for file, content in files.items():
            with gzip.open(os.path.join(folder, file), "wb") as out:
                out.write(content)


def told(array):
    """Type, shape, sum and last row of an array."""
    return [str(array.dtype), list(array.shape), float(array.sum(dtype="float64")), np.ravel(array)[-14:].tolist()]


def run(read_data_sets, set_seed, folder, arguments):
    """What the parts of a data set are, and their batches over several epochs."""
    if "seed" not in arguments:
        set_seed(11)
    data = read_data_sets(folder, **arguments)
    found = {}
    for name, part in data._asdict().items():
        found[name] = {"images": told(part.images), "labels": told(part.labels), "examples": part.num_examples}
        if part.num_examples:
            sizes = [(3, True), (2, True), (part.num_examples, True), (3, False)]
            batches = [part.next_batch(min(size, part.num_examples), shuffle=shuffle) for size, shuffle in sizes]
            found[name]["batches"] = [[told(images), np.asarray(labels).tolist()] for images, labels in batches]
            found[name]["epochs"] = part.epochs_completed
    return found
