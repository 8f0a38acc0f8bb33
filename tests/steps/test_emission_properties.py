"""Whatever expressions and layouts a program has: what stays means the same, in the place that a plan gives it."""

from __future__ import annotations

import ast

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.steps.source_nodes import Nodes, emitted
from tf_migrate.steps.plan import Block, DynamicRun, ModulePlan, Read, Step, StepCall

ATOMS = [
    "a",
    "a.b",
    "a[0]",
    "f(a)",
    "3",
    "-1.5",
    "'t'",
    "b'x'",
    "f'{a!r:>{w}}'",
    "'''m\n  n'''",
    "'a' 'b'",
    "None",
    "...",
]
FORMS = [
    "({0})", "[{0}, {1}]", "({0}, {1})", "{{{0}: {1}}}", "{{{0}, {1}}}", "({0} + {1})", "({0} if {1} else {0})",
    "(lambda: {0})", "(lambda q, *r, k={0}: {1})", "(i for i in {0})", "[i for i in {0} if {1}]",
    "{{i: {0} for i in {1}}}", "(m := {0})", "f({0}, *{1}, k={0})", "f(i for i in {0})", "({0}\n + {1})",
    "f({0},  # one\n  {1})", "(not {0})", "({0} or {1})", "({0} < {1} < {0})", "a[{0}:{1}]", "a[{0}, ...]", "({0}).c",
    "[*{0}, {1}]", "(yield {0})", "(yield)", "({0} ** -{1})", "(  # why\n  {0}\n)",
]  # fmt: skip
BARE = ["{0} + {1}", "{0} if {1} else {0}", "lambda: {0}", "lambda q: ({0}, {1})", "not {0}", "{0} or {1}", "{0} < {1}"]
GAPS = ["", " ", "\n", "  # it is\n", "\n    # so, (it) is\n"]
PLACES = [
    "{0}", "r = {0}", "r = {0}[0].c", "r = -{0} ** 2", "r = (await_({0}) if {0} else 1)", "return {0}", "g({0}, k={0})",
    "for i in {0}: pass", "r = [{0} for i in {0}]", "r = {0} if {0} else {0}", "r = (lambda: {0})",
    "r = f'{{q}}' + {0}", "with f({0}) as g: h({0})", "assert {0}, {0}", "r = g(\n    {0},  # b\n    {0})",
    "if {0}: r = {0}", "r = {0}\\\n  .c",
]  # fmt: skip

expressions = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.tuples(st.sampled_from(FORMS), inner, inner).map(lambda parts: parts[0].format(*parts[1:])),
    max_leaves=5,
)
values = st.one_of(
    expressions, st.tuples(st.sampled_from(BARE), expressions, expressions).map(lambda p: p[0].format(*p[1:]))
)
gaps = st.sampled_from(GAPS)


def dump(node: ast.AST) -> str:
    return ast.dump(node)


def in_function(line: str) -> str:
    return f"import tensorflow as tf\n\ndef run_it(sess, x, y):\n    {line}\n"


def runs_in(nodes: Nodes) -> list[ast.Call]:
    found = [node for node in ast.walk(nodes.module.tree) if isinstance(node, ast.Call)]
    return [node for node in found if ast.unparse(node.func) == "sess.run"]


