"""Where a test runs: folders and devices."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence

import tensorflow as tf
from absl import flags


def get_temp_dir() -> str:
    """A folder for the files of this test program; stands for `tf.test.get_temp_dir`.

    The one that `--test_tmpdir` names, else one that is deleted when the program ends.
    """
    named = flags.FLAGS.test_tmpdir if "test_tmpdir" in flags.FLAGS and flags.FLAGS.is_parsed() else None
    if named and os.path.isdir(named):
        return str(named)
    return _own_folder()


@functools.cache
def _own_folder() -> str:
    program = os.path.splitext(os.path.basename(sys.argv[0] or "test"))[0]
    folder = tempfile.mkdtemp(prefix=program)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def test_src_dir_path(relative_path: str) -> str:
    """`relative_path` below the folder that holds the tests; stands for `tf.test.test_src_dir_path`."""
    return os.path.join(os.environ.get("TEST_SRCDIR", os.getcwd()), relative_path)


# Its name makes pytest take it for a test.
test_src_dir_path.__test__ = False  # type: ignore[attr-defined]


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None) -> bool:
    """Whether TensorFlow can use a GPU; stands for `tf.test.is_gpu_available`.

    Args:
      cuda_only: whether only CUDA counts.
      min_cuda_compute_capability: (major, minor) that the GPU must have.
    """
    if cuda_only and not tf.test.is_built_with_cuda():
        return False
    for device in tf.config.list_physical_devices("GPU"):
        found = tf.config.experimental.get_device_details(device).get("compute_capability", (0, 0))
        if min_cuda_compute_capability is None or found >= tuple(min_cuda_compute_capability):
            return True
    return False


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the tests of the program; stands for `tf.test.main`."""
    tf.test.main(argv)
