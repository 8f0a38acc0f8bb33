"""A pin of TensorFlow 1 is moved to the versions that migrated code runs on, where its text makes that certain: a
whole line of a requirements file or of `setup.cfg`, a whole string in `setup.py` or `pyproject.toml`.
`tensorflow-gpu` becomes `tensorflow`, which has had GPU support in it since TensorFlow 2.1. Beside such a pin,
NumPy, h5py, Keras and protobuf are let go where they are held below what TensorFlow 2 needs to be installed.

    tensorflow-gpu==1.15.0  # for the cluster

becomes

    tensorflow>=2.16,<2.22  # for the cluster
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(id="TFM311", name="moved-pin", before="", after="")
