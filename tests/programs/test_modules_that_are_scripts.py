"""Modules that others import and that are scripts as well: each is the script of a program of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers
from tests.programs.test_programs import MODEL, PLAIN, PRINTED, TRAIN
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.pipeline import run

GUARD = '\n\nif __name__ == "__main__":\n    '
TRY = """

def main():
    line = Line(1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        feed = {line.x: [[2.0]], line.y: [1.0]}
        for _ in range(2):
            _, loss = sess.run([line.train_op, line.loss], feed_dict=feed)
            print("%.4f" % loss)
        print("%.4f" % sess.run(line.value, {line.x: [[1.0]]})[0])
"""
# What TensorFlow 1.15.5 prints.
TRIED = "1.0000\n0.0400\n0.5200\n"
APP = TRAIN.replace("train()", "main(_)").replace("    main(_)\n", "    tf.app.run()\n")
SHAPES = "\n\ndef main(_):\n    print(batch(3)[0].shape)\n"
EVALUATE = """import tensorflow as tf
from model import Line
from train import SIZE


def main():
    line = Line(SIZE)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print("%.4f" % sess.run(line.value, {line.x: [[1.0, 2.0]]})[0])


if __name__ == "__main__":
    main()
"""
STEPS = TRAIN.replace("\n\ndef train", "\nSIZE = 2\n\n\ndef train").replace("Line(2)", "Line(SIZE)")

SETTING = "\n\ndef set_rate(rate):\n    global RATE\n    RATE = rate\n"
RATED = TRAIN.replace("\n\ndef train", "\nRATE = 0.3\nprint(RATE)\n\n\ndef train")


def _tree(model: str, train: str = TRAIN, **others: str) -> dict[str, str]:
    return {"model.py": model, "train.py": train, **{f"{name}.py": text for name, text in others.items()}}


# With what TensorFlow 1.15.5 prints.
CONVERTED = {
    "the guard does nothing with TensorFlow": (
        _tree(f"{PLAIN}{GUARD}print(RATE)\n"),
        {"train.py": PRINTED, "model.py": "0.1\n"},
    ),
    "both have a function of one name, which `tf.app.run` calls": (
        _tree(f"{PLAIN}{SHAPES}{GUARD}tf.app.run()\n", APP),
        {"train.py": PRINTED, "model.py": "(2, 3)\n"},
    ),
    "the guard trains the model as the other script does": (
        _tree(f"{PLAIN}{TRY}{GUARD}main()\n"),
        {"train.py": PRINTED, "model.py": TRIED},
    ),
    "the guard binds a name that nothing else reads": (
        _tree(f"{PLAIN}{GUARD}x = batch(2)\n    print(x[1])\n", TRAIN.replace("import Line, batch", "import *")),
        {"train.py": PRINTED, "model.py": "[0.5 1. ]\n"},
    ),
    "both have a value of one name, which the model's own program reads as well": (
        _tree(f"{PLAIN}{TRY.replace('line = Line(1)', 'line = Line(int(RATE * 10))')}{GUARD}main()\n", RATED),
        {"train.py": f"0.3\n{PRINTED}", "model.py": TRIED},
    ),
    "a function that the guard calls binds a value that both read": (
        _tree(f"{PLAIN}{SETTING}{TRY}{GUARD}set_rate(0.05)\n    main()\n"),
        {"train.py": PRINTED, "model.py": "1.0000\n0.3600\n0.6800\n"},
    ),
    "a script between the model and another script": (
        _tree(PLAIN, TRAIN, again="from train import train\n\ntrain()\n"),
        {"train.py": PRINTED, "again.py": PRINTED},
    ),
}


@pytest.mark.parametrize("name", CONVERTED)
def test_converted_programs_print_what_the_originals_did(tmp_path: Path, name: str) -> None:
    texts, expected = CONVERTED[name]
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert not any("sess." in path.read_text() for path in tmp_path.glob("*.py"))
    assert {script: printed(tmp_path, script) for script in expected} == expected
    assert not rewritten(tmp_path, {path.name: path.read_text() for path in tmp_path.glob("*.py")}).contents


SAVED = "\n\ndef saved():\n    return np.float32({word})\n"
LOST = TRAIN.replace("import Line, batch", "import Line, batch, saved").replace("batch(2)", "batch(2 + int(saved()))")
HELP = "\n\ndef predict(sess, line, x):\n    return sess.run(line.value, {line.x: x})\n"
HELPED = TRAIN.replace("import Line, batch", "import Line, batch, predict").replace(
    "sess.run(line.value, {line.x: [[1.0, 2.0]]})", "predict(sess, line, [[1.0, 2.0]])"
)
ARGUMENTS = """import argparse

    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=0.1)
    args = parser.parse_args()
"""
OPAQUE = TRY.replace("sess.run(line.value", "sess.run(tf.numpy_function(len, [line.value], tf.int64)")
REGISTERED = "\n\nFOUND = []\n\n\n@FOUND.append\ndef make():\n    return Line(1).loss\n"
BASE = """class Base(object):
    kinds = []

    def __init_subclass__(cls):
        Base.kinds.append(cls)


class Line(Base)"""
TEST = """

class LineTest(tf.test.TestCase):
    def test_it(self):
        with self.test_session() as sess:
            line = Line(1)
            sess.run(tf.global_variables_initializer())
            sess.run(line.value, {line.x: [[1.0]]})
