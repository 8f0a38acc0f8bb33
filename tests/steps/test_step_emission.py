"""What plans, written by hand, make of programs: whole texts."""

from __future__ import annotations

import ast
import json
import textwrap

import pytest

from tests.steps.source_nodes import Nodes, Planned, emission, emitted
from tf_migrate.steps.draft import Unwritable
from tf_migrate.steps.plan import Block, DynamicRun, Hoist, Insertion, ModulePlan, Read, Removal, Step, StepCall


def becomes(before: str, planned: Planned, after: str) -> None:
    assert emitted(before, planned) == textwrap.dedent(after)


def test_a_class_that_is_given_its_session() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.builders.add(nodes.function("__init__"))
        plan.dropped_parameters.add(nodes.parameter("__init__", "sess"))
        assignment = nodes.statement("self.sess, self.width")
        plan.dropped_elements |= {assignment.targets[0].elts[0], assignment.value.elts[0]}  # type: ignore[attr-defined]
        last = nodes.statement("self.saver")
        plan.steps.append(Step("self.train_step", "self.loss", ("self.x", "self.y"), ("self.train",), last))
        plan.steps.append(Step("self.predict_step", "self.out", ("self.x",), (), last))
        first = nodes.call("self.sess.run(tf.global")
        plan.runs.append(Removal(first, nodes.statement("self.sess.run(tf.global")))
        run = nodes.call("self.sess.run(\n")
        plan.runs.append(StepCall(run, "self.train_step", tuple(run.args[1].values), (1,)))  # type: ignore[attr-defined]
        run = nodes.call("self.sess.run(self.out")
        plan.runs.append(StepCall(run, "self.predict_step", tuple(run.args[1].values)))  # type: ignore[attr-defined]
        plan.dropped_arguments.add(nodes.call("self.saver.save").args[0])

    becomes(
        """\
        import tensorflow as tf


        class Net(object):
            def __init__(self, sess, width):
                self.sess, self.width = sess, width
                # The inputs
                self.x = tf.placeholder(tf.float32, [None, 2], name='x')  # rows
                self.y = tf.placeholder(tf.float32, [None, 1])
                self.out = tf.layers.dense(self.x, 1)
                self.loss = tf.losses.mean_squared_error(
                    self.y, self.out)
                self.train = tf.train.AdamOptimizer().minimize(self.loss)
                self.saver = tf.train.Saver()

                # Variables begin
                self.sess.run(tf.global_variables_initializer())

            def fit(self, x, y):
                _, loss = self.sess.run(
                    [self.train, self.loss],
                    {self.x: x, self.y: y})
                self.saver.save(self.sess, 'path')
                return loss

            def predict(self, x):
                return self.sess.run(self.out, {self.x: x})
        """,
        planned,
        """\
        import tensorflow as tf
        import compat


        class Net(object):
            @compat.builder
            def __init__(self, width):
                self.width = width
                # The inputs
                self.x = compat.Input(tf.float32, [None, 2], name='x')  # rows
                self.y = compat.Input(tf.float32, [None, 1])
                self.out = compat.layers.dense(self.x, 1)
                self.loss = compat.losses.mean_squared_error(
                    self.y, self.out)
                self.train = compat.train.AdamOptimizer().minimize(self.loss)
                self.saver = compat.train.Saver()
                self.train_step = compat.step(self.loss, self.x, self.y, updates=[self.train])
                self.predict_step = compat.step(self.out, self.x)

            def fit(self, x, y):
                loss = self.train_step(x, y)
                self.saver.save('path')
                return loss

            def predict(self, x):
                return self.predict_step(x)
        """,
    )


