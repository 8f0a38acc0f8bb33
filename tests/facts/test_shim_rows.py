"""The table and `compat` agree on which shims there are."""

import functools
import importlib

import pytest

from tf_migrate import facts
from tf_migrate.facts import NO_SHIM
from tf_migrate.facts.missing import missing
from tf_migrate.facts.shims import installed, shim_path


def rows():
    return [facts.lookup(symbol) for symbol in facts.symbols() if not symbol.endswith(".*")]


def test_every_shim_that_a_row_names_is_exported():
    named = [fact for fact in rows() if fact.action == "shim"]
    assert len(named) > 1000
    assert [fact.symbol for fact in named if not installed().has(fact.target)] == []


def test_every_shim_that_a_row_names_can_be_read_at_run_time():
    compat = pytest.importorskip("compat")
    missing = []
    for target in sorted({fact.target for fact in rows() if fact.action == "shim"}):
        try:
            functools.reduce(getattr, target.split(".")[1:], compat)
        except AttributeError:
            missing.append(target)
    assert missing == []


def test_every_module_that_stands_for_one_of_tf1_can_be_imported():
    """But for `tf.app.flags`, which is an attribute in TF 1.15 too."""
    pytest.importorskip("compat")
    modules = {fact.target for fact in rows() if fact.action == "shim" and fact.kind == "module"} - {"compat.app.flags"}
    assert len(modules) > 80
    assert [module for module in sorted(modules) if importlib.import_module(module) is None] == []


def test_no_name_is_left_to_a_person_that_has_a_shim():
    """Fails when `compat` grew: run `python -m tf_migrate.facts.generate.join` again."""
    stale = [item.symbol for item in missing() if installed().has(shim_path(item.symbol))]
    assert stale == []


def test_names_without_a_shim_say_what_to_do_instead():
    assert [fact.symbol for fact in rows() if fact.reason.startswith(NO_SHIM) and not fact.next_step] == []
