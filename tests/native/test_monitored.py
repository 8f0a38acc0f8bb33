"""Monitored sessions as loops over functions: what becomes of them, what stays on the bridge, checkpoints both ways."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import compat
from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

MODEL = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable([[1.0], [2.0]], name="w")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
norm = tf.reduce_max(tf.abs(w))
step = tf.train.get_or_create_global_step()
train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, global_step=step)
data = [[1.0, 1.0]]
"""
LOOP = """\
with tf.train.MonitoredTrainingSession({options}) as sess:
    while not sess.should_stop():
        {body}
"""
RUN = "sess.run(train, {x: data})"


def program(options: str = "", body: str = RUN, *, model: str = MODEL) -> str:
    return model + LOOP.format(options=options, body=body)


def native(code: str) -> str:
    result = made_native(code)
    return result.text


def stops_at(last_step: int) -> str:
    return f"tf.train.StopAtStepHook(last_step={last_step})"


@pytest.fixture(autouse=True)
def _ends() -> Iterator[None]:
    """A loop that nothing stops is a failure, and no test leaves a writer open."""

    def fail(number: int, frame: object) -> None:
        raise TimeoutError("the loop does not stop")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
    compat.summary.FileWriterCache.clear()


def test_what_only_a_hook_asks_for_is_passed_on_as_it_comes() -> None:
    text = native(program(f"hooks=[{stops_at(2)}, tf.train.NanTensorHook(loss)]"))
    assert 'hooks=[compat.train.StopAtStepHook(last_step=2), compat.train.NanTensorHook("loss")]' in text
    assert "loop.after_run(loss=train_step(data))" in text
    assert printed(text + "print(step.numpy())\n") == "2\n"


def test_values_that_the_program_gets_are_shared_with_the_hooks() -> None:
    hooks = 'tf.train.LoggingTensorHook({"step": step, "norm": norm, "l": loss}, every_n_iter=1)'
    body = "_, value = sess.run([train, loss], {x: data})\n        print(value)"
    text = native(program(f"hooks=[{stops_at(2)}, {hooks}]", body))
    assert 'LoggingTensorHook({"step": step, "norm": "norm", "l": "loss"}, every_n_iter=1)' in text
    assert "value, norm_value = (value.numpy() for value in train_step(data))" in text
    assert "loop.after_run(norm=norm_value, loss=value)" in text
    assert printed(text) == "9.0\n5.76\n"


def test_every_run_is_told_to_the_hooks() -> None:
    body = f"before = sess.run(loss, {{x: data}})\n        {RUN}\n        print(before, sess.should_stop())"
    text = native(program(f"hooks=[{stops_at(2)}]", body))
    assert text.count("loop.after_run()") == 2
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == "9.0 False\n5.76 True\n"


def test_hooks_may_have_names() -> None:
    named = f"stop = {stops_at(1)}\nhooks = [stop]\n"
    text = native(program("hooks=hooks", model=MODEL + named))
    assert "hooks = [stop]\nwith compat.train.TrainingLoop(global_step=step, hooks=hooks) as loop:\n" in text


def test_the_end_of_the_data_ends_the_block() -> None:
    code = """\
import tensorflow as tf
def main():
    numbers = tf.data.Dataset.range(3).make_one_shot_iterator().get_next()
    total = tf.Variable(0, dtype=tf.int64)
    add = tf.assign_add(total, numbers)
    with tf.train.SingularMonitoredSession() as session:
        while not session.should_stop():
            print(session.run(add))
    print("done")
main()
"""
    assert tier_of(code) == "bridge"
    code = code.replace("print(session.run(add))", "value = session.run(add)\n            print(value)")
    # What TensorFlow 1.15.5 prints.
    assert printed(native(code)) == "0\n1\n3\ndone\n"