def test_a_script() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        last = nodes.statement("train =")
        plan.blocks.append(Block(nodes.statement("x ="), last))
        plan.steps.append(Step("train_step", "y", ("x",), ("train",), last))
        plan.dropped |= {nodes.statement("init ="), nodes.statement("sess.run(init)")}
        plan.unwrapped.add(nodes.block("with tf.Session"))
        run = nodes.call("sess.run([train")
        plan.runs.append(StepCall(run, "train_step", (nodes.expression("np.ones([2, 2])"),), (1,)))
        plan.inserted.append(
            Insertion("compat.VariableStore().enter_program()", nodes.statement("rate ="), before=True)
        )

    becomes(
        '''\
        """Learns."""
        import numpy as np
        import tensorflow as tf

        # How fast
        rate = 0.1

        # The graph
        x = tf.placeholder(tf.float32, [None, 2])
        text = """
         left
           alone"""
        w = tf.Variable(tf.zeros([2, 1]),
                        name="w")
        y = tf.matmul(x, w)
        train = tf.train.GradientDescentOptimizer(rate).minimize(y)

        # Variables begin
        init = tf.global_variables_initializer()

        # Here it runs
        with tf.Session() as sess:
            # They do
            sess.run(init)

            for turn in range(3):  # turns
                _, value = sess.run([train, y], feed_dict={
                    x: np.ones([2, 2]),  # ones
                })
                print(value,
                      turn)
            # at last
            print("done")
        ''',
        planned,
        '''\
        """Learns."""
        import numpy as np
        import tensorflow as tf
        import compat

        compat.VariableStore().enter_program()
        # How fast
        rate = 0.1

        with compat.building():
            # The graph
            x = compat.Input(tf.float32, [None, 2])
            text = """
         left
           alone"""
            w = compat.Variable(tf.zeros([2, 1]),
                            name="w")
            y = tf.matmul(x, w)
            train = compat.train.GradientDescentOptimizer(rate).minimize(y)
        train_step = compat.step(y, x, updates=[train])

        # Here it runs
        for turn in range(3):  # turns
            value = train_step(
                np.ones([2, 2]),  # ones
            )
            print(value,
                  turn)
        # at last
        print("done")
        ''',
    )


def test_a_statement_that_goes_from_a_block() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.blocks.append(Block(nodes.statement("a ="), nodes.statement("b =")))
        plan.dropped |= {nodes.statement("sess ="), nodes.statement("sess.run")}

    becomes(
        """\
        import tensorflow as tf
        a = tf.zeros([])
        sess = tf.Session()

        sess.run(tf.global_variables_initializer())
        b = a + 1
        """,
        planned,
        """\
        import tensorflow as tf
        import compat
        with compat.building():
            a = tf.zeros([])

            b = a + 1
        """,
    )


def test_blocks_that_open_and_close_around_one_another() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        opened = nodes.block("with graph").items[0]
        plan.replaced[opened.context_expr] = "compat.VariableStore()"
        plan.dropped |= {nodes.statement(text) for text in ("graph =", "sess =", "sess.close", "sess.run(tf.no_op")}
        plan.blocks.append(Block(nodes.statement("x ="), nodes.statement("y =")))
        plan.steps.append(Step("y_step", "y", ("x",), (), nodes.statement("y =")))
        plan.runs.append(StepCall(nodes.call("sess.run(y"), "y_step", (nodes.expression("1.0"),)))

    becomes(
        """\
        import tensorflow as tf

        def main():
            graph = tf.Graph()
            with graph.as_default(), tf.device("/cpu:0"):
                x = tf.placeholder(tf.float32)
                y = x + 1
            sess = tf.Session(graph=graph)
            try:
                while True:
                    value = sess.run(y, {x: 1.0})

                    if value > 3:
                        break
                else:
                    sess.run(tf.no_op())
            finally:
                # No more
                sess.close()
            return value
        """,
        planned,
        """\
        import tensorflow as tf
        import compat

        def main():
            with compat.VariableStore(), tf.device("/cpu:0"):
                with compat.building():
                    x = compat.Input(tf.float32)
                    y = x + 1
                y_step = compat.step(y, x)
            while True:
                value = y_step(1.0)

                if value > 3:
                    break
            return value
        """,
    )


