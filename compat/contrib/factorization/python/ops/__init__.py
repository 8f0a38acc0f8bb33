"""`tf.contrib.factorization.python.ops` of TF 1.15."""

from ... import clustering as clustering_ops
