"""A recurrent network that begins with variables, assigns its last state to them, and computes its loss behind that:
TensorFlow 1's gradient found the new state where the first one had been, since both had one memory. TensorFlow 2's
takes the first state, which is what the loss is computed of.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(id="TFM149", name="loop-state", before="", after="")