def test_functions_at_the_borders_of_a_block() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.blocks.append(Block(nodes.function("f"), nodes.function("h")))
        plan.steps.append(Step("x_step", "x", (), (), nodes.function("h")))

    becomes(
        """\
        import tensorflow as tf
        # What adds one
        def f(x, y=1):
            return x + y
        x = f(tf.zeros([]))
        def g(x):
            return x
        x = g(x)
        @known
        def h(x):
            return x
        """,
        planned,
        """\
        import tensorflow as tf
        import compat
        # What adds one
        def f(x, y=1):
            return x + y
        with compat.building():
            x = f(tf.zeros([]))
            def g(x):
                return x
            x = g(x)
        @known
        def h(x):
            return x
        x_step = compat.step(x)
        """,
    )


def test_names_and_items_of_with() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        first, second, third, fourth = (node for node in nodes.module.tree.body if isinstance(node, ast.With))
        plan.replaced[first.items[0].context_expr] = "compat.VariableStore()"
        plan.dropped_elements.add(first.items[0].optional_vars)  # type: ignore[attr-defined]
        plan.dropped_items.add(second.items[1])
        plan.dropped_items.add(third.items[0])
        plan.unwrapped.add(fourth)

    becomes(
        """\
        import tensorflow as tf
        with tf.Session() as sess:
            a()
        with open("f") as f, tf.Session(config=c) as (sess):
            b()
        with (
            tf.Session() as sess,  # goes
            open("g") as g,
        ):
            c()
        with tf.Session() as sess: d(); e()
        """,
        planned,
        """\
        import tensorflow as tf
        import compat
        with compat.VariableStore():
            a()
        with open("f") as f:
            b()
        with (
            open("g") as g,
        ):
            c()
        d(); e()
        """,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(sess, a): pass", "def f(a): pass"),
        ("def f(a, sess): pass", "def f(a): pass"),
        ("def f(sess): pass", "def f(): pass"),
        ("def f(a, sess=None, b=(1)): pass", "def f(a, b=(1)): pass"),
        ("def f(a, b=1, sess=(None)): pass", "def f(a, b=1): pass"),
        ("def f(a, sess: 'tf.Session' = None, *b, **c): pass", "def f(a, *b, **c): pass"),
        ("def f(a, *, sess): pass", "def f(a): pass"),
        ("def f(*, sess=None, **c): pass", "def f(**c): pass"),
        ("def f(a, *, sess, b): pass", "def f(a, *, b): pass"),
        ("def f(sess, /, a): pass", "def f(a): pass"),
        ("def f(sess, a, /, *b): pass", "def f(a, /, *b): pass"),
        ("def f(a,\n      sess,  # the session\n      b): pass", "def f(a,\n      b): pass"),
        ("def f(a,  # the first\n      sess): pass", "def f(a,  # the first\n): pass"),
        ("def f(\n    a,\n    sess,\n): pass", "def f(\n    a,\n): pass"),
    ],
)
def test_parameters_that_go(before: str, after: str) -> None:
    assert emitted(before, lambda nodes, plan: plan.dropped_parameters.add(nodes.parameter("f", "sess"))) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(sess, a)", "f(a)"),
        ("f(a, sess)", "f(a)"),
        ("f(sess)", "f()"),
        ("f(a, (sess), b)", "f(a, b)"),
        ("f(a, session=sess, b=1)", "f(a, b=1)"),
        ("f(a, b=1, session=(sess))", "f(a, b=1)"),
        ("f(lambda a, b: c, sess, *d, **e)", "f(lambda a, b: c, *d, **e)"),
        ("f(\n    sess,\n    a,  # this\n    b)", "f(\n    a,  # this\n    b)"),
        ("f(a,  # this\n  sess,  # that\n)", "f(a,  # this\n  # that\n)"),
        ("f( sess )", "f()"),
        ("f(sess,)", "f()"),
        ("f((a), sess,)", "f((a),)"),
        ("g(f(sess, a), sess2)", "g(f(a), sess2)"),
    ],
)
def test_arguments_that_go(before: str, after: str) -> None:
    assert emitted(before, lambda nodes, plan: plan.dropped_arguments.add(nodes.expression("sess"))) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = (sess, b)", "a = b"),
        ("a = sess, b", "a = b"),
        ("a = (b), sess", "a = (b)"),
        ("a = (b), (sess), (c)", "a = (b), (c)"),
        ("f((sess, b))", "f((b,))"),
        ("f((b, sess, c))", "f((b, c))"),
        ("[a, sess] = d", "[a] = d"),
        ("for i, sess in d: pass", "for i in d: pass"),
        ("def g():\n    return sess, (b, c)", "def g():\n    return (b, c)"),
        ("a = sess, *b", "a = (*b,)"),
    ],
)
def test_elements_that_go(before: str, after: str) -> None:
    assert emitted(before, lambda nodes, plan: plan.dropped_elements.add(nodes.expression("sess"))) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("net = Net(1, a=2)", "net = compat.build(Net, 1, a=2)"),
        ("net = (Net)()", "net = compat.build((Net))"),
        ("net = Net(i for i in a)", "net = compat.build(Net, (i for i in a))"),
        ("net = a.Net(\n    1).b", "net = compat.build(a.Net, \n    1).b"),
        ("net = tf.layers.dense(x, 1)", "net = compat.build(compat.layers.dense, x, 1)"),
        ("net = tf.to_float(x)", "net = compat.build(tf.cast, x, dtype=tf.float32)"),
    ],
)
def test_calls_that_build(before: str, after: str) -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        value = nodes.statement("net =").value  # type: ignore[attr-defined]
        plan.built.add(value.value if isinstance(value, ast.Attribute) else value)

    text = emitted(f"import tensorflow as tf\n{before}\n", planned)
    assert text == f"import tensorflow as tf\nimport compat\n{after}\n"


