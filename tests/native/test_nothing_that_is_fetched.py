"""Operations among what a run fetches: the session gave None for each, wherever it stands."""

from __future__ import annotations

import pytest

from tests.native.models import SESSION, STEP
from tests.native.native import made_native, printed, refuses

MODEL = STEP + "inc = n.assign_add(1)\nnothing = tf.no_op()\n"
RUN = "for _ in range(2):\n    print({}, sess.run(n))\n"


@pytest.mark.parametrize(
    ("fetches", "expected"),
    [
        # What TF 1.15.5 prints.
        ("[loss, tf.no_op(), inc]", ["[1.0, None, 1] 1", "[1.0, None, 2] 2"]),
        ("(nothing, [loss, nothing], step)", ["(None, [1.0, None], None) 0", "(None, [0.5625, None], None) 0"]),
        ("[step, nothing]", ["[None, None] 0", "[None, None] 0"]),
        (
            "{'step': step, 'loss': loss}",
            ["{'step': None, 'loss': 1.0} 0", "{'step': None, 'loss': 0.5625} 0"],
        ),
        ("{'a': nothing, 'b': inc}", ["{'a': None, 'b': 1} 1", "{'a': None, 'b': 2} 2"]),
    ],
)
def test_none_stands_where_an_operation_stood(fetches: str, expected: list[str]) -> None:
    shown = "".join(["def plain(value):\n    if isinstance(value, dict):\n", PLAIN])
    code = f"{MODEL}{shown}{SESSION}{RUN.format(f'plain(sess.run({fetches}, {{x: [1.0]}}))')}"
    assert printed(made_native(code).text).splitlines() == expected


PLAIN = """\
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(plain(inner) for inner in value)
    return None if value is None else value.item()
"""


def test_none_that_has_a_name_is_refused() -> None:
    code = f"{MODEL}{SESSION}made, value = sess.run([step, loss], {{x: [1.0]}})\nprint(made, value)\n"
    refuses(code, "the None that an operation's fetch gives is used")


@pytest.mark.parametrize(
    ("grouped", "expected"),
    [
        # What TF 1.15.5 prints.
        ("tf.group()", "None 0 2.0"),
        ("tf.group(name='none')", "None 0 2.0"),
        ("tf.group(*both)", "None 1 2.25"),
        ("tf.group(both, nothing, name='all')", "None 1 2.25"),
        ("tf.group(inc, *[step])", "None 1 2.25"),
    ],
)
def test_groups_of_nothing_and_of_lists(grouped: str, expected: str) -> None:
    code = f"{MODEL}both = [inc, step]\nevery = {grouped}\n{SESSION}"
    shown = "print(sess.run(every, {x: [1.0]}), sess.run(n), sess.run(w))\n"
    assert printed(made_native(code + shown).text).strip() == expected


@pytest.mark.parametrize("grouped", ["tf.group(loss, inc)", "tf.group(*[loss])", "tf.group([])"])
def test_groups_of_something_else_are_refused(grouped: str) -> None:
    code = f"{MODEL}every = {grouped}\n{SESSION}sess.run(every, {{x: [1.0]}})\n"
    refuses(code, "`tf.group` groups something other than updates")
