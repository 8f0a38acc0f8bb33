"""The outline of a module is what the whole walk finds at its top level."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tf_migrate
from tf_migrate.files.source import read
from tf_migrate.syntax.module import load
from tf_migrate.syntax.outline import outline

CODE = """\
import a.b, c as d
from e import f, g as h
from i import *
j = k = a.x
(l, m), [n, *o] = 1, 2
p, q = a.y, a.z
r: int = a.w
s += 1
for t, (u, v) in x:
    w = a
else:
    import x1
with y as (z, z2), y:
    from . import x2
while 1:
    x3 = 1
try:
    x4 = a
except E as x5:
    x6 = a
finally:
    x7 = a
if 1:
    def x8():
        import inner
        inside = a
elif 2:
    class X9:
        from .. import inner2
        inside = a
x10.y = x10[0] = 3
del a
"""


def facts(code: str) -> tuple[object, object]:
    source = read("m.py", code.encode())
    module, found = load(source), outline(source)
    walked = {name: [shown(item) for item in bindings] for name, bindings in module.root.bindings.items()}
    outlined = {name: [shown(item) for item in bindings] for name, bindings in found.root.bindings.items()}
    imports = [ast.unparse(node) for node, _ in module.imports]
    assert sorted(imports) == sorted(ast.unparse(node) for node in found.imports)
    assert [ast.unparse(node) for node in module.root.stars] == [ast.unparse(node) for node in found.root.stars]
    return walked, outlined


def shown(binding: object) -> str:
    if isinstance(binding, tuple):
        return ast.unparse(binding[0]) + " " + binding[1].name
    return ast.unparse(binding) if isinstance(binding, ast.AST) else "unknown"


@pytest.mark.parametrize(
    "code",
    [
        CODE,
        "def f():\\n    global g\\n    g = a.b\\n",
        "(y := a.b)\\nz = [(w := 1) for v in u]\\n",
        "match x:\\n    case [a, *b]: c = a\\n",
    ],
)
def test_same_as_the_walk(code: str) -> None:
    walked, outlined = facts(code.replace("\\n", "\n"))
    assert walked == outlined


@pytest.mark.parametrize("file", sorted(Path(tf_migrate.__file__).parent.rglob("*.py")), ids=lambda file: file.name)
def test_same_as_the_walk_on_real_code(file: Path) -> None:
    walked, outlined = facts(file.read_text())
    assert walked == outlined