@pytest.mark.parametrize(
    ("before", "kept", "after"),
    [
        ("_, a = sess.run(f)", (1,), "a = go(1)"),
        ("_, _, _ = sess.run(f)", (), "go(1)"),
        ("_, _ = (sess.run(f))", (), "(go(1))"),
        ("a, _, b = sess.run(f)", (0, 2), "a, b = go(1)"),
        ("(_, (a)) = sess.run(f)", (1,), "a = go(1)"),
        ("[_, (a, b)] = sess.run(f)", (1,), "(a, b) = go(1)"),
        ("_, self.a[0], _ = \\\n    sess.run(f)", (1,), "self.a[0] = \\\n    go(1)"),
    ],
)
def test_targets_that_go_with_updates(before: str, kept: tuple[int, ...], after: str) -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        run = nodes.call("sess.run")
        plan.runs.append(StepCall(run, "go", (nodes.expression("1"),), kept))

    assert emitted(f"{before}\nb = 1\n", planned) == f"{after}\nb = 1\n"


@pytest.mark.parametrize(
    "before", ["a = _, b = sess.run(f)", "g(sess.run(f))", "*a, b = sess.run(f)", "a = sess.run(f)"]
)
def test_results_that_are_not_unpacked(before: str) -> None:
    with pytest.raises(Unwritable, match=r"^line 1: its results are not unpacked"):
        emitted(before, lambda nodes, plan: plan.runs.append(StepCall(nodes.call("sess.run"), "go", (), (1,))))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = sess.run(v)", "a = v.numpy()"),
        ("a = v.eval()[0]", "a = v.numpy()[0]"),
        ("a = (u or v).eval()", "a = (u or v).numpy()"),
        ("a = sess.run([u, self.v['w']])", "a = [u.numpy(), self.v['w'].numpy()]"),
        ("a = sess.run((u, [v]))", "a = (u.numpy(), [v.numpy()])"),
        ("print(-sess.run(u) ** 2)", "print(-u.numpy() ** 2)"),
    ],
)
def test_reads_of_variables(before: str, after: str) -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        (node,) = (call for call in nodes.module.calls if isinstance(call.func, ast.Attribute))
        plan.runs.append(Read(node, node.args[0] if node.args else node.func.value))  # type: ignore[attr-defined]

    assert emitted(before, planned) == after


