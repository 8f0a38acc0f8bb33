"""A symbol that TensorFlow 2 has nothing in place of, and that has no shim, is left as it stands and reported with the
reason and the next step; so is a use whose text cannot be changed safely. Nothing is dropped in silence.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(id="TFM104", name="manual-symbol", before="", after="")
