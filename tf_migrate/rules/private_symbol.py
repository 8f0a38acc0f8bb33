"""A private path of TensorFlow (`tensorflow.python.…`) is no interface: what stands there may be gone, or may have
changed without a word. Where no public symbol is known for it, it is left as it stands and reported.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(id="TFM105", name="private-symbol", before="", after="")
