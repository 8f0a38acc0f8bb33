"""Edits of spans: order, nesting, conflicts."""

from __future__ import annotations

import pytest

from tf_migrate.changes.edits import Edit, OverlapError, apply, render, wrap


def test_nothing_to_do() -> None:
    assert apply("abc", ()) == "abc"


def test_edits_in_any_order() -> None:
    assert apply("a b c", [Edit(4, 5, "C"), Edit(0, 1, "AA")]) == "AA b C"


def test_an_insertion_goes_before_what_is_replaced_there() -> None:
    assert apply("f(x)", [Edit(2, 3, "y"), Edit(2, 2, "k=")]) == "f(k=y)"


def test_wraps_nest_by_width() -> None:
    text = "a.b.c"
    edits = [*wrap(0, 3, "in(", ")"), *wrap(0, 5, "out[", "]"), *wrap(4, 5, "<", ">")]
    assert apply(text, edits) == "out[in(a.b).<c>]"


def test_wraps_of_one_end_close_from_the_inside() -> None:
    assert apply("a+b", [*wrap(0, 3, "(", ")"), *wrap(2, 3, "[", "]")]) == "(a+[b])"


def test_equal_edits_are_one() -> None:
    assert apply("tf.log", [Edit(0, 6, "x"), Edit(0, 6, "x")]) == "x"


@pytest.mark.parametrize("other", [Edit(1, 3, "z"), Edit(0, 2, "z"), Edit(1, 1, "z")])
def test_conflicts_raise(other: Edit) -> None:
    with pytest.raises(OverlapError):
        apply("abcdef", [Edit(0, 2, "y"), other])


def test_what_encloses_replaces_what_is_inside() -> None:
    inner = [Edit(2, 3, "y"), *wrap(2, 3, "<", ">")]
    text = "f(x) g"
    outer = Edit(0, 4, render(text, inner, 0, 4) + ";", encloses=True)
    assert apply(text, [*inner, outer]) == "f(<y>); g"


def test_the_wider_of_two_that_enclose_wins() -> None:
    assert apply("abc", [Edit(0, 3, "x", encloses=True), Edit(1, 2, "y", encloses=True)]) == "x"


def test_a_new_line_at_the_border_is_not_inside() -> None:
    line = Edit(0, 0, "import compat\n", line=True)
    assert apply("x = 1\n", [line, Edit(0, 5, "y = 2", encloses=True)]) == "import compat\ny = 2\n"


def test_render_takes_only_what_lies_inside() -> None:
    assert render("abcdef", [Edit(0, 1, "X"), Edit(2, 3, "Y"), Edit(5, 6, "Z")], 1, 4) == "bYd"


def test_two_that_enclose_side_by_side_keep_to_themselves() -> None:
    edits = [
        Edit(0, 2, "x", encloses=True),
        Edit(2, 4, "y", encloses=True),
        *wrap(0, 2, "<", ">"),
        *wrap(2, 4, "<", ">"),
    ]
    assert apply("abcd", edits) == "xy"


def test_two_that_enclose_one_span_conflict() -> None:
    with pytest.raises(OverlapError):
        apply("abcd", [Edit(0, 2, "x", encloses=True), Edit(0, 2, "y", encloses=True)])


def test_many_edits_take_no_time() -> None:
    text = "ab" * 20_000
    edits = [Edit(2 * place, 2 * place + 2, "x", encloses=True) for place in range(20_000)]
    inner = [Edit(edit.start, edit.start + 1, "y") for edit in edits]
    assert apply(text, [*inner, *edits]) == "x" * 20_000
