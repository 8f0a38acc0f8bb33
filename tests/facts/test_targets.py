"""Every name that the table sends a program to exists in the installed TensorFlow, with the parameters that it says."""

import functools
import importlib
import inspect
import re

import pytest

tf = pytest.importorskip("tensorflow")

from tf_migrate import facts  # noqa: E402


def resolve(path):
    return functools.reduce(getattr, path.split(".")[1:], tf)


def exists(path):
    try:
        resolve(path)
    except AttributeError:
        return False
    return True


def rows(*actions):
    found = (facts.lookup(symbol) for symbol in facts.symbols() if not symbol.endswith(".*"))
    return [fact for fact in found if fact.action in actions]


def test_targets_exist():
    targets = {fact.target for fact in rows("rename", "call") if fact.target.startswith("tf.")}
    assert len(targets) > 300
    assert [target for target in sorted(targets) if not exists(target)] == []


def test_symbols_that_stay_exist():
    # What an object of Keras has, or is made with, the tests of compat.keras2 run.
    of_keras = [fact for fact in rows("same") if fact.symbol.startswith("tf.keras.")]
    members = {fact.symbol for fact in of_keras if fact.kind in ("method", "argument", "key")}
    symbols = [fact.symbol for fact in rows("same") if fact.symbol.startswith("tf.") and fact.symbol not in members]
    assert len(symbols) > 2000
    assert [symbol for symbol in symbols if not exists(symbol)] == []


def test_calls_find_the_parameters_that_they_name():
    wrong = []
    for fact in rows("call"):
        signature = inspect.signature(resolve(fact.target))
        if any(parameter.kind is parameter.VAR_KEYWORD for parameter in signature.parameters.values()):
            continue
        # parameters that only the newest TensorFlow has are never named: no call of TF 1.15 gives them
        named = {edit.new or edit.old for edit in fact.edits} | set(fact.tf1)
        missing = (named & set(fact.tf2)) - set(signature.parameters) - {"*"}
        if missing:
            wrong.append((fact.symbol, missing))
    assert wrong == []


def test_templates_name_what_exists():
    templates = {edit.template for fact in rows("call") for edit in fact.edits if "tf." in edit.template}
    names = {template.split("(")[0].strip() for template in templates}
    assert names and all(exists(name) for name in names)


def test_protocol_buffers_that_stay_can_be_imported():
    paths = ("util.event_pb2", "framework.summary_pb2", "framework.graph_pb2", "protobuf.config_pb2")
    for path in (*paths, "example.example_pb2", "protobuf.rewriter_config_pb2"):
        assert facts.lookup(f"tensorflow.core.{path}").action == "same"
        importlib.import_module(f"tensorflow.core.{path}")


def test_protocol_buffers_that_are_told_to_be_gone_are():
    gone = [fact.symbol for fact in rows("manual") if re.fullmatch(r"tensorflow\.core\..*_pb2", fact.symbol)]
    assert len(gone) > 5
    for symbol in gone:
        with pytest.raises(ImportError):
            importlib.import_module(symbol)
