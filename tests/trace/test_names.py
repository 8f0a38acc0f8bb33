"""Names of ops and variables as TensorFlow 1.15.5 gives them; each was measured there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interpreter.execution import index_of
from tf_migrate.trace.program_map import ProgramMap, map_program

HEAD = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 4], name='x')\n"


def mapped(folder: Path, text: str) -> ProgramMap:
    """The map of a program that begins with `HEAD`."""
    return map_program(index_of(folder, {"main.py": HEAD + text}), "main")


def fetched(folder: Path, text: str) -> list[str]:
    """What a program fetches in its last run: `found`."""
    runs = mapped(folder, text + "sess = tf.Session()\nsess.run(found)\n").runs
    return [element.name for element in runs[-1].fetches] if not runs[-1].reason else ["?"]


def variables(folder: Path, text: str) -> list[str | None]:
    """The names of a program's variables."""
    return [each.name for each in mapped(folder, text).variables]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("found = [x + 1.0, x + 2.0, -x, x[0], x * x]\n", ["Neg:0", "add:0", "add_1:0", "mul:0", "strided_slice:0"]),
        ("with tf.name_scope('a'):\n  y = tf.exp(x)\nwith tf.name_scope('a'):\n  found = tf.exp(y)\n", ["a_1/Exp:0"]),
        ("with tf.name_scope('a') as s:\n  pass\nwith tf.name_scope(s):\n  found = tf.exp(x)\n", ["a/Exp:0"]),
        ("found = [tf.reduce_mean(x), tf.constant(1.0)]\n", ["Const_1:0", "Mean:0"]),
        ("found = tf.layers.dense(tf.layers.dense(x, 3), 2, tf.nn.tanh)\n", ["dense_1/Tanh:0"]),
        ("found = tf.contrib.layers.fully_connected(x, 3)\n", ["fully_connected/Relu:0"]),
        ("found = tf.unstack(x, axis=1)\n", ["unstack:0", "unstack:0", "unstack:0", "unstack:0"][:1]),
        ("found = tf.cond(x[0, 0] > 0, lambda: x + 1, lambda: x)\n", ["cond/Merge:0"]),
        ("found = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])\n", ["while/Exit:0"]),
        ("tf.summary.scalar('a b', 1.0)\nfound = tf.summary.merge_all()\n", ["Merge/MergeSummary:0"]),
        ("found = tf.losses.mean_squared_error(x, x)\n", ["mean_squared_error/value:0"]),
        ("import contextlib\n@contextlib.contextmanager\ndef scoped(name):\n  with tf.variable_scope(name):\n"
         "    with tf.name_scope('in'):\n      yield name\nwith scoped('a'):\n  y = tf.exp(x)\n"
         "  z = tf.get_variable('z', [])\nfound = [y, z, tf.exp(x)]\n", ["Exp:0", "a/in/Exp:0", "a/z:0"]),
        ("t = tf.make_template('t', lambda v: v * tf.get_variable('k', []))\nfound = [t(x), t(x)]\n",
         ["t/mul:0", "t_1/mul:0"]),
        ("pair = tf.cond(x[0, 0] > 0, lambda: (x, x + 1), lambda: (x, x))\nfound = list(pair)\n",
         ["cond/Merge:0", "cond/Merge_1:0"]),
        ("out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), tf.expand_dims(x, 2), dtype=tf.float32)\n"
         "found = [out, out[:, -1, :]]\n", ["rnn/transpose_1:0", "strided_slice:0"]),
        ("w = tf.Variable(1.0)\nfound = [w, w.assign(2.0), tf.group(w.initializer)]\n",
         ["Assign:0", "Variable:0", "group_deps"]),
        ("w = tf.Variable(1.0)\nfound = tf.train.AdamOptimizer().minimize(w * 2.0, name='step')\n", ["step"]),
        # Nobody knows how often the loop builds: what comes behind it has no name.
        ("import sys\nfor each in sys.argv:\n  tf.exp(x)\nfound = tf.exp(x)\n", ["?"]),
        ("import sys\nfor each in sys.argv:\n  tf.exp(x)\nfound = tf.log(x)\n", ["Log:0"]),
        ("import sys\nif len(sys.argv) > 1:\n  tf.exp(x)\nfound = tf.exp(x)\n", ["?"]),
        # Nor what a function takes of whose names nothing is known; names of the program's own are its own.
        ("tf.image.adjust_gamma(x)\nfound = tf.exp(x)\n", ["?"]),
        ("tf.image.adjust_gamma(x)\nfound = tf.exp(x, name='mine')\n", ["mine:0"]),
    ],
)  # fmt: skip
def test_what_ops_are_called(tmp_path: Path, text: str, names: list[str]) -> None:
    assert fetched(tmp_path, text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("for n in (3, 2):\n  tf.Variable(tf.zeros([n]))\n", ["Variable:0", "Variable_1:0"]),
        ("for reuse in (False, True):\n  with tf.variable_scope('a', reuse=reuse):\n    tf.get_variable('w', [2])\n",
         ["a/w:0"]),
        ("for _ in range(2):\n  with tf.variable_scope('a', reuse=tf.AUTO_REUSE):\n"
         "    tf.layers.dense(x, 1, name='d')\n",
         ["a/d/kernel:0", "a/d/bias:0"]),
        ("for _ in range(2):\n  with tf.variable_scope(None, 'a'):\n    tf.get_variable('w', [2])\n",
         ["a/w:0", "a_1/w:0"]),
        ("with tf.name_scope('n'):\n  tf.Variable(1.0, name='v')\n  tf.get_variable('w', [2])\n", ["n/v:0", "w:0"]),
        ("w = tf.get_variable('w', [4, 1])\nother = tf.get_variable('other', [1])\n"
         "tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(tf.matmul(x, w)))\n",
         ["w:0", "other:0", "w/Momentum:0"]),
        ("w = tf.get_variable('w', [4, 1])\n"
         "tf.train.MomentumOptimizer(0.1, 0.9).minimize(-tf.reduce_sum(tf.matmul(x, w)))\n", ["w:0", "w/Momentum:0"]),
        ("w = tf.get_variable('w', [4, 1])\nloss = tf.reduce_sum(tf.stop_gradient(tf.matmul(x, w)))\n"
         "tf.train.AdagradOptimizer(0.1).minimize(loss + w[0, 0])\n", ["w:0", "w/Adagrad:0"]),
        ("cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.LSTMCell(3) for _ in range(2)])\n"
         "tf.nn.dynamic_rnn(cell, tf.expand_dims(x, 2), dtype=tf.float32)\n",
         [f"rnn/multi_rnn_cell/cell_{n}/lstm_cell/{part}:0" for n in (0, 1) for part in ("kernel", "bias")]),
        ("for name in ('a', 'b'):\n  with tf.variable_scope(name):\n"
         "    tf.get_variable('w', [4, 1], collections=['mine', tf.GraphKeys.GLOBAL_VARIABLES])\n"
         "tf.add_to_collection('mine', tf.Variable(1.0, name='c'))\n"
         "for each in tf.get_collection('mine'):\n  tf.Variable(0.0, name=each.op.name + '_copy')\n",
         ["a/w:0", "b/w:0", "c:0", "a/w_copy:0", "b/w_copy:0", "c_copy:0"]),
        ("FLAGS = tf.app.flags.FLAGS\ntf.app.flags.DEFINE_integer('n', 2, '')\n"
         "for n in range(FLAGS.n):\n  tf.Variable(1.0, name='v%d' % n)\n", ["v0:0", "v1:0"]),
        ("import argparse\np = argparse.ArgumentParser()\np.add_argument('--two-layers', action='store_true')\n"
         "a = p.parse_args()\ntf.Variable(1.0, name='two' if a.two_layers else 'one')\n", ["one:0"]),
    ],
)  # fmt: skip
def test_what_variables_are_called(tmp_path: Path, text: str, names: list[str]) -> None:
    assert variables(tmp_path, text) == names


