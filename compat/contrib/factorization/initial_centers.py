"""Where k-means begins: random points, k-means++, k-MC², given centres, or what a function gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from ...bridge.v1 import embedding_lookup
from ...control_flow import cond
from ...variables.assignment import assign

RANDOM_INIT = "random"
KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"
KMC2_INIT = "kmc2"
METHODS = (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT)


@dataclass(frozen=True)
class InitialCenters:
    """Fills the variable of the centres, by one or several runs.

    Attributes:
      inputs: the points, in shards.
      num_clusters: how many centres there are to be.
      method: one of `METHODS`, a tensor of centres, or a function of the shards and of how many are missing.
      normalize: whether points are made unit length (cosine distance).
      seed, retries, chain_length: of the random methods.
      centers, updated: the variable, and the copy that mini-batches change (the same when there is none).
      initialized: becomes true when all are there.
    """

    inputs: Sequence[tf.Tensor]
    num_clusters: tf.Tensor
    method: Any
    normalize: bool
    seed: int
    retries: int
    chain_length: int
    centers: tf.Variable
    updated: tf.Variable
    initialized: tf.Variable

    def operation(self) -> tf.Tensor:
        """Adds centres, as many as these inputs allow; checks that all is done where none is missing.

        It says whether all are there, as TF1's does.
        """
        selected = tf.shape(self.centers)[0]
        missing = self.num_clusters - selected

        def already_done() -> tf.Tensor:
            with tf.control_dependencies(_checks(tf.debugging.assert_equal(self.initialized.read_value(), True))):
                return tf.constant(True)

        def add() -> tf.Tensor:
            with tf.control_dependencies(_checks(tf.debugging.assert_positive(missing))):
                left = self._chain(missing) if self.method_is(KMC2_INIT) else self._add(missing, selected)
            return cond(tf.equal(left, 0), lambda: assign(self.initialized, True), lambda: tf.constant(False))

        return cond(tf.equal(missing, 0), already_done, add)

    def method_is(self, name: str) -> bool:
        """Whether the method is this one; a tensor is none."""
        return isinstance(self.method, str) and self.method == name

    def _add(self, missing: tf.Tensor, selected: tf.Tensor) -> tf.Tensor:
        new = self._choose(missing)
        if self.normalize:
            new = tf.math.l2_normalize(new, axis=1)
        # The empty variable has not the rank that `concat` asks for.
        everything = cond(tf.equal(selected, 0), lambda: new, lambda: tf.concat([self.centers, new], 0))
        return self.num_clusters - tf.shape(self._keep(everything))[0]

    def _keep(self, centers: tf.Tensor) -> tf.Tensor:
        kept = assign(self.centers, centers, validate_shape=False)
        return kept if self.updated is self.centers else assign(self.updated, kept, validate_shape=False)

    def _choose(self, missing: tf.Tensor) -> tf.Tensor:
        points = tf.add_n([tf.shape(shard)[0] for shard in self.inputs])
        if self.method_is(RANDOM_INIT):
            enough = tf.less_equal(points, missing)
            return cond(enough, lambda: tf.concat(self.inputs, 0), lambda: self._random(missing, points))
        if self.method_is(KMEANS_PLUS_PLUS_INIT):
            with tf.control_dependencies(_checks(tf.debugging.assert_greater_equal(points, missing))):
                return self._plus_plus(missing)
        if callable(self.method):
            return self.method(self.inputs, missing)
        with tf.control_dependencies(_checks(tf.debugging.assert_equal(missing, tf.shape(self.method)[0]))):
            return tf.identity(self.method)

    def _random(self, missing: tf.Tensor, points: tf.Tensor) -> tf.Tensor:
        count, last = tf.reshape(missing, [-1]), tf.cast(points, tf.int64)
        chosen = tf.random.uniform(count, minval=0, maxval=last, seed=self.seed, dtype=tf.int64)
        return embedding_lookup(list(self.inputs), chosen, partition_strategy="div")

    def _plus_plus(self, missing: tf.Tensor) -> tf.Tensor:
        points = tf.math.l2_normalize(self.inputs[0], axis=1) if self.normalize else self.inputs[0]
        return tf.raw_ops.KmeansPlusPlusInitialization(
            points=points,
            num_to_sample=tf.cast(missing, tf.int64),
            seed=self.seed,
            num_retries_per_sample=self.retries,
        )

    def _chain(self, missing: tf.Tensor) -> tf.Tensor:
        """Centres of one Markov chain after the other, each over its own part of the first shard."""
        shard = self.inputs[0]
        parts = tf.cast(tf.shape(shard)[0] / self.chain_length, tf.int32)
        wanted = tf.maximum(tf.minimum(missing, parts), 1)

        def step(number: tf.Tensor, left: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            # The steps of a loop may run at the same time, but each needs the centres of the one before.
            with tf.control_dependencies([left]):
                none_yet = tf.equal(tf.shape(self.centers.read_value())[0], 0)
                new = cond(none_yet, lambda: self._unit(shard[0]), lambda: self._next_of_chain(number))
            return number + 1, self.num_clusters - tf.shape(self._keep(new))[0]

        return tf.while_loop(lambda number, _: number < wanted, step, [tf.constant(0), tf.constant(0)])[1]

    def _next_of_chain(self, number: tf.Tensor) -> tf.Tensor:
        start = number * self.chain_length
        subset = self.inputs[0][start : start + self.chain_length]
        _, distances = tf.raw_ops.NearestNeighbors(points=subset, centers=self.centers, k=1)
        index = tf.raw_ops.KMC2ChainInitialization(distances=tf.squeeze(distances), seed=self.seed)
        return tf.concat([self.centers, self._unit(subset[index])], 0)

    def _unit(self, point: tf.Tensor) -> tf.Tensor:
        row = tf.reshape(point, [1, -1])
        return tf.math.l2_normalize(row, axis=1) if self.normalize else row


def _checks(assertion: Any) -> list[Any]:
    return [] if assertion is None else [assertion]
