"""The line that Python 3.7 gives an expression in a traceback: TensorFlow 1.15.5 ran on it, and recordings have it."""

from __future__ import annotations

import ast

from tf_migrate.syntax.module import Module

_COMPREHENSIONS = ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp


def line_of(node: ast.AST, module: Module) -> int:
    """The line of what a call or operator does: the last on which something that it needs begins.

    Python 3.7 counts lines up within a statement: an instruction has the largest line of all the expressions that were
    compiled before it, from the beginning of the statement on.
    """
    if isinstance(node, ast.stmt) or node not in module.parents:
        return _first_line(node)
    line = _first_line(node)
    inner: ast.AST = node
    line = max(line, _compiled(node))
    for outer in module.around(node):
        if isinstance(outer, ast.Lambda):
            return max(line, _first_line(outer))
        if isinstance(outer, _COMPREHENSIONS) and outer.generators[0] is not inner:
            return max(line, _first_line(outer), *_before_element(outer))
        if isinstance(outer, ast.comprehension) and not _is_outermost(outer, inner, module):
            comprehension = module.parents[outer]
            return max(line, _first_line(comprehension), *_before(outer, inner))
        if isinstance(outer, ast.stmt):
            return max(line, _first_line(outer), *_before(outer, inner))
        line = max(line, _first_line(outer), *_before(outer, inner))
        inner = outer
    return line


def _before(outer: ast.AST, inner: ast.AST) -> list[int]:
    """The lines of what stands in a node and is compiled before one of its parts."""
    found = [0]
    for part in _parts(outer):
        if part is inner:
            break
        found.append(_compiled(part))
    return found


def _before_element(comprehension: ast.AST) -> list[int]:
    """The lines of what a comprehension computes before its element: targets, conditions, inner sequences."""
    generators = getattr(comprehension, "generators", [])
    parts = [part for each in generators for part in (each.target, *each.ifs)]
    return [_compiled(part) for part in (*parts, *(each.iter for each in generators[1:]))]


def _is_outermost(generator: ast.comprehension, part: ast.AST, module: Module) -> bool:
    """Whether a part of a comprehension is the sequence that the code around it computes."""
    first = getattr(module.parents[generator], "generators", [generator])[0]
    return first is generator and part is generator.iter


def _compiled(node: ast.AST) -> int:
    """The last line on which an expression of a node begins, without the bodies of lambdas and comprehensions."""
    line = _first_line(node)
    if isinstance(node, ast.Lambda):
        return max([line, *(_compiled(each) for each in node.args.defaults)])
    if isinstance(node, _COMPREHENSIONS):
        return max(line, _compiled(node.generators[0].iter))
    return max([line, *map(_compiled, _parts(node))])


def _parts(node: ast.AST) -> list[ast.AST]:
    """The expressions of a node, in the order in which they are computed."""
    if isinstance(node, ast.Assign):
        return [node.value, *node.targets]
    if isinstance(node, ast.For | ast.AsyncFor):
        return [node.iter]
    if isinstance(node, ast.While | ast.If):
        return [node.test]
    if isinstance(node, ast.With | ast.AsyncWith):
        return list(node.items)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [*node.decorator_list, *node.args.defaults]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases]
    if isinstance(node, ast.Dict):
        return [part for pair in zip(node.keys, node.values, strict=True) for part in pair if part is not None]
    if isinstance(node, ast.IfExp):
        return [node.test, node.body, node.orelse]
    if isinstance(node, ast.Try | ast.Match):
        return []
    return [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt)]


def _first_line(node: ast.AST) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.end_lineno or node.lineno  # Python 3.7 gave a text over several lines its last one
    return getattr(node, "lineno", 0)
