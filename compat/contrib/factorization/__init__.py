"""`tf.contrib.factorization` of TF 1.15: k-means."""

from . import python as python
from .clustering import CLUSTERS_VAR_NAME as CLUSTERS_VAR_NAME
from .clustering import COSINE_DISTANCE as COSINE_DISTANCE
from .clustering import SQUARED_EUCLIDEAN_DISTANCE as SQUARED_EUCLIDEAN_DISTANCE
from .clustering import KMeans as KMeans
from .initial_centers import KMC2_INIT as KMC2_INIT
from .initial_centers import KMEANS_PLUS_PLUS_INIT as KMEANS_PLUS_PLUS_INIT
from .initial_centers import RANDOM_INIT as RANDOM_INIT
