"""`tf.contrib.learn` of TF 1.15: its data sets. The estimators of the rest are `tf.estimator`'s or gone."""

from . import datasets as datasets
