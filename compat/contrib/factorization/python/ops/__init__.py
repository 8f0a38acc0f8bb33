"""`tf.contrib.factorization.python.ops` of TF 1.15."""

from . import clustering_ops as clustering_ops