def test_that_no_graph_is_written_is_said() -> None:
    result = rewritten(program(f'checkpoint_dir="there", hooks=[{stops_at(1)}]'))
    (note,) = [finding for finding in result.findings if "`graph.pbtxt`" in finding.message]
    assert note.severity == "warning"
    assert not any("graph.pbtxt" in finding.message for finding in rewritten(program()).findings)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (program('"", True'), "is given its options by place"),
        (program('master="grpc://there:1"'), "`master` of `tf.train.MonitoredTrainingSession`"),
        (program("scaffold=tf.train.Scaffold()"), "`scaffold` of"),
        (program('hooks=[tf.train.CheckpointSaverHook("there", 1)]'), "`tf.train.CheckpointSaverHook` is not"),
        (program("hooks=[tf.train.LoggingTensorHook([loss], 1)]"), "has no labels of its own"),
        (program('hooks=[tf.train.LoggingTensorHook({"l": loss}, at_end=True)]'), "behind the last run"),
        (program("hooks=[tf.train.NanTensorHook(loss * 2)]"), "a hook is given `loss * 2`"),
        (program("hooks=[tf.train.NanTensorHook(x)]"), "which is no tensor"),
        (program("hooks=chosen", model=MODEL + f"chosen = [{stops_at(1)}]\nif data:\n    chosen = []\n"), "`chosen`"),
        (program("hooks=[tf.train.NanTensorHook(loss)]", "at = sess.run(step)"), "`x` is not fed"),
        (program("hooks=[tf.train.NanTensorHook(loss)]", "all = sess.run([train, loss], {x: data})"), "has no name"),
        (program('checkpoint_dir="there"', model=MODEL + 'tf.summary.scalar("l", loss)\n'), "writes the summaries"),
        (program(body="print(sess.run(loss, {x: data}))"), "inside another expression"),
        (program(body="value = loss.eval({x: data})"), "something else than the monitored session"),
        (program(body="sess.run(tf.global_variables_initializer())"), "an initializer runs"),
        (program(body=f"print(sess.graph)\n        {RUN}"), "`.graph` of a part of the graph"),
        (program() + "print(sess.should_stop())\n", "`sess` is a part of the graph on some paths"),
        (program(body=f"{RUN}; print(1)"), "shares its line"),
        (program() + LOOP.format(options="", body=RUN), "another session runs beside"),
        (program(model=MODEL + "again = tf.train.get_or_create_global_step()\n"), "asked for again"),
    ],
)
def test_what_stays_on_the_bridge_says_why(code: str, reason: str) -> None:
    found = deciding_site(code)
    assert found.tier == "bridge"
    assert reason in (found.reason or "")


def test_a_hook_must_not_take_elements_that_the_run_does_not() -> None:
    model = MODEL.replace(
        "norm = tf.reduce_max(tf.abs(w))",
        "number = tf.data.Dataset.range(9).make_one_shot_iterator().get_next()\nnorm = number * 2",
    )
    code = program('hooks=[tf.train.LoggingTensorHook({"n": norm}, 1)]', model=model)
    assert "a hook takes elements that the run does not" in (deciding_site(code).reason or "")


def test_counting_needs_a_counter() -> None:
    model = MODEL.replace("step = tf.train.get_or_create_global_step()\n", "").replace(", global_step=step", "")
    assert tier_of(program(model=model)) == "native"
    assert deciding_site(program(f"hooks=[{stops_at(1)}]", model=model)).reason is not None


def test_another_session_goes_on_from_the_last_checkpoint(tmp_path: Path) -> None:
    model = MODEL + "saver = tf.train.Saver()\n"
    code = program(f'checkpoint_dir="{tmp_path}", hooks=[{stops_at(3)}]', model=model)
    code += f"""\
with tf.Session() as sess:
    saver.restore(sess, tf.train.latest_checkpoint("{tmp_path}"))
    print(sess.run(step), "%.4f" % sess.run(loss, {{x: data}}))
"""
    # What TensorFlow 1.15.5 prints.
    assert printed(native(code)) == "3 0.0346\n"


TRAINING = """\
import sys
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
kernel = tf.get_variable("kernel", [2, 3], initializer=tf.constant_initializer(0.5))
loss = tf.reduce_mean(tf.square(tf.matmul(x, kernel)))
step = tf.train.get_or_create_global_step()
train = tf.train.AdamOptimizer(0.05).minimize(loss, step)
hooks = [tf.train.StopAtStepHook(last_step={last_step}), tf.train.NanTensorHook(loss)]
with tf.train.MonitoredTrainingSession(checkpoint_dir="{folder}", hooks=hooks, save_checkpoint_steps=3) as session:
    while not session.should_stop():
        _, value, at = session.run([train, loss, step], {{x: [[1.0, 2.0]]}})
        print("STEP", at, "%.5f" % value)
"""


def steps_of(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("STEP")]


def index_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.index"))


def test_training_goes_on_from_its_own_checkpoint(tmp_path: Path) -> None:
    at_once, in_parts = tmp_path / "at_once", tmp_path / "in_parts"
    whole = steps_of(printed(native(TRAINING.format(last_step=7, folder=at_once))))
    assert index_files(at_once) == [f"model.ckpt-{at}.index" for at in (0, 3, 6, 7)]
    parts = [steps_of(printed(native(TRAINING.format(last_step=at, folder=in_parts)))) for at in (4, 7)]
    assert [len(part) for part in parts] == [4, 3]
    assert [*parts[0], *parts[1]] == whole
    assert index_files(in_parts) == [f"model.ckpt-{at}.index" for at in (0, 3, 4, 7)]


def test_real_tf1_goes_on_from_ours_and_we_from_its(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    at_once, by_turns = tmp_path / "at_once", tmp_path / "by_turns"
    whole = steps_of(printed(native(TRAINING.format(last_step=7, folder=at_once))))
    turns = steps_of(printed(native(TRAINING.format(last_step=2, folder=by_turns))))
    turns += steps_of(run_legacy(TRAINING.format(last_step=5, folder=by_turns)))
    turns += steps_of(printed(native(TRAINING.format(last_step=7, folder=by_turns))))
    assert turns == whole
    assert index_files(by_turns) == [f"model.ckpt-{at}.index" for at in (0, 2, 5, 7)]
