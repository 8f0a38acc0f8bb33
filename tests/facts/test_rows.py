"""The table: complete, well formed, sorted, and nothing without a reason."""

from pathlib import Path

import pytest

from tf_migrate import facts
from tf_migrate.facts.generate.join import CHANGED
from tf_migrate.facts.generate.tables import read_overrides

TABLES = sorted(Path(facts.__file__).parent.glob("*.tsv"))
LINES = (Path(facts.__file__).parent / "generate" / "names_of_tf1.txt").read_text(encoding="utf-8").splitlines()
NAMES = [line.split("\t")[0] for line in LINES]


def rows():
    return [facts.lookup(symbol) for symbol in facts.symbols()]


def test_every_public_name_of_tf1_has_a_disposition():
    assert len(NAMES) > 10_000
    assert [name for name in NAMES if facts.lookup(name) is None] == []


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_tables_are_sorted_and_hold_each_symbol_once(table):
    symbols = [line.split("\t")[0] for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    assert symbols == sorted(set(symbols))


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_tables_have_the_columns(table):
    lines = table.read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == list(facts.COLUMNS)
    assert {line.count("\t") for line in lines} == {len(facts.COLUMNS) - 1}


def test_actions_and_kinds_are_the_known_ones():
    assert {fact.action for fact in rows()} <= set(facts.ACTIONS)
    assert {fact.kind for fact in rows()} <= set(facts.KINDS)


def test_manual_rows_have_a_reason_and_a_next_step():
    assert [f.symbol for f in rows() if f.action == "manual" and not (f.reason and f.next_step)] == []


def test_other_rows_name_their_target():
    assert [f.symbol for f in rows() if f.action in ("rename", "call", "shim", "rule") and not f.target] == []
    assert [f.symbol for f in rows() if f.action == "shim" and not f.target.startswith("compat")] == []


def test_no_target_lies_in_compat_v1():
    assert [f.symbol for f in rows() if f.target.startswith("tf.compat.v1")] == []


def test_no_edit_template_speaks_of_compat_v1():
    assert [f.symbol for f in rows() if any("compat.v1" in edit.template for edit in f.edits)] == []


def test_edits_name_parameters_that_there_are():
    wrong = [
        (fact.symbol, edit)
        for fact in rows()
        for edit in fact.edits
        if (edit.old is not None and not {edit.old, "**kwargs"} & set(fact.tf1))
        or (edit.new is not None and not {edit.new, "**kwargs"} & set(fact.tf2))
    ]
    assert wrong == []


def test_every_argument_of_a_call_row_has_a_place_or_falls_to_a_shim():
    """Arguments without a place make the tool take the shim; only these rows rely on it, and assertions with `data`."""
    left = {
        fact.symbol: {name for name in fact.tf1 if name not in fact.tf2} - {edit.old for edit in fact.edits}
        for fact in rows()
        if fact.action == "call" and fact.symbol.count(".") == 1
    }
    reporting = {symbol for symbol, names in left.items() if symbol.startswith("tf.assert_") and names == {"data"}}
    assert len(reporting) == 14
    assert {symbol: names for symbol, names in left.items() if names and symbol not in reporting} == {
        "tf.batch_to_space": {"block_shape"},
        "tf.space_to_batch": {"block_shape"},
        "tf.where": {"x", "y"},
    }


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_what_a_person_knows_stands_in_the_overrides(table):
    overrides, known = read_overrides(), set(NAMES)
    said = {override.note for override in overrides.values()}
    derived = ("", "private", "Keras 3 changed its parameters.", facts.NO_SHIM)
    for line in table.read_text(encoding="utf-8").splitlines()[1:]:
        symbol, *_, note = line.split("\t")
        note = note.replace(f" {CHANGED}", "").replace(CHANGED, "").strip()
        # A row that is written by hand would be gone once the tables are made again.
        assert note in said or note.partition(" | ")[0] in derived, symbol
        assert symbol.endswith(".*") or symbol in known or symbol in overrides, symbol
