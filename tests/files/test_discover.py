"""Paths -> files: what is code, what is left out, and what is said about the rest."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tf_migrate.files.discover import Tree, discover
from tf_migrate.options import Options, UsageError


def grow(base: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return base


def found(*paths: Path, root: Path | None = None, exclude: tuple[str, ...] = ()) -> Tree:
    return discover(Options(paths, root=root, exclude=exclude))


def names(tree: Tree) -> list[str]:
    return [file.name for file in tree.code]


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def test_code_is_python_files_notebooks_and_scripts_in_sorted_order(tmp_path: Path) -> None:
    grow(
        tmp_path,
        {
            "b/z.py": "",
            "b.py": "",
            "a/nb.ipynb": "{}",
            "gui.pyw": "",
            "train": "#!/usr/bin/env python3\n",
            "old": "#!/usr/bin/python2.7 -u\n",
            "run": "#!/bin/sh\n",
            "LICENSE": "python\n",
            "notes.txt": "#!/usr/bin/python\n",
            "empty": "",
        },
    )
    assert names(found(tmp_path)) == ["a/nb.ipynb", "b.py", "b/z.py", "gui.pyw", "old", "train"]


@pytest.mark.parametrize(
    "folder", ["__pycache__", ".git", ".venv", "env/with/pyvenv.cfg", ".ipynb_checkpoints", "node_modules"]
)
def test_caches_and_environments_are_left_out(tmp_path: Path, folder: str) -> None:
    if folder.endswith("pyvenv.cfg"):
        grow(tmp_path, {folder: "home = /usr\n"})
        folder = os.path.dirname(folder)
    grow(tmp_path, {"main.py": "", f"{folder}/inside.py": ""})
    assert names(found(tmp_path)) == ["main.py"]


def test_a_folder_named_outright_is_read_even_if_it_would_be_left_out(tmp_path: Path) -> None:
    grow(tmp_path, {"node_modules/inside.py": ""})
    assert names(found(tmp_path / "node_modules")) == ["inside.py"]


def test_vendored_shims_are_not_code_of_the_tree(tmp_path: Path) -> None:
    grow(tmp_path, {"main.py": "", "compat/__init__.py": "", "compat/VENDORED": "by tf-migrate\n"})
    assert names(found(tmp_path)) == ["main.py"]


def test_gitignore_files_nest_and_the_inner_one_wins(tmp_path: Path) -> None:
    grow(
        tmp_path,
        {
            ".gitignore": "build/\n*_gen.py\n",
            "build/x.py": "",
            "a_gen.py": "",
            "pkg/.gitignore": "!b_gen.py\n/local.py\n",
            "pkg/b_gen.py": "",
            "pkg/local.py": "",
            "pkg/sub/local.py": "",
        },
    )
    assert names(found(tmp_path)) == ["pkg/b_gen.py", "pkg/sub/local.py"]


def test_the_gitignore_above_a_folder_counts_up_to_the_top_of_its_repository(tmp_path: Path) -> None:
    grow(tmp_path, {".gitignore": "seen.py\n", "repo/.gitignore": "hidden.py\n"})
    grow(tmp_path, {"repo/pkg/hidden.py": "", "repo/pkg/seen.py": ""})
    git(tmp_path / "repo", "init", "-q")
    assert names(found(tmp_path / "repo" / "pkg")) == ["seen.py"]


def test_what_git_tracks_is_not_ignored(tmp_path: Path) -> None:
    grow(tmp_path, {".gitignore": "kept/\n", "kept/a.py": "", "main.py": ""})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-f", "kept/a.py")
    grow(tmp_path, {"kept/b.py": ""})
    assert names(found(tmp_path)) == ["kept/a.py", "main.py"]


def test_a_file_named_outright_is_read_even_if_git_ignores_it(tmp_path: Path) -> None:
    grow(tmp_path, {".gitignore": "local.py\n", "local.py": ""})
    assert names(found(tmp_path / "local.py")) == ["local.py"]


def test_a_file_named_outright_is_what_its_name_says(tmp_path: Path) -> None:
    grow(tmp_path, {"setup.py": "", "requirements.txt": "", "tool": "no shebang\n"})
    tree = found(tmp_path / "setup.py", tmp_path / "requirements.txt", tmp_path / "tool")
    assert names(tree) == ["setup.py", "tool"]
    assert [file.name for file in tree.pins] == ["requirements.txt", "setup.py"]


def test_exclude_holds_for_named_files_too_and_says_so(tmp_path: Path) -> None:
    grow(tmp_path, {"a.py": "", "third_party/b.py": "", "x/third_party/c.py": "", "tests/d.py": ""})
    assert names(found(tmp_path, exclude=("third_party", "/tests/*"))) == ["a.py"]
    tree = found(tmp_path / "a.py", exclude=("a.py",))
    assert not tree.code
    assert [(aside.path, aside.status) for aside in tree.set_aside] == [("a.py", "skipped")]


def test_names_count_from_the_folder_that_holds_all_paths(tmp_path: Path) -> None:
    grow(tmp_path, {"one/a.py": "", "two/b.py": "", "two/c.py": ""})
    assert names(found(tmp_path / "one", tmp_path / "two" / "b.py")) == ["one/a.py", "two/b.py"]
    assert names(found(tmp_path / "two" / "b.py")) == ["b.py"]


def test_root_adds_files_to_read_but_not_to_edit(tmp_path: Path) -> None:
    grow(tmp_path, {"pkg/a.py": "", "other/b.py": "", "requirements.txt": "", "pkg/requirements.txt": ""})
    tree = found(tmp_path / "pkg", root=tmp_path)
    assert [(file.name, file.edit) for file in tree.code] == [("other/b.py", False), ("pkg/a.py", True)]
    assert [(file.name, file.edit) for file in tree.pins] == [
        ("pkg/requirements.txt", True),
        ("requirements.txt", False),
    ]


def test_what_is_broken_elsewhere_in_the_root_is_no_failure(tmp_path: Path) -> None:
    grow(tmp_path, {"pkg/a.py": ""})
    (tmp_path / "broken.py").symlink_to("nowhere.py")
    assert found(tmp_path / "pkg", root=tmp_path).set_aside == ()


def test_a_path_outside_the_root_is_refused(tmp_path: Path) -> None:
    grow(tmp_path, {"pkg/a.py": "", "other/b.py": ""})
    with pytest.raises(UsageError, match="lies outside --root"):
        found(tmp_path / "pkg", root=tmp_path / "other")


def test_a_missing_path_names_its_neighbours(tmp_path: Path) -> None:
    grow(tmp_path, {"train.py": ""})
    with pytest.raises(UsageError, match=r"trian\.py: no such file or folder; did you mean train\.py\?"):
        found(tmp_path / "trian.py")


def test_a_dangling_link_as_path_says_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    with pytest.raises(UsageError, match=r"links to nowhere\.py, which is not there"):
        found(tmp_path / "gone.py")


def test_a_path_that_leads_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(UsageError, match="symbolic links"):
        found(tmp_path / "a")


def test_links_in_a_circle_inside_the_tree_end_the_walk_and_are_told(tmp_path: Path) -> None:
    grow(tmp_path, {"pkg/a.py": ""})
    (tmp_path / "pkg" / "up").symlink_to("..")
    (tmp_path / "loop").symlink_to("pool")
    (tmp_path / "pool").symlink_to("loop")
    tree = found(tmp_path)
    assert names(tree) == ["pkg/a.py"]
    assert [(aside.path, aside.status) for aside in tree.set_aside] == [("loop", "skipped"), ("pool", "skipped")]
    assert all("mend or remove it" in (aside.reason or "") for aside in tree.set_aside)


def test_a_code_file_that_leads_nowhere_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / ".#edited.py").symlink_to("user@host.123")  # what Emacs leaves while a file is open
    tree = found(tmp_path)
    assert [(aside.path, aside.status) for aside in tree.set_aside] == [("gone.py", "failed")]


def test_a_file_behind_a_link_is_read_once(tmp_path: Path) -> None:
    outside = grow(tmp_path / "outside", {"shared.py": "", "folder/x.py": ""})
    tree_folder = grow(tmp_path / "tree", {"a.py": ""})
    (tree_folder / "same.py").symlink_to("a.py")
    (tree_folder / "shared.py").symlink_to(outside / "shared.py")
    (tree_folder / "folder").symlink_to(outside / "folder")
    tree = found(tree_folder)
    assert names(tree) == ["a.py", "shared.py"]
    assert [aside.path for aside in tree.set_aside] == ["folder"]
    assert "outside the tree" in (tree.set_aside[0].reason or "")


def test_what_is_no_regular_file_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "pipe")
    tree = found(tmp_path)
    assert not tree.code
    assert [(aside.path, aside.status) for aside in tree.set_aside] == [("pipe.py", "failed")]


def test_a_folder_that_cannot_be_listed_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, {"a.py": "", "closed/b.py": ""})
    scandir = os.scandir

    def refuse(folder: Path) -> object:
        if Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    tree = found(tmp_path)
    assert names(tree) == ["a.py"]
    assert [(aside.path, aside.status) for aside in tree.set_aside] == [("closed", "failed")]
    assert "Permission denied" in (tree.set_aside[0].reason or "")


def test_a_name_that_is_no_utf8_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_text("")
    tree = found(tmp_path)
    assert names(tree) == ["caf\\xe9.py"]
    assert tree.code[0].path.exists()
