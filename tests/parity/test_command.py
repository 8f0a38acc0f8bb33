"""`tf-migrate parity` as a user meets it: programs that agree, and each way in which there is nothing to trust."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from tf_migrate.cli import main
from tf_migrate.options import UsageError
from tf_migrate.parity.api import assert_parity
from tf_migrate.parity.command import command

pytestmark = pytest.mark.usefixtures("as_v1_graph")

PROGRAM = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
noisy = x * w + tf.random_normal([3])
loss = tf.reduce_sum(noisy * noisy)
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        _, value = sess.run(
            [train, loss],
            feed_dict={x: [1.0, 2.0, float(i)]})
        print("loss", value)
    print("w", sess.run(w))
"""


def run(*arguments: Any) -> tuple[int, str]:
    done = CliRunner().invoke(command, [str(argument) for argument in arguments], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return int(done.return_value), done.stdout


def trees(folder: Path, program: str, migrated: str | None = None, tier: str = "native") -> tuple[Path, Path]:
    """A tree with one program, and its migrated copy: the tool's own, or the text given."""
    legacy, new = folder / "legacy", folder / "new"
    legacy.mkdir(exist_ok=True)
    (legacy / "train.py").write_text(program)
    if migrated is None:
        with pytest.raises(SystemExit):
            main(["rewrite", str(legacy), "--output", str(new), "--tier", tier, "--quiet"])
    else:
        new.mkdir()
        (new / "train.py").write_text(migrated)
    return legacy, new


@pytest.mark.usefixtures("started_anew")
def test_parity_and_its_reports(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, PROGRAM)
    files = [tmp_path / f"report{suffix}" for suffix in (".json", ".xml", ".md", ".html")]
    options = [part for file in files for part in ("--report", file)]
    status, output = run(legacy, new, *options, "--verbose", "--", "train.py")
    assert status == 0, output
    assert output.startswith("train.py on cpu: parity: ")
    assert "original in tf.compat.v1 graph; run sites: 2 native; runs 4 and 4" in output
    assert "train.py:10 -> train_step (native): 4 runs, 4 compared" in output
    (result,) = json.loads(files[0].read_text())["results"]
    assert result["verdict"]["kind"] == "parity" and result["summary"]["failures"] == 0
    assert result["losses"] and len(next(iter(result["losses"].values()))) == 4
    suite = ET.parse(files[1]).getroot()[0]
    assert suite.attrib["failures"] == "0" and int(suite.attrib["tests"]) == len(suite) > 3
    assert "| train.py | cpu | tf.compat.v1 graph | parity |" in files[2].read_text()
    page = files[3].read_text()
    assert "<polyline" in page and "train_step" in page and "http" not in page.replace("http-equiv", "")


def test_two_scripts_in_place_of_trees(tmp_path: Path) -> None:
    legacy, new = trees(
        tmp_path, PROGRAM, PROGRAM.replace("import tensorflow as tf", "import compat as tf, tensorflow")
    )
    with pytest.raises(UsageError, match="name two folders or two scripts"):
        run(legacy / "train.py", new)
    status, output = run(legacy / "train.py", new / "train.py")
    assert status == 1 and "migrated failed" in output


def test_a_difference_is_an_assertion_in_tests(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, PROGRAM)
    file = new / "train.py"
    file.write_text(file.read_text().replace("0.01", "0.02"))
    with pytest.raises(AssertionError, match=r"the run of train.py:10 train_step is the first to differ in run 2"):
        assert_parity(legacy, new, "train.py")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "import tensorflow as tf\nraise ValueError('no data')\n",
            "the original program raised ValueError at train.py:2: no data",
        ),
        ("import tensorflow as tf\nprint 'hello'\n", "where it is Python 2, convert it to Python 3 first"),
        ("import tensorflow as tf\ntf.gfile.GFile('../../out.txt', 'w').write('x')\n", "writes outside of its folder"),
        ("import tensorflow as tf\nimport no_such_package\n", "needs the package `no_such_package`"),
        ("import tensorflow as tf\nwhile True:\n    pass\n", "did not end within 8 s"),
        ("import tensorflow as tf, os\nos._exit(3)\n", "was killed (status 3)"),
        ("import tensorflow as tf, sys\nsys.exit(4)\n", "ended with exit status 4"),
        ("import tensorflow as tf\nopen('../../out.txt', 'w').write('x')\n", "writes outside of its folder"),
    ],
)
def test_an_original_that_cannot_be_trusted(program: str, said: str, tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, program, program)
    seconds = "8" if "while True" in program else "300"
    status, output = run(legacy, new, "--seconds", seconds, "--", "train.py")
    assert status == 1 and said in output and "parity:" not in output