def test_statements_that_go() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        calls = [node for node in nodes.module.calls if nodes.module.source.segment(node).startswith("sess.")]
        plan.dropped |= {nodes.module.statement_of(call) for call in calls}

    becomes(
        """\
        a = 1

        # of the session alone
        sess.a()

        # of both
        sess.b()
        b = 1
        if f():
            sess.c()
            sess.d()
        elif b:
            sess.e()
        else:
            # nothing
            sess.f()
        for i in a:
            c = i

            sess.g()

        def f():
            '''Doc.'''
            sess.h(); d = 1; sess.i()
            sess.j(
                1)  # comment
            sess.k()

        while a: sess.l()
        try:
            e = 1
        except Error:
            sess.m()
        finally:
            sess.n()
        sess.o()
        """,
        planned,
        """\
        a = 1

        # of both
        b = 1
        if f():
            pass
        for i in a:
            c = i

        def f():
            '''Doc.'''
            d = 1

        while a: pass
        try:
            e = 1
        except Error:
            pass
        """,
    )


def test_statements_that_do_nothing_any_more() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        calls = [node for node in nodes.module.calls if nodes.module.source.segment(node).startswith("sess.")]
        plan.dropped |= {nodes.module.statement_of(call) for call in calls}

    becomes(
        """\
        a = 1
        if FLAGS.train and a > 0:
            sess.a()
        else:
            if a:
                sess.b()
        for i in range(3):
            sess.c()
        for j in range(3):
            sess.c()
        for k in batches:
            sess.c()
        try:
            sess.d()
        except Error:
            print("no")
        while True:
            if g(a):
                sess.e()
            if a:
                sess.f()
        print(j)
        """,
        planned,
        """\
        a = 1
        for j in range(3):
            pass
        for k in batches:
            pass
        while True:
            if g(a):
                pass
        print(j)
        """,
    )


def test_what_runs_build_gets_names() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        statement = nodes.statement("print(")
        plan.hoisted.append(Hoist(nodes.expression("tf.to_float(h, 1)"), "h_1", statement))
        plan.hoisted.append(Hoist(nodes.expression("a +\n          b"), "total", statement))
        plan.steps.append(Step("h_step", "[h_1, total]", ("x",), (), statement, before=True))
        plan.inserted.append(Insertion("enter()", statement, before=True))
        plan.runs.append(StepCall(nodes.call("sess.run([tf"), "h_step", (nodes.expression("a", 0),)))
        plan.runs.append(DynamicRun(nodes.call("sess.run(a"), nodes.expression("a * b"), None))
        plan.built.add(nodes.expression("a * b"))
        plan.unwrapped.add(nodes.block("with tf.Session"))

    becomes(
        """\
        import tensorflow as tf
        def f():
            with tf.Session() as sess:
                # What it is
                print(sess.run([tf.to_float(h, 1), (a +
                  b)], {x: a}),
                  sess.run(a * b))
        """,
        planned,
        """\
        import tensorflow as tf
        import compat
        import numpy
        numpy.set_printoptions(legacy="1.25")
        def f():
            enter()
            with compat.building():
                h_1 = tf.cast(h, name=1, dtype=tf.float32)
                total = (a +
              b)
            h_step = compat.step([h_1, total], x)
            # What it is
            print(h_step(a),
              compat.run(compat.build(lambda: a * b)))
        """,
    )


def test_a_step_that_stands_where_a_statement_went() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        gone = nodes.statement("sess.run(init)")
        plan.dropped |= {gone, nodes.statement("sess =")}
        plan.steps.append(Step("a_step", "a", ("x",), (), gone))
        plan.steps.append(Step("b_step", None, (), ("b", "c"), nodes.statement("sess =")))

    becomes(
        """\
        def main():
            build()
            if on:
                # begin
                sess.run(init)
            sess = tf.Session()
        """,
        planned,
        """\
        import compat


        def main():
            build()
            if on:
                a_step = compat.step(a, x)
            b_step = compat.step(updates=[b, c])
        """.replace("import compat\n\n\n", "import compat\n"),
    )