def test_variables_that_may_never_be_made_have_no_name(tmp_path: Path) -> None:
    text = "import sys\nif len(sys.argv) > 1:\n  tf.Variable(1.0, name='w')\n"
    assert variables(tmp_path, text) == [None]


def test_branches_that_cannot_be_taken_make_nothing(tmp_path: Path) -> None:
    found = mapped(tmp_path, "DEBUG = False\nif DEBUG:\n  tf.Variable(1.0)\n")
    assert (found.variables, found.maybe) == ((), ())


def test_a_branch_beside_one_that_raises_is_certain(tmp_path: Path) -> None:
    found = mapped(tmp_path, "import sys\nif len(sys.argv) > 1:\n  raise ValueError\nelse:\n  y = tf.exp(x)\n")
    assert (found.lines, found.maybe) == ((("main.py", 2), ("main.py", 7)), ())


def test_a_regularizer_is_no_op_before_it_is_called(tmp_path: Path) -> None:
    found = mapped(tmp_path, "slim = tf.contrib.slim\nkeep = slim.l2_regularizer(0.1)\ny = tf.exp(x)\n")
    assert {line for _, line in found.lines} == {2, 5}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("y = tf.add(x,\n           1.0)\n", {4}),
        ("y = tf.add(tf.exp(x),\n           tf.log(\n               x))\n", {3, 5}),
        ("y = [tf.exp(each)\n     for each in [x]]\n", {4}),
        ("y = (lambda v:\n     tf.exp(v))(x)\n", {4}),
        ("y = tf.exp(x, name='''a\n''' 'b' if 0 else None)\n", {4}),
    ],
)
def test_the_line_is_the_one_of_a_traceback_of_python_3_7(tmp_path: Path, text: str, lines: set[int]) -> None:
    assert {line for _, line in mapped(tmp_path, text).lines} == lines | {2}


def test_the_seed_of_a_graph_is_no_op(tmp_path: Path) -> None:
    found = mapped(
        tmp_path, "graph = tf.Graph()\nwith graph.as_default():\n    tf.set_random_seed(3)\n    tf.exp(1.0)\n"
    )
    assert {line for _, line in found.lines} == {2, 6}
