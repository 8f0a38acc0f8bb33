"""What the count over real code finds: names that TensorFlow 2 lacks and that nobody was told of."""

import ast

import pytest

tf = pytest.importorskip("tensorflow")

from tf_migrate.facts.generate import usage  # noqa: E402

TREE = {
    "train.py": """\
        import tensorflow as tf
        from tensorflow.contrib.tpu.python.ops import tpu_ops
        x = tf.placeholder(tf.float32)
        y = tf.train.NoSuchThing(tpu_ops.all_to_all(x))
        tf.mine = 3
        print(tf.mine)
    """,
    "skipped.py": "import tensorflow as tf\nx = tf.placeholder(tf.float32)  # tf-migrate: skip\n",
}


@pytest.fixture(scope="module")
def tally(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tree")
    for name, text in TREE.items():
        lines = text.split("\n")
        (folder / name).write_text("\n".join(line.removeprefix(" " * 8) for line in lines), encoding="utf-8")
    found = usage.Tally()
    usage.count(folder, found)
    return found


def test_names_without_a_finding_are_listed_with_their_places_in_the_result(tally):
    assert {path: [place.rpartition("/")[2] for place in places] for path, places in tally.untold.items()} == {
        "tensorflow.placeholder": ["skipped.py:4"]
    }


def test_symbols_left_to_a_person_are_counted(tally):
    assert dict(tally.manual) == {"tf.train.NoSuchThing": 1, "tf.contrib.tpu.python.ops.tpu_ops.all_to_all": 1}
    assert tally.symbols["manual"] == 2


def test_the_lists_are_printed(tally, capsys):
    usage.show(tally)
    printed = capsys.readouterr().out
    assert "without a finding: 1\n" in printed and "tensorflow.placeholder" in printed
    assert "left to a person: 2 of" in printed


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tensorflow.nn.relu", True),
        ("tensorflow.placeholder", False),
        ("tensorflow.python.ops.gen_array_ops.reshape", True),
        ("tensorflow.python.no_such_module.name", False),
        ("compat.train.Saver.restore", True),
        ("compat.train.Saver.no_such_method", False),
        ("compat.flags.FLAGS.anything", True),
    ],
)
def test_existence(path, expected):
    assert usage.exists(path) is expected


def test_names_are_those_that_begin_with_an_import():
    code = "import tensorflow as tf\nfrom compat import train as t\nt.Saver().save(tf.a.b, x.tf.c)\ntf.d = 1\n"
    assert {(name.path, name.line, name.assigned) for name in usage.named(ast.parse(code))} == {
        ("tensorflow", 1, False),
        ("compat.train", 2, False),
        ("compat.train.Saver", 3, False),
        ("tensorflow.a.b", 3, False),
        ("tensorflow.d", 4, True),
    }