def test_long_steps_take_several_lines() -> None:
    inputs = tuple(f"self.placeholders_of_the_network['{name}']" for name in ("first", "second", "third"))

    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        last = nodes.statement("a = 1")
        plan.steps.append(Step("self.train_step", "[self.loss, self.accuracy]", inputs, ("self.train_op",), last))
        run = nodes.call("self.sess.run")
        plan.runs.append(StepCall(run, "self.train_step", tuple(run.args[1].values)))  # type: ignore[attr-defined]

    becomes(
        """\
        class A:
            def f(self):
                a = 1
                return self.sess.run([], {x: self.first_of_the_batches(a, 1), y: self.second_of_the_batch(a, 2), z: 1})
        """,
        planned,
        """\
        import compat
        class A:
            def f(self):
                a = 1
                self.train_step = compat.step(
                    [self.loss, self.accuracy], self.placeholders_of_the_network['first'],
                    self.placeholders_of_the_network['second'], self.placeholders_of_the_network['third'],
                    updates=[self.train_op])
                return self.train_step(self.first_of_the_batches(a, 1), self.second_of_the_batch(a, 2), 1)
        """,
    )


def test_a_file_with_tabs() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.blocks.append(Block(nodes.statement("x ="), nodes.statement("y =")))
        plan.steps.append(Step("y_step", "y", ("x",), (), nodes.statement("y =")))
        plan.unwrapped.add(nodes.block("with tf.Session"))

    before = (
        "import tensorflow as tf\ndef f():\n\tx = tf.placeholder(tf.float32)\n\ty = tf.add(x,\n\t           1)\n"
        "\twith tf.Session():\n\t\tprint('''\n\ta''')\n"
    )
    after = (
        "import tensorflow as tf\nimport compat\ndef f():\n\twith compat.building():\n"
        "\t\tx = compat.Input(tf.float32)\n\t\ty = tf.add(x,\n\t\t\t\t   1)\n\ty_step = compat.step(y, x)\n"
        "\tprint('''\n\ta''')\n"
    )
    assert emitted(before, planned) == after


def test_a_notebook() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        last = nodes.statement("z =")
        plan.blocks.append(Block(nodes.statement("x ="), last))
        plan.steps.append(Step("z_step", "z", ("x",), (), last))
        run = nodes.call("sess.run")
        plan.runs.append(StepCall(run, "z_step", (nodes.expression("1.0"),)))

    cells = [
        "import tensorflow as tf\n%time\nx = tf.placeholder(tf.float32)",
        "y = x + 1\n# then\nz = y * 2",
        "sess.run(z, {x: 1.0})",
    ]
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    text = emitted(json.dumps({"cells": made, "metadata": {}, "nbformat": 4}), planned, "train.ipynb")
    assert ["".join(cell["source"]) for cell in json.loads(text)["cells"]] == [
        "import tensorflow as tf\nimport compat\n%time\nwith compat.building():\n    x = compat.Input(tf.float32)",
        "with compat.building():\n    y = x + 1\n    # then\n    z = y * 2\nz_step = compat.step(z, x)",
        "z_step(1.0)",
    ]


def test_placeholders() -> None:
    becomes(
        """\
        import tensorflow as tf
        from tensorflow import placeholder, float32
        a = tf.placeholder("float")
        b = tf.placeholder(dtype=tf.int32, shape=(), name="b")
        c = tf.sparse_placeholder(tf.float32, name="c")
        d = tf.placeholder_with_default((0.5), [])
        e = tf.placeholder_with_default(input=last, name="e", shape=None)
        f = tf.placeholder_with_default(
            tf.to_float(3), (None,), "f")
        g = placeholder(float32)
        h = {k: tf.placeholder for k in "ab"}
        i = tf.compat.v1.placeholder(tf.bool)
        """,
        lambda nodes, plan: None,
        """\
        import tensorflow as tf
        from tensorflow import float32
        import compat
        a = compat.Input("float")
        b = compat.Input(dtype=tf.int32, shape=(), name="b")
        c = compat.SparseInput(tf.float32, name="c")
        d = compat.Input(tf.float32, default=(0.5), shape=[])
        e = compat.Input(None, default=last, name="e", shape=None)
        f = compat.Input(
            None, default=tf.cast(3, dtype=tf.float32), shape=(None,), name="f")
        g = compat.Input(float32)
        h = {k: compat.Input for k in "ab"}
        i = compat.Input(tf.bool)
        """,
    )


