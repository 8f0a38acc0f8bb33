"""What surrounds a program: flags, app, logging, files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import tensorflow as tf

import compat
from compat import gfile, logging, resource_loader
from tests import warm

_PROGRAM = """
import compat
flags = compat.app.flags
flags.DEFINE_string("name", "x", "A name.")
flags.DEFINE_integer(flag_name="count", default_value=3, docstring="A count.")
flags.DEFINE_boolean("fast", True, "Whether.")
FLAGS = flags.FLAGS
{body}
"""
_MAIN = """
def main(argv):
    print(argv[1:], FLAGS.name, FLAGS.count, FLAGS.fast)
    return 3
compat.app.run()
"""


def _run(body: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _PROGRAM.format(body=body), *arguments]
    return warm.run(command, timeout=120)


def test_app_runs_main_with_what_is_no_flag() -> None:
    done = _run(_MAIN, "--name=y", "--nofast", "--unknown=1", "rest")
    assert done.stdout.strip() == "['--unknown=1', 'rest'] y 3 False"
    assert done.returncode == 3


def test_flags_are_parsed_at_the_first_look() -> None:
    body = "print(FLAGS.count); FLAGS.count = 9; print(FLAGS.count, sorted(FLAGS.__flags)[-1], 'name' in FLAGS)"
    done = _run(body, "--count=5")
    first, second = done.stdout.splitlines()
    assert first == "5"
    assert second.startswith("9 ") and second.endswith(" True")
    assert _run(body, "--count=five").returncode != 0
    assert "Unknown command line flag 'other'" in _run(body, "--other=1").stderr


def test_logging_counts_calls_of_a_line(caplog: pytest.LogCaptureFixture) -> None:
    verbosity = logging.get_verbosity()
    logging.set_verbosity(logging.INFO)
    try:
        compat.logging.info("one %d", 1)
        logging.debug("not shown")
        for number in range(4):
            logging.log_every_n(logging.INFO, "every %d", 2, number)
        for number in range(4):
            logging.log_first_n(logging.WARN, "first %d", 2, number)
        logging.log_if(logging.ERROR, "if", False)
        assert logging.get_verbosity() == logging.INFO
    finally:
        logging.set_verbosity(verbosity)
    assert [record.getMessage() for record in caplog.records] == ["one 1", "every 0", "every 2", "first 0", "first 1"]


def test_gfile(tmp_path: Path) -> None:
    folder = str(tmp_path / "a" / "b")
    gfile.MakeDirs(folder)
    with gfile.GFile(f"{folder}/x.txt", "w") as file:
        file.write("text\n")
    assert gfile.Open(f"{folder}/x.txt").read() == "text\n"
    gfile.Copy(f"{folder}/x.txt", f"{folder}/y.txt")
    with pytest.raises(tf.errors.AlreadyExistsError):
        gfile.Copy(f"{folder}/x.txt", f"{folder}/y.txt")
    gfile.Rename(f"{folder}/y.txt", f"{folder}/z.txt")
    assert sorted(gfile.ListDirectory(folder)) == ["x.txt", "z.txt"]
    assert gfile.Glob(f"{folder}/z*") == [f"{folder}/z.txt"]
    assert gfile.Exists(folder) and gfile.IsDirectory(folder)
    assert gfile.Stat(f"{folder}/x.txt").length == 5
    assert [name for name, _, _ in gfile.Walk(str(tmp_path), in_order=False)][-1] == str(tmp_path)
    gfile.Remove(f"{folder}/x.txt")
    gfile.DeleteRecursively(str(tmp_path / "a"))
    assert not gfile.Exists(folder)


def test_resources_are_beside_the_caller() -> None:
    here = Path(__file__)
    assert resource_loader.get_data_files_path() == str(here.parent)
    assert resource_loader.get_path_to_datafile("x") == str(here.parent / "x")
    assert resource_loader.load_resource(here.name).startswith(b'"""What surrounds')


def test_logging_is_flushed() -> None:
    import io
    import logging as standard

    class Kept(standard.StreamHandler):  # type: ignore[type-arg]
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    kept = Kept(io.StringIO())
    logger = standard.getLogger("tensorflow")
    logger.addHandler(kept)
    try:
        logging.flush()
    finally:
        logger.removeHandler(kept)
    assert kept.flushed == 1
