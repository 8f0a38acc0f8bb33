"""Programs whose modules give one name several meanings: each has its own there, and keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers
from tests.programs.test_programs import PLAIN, PRINTED, TRAIN
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.pipeline import run

MODEL = """import logging

import numpy as np
import tensorflow as tf
from ops import scale

logger = logging.getLogger(__name__)
RATE, count = 0.1, 0


def train(loss):
    return loss * RATE * 10.0


def counted():
    global count  # the number of calls
    count += 1
    logger.info("counted")
    return count


def main(size):
    return [train for _ in range(size)]


class Line(object):
    def __init__(self, size):
        self.x = tf.placeholder(tf.float32, [None, size])
        self.y = tf.placeholder(tf.float32, [None])
        weights = tf.Variable(tf.ones([size, 1]), name="weights")
        self.value = tf.squeeze(tf.matmul(self.x, weights), axis=1) * RATE * 10.0
        self.loss = tf.reduce_mean(tf.square(self.value - self.y))
        self.train = tf.train.GradientDescentOptimizer(RATE).minimize(train(self.loss))
"""
OPS = "RATE = 3.0\n\n\ndef scale(x):\n    return x * RATE\n"
SCRIPT = """import logging

import model
import ops
import tensorflow as tf
from model import Line

logger = logging.getLogger("train")
RATE = 2.0
count = 5


def train(number):
    line = Line(2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(number):
            feed = {line.x: [[1.0, 1.0], [1.0, 1.0]], line.y: [0.5, 1.0]}
            _, loss = sess.run([line.train, line.loss], feed_dict=feed)
            print("%.4f" % (loss * RATE), model.RATE, ops.RATE, RATE)
        print("%.4f" % sess.run(line.value, {line.x: [[1.0, 2.0]]})[0], count, model.counted())


def main():
    train(2)


if __name__ == "__main__":
    main()
"""
# What TensorFlow 1.15.5 prints.
SAID = "3.2500 0.1 3.0 2.0\n1.2500 0.1 3.0 2.0\n1.8000 5 1\n"


def _tree(model: str = MODEL, train: str = SCRIPT, ops: str = OPS) -> dict[str, str]:
    return {"model.py": model, "train.py": train, "ops.py": ops}


def _with_rates(train: str = TRAIN) -> dict[str, str]:
    return {"model.py": PLAIN, "train.py": train.replace("\n\ndef train", "\nRATE = 0.2\n\n\ndef train")}


CONVERTED = {
    "constants, functions, counters and loggers": (_tree(), SAID),
    "all names of a module": (
        _tree(
            MODEL.replace("import scale", "import *").replace("RATE, count = 0.1, 0", "count = 0"),
            SCRIPT.replace("model.RATE", "ops.RATE"),
            OPS.replace("3.0", "0.1").replace("\n\n\ndef", "\ncounted = 4\n\n\ndef"),
        ),
        SAID.replace("3.0 2.0", "0.1 2.0"),
    ),
    "an import and a function": (
        _tree(MODEL.replace("import numpy as np\n", "import numpy as np\nimport time\n"))
        | {"train.py": SCRIPT.replace("def main", "def time():\n    return 4.0\n\n\ndef main")},
        SAID,
    ),
    "a constant of the class's module": (_with_rates(), PRINTED),
    "a built-in function that another module gives another meaning": (
        {"model.py": PLAIN + "\n\ndef range(number):\n    return [number]\n", "train.py": TRAIN},
        PRINTED,
    ),
}


@pytest.mark.parametrize("name", CONVERTED)
def test_converted(tmp_path: Path, name: str) -> None:
    texts, expected = CONVERTED[name]
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == expected
    assert not any("ˑ" in (tmp_path / path).read_text() for path in texts)
    assert "ˑ" not in str(outcome.report)


def test_lines_end_as_they_did_and_places_are_those_of_the_file(tmp_path: Path) -> None:
    script = SCRIPT.replace("def train(number):", "def train(number, first=RATE, last=RATE):")
    script = (
        script.replace("print(", "count; print(").replace("% sess.run", "% RATE, sess.run").replace("})[0]", "})[0]")
    )
    for path, text in (("model.py", MODEL), ("ops.py", OPS), ("train.py", script.replace("\n", "\r\n"))):
        (tmp_path / path).write_bytes(text.encode())
    files = [TreeFile(tmp_path / path, path, True) for path in ("model.py", "ops.py", "train.py")]
    outcome = run(files, Options(paths=(tmp_path,)))
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert b"\n" not in outcome.contents["train.py"].replace(b"\r\n", b"")
    assert b"\r" not in outcome.contents["model.py"]
    lines = script.split("\n")
    for site in outcome.report.sites:
        assert lines[site.line - 1][site.column - 1 :].startswith("sess.run(")


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "a run needs the script's meaning in the other module": (
        _with_rates(TRAIN.replace("sess.run(line.value, {", "sess.run(line.value * RATE, {")),
        "`RATE` is needed in `model.py` and known in another module only",
    ),
    "a name is read by its text": (
        _tree(MODEL.replace("return loss * RATE", "return loss * eval('RATE')")),
        "`logger` means one thing in `model.py` and another in `train.py`",
    ),
    "names are asked for": (
        _tree(MODEL.replace("    return count\n", "    return vars(), count\n")),
        "means one thing in",
    ),
    "a name stands in an f-string": (
        _tree(MODEL.replace('info("counted")', 'info(f"{RATE}")')),
        "`RATE` means one thing in",
    ),
    "a class reads a name that it binds": (
        _tree(MODEL.replace("class Line(object):\n", "class Line(object):\n    RATE = RATE\n\n")),
        "`RATE` means one thing in",
    ),
    "a handler of errors binds a name": (
        _tree(MODEL + "\n\ntry:\n    scale(1)\nexcept ValueError as RATE:\n    pass\n"),
        "`RATE` means one thing in",
    ),
    "the script begins with the other module's value": (
        _with_rates(TRAIN.replace("import Line, batch", "import Line, RATE, batch")),
        "`RATE` means one thing in `model.py` and another in `train.py`",
    ),
    "a module whose name is bound by a path": (
        _tree(
            MODEL.replace("import logging\n", "import logging\nimport os.path\n"),
            SCRIPT.replace("count = 5", "count = 5\nos = 3"),
        ),
        "`os` means one thing in",
    ),
    "the mark is a letter of the program's": (
        _tree(train=SCRIPT.replace("RATE = 2.0", "RATE = RATEˑ2 = 2.0")),
        "`logger` means one thing in",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    texts, reason = REFUSED[name]
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"bridge"}
    assert any(reason in told for told in reasons(outcome)), reasons(outcome)
    assert "ˑ" not in "".join(reasons(outcome)).replace("RATEˑ2", "")
