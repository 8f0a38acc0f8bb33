"""A program that ran eagerly in TF1 gives what it gave in TF 1.15.5, and leaves nothing behind."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import behavior
from tests.conftest import ROOT
from tests.goldens import eager_program
from tests.goldens.replay_rnn import TF1

GOLDENS = Path(eager_program.__file__).with_name("eager.json")


@pytest.fixture(autouse=True)
def eager() -> Iterator[None]:
    """Each test is an eager program of its own."""
    behavior._eager_variables = type(behavior._eager_variables)()
    yield
    behavior._eager_variables.leave_program()


def _same(found: Any, expected: Any, where: str) -> None:
    assert type(found) is type(expected), where
    if isinstance(expected, dict):
        assert sorted(found) == sorted(expected), where
        for key in expected:
            _same(found[key], expected[key], f"{where}/{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for position, (one, other) in enumerate(zip(found, expected, strict=True)):
            _same(one, other, f"{where}/{position}")
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=1.3e-6, atol=1e-5, err_msg=where)
    else:
        assert found == expected, where


def test_program(tmp_path: Path) -> None:
    expected = json.loads(GOLDENS.read_text(encoding="utf-8"))
    _same(eager_program.results(TF1, str(tmp_path)), expected, "")


def test_variables_of_functions_go_when_nobody_has_them() -> None:
    compat.enable_eager_execution()
    kept = weakref.ref(compat.get_variable("w", [2]))
    compat.layers.dense(tf.ones([1, 2]), 3)
    gc.collect()
    assert kept() is None


def test_the_other_name_of_the_switch() -> None:
    compat.enable_v2_behavior()
    assert compat.get_variable("w", [1]).name == "w:0"


def test_a_store_of_the_program_lies_beneath_those_that_are_entered() -> None:
    compat.enable_eager_execution()
    with compat.VariableStore() as store:
        assert compat.get_variable("w", [1]) is store.variables[0]
    with compat.Graph().as_default() as graph:
        assert compat.get_variable("w", [1]) in graph.store.variables


def test_not_in_a_graph_that_holds_something() -> None:
    with compat.Graph().as_default():
        compat.placeholder(tf.float32)
        with pytest.raises(ValueError, match="program startup"):
            compat.enable_eager_execution()


BEFORE = """\
import compat

print(compat.global_variables(), compat.get_collection("losses"), compat.trainable_variables())
print(compat.losses.get_losses(), compat.contrib.framework.get_name_scope() == "")
with compat.VariableStore():
    print(compat.global_variables())
try:
    print(compat.global_variables())
except ValueError as error:
    print(str(error)[:32])
"""

ADDING = """\
import compat

compat.get_collection_ref("a").append(1)
compat.add_to_collection("a", 2)
compat.add_to_collections(["a", "b"], 3)
print(compat.get_collection("a"), compat.get_collection("b"))
print(compat.make_template("scale", lambda: compat.get_variable_scope().name)())
"""


def test_what_is_added_first_goes_to_the_default_store(tmp_path: Path) -> None:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = subprocess.run([sys.executable, "-c", ADDING], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("[1, 2, 3] [3]\nscale\n", 0), done.stderr


def test_collections_are_empty_until_there_is_a_store(tmp_path: Path) -> None:
    """TensorFlow 1 began with an empty graph; where a store was left, none is guessed."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    # A fresh interpreter: those that are kept warm have made stores.
    done = subprocess.run([sys.executable, "-c", BEFORE], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("[] [] []\n[] True\n[]\nNo VariableStore is active. TF 1\n", 0), (
        done.stderr
    )