class _Stepped(ast.NodeTransformer):
    """What a program should become."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.func) != "sess.run":
            return node
        fed = node.args[1]
        assert isinstance(fed, ast.Dict)
        return ast.Call(ast.Attribute(ast.Name("self", ast.Load()), "step", ast.Load()), fed.values, [])


@settings(max_examples=100, deadline=None)
@given(place=st.sampled_from(PLACES), first=values, second=values, gap=st.tuples(gaps, gaps, gaps))
def test_runs_become_calls_of_steps(place: str, first: str, second: str, gap: tuple[str, str, str]) -> None:
    run = f"sess.run([x],{gap[0]}{{x:{first}{gap[1]}, y:{gap[2]} {second}{gap[1]}}})"
    code = in_function(place.format(run))
    try:
        before = ast.parse(code)
    except SyntaxError:
        return  # a place where such an expression, or a comment, cannot stand

    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        for node in runs_in(nodes):
            fed = node.args[1]
            assert isinstance(fed, ast.Dict)
            plan.runs.append(StepCall(node, "self.step", tuple(fed.values)))

    after = ast.parse(emitted(code, planned))
    assert dump(after.body[-1]) == dump(_Stepped().visit(before).body[-1])


@settings(max_examples=100, deadline=None)
@given(place=st.sampled_from(PLACES), first=values, second=values, gap=st.tuples(gaps, gaps))
def test_inputs_in_another_order_than_they_are_fed_in(
    place: str, first: str, second: str, gap: tuple[str, str]
) -> None:
    run = f"sess.run([x],{gap[0]}{{x: {first}{gap[1]}, y: {second}{gap[1]}}})"
    code = in_function(place.format(run))
    try:
        before = ast.parse(code)
    except SyntaxError:
        return

    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        for node in runs_in(nodes):
            fed = node.args[1]
            assert isinstance(fed, ast.Dict)
            plan.runs.append(StepCall(node, "self.step", (fed.values[1], fed.values[0])))

    class Swapped(_Stepped):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            made = super().visit_Call(node)
            if made is not node:
                assert isinstance(made, ast.Call)
                made.args.reverse()
            return made

    after = ast.parse(emitted(code, planned))
    assert dump(after.body[-1]) == dump(Swapped().visit(before).body[-1])


@settings(max_examples=100, deadline=None)
@given(place=st.sampled_from(PLACES), fetches=values, feeds=expressions, gap=gaps)
def test_dynamic_runs(place: str, fetches: str, feeds: str, gap: str) -> None:
    code = in_function(place.format(f"sess.run({fetches},{gap} feed_dict={feeds}{gap})"))
    try:
        before = ast.parse(code)
    except SyntaxError:
        return

    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.runs += [DynamicRun(node, node.args[0], node.keywords[0].value) for node in runs_in(nodes)]

    class Dynamic(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            if ast.unparse(node.func) != "sess.run":
                return node
            function = ast.Attribute(ast.Name("compat", ast.Load()), "run", ast.Load())
            return ast.Call(function, [node.args[0], node.keywords[0].value], [])

    after = ast.parse(emitted(code, planned))
    assert dump(after.body[-1]) == dump(Dynamic().visit(before).body[-1])


@settings(max_examples=100, deadline=None)
@given(place=st.sampled_from(PLACES), variable=values, gap=gaps)
def test_reads_of_variables(place: str, variable: str, gap: str) -> None:
    code = in_function(place.format(f"sess.run({gap}{variable}{gap})"))
    try:
        before = ast.parse(code)
    except SyntaxError:
        return
    if any(isinstance(node.args[0], ast.List | ast.Tuple) for node in runs_in_tree(before)):
        return  # displays are read one by one

    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.runs += [Read(node, node.args[0]) for node in runs_in(nodes)]

    class Reads(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            if ast.unparse(node.func) != "sess.run":
                return node
            return ast.Call(ast.Attribute(node.args[0], "numpy", ast.Load()), [], [])

    after = ast.parse(emitted(code, planned))
    assert dump(after.body[-1]) == dump(Reads().visit(before).body[-1])


def runs_in_tree(tree: ast.Module) -> list[ast.Call]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [node for node in found if ast.unparse(node.func) == "sess.run"]


LINES = [
    "a = 1", "# a comment", "", "b = '''one\n  two\n'''", "c = f(1,\n  2)", "d = [\n  # inside\n  3]", "e = 1 + \\\n 2",
    "def g(q):\n    '''Doc\n  of g.\n    '''\n    return q", "if a:\n    b = 2\n# between\nelse:\n    b = 3",
    "for i in a:\n    # in the loop\n    print('''x\ny''', i)",
    "x = tf.placeholder(tf.float32,\n                   [2])", "k = f'''{a}\n  t {\n   b}'''", "h = 'a\\\n   b'",
    "@f\ndef k(): pass", "with f() as l: m = l", "class N:\n\n    o = 1",
    "y = tf.losses.absolute_difference(x,\n   '''p\nq''')",
]  # fmt: skip
AROUND = [
    "{0}", "def f():\n{1}", "class C(object):\n    def f(self):\n{2}", "if a:\n  print(a)\n{3}",
    "def f():\n\tif a:\n{4}",
    "with tf.Session() as sess:\n{1}", "def f():\n    with tf.Session() as sess:\n{2}\n    return 3",
]  # fmt: skip
DEPTHS = ["", "    ", "        ", "  ", "\t\t"]


@settings(max_examples=100, deadline=None)
@given(
    lines=st.lists(st.sampled_from(LINES), min_size=1, max_size=6),
    around=st.sampled_from(AROUND),
    newline=st.sampled_from(["\n", "\r\n"]),
    kept=st.booleans(),
)
def test_statements_mean_the_same_in_a_block(lines: list[str], around: str, newline: str, kept: bool) -> None:
    body = "\n".join(["first = 0", *lines, "last = 9"])
    code = around.format(*(_indented(body, depth) for depth in DEPTHS)) + "\nbehind = 1\n"
    code = f"import tensorflow as tf\n\n{code}".replace("\n", newline)
    before = ast.parse(code)

    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        last = nodes.statement("last =")
        if not kept:
            plan.blocks.append(Block(nodes.statement("first ="), last))
        plan.steps.append(Step("self.z_step", "z", ("x",), (), last))
        plan.unwrapped |= {node for node in ast.walk(nodes.module.tree) if _is_session(node)}  # type: ignore[misc]

    text = emitted(code, planned)
    after = ast.parse(text)
    expected = next(_body_with_first(node) for node in ast.walk(before) if _body_with_first(node))
    expected = [_Renamed().visit(node) for node in expected if not _is_last(node)]
    if not kept:
        block = next(node for node in ast.walk(after) if isinstance(node, ast.With) and _is_building(node))
        assert [dump(node) for node in block.body] == [dump(node) for node in expected]
    step = ast.parse("self.z_step = compat.step(z, x)").body[0]
    place = next(node for node in ast.walk(after) if any(map(_is_step, getattr(node, "body", None) or [])))
    position = next(number for number, node in enumerate(place.body) if _is_step(node))  # type: ignore[attr-defined]
    assert dump(place.body[position]) == dump(step)  # type: ignore[attr-defined]
    assert "\n" not in text.replace(newline, "")
    assert (newline + "behind = 1" + newline) in text


def _indented(text: str, depth: str) -> str:
    """The text at a depth, its strings as they are."""
    held: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            held.update(range(node.lineno + 1, (node.end_lineno or 0) + 1))
    unit = "\t" if "\t" in depth else "    "
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if number in held or not line.strip():
            lines.append(line)
        else:
            inner = len(line) - len(line.lstrip(" "))
            lines.append(depth + unit * (inner // 4) + " " * (inner % 4) * ("\t" not in depth) + line.lstrip(" "))
    return "\n".join(lines)


def _is_session(node: ast.AST) -> bool:
    return isinstance(node, ast.With) and ast.unparse(node.items[0].context_expr) == "tf.Session()"


def _is_building(node: ast.With) -> bool:
    return ast.unparse(node.items[0].context_expr) == "compat.building()"


def _is_step(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node).startswith("self.z_step")


def _is_last(node: ast.stmt) -> bool:
    return ast.unparse(node).startswith(("behind =", "print(a)", "return 3"))


def _body_with_first(node: ast.AST) -> list[ast.stmt]:
    body = getattr(node, "body", None)
    if isinstance(body, list) and any(ast.unparse(each).startswith("first =") for each in body):
        start = next(number for number, each in enumerate(body) if ast.unparse(each).startswith("first ="))
        return body[start:]
    return []


class _Renamed(ast.NodeTransformer):
    """What the rules make of the symbols in the lines."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        text = {"tf.placeholder": "compat.Input", "tf.losses": "compat.losses"}.get(ast.unparse(node))
        return self.generic_visit(node) if text is None else ast.parse(text, mode="eval").body
