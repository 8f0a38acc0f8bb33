"""`tf.contrib.factorization.KMeans` of TF 1.15: the graph of k-means, on full batches or mini-batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .....control_flow import cond
from .....variables.assignment import assign, assign_sub
from .....variables.creation import Variable
from .....variables.scatter import scatter_add
from ...initial_centers import METHODS, RANDOM_INIT, InitialCenters

SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
COSINE_DISTANCE = "cosine"
CLUSTERS_VAR_NAME = "clusters"


class KMeans:
    """Builds the graph of k-means; stands for `tf.contrib.factorization.KMeans`.

    Args:
      inputs: the points, `[points, features]`, or a list of such shards.
      num_clusters: how many clusters.
      initial_clusters: `RANDOM_INIT`, `KMEANS_PLUS_PLUS_INIT`, `KMC2_INIT`, the centres, or a function of the shards
        and of how many centres are missing.
      distance_metric: `SQUARED_EUCLIDEAN_DISTANCE` or `COSINE_DISTANCE`.
      use_mini_batch: whether each run sees only a part of the points.
      mini_batch_steps_per_iteration: after how many runs the centres that scores are computed with are renewed.
      random_seed: of the initial centres.
      kmeans_plus_plus_num_retries, kmc2_chain_length: of these two methods.

    Raises:
      ValueError: an unknown method or metric.

    Example:
      >>> points = tf.random.normal([20, 3])
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> kmeans = KMeans(points, 2, distance_metric=COSINE_DISTANCE, use_mini_batch=True)
      >>> all_scores, index, scores, initialized, init_op, train_op = kmeans.training_graph()
    """

    def __init__(
        self,
        inputs: Any,
        num_clusters: Any,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1,
        random_seed: int = 0,
        kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ) -> None:
        if isinstance(initial_clusters, str) and initial_clusters not in METHODS:
            raise ValueError(f"Unsupported initialization algorithm '{initial_clusters}'")
        if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
            raise ValueError(f"Unsupported distance metric '{distance_metric}'")
        shards = inputs if isinstance(inputs, list) else [inputs]
        self._inputs = [tf.convert_to_tensor(shard) for shard in shards]
        self._num_clusters = num_clusters
        self._initial_clusters = initial_clusters
        self._cosine = distance_metric == COSINE_DISTANCE
        self._mini_batch = use_mini_batch
        self._steps = int(mini_batch_steps_per_iteration)
        self._seed = random_seed
        self._retries = kmeans_plus_plus_num_retries
        self._chain_length = kmc2_chain_length

    def training_graph(self) -> tuple[Any, Any, Any, tf.Variable, tf.Tensor, Any]:
        """The graph.

        Returns:
          The distances of all points to all centres (one tensor a shard), the numbers of the nearest centres, the
          distances to these, a variable that is true once the centres are there, the tensor that initializes them and
          says whether they are, and the operation that trains.
        """
        given = self._initial_clusters
        if isinstance(given, str) or callable(given):
            count = tf.convert_to_tensor(self._num_clusters)
        else:
            given = tf.convert_to_tensor(given)
            count = tf.shape(given)[0]
        empty = tf.constant([], tf.float32)
        centers = Variable(empty, name=CLUSTERS_VAR_NAME, validate_shape=False)
        initialized = Variable(False, dtype=tf.bool, name="initialized")
        updated, countdown, counts = self._mini_batch_variables(centers, count, empty)
        start = InitialCenters(
            self._inputs, count, given, self._cosine, self._seed, self._retries, self._chain_length,
            centers, updated, initialized,
        ).operation()  # fmt: skip
        inputs, current = self._inputs, centers
        if self._cosine:
            inputs = [tf.math.l2_normalize(shard, axis=1) for shard in inputs]
            if not self._kept_normalized:
                current = tf.math.l2_normalize(centers, axis=1)
        all_scores, scores, nearest = self._infer(inputs, current)
        if self._mini_batch:
            # What is read before what is written TF1 left open; here a run sees the centres as they were before it.
            with tf.control_dependencies(nearest):
                renewed = self._renew(countdown, centers, updated, counts)
            with tf.control_dependencies([renewed]):
                train = self._train_on_batch(inputs, nearest, updated, counts)
        else:
            train = self._train_on_all(inputs, count, nearest, centers)
        return all_scores, nearest, scores, initialized, start, train

    @property
    def _several_steps(self) -> bool:
        return self._mini_batch and self._steps > 1

    @property
    def _kept_normalized(self) -> bool:
        return self._cosine and (not self._mini_batch or self._several_steps)

    def _mini_batch_variables(self, centers: tf.Variable, count: tf.Tensor, empty: tf.Tensor) -> tuple[Any, Any, Any]:
        """The centres that a batch changes, the steps until they count, and the points seen for each."""
        if self._several_steps:
            updated = Variable(empty, name="clusters_updated", validate_shape=False)
            countdown = Variable(self._steps, dtype=tf.int64, name="update_in_steps")
            return updated, countdown, Variable(tf.zeros([count], tf.int64))
        return centers, None, Variable(tf.ones([count], tf.int64)) if self._mini_batch else None

    def _infer(self, inputs: Sequence[tf.Tensor], centers: Any) -> tuple[Any, Any, Any]:
        centers = tf.convert_to_tensor(centers)
        all_scores = [self._distances(shard, centers) for shard in inputs]
        # Between unit vectors the cosine distance is half the squared distance, which the kernel computes.
        compared = tf.math.l2_normalize(centers, axis=1) if self._cosine and not self._kept_normalized else centers
        scores, nearest = [], []
        for shard in inputs:
            indices, distances = tf.raw_ops.NearestNeighbors(points=shard, centers=compared, k=1)
            if self._cosine:
                distances *= 0.5
            scores.append(tf.squeeze(distances, [-1]))
            nearest.append(tf.squeeze(indices, [-1]))
        return tuple(all_scores), tuple(scores), tuple(nearest)

    def _distances(self, shard: tf.Tensor, centers: tf.Tensor) -> tf.Tensor:
        products = tf.matmul(shard, centers, transpose_b=True)
        if self._cosine:
            return 1 - products
        own = tf.reduce_sum(tf.square(shard), 1, keepdims=True)
        return own - 2 * products + tf.transpose(tf.reduce_sum(tf.square(centers), 1, keepdims=True))

    def _renew(self, countdown: Any, centers: tf.Variable, updated: tf.Variable, counts: Any) -> tf.Operation:
        """Has the centres that batches changed count, every so many steps."""
        if countdown is None:
            return tf.no_op()

        def renew() -> tf.Tensor:
            with tf.control_dependencies([assign(countdown, self._steps - 1)]):
                new = tf.math.l2_normalize(updated, axis=1) if self._cosine else tf.identity(updated.read_value())
            with tf.control_dependencies([assign(centers, new, validate_shape=False)]):
                zeros = tf.zeros_like(counts)
            with tf.control_dependencies([assign(counts, zeros)]):
                return tf.identity(countdown.read_value())

        return cond(countdown.read_value() <= 0, renew, lambda: assign_sub(countdown, 1)).op

    def _train_on_batch(
        self, inputs: Sequence[tf.Tensor], nearest: Sequence[tf.Tensor], centers: tf.Variable, counts: tf.Variable
    ) -> tf.Operation:
        """Moves each centre x of count n by (sum of its k new points - k x) / (n + k)."""
        updates = []
        for shard, indices in zip(inputs, nearest, strict=True):
            touched, places = tf.unique(tf.reshape(indices, [-1]))
            size = tf.size(touched)
            seen, before = tf.gather(counts, touched), tf.gather(centers, touched)
            new = tf.math.unsorted_segment_sum(tf.ones_like(places, dtype=counts.dtype), places, size)
            column = tf.concat([tf.reshape(size, [1]), tf.ones(tf.reshape(tf.rank(shard) - 1, [1]), tf.int32)], 0)
            moves = tf.math.unsorted_segment_sum(shard, places, size)
            moves -= tf.cast(tf.reshape(new, column), shard.dtype) * before
            moves *= tf.reshape(tf.math.reciprocal(tf.cast(seen + new, shard.dtype)), column)
            # The counts are read before they grow.
            with tf.control_dependencies([moves]):
                updates += [scatter_add(counts, touched, new), scatter_add(centers, touched, moves)]
        return tf.group(*updates)

    def _train_on_all(
        self, inputs: Sequence[tf.Tensor], count: tf.Tensor, nearest: Sequence[tf.Tensor], centers: tf.Variable
    ) -> Any:
        """Puts each centre at the mean of its points."""
        sums, sizes = [], []
        for shard, indices in zip(inputs, nearest, strict=True):
            sums.append(tf.math.unsorted_segment_sum(shard, indices, count))
            ones = tf.ones([tf.shape(shard)[0], 1])
            sizes.append(tf.math.unsorted_segment_sum(ones, indices, count))
        means = tf.add_n(sums) / (tf.cast(tf.add_n(sizes), sums[0].dtype) + tf.constant(1e-6, inputs[0].dtype))
        if self._kept_normalized:
            means = tf.math.l2_normalize(means, axis=1)
        return assign(centers, means, validate_shape=False)