NAN = """\
import os, tempfile
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
y = tf.log(x)
for name in ("/tmp/tf-migrate-parity-test", tempfile.mkdtemp() + "/own"):
    with open(name, "w") as file:
        file.write("x")
os.remove("/tmp/tf-migrate-parity-test")
with tf.Session() as sess:
    sess.run(y, feed_dict={x: [1.0, 2.0]})
    sess.run(y, feed_dict={x: [1.0, -2.0, 0.0]})
"""


def test_numbers_that_are_none(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, NAN)
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "both programs compute NaN, at first the run of train.py:11" in output, output
    assert "in run 2 (1 of 3 values); all else agrees" in output
    assert "both write to /tmp/tf-migrate-parity-test:" in output
    (legacy / "train.py").write_text(NAN.replace("-2.0", "0.5"))
    file = new / "train.py"
    file.write_text(file.read_text().replace("-2.0", "0.5"))
    assert run(legacy, new, "--", "train.py")[0] == 0, "an infinite value is one that can be compared"


def test_a_tree_that_may_only_be_read(tmp_path: Path) -> None:
    program = "import tensorflow as tf\nopen('train.py', 'a').close()\nprint(tf.Session().run(tf.constant(1.0)))\n"
    legacy, new = trees(tmp_path, program)
    for tree in (legacy, new):
        (tree / "train.py").chmod(0o444)
        tree.chmod(0o555)
    try:
        status, output = run(legacy, new, "--", "train.py")
    finally:
        legacy.chmod(0o755)
        new.chmod(0o755)
    assert status == 0, output


def test_programs_that_compute_nothing(tmp_path: Path) -> None:
    legacy, new = trees(
        tmp_path, "import tensorflow as tf\nprint('done')\n", "import tensorflow as tf\nprint('done')\n"
    )
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "nothing to compare" in output


def test_a_migrated_program_that_computes_nothing(tmp_path: Path) -> None:
    legacy, new = trees(
        tmp_path,
        "import tensorflow as tf\nx = tf.placeholder(tf.float32)\nprint(tf.Session().run(x * 2.0, {x: 1.0}) > 0)\n",
        "print()\n",
    )
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "structure differs: the original makes 1 run, the migrated program 0\n" in output, output


