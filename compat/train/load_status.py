"""What restoring a checkpoint of objects gives in a graph."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..bridge.session import get_default_session
from ..bridge.variable import GraphVariable
from ..steps.graph import StoreGraph
from .checkpoint_reader import object_graph

__all__ = ["CheckpointLoadStatus"]


class CheckpointLoadStatus:
    """What restoring gave in a graph: it is done where a session is there."""

    def __init__(self, checkpoint: Any, path: str | None) -> None:
        self._checkpoint, self._path = checkpoint, path

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Asks for all of the file, and all variables, to be matched."""
        saved, _ = self.assert_existing_objects_matched()._matched()
        if saved:
            raise AssertionError(
                f"Unresolved object in checkpoint: {saved[0]}\nIt is in {self._path}: give the Checkpoint an object of "
                "that name, or ask by assert_existing_objects_matched() for what there is"
            )
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Asks for all variables to be matched."""
        _, unbound = self._matched()
        if unbound:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes in the Python "
                f"program: {unbound}\n{self._path} holds nothing for them: give the Checkpoint its objects by the "
                "names that they were saved by"
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Asks for some variable to be matched."""
        _, unbound = self._matched()
        if len(unbound) == len(self._checkpoint.held()):
            raise AssertionError("Nothing to load. No dependencies have been added to the checkpoint yet.")
        return self

    def expect_partial(self) -> CheckpointLoadStatus:
        """Takes it as meant that parts of the file are not restored."""
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Restores."""
        if self._path is None:
            raise AssertionError(
                "No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore)."
            )
        with self._checkpoint.within(session):
            self._checkpoint.read_now(self._path).expect_partial().run_restore_ops()

    def initialize_or_restore(self, session: Any = None) -> None:
        """Restores, and gives variables that the file lacks, or all where there is none, their first values."""
        variables = [each for each in self._checkpoint.held() if isinstance(each, GraphVariable)]
        if variables and not isinstance(variables[0].graph, StoreGraph):
            with self._checkpoint.within(session):
                (session or get_default_session()).run([each.initializer for each in variables])
        if self._path is not None:
            self.run_restore_ops(session)

    def _matched(self) -> tuple[list[Any], list[tf.Variable]]:
        """What the file holds for no object, and the variables that it holds nothing for."""
        if self._path is None:
            raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")
        nodes = object_graph(tf.train.load_checkpoint(self._path)).nodes
        found: dict[int, Any] = {0: self._checkpoint}
        pending = [0]
        while pending:
            node = pending.pop()
            for child in nodes[node].children:
                value = found[node]._lookup_dependency(child.local_name)
                if value is not None and child.node_id not in found:
                    found[child.node_id] = value
                    pending.append(child.node_id)
        for node, owner in list(found.items()):
            for slot in nodes[node].slot_variables:
                value = owner.get_slot(found.get(slot.original_variable_node_id), slot.slot_name)
                if value is not None:
                    found[slot.slot_variable_node_id] = value
        bound = {id(value) for value in found.values()}
        saved = [node for number, node in enumerate(nodes) if node.attributes and number not in found]
        return saved, [each for each in self._checkpoint.held() if id(each) not in bound]
