"""`tf.contrib.factorization` of TF 1.15: k-means."""

from . import python as python
from .initial_centers import KMC2_INIT as KMC2_INIT
from .initial_centers import KMEANS_PLUS_PLUS_INIT as KMEANS_PLUS_PLUS_INIT
from .initial_centers import RANDOM_INIT as RANDOM_INIT
from .python.ops.clustering_ops import CLUSTERS_VAR_NAME as CLUSTERS_VAR_NAME
from .python.ops.clustering_ops import COSINE_DISTANCE as COSINE_DISTANCE
from .python.ops.clustering_ops import SQUARED_EUCLIDEAN_DISTANCE as SQUARED_EUCLIDEAN_DISTANCE
from .python.ops.clustering_ops import KMeans as KMeans
