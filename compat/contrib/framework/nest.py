"""Nested structures: lists, tuples, named tuples and dicts. Stands for ``tf.contrib.framework.nest``."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...private import nest as _nest

flatten = tf.nest.flatten
map_structure = tf.nest.map_structure
pack_sequence_as = tf.nest.pack_sequence_as
assert_same_structure = tf.nest.assert_same_structure
flatten_up_to = _nest.flatten_up_to
map_structure_up_to = _nest.map_structure_up_to
assert_shallow_structure = _nest.assert_shallow_structure
get_traverse_shallow_structure = _nest.get_traverse_shallow_structure
flatten_dict_items = _nest.flatten_dict_items


def is_sequence(seq: Any) -> bool:
    """Whether it is a list, tuple or dict, not a string. Stands for ``tf.contrib.framework.nest.is_sequence``."""
    return bool(tf.nest.is_nested(seq))


def yield_flattened_up_to(shallow_tree: Any, input_tree: Any) -> Any:
    """The parts of ``input_tree`` at the leaves of ``shallow_tree``, one by one."""
    yield from flatten_up_to(shallow_tree, input_tree)
