"""Objects of a program's own types are fetches and inputs of steps, as TF 1.15's sessions took them."""

import pytest
import tensorflow as tf

import compat
from compat.bridge import conversions


class Scaled:
    def __init__(self, tensor, factor):
        self.tensor, self.factor = tensor, factor


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setattr(conversions, "_CONVERSIONS", [])
    compat.register_session_run_conversion_functions(
        Scaled,
        lambda scaled: ([scaled.tensor], lambda values: (scaled.factor, values[0] * scaled.factor)),
        lambda scaled, value: [(scaled.tensor, value / scaled.factor)],
    )


def test_steps_take_registered_objects():
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [], "x")
        scaled, doubled = Scaled(x, 10.0), x * 2
    fetch_step, feed_step = compat.step([scaled, doubled], x), compat.step(doubled, scaled)
    assert fetch_step(3.0) == [(10.0, 30.0), 6.0]
    assert feed_step(50.0) == feed_step({scaled: 50.0}) == compat.run(doubled, {scaled: 50.0}) == 10.0
    assert feed_step.__name__.startswith("the step of (Scaled)")


class Lazy:
    """Builds its tensor when it is first asked for it."""

    def __init__(self, make):
        self.make = make

    @property
    def tensor(self):
        if "kept" not in vars(self):
            self.kept = self.make()
        return self.kept


@pytest.mark.parametrize("fetch", [lambda lazy: compat.step(lazy)(), compat.run], ids=["step", "run"])
def test_an_object_may_build_its_tensor_where_it_is_fetched(fetch):
    compat.register_session_run_conversion_functions(Lazy, lambda lazy: ([lazy.tensor], lambda values: values[0]))
    with compat.VariableStore():
        with compat.building():
            x = tf.constant([1.0, 2.0])
        assert fetch(Lazy(lambda: tf.reduce_sum(tf.square(x)))) == 5.0
