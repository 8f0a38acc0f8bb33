"""The operations that a training session needs, found or made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from ..bridge.graph import get_default_graph
from ..lookup import tables_initializer
from ..summary.merging import merge_all
from .saver import Saver


class Scaffold:
    """What initializes, checks, summarizes and saves a graph. Stands for ``tf.train.Scaffold``.

    What is not given is taken from the graph's collections (``INIT_OP``, ``SAVERS``, …), or made and put there.

    Args:
        init_op: initializes variables.
        init_feed_dict: fed to ``init_op``.
        init_fn: called with the scaffold and the session after ``init_op``.
        ready_op: gives the names of what has no value yet.
        ready_for_local_init_op: the same, before ``local_init_op``.
        local_init_op: initializes local variables and tables.
        summary_op: the summaries to write.
        saver: the saver.
        copy_from_scaffold: where to take from what is not given.

    Raises:
        TypeError: ``copy_from_scaffold`` is something else.
    """

    def __init__(
        self,
        init_op: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[..., Any] | None = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        local_init_op: Any = None,
        summary_op: Any = None,
        saver: Any = None,
        copy_from_scaffold: Scaffold | None = None,
    ) -> None:
        other = copy_from_scaffold
        if other is not None and not isinstance(other, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def given(value: Any, name: str) -> Any:
            return getattr(other, name) if value is None and other is not None else value

        self._user_init_fn = given(init_fn, "_user_init_fn")
        self.init_op = given(init_op, "init_op")
        self.init_feed_dict = given(init_feed_dict, "init_feed_dict")
        self.ready_op = given(ready_op, "ready_op")
        self.ready_for_local_init_op = given(ready_for_local_init_op, "ready_for_local_init_op")
        self.local_init_op = given(local_init_op, "local_init_op")
        self.summary_op = given(summary_op, "summary_op")
        self.saver = given(saver, "saver")

    @property
    def init_fn(self) -> Callable[[Any], Any] | None:
        """``init_fn`` as a function of the session."""
        user_init_fn = self._user_init_fn
        return None if user_init_fn is None else lambda session: user_init_fn(self, session)

    def finalize(self) -> Scaffold:
        """Makes what is missing; afterwards the graph must not grow. Returns itself."""
        keys, get = tf1.GraphKeys, Scaffold.get_or_default
        if self.init_op is None:
            self.init_op = get("init_op", keys.INIT_OP, tf1.global_variables_initializer)
        if self.ready_op is None:
            self.ready_op = get("ready_op", keys.READY_OP, tf1.report_uninitialized_variables)
        if self.ready_for_local_init_op is None:
            self.ready_for_local_init_op = get(
                "ready_for_local_init_op",
                keys.READY_FOR_LOCAL_INIT_OP,
                lambda: tf1.report_uninitialized_variables(tf1.global_variables()),
            )
        if self.local_init_op is None:
            self.local_init_op = get("local_init_op", keys.LOCAL_INIT_OP, Scaffold.default_local_init_op)
        if self.summary_op is None:
            self.summary_op = get("summary_op", keys.SUMMARY_OP, merge_all)
        if self.saver is None:
            self.saver = get("saver", keys.SAVERS, lambda: Saver(sharded=True, allow_empty=True))
        self.saver.build()
        get_default_graph().finalize()
        return self

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """The one item of a collection, else what ``default_constructor`` makes, which joins the collection.

        Raises:
            RuntimeError: there are several.
        """
        found = tf1.get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(
                f'More than one item in the collection "{collection_key}". Please indicate which one to use by passing '
                f"it to the Scaffold constructor as: Scaffold({arg_name}=item to use)"
            )
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            tf1.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op() -> Any:
        """Initializes local variables and tables."""
        return tf.group(tf1.local_variables_initializer(), tables_initializer())
