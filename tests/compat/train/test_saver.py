"""Saving and restoring by name: files, bookkeeping, errors, and both directions with real TF 1.15.5."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train


def small_program() -> tuple[Any, Any]:
    """Variables and a train op; the same lines as `PROGRAM` below."""
    with compat.variable_scope("net"):
        w = compat.get_variable("w", initializer=tf.constant([[1.0, 2.0], [3.0, 4.0]]))
        b = compat.get_variable("b", initializer=tf.constant([0.5, -0.5]))
    step = train.get_or_create_global_step()
    loss = tf.reduce_sum(tf.square(tf.matmul(tf.ones([1, 2]), w) + b))
    return loss, train.AdamOptimizer(0.1).minimize(loss, global_step=step)


PROGRAM = """
import json, sys
import tensorflow as tf
from tensorflow import train
with tf.variable_scope("net"):
    w = tf.get_variable("w", initializer=tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    b = tf.get_variable("b", initializer=tf.constant([0.5, -0.5]))
step = train.get_or_create_global_step()
loss = tf.reduce_sum(tf.square(tf.matmul(tf.ones([1, 2]), w) + b))
op = train.AdamOptimizer(0.1).minimize(loss, global_step=step)
saver = tf.train.Saver()
folder, restore = sys.argv[1], sys.argv[2]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    if restore:
        saver.restore(sess, tf.train.latest_checkpoint(restore))
    for _ in range(3):
        sess.run(op)
    saver.save(sess, folder + "/model", global_step=step)
    print("RESULT " + json.dumps({v.op.name: sess.run(v).tolist() for v in tf.global_variables()}))
"""


def result_of(output: str) -> dict[str, Any]:
    line = next(line for line in output.splitlines() if line.startswith("RESULT "))
    return dict(json.loads(line.removeprefix("RESULT ")))


def train_here(folder: Path, restore: Path | None) -> dict[str, Any]:
    with compat.Graph().as_default(), compat.Session() as sess:
        _, op = small_program()
        saver = train.Saver()
        sess.run(compat.global_variables_initializer())
        if restore is not None:
            saver.restore(sess, train.latest_checkpoint(str(restore)))
        for _ in range(3):
            sess.run(op)
        saver.save(sess, str(folder / "model"), global_step=train.get_global_step())
        return {v.op.name: sess.run(v) for v in compat.global_variables()}


def test_real_tf1_restores_what_we_saved_and_trains_on(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir(), theirs.mkdir()
    train_here(ours, None)
    legacy = result_of(run_legacy(PROGRAM, str(theirs), str(ours)))
    wanted = train_here(theirs, ours)
    assert sorted(legacy) == sorted(wanted)
    assert legacy["global_step"] == 6
    for name, value in wanted.items():
        np.testing.assert_allclose(legacy[name], value, rtol=0, atol=4e-7, err_msg=name)


def test_we_restore_what_real_tf1_saved_and_train_on(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    first, second, ours = tmp_path / "first", tmp_path / "second", tmp_path / "ours"
    for folder in (first, second, ours):
        folder.mkdir()
    run_legacy(PROGRAM, str(first), "")
    legacy = result_of(run_legacy(PROGRAM, str(second), str(first)))
    for name, value in train_here(ours, first).items():
        np.testing.assert_allclose(legacy[name], value, rtol=0, atol=4e-7, err_msg=name)


def test_real_tf1_imports_our_meta_graph(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        loss, op = small_program()
        sess.run(compat.global_variables_initializer())
        path = train.Saver().save(sess, str(tmp_path / "model"))
        sess.run(op)
        wanted = float(sess.run(loss))
        loss_name, op_name = loss.name, op.name
    program = f"""
import sys
import tensorflow as tf
saver = tf.train.import_meta_graph(sys.argv[1] + ".meta")
with tf.Session() as sess:
    saver.restore(sess, sys.argv[1])
    sess.run("{op_name}")
    print("LOSS", sess.run("{loss_name}"), [v.op.name for v in tf.trainable_variables()])
"""
    output = run_legacy(program, path)
    line = next(line for line in output.splitlines() if line.startswith("LOSS"))
    assert float(line.split()[1]) == pytest.approx(wanted, abs=1e-5)
    assert "net/w" in line and "beta1_power" not in line


def eager_variables(**values: Any) -> list[tf.Variable]:
    return [tf.Variable(value, name=name) for name, value in values.items()]


def test_keeps_the_latest_and_lists_them(tmp_path: Path) -> None:
    (w,) = eager_variables(w=[1.0])
    saver = train.Saver([w], max_to_keep=2)
    for step in range(4):
        w.assign([float(step)])
        assert saver.save(None, str(tmp_path / "model"), global_step=step) == str(tmp_path / f"model-{step}")
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == [
        "checkpoint",
        "model-2.data-00000-of-00001",
        "model-2.index",
        "model-3.data-00000-of-00001",
        "model-3.index",
    ]
    assert saver.last_checkpoints == [str(tmp_path / "model-2"), str(tmp_path / "model-3")]
    assert (tmp_path / "checkpoint").read_text() == (
        f'model_checkpoint_path: "{tmp_path}/model-3"\n'
        f'all_model_checkpoint_paths: "{tmp_path}/model-2"\n'
        f'all_model_checkpoint_paths: "{tmp_path}/model-3"\n'
    )
    assert train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model-3")
    saver.restore(None, saver.last_checkpoints[0])
    assert w.numpy() == [2.0]


def test_a_later_saver_takes_checkpoints_over(tmp_path: Path) -> None:
    (w,) = eager_variables(w=[1.0])
    first = train.Saver([w])
    for step in range(3):
        first.save(None, str(tmp_path / "model"), global_step=step)
    second = train.Saver([w], max_to_keep=2)
    second.recover_last_checkpoints(train.get_checkpoint_state(str(tmp_path)).all_model_checkpoint_paths)
    assert len(second.last_checkpoints) == 3
    second.save(None, str(tmp_path / "model"), global_step=3)
    second.save(None, str(tmp_path / "model"), global_step=4)
    assert not train.checkpoint_exists(str(tmp_path / "model-0"))
    assert not train.checkpoint_exists(str(tmp_path / "model-1"))
    assert train.checkpoint_exists(str(tmp_path / "model-2"))


def test_paths_in_the_state_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    (w,) = eager_variables(w=[1.0])
    train.Saver([w]).save(None, "logs/model", global_step=7)
    assert (tmp_path / "logs/checkpoint").read_text().splitlines()[0] == 'model_checkpoint_path: "model-7"'
    assert train.latest_checkpoint("logs") == "logs/model-7"
    train.Saver([w], save_relative_paths=True).save(None, str(tmp_path / "logs/model"), global_step=8)
    assert (tmp_path / "logs/checkpoint").read_text().splitlines()[0] == 'model_checkpoint_path: "model-8"'
    train.Saver([w], pad_step_number=True).save(None, "model", global_step=8, latest_filename="latest")
    assert train.latest_checkpoint(".", "latest") == "./model-00000008"


def test_var_list_as_dict_and_store(tmp_path: Path) -> None:
    a, b = eager_variables(a=[1.0, 2.0], b=3)
    path = train.Saver({"first": a, "second": b}).save(None, str(tmp_path / "model"))
    assert train.list_variables(path) == [("first", [2]), ("second", [])]
    assert train.load_variable(path, "second") == 3
    store = compat.VariableStore()
    with store:
        compat.get_variable("first", [2])
        compat.get_local_variable("local", [2])
    train.Saver(store).restore(None, path)
    np.testing.assert_array_equal(store.find("first").numpy(), [1.0, 2.0])


def test_partitioned_variables_are_one_tensor(tmp_path: Path) -> None:
    whole = np.arange(20, dtype=np.float32).reshape(10, 2)
    with compat.Graph().as_default(), compat.Session() as sess:
        parts = compat.get_variable("w", initializer=tf.constant(whole), partitioner=compat.fixed_size_partitioner(3))
        train.MomentumOptimizer(1.0, 0.9).minimize(tf.reduce_sum(parts.as_tensor()))
        sess.run(compat.global_variables_initializer())
        path = train.Saver().save(sess, str(tmp_path / "model"))
    assert train.list_variables(path) == [("w", [10, 2]), ("w/Momentum", [10, 2])]
    np.testing.assert_array_equal(train.load_variable(path, "w"), whole)
    (w,) = eager_variables(w=np.zeros([10, 2], np.float32))
    train.Saver([w]).restore(None, path)
    np.testing.assert_array_equal(w.numpy(), whole)


def test_nothing_is_restored_unless_all_fits(tmp_path: Path) -> None:
    path = train.Saver(eager_variables(a=[1.0, 2.0], b=[1.0])).save(None, str(tmp_path / "model"))
    a, b, c = eager_variables(a=[0.0, 0.0], b=[0.0, 0.0], c=0.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"lhs shape= \[2\] rhs shape= \[1\].*variable b"):
        train.Saver([a, b]).restore(None, path)
    with pytest.raises(tf.errors.NotFoundError, match="Key c not found in checkpoint"):
        train.Saver([a, c]).restore(None, path)
    with pytest.raises(ValueError, match=r"The passed save_path is not a valid checkpoint: .*/none"):
        train.Saver([a]).restore(None, str(tmp_path / "none"))
    np.testing.assert_array_equal(a.numpy(), [0.0, 0.0])


def test_wrong_dtype_is_refused(tmp_path: Path) -> None:
    path = train.Saver(eager_variables(a=[1.0, 2.0])).save(None, str(tmp_path / "model"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a mismatch between the current graph"):
        train.Saver(eager_variables(a=[1, 2])).restore(None, path)


def test_reshape(tmp_path: Path) -> None:
    path = train.Saver(eager_variables(a=[1.0, 2.0])).save(None, str(tmp_path / "model"))
    (a,) = eager_variables(a=[[0.0], [0.0]])
    train.Saver([a], reshape=True).restore(None, path)
    np.testing.assert_array_equal(a.numpy(), [[1.0], [2.0]])


def test_errors_of_save(tmp_path: Path) -> None:
    (w,) = eager_variables(w=[1.0])
    saver = train.Saver([w])
    with pytest.raises(ValueError, match=r"Parent directory of .* doesn't exist, can't save"):
        saver.save(None, str(tmp_path / "missing" / "below" / "model"))
    with pytest.raises(ValueError, match="collides with 'save_path'"):
        saver.save(None, str(tmp_path / "checkpoint"))
    assert saver.save(None, str(tmp_path / "made" / "model")) == str(tmp_path / "made" / "model")
    with pytest.raises(ValueError, match="must not contain path components"):
        saver.save(None, str(tmp_path / "model"), latest_filename="a/b")
    with pytest.raises(TypeError, match="'sess' must be a Session"):
        saver.save(3, str(tmp_path / "model"))
    with pytest.raises(ValueError, match="At least two variables have the same name: w"):
        train.Saver([w, *eager_variables(w=[2.0])])
    with pytest.raises(TypeError, match="Variable to save is not a Variable"):
        train.Saver([tf.constant(1.0)])
    with compat.Graph().as_default(), compat.Session() as sess:
        with pytest.raises(ValueError, match="No variables to save"):
            train.Saver()
        assert train.Saver(allow_empty=True).save(sess, str(tmp_path / "empty")) is None
        compat.get_variable("v", [2])
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
            train.Saver().save(sess, str(tmp_path / "model"))


def test_object_based_checkpoints_are_read_by_name(tmp_path: Path) -> None:
    a, b = eager_variables(a=[1.0, 2.0], b=[3.0])
    path = tf.train.Checkpoint(x=a, y=b).save(str(tmp_path / "objects"))
    a.assign([0.0, 0.0])
    train.Saver([a]).restore(None, path)
    np.testing.assert_array_equal(a.numpy(), [1.0, 2.0])
    with pytest.raises(tf.errors.NotFoundError, match="not in the checkpoint: c"):
        train.Saver(eager_variables(c=1.0)).restore(None, path)


@pytest.mark.parametrize("bridged", [False, True])
def test_init_from_checkpoint(bridged: bool, tmp_path: Path) -> None:
    values = {"enc/w": [1.0, 2.0], "enc/b": [3.0], "other": [4.0]}
    path = train.Saver(dict(zip(values, eager_variables(w=[1.0, 2.0], b=[3.0], o=[4.0]), strict=True))).save(
        None, str(tmp_path / "model")
    )

    def build() -> Any:
        with compat.variable_scope("mine"):
            w, b = compat.get_variable("w", [2]), compat.get_variable("b", [1])
        x = compat.get_variable("x", [1])
        train.init_from_checkpoint(path, {"enc/": "mine/", "other": x})
        with pytest.raises(ValueError, match="Tensor nothing is not found"):
            train.init_from_checkpoint(path, {"nothing": x})
        with pytest.raises(ValueError, match="doesn't match with shape of tensor other"):
            train.init_from_checkpoint(path, {"other": "mine/w"})
        return [w, b, x]

    if bridged:
        with compat.Graph().as_default(), compat.Session() as sess:
            variables = build()
            sess.run(compat.global_variables_initializer())
            found = sess.run(variables)
    else:
        store = compat.VariableStore()
        with store:
            variables = build()
        for variable in variables:
            variable.assign(variable * 0.0)
        store.initialize()
        found = [variable.numpy() for variable in variables]
    assert [value.tolist() for value in found] == [[1.0, 2.0], [3.0], [4.0]]
