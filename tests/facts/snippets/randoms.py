"""TF 1.x calls of random functions; the values, or what chance leaves certain of them, are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

L = np.log(np.array([[0.7, 0.2, 0.1]], np.float32))
N = [20000]


def about(value, low, high):
    """Mean between bounds, dtype and shape of a sample."""
    mean = tf.reduce_mean(tf.cast(value, tf.float64))
    return mean > low, mean < high, tf.shape(value), value.dtype


SNIPPETS = {
    "tf.random_normal": lambda: about(tf.random_normal(N, 1.0, 0.5), 0.97, 1.03),
    "tf.random_normal / dtype": lambda: about(tf.random_normal(N, dtype=tf.float64, name="r"), -0.05, 0.05),
    "tf.random_uniform": lambda: about(tf.random_uniform(N), 0.48, 0.52),
    "tf.random_uniform / int": lambda: about(tf.random_uniform(N, 0, 10, tf.int32, name="r"), 4.3, 4.7),
    "tf.truncated_normal": lambda: about(tf.abs(tf.truncated_normal(N, stddev=2.0)), 1.3, 1.6),
    "tf.random_gamma": lambda: about(tf.random_gamma([10000], [2.0, 2.0]), 1.9, 2.1),
    "tf.random_poisson": lambda: about(tf.random_poisson([2.0, 2.0], [10000]), 1.9, 2.1),
    "tf.random_poisson / keywords": lambda: about(tf.random_poisson(lam=3.0, shape=N, name="p"), 2.9, 3.1),
    "tf.random.poisson": lambda: about(tf.random.poisson([2.0], [10000]), 1.9, 2.1),
    "tf.multinomial": lambda: about(tf.multinomial(L, 20000), 0.37, 0.43),
    "tf.multinomial / output_dtype": lambda: about(tf.multinomial(L, 20000, None, "m", tf.int32), 0.37, 0.43),
    "tf.random.categorical": lambda: about(tf.random.categorical(L, 20000), 0.37, 0.43),
    "tf.random_shuffle": lambda: tf.sort(tf.random_shuffle([3, 1, 2])),
    "tf.random_crop": lambda: tf.shape(tf.random_crop(np.ones((5, 6, 3), np.float32), [2, 3, 3])),
    "tf.random.stateless_normal": lambda: tf.random.stateless_normal([3], [1, 2]),
    "tf.random.stateless_uniform": lambda: tf.random.stateless_uniform([3], [1, 2]),
    "tf.random.stateless_truncated_normal": lambda: tf.random.stateless_truncated_normal([3], [1, 2]),
    "tf.random.stateless_categorical": lambda: tf.random.stateless_categorical(L, 5, [1, 2]),
    "tf.nn.uniform_candidate_sampler": lambda: tf.sort(
        tf.nn.uniform_candidate_sampler(np.int64([[0]]), 1, 5, True, 5)[0]
    ),
    "tf.nn.log_uniform_candidate_sampler": lambda: tf.sort(
        tf.nn.log_uniform_candidate_sampler(np.int64([[0]]), 1, 5, True, 5)[0]
    ),
    "tf.nn.learned_unigram_candidate_sampler": lambda: tf.sort(
        tf.nn.learned_unigram_candidate_sampler(np.int64([[0]]), 1, 5, True, 5)[0]
    ),
    "tf.nn.fixed_unigram_candidate_sampler": lambda: tf.sort(
        tf.nn.fixed_unigram_candidate_sampler(np.int64([[0]]), 1, 3, True, 3, unigrams=[1.0, 2.0, 3.0])[0]
    ),
    "tf.nn.all_candidate_sampler": lambda: tf.sort(tf.nn.all_candidate_sampler(np.int64([[0]]), 1, 5, True)[0]),
    "tf.nn.compute_accidental_hits": lambda: tf.nn.compute_accidental_hits(np.int64([[0], [1]]), np.int64([1, 2]), 1),
    "tf.nn.nce_loss": lambda: tf.nn.nce_loss(
        [tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[5.0, 6.0], [7.0, 8.0]])],
        tf.constant([0.1, 0.2, 0.3, 0.4]),
        tf.constant([[1], [2]], tf.int64),
        tf.constant([[0.1, 0.2], [0.3, 0.4]]),
        2,
        4,
        sampled_values=(tf.constant([0, 3], tf.int64), tf.constant([[0.5], [0.5]]), tf.constant([0.5, 0.5])),
    ),
    "tf.nn.sampled_softmax_loss": lambda: tf.nn.sampled_softmax_loss(
        [tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[5.0, 6.0], [7.0, 8.0]])],
        tf.constant([0.1, 0.2, 0.3, 0.4]),
        tf.constant([[1], [2]], tf.int64),
        tf.constant([[0.1, 0.2], [0.3, 0.4]]),
        2,
        4,
        sampled_values=(tf.constant([0, 3], tf.int64), tf.constant([[0.5], [0.5]]), tf.constant([0.5, 0.5])),
    ),
}
