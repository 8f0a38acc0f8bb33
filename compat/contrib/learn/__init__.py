"""`tf.contrib.learn` of TF 1.15: data sets and modes. The estimators of the rest are `tf.estimator`'s or gone."""

from . import datasets as datasets
from .mode_keys import ModeKeys as ModeKeys
