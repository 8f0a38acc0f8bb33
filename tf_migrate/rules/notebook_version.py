"""A notebook asks Colab for TensorFlow 1 (`%tensorflow_version 1.x`), or installs it again (`!pip install
tensorflow==1.15`): Colab has TensorFlow 2 alone, and the migrated cells need it. The first line goes; of the second the
requirements change as in a file of them, where the line is a plain command of words.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator

from tf_migrate.changes import pins
from tf_migrate.changes.edits import Edit
from tf_migrate.files.magic import shown
from tf_migrate.rules import Change, Context, Rule

_VERSION = re.compile(r"%tensorflow_version\s+(?:1|2)(?:\.|\s|$)")
_INSTALL = re.compile(
    r"[!%](?:\S*python\S*\s+-m\s+)?pip3?\s+install\b.*\btensorflow(?:[-_](?:gpu|cpu))?\s*(?:==|~=|<=?)\s*1\."
)
_WORD = re.compile(r"""(?<=\s)(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\|&;<>(){}*?#]+))(?=\s|$)""")
_REQUIREMENTS = "requirements.txt"
_BETWEEN = "\n#\n"


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
            yield _installing(context, node)


def _installing(context: Context, node: ast.Pass) -> Change:
    edits = tuple(_moved(context, node))
    if edits:
        return Change(context.finding(node, "TFM133", "this line installs TensorFlow 2 now"), edits)
    message = "this line puts TensorFlow 1 in the place of TensorFlow 2"
    return context.manual(node, "TFM133", message, "install `tensorflow>=2.16`, or take the line out")


def _moved(context: Context, node: ast.Pass) -> Iterator[Edit]:
    """The requirements of an installing line that change; none where a person has to look at one of them."""
    source = context.module.source
    line = source.line_text(node.lineno).rstrip("\r\n")
    command = line.index("install") + len("install")
    words = list(_WORD.finditer(line, command))
    if _WORD.sub("", line[command:]).strip():
        return
    asked = [next(filter(None, word.groups()), "") for word in words]
    new, findings = pins.update(_REQUIREMENTS, _BETWEEN.join(asked).encode(), keras2=context.names.keeps_keras2)
    if any(found.action == "manual" for found in findings):
        return
    for word, old, changed in zip(words, asked, new.decode().split(_BETWEEN), strict=True):
        if changed != old:
            start = source.line_starts[node.lineno - 1]
            yield Edit(start + word.start(), start + word.end(), shlex.join(changed.split("\n")))


RULE = Rule(id="TFM133", name="notebook-version", before="", after="", find=find)
