"""Which graphs have the seed of the program's default graph."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import tensorflow as tf

import compat


@pytest.fixture(autouse=True)
def _graph_of_its_own() -> Iterator[None]:
    compat.reset_default_graph()
    yield
    compat.reset_default_graph()


def seeds_on_the_bridge() -> tuple[int | None, int]:
    compat.open_graph()
    try:
        found: tuple[int | None, int] = compat.get_seed(3)
        return found
    finally:
        compat.close_graph()


def seeds_of_a_store() -> tuple[int | None, int]:
    with compat.building():
        found: tuple[int | None, int] = compat.get_seed(3)
        return found


@pytest.mark.parametrize("seeds", [seeds_on_the_bridge, seeds_of_a_store])
@pytest.mark.parametrize("setting", [compat.set_random_seed, tf.random.set_seed])
def test_the_default_graph_has_the_seed_of_the_program(seeds, setting) -> None:  # type: ignore[no-untyped-def]
    setting(5)
    assert seeds() == (5, 3)


def test_a_module_on_the_bridge_seeds_the_store_too() -> None:
    compat.open_graph()
    compat.set_random_seed(5)
    compat.close_graph()
    assert seeds_of_a_store() == (5, 3)


def test_a_seed_that_a_builder_sets_is_changed_behind_it() -> None:
    with compat.building():
        compat.set_random_seed(9)
    compat.set_random_seed(4)
    assert seeds_of_a_store() == (4, 3)


def test_graphs_beside_it_have_none() -> None:
    compat.set_random_seed(5)
    with compat.VariableStore(), compat.building():
        assert compat.get_seed(3) == (87654321, 3)
    with compat.Graph().as_default():
        assert compat.get_seed(3) == (87654321, 3)
    assert seeds_of_a_store() == (5, 3)


def test_a_store_has_a_seed_of_its_own() -> None:
    with compat.VariableStore():
        compat.set_random_seed(8)
        assert seeds_of_a_store() == (8, 3)
    assert seeds_of_a_store() == (87654321, 3)


def test_the_graph_that_follows_has_none() -> None:
    compat.set_random_seed(5)
    assert seeds_of_a_store() == (5, 3)
    compat.reset_default_graph()
    assert seeds_of_a_store() == (87654321, 3)
    compat.set_random_seed(6)
    assert seeds_of_a_store() == (6, 3)


def test_a_store_that_the_program_enters_begins_without_one() -> None:
    compat.set_random_seed(5)
    store = compat.VariableStore()
    store.enter_program()
    try:
        assert seeds_of_a_store() == (87654321, 3)
        compat.set_random_seed(6)
        assert seeds_of_a_store() == (6, 3)
    finally:
        store.leave_program()


def test_code_between_blocks_that_build_asks_for_the_seed_of_their_graph() -> None:
    with compat.VariableStore():
        with compat.building():
            compat.set_random_seed(7)
            tf.constant(1.0)
            inside = compat.get_seed(None)
        assert compat.get_seed(None) == inside == (7, 1)
        assert compat.get_seed(3) == (7, 3)


def test_who_asks_for_a_seed_changes_no_draw() -> None:
    def drawn(*, asks: bool) -> list[int]:
        with compat.VariableStore():
            with compat.building():
                compat.set_random_seed(7)
                numbers = tf.constant(list(range(9)))
                if asks:
                    assert compat.get_seed(None) == compat.get_seed(None)
                shuffled = tf.random.shuffle(numbers)
            found: list[int] = compat.run(shuffled).tolist()
            return found

    assert drawn(asks=True) == drawn(asks=False) == [0, 8, 4, 3, 1, 5, 6, 7, 2]
