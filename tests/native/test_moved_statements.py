"""Statements that move into functions as a whole, and what scopes, variables and texts around them come to."""

from __future__ import annotations

from tests.native.native import made_native, printed
from tests.native.test_conversions import MODEL, native


def test_what_begins_with_a_number_or_an_empty_list_moves_as_a_whole() -> None:
    code = "total = 0\ntotal += loss\ntotal = total + 1.0\nparts = []\nparts.append(y)\nparts.append(2.0 * y)\n"
    code += "print(sess.run(total, {x: [1.0]}), sess.run(tf.add_n(parts), {x: [1.0]}))\n"
    text = native(code)
    assert "\ntotal = 0\n" not in text
    assert printed(text) == "3.0 [6.]\n"


def test_loops_fill_lists_and_dictionaries_of_their_own() -> None:
    code = "def f(t):\n    made, named = [], {}\n    for n in range(3):\n        t = t + 1.0\n        made.append(t)\n"
    code = code.replace("made, named = [], {}", "made = []\n    named = {}")
    code += "        named[n] = t * 10.0\n    return tf.stack(made), named[2]\n"
    code += "a, b = f(y)\nva, vb = sess.run([a, b], {x: [1.0]})\nprint(va.tolist(), vb)\n"
    assert printed(native(code)) == "[[3.0], [4.0], [5.0]] [50.]\n"


def test_a_loop_over_trainable_variables() -> None:
    code = (
        "penalty = 0.0\nfor v in tf.trainable_variables():\n    penalty += tf.nn.l2_loss(v)\nprint(sess.run(penalty))\n"
    )
    assert printed(native(code)) == "2.0\n"


def test_a_function_sees_the_module_and_not_its_caller() -> None:
    code = "k = 3.0\ndef inner(t):\n    return t * k\ndef outer(t):\n    k = t + 100.0\n    return inner(t) + 0.0 * k\n"
    code += "print(sess.run(outer(y), {x: [1.0]}))\n"
    assert printed(native(code)) == "[6.]\n"


def test_branches_that_raise_do_not_go_on() -> None:
    code = "def f(t, kind):\n    if kind == 'a':\n        out = t * 2.0\n    else:\n        raise ValueError(kind)\n"
    code += "    return out\nprint(sess.run(f(y, 'a'), {x: [1.0]}))\n"
    assert printed(native(code)) == "[4.]\n"


def test_variables_that_are_initialized_one_by_one() -> None:
    code = "a = tf.Variable(3.0)\nsess.run(a.initializer)\nb = tf.Variable(tf.zeros_like(a))\n"
    code += "sess.run(tf.variables_initializer([b]))\nprint(sess.run(a + b))\n"
    text = native(code)
    assert "initializer" not in text
    assert printed(text) == "3.0\n"


def test_variables_that_are_initialized_behind_other_runs() -> None:
    code = "print(sess.run(y, {x: [1.0]}))\nv = tf.Variable(5.0)\nsess.run(tf.global_variables_initializer())\n"
    assert printed(native(f"{code}print(sess.run(v))\n")) == "[2.]\n5.0\n"


def test_a_program_without_summaries_merges_none() -> None:
    assert printed(native("merged = tf.summary.merge_all()\nprint(merged, sess.run(w))\n")) == "None 2.0\n"


def test_scopes_in_which_functions_are_called() -> None:
    code = "with tf.name_scope('a'):\n    v = tf.Variable(3.0)\n    z = y * v\n    sess.run(v.initializer)\n"
    code += "    print(sess.run(z, {x: [1.0]}))\nwith tf.name_scope('b'):\n    u = y + 1.0\n"
    code += "    print(sess.run(u, {x: [1.0]}))\n"
    text = native(code)
    assert text.count("def compute_z") == 1
    assert "name_scope('b')" not in text
    assert printed(text) == "[6.]\n[3.]\n"


def test_two_optimizers_of_one_class_number_what_they_save() -> None:
    code = "import tempfile\nmore = tf.train.RMSPropOptimizer(0.1).minimize(loss + w * w)\n"
    code += "less = tf.train.RMSPropOptimizer(0.1).minimize(loss * w)\nsaver = tf.train.Saver()\n"
    code += "with tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n"
    code += "    s.run([more], {x: [1.0]})\n    s.run([less], {x: [1.0]})\n"
    code += "    path = saver.save(s, tempfile.mkdtemp() + '/m')\n"
    code += "    names = sorted(name for name, _ in tf.train.list_variables(path))\nprint(names)\n"
    code = MODEL.split("train =")[0] + code
    result = made_native(code)
    assert printed(result.text) == "['w', 'w/RMSProp', 'w/RMSProp_1', 'w/RMSProp_2', 'w/RMSProp_3']\n"


