"""`tf.gfile` of TF 1.15: TF2's `tf.io.gfile` under TF1's names and argument names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import tensorflow as tf

GFile = tf.io.gfile.GFile
Open = GFile
FastGFile = GFile


def Copy(oldpath: str, newpath: str, overwrite: bool = False) -> None:
    """Copies a file; stands for `tf.gfile.Copy`.

    Raises:
      tf.errors.OpError: the copy fails, `AlreadyExistsError` when `newpath` is there and not `overwrite`.
    """
    tf.io.gfile.copy(oldpath, newpath, overwrite=overwrite)


def DeleteRecursively(dirname: str) -> None:
    """Deletes a folder and all in it; stands for `tf.gfile.DeleteRecursively`."""
    tf.io.gfile.rmtree(dirname)


def Exists(filename: str) -> bool:
    """Whether a file or folder is there; stands for `tf.gfile.Exists`."""
    return bool(tf.io.gfile.exists(filename))


def Glob(filename: str | Sequence[str]) -> list[str]:
    """The paths that match a pattern, or one of several; stands for `tf.gfile.Glob`."""
    return list(tf.io.gfile.glob(filename))


def IsDirectory(dirname: str) -> bool:
    """Whether a path is a folder; stands for `tf.gfile.IsDirectory`."""
    return bool(tf.io.gfile.isdir(dirname))


def ListDirectory(dirname: str) -> list[str]:
    """The names in a folder, `.` and `..` left out; stands for `tf.gfile.ListDirectory`.

    Raises:
      tf.errors.NotFoundError: there is no such folder.
    """
    return list(tf.io.gfile.listdir(dirname))


def MakeDirs(dirname: str) -> None:
    """Makes a folder and those above it, quietly if it is there; stands for `tf.gfile.MakeDirs`."""
    tf.io.gfile.makedirs(dirname)


def MkDir(dirname: str) -> None:
    """Makes one folder; stands for `tf.gfile.MkDir`.

    Raises:
      tf.errors.NotFoundError: the folder above is missing.
    """
    tf.io.gfile.mkdir(dirname)


def Remove(filename: str) -> None:
    """Deletes a file; stands for `tf.gfile.Remove`.

    Raises:
      tf.errors.NotFoundError: there is no such file.
    """
    tf.io.gfile.remove(filename)


def Rename(oldname: str, newname: str, overwrite: bool = False) -> None:
    """Renames or moves a file or folder; stands for `tf.gfile.Rename`."""
    tf.io.gfile.rename(oldname, newname, overwrite=overwrite)


def Stat(filename: str) -> Any:
    """Length, modification time and kind of a path; stands for `tf.gfile.Stat`."""
    return tf.io.gfile.stat(filename)


def Walk(top: str, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walks a tree as `os.walk` does, parents first when `in_order`; stands for `tf.gfile.Walk`."""
    yield from tf.io.gfile.walk(top, topdown=in_order)
