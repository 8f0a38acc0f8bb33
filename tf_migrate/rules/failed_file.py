"""A file that could not be read, parsed, verified or written is left byte for byte as it was, and the others are done.
The report says why, and what to do; the exit status is 3.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(id="TFM000", name="failed-file", before="", after="")
