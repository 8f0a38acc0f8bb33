"""A notebook asks Colab for TensorFlow 1 (`%tensorflow_version 1.x`), or installs it again (`!pip install
tensorflow==1.15`): Colab has TensorFlow 2 alone, and the migrated cells need it. The first line goes; what is installed
is left to a person.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.files.magic import shown
from tf_migrate.rules import Change, Context, Rule

_VERSION = re.compile(r"%tensorflow_version\s+(?:1|2)(?:\.|\s|$)")
_INSTALL = re.compile(
    r"[!%](?:\S*python\S*\s+-m\s+)?pip3?\s+install\b.*\btensorflow(?:[-_](?:gpu|cpu))?\s*(?:==|~=|<=?)\s*1\."
)


def find(context: Context) -> Iterator[Change]:
    """Looks at IPython's own lines in the cells of a notebook."""
    module = context.module
    if module.source.cells is None:
        return
    for node in module.nodes:
        if not isinstance(node, ast.Pass) or module.is_skipped(node):
            continue
        line = shown(module.source.line_text(node.lineno)).strip()
        if _VERSION.match(line) and isinstance(module.parents[node], ast.Module):
            starts = (*module.source.line_starts, len(module.source.text))
            edit = Edit(starts[node.lineno - 1], starts[node.lineno], "", encloses=True)
            yield Change(context.finding(node, "TFM133", "Colab has no TensorFlow 1 any more"), (edit,))
        elif _INSTALL.match(line):
            message = "this line puts TensorFlow 1 in the place of TensorFlow 2"
            yield context.manual(node, "TFM133", message, "install `tensorflow>=2.16`, or take the line out")


RULE = Rule(id="TFM133", name="notebook-version", before="", after="", find=find)
