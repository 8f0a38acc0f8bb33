"""`tf-migrate map`: what it prints, what it refuses, and the exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tf_migrate.cli import main

PROGRAM = """\
import sys
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]), name='w')
loss = tf.reduce_mean(
    tf.square(tf.matmul(x, w)))
train = tf.train.AdamOptimizer(0.1).minimize(loss)
if len(sys.argv) > 1:
    extra = tf.zeros([2])
saver = tf.train.Saver()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run([train, loss], {x: [[1.0, 2.0]]}))
print(sess.run(sys.argv[1:]))
saver.save(sess, './model')
"""
TEXT = """\
main.py
  lines that build
    main.py: 4-5, 7-8, 11, 13
  lines that may build: a condition decides that only the running program knows
    main.py: 10
  variables: 5
    w:0 [2, 1]  main.py:5
    beta1_power:0 [], not trainable  main.py:8
    beta2_power:0 [], not trainable  main.py:8
    w/Adam:0 [2, 1], not trainable  main.py:8
    w/Adam_1:0 [2, 1], not trainable  main.py:8
  runs
    main.py:13: fetches init
    main.py:14: fetches Adam, Mean:0, feeds Placeholder:0
    main.py:15: not known: what is fetched or fed is not known
    main.py:16: fetches save/control_dependency:0, feeds save/Const:0
"""

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Calls `tf-migrate map` in `tmp_path`; gives the status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main(("map", *arguments))
        out, err = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return run


def test_a_program_as_text(call: Call) -> None:
    Path("main.py").write_text(PROGRAM)
    assert call("main.py") == (0, TEXT, "")


def test_a_program_in_the_schema_of_recordings(call: Call) -> None:
    Path("tree/lib").mkdir(parents=True)
    Path("tree/main.py").write_text(PROGRAM)
    Path("tree/lib/other.py").write_text(PROGRAM)
    status, out, err = call("tree", "--entry", "main.py", "--format", "json")
    found: dict[str, Any] = json.loads(out)
    assert (status, err) == (0, "")
    assert found["entry"] == "main.py"
    assert (found["lines"], found["maybe"]) == ({"main.py": [4, 5, 7, 8, 11, 13]}, {"main.py": [10]})
    assert found["variables"][0] == {
        "name": "w:0", "shape": [2, 1], "dtype": None, "trainable": True, "at": ["main.py", 5]
    }  # fmt: skip
    assert found["runs"][1] == {
        "at": ["main.py", 14],
        "fetches": [["Adam", None, "main.py", 8], ["Mean:0", None, "main.py", 7]],
        "feeds": [["Placeholder:0", "main.py", 4, None]],
        "times": None,
    }
    assert found["runs"][2]["unknown"] is True
    assert found["runs"][2]["reason"] == "what is fetched or fed is not known"


def test_every_program_of_a_tree_that_has_a_graph(call: Call) -> None:
    for name in ("b.py", "a.py"):
        Path(name).write_text(PROGRAM)
    Path("plain.py").write_text("import json\nprint(json.dumps({}))\n")
    status, out, _ = call(".")
    assert (status, [line for line in out.splitlines() if line and not line.startswith(" ")]) == (0, ["a.py", "b.py"])
    _, out, _ = call(".", "--format", "json")
    assert [program["entry"] for program in json.loads(out)["programs"]] == ["a.py", "b.py"]


def test_modules_of_the_tree_are_followed(call: Call) -> None:
    Path("net").mkdir()
    Path("net/model.py").write_text(
        "import tensorflow as tf\n\n\nclass Net:\n    def __init__(self, sizes):\n"
        "        self.x = tf.placeholder(tf.float32, [None, 3], name='x')\n        h = self.x\n"
        "        for size in sizes:\n            h = tf.layers.dense(h, size, activation=tf.nn.relu)\n"
        "        self.out = h\n"
    )
    Path("train.py").write_text(
        "import tensorflow as tf\nfrom net.model import Net\nnet = Net([4, 2])\n"
        "with tf.Session() as sess:\n    print(sess.run(net.out, {net.x: [[1., 2., 3.]]}))\n"
    )
    _, out, _ = call("train.py")
    assert "net/model.py: 6, 9\n" in out
    assert "dense_1/kernel:0 [4, 2]  net/model.py:9" in out
    assert "train.py:5: fetches dense_1/Relu:0, feeds x:0" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "nowhere: no such file or folder"),
        ((".", "--entry", "mian.py"), "--entry mian.py: no such program in {folder}; did you mean main.py?"),
        (("main.py", "--entry", "main.py"), "this is a file; name the folder of the tree"),
        (("empty",), "no program here builds a graph or runs a session"),
    ],
)
def test_what_is_asked_wrongly(call: Call, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    Path("main.py").write_text(PROGRAM)
    Path("empty").mkdir()
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert said.format(folder=tmp_path) in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import tensorflow as tf\nx = (\n", "main.py: failed: line 2:"),
        ("import tensorflow as tf\nprint 'loss'\n", "main.py: failed: line 2:"),
        ("print 'no import'\n", "main.py: failed: line 1:"),
    ],
)
def test_programs_that_cannot_be_read_fail(call: Call, text: str, said: str) -> None:
    Path("main.py").write_text(text)
    status, out, err = call("main.py")
    assert (status, out) == (3, "")
    assert err.startswith(said)


def test_one_that_cannot_be_read_does_not_hide_the_others(call: Call) -> None:
    Path("main.py").write_text(PROGRAM)
    Path("old.py").write_text("import tensorflow as tf\nprint 'loss'\n")
    status, out, err = call(".")
    assert (status, out) == (3, TEXT)
    assert err.startswith("old.py: failed: line 2:")