def test_tensors_that_functions_saw_from_outside_are_handed_over() -> None:
    code = "def inner(t):\n    return t * y\ndef outer(t, k=2.0):\n    return inner(t) * k + x\n"
    code += "z = outer(x)\ny = tf.constant(0.0)\nprint(sess.run(z, {x: [3.0]}))\n"
    text = native(code)
    assert "def outer(t, k=2.0, *, y, x):" in text
    assert "inner(t, y=y)" in text
    assert printed(text) == "[39.]\n"


def test_variables_that_functions_take_by_default() -> None:
    code = "ws = {'a': w}\ndef f(t, v=ws):\n    return t * v['a']\nprint(sess.run(f(x), {x: [3.0]}))\n"
    assert printed(native(code)) == "[6.]\n"


def test_random_numbers_that_one_variable_begins_with() -> None:
    code = (
        "r = tf.random_uniform([2], 4.0, 4.0) * 0.5\nv = tf.Variable(r)\nsess.run(v.initializer)\nprint(sess.run(v))\n"
    )
    text = native(code)
    assert "def " not in text
    assert printed(text) == "[2. 2.]\n"


def test_scopes_number_the_summaries_of_their_name() -> None:
    code = (
        "import glob, tempfile\nwith tf.name_scope('Loss'):\n    total = loss * 1.0\ntf.summary.scalar('loss', total)\n"
    )
    code += "merged = tf.summary.merge_all()\nfolder = tempfile.mkdtemp()\nwriter = tf.summary.FileWriter(folder)\n"
    code += "writer.add_summary(sess.run(merged, {x: [1.0]}), 1)\nwriter.close()\n"
    code += "print([v.tag for e in tf.train.summary_iterator(glob.glob(folder + '/*')[0]) for v in e.summary.value])\n"
    assert printed(native(code)) == "['loss_1']\n"


def test_static_shapes_in_texts_that_are_printed() -> None:
    text = native("print('{} of {}'.format(y.shape.ndims, 3))\nprint(sess.run(loss, {x: [1.0]}))\n")
    assert printed(text) == "1 of 3\n2.0\n"


def test_shapes_are_printed_between_the_results_that_they_were_printed_between() -> None:
    code = "print('x', x.shape.ndims)\nprint(sess.run(y, {x: [1.0]}))\n"
    code += "print('y', y.shape.ndims, x.shape.ndims)\nprint(sess.run(loss, {x: [1.0]}))\n"
    assert printed(native(code)) == "x 1\n[2.]\ny 1 1\n2.0\n"


def test_a_scope_that_ends_with_what_moves_and_blank_lines_behind_it() -> None:
    code = (
        "with tf.name_scope('cost'):\n    more = loss * 2.0\n    print('built')\n    tf.summary.scalar('more', more)\n"
    )
    code += "\n\n# behind the scope\nmerged = tf.summary.merge_all()\nprint(len(sess.run(merged, {x: [1.0]})) > 0)\n"
    text = native(code)
    assert "\n\n\n\n" not in text
    assert "name_scope" not in text
    assert printed(text) == "built\nTrue\n"


def test_a_vocabulary_is_none_of_the_graph() -> None:
    code = "from tensorflow.contrib import learn\nwords = learn.preprocessing.VocabularyProcessor(3)\n"
    code += "rows = list(words.fit_transform(['to be or not', 'be']))\n"
    code += "table = tf.one_hot(tf.constant(rows[1]), len(words.vocabulary_))\nprint(sess.run(table).argmax(axis=1))\n"
    assert printed(native(code)) == "[2 0 0]\n"


def test_records_and_versions_are_none_of_the_graph() -> None:
    code = """\
import os
import tempfile
def record(value):
    return tf.train.Example(
        features=tf.train.Features(feature={"v": tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))})
    )
def about():
    return "TensorFlow " + tf.__version__.partition(".")[0]
path = tempfile.mkdtemp() + "/records"
with tf.python_io.TFRecordWriter(path) as writer:
    for value in (3, 4):
        writer.write(record(value).SerializeToString())
message = about()
print(sess.run(loss, {x: [1.0]}))
print(os.path.getsize(path) > 40, message.startswith("TensorFlow"))
"""
    assert printed(native(code)) == "2.0\nTrue True\n"
