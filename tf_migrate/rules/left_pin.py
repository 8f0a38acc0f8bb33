"""A pin of TensorFlow 1 is reported where more than its text has to change: a Docker image or a conda environment
brings a Python that is too old, a line with hashes needs new ones, a wheel's address has no successor, and what
TensorFlow 2 brings along by itself (`tensorboard`, `tensorflow-estimator`) should not be named any more.

    FROM tensorflow/tensorflow:1.15.2-gpu-py3

stays, and the report says what to write.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(id="TFM312", name="left-pin", before="", after="")