"""
BUILDS = "`model.py` runs no session in a way that is followed, and may build"
REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "the guard builds a graph that it does not run": (_tree(f"{PLAIN}{GUARD}print(Line(1).loss)\n"), BUILDS),
    "the guard's run stays on the bridge": (
        _tree(f"{PLAIN}{OPAQUE}{GUARD}main()\n"),
        "`tf.numpy_function` is not understood by the native tier (model.py:31)",
    ),
    "the guard runs another part of the graph": (
        _tree(f"{PLAIN}{TRY.replace('line.loss]', 'line.value]')}{GUARD}main()\n"),
        "need different code in `model.py`",
    ),
    "the other script runs less of the graph": (
        _tree(PLAIN, STEPS, evaluate=EVALUATE),
        "need different code in `model.py`",
    ),
    "a function that others call reads what the guard binds": (
        _tree(f"{PLAIN}{SAVED.format(word='offset')}{GUARD}offset = 0\n    print(saved())\n", LOST),
        "`offset` is known in `model.py` only where that is the script",
    ),
    "the class reads the command line that the guard takes": (
        _tree(f"{PLAIN.replace('(RATE)', '(args.rate)')}{TRY}{GUARD}{ARGUMENTS}    main()\n"),
        "`args` is known in `model.py` only where that is the script",
    ),
    "the guard binds a name anew that is Python's where the module is imported": (
        _tree(f"{PLAIN}{SAVED.format(word='len([])')}{GUARD}len = sum\n    print(saved())\n", LOST),
        "`len` is known in `model.py` only where that is the script",
    ),
    "the other script imports what the guard binds": (
        _tree(f"{PLAIN}{GUARD}size = 2\n", TRAIN.replace("import Line, batch", "import Line, batch, size")),
        "something that no module here makes",
    ),
    "the other script uses what the guard binds": (
        _tree(
            f"{PLAIN}{GUARD}size = 2\n",
            TRAIN.replace("import Line, batch", "import Line, batch\nimport model").replace(
                "Line(2)", "Line(model.size)"
            ),
        ),
        "`model.size` is bound, or no module here makes it",
    ),
    "an import does something else": (
        _tree(f"{PLAIN}{GUARD}print(RATE)\nelse:\n    RATE = 0.5\n"),
        "line 23 of `model.py` runs something else when it is imported",
    ),
    "the guard calls a function that becomes another one": (
        _tree(f"{PLAIN}{HELP}{GUARD}print(predict is None or predict(None, None, 1))\n", HELPED),
        "`predict`, which runs the session, is passed on (model.py:28)",
    ),
    "the guard finds the class by its name": (_tree(f"{PLAIN}{GUARD}print(globals()['Line'](1).loss)\n"), BUILDS),
    "the guard finds the class by a text": (_tree(f"{PLAIN}{GUARD}print(eval('Line(1)').loss)\n"), BUILDS),
    "a decorator registers the function that the guard calls": (
        _tree(f"{PLAIN}{REGISTERED}{GUARD}print(FOUND[0]())\n"),
        BUILDS,
    ),
    "a class is made to register what derives from it": (
        _tree(f"{PLAIN.replace('class Line(object)', BASE)}{GUARD}print(Base.kinds[0](1).loss)\n"),
        BUILDS,
    ),
    "the other script runs the module as a script": (
        _tree(
            f"{PLAIN}{GUARD}print(RATE)\n",
            TRAIN.replace("import Line, batch", "import Line, batch\nimport runpy").replace(
                "    train()", "    runpy.run_module('model', run_name='__main__')\n    train()"
            ),
        ),
        "runs something else when it is imported",
    ),
    "the module gives itself the name of a script": (
        _tree(PLAIN.replace("RATE", '__name__ = "__main__"\nRATE', 1) + f"{GUARD}print(RATE)\n"),
        "runs something else when it is imported",
    ),
    "the module and the script import each other": (
        _tree(f"{PLAIN}{GUARD}import train\n\n    train.train()\n"),
        "another module of the tree imports this one",
    ),
    "the guard calls a function that runs what others give it": (
        _tree(f"{PLAIN}{HELP}{GUARD}print(predict(None, None, 1))\n"),
        "`predict` is not given the session that it runs as `sess` (model.py:28)",
    ),
    "no script makes an object of the class": (
        _tree(f"{MODEL}{GUARD}print(RATE)\n", "from model import RATE\n\nprint(RATE)\n"),
        "the session runs inside a class (model.py:19)",
    ),
    "a test of the model is beside it": (_tree(f"{PLAIN}{TEST}{GUARD}tf.test.main()\n"), "`Line` uses TensorFlow"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    texts, reason = REFUSED[name]
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"bridge"}
    assert any(reason in told for told in reasons(outcome)), reasons(outcome)
    assert "placeholder" in (tmp_path / "model.py").read_text()


def test_refused_where_the_script_between_stays_as_it_is(tmp_path: Path) -> None:
    texts = _tree(PLAIN, TRAIN, again="from train import train\n\ntrain()\n")
    assert tiers(rewritten(tmp_path, texts, kept=("train.py",))) <= {"bridge"}
    assert "placeholder" in (tmp_path / "model.py").read_text()


def test_lines_end_as_they_did(tmp_path: Path) -> None:
    model, train = f"{PLAIN}{TRY}{GUARD}main()\n".replace("\n", "\r\n"), RATED
    files = []
    for name, text in (("model.py", model), ("train.py", train)):
        (tmp_path / name).write_bytes(text.encode())
        files.append(TreeFile(tmp_path / name, name, True))
    outcome = run(files, Options(paths=(tmp_path,)))
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert b"\n" not in outcome.contents["model.py"].replace(b"\r\n", b"")
    assert b"\r" not in outcome.contents["train.py"]
    for name, content in outcome.contents.items():
        (tmp_path / name).write_bytes(content)
    assert printed(tmp_path, "model.py") == TRIED
    assert printed(tmp_path, "train.py") == f"0.3\n{PRINTED}"
