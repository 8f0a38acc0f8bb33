"""Programs of TensorFlow 1 of one small model, whose parts stand in Python as a seed decides.

`python -m tests.steps.arranger FOLDER FIRST COUNT` writes them: one folder a program, with its files.
"""

# ruff: noqa: E501 (lines of programs)
from __future__ import annotations

import random
import sys
import textwrap
from pathlib import Path

HEAD = "import collections\nimport functools\nimport numpy as np\nimport tensorflow as tf\n\n"
ROWS = "ROWS = [([[1.0, 2.0]], [2.5]), ([[2.0, 1.0]], [4.0]), ([[0.5, 1.0]], [1.0])]\n"
PARTS = ["x", "y", "keep", "w", "out", "loss", "reg", "train", "count", "bump", "noise", "both"]


def graph(choose: random.Random, prefix: str = "") -> str:
    """Statements that build the model; names are those of PARTS behind a prefix."""
    p = prefix
    optimizer = choose.choice(
        [
            "GradientDescentOptimizer(0.1)",
            "MomentumOptimizer(0.1, 0.9)",
            "AdamOptimizer(0.05)",
            "RMSPropOptimizer(0.05)",
        ]
    )
    start = choose.choice(
        ["tf.ones_initializer()", "tf.random_normal_initializer(seed=5)", "tf.constant_initializer([[0.5], [2.0]])"]
    )
    out = choose.choice(
        [
            f"tf.squeeze(tf.matmul({p}x, {p}w), axis=1)",
            f"tf.squeeze(tf.nn.dropout(tf.matmul({p}x, {p}w), {p}keep, seed=3), 1)",
        ]
    )
    step = choose.choice(["", f", global_step={p}count"])
    return textwrap.dedent(
        f"""\
        {p}x = tf.placeholder(tf.float32, [None, 2])
        {p}y = tf.placeholder(tf.float32, [None])
        {p}keep = tf.placeholder_with_default(1.0, [])
        {p}w = tf.get_variable("w", [2, 1], initializer={start})
        {p}count = tf.get_variable("count", [], dtype=tf.int32, initializer=tf.zeros_initializer(), trainable=False)
        {p}out = {out}
        {p}loss = tf.reduce_mean(tf.square({p}out - {p}y))
        {p}reg = {p}loss + 0.01 * tf.nn.l2_loss({p}w)
        {p}train = tf.train.{optimizer}.minimize({p}{choose.choice(["loss", "reg"])}{step})
        {p}bump = tf.assign_add({p}count, 2)
        {p}noise = tf.random_uniform([2], seed=7)
        {p}both = [{p}loss, {p}reg]
        """
    )


def indented(text: str, depth: int = 1) -> str:
    return textwrap.indent(text, "    " * depth)


