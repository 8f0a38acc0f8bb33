"""A run that reads a variable and changes it, where neither waits for the other: TensorFlow 1 left open which came
first, and it may have been another one at each run. A step, and a run on the bridge, reads first.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(id="TFM147", name="open-order", before="", after="")
