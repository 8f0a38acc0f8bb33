"""The map held against TensorFlow 1.15.5 itself, and every row of the table of names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trace.accuracy import map_of, record
from tests.trace.comparison import Share, compare
from tests.trace.test_map_command import PROGRAM
from tf_migrate.semantics import op_names

SAMPLES = """\
import json, sys
import tensorflow as tf


def measured(sample):
    graph = tf.Graph()
    with graph.as_default():
        with graph.name_scope('before'):
            P, V, ones = tf.placeholder, tf.Variable, tf.ones
            names = dict(
                tf=tf, x=P(tf.float32, [None, 4]), m=P(tf.float32, [3, 4]), w=V(ones([4, 3])), i=P(tf.int32, [None]),
                i3=P(tf.int32, [3]), b=P(tf.bool, []), b1=P(tf.bool, [None]), bb=P(tf.bool, [None, 4]),
                bm=P(tf.bool, [None, 4]), z=P(tf.float32, [None, 1]), sq=P(tf.float32, [3, 3]),
                x3=P(tf.float32, [3, 4, 5]), img=P(tf.float32, [2, 8, 8, 3]), imgd=P(tf.float32, [2, 8, 8, 4]),
                kern=V(ones([3, 3, 3, 5])), kernT=V(ones([3, 3, 5, 3])), kern1=V(ones([3, 5, 2])), bias=V(ones([4])),
                v=V(1.0), v1=V([1.0, 2.0]), vi=V(1), op=tf.no_op(), gs=V(0), x5=P(tf.float32, [1, 4, 4, 4, 2]),
                k5=V(ones([2, 2, 2, 2, 3])), kp=V(ones([1, 1, 15, 4])), imgb=P(tf.float32, [4, 2, 2, 1]),
                sp=tf.sparse_placeholder(tf.float32, [3, 4]), sp32=tf.sparse_placeholder(tf.int32, [3, 4]),
                sps=tf.sparse_placeholder(tf.int32, [3, 4]), spi=tf.sparse_placeholder(tf.int64, [3, 4]))
        known = {name.lower() for name in graph._names_in_use}
        result = eval(sample, names)
        taken = sorted(name for name in graph._names_in_use if '/' not in name and name not in known)
        flat = tf.contrib.framework.nest.flatten(result)
        results = [getattr(each, 'op', each).name for each in flat if isinstance(each, (tf.Tensor, tf.Operation))]
    return [taken, results]


samples = json.loads(sys.argv[1])
print(json.dumps([measured(sample) for sample in samples]))
"""


def rows() -> list[list[str]]:
    """The rows of the table of names."""
    lines = Path(op_names.__file__).with_name("op_names.tsv").read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def test_the_table_of_names_is_what_tensorflow_does(run_legacy: Callable[..., str]) -> None:
    table = rows()
    found = json.loads(run_legacy(SAMPLES, json.dumps([row[-1] for row in table])).splitlines()[-1])
    for (symbol, main, others, results, _, _, _), (taken, given) in zip(table, found, strict=True):
        base = main or "tag"
        constant = ["const"] if symbol.startswith("tf.reduce_") and "const" in taken else []
        expected = sorted({base.lower(), *(name.lower() for name in others.split(",") if name), *constant})
        assert expected == sorted(set(taken) - ({"const"} if symbol == "tf.summary.merge" else set())), symbol
        if results:
            named = [result.replace("@", "").replace("{}", base) for result in results.split(",")]
            assert named == given, symbol


@pytest.mark.parametrize("text", [PROGRAM.replace("print(sess.run(sys.argv[1:]))\n", "")])
def test_a_program_is_as_it_was_recorded(legacy_python: Path, tmp_path: Path, text: str) -> None:
    assert legacy_python.exists()
    (tmp_path / "main.py").write_text(text)
    result = compare(map_of(tmp_path, "main.py"), record(tmp_path, "main.py"))
    assert (result.faults, result.gaps) == ([], [])
    assert result.shares == {"lines": Share(6), "variables": Share(5), "runs": Share(3)}
