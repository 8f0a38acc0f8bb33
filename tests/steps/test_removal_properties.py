"""Statements that go, blocks that open and close, in programs of any shape: what is left stays as it was."""

from __future__ import annotations

import ast

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.steps.source_nodes import Nodes, emitted
from tf_migrate.steps.plan import Block, ModulePlan, Step

PLAIN = [
    ["keep()"], ["gone()"], ["gone()"], ["gone('''", "of lines", "''')"], ["# a comment"], [""],
    ["keep('''", "a", "  b''')"], ["gone(1,", "     2)  # behind"], ["keep(1,", "     2)"], ["keep(); gone(); keep()"],
    ["gone(); gone()"], ["@gone", "def f(): pass"], ["with opened(): keep(); gone()"], ["if a: gone()"],
]  # fmt: skip
HEADS = [
    ("if a:",), ("if f():",), ("with opened():",), ("with opened() as s:",), ("with opened() as s:",), ("with f():",),
    ("for i in f():",), ("while f():",), ("def g():",), ("class C:",), ("for i in range(3):",),
    ("with (opened(),", "      opened()):"), ("if a:", "else:"), ("if f():", "elif g():"),
    ("if f():", "elif g():", "else:"), ("try:", "finally:"), ("try:", "except E:"),
    ("try:", "except E:", "else:", "finally:"), ("for i in f():", "else:"),
]  # fmt: skip


def compound(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    """A statement with blocks, or the statements of a block of building."""
    bodies = st.lists(
        st.tuples(st.lists(inner, max_size=4), st.sampled_from(["keep()", "gone()"])), min_size=4, max_size=4
    )
    return st.tuples(st.sampled_from(HEADS), bodies).map(_compound) | st.lists(inner, max_size=4).map(_building)


def _compound(parts: tuple[tuple[str, ...], list[tuple[list[list[str]], str]]]) -> list[str]:
    heads, bodies = parts
    if len(heads) > 1 and heads[1].startswith(" "):  # of one statement, over two lines
        heads = ("\n".join(heads),)
    lines: list[str] = []
    for head, (body, last) in zip(heads, bodies, strict=False):
        lines += head.split("\n")
        lines += [line if not line or _is_held(line) else f"    {line}" for statement in body for line in statement]
        lines.append(f"    {last}")
    return lines


def _building(body: list[list[str]]) -> list[str]:
    return ["first = 0", *(line for statement in body for line in statement), "last = 0"]


def _is_held(line: str) -> bool:
    """Whether a line is the second one of a string."""
    return line in ("of lines", "''')", "a", "  b''')")


statements = st.recursive(st.sampled_from(PLAIN), compound, max_leaves=25)


def _is(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.FunctionDef):
        return name == "gone" and bool(node.decorator_list)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == name


def _opens(node: ast.AST) -> bool:
    return isinstance(node, ast.With) and all(ast.unparse(item.context_expr) == "opened()" for item in node.items)


class Expected:
    """The program as it should be."""

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for node in body:
            found += self.statement(node)
        return found

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        if _is(node, "gone"):
            return []
        parts = {name: self.block(getattr(node, name)) for name in ("body", "orelse", "finalbody") if _has(node, name)}
        if _opens(node):
            return parts["body"]
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and not any(parts.values()):
            return []
        if isinstance(node, ast.For) and ast.unparse(node.iter) == "range(3)" and not any(parts.values()):
            return []
        if isinstance(node, ast.Try):
            if not any(parts.values()) and "compat.building()" not in ast.unparse(node):
                return []
            if node.finalbody and not parts["finalbody"] and not node.handlers and not node.orelse:
                return parts["body"]
            for handler in node.handlers:
                handler.body = self.block(handler.body) or [ast.Pass()]
        for name, made in parts.items():
            setattr(node, name, made or ([ast.Pass()] if name == "body" else []))
        return [node]


def _has(node: ast.stmt, name: str) -> bool:
    return isinstance(getattr(node, name, None), list)


@settings(max_examples=100, deadline=None)
@given(program=st.lists(statements, min_size=1, max_size=6), newline=st.sampled_from(["\n", "\r\n"]), end=st.booleans())
def test_statements_that_go(program: list[list[str]], newline: str, end: bool) -> None:
    code = newline.join([*(line for statement in program for line in statement), *(["keep()", ""] if end else [])])
    before = ast.parse(code)

    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.dropped |= {
            node for node in ast.walk(nodes.module.tree) if isinstance(node, ast.stmt) and _is(node, "gone")
        }
        plan.unwrapped |= {node for node in ast.walk(nodes.module.tree) if isinstance(node, ast.With) and _opens(node)}

    after = ast.parse(emitted(code, planned))
    expected = Expected().block(before.body)
    assert [ast.dump(node) for node in after.body] == [ast.dump(node) for node in expected]


@settings(max_examples=100, deadline=None)
@given(program=st.lists(statements, min_size=1, max_size=6), newline=st.sampled_from(["\n", "\r\n"]))
def test_blocks_among_statements_that_go(program: list[list[str]], newline: str) -> None:
    lines = ["import tensorflow as tf", *(line for statement in program for line in statement), "keep()", ""]
    code = newline.join(lines)
    before = ast.parse(code)
    ranges = list(_ranges(before))

    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.dropped |= {
            node for node in ast.walk(nodes.module.tree) if isinstance(node, ast.stmt) and _is(node, "gone")
        }
        plan.unwrapped |= {node for node in ast.walk(nodes.module.tree) if isinstance(node, ast.With) and _opens(node)}
        for body, first, last in _ranges(nodes.module.tree):
            plan.blocks.append(Block(body[first], body[last]))
            plan.steps.append(Step("z_step", "z", ("x",), (), body[last]))

    after = ast.parse(emitted(code, planned))
    head = ast.parse("with compat.building(): pass\nz_step = compat.step(z, x)").body
    for body, first, last in sorted(ranges, key=lambda item: -item[1]):
        building = ast.With(head[0].items, body[first : last + 1], lineno=0, col_offset=0)  # type: ignore[attr-defined]
        body[first : last + 1] = [building, head[1]]
    expected = Expected().block(before.body)
    found = [node for node in after.body if ast.unparse(node) != "import compat"]
    assert [ast.dump(node) for node in found] == [ast.dump(node) for node in expected]


def _ranges(tree: ast.Module) -> list[tuple[list[ast.stmt], int, int]]:
    """Where a block of building is: from `first = 0` to the next `last = 0` beside it, none inside of another."""
    found: list[tuple[list[ast.stmt], int, int]] = []
    waiting: list[list[ast.stmt]] = [tree.body]
    while waiting:
        body, start = waiting.pop(), None
        inside: list[ast.stmt] = []
        for number, node in enumerate(body):
            text = ast.unparse(node) if isinstance(node, ast.Assign) else ""
            start = number if text == "first = 0" and start is None else start
            if text == "last = 0" and start is not None:
                found.append((body, start, number))
                start, inside = None, []
            elif start is None:
                waiting += _bodies(node)
            else:
                inside += [node]
        for node in inside:
            waiting += _bodies(node)
    return found


def _bodies(node: ast.AST) -> list[list[ast.stmt]]:
    bodies = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    handlers = [handler.body for handler in getattr(node, "handlers", ())]
    return [body for body in [*bodies, *handlers] if isinstance(body, list) and body]
