"""Queues that threads kept full: the same elements in the same order, the same ends, no threads."""

from __future__ import annotations

import re

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten

HEAD = "import numpy as np\nimport tensorflow as tf\n"
SLICES = (
    HEAD + "xs = np.arange(5, dtype=np.float32)\nx, n = tf.train.slice_input_producer([xs, list(range(5))], ORDER)\n"
)
ENDLESS, ONCE = SLICES.replace("ORDER", "shuffle=False"), SLICES.replace("ORDER", "num_epochs=1, shuffle=False")
SESSION = """\
sess = tf.Session()
sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
coord = tf.train.Coordinator()
threads = tf.train.start_queue_runners(sess=sess, coord=coord)
"""
END = "coord.request_stop()\ncoord.join(threads)\n"
LOOP = """\
try:
    while not coord.should_stop():
        values, numbers = sess.run([a, b])
        print(values.tolist(), numbers.tolist())
except tf.errors.OutOfRangeError:
    print("end")
finally:
    coord.request_stop()
coord.join(threads)
"""


def shown(code: str) -> str:
    """What a script prints that has become native, with neither queues nor coordinators."""
    result = made_native(code)
    assert "oordinator" not in result.text
    assert "threads" not in result.text
    return printed(result.text)


def test_batches_come_in_order_and_without_an_end() -> None:
    code = f"{ENDLESS}a, b = tf.train.batch([x * 2.0, n], 3)\n{SESSION}"
    code += "for _ in range(3):\n    print(sess.run(b).tolist())\n"
    assert shown(code + END) == "[0, 1, 2]\n[3, 4, 0]\n[1, 2, 3]\n"


@pytest.mark.parametrize(
    ("smaller", "last"),
    [("", ""), (", allow_smaller_final_batch=True", "[6.0, 8.0] [3, 4]\n")],
    ids=["whole", "smaller"],
)
def test_the_last_batch_is_dropped_or_smaller(smaller: str, last: str) -> None:
    code = f"{ONCE}a, b = tf.train.batch([x * 2.0, n], 3{smaller})\n{SESSION}{LOOP}"
    assert "for a, b in iterator:" in rewritten(code).text
    assert shown(code) == f"[0.0, 2.0, 4.0] [0, 1, 2]\n{last}end\n"


def test_epochs_follow_each_other_without_a_gap() -> None:
    code = ONCE.replace("num_epochs=1", "num_epochs=2") + f"a, b = tf.train.batch([x, n], 4)\n{SESSION}{LOOP}"
    assert shown(code) == "[0.0, 1.0, 2.0, 3.0] [0, 1, 2, 3]\n[4.0, 0.0, 1.0, 2.0] [4, 0, 1, 2]\nend\n"


def test_a_run_that_needs_no_batch_takes_none() -> None:
    code = f"{ENDLESS}a, b = tf.train.batch([x, n], 2)\nw = tf.Variable(1.0)\ny = a * w\n{SESSION}"
    code += "print(sess.run(w))\nprint(sess.run(y).tolist())\nprint(sess.run([a, b])[1].tolist())\n"
    assert shown(code + END) == "1.0\n[0.0, 1.0]\n[2, 3]\n"


def test_shuffled_slices_are_each_taken_once_an_epoch() -> None:
    code = SLICES.replace("ORDER", "num_epochs=2") + f"b = tf.train.batch([n], 5, num_threads=4)\n{SESSION}"
    code += "print(sorted(sess.run(b)) == sorted(sess.run(b)) == list(range(5)))\n"
    assert shown(code + END) == "True\n"


def test_shuffle_batch_mixes_what_it_holds_and_says_so() -> None:
    code = f"{ONCE}b = tf.train.shuffle_batch([n], 5, capacity=20, min_after_dequeue=10)\n{SESSION}"
    code += "print(sorted(sess.run(b)) == list(range(5)))\n"
    assert shown(code + END) == "True\n"
    assert any("min_after_dequeue" in finding.message for finding in rewritten(code + END).findings)


READ = """\
import os, tempfile
import tensorflow as tf
folder = tempfile.mkdtemp()
names = [os.path.join(folder, "one"), os.path.join(folder, "two")]
for name, text in zip(names, ["1,2\\r\\n\\n3,4", "5,6\\n"]):
    with open(name, "w") as file:
        file.write(text)
queue = tf.train.string_input_producer(names, num_epochs=1, shuffle=False)
key, value = tf.READER.read(queue)
"""


def test_lines_of_several_files_come_in_order() -> None:
    code = READ.replace("READER", "TextLineReader()") + f"length = tf.strings.length(value)\n{SESSION}"
    code += "print(sess.run(value))\nprint(sess.run(length))\nprint(sess.run(value))\nprint(sess.run(length))\n"
    code += "try:\n    sess.run(value)\nexcept tf.errors.OutOfRangeError:\n    print('end')\n"
    assert shown(code + END) == "b'1,2'\n0\nb'3,4'\n3\nend\n"