def test_a_program_that_computes_words(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, "import tensorflow as tf\nprint(tf.Session().run(tf.constant('good day')))\n")
    status, output = run(legacy, new, "--", "train.py")
    assert status == 0, output
    file = new / "train.py"
    file.write_text(file.read_text().replace("good", "bad"))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "`b'good day'` is not printed" in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name the original tree and the migrated one"),
        (("legacy",), "name the original tree and the migrated one"),
        (("legacy", "nowhere"), "no such file or folder"),
        (("legacy", "new"), "say which program to run"),
        (("legacy", "new", "--", "other.py"), "no such program"),
        (("legacy", "new", "--device", "tpu", "--", "train.py"), "'tpu' is not known"),
        (("legacy", "new", "--report", "report.txt", "--", "train.py"), "a report ends in"),
        (("legacy", "new", "--report", "nowhere/report.html", "--", "train.py"), "its folder does not exist"),
        (("legacy", "new", "--checkpoint", "saved/model", "--", "train.py"), "no such checkpoint; name its files"),
        (("legacy", "new", "--scenario", "none.toml"), "cannot be read"),
        (("legacy", "new", "--scenario", "bad.toml"), "`speed` means nothing here"),
        (("legacy", "new", "--legacy-python", "/bin/true", "--", "train.py"), "has no TensorFlow 1"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trees(tmp_path, PROGRAM, PROGRAM)
    (tmp_path / "bad.toml").write_text("speed = 3\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as error:
        run(*arguments)
    assert said in str(error.value)


CHAOTIC = """\
import tensorflow as tf
x = tf.Variable([0.1, 0.3, 0.7], name="x")
step = tf.assign(x, 3.99 * x * (1.0 - x))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(60):
        print("x", sess.run(step))
"""


@pytest.mark.parametrize(
    ("text", "verdict"), [("(3.99 * x - 3.99 * x * x)", "parity"), ("(3.98 * x * (1.0 - x))", "differs")]
)
def test_a_program_that_magnifies_what_is_in_the_last_place(text: str, verdict: str, tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, CHAOTIC)
    file = new / "train.py"
    assert "3.99 * x * (1.0 - x)" in file.read_text()
    file.write_text(file.read_text().replace("3.99 * x * (1.0 - x)", text))
    _, output = run(legacy, new, "--", "train.py")
    assert f"train.py on cpu: {verdict}: " in output, output
    assert ("no more than ten times as far" in output) == (verdict == "parity")


def test_gradients_on_demand(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, PROGRAM)
    status, output = run(legacy, new, "--gradients", "--report", tmp_path / "report.json", "--", "train.py")
    assert status == 0, output
    (result,) = json.loads((tmp_path / "report.json").read_text())["results"]
    found = [item for item in result["comparisons"] if item["kind"] == "gradient"]
    assert [item["name"] for item in found] == ["train.py:10 train_step gradient of w"] * 4
    file = new / "train.py"
    file.write_text(
        file.read_text().replace("tf.reduce_sum(noisy * noisy)", "tf.reduce_sum(noisy * tf.stop_gradient(noisy))")
    )
    status, output = run(legacy, new, "--gradients", "--bisect", "--", "train.py")
    assert "the gradient of train.py:10 train_step gradient of w is the first to differ in run 1" in output
    assert "the difference begins in run 1 at" in output and "(AddN became Sum)" in output


MONITORED = """\
import numpy as np
import tensorflow as tf
def model(features, labels, mode):
    w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(features["x"], w) - labels))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
x, y = np.arange(16, dtype=np.float32).reshape(8, 2) / 8, np.ones((8, 1), np.float32)
fed = tf.estimator.inputs.numpy_input_fn({"x": x}, y, batch_size=4, num_epochs=None, shuffle=True)
estimator = tf.estimator.Estimator(model, "model")
estimator.train(fed, steps=5)
estimator.evaluate(tf.estimator.inputs.numpy_input_fn({"x": x}, y, batch_size=4, shuffle=False))
"""


def test_runs_that_an_estimator_makes(tmp_path: Path, legacy_python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(legacy_python))
    legacy, new = trees(tmp_path, MONITORED)
    status, output = run(legacy, new, "--verbose", "--", "train.py")
    assert status == 0, output
    assert "train.py:11 (unknown): 5 runs, 5 compared" in output
    file = new / "train.py"
    file.write_text(file.read_text().replace("0.1)", "0.2)"))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "the run of train.py:11" in output


WRITES = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
w = tf.Variable(2.0, name="w")
loss = tf.square(w * x)
tf.summary.scalar("loss", loss)
merged = tf.summary.merge_all()
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
writer = tf.summary.FileWriter("logs", sess.graph)
for i in range(3):
    _, text = sess.run([train, merged], {x: float(i)})
    writer.add_summary(text, i)
saver.save(sess, "saved/model")
with open("losses.csv", "w") as file:
    file.write("loss,%.6f" % sess.run(loss, {x: 1.0}))
"""


def test_files_that_are_written(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, WRITES)
    status, output = run(legacy, new, "--report", tmp_path / "report.json", "--", "train.py")
    assert status == 0, output
    (result,) = json.loads((tmp_path / "report.json").read_text())["results"]
    found = {item["name"]: item["values"] for item in result["comparisons"] if item["kind"] == "file"}
    assert found == {"logs: summary loss": 3, "losses.csv": 1, "saved/model: w": 1}
    file = new / "train.py"
    file.write_text(file.read_text().replace("loss,%.6f", "loss,1%.6f"))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "the file of losses.csv is the first to differ" in output


LOADED = """\
import tensorflow as tf
w = tf.Variable(2.0, name="w")
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(w * 2.0))
w.load(3.25, sess)
tf.train.Saver().save(sess, "saved/model")
"""


def test_a_variables_tolerance_holds_for_what_is_saved_of_it(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, LOADED)
    file = new / "train.py"
    file.write_text(file.read_text().replace("3.25", "3.251"))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "saved/model: w" in output
    (tmp_path / "scenario.toml").write_text('script = "train.py"\n[tolerances]\nw = { rtol = 0.0, atol = 0.01 }\n')
    status, output = run(legacy, new, "--scenario", tmp_path / "scenario.toml")
    assert status == 0, output


SPARSE = """\
import numpy as np
import tensorflow as tf
places = tf.sparse_placeholder(tf.float32, name="places")
total = tf.sparse_reduce_sum(places)
sess = tf.Session()
print(sess.run(total, feed_dict={places: (np.array([[0, 1], [2, 0]]), np.array([1.0, 2.0]), np.array([3, 3]))}))
"""


def test_what_is_fed_to_a_sparse_placeholder(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, SPARSE)
    status, output = run(legacy, new, "--", "train.py")
    assert status == 0, output
    file = new / "train.py"
    file.write_text(file.read_text().replace("[2, 0]]", "[2, 1]]"))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "input places/indices is the first to differ" in output


REGULARIZED = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
y = tf.layers.dense(x, 2, kernel_regularizer=lambda w: 0.1 * tf.reduce_sum(w * w), name="layer")
loss = tf.reduce_sum(y) + tf.losses.get_regularization_loss()
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(2):
    print(sess.run([loss, train], {x: [[1.0, 2.0, 3.0]]})[0])
"""


def test_regularization_losses(tmp_path: Path, legacy_python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(legacy_python))
    (tmp_path / "legacy").mkdir()
    (tmp_path / "legacy" / "train.py").write_text(REGULARIZED)
    with pytest.raises(SystemExit):
        main(["rewrite", str(tmp_path / "legacy"), "--output", str(tmp_path / "new"), "--tier", "bridge", "--quiet"])
    status, output = run(tmp_path / "legacy", tmp_path / "new", "--report", tmp_path / "report.json", "--", "train.py")
    assert status == 0, output
    (result,) = json.loads((tmp_path / "report.json").read_text())["results"]
    (found,) = (item for item in result["comparisons"] if item["kind"] == "regularization loss")
    assert found["name"].startswith("layer/kernel/Regularizer") and found["values"] == 1
    file = tmp_path / "new" / "train.py"
    text = file.read_text().replace("kernel_regularizer=lambda w: 0.1 * tf.reduce_sum(w * w), ", "")
    own = "0.1 * tf.reduce_sum(tf.square(compat.trainable_variables()[0]))"
    file.write_text(text.replace("compat.losses.get_regularization_loss()", own))
    status, output = run(tmp_path / "legacy", tmp_path / "new", "--", "train.py")
    assert status == 0 and "losses of regularizers (1) are compared as part of its losses" in output, output


LACKS = "run the original in TensorFlow 1.15: --legacy-python PATH names one, --setup-legacy DIR makes one"


@pytest.mark.parametrize(
    "line",
    [
        "import tensorflow.contrib.slim as slim",
        "from tensorflow.contrib import slim",
        "from tensorflow import contrib",
        "tf.contrib.layers",
        "from tensorflow.examples.tutorials.mnist import input_data",
        "from tensorflow.python.framework import common_shapes_of_old",
        "tf.estimator.Estimator",
        "tf.ones([2]).ref_of_old()",
    ],
)
def test_an_original_that_needs_tensorflow_1(line: str, tmp_path: Path) -> None:
    """What TensorFlow 2 lacks cannot be installed beside it."""
    program = f"import tensorflow as tf\n{line}\n"
    legacy, new = trees(tmp_path, program, program)
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "original failed: the original program raised " in output and " at train.py:2: " in output
    assert f"next: {LACKS}\n" in output and "install" not in output, output


def test_an_original_with_layers_where_keras_is_the_third(tmp_path: Path) -> None:
    program = "import tensorflow as tf\ntf.layers.dense(tf.ones([1, 2]), 3)\n"
    legacy, new = trees(tmp_path, program, program)
    (tmp_path / "keras.toml").write_text('script = "train.py"\n[environment]\nTF_USE_LEGACY_KERAS = "0"\n')
    status, output = run(legacy, new, "--scenario", tmp_path / "keras.toml")
    assert status == 1 and "AttributeError at train.py:2: `dense` is not available" in output
    assert f"next: {LACKS}\n" in output, output


@pytest.mark.parametrize(
    ("line", "said", "advice"),
    [
        ("import no_such_package.part", "needs the package `no_such_package`", "install no_such_package beside its"),
        ("import json.parts", "needs the package `json.parts`", "install a version of json that has json.parts beside"),
        ("from json import parts", "raised ImportError at train.py:2: cannot import name 'parts'", "run it by hand\n"),
        ("tf.reshape(1.0, [2])", "raised ValueError at train.py:2", f"where TensorFlow 2 is the reason, {LACKS}\n"),
        ("[].missing", "raised AttributeError at train.py:2", "next: run it by hand\n"),
    ],
)
def test_an_original_that_fails_for_another_reason(line: str, said: str, advice: str, tmp_path: Path) -> None:
    program = f"import tensorflow as tf\n{line}\n"
    legacy, new = trees(tmp_path, program, program)
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and said in output and advice in output, output


def test_a_migrated_program_that_asks_for_what_tensorflow_2_lacks(tmp_path: Path) -> None:
    program = "import tensorflow as tf\nprint(tf.Session().run(tf.constant(1.0)))\n"
    legacy, new = trees(tmp_path, program, "import tensorflow as tf\nimport tensorflow.contrib.slim\n")
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "migrated failed: the migrated program raised ModuleNotFoundError at train.py:2" in output
    assert "next: TensorFlow 2 has no such name: `tf-migrate check` says what takes its place\n" in output


def test_an_original_that_lacks_a_name_in_tensorflow_1(
    tmp_path: Path, legacy_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(legacy_python))
    program = "import tensorflow as tf\ntf.contrib.no_such_name\n"
    legacy, new = trees(tmp_path, program, program)
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "original failed" in output and "next: run it by hand\n" in output, output


# The gradient is a chaotic variable's, and nothing else that the program computes tells of it.
STEEP = """\
import tensorflow as tf
x = tf.Variable([0.1, 0.3, 0.7], name="x")
y = tf.Variable([0.5], name="y")
{slope}
train = tf.train.GradientDescentOptimizer(1.0).apply_gradients([(slope, x), (0.1 * y, y)])
number = tf.placeholder(tf.float32, [])
double = 2.0 * number
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(60):
        _, value = sess.run([train, double], {{number: float(i)}})
    sess.run(x.initializer)
"""
PLAIN = "slope = x - 3.99 * x * (1.0 - x)"


@pytest.mark.parametrize(
    ("plain", "other", "verdict"),
    [
        (PLAIN, "slope = x - (3.99 * x - 3.99 * x * x)", "parity"),
        (PLAIN, "slope = x - 3.98 * x * (1.0 - x)", "differs"),
        ("(0.1 * y, y)", "(0.11 * y, y)", "differs"),
    ],
)
def test_gradients_are_held_against_those_of_the_originals_other_run(
    plain: str, other: str, verdict: str, tmp_path: Path
) -> None:
    legacy, new = trees(tmp_path, STEEP.format(slope=PLAIN), tier="bridge")
    file = new / "train.py"
    assert plain in file.read_text()
    file.write_text(file.read_text().replace(plain, other))
    _, output = run(legacy, new, "--gradients", "--every-step", "--", "train.py")
    assert f"train.py on cpu: {verdict}: " in output, output
    if verdict == "parity":
        assert "comparisons pass the tolerance, and no more than ten times as far" in output
    else:
        assert "the gradient of " in output or "the run of" in output
