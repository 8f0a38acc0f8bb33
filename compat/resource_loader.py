"""`tf.resource_loader` of TF 1.15: data files beside the code that asks for them."""

from __future__ import annotations

import os
import sys


def _folder_of_caller(depth: int) -> str:
    return os.path.dirname(os.path.abspath(sys._getframe(depth + 1).f_code.co_filename))


def get_data_files_path() -> str:
    """The folder of the module that calls this; stands for `tf.resource_loader.get_data_files_path`."""
    return _folder_of_caller(1)


def get_path_to_datafile(path: str) -> str:
    """`path` below the folder of the module that calls this; `tf.resource_loader.get_path_to_datafile`."""
    return os.path.join(_folder_of_caller(1), path)


def get_root_dir_with_all_resources() -> str:
    """The folder of the module that calls this; `tf.resource_loader.get_root_dir_with_all_resources`.

    Under Bazel TF1 looked for the runfiles above it; so does this.
    """
    folder = _folder_of_caller(1)
    parts = folder.split(os.sep)
    for position in range(len(parts), 0, -1):
        if parts[position - 1].endswith(".runfiles"):
            return os.sep.join(parts[:position])
    return folder


def load_resource(path: str) -> bytes:
    """The bytes of a file below the folder of the module that calls this; `tf.resource_loader.load_resource`.

    Raises:
      OSError: the file cannot be read.
    """
    with open(os.path.join(_folder_of_caller(1), path), "rb") as file:
        return file.read()


def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """`path` as it is, as outside Google; stands for `tf.resource_loader.readahead_file_path`."""
    del readahead
    return path
