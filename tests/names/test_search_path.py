"""Folders on `sys.path`: the names that files tell of, and imports that are found through them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.names.exports import Index
from tf_migrate.names.search_path import folder_names
from tf_migrate.options import Options

MODEL = (
    "import tensorflow as tf\n\nclass Model:\n    def __init__(self):\n        self.x = tf.placeholder(tf.float32)\n"
)


def test_texts_of_files_that_speak_of_the_search_path(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import sys\nsys.path.insert(0, 'src')\nsys.path.append(join(ROOT, \"lib/nets/\"))\n"
    )
    (tmp_path / "b.py").write_text("print('other')\n")
    names = folder_names([tmp_path / "a.py", tmp_path / "b.py", tmp_path / "none.py"])
    assert {"src", "nets"} <= names and "other" not in names


@pytest.mark.parametrize(
    ("dotted", "found"),
    [
        ("model", "src.model"),
        ("nets.vgg", "src.nets.vgg"),
        ("train", "tools.train"),  # beside the file that imports it
        ("logging", None),  # Python's own
        ("both", None),  # two folders have it
        ("absent", None),
        ("other", None),  # in a folder that nobody puts there
    ],
)
def test_a_module_that_one_of_the_folders_has(dotted: str, found: str | None) -> None:
    names = (
        "tools.train",
        "src.model",
        "src.nets.vgg",
        "src.both",
        "lib.both",
        "src.train",
        "src.logging",
        "rest.other",
    )
    index = Index([(name, False) for name in names], {}, searched=["src", "lib"])
    assert index.find("tools", dotted, "tools.run") == found
    assert index.settled([]).find("tools", dotted, "tools.run") == found


def test_a_folder_that_is_no_package_yields_to_one() -> None:
    names = [("nets", True), ("nets.vgg", True), ("tests.nets.test_vgg", False), ("tests.test_all", False)]
    index = Index([*names, ("tests.data.small", False)], {})
    assert index.find("tests", "nets.vgg", "tests.test_all") == "nets.vgg"
    assert index.find("tests", "nets", "tests.test_all") == "nets"
    assert index.find("tests", "data", "tests.test_all") == "tests.data"


@pytest.mark.parametrize(
    ("path", "opened"), [("sys.path.insert(0, 'src')", True), ("sys.path.insert(0, 'lib')", False)]
)
def test_a_script_builds_through_a_module_of_such_a_folder(tmp_path: Path, path: str, opened: bool) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "model.py").write_text(MODEL)
    (tmp_path / "run.py").write_text(f"import sys\n{path}\nfrom model import Model\n\nModel()\n")
    options = Options(paths=(tmp_path,))
    contents = pipeline.run(discover(options).code, options).contents
    assert (b"compat.open_graph()\nModel()\n" in contents.get("run.py", b"")) == opened
