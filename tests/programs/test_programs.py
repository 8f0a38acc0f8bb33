"""Programs of several modules: a class that builds a graph in one, a script that runs it in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native import test_modules
from tests.native.trees import printed, reasons, rewritten, tiers
from tf_migrate import pipeline
from tf_migrate.parity.analysis import analyse

MODEL = '''"""A line through data."""

import numpy as np
import tensorflow as tf

RATE = 0.1


class Line(object):
    def __init__(self, size):
        self.x = tf.placeholder(tf.float32, [None, size])
        self.y = tf.placeholder(tf.float32, [None])
        weights = tf.Variable(tf.ones([size, 1]), name="weights")
        self.value = tf.squeeze(tf.matmul(self.x, weights), axis=1)
        self.loss = tf.reduce_mean(tf.square(self.value - self.y))
        self.train_op = tf.train.GradientDescentOptimizer(RATE).minimize(self.loss)

    def predict(self, sess, x):
        return sess.run(self.value, {self.x: x})


def batch(size):
    return np.ones([2, size]), np.array([0.5, 1.0])
'''
TRAIN = '''"""Trains it."""

import tensorflow as tf
from model import Line, batch


def train():
    line = Line(2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            x, y = batch(2)
            feed = {line.x: x, line.y: y}
            _, loss = sess.run([line.train_op, line.loss], feed_dict=feed)
            print("%.4f" % loss)
        print("%.4f" % sess.run(line.value, {line.x: [[1.0, 2.0]]})[0])


if __name__ == "__main__":
    train()
'''
# What TensorFlow 1.15.5 prints.
PRINTED = "1.6250\n0.6250\n1.8000\n"


def _without_predict(model: str = MODEL) -> str:
    start, end = model.index("    def predict"), model.index("\n\ndef batch")
    return model[:start] + model[end:]


PLAIN = _without_predict().replace("self.loss)\n\n\n\n", "self.loss)\n\n\n")


def _tree(model: str = PLAIN, train: str = TRAIN, **others: str) -> dict[str, str]:
    return {"model.py": model, "train.py": train, **{f"{name}.py": text for name, text in others.items()}}


def _by_module() -> dict[str, str]:
    train = TRAIN.replace("from model import Line, batch", "import model as lines")
    return _tree(train=train.replace("Line(2)", "lines.Line(2)").replace("batch(2)", "lines.batch(2)"))


def _package() -> dict[str, str]:
    return {
        "nets/__init__.py": "from .model import Line\n",
        "nets/rates.py": "RATE = 0.1\n",
        "nets/model.py": PLAIN.replace("\nRATE = 0.1\n", "from .rates import RATE\n"),
        "train.py": TRAIN.replace(
            "from model import Line, batch", "from nets import Line\nfrom nets.model import batch"
        ),
    }


def _flags_and_losses() -> dict[str, str]:
    flags = "flags = tf.app.flags\nFLAGS = flags.FLAGS\n"
    model = PLAIN.replace("RATE = 0.1\n", flags).replace("(RATE)", "(FLAGS.rate)")
    model = model.replace("tf.square(self.value - self.y)", "distance(self.value, self.y)")
    model = model.replace("import tensorflow as tf\n", "import tensorflow as tf\n\nfrom losses import distance\n")
    train = TRAIN.replace("\n\ndef train", f"\n{flags}flags.DEFINE_float('rate', 0.1, 'speed')\n\n\ndef train")
    losses = "import tensorflow as tf\n\n\ndef distance(a, b):\n    return tf.square(a - b)\n"
    return _tree(model, train, losses=losses)


def _session_handed() -> dict[str, str]:
    model = MODEL.replace("self, size):", "self, sess, size):\n        self.sess = sess").replace(
        "self, sess, x", "self, x"
    )
    model = model.replace("return sess.run", "return self.sess.run")
    train = TRAIN.replace("    line = Line(2)\n", "").replace("as sess:\n", "as sess:\n        line = Line(sess, 2)\n")
    return _tree(model, train.replace("sess.run(line.value, {line.x: [[1.0, 2.0]]})", "line.predict([[1.0, 2.0]])"))


def _step_in_the_script() -> dict[str, str]:
    step = "        self.train_op = tf.train.GradientDescentOptimizer(RATE).minimize(self.loss)\n"
    train = TRAIN.replace("import Line, batch", "import RATE, Line, batch").replace("line.train_op", "train_op")
    made = f"    train_op = {step.strip().partition(' = ')[2].replace('self', 'line')}\n    saver = tf.train.Saver()\n"
    return _tree(PLAIN.replace(step, ""), train.replace("Line(2)\n", f"Line(2)\n{made}"))


_LOGS = "import tensorflow as tf\n\ntf.logging.info('here')\n"
CONVERTED = {
    "a class and functions of another module": (_tree(), PRINTED),
    "a module that is imported by its name": (_by_module(), PRINTED),
    "a package with modules of its own": (_package(), PRINTED),
    "flags that both modules have, and builders that stay by themselves": (_flags_and_losses(), PRINTED),
    "a session that is handed to the object": (_session_handed(), PRINTED),
    "a training step and a Saver in the script": (_step_in_the_script(), PRINTED),
    "a seed of the module, and a script whose last line has no end": (
        _tree(PLAIN.replace("RATE = 0.1", "RATE = 0.1\ntf.set_random_seed(1)"), TRAIN.rstrip("\n")),
        PRINTED,
    ),
    "several objects, and a module beside them that uses TensorFlow": (
        _tree(test_modules.MODEL, "import logs\nimport tensorflow as tf\n" + test_modules.USE, logs=_LOGS),
        test_modules.PRINTED,
    ),
    "all names of the module": (
        _tree(test_modules.MODEL, test_modules.USE.replace("import Line", "import *")),
        test_modules.PRINTED,
    ),
}
# One process for all of them: most of a process's time is the import of TensorFlow.
RUN_ALL = """
import os, runpy, sys

