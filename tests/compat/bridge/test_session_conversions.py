"""Objects of a program's own types can be fetched and fed, as TF 1.15's sessions let them."""

import types

import pytest
import tensorflow as tf

import compat
from compat.bridge import conversions

pytestmark = pytest.mark.usefixtures("graph")


class Scaled:
    def __init__(self, tensor, factor):
        self.tensor, self.factor = tensor, factor


class Twice(Scaled):
    pass


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setattr(conversions, "_CONVERSIONS", [])
    compat.register_session_run_conversion_functions(
        Scaled,
        lambda scaled: ([scaled.tensor], lambda values: (scaled.factor, values[0] * scaled.factor)),
        lambda scaled, value: [(scaled.tensor, value / scaled.factor)],
        lambda scaled: [scaled.tensor],
    )


def test_a_registered_object_is_fetched_and_fed():
    x = compat.placeholder(tf.float32, [])
    scaled, doubled = Scaled(x, 10.0), x * 2
    with compat.Session() as session:
        fetched = session.run({"one": scaled, "two": [doubled, scaled]}, {x: 3.0})
        assert fetched == {"one": (10.0, 30.0), "two": [6.0, (10.0, 30.0)]}
        assert session.run(doubled, {scaled: 50.0}) == 10.0


def test_the_type_that_was_registered_last_comes_first():
    compat.register_session_run_conversion_functions(Twice, lambda twice: ([twice.tensor] * 2, list))
    with compat.Session() as session:
        assert session.run(Twice(tf.constant(4), 2)) == [4, 4]
        assert session.run(Scaled(tf.constant(4), 2)) == (2, 8)


def test_an_object_that_only_can_be_fetched_is_no_feed():
    compat.register_session_run_conversion_functions(Twice, lambda twice: ([twice.tensor] * 2, list))
    twice = Twice(compat.placeholder(tf.float32, []), 2)
    with compat.Session() as session, pytest.raises(TypeError):
        session.run(twice, {twice: 1.0})


@pytest.mark.parametrize("kind", [Scaled, object])
def test_a_type_is_registered_once(kind):
    with pytest.raises(ValueError, match="already been registered"):
        compat.register_session_run_conversion_functions(kind, lambda value: ([], list))


def test_an_object_of_an_attrs_class_comes_back_as_one():
    class Pair:
        __attrs_attrs__ = (types.SimpleNamespace(name="left"), types.SimpleNamespace(name="right"))

        def __init__(self, left, right):
            self.left, self.right = left, right

    with compat.Session() as session:
        pair = session.run(Pair(tf.constant(1), [tf.constant(2), tf.constant(3)]))
    assert isinstance(pair, Pair) and (pair.left, pair.right) == (1, [2, 3])
