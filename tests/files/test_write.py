"""Writing: every file is wholly the old or wholly the new one, whatever goes wrong."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from tf_migrate.files.discover import TreeFile
from tf_migrate.files.write import replace_file, stamps, write_in_place
from tf_migrate.options import Interrupted


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".tf-migrate-*")]


def files_in(folder: Path, *names: str) -> list[TreeFile]:
    for name in names:
        (folder / name).write_bytes(b"old")
    return [TreeFile(folder / name, name) for name in names]


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    script = tmp_path / "train"
    script.write_bytes(b"old")
    script.chmod(0o751)
    replace_file(script, b"new")
    assert script.read_bytes() == b"new"
    assert stat.S_IMODE(script.stat().st_mode) == 0o751
    assert not leftovers(tmp_path)


def test_a_new_file_gets_the_mode_of_the_umask(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        replace_file(tmp_path / "report.json", b"{}")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "report.json").stat().st_mode) == 0o640


def test_behind_a_link_the_target_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "a.py"
    target.write_bytes(b"old")
    link = tmp_path / "a.py"
    link.symlink_to("real/a.py")
    replace_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_only_what_has_new_contents_is_written(tmp_path: Path) -> None:
    files = files_in(tmp_path, "a.py", "b.py")
    before = (tmp_path / "b.py").stat().st_mtime_ns
    assert write_in_place(files, {"a.py": b"new"}, stamps(files)) == ()
    assert (tmp_path / "a.py").read_bytes() == b"new"
    assert (tmp_path / "b.py").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.ENOSPC, "make room"), (errno.EACCES, "make its folder writable"), (errno.EROFS, "--output DIR")],
)
def test_a_file_that_cannot_be_written_fails_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, advice: str
) -> None:
    files = files_in(tmp_path, "a.py", "b.py", "c.py")
    replace = os.replace

    def refuse(source: str, target: Path) -> None:
        if Path(target).name == "b.py":
            raise OSError(number, os.strerror(number))
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    failed = write_in_place(files, dict.fromkeys(("a.py", "b.py", "c.py"), b"new"), stamps(files))
    assert [(result.path, result.status) for result in failed] == [("b.py", "failed")]
    assert advice in (failed[0].reason or "")
    assert [(tmp_path / name).read_bytes() for name in ("a.py", "b.py", "c.py")] == [b"new", b"old", b"new"]
    assert not leftovers(tmp_path)


def test_a_full_disk_in_the_middle_of_a_file_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = files_in(tmp_path, "a.py")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    failed = write_in_place(files, {"a.py": b"new"}, stamps(files))
    assert "No space left on device" in (failed[0].reason or "")
    assert (tmp_path / "a.py").read_bytes() == b"old"
    assert not leftovers(tmp_path)


def test_a_folder_without_write_permission(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    files = files_in(folder, "a.py")
    folder.chmod(0o500)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("permissions do not bind this user (root)")
        failed = write_in_place(files, {"a.py": b"new"}, stamps(files))
    finally:
        folder.chmod(0o700)
    assert [result.path for result in failed] == ["a.py"]
    assert (folder / "a.py").read_bytes() == b"old"


def test_a_write_protected_file_is_left_alone(tmp_path: Path) -> None:
    files = files_in(tmp_path, "a.py")
    (tmp_path / "a.py").chmod(0o444)
    failed = write_in_place(files, {"a.py": b"new"}, stamps(files))
    assert "write-protected" in (failed[0].reason or "")
    assert (tmp_path / "a.py").read_bytes() == b"old"


def test_a_file_that_somebody_else_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    files = files_in(tmp_path, "a.py")
    read_at = stamps(files)
    (tmp_path / "a.py").write_bytes(b"edited in between")
    failed = write_in_place(files, {"a.py": b"new"}, read_at)
    assert "changed by somebody else" in (failed[0].reason or "")
    assert (tmp_path / "a.py").read_bytes() == b"edited in between"


def test_ctrl_c_halfway_leaves_whole_files_and_counts_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = files_in(tmp_path, "a.py", "b.py", "c.py")
    written: list[int] = []

    def press(handle: int) -> None:
        written.append(handle)
        if len(written) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", press)
    with pytest.raises(Interrupted, match="1 of 3 files written"):
        write_in_place(files, dict.fromkeys(("a.py", "b.py", "c.py"), b"new"), stamps(files))
    assert [(tmp_path / name).read_bytes() for name in ("a.py", "b.py", "c.py")] == [b"new", b"old", b"old"]
    assert not leftovers(tmp_path)
