"""`tf-migrate checkpoint`: what is in a checkpoint, what does not match, and carrying values over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

import compat
from compat import train
from tf_migrate.checkpoint.command import command
from tf_migrate.options import UsageError


def run(*arguments: Any) -> tuple[int, str]:
    done = CliRunner().invoke(command, [str(argument) for argument in arguments], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return int(done.return_value), done.output


def save_names(path: Path, **values: Any) -> Path:
    """A name-based checkpoint; `__` in a keyword stands for a slash."""
    named = {name.replace("__", "/"): tf.Variable(value) for name, value in values.items()}
    train.Saver(named).save(None, str(path))
    return path


class Model(tf.Module):
    """A migrated program's model: its variables kept TF1's names."""

    def __init__(self) -> None:
        super().__init__()
        with tf.name_scope("net"):
            self.kernel = tf.Variable([[0.0, 0.0]], name="w")
        self.bias = tf.Variable([0.0, 0.0], name="b")


def save_objects(path: Path) -> Path:
    return Path(tf.train.Checkpoint(model=Model()).write(str(path)))


def test_inspect_names_shapes_and_kind(tmp_path: Path) -> None:
    path = save_names(tmp_path / "model", net__w=[[1.0, 2.0]], step=np.int64(3))
    status, output = run("inspect", path)
    assert status == 0
    assert output.splitlines() == [
        f"{path}: name-based (TF1's Saver), 2 variables",
        "net/w float32[1, 2]",
        "step int64[]",
    ]
    assert run("inspect", tmp_path)[1] == output
    assert run("inspect", f"{path}.index")[1] == output
    assert json.loads(run("inspect", path, "--output-format", "json")[1])["entries"][1] == {
        "name": "step",
        "key": "step",
        "dtype": "int64",
        "shape": [],
    }


def test_inspect_tells_objects_keys(tmp_path: Path) -> None:
    _, output = run("inspect", save_objects(tmp_path / "objects"))
    assert "object-based (tf.train.Checkpoint), 2 variables" in output
    assert "b float32[2]  [model/bias/.ATTRIBUTES/VARIABLE_VALUE]" in output


def test_inspect_against_lists_every_difference(tmp_path: Path) -> None:
    old = save_names(tmp_path / "old", net__w=[1.0, 2.0], b=[1.0, 1.0], gone=1.0)
    status, output = run("inspect", old, "--against", save_objects(tmp_path / "objects"))
    assert status == 1
    assert output.splitlines() == [
        f"net/w: float32[2] in {old}, float32[1, 2] in {tmp_path / 'objects'}",
        f"gone float32[]: left over in {old}",
        "1 of 3 variables match",
    ]
    assert run("inspect", old, "--against", old) == (0, "3 of 3 variables match\n")


def test_names_to_objects_and_back(tmp_path: Path) -> None:
    old = save_names(tmp_path / "old", net__w=[[1.0, 2.0]], b=[3.0, 4.0])
    like = save_objects(tmp_path / "like")
    assert run("convert", old, tmp_path / "new", "--like", like)[0] == 0
    model = Model()
    tf.train.Checkpoint(model=model).read(str(tmp_path / "new")).assert_consumed()
    np.testing.assert_array_equal(model.kernel.numpy(), [[1.0, 2.0]])
    np.testing.assert_array_equal(model.bias.numpy(), [3.0, 4.0])
    assert run("convert", tmp_path / "new", tmp_path / "names")[0] == 0
    assert train.list_variables(str(tmp_path / "names")) == [("b", [2]), ("net/w", [1, 2])]
    np.testing.assert_array_equal(train.load_variable(str(tmp_path / "names"), "b"), [3.0, 4.0])


def test_a_store_of_a_native_program(tmp_path: Path) -> None:
    old = save_names(tmp_path / "old", a__w=[1.0], a__w__Momentum=[2.0])
    store = compat.VariableStore()
    with store, compat.variable_scope("a"):
        w = compat.get_variable("w", [1])
        train.MomentumOptimizer(0.1, 0.9).apply_gradients([(tf.zeros([1]), w)])
    like = tf.train.Checkpoint(s=store).save(str(tmp_path / "s"))
    status, output = run("convert", old, tmp_path / "x", "--like", like)
    assert (status, "a/a/w/Momentum" in output) == (1, True)
    status, _ = run("convert", old, tmp_path / "x", "--like", like, "--rename", "a/w/Momentum=a/a/w/Momentum")
    assert status == 0
    tf.train.Checkpoint(s=store).restore(str(tmp_path / "x")).assert_consumed()
    assert [v.numpy().tolist() for v in store.variables] == [[1.0], [2.0]]


def test_a_mismatch_writes_nothing(tmp_path: Path) -> None:
    old = save_names(tmp_path / "old", net__w=[[1.0, 2.0]], extra=1.0)
    like = save_objects(tmp_path / "like")
    before = sorted(tmp_path.iterdir())
    status, output = run("convert", old, tmp_path / "new", "--like", like)
    assert status == 1
    assert output.splitlines() == [
        f"b float32[2]: missing in {old}",
        f"extra float32[]: left over in {old}",
        "1 of 3 variables match",
        "nothing was written",
    ]
    assert sorted(tmp_path.iterdir()) == before
    assert run("convert", old, tmp_path / "new", "--like", like, "--keep-missing", "--skip-left-over")[0] == 0
    model = Model()
    tf.train.Checkpoint(model=model).read(str(tmp_path / "new")).assert_consumed()
    assert (model.kernel.numpy().tolist(), model.bias.numpy().tolist()) == ([[1.0, 2.0]], [0.0, 0.0])


def test_renaming_and_dropping(tmp_path: Path) -> None:
    old = save_names(tmp_path / "old", w=[1.0], w__Adam=[2.0], beta1_power=0.9)
    status, _ = run("convert", old, tmp_path / "new", "--rename", "w=kernel", "--drop", "Adam|beta")
    assert status == 0
    assert train.list_variables(str(tmp_path / "new")) == [("kernel", [1])]


def test_variables_of_one_name_are_told_apart_by_keys(tmp_path: Path) -> None:
    first, second = tf.Variable([1.0]), tf.Variable([2.0])
    like = tf.train.Checkpoint(first=first, second=second).write(str(tmp_path / "like"))
    old = save_names(tmp_path / "old", Variable=[5.0], Variable_1=[6.0])
    status, output = run("convert", old, tmp_path / "new", "--like", like)
    assert status == 1 and "Variable: several variables have this name" in output
    keys = [f"{name}/.ATTRIBUTES/VARIABLE_VALUE" for name in ("first", "second")]
    renames = ["--rename", f"Variable={keys[0]}", "--rename", f"Variable_1={keys[1]}"]
    assert run("convert", old, tmp_path / "new", "--like", like, *renames)[0] == 0
    tf.train.Checkpoint(first=first, second=second).read(str(tmp_path / "new")).assert_consumed()
    assert (first.numpy(), second.numpy()) == ([5.0], [6.0])


def test_wrong_use(tmp_path: Path) -> None:
    path = save_names(tmp_path / "model", w=1.0)
    damaged = tmp_path / "damaged"
    for suffix in ("index", "data-00000-of-00001"):
        (tmp_path / f"damaged.{suffix}").write_bytes(b"nothing")
    (tmp_path / "empty").mkdir()
    (tmp_path / "keras.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    for arguments, message in (
        (("inspect", tmp_path / "none"), r"no such checkpoint \(there is no none.index\)"),
        (("inspect", tmp_path / "keras.h5"), "it is an HDF5 file, as Keras writes"),
        (("convert", path, tmp_path / "new", "--like", tmp_path / "keras.h5"), "it is an HDF5 file"),
        (("inspect", f"{path}.data-00000-of-00001"), f"it is a part of one; name {path}"),
        (("convert", path, tmp_path / "new", "--drop", "("), r"--drop \(: no regular expression"),
        (("convert", path, tmp_path / "new", "--rename", "v=x"), "--rename v=….* has no variable of this name"),
        (("convert", path, tmp_path / "empty"), "this is a folder"),
        (("convert", path, tmp_path / "keras.h5"), "exists already"),
        (("convert", path, tmp_path / "keras.h5" / "below"), "cannot be written"),
        (("inspect", tmp_path / "empty"), "no checkpoint is listed"),
        (("inspect", damaged), "cannot be read as a checkpoint"),
        (("convert", path, path), "exists already"),
        (("convert", path, tmp_path / "new", "--rename", "w"), "--rename takes OLD=NEW, not 'w'"),
    ):
        with pytest.raises(Exception, match=message):
            run(*arguments)
    assert not (tmp_path / "new.index").exists()


def test_two_variables_never_become_one(tmp_path: Path) -> None:
    old = save_names(tmp_path / "old", a=[1.0], b=[2.0])
    for like in ([], ["--like", old, "--keep-missing"]):
        status, output = run("convert", old, tmp_path / "new", "--rename", "a=b", *like)
        assert (status, "b: several variables have this name" in output) == (1, True)
    assert not (tmp_path / "new.index").exists()


def test_checkpoints_that_are_not_all_there(tmp_path: Path) -> None:
    path = save_names(tmp_path / "model", w=np.zeros(1000, np.float32))
    shard = tmp_path / "model.data-00000-of-00001"
    whole = shard.read_bytes()
    shard.write_bytes(whole[:100])
    with pytest.raises(UsageError, match="its files are damaged"):
        run("convert", path, tmp_path / "new")
    shard.rename(tmp_path / "model.data-00000-of-00002")
    with pytest.raises(UsageError, match=r"1 of 2 of its files model.data-… are there"):
        run("inspect", path)
    (tmp_path / "model.data-00000-of-00002").unlink()
    with pytest.raises(UsageError, match=r"none of its files model.data-… are there"):
        run("convert", path, tmp_path / "new")
    assert [file.name for file in tmp_path.glob("new*")] == []


def test_real_tf1s_first_format_is_read(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    program = """
import sys
import tensorflow as tf
rows = tf.constant_initializer([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
w = tf.get_variable("w", [3, 2], initializer=lambda shape, partition_info=None, **_: rows([3, 2])[
    partition_info.var_offset[0]:partition_info.var_offset[0] + shape[0]], partitioner=tf.fixed_size_partitioner(2))
b = tf.get_variable("b", initializer=tf.constant(["x"]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver(write_version=tf.train.SaverDef.V1).save(sess, sys.argv[1] + "/first")
    tf.train.Saver(sharded=True).save(sess, sys.argv[1] + "/sharded")
"""
    run_legacy(program, str(tmp_path))
    assert run("inspect", tmp_path / "first", "--against", tmp_path / "sharded") == (0, "2 of 2 variables match\n")
    for name in ("first", "sharded"):
        assert run("convert", tmp_path / name, tmp_path / f"{name}_now")[0] == 0
        reader = tf.train.load_checkpoint(str(tmp_path / f"{name}_now"))
        np.testing.assert_array_equal(reader.get_tensor("w"), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        assert reader.get_tensor("b").tolist() == [b"x"]
    rows = tf.Variable(np.zeros([3, 2], np.float32), name="w")
    train.Saver([rows]).restore(None, str(tmp_path / "first"))
    np.testing.assert_array_equal(rows.numpy(), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with pytest.raises(UsageError, match="exists already"):
        run("convert", tmp_path / "sharded", tmp_path / "first")


def test_real_tf1_reads_what_was_converted(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    model = Model()
    model.bias.assign([3.0, 4.0])
    objects = tf.train.Checkpoint(model=model).write(str(tmp_path / "objects"))
    assert run("convert", objects, tmp_path / "names")[0] == 0
    program = """
import sys
import tensorflow as tf
b = tf.get_variable("b", [2])
with tf.variable_scope("net"):
    w = tf.get_variable("w", [1, 2])
with tf.Session() as sess:
    tf.train.Saver().restore(sess, sys.argv[1])
    print("VALUE", sess.run(b).tolist())
"""
    assert "VALUE [3.0, 4.0]" in run_legacy(program, str(tmp_path / "names"))