def holder(choose: random.Random, files: dict[str, str]) -> tuple[str, str, str]:
    """Code that builds the model somewhere, an expression that makes one, and how a part of `m` is named."""
    kind = choose.choice(
        ["class", "base", "property", "lazy", "dict", "tuple", "closure", "module", "mixin", "call", "vars"]
    )
    own = graph(choose, "self.")
    local = graph(choose)
    if kind == "class":
        return f"class Model(object):\n    def __init__(self):\n{indented(own, 2)}\n", "Model()", "m.{}"
    if kind == "base":
        lines = own.splitlines(keepends=True)
        cut = choose.randrange(3, 7)
        return (
            "class Base(object):\n    def __init__(self, scale=1.0, **kwargs):\n        self.scale = scale\n"
            + indented("".join(lines[:cut]), 2) + "        self.build(**kwargs)\n"
            + "    def build(self, **kwargs):\n        raise NotImplementedError\n\n"
            + "class Model(Base):\n    def build(self, name=None):\n        self.name = name\n"
            + indented("".join(lines[cut:]), 2) + "\n"
        ), "Model(2.0, name='n')", "m.{}"  # fmt: skip
    if kind == "property":
        names = choose.sample(PARTS, 4)
        text = graph(choose, "self._")
        for name in PARTS:
            if name not in names:
                text = text.replace(f"self._{name} ", f"self.{name} ").replace(f"self._{name})", f"self.{name})")
                text = text.replace(f"self._{name},", f"self.{name},").replace(f"self._{name}]", f"self.{name}]")
        properties = "".join(f"    @property\n    def {name}(self):\n        return self._{name}\n" for name in names)
        return f"class Model(object):\n    def __init__(self):\n{indented(text, 2)}{properties}\n", "Model()", "m.{}"
    if kind == "lazy":
        decorator = textwrap.dedent(
            """\
            def lazy(function):
                name = "_cache_" + function.__name__

                @property
                @functools.wraps(function)
                def wrapper(self):
                    if not hasattr(self, name):
                        setattr(self, name, function(self))
                    return getattr(self, name)
                return wrapper

            """
        )
        late = "    @lazy\n    def extra(self):\n        return self.loss * 3.0\n"
        return (
            decorator
            + f"class Model(object):\n    def __init__(self):\n{indented(own, 2)}        self.extra\n{late}\n",
            "Model()",
            "m.{}",
        )
    pairs = ", ".join(f"{name}={name}" for name in PARTS)
    if kind == "dict":
        return f"def build():\n{indented(local)}    return dict({pairs})\n\n", "build()", "m['{}']"
    if kind == "tuple":
        names = " ".join(PARTS)
        return (
            f"Parts = collections.namedtuple('Parts', '{names}')\n\ndef build():\n{indented(local)}    return Parts({pairs})\n\n",
            "build()", "m.{}",
        )  # fmt: skip
    if kind == "closure":
        return (
            f"def make():\n    found = {{}}\n    def build():\n{indented(local, 2)}        found.update({pairs})\n"
            "        return found\n    return build\n\n", "make()()", "m['{}']",
        )  # fmt: skip
    if kind == "module":
        files["parts/__init__.py"] = "from .model import *\n"
        files["parts/model.py"] = HEAD + f"class Model(object):\n    def __init__(self):\n{indented(own, 2)}\n"
        return choose.choice(["from parts import Model\n", "from parts.model import Model\n"]), "Model()", "m.{}"
    if kind == "mixin":
        lines = own.splitlines(keepends=True)
        return (
            "class Inputs(object):\n    def __init__(self, **kwargs):\n        super(Inputs, self).__init__(**kwargs)\n"
            + indented("".join(lines[:3]), 2) + "\nclass Head(object):\n    def head(self):\n" + indented("".join(lines[3:]), 2)
            + "\nclass Model(Inputs, Head):\n    def __init__(self):\n        super(Model, self).__init__()\n        self.head()\n\n"
        ), "Model()", "m.{}"  # fmt: skip
    if kind == "call":
        return (
            "class Builder(object):\n    kinds = {}\n    @classmethod\n    def register(cls, kind):\n        cls.kinds['main'] = kind\n"
            "        return kind\n    def __call__(self):\n        return self.kinds['main']()\n\n@Builder.register\n"
            f"class Model(object):\n    def __init__(self):\n{indented(own, 2)}\n", "Builder()()", "m.{}",
        )  # fmt: skip
    return (
        f"class Model(object):\n    def __init__(self):\n{indented(local, 2)}        self.__dict__.update(locals())\n\n",
        "Model()", "m.{}",
    )  # fmt: skip


def actions(choose: random.Random, ref: str, with_session: bool) -> tuple[str, list[str]]:
    """Functions that run `m` in `sess`, and calls of them that print."""

    def r(name: str) -> str:
        return ref.format(name)

    args = "sess, m" if with_session else "m"
    fetch = choose.choice(["list", "tuple", "dict", "nested", "order"])
    feed = choose.choice(["literal", "function", "update", "zip", "condition"])
    feeds = {
        "literal": f"feed = {{{r('x')}: a, {r('y')}: b}}",
        "function": "feed = feed_of(m, a, b)",
        "update": f"feed = {{{r('x')}: a}}\nfeed.update({{{r('y')}: b}})",
        "zip": f"feed = dict(zip([{r('x')}, {r('y')}], (a, b)))",
        "condition": f"feed = {{{r('x')}: a, {r('y')}: b}}\nif keep is not None:\n    feed[{r('keep')}] = keep",
    }[feed]
    one = {
        "list": f"_, value = sess.run([{r('train')}, {r('loss')}], feed_dict=feed)",
        "tuple": f"value, _ = sess.run(({r('loss')}, {r('train')}), feed)",
        "dict": f"got = sess.run({{'t': {r('train')}, 'l': {r('loss')}}}, feed)\nvalue = got['l']",
        "nested": f"sess.run({r('train')}, feed)\nvalue = sess.run([{r('count')}, {r('both')}, ({r('w')},)], feed)[1:]",
        "order": f"ops = [{r('loss')}]\nops.append({r('train')})\nvalue = sess.run(ops, feed)[0]",
    }[fetch]
    text = f"def feed_of(m, a, b):\n    return {{{r('x')}: a, {r('y')}: b}}\n\n"
    text += f"def step({args}, a, b, keep=None):\n{indented(feeds)}\n{indented(one)}\n    return value\n\n"
    call = "sess, m" if with_session else "m"
    loop = choose.choice(["for", "while", "generator", "finally"])
    text += {
        "for": f"def fit({args}):\n    for a, b in ROWS:\n        value = step({call}, a, b)\n    return value\n",
        "while": f"def fit({args}):\n    turn = 0\n    while True:\n        a, b = ROWS[turn % 3]\n        value = step({call}, a, b)\n"
        "        turn += 1\n        if turn > 4:\n            break\n    return value\n",
        "generator": f"def values({args}):\n    for a, b in ROWS:\n        yield step({call}, a, b)\n\ndef fit({args}):\n    return list(values({call}))\n",
        "finally": f"def fit({args}):\n    found = []\n    try:\n        for a, b in ROWS:\n            found.append(step({call}, a, b, keep=1.0))\n    finally:\n        found.append(0.0)\n    return found\n",
    }[loop] + "\n"  # fmt: skip
    text += f"def look({args}):\n    return sess.run([{r('w')}, {r('count')}])\n\n"
    text += f"def bump({args}):\n    sess.run({r('bump')})\n    return sess.run({r('count')})\n\n"
    text += f"def draw({args}):\n    return sess.run({r('noise')})\n\n"
    text += f"def ask({args}, name, a):\n    return sess.run({r('out')}, {{{r('x')}: a}})\n\n"
    calls = [
        f"print(fit({call}))",
        f"print(look({call}))",
        f"print(bump({call}))",
        f"print(draw({call}))",
        f"print(ask({call}, 'n', [[1.0, 1.0]]))",
    ]
    chosen = [*choose.sample(calls, len(calls)), *choose.choices(calls, k=choose.randrange(2, 5))]
    return text, chosen


