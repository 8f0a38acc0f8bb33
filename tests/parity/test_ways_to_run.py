"""The ways to say which program is run: a module, the trees' tests, a sample of its steps or all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tensorflow as tf

from tests.parity.test_command import run
from tf_migrate.cli import main

pytestmark = pytest.mark.usefixtures("as_v1_graph")

MODEL = """\
import tensorflow as tf


def train(rate, steps):
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable(2.0, name="w")
        loss = tf.square(w - 1.0)
        step = tf.train.GradientDescentOptimizer(rate).minimize(loss)
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            _, value = sess.run([step, loss])
    return value
"""
MAIN = "import sys\nfrom model.train import train\nprint('loss %.6f' % train(float(sys.argv[1]), int(sys.argv[2])))\n"
TEST = "from model.train import train\n\n\ndef test_loss():\n    assert train(0.1, 3) < 1.0\n"


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """A package that is run as a module, and its tests."""
    legacy, new = tmp_path / "legacy", tmp_path / "new"
    (legacy / "model").mkdir(parents=True)
    files = {"model/__init__.py": "", "model/train.py": MODEL, "model/__main__.py": MAIN, "test_train.py": TEST}
    for name, text in files.items():
        (legacy / name).write_text(text)
    with pytest.raises(SystemExit):
        main(["rewrite", str(legacy), "--output", str(new), "--quiet"])
    return legacy, new


def test_a_module_with_its_arguments(trees: tuple[Path, Path], tmp_path: Path) -> None:
    found = {}
    for name, options in {"sampled": [], "every": ["--every-step"]}.items():
        report = tmp_path / f"{name}.json"
        status, output = run(*trees, *options, "--module", "model", "--report", report, "--", "0.01", "130")
        assert status == 0 and "model on cpu: parity" in output, output
        (result,) = json.loads(report.read_text())["results"]
        assert result["runs"] == [130, 130]
        found[name] = [item["step"] for item in result["comparisons"] if item["kind"] == "run"]
    assert found["sampled"] == [*range(50), *range(50, 130, 10)] and found["every"] == list(range(130))


def test_the_trees_tests(trees: tuple[Path, Path]) -> None:
    status, output = run(*trees, "--pytest", "--", "-q", "-p", "no:cacheprovider")
    assert status == 0 and "pytest on cpu: parity" in output and "runs 3 and 3" in output, output
    file = trees[1] / "model" / "train.py"
    file.write_text(file.read_text().replace("w - 1.0", "w - 1.5"))
    status, output = run(*trees, "--pytest", "--", "-q", "-p", "no:cacheprovider")
    assert status == 1 and "the run of model/train.py:11" in output and "is the first to differ in run 1" in output
    (trees[1] / "test_train.py").write_text(TEST.replace("< 1.0", "< 0.0"))
    status, output = run(*trees, "--pytest", "--", "-q", "-p", "no:cacheprovider")
    assert status == 1 and "migrated failed: the migrated program ended with exit status 1: 1 failed" in output, output


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_both_begin_with_the_values_of_a_checkpoint(tmp_path: Path, tier: str) -> None:
    program = """import tensorflow as tf
w = tf.Variable(2.0, name="w")
y = tf.log(w - 3.0)
train = tf.train.GradientDescentOptimizer(0.01).minimize(y)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("y", sess.run([y, train])[0])
"""
    legacy, new = tmp_path / "legacy", tmp_path / "new"
    legacy.mkdir()
    (legacy / "train.py").write_text(program)
    with pytest.raises(SystemExit):
        main(["rewrite", str(legacy), "--output", str(new), "--tier", tier, "--quiet"])
    saved = str(tmp_path / "model")
    tf.raw_ops.SaveV2(prefix=saved, tensor_names=["w"], shape_and_slices=[""], tensors=[tf.constant(4.0)])
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "parity" not in output.splitlines()[0]
    status, output = run(legacy, new, "--checkpoint", saved, "--", "train.py")
    assert status == 0, output
    assert output.startswith("train.py on cpu: parity")


SEEDED = """\
import sys

import tensorflow as tf

tf.set_random_seed(3)
w = tf.Variable(tf.random_normal([2], seed=5), name="w")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(w * 2.0))
"""


@pytest.mark.parametrize("fails", [False, True])
def test_the_migrated_program_also_runs_as_it_is(fails: bool, tmp_path: Path) -> None:
    """The probe takes the random operations out of the graph: what they alone break, it does not see."""
    legacy, new = tmp_path / "legacy", tmp_path / "new"
    legacy.mkdir()
    (legacy / "train.py").write_text(SEEDED)
    with pytest.raises(SystemExit):
        main(["rewrite", str(legacy), "--output", str(new), "--tier", "bridge", "--quiet"])
    program = new / "train.py"
    if fails:
        broken = (
            "if any(op.type == 'RandomStandardNormal' for op in w.graph.get_operations()):\n    sys.exit('it draws')\n"
        )
        program.write_text(program.read_text().replace("with compat.Session()", f"{broken}with compat.Session()"))
    status, output = run(legacy, new, "--", "train.py")
    if fails:
        assert status == 1 and "migrated failed" in output and "exit status 1: it draws" in output, output
    else:
        assert status == 0 and "train.py on cpu: parity" in output, output