for folder in sorted(os.listdir(".")):
    if os.path.isdir(folder) and os.path.exists(os.path.join(folder, "train.py")):
        before, path = set(sys.modules), list(sys.path)
        sys.path.insert(0, folder)
        runpy.run_path(os.path.join(folder, "train.py"), run_name="__main__")
        sys.path[:] = path
        for name in set(sys.modules) - before:
            if getattr(sys.modules[name], "__file__", None) and folder in sys.modules[name].__file__:
                del sys.modules[name]
"""


def test_converted_programs_print_what_the_originals_did(tmp_path: Path) -> None:
    for number, (name, (texts, _)) in enumerate(CONVERTED.items()):
        folder = tmp_path / f"tree_{number}"
        folder.mkdir()
        outcome = rewritten(folder, texts)
        assert tiers(outcome) == {"native"}, (name, reasons(outcome))
        assert not any("sess." in path.read_text() for path in folder.rglob("*.py")), name
    (tmp_path / "run_all.py").write_text(RUN_ALL)
    assert printed(tmp_path, "run_all.py") == "".join(expected for _, expected in CONVERTED.values())


def test_each_module_gets_its_part(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, _tree())
    model, train = ((tmp_path / name).read_text() for name in ("model.py", "train.py"))
    assert "self.train_step = train_step" in model
    assert "placeholder" not in model
    assert "loss = line.train_step(x, y).numpy()" in train
    assert [(site.path, site.line) for site in outcome.report.sites] == [("train.py", line) for line in (10, 14, 16)]
    assert {finding.path for finding in outcome.report.findings} == {"model.py", "train.py"}


def test_what_was_rewritten_stays_as_it_is(tmp_path: Path) -> None:
    for texts in (_tree(), _package()):
        rewritten(tmp_path, texts)
        again = rewritten(tmp_path, {name: (tmp_path / name).read_text() for name in texts})
        assert not again.contents


def test_only_the_names_of_modules_are_spelled_anew(tmp_path: Path) -> None:
    rewritten(tmp_path, _by_module())
    assert "x, y = lines.batch(2)" in (tmp_path / "train.py").read_text()


def test_parameters_for_the_session_go_in_both_modules(tmp_path: Path) -> None:
    rewritten(tmp_path, _session_handed())
    assert "def __init__(self, size):" in (tmp_path / "model.py").read_text()
    assert "line = Line(2)" in (tmp_path / "train.py").read_text()


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "the module builds when it is imported": (
        {"model": PLAIN + "\n\nline = Line(1)\n"},
        "line 23 of `model.py` may build when it is imported",
    ),
    "the module is used as a value": (
        {"train": TRAIN.replace("import Line, batch", "import Line, batch\nimport model\n\nprint(str(model))")},
        "the module `model` is used as a value",
    ),
    "the class has another name in the script": (
        {"train": TRAIN.replace("import Line,", "import Line as Curve,").replace("Line(2)", "Curve(2)")},
        "gives another name",
    ),
    "a name of the module is bound by the script": (
        {"train": TRAIN.replace("import Line, batch", "import Line, batch\nimport model\n\nmodel.RATE = 0.2")},
        "`model.RATE` is bound",
    ),
    "the module is imported inside a function": (
        {
            "train": TRAIN.replace("from model import Line, batch", "").replace(
                "    line =", "    import model\n    line ="
            )
        },
        "stands inside a function",
    ),
    "both set the seed": (
        {
            "model": PLAIN.replace("RATE = 0.1", "RATE = 0.1\ntf.set_random_seed(1)"),
            "train": TRAIN.replace("\n\ndef train", "\ntf.set_random_seed(2)\n\n\ndef train"),
        },
        "line 7 of `model.py` may build when it is imported",
    ),
    "a run needs what only the script knows": (
        {
            "train": TRAIN.replace("\n\ndef train", "\nSCALE = 2.0\n\n\ndef train").replace(
                "sess.run(line.value, {", "sess.run(line.value * SCALE, {"
            )
        },
        "`SCALE` is needed in `model.py` and known in another module only",
    ),
    "one run stays on the bridge": (
        {
            "train": TRAIN.replace(
                "sess.run(line.value, {", "sess.run(tf.numpy_function(len, [line.value], tf.int64), {"
            )
        },
        "`tf.numpy_function` is not understood by the native tier (train.py:16)",
    ),
    "the modules import each other": ({"model": PLAIN + "\n\nimport train\n"}, ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    texts, reason = REFUSED[name]
    outcome = rewritten(tmp_path, _tree(**texts))
    assert tiers(outcome) == {"bridge"}
    assert any(reason in told for told in reasons(outcome)), reasons(outcome)
    assert "open_graph" in (tmp_path / "train.py").read_text()
    assert "placeholder" in (tmp_path / "model.py").read_text()


def test_refused_where_a_module_stays_as_it_is(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, _tree(), kept=("model.py",))
    assert tiers(outcome) == {"bridge"}


def test_refused_where_a_module_asks_to_be_left_alone(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, _tree(model="# tf-migrate: skip-file\n" + PLAIN))
    assert tiers(outcome) == {"bridge"}
    assert "model.py" not in outcome.contents


def test_what_goes_wrong_with_one_program_loses_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(pipeline, "convert_all", fail)
    outcome = rewritten(tmp_path, _tree())
    assert tiers(outcome) == {"bridge"}
    assert "internal error (KeyError: 'x')" in reasons(outcome)[0]


def test_parity_finds_the_functions_in_the_other_module(tmp_path: Path) -> None:
    legacy, migrated = tmp_path / "legacy", tmp_path / "migrated"
    for folder in (legacy, migrated):
        folder.mkdir()
        rewritten(folder, _tree())
    for name, text in _tree().items():
        (legacy / name).write_text(text)
    found = analyse(legacy, migrated)
    assert found.functions == {"model.py": ("compute_value", "train_step"), "train.py": ()}
    assert found.tiers == {"native": 2}
    site = found.site("train.py", 14)
    assert site is not None and site.function == "train_step" and not found.is_plain(site)
