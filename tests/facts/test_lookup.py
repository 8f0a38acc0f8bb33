"""The reader: rows, namespaces, owners, near names, speed."""

import subprocess
import sys
import time

import pytest

from tf_migrate import facts
from tf_migrate.facts import ArgumentEdit


def test_a_row_says_what_becomes_of_a_symbol():
    fact = facts.lookup("tf.log")
    assert (fact.action, fact.target, fact.tf1) == ("rename", "tf.math.log", ("x", "name"))


def test_an_unknown_symbol_has_no_row():
    assert facts.lookup("tf.no_such_name") is None
    assert facts.lookup("tf.nn.no_such_name") is None


def test_a_namespace_row_speaks_for_the_names_inside_it():
    fact = facts.lookup("tf.contrib.learn.no_such_name")
    assert (fact.symbol, fact.action) == ("tf.contrib.learn.no_such_name", "manual")
    assert fact.next_step


def test_the_innermost_namespace_wins():
    assert facts.lookup("tf.contrib.gan.losses.wargs").note != facts.lookup("tf.contrib.nothing.here").note


def test_members_of_classes_belong_to_the_row_of_the_class():
    assert facts.lookup("tf.GraphKeys.LOSSES") is None
    fact, rest = facts.owner("tf.GraphKeys.LOSSES")
    assert (fact.symbol, rest) == ("tf.GraphKeys", "LOSSES")


def test_the_owner_of_a_name_outside_tensorflow_is_none():
    assert facts.owner("numpy.float32") is None


def test_v1_names_mean_what_they_mean_in_tensorflow_1():
    assert facts.lookup("tf.compat.v1.log").target == "tf.math.log"
    same = facts.lookup("tf.compat.v1.reshape")
    assert (same.action, same.target) == ("rename", "tf.reshape")


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("keep_dims>keepdims", ArgumentEdit("keep_dims", "keepdims", "{}")),
        ("keep_prob>rate:1 - {}", ArgumentEdit("keep_prob", "rate", "1 - {}")),
        ("name>title?text", ArgumentEdit("name", "title", "{}", True)),
        ("-name", ArgumentEdit("name", None)),
        ("+stddev=1.0", ArgumentEdit(None, "stddev", "1.0")),
    ],
)
def test_edits_are_read(text, edit):
    assert ArgumentEdit.parse(text) == edit


@pytest.mark.parametrize(
    ("typo", "meant"),
    [
        ("tf.placehodler", "tf.placeholder"),
        ("tf.nn.sofmax", "tf.nn.softmax"),
        ("tf.train.AdamOptimiser", "tf.train.AdamOptimizer"),
        ("tf.contrib.layer.fully_conected", "tf.contrib.layers.fully_connected"),
    ],
)
def test_near_names_find_what_was_meant(typo, meant):
    assert facts.near(typo)[0] == meant


def test_the_whole_table_loads_in_40_ms():
    code = (
        "import time, tf_migrate.facts as f; t = time.process_time(); "
        "f.lookup('tf.log'); print(time.process_time() - t)"
    )
    times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3)]
    assert min(times) < 0.04


def test_near_names_take_less_than_half_a_second():
    start = time.process_time()
    facts.near("tf.train.AdamOptimiser")
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize(
    ("symbol", "stays"),
    [("tf.matmul", True), ("tf.nn.top_k", True), ("tf.reduce_sum", False), ("tf.transpose", False), ("tf.log", False)],
)
def test_only_a_moved_name_does_not_matter_to_a_reference(symbol, stays):
    assert facts.lookup(symbol).stays_when_passed_on is stays


@pytest.mark.parametrize(
    "symbol", ["tf.data.Dataset.from_sparse_tensor_slices", "tf.Session.reset", "tf.TypeSpec.from_value"]
)
def test_methods_that_a_class_lost_have_rows_of_their_own(symbol):
    fact = facts.lookup(symbol)
    assert (fact.action, fact.kind) == ("manual", "method")
    assert fact.reason and fact.next_step
