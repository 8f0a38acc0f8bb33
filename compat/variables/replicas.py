"""Variables under a ``tf.distribute`` strategy: one copy a replica, and which of the replicas is asking."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def has_replicas(variable: Any) -> bool:
    """Whether a variable is a set of copies, which only its own methods keep equal."""
    return isinstance(variable, tf.distribute.DistributedValues)


def is_in_its_replica(variable: Any) -> bool:
    """Whether this is a replica of the strategy that the variable belongs to, where it stands for the copy there."""
    strategy = tf.distribute.get_strategy()
    return tf.distribute.get_replica_context() is not None and variable.distribute_strategy is strategy


def replica_number() -> int:
    """Which replica of its strategy this is; 0 where there is only one, and outside of ``strategy.run``."""
    replica = tf.distribute.get_replica_context()
    if replica is None or replica.num_replicas_in_sync == 1:
        return 0
    return int(tf.get_static_value(replica.replica_id_in_sync_group) or 0)


def in_one_of_several() -> bool:
    """Whether this is a replica, and not the only one."""
    replica = tf.distribute.get_replica_context()
    return replica is not None and replica.num_replicas_in_sync > 1


def mean_over_replicas(value: Any) -> Any:
    """The mean of what the replicas hold; ``value`` where there is one replica, or it is a variable, equal in all."""
    if not in_one_of_several() or isinstance(value, tf.Variable):
        return value
    return tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.MEAN, tf.convert_to_tensor(value))


def check_aggregation(variable: Any) -> None:
    """Checks that an update in a replica leaves the copies of a variable equal, whatever each replica's value is.

    Raises:
        ValueError: the variable has no aggregation, as in TF 1.15.
    """
    separate = variable.synchronization == tf.VariableSynchronization.ON_READ
    if separate or not in_one_of_several() or variable.aggregation != tf.VariableAggregation.NONE:
        return
    raise ValueError(
        f"Replicas would each set their copy of {variable.name}. Say at its creation what becomes of their values: "
        "aggregation=tf.VariableAggregation.MEAN, SUM or ONLY_FIRST_REPLICA; or update it outside of strategy.run."
    )


def handle_of_all(variable: Any) -> tf.Tensor:
    """The handle of a variable that is one for all.

    Raises:
        ValueError: it has a copy in each replica, which an update through one handle would make differ.
    """
    if has_replicas(variable):
        raise ValueError(
            f"{variable.name} has a copy in each replica; this update would change one of them. TF1's towers shared "
            "one variable: update it outside of strategy.run, or by assign with an aggregation."
        )
    return variable.handle