def test_findings_of_what_goes() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.dropped.add(nodes.statement("sess ="))
        plan.runs.append(DynamicRun(nodes.call("sess.run"), nodes.expression("tf.to_float(x)"), None))

    text, findings = emission(
        """\
        import tensorflow as tf
        sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions()))
        print(sess.run(tf.to_float(x), options=tf.RunOptions(tf.RunOptions.FULL_TRACE)))
        """,
        planned,
    )
    assert text == ("import tensorflow as tf\nimport compat\nprint(compat.run(tf.cast(x, dtype=tf.float32)))\n")
    told = {(finding.symbol, finding.rule, finding.action) for finding in findings}
    assert told >= {
        ("tf.Session", "TFM205", "rewritten"),
        ("tf.ConfigProto", "TFM205", "rewritten"),
        ("tf.GPUOptions", "TFM205", "rewritten"),
        ("tf.RunOptions", "TFM205", "rewritten"),
        ("tf.to_float", "TFM102", "rewritten"),
    }
    assert not [finding for finding in findings if finding.action == "manual"]


def test_no_graph_is_opened() -> None:
    before = """\
        import tensorflow as tf
        x = tf.placeholder(tf.float32)
        """
    text, findings = emission(before, lambda nodes, plan: None)
    assert text == "import tensorflow as tf\nimport compat\nx = compat.Input(tf.float32)\n"
    assert [finding.rule for finding in findings] == ["TFM103"]


def test_expressions_that_become_others() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.replaced[nodes.expression("sess.graph")] = "compat.get_default_graph()"
        plan.replaced[nodes.expression("k")] = "a or b"
        plan.replaced[nodes.expression("m")] = "a or b"

    becomes(
        """\
        import compat as shims
        writer = Writer("log", sess.graph)
        c = k.d
        e = f(m)
        """,
        planned,
        """\
        import compat as shims
        writer = Writer("log", shims.get_default_graph())
        c = (a or b).d
        e = f(a or b)
        """,
    )


@pytest.mark.parametrize("code", ["a = 1; b = 2\nc = 3\n", "c = 3\nif c: b = 2\n"])
def test_blocks_that_share_a_line(code: str) -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        plan.blocks.append(Block(nodes.statement("b ="), nodes.statement("b =")))

    with pytest.raises(Unwritable, match="shares a line"):
        emitted(code, planned)


def test_what_rules_put_at_the_borders_of_what_stays() -> None:
    def planned(nodes: Nodes, plan: ModulePlan) -> None:
        calls = [call for call in nodes.module.calls if nodes.module.source.segment(call).startswith("sess.run")]
        for call in calls:
            plan.runs.append(StepCall(call, "y_step", tuple(call.args[1].values)))  # type: ignore[attr-defined]
        calls = [call for call in nodes.module.calls if nodes.module.source.segment(call).endswith(".eval()")]
        for call in calls:
            plan.runs.append(Read(call, call.func.value))  # type: ignore[attr-defined]

    becomes(
        """\
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [1])
        w = tf.Variable([1.0], name="w")
        y = x + w
        sess = tf.Session()
        print(sess.run(y, {x: "%.2f" % w.eval()}), float(w.eval()), "%.1f" % (w.eval() + 1))
        """,
        planned,
        """\
        import tensorflow as tf
        import compat
        x = compat.Input(tf.float32, [1])
        w = compat.Variable([1.0], name="w")
        y = x + w
        sess = compat.Session()
        print(y_step("%.2f" % w.numpy().item()), float(w.numpy().item()), "%.1f" % ((w.numpy() + 1).item()))
        """,
    )
