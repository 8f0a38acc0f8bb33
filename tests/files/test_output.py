"""`--output DIR` and `--vendor`: copies that cost nobody a file."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from tf_migrate.files.discover import discover
from tf_migrate.files.output import TreeCopy, check_output
from tf_migrate.files.vendor import check_name, needs_shims, vendor
from tf_migrate.options import Interrupted, Options, UsageError


def grow(base: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return base


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())


def test_the_copy_has_new_code_and_everything_else_as_it_was(tmp_path: Path) -> None:
    source = grow(
        tmp_path / "src",
        {
            "a.py": "old",
            "b.py": "kept",
            "data/x.bin": "\0",
            ".git/HEAD": "x",
            "pkg/__pycache__/a.pyc": "",
            "e/.keep": "",
        },
    )
    (source / "a.py").chmod(0o755)
    (source / "empty").mkdir()
    assert TreeCopy(source, tmp_path / "out", {"a.py": b"new"}).write([source]) == ()
    assert listing(tmp_path / "out") == ["a.py", "b.py", "data/x.bin", "e/.keep"]
    assert (tmp_path / "out" / "a.py").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "out" / "a.py").stat().st_mode) == 0o755
    assert (tmp_path / "out" / "empty").is_dir()
    assert (source / "a.py").read_text() == "old"


def test_only_what_was_named_is_copied_at_its_place_in_the_tree(tmp_path: Path) -> None:
    source = grow(tmp_path / "src", {"pkg/a.py": "", "other/b.py": "", "c.py": "", "d.py": ""})
    TreeCopy(source, tmp_path / "out", {}).write([source / "pkg", source / "c.py"])
    assert listing(tmp_path / "out") == ["c.py", "pkg/a.py"]


def test_links_lead_to_the_copy_of_what_they_led_to(tmp_path: Path) -> None:
    source = grow(tmp_path / "src", {"a.py": "old", "pkg/b.py": "old"})
    outside = grow(tmp_path / "outside", {"code.py": "old", "data.txt": "data"})
    (source / "pkg" / "relative.py").symlink_to("../a.py")
    (source / "absolute.py").symlink_to(source / "pkg" / "b.py")
    (source / "data.txt").symlink_to("../outside/data.txt")
    (source / "code.py").symlink_to(outside / "code.py")
    (source / "dangling").symlink_to("nowhere")
    out = tmp_path / "deep" / "er" / "out"
    contents = {"a.py": b"new", "pkg/b.py": b"new", "code.py": b"new"}
    assert TreeCopy(source, out, contents).write([source]) == ()
    assert os.readlink(out / "pkg" / "relative.py") == "../a.py"
    assert os.readlink(out / "absolute.py") == "pkg/b.py"
    assert (out / "data.txt").is_symlink() and (out / "data.txt").read_text() == "data"
    assert not (out / "code.py").is_symlink() and (out / "code.py").read_text() == "new"
    assert (outside / "code.py").read_text() == "old"
    assert os.readlink(out / "dangling") == "nowhere"


def test_a_link_that_was_named_is_copied_and_what_it_leads_to_stays_as_it_was(tmp_path: Path) -> None:
    real = grow(tmp_path / "real", {"a.py": "old", "pkg/b.py": "old"})
    (tmp_path / "src").symlink_to("real")
    assert (
        TreeCopy(tmp_path / "src", tmp_path / "out", {"a.py": b"new", "pkg/b.py": b"new"}).write([tmp_path / "src"])
        == ()
    )
    assert not (tmp_path / "out").is_symlink()
    assert [(tmp_path / "out" / name).read_text() for name in ("a.py", "pkg/b.py")] == ["new", "new"]
    assert [(real / name).read_text() for name in ("a.py", "pkg/b.py")] == ["old", "old"]
    (tmp_path / "c.py").symlink_to("real/a.py")
    assert TreeCopy(tmp_path, tmp_path / "two", {"c.py": b"new"}).write([tmp_path / "src", tmp_path / "c.py"]) == ()
    assert (tmp_path / "two" / "src" / "a.py").read_text() == "old" and not (tmp_path / "two" / "src").is_symlink()
    assert (tmp_path / "two" / "c.py").read_text() == "new"
    assert (real / "a.py").read_text() == "old"


def test_nothing_is_ever_written_through_a_link_out_of_the_copy(tmp_path: Path) -> None:
    source = grow(tmp_path / "src", {"pkg/a.py": "old"})
    outside = grow(tmp_path / "outside", {"a.py": "theirs"})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "pkg").symlink_to(outside)
    (failed,) = TreeCopy(source, tmp_path / "out", {"pkg/a.py": b"new"}).write([source])
    assert failed.path == "pkg/a.py" and "leads out of" in (failed.reason or "")
    assert (outside / "a.py").read_text() == "theirs"


def test_a_file_that_cannot_be_copied_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = grow(tmp_path / "src", {"a.txt": "a", "b.txt": "b", "c.txt": "c"})
    copy = shutil.copy2

    def refuse(path: Path, target: Path) -> None:
        copy(path, target)
        if path.name == "b.txt":
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copy2", refuse)
    failed = TreeCopy(source, tmp_path / "out", {}).write([source])
    assert [(result.path, result.status) for result in failed] == [("b.txt", "failed")]
    assert listing(tmp_path / "out") == ["a.txt", "c.txt"]


def test_ctrl_c_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = grow(tmp_path / "src", {"a.txt": "a", "b.txt": "b"})
    copy = shutil.copy2

    def press(path: Path, target: Path) -> None:
        copy(path, target)
        if path.name == "b.txt":
            raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "copy2", press)
    with pytest.raises(Interrupted):
        TreeCopy(source, tmp_path / "out", {}).write([source])
    assert listing(tmp_path / "out") == ["a.txt"]


@pytest.mark.parametrize("inside", ["src", "src/out", "src/pkg/out"])
def test_an_output_inside_the_tree_is_refused_with_a_better_name(tmp_path: Path, inside: str) -> None:
    source = grow(tmp_path / "src", {"pkg/a.py": ""})
    with pytest.raises(UsageError, match=r"such as .*src-tf2"):
        check_output(tmp_path / inside, source, [source])


def test_an_output_that_is_a_link_into_the_tree_is_refused(tmp_path: Path) -> None:
    source = grow(tmp_path / "src", {"a.py": ""})
    (tmp_path / "out").symlink_to("src")
    with pytest.raises(UsageError, match="inside the tree"):
        check_output(tmp_path / "out", source, [source])


def test_an_output_that_holds_something_is_refused(tmp_path: Path) -> None:
    source = grow(tmp_path / "src", {"a.py": ""})
    with pytest.raises(UsageError, match="not empty"):
        check_output(grow(tmp_path / "full", {"x": ""}), source, [source])
    with pytest.raises(UsageError, match="there is a file of that name"):
        check_output(tmp_path / "full" / "x", source, [source])
    (tmp_path / "empty").mkdir()
    assert check_output(tmp_path / "empty", source, [source]) == tmp_path / "empty"


def check(source: Path, name: str, contents: Mapping[str, bytes], *, vendored: bool = False) -> None:
    check_name(discover(Options((source,))), name, contents, vendored=vendored)


def test_a_module_of_the_tree_that_would_be_imported_for_the_shims_is_refused(tmp_path: Path) -> None:
    source = grow(tmp_path, {"compat.py": "", "train.py": "x = 1\n"})
    with pytest.raises(UsageError, match=r"compat of its own \(compat\.py\).*--compat-module tf1_compat --vendor"):
        check(source, "compat", {"train.py": b"import compat\nx = 1\n"})
    check(source, "tf1_compat", {"train.py": b"import tf1_compat\nx = 1\n"})


def test_a_package_of_the_tree_is_told_apart_too(tmp_path: Path) -> None:
    source = grow(tmp_path, {"compat/__init__.py": "", "train.py": "x = 1\n"})
    with pytest.raises(UsageError, match=r"compat/__init__\.py"):
        check(source, "compat", {"train.py": b"from compat import layers\n"})


def test_a_module_inside_a_package_is_no_conflict(tmp_path: Path) -> None:
    source = grow(tmp_path, {"pkg/__init__.py": "", "pkg/compat.py": "", "train.py": ""})
    check(source, "compat", {"train.py": b"import compat\n"})


def test_code_that_imports_its_own_module_already_is_no_conflict(tmp_path: Path) -> None:
    source = grow(tmp_path, {"compat.py": "", "train.py": "import compat\nx = 1\n"})
    check(source, "compat", {"train.py": b"import compat\nx = 2\n"})


@pytest.mark.parametrize(
    ("files", "content"),
    [
        ({"compat/six.py": "", "train.py": "import compat.six\n"}, b"import compat.six\nimport compat as tf_compat\n"),
        (
            {"pkg/__init__.py": "", "pkg/compat.py": "", "pkg/train.py": "from compat import (\n    xrange,\n)\n"},
            b"import compat\nfrom compat import (\n    xrange,\n)\n",
        ),
        (
            {"compat.py": "", "train.py": "import compat\n"},
            b"import compat\nimport compat as tf_compat\n",
        ),
    ],
    ids=["folder", "run from inside of its package", "beside an import of its own"],
)
def test_a_module_that_code_imports_by_the_shims_name_is_refused(
    files: Mapping[str, str], content: bytes, tmp_path: Path
) -> None:
    source = grow(tmp_path, dict(files))
    with pytest.raises(UsageError, match="compat of its own"):
        check(source, "compat", {next(name for name in files if name.endswith("train.py")): content})


def test_a_dotted_name_is_that_of_a_module_not_of_its_package(tmp_path: Path) -> None:
    source = grow(tmp_path, {"lib/__init__.py": "", "lib/ops.py": "", "train.py": "x = 1\n"})
    changed = {"train.py": b"from lib import tf1\nx = 1\n"}
    check(source, "lib.tf1", changed)
    check(source, "lib.tf1", changed, vendored=True)
    assert needs_shims(changed, "lib.tf1") and not needs_shims(changed, "lib.tf")
    assert needs_shims({"a.ipynb": b'"source": ["import os\\n", "from lib import tf1"]'}, "lib.tf1")
    for own in ("lib/tf1.py", "lib/tf1/__init__.py", "lib.py"):
        taken = grow(tmp_path / own.replace("/", "_"), {own: "", "train.py": "x = 1\n"})
        with pytest.raises(UsageError, match="of its own"):
            check(taken, "lib.tf1", changed)


def test_vendoring_never_replaces_what_is_not_ours(tmp_path: Path) -> None:
    source = grow(tmp_path / "src", {"lib/tf1/x.txt": "", "train.py": ""})
    with pytest.raises(UsageError, match=r"a module named lib of its own \(lib.tf1\)"):
        check(source, "lib.tf1", {}, vendored=True)


def test_a_package_takes_the_shims_where_the_user_says_that_imports_start_inside_it(tmp_path: Path) -> None:
    tree = discover(Options((grow(tmp_path / "bert", {"__init__.py": "", "train.py": ""}),)))
    with pytest.raises(UsageError, match=r"bert is a package.*--root"):
        check_name(tree, "compat", {}, vendored=True)
    check_name(tree, "compat", {}, vendored=True, rooted=True)


def test_vendored_shims_are_a_copy_that_a_second_run_replaces(tmp_path: Path) -> None:
    folder = vendor(tmp_path, "shims.tf1", "1.0")
    assert folder == tmp_path / "shims" / "tf1"
    assert (folder / "__init__.py").exists() and (folder / "bridge").is_dir()
    assert not list(folder.rglob("__pycache__"))
    (folder / "stale.py").write_text("")
    vendor(tmp_path, "shims.tf1", "1.0")
    assert not (folder / "stale.py").exists()
    check(tmp_path, "shims.tf1", {}, vendored=True)