def program(seed: int) -> dict[str, str]:
    """The files of one program."""
    choose = random.Random(seed)
    files: dict[str, str] = {}
    code, make, ref = holder(choose, files)
    session = choose.choice(["global", "with", "param", "attribute", "default", "two", "folds", "turns", "graphs"])
    with_session = session not in ("global", "attribute", "default")
    text, calls = actions(choose, ref, with_session)
    init = "sess.run(tf.global_variables_initializer())"
    body = HEAD + ROWS + "\n" + code + "\n"
    run = "\n".join(calls) + "\n"
    if session == "global":
        body += f"m = {make}\nsess = tf.Session()\n{init}\n\n{text}{run}"
    elif session in ("with", "param"):
        inner = f"m = {make}\nwith tf.Session() as sess:\n    {init}\n{indented(run)}"
        body += text + (
            inner
            if session == "with"
            else f"def main():\n{indented(inner)}\n\nif __name__ == '__main__':\n    main()\n"
        )
    elif session == "attribute":
        methods = text.replace("sess.run", "self.sess.run").replace("(m,", "(self, m,").replace("(m)", "(self, m)")
        for name in ("step", "fit", "look", "bump", "draw", "ask", "values", "feed_of"):
            methods = methods.replace(f" {name}(self, m", f" self.{name}(m").replace(
                f"def self.{name}(m", f"def {name}(self, m"
            )
            methods = methods.replace(f"list({name}(self, m", f"list(self.{name}(m")
        trainer = f"class Trainer(object):\n    def __init__(self, m):\n        self.m = m\n        self.sess = tf.Session()\n        self.sess.run(tf.global_variables_initializer())\n\n{indented(methods)}"
        body += trainer + f"\nm = {make}\nt = Trainer(m)\n" + run.replace("print(", "print(t.")
    elif session == "default":
        body += f"m = {make}\nsess = tf.InteractiveSession()\n{init}\n\n{text.replace('sess.run', 'tf.get_default_session().run')}{run}"
    elif session == "two":
        build = (
            "models = []\nfor n in range(2):\n    with tf.variable_scope('n%d' % n):\n        models.append("
            + make
            + ")\n"
        )
        inner = indented(run) if choose.random() < 0.5 else indented(run) + indented(run)
        body += f"{text}{build}with tf.Session() as sess:\n    {init}\n    for m in models:\n{indented(inner)}"
    elif session == "folds":
        body += f"{text}m = {make}\ninit = tf.global_variables_initializer()\nwith tf.Session() as sess:\n    for fold in range(2):\n        sess.run(init)\n{indented(run, 2)}"
    elif session == "turns":
        body += f"{text}m = {make}\ninit = tf.global_variables_initializer()\nfor turn in range(2):\n    with tf.Session() as sess:\n        sess.run(init)\n{indented(run, 2)}"
    else:
        body += f"{text}for turn in range(2):\n    with tf.Graph().as_default():\n        m = {make}\n        with tf.Session() as sess:\n            {init}\n{indented(run, 3)}"
    files["main.py"] = body
    return files


def main() -> None:
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for seed in range(first, first + count):
        for name, text in program(seed).items():
            path = folder / f"p{seed:04}" / "src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


if __name__ == "__main__":
    main()