def test_whole_files_are_read() -> None:
    code = READ.replace("READER", "WholeFileReader()") + f"{SESSION}print(sess.run(value))\nprint(sess.run(value))\n"
    assert shown(code + END) == "b'1,2\\r\\n\\n3,4'\nb'5,6\\n'\n"


def test_an_error_of_a_reader_surfaces_where_the_element_is_taken() -> None:
    code = (
        READ.replace("READER", "TextLineReader()")
        + "os.remove(names[1])\nfirst, second = tf.decode_csv(value, [[0], [0]])\n"
    )
    code += f"a, b = tf.train.batch([first, second], 1)\n{SESSION}"
    code += "try:\n    for _ in range(5):\n        print(sess.run(a).tolist())\n"
    code += (
        "except (tf.errors.NotFoundError, tf.errors.InvalidArgumentError) as error:\n    print(type(error).__name__)\n"
    )
    assert shown(code + END).endswith("Error\n")


def test_an_interrupt_ends_the_program() -> None:
    code = f"{ENDLESS}a, b = tf.train.batch([x, n], 2)\n{SESSION}try:\n    while not coord.should_stop():\n"
    code += "        print(sess.run(b).tolist())\n        raise KeyboardInterrupt\n"
    code += "except KeyboardInterrupt:\n    print('stopped')\n"
    code += f"finally:\n    coord.request_stop()\n{END.splitlines()[1]}\nprint('done')\n"
    assert shown(code) == "[0, 1]\nstopped\ndone\n"


REFUSED = {
    "several threads and an order": (
        f"{ENDLESS}a, b = tf.train.batch([x, n], 2, num_threads=2)\n{SESSION}sess.run(b)",
        "several threads fill a queue",
    ),
    "a batch of what depends on variables": (
        f"{ENDLESS}w = tf.Variable(1.0)\na, b = tf.train.batch([x * w, n], 2)\n{SESSION}sess.run(b)",
        "depends on `w`",
    ),
    "a batch of nothing that is read": (
        f"{HEAD}a = tf.train.batch([tf.constant(1.0)], 2)\n{SESSION}sess.run(a)",
        "does not come from one queue",
    ),
    "two batches of one queue": (
        f"{ENDLESS}a = tf.train.batch([x], 2)\nb = tf.train.batch([n], 2)\n{SESSION}sess.run([a, b])",
        "two batches take from one queue",
    ),
    "a run that competes with a batch": (
        f"{ENDLESS}a = tf.train.batch([x], 2)\n{SESSION}sess.run(a)\nsess.run(n)",
        "what a batch takes as well",
    ),
    "batches of batches": (
        f"{ENDLESS}a = tf.train.batch([x], 2)\nb = tf.train.batch([a], 2)\n{SESSION}sess.run(b)",
        "made of batches",
    ),
    "batches padded to one size": (
        f"{ENDLESS}a = tf.train.batch([x], 2, dynamic_pad=True)\n{SESSION}sess.run(a)",
        "`dynamic_pad`",
    ),
    "a seeded order": (SLICES.replace("ORDER", "seed=1") + f"{SESSION}sess.run(x)", "for this seed"),
    "a key that is used": (
        READ.replace("READER", "TextLineReader()") + f"z = tf.strings.length(key)\n{SESSION}sess.run(z)",
        "no tensor",
    ),
    "a reader of another kind": (
        READ.replace("READER", "FixedLengthRecordReader(2)") + f"{SESSION}sess.run(value)",
        "not understood",
    ),
    "a coordinator that stops its own loop": (
        f"{ENDLESS}a, b = tf.train.batch([x, n], 2)\n{SESSION}while not coord.should_stop():\n"
        "    sess.run(b)\n    coord.request_stop()\n",
        "is what stops it",
    ),
    "a run behind the end of the threads": (
        f"{ENDLESS}a, b = tf.train.batch([x, n], 2)\n{SESSION}{END}sess.run(b)",
        "behind the end of its threads",
    ),
    "a coordinator that keeps an error": (
        f"{ENDLESS}a, b = tf.train.batch([x, n], 2)\n{SESSION}sess.run(b)\ncoord.request_stop(ValueError())",
        "`.request_stop()`",
    ),
    "a coordinator of other threads": (
        f"{ENDLESS}a, b = tf.train.batch([x * 2.0, n], 3)\n{SESSION}worker = make(coord)\nprint(sess.run(b))\n",
        "is given to `make`",
    ),
}


@pytest.mark.parametrize(("code", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused(code: str, reason: str) -> None:
    site = deciding_site(code)
    assert site.tier == "bridge"
    assert re.search(re.escape(reason), site.reason or ""), site.reason
    assert site.next_step
