"""Small TensorFlow 1 programs, made at random: several losses, partial feeds, rebinding, builders, updates, fetches."""

from __future__ import annotations

import random
import re

from tests.native.program_features import add_features

_UNARY = ("tf.tanh({})", "tf.sigmoid({})", "tf.square({})", "-{}", "tf.nn.relu({})", "{} * 0.5", "tf.identity({})")
_BINARY = ("{} + {}", "{} * {}", "{} - {}", "tf.maximum({}, {})", "tf.add({}, {})")
_OPTIMIZERS = (
    "tf.train.GradientDescentOptimizer(0.05)",
    "tf.train.MomentumOptimizer(0.05, 0.9)",
    "tf.train.AdamOptimizer(0.01)",
    "tf.train.RMSPropOptimizer(0.01)",
    "tf.train.AdagradOptimizer(0.1)",
)
_RATES = {
    "decay": (
        "tf.train.exponential_decay(0.05, {}, 2, 0.5, staircase=True)",
        "tf.maximum(tf.train.exponential_decay(0.05, {}, 3, 0.8), 0.02)",
        "tf.train.polynomial_decay(0.05, {}, 4, 0.01)",
        "tf.train.piecewise_constant({}, [1, 3], [0.05, 0.03, 0.01])",
        "tf.train.inverse_time_decay(0.05, {}, 2, 0.5)",
    ),
    "held": ("tf.Variable(0.03, trainable=False)",),
    "fed": ("tf.placeholder(tf.float32, [])", "tf.placeholder(tf.float32)"),
}
_HEAD = 4
"""Lines above the graph: imports and numbers."""
_NAMES = ("h", "z", "net", "out", "a")
# How a script makes its one object, or several, and how it calls a method of each.
_MAKING = {
    "": ["model = Model(sess)"],
    "a list": ["models = [Model(sess, 'model' + str(number)) for number in range(2)]"],
    "names": ["one = Model(sess, 'one')", "two = Model(sess, name='two')"],
}
_USING = {
    "": ["model.{}"],
    "a list": ["for model in models:", "    model.{}"],
    "names": ["two.{}", "one.{}"],
}


class Program:
    """One program; `text` is its source."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = ["import numpy as np", "import tensorflow as tf", "", "scale = 0.5"]
        self.needs: dict[str, set[str]] = {}
        self.trains: dict[str, set[str]] = {}
        self.variables: list[str] = []
        self.run_needs: list[set[str]] = []
        self._placeholders()
        self._variables()
        self._builder()
        self._graph()
        self._steps()
        self._runs()
        self._datasets(random.Random(f"data {seed}"))
        self._rates(random.Random(f"rates {seed}"))
        self._waits(random.Random(f"waits {seed}"))
        choice = random.Random(f"shape {seed}")
        self._layers(choice)
        self._blocks(random.Random(f"blocks {seed}"))
        add_features(random.Random(f"features {seed}"), self.lines, self.needs, self.trains)
        self._save(choice)
        self._shape(choice)

    @property
    def text(self) -> str:
        """The source."""
        return "\n".join(self.lines) + "\n"

    def _shape(self, choice: random.Random) -> None:
        """Programs build and run at the top, in a function or in a class; half of their builders try two ways."""
        if choice.random() < 0.5:
            place = next(index for index, line in enumerate(self.lines) if line.startswith("    t = "))
            body = self.lines[place].strip()
            tried = ["try:", f"    {body}", "except ValueError:", "    t = tf.identity(t)"]
            self.lines[place : place + 1] = [f"    {line}" for line in tried]
        shape = choice.choice(["top", "function", "attributes", "aliases"])
        shape = "top" if self.iterates and shape not in ("top", "function") else shape
        if shape in ("top", "function"):
            self._late(choice)
        if shape == "function":
            body = [f"    {line}" if line else "" for line in self.lines[_HEAD:]]
            self.lines[_HEAD:] = ["", "", "def train():", *body, "", "", 'if __name__ == "__main__":', "    train()"]
        elif shape != "top":
            self._as_class(shape)

    def _as_class(self, shape: str) -> None:
        """The graph is built by the constructor, each run is a method; tensors are attributes, or get such as well."""
        start = self.lines.index("with tf.Session() as sess:")
        graph, runs = self.lines[_HEAD:start], self.lines[start + 2 :]
        names = sorted({*self.needs, *self.trains, *(["saver"] if "saver = tf.train.Saver()" in graph else [])})
        word = re.compile(rf"(?<![\w.'\"/])({'|'.join(names)})\b(?!['\"(])(?!=[^=])")
        body = [word.sub(r"self.\1", line) for line in graph] if shape == "attributes" else graph
        aliases = [] if shape == "attributes" else [f"self.{name} = {name}" for name in names]
        lines = ["class Model:", "    def __init__(self, sess):", "        self.sess = sess"]
        lines += [f"        {line}" if line else "" for line in (*body, *aliases)]
        several = random.Random(f"several {len(lines)} {lines[-1]}").choice(["", "", "a list", "names"])
        if several:
            lines[1:3] = ["    def __init__(self, sess, name):", "        self.sess = sess"]
            built = [f"    {line}" if line else "" for line in lines[3:]]
            lines[3:] = ["        self.name = name", "        with tf.variable_scope(self.name):", *built]
        calls = ["sess = tf.Session()", *_MAKING[several], "sess.run(tf.global_variables_initializer())"]
        for number, first in enumerate(index for index, line in enumerate(runs) if line.startswith("    for ")):
            end = next((i for i in range(first + 1, len(runs)) if not runs[i].startswith("        ")), len(runs))
            inner = [word.sub(r"self.\1", line).replace("sess.run", "self.sess.run") for line in runs[first:end]]
            inner = [line.replace(".eval({", ".eval(session=self.sess, feed_dict={") for line in inner]
            lines += ["", f"    def run{number}(self):", *(f"    {line}" for line in inner)]
            calls += [line.format(f"run{number}()") for line in _USING[several]]
        self.lines[_HEAD:] = ["", "", *lines, "", "", *calls]

    def _datasets(self, choice: random.Random) -> None:
        """In some programs the values come from datasets: iterators of all kinds, loops to their ends, feeds."""
        kind = choice.choice(["", "", "one shot", "initializable", "structure", "fed"])
        self.iterates = bool(kind)
        if not kind:
            return
        names = ", ".join(self.placeholders)
        made = {
            "one shot": ["source = data.make_one_shot_iterator()"],
            "initializable": ["source = data.make_initializable_iterator()"],
            "fed": ["source = data.make_initializable_iterator()"],
            "structure": [
                f"other = {_dataset(choice, self.placeholders)}",
                "source = tf.data.Iterator.from_structure(data.output_types, data.output_shapes)",
                "begin_data = source.make_initializer(data)",
                "begin_other = source.make_initializer(other)",
            ],
        }[kind]
        again = ".repeat()" if kind == "one shot" else ""
        data = [f"data = {_dataset(choice, self.placeholders)}{again}"]
        if kind == "fed":
            data = ["rows = tf.placeholder(tf.float32, [None])", "data = tf.data.Dataset.from_tensor_slices(rows)"]
            parts = ", ".join(["t", "t * 2"][: len(self.placeholders)])
            data.append(f"data = data.map(lambda t: ({parts})).batch(2)" if "," in parts else "data = data.batch(2)")
        place = self.lines.index(f"{self.placeholders[0]} = tf.placeholder(tf.float32, [None])")
        self.lines[place : place + len(self.placeholders)] = [*data, *made, f"{names} = source.get_next()"]
        # The run that finds no more data may have made, in TF1, those updates that need no data: here all of them do.
        weight = f" * tf.reduce_mean(tf.square({self.placeholders[0]}))"
        self.lines = [re.sub(r"^(loss\d = )(.*)$", rf"\1(\2){weight}", line) for line in self.lines]
        start = self.lines.index("with tf.Session() as sess:") + 2
        self.lines[start:] = _reading(choice, self.lines[start:], self.placeholders, self.run_needs, kind)

    def _rates(self, choice: random.Random) -> None:
        """Some steps have a learning rate that is computed, fed, or kept in a variable; the first two are shown."""
        for number in range(2):
            place = next((i for i, line in enumerate(self.lines) if f".minimize(loss{number})" in line), None)
            kind = choice.choice(["", "", "", *_RATES])
            if place is None or not kind:
                continue
            rate, steps, step = f"rate{number}", f"steps{number}", self.lines[place].partition(" = ")[0]
            made = [f"{rate} = {choice.choice(_RATES[kind]).format(steps)}"]
            line = re.sub(r"Optimizer\([\d.]+", f"Optimizer({rate}", self.lines[place])
            if kind == "decay":
                made.insert(0, f"{steps} = tf.Variable(0, trainable=False)")
                line = line.replace(f"(loss{number})", f"(loss{number}, global_step={steps})")
            self.lines[place : place + 1] = [*made, line]
            self.needs[rate] = set()
            if kind == "fed":
                fed = re.compile(rf"(\.run\(\[{step}, .*\{{)(.*\}})")
                value = f"{rate}: {choice.uniform(0.01, 0.1):.3f}"
                self.lines = [fed.sub(rf"\1{value}, \2", line) for line in self.lines]
            else:
                self.lines += ["    for _ in range(1):", f"        v0 = sess.run({rate} * 2.0)"]
                self.lines.append("        print('rate', np.asarray(v0).tolist())")

    def _waits(self, choice: random.Random) -> None:
        """In some programs averages and tensors wait for a step, tensors for an assertion; parts are updated."""
        step = next((name for name in self.trains if name != "counting"), "")
        place = self.lines.index("with tf.Session() as sess:") - 1
        kinds = choice.sample(["averages", "tensor", "assertion", "parts"], choice.choice([0, 0, 1, 2]))
        made, shown = [], []
        if "averages" in kinds:
            averaged = choice.sample([name for name in self.variables if name != "count"], 1)
            made += [f"ema = tf.train.ExponentialMovingAverage({choice.choice([0.5, 0.9])})"]
            made += [f"with tf.control_dependencies([{step}]):", f"    averaging = ema.apply([{averaged[0]}])"]
            made += [f"smooth = ema.average({averaged[0]})"]
            shown += ["smooth"]
        if "tensor" in kinds:
            made += [f"with tf.control_dependencies([{step}]):", "    waiting = tf.identity(loss0)"]
        if "parts" in kinds:
            update = choice.choice(["add", "update", "sub"])
            made += ["table = tf.Variable([0.5, -0.25, 2.0])", f"put = tf.scatter_{update}(table, [2, 0], [0.75, w0])"]
            shown += ["put", "table"]
        if "assertion" in kinds:
            first = next(index for index, line in enumerate(self.lines) if line.startswith("h = layer("))
            checked = [f"with tf.control_dependencies([tf.assert_less({self.placeholders[0]}, 9.0)]):"]
            self.lines[first + 1 : first + 1] = [*checked, "    h = tf.identity(h)"]
            place += 2
        self.lines[place:place] = made
        for name in ("averaging", "waiting"):
            if any(f" {name} = " in line for line in made):
                self.needs[name] = set(self.trains[step])
                running = [index for index, line in enumerate(self.lines) if f".run([{step}, " in line]
                for index in choice.sample(running, (len(running) + 1) // 2):
                    self.lines[index] = self.lines[index].replace(f"[{step}, ", f"[{name}, ")
        for name in shown:
            self.needs[name] = set()
            self.lines += ["    for _ in range(2):", f"        v0 = sess.run({name})"]
            self.lines.append(f"        print('{name}', np.asarray(v0).tolist())")

    def _layers(self, choice: random.Random) -> None:
        """Some programs have variables in scopes, made by a function; some of their parts are put on the CPU."""
        place = next(index for index, line in enumerate(self.lines) if line.startswith("h = layer("))
        made: list[str] = []
        for number in range(choice.choice([0, 0, 1, 2, 3])):
            around = choice.choice(
                ["", 'tf.variable_scope("net")', 'tf.variable_scope("other")', 'tf.device("/cpu:0")']
            )
            line = f'h = unit(h, "unit{number}", {choice.uniform(-1, 1):.2f})'
            made += [f"with {around}:", f"    {line}"] if around else [line]
        if made:
            unit = ["def unit(t, name, value):", "    with tf.variable_scope(name):"]
            unit += ['        k = tf.get_variable("k", [], initializer=tf.constant_initializer(value))']
            unit += ["    return t + tf.tanh(t * k)", "", ""]
            self.lines[place : place + 1] = [*unit, self.lines[place], *made]

    def _blocks(self, choice: random.Random) -> None:
        """Some programs go on from their first tensor in loops and conditions, or fill a list with it."""
        place = next(index for index, line in enumerate(self.lines) if line.startswith("h = layer("))
        made: list[str] = []
        for _ in range(choice.choice([0, 0, 1, 2])):
            number = choice.randint(1, 3)
            made += choice.choice(
                [
                    [f"for i in range({number}):", f"    h = tf.tanh(h * {self.variables[0]}) + scale * i"],
                    [f"if scale > {choice.choice([0.3, 0.7])}:", "    h = h * 2.0", "else:", "    h = h - w0"],
                    ["total = 0.0", f"for i in range({number}):", "    total += h * (i + 1.0)", "h = total"],
                    ["sums = tf.zeros([])", f"for i in range({number}):", "    sums += h", "h = sums * w0"],
                    ["parts = []", f"for i in range({number}):", "    parts.append(h - i)", "h = tf.add_n(parts)"],
                    ["parts = []", "parts.append(h)", "parts.append(h * w0)", "h = tf.stack(parts)[-1]"],
                    ["for part in [h, h * w0]:", "    if scale == 0.5:", "        h = h + part"],
                    [f"for i in range({number}):", "    w0 = w0 * 0.5 + i", "h = h * w0"],
                    [f"for i in range({number}):", "    c = tf.Variable(0.5 + i)", "    h = h * c"],
                    [f"held = [tf.Variable(1.5, name='c') for _ in range({number})]", "h = tf.add_n(held) - h"],
                    ["", "", "def again(t, v=w0):", "    return t * v - h", "", "", "h = again(h)"],
                    ["", "def other():", "    return h - scale", "", "h = tf.cond(w0 > 0.0, other, lambda: -h)"],
                    [f"_, h = tf.while_loop(lambda i, t: i < {number}, lambda i, t: (i + 1, t - h * 2.0), [0, h])"],
                ]
            )
        self.lines[place + 1 : place + 1] = made

    def _late(self, choice: random.Random) -> None:
        """Some programs make another variable behind their runs, and initialize it, or all of them again."""
        if choice.random() > 0.3:
            return
        again = choice.choice(["extra.initializer", "tf.variables_initializer([extra])", "init"])
        if again == "init":
            again = "tf.global_variables_initializer()"
        self.lines += [f"    extra = tf.Variable({choice.uniform(-1, 1):.3f})", f"    sess.run({again})"]
        self.lines += [
            "    for _ in range(2):",
            f"        v0 = sess.run(extra * {choice.choice(['2.0', 'scale', 'w0'])})",
        ]
        self.lines.append("        print('late', np.asarray(v0).tolist())")

    def _save(self, choice: random.Random) -> None:
        """Some programs save in the end, and go on in another session that restores."""
        if choice.random() > 0.25:
            return
        start = self.lines.index("with tf.Session() as sess:")
        runs = self.lines[start + 2 :]
        again = [line.replace("'run", "'again") for line in runs]
        saves = ["    path = saver.save(sess, tempfile.mkdtemp() + '/model')", "with tf.Session() as sess:"]
        self.lines += [*saves, "    saver.restore(sess, path)", *again]
        self.lines.insert(start, "saver = tf.train.Saver()")
        self.lines[0] = "import tempfile, numpy as np"

    def _placeholders(self) -> None:
        self.placeholders = ["x", "y"][: self.random.randint(1, 2)]
        for name in self.placeholders:
            self.lines.append(f"{name} = tf.placeholder(tf.float32, [None])")
            self.needs[name] = {name}

    def _variables(self) -> None:
        for number in range(self.random.randint(1, 3)):
            name = f"w{number}"
            given = self.random.choice(["", f', name="{name}"', ', name="shared"'])
            self.lines.append(f"{name} = tf.Variable({self.random.uniform(-1, 1):.3f}{given})")
            self.variables.append(name)
            self.needs[name] = set()

    def _builder(self) -> None:
        body = self.random.choice(_UNARY).format("t")
        self.lines += [
            "",
            "",
            "def layer(t, w):",
            f"    t = {body}",
            f"    return t * w + scale * {self.variables[0]}",
            "",
            "",
        ]

    def _expression(self) -> tuple[str, set[str]]:
        names = list(self.needs)
        first, second = self.random.choice(names), self.random.choice(names)
        kind = self.random.randrange(3)
        if kind == 0:
            return self.random.choice(_UNARY).format(first), self.needs[first]
        if kind == 1:
            return f"layer({first}, {self.random.choice(self.variables)})", self.needs[first]
        text = self.random.choice(_BINARY).format(first, second)
        return text, self.needs[first] | self.needs[second]

    def _graph(self) -> None:
        self.lines.append(f"h = layer({self.placeholders[0]}, {self.variables[-1]})")
        self.needs["h"] = {self.placeholders[0]}
        for _ in range(self.random.randint(1, 5)):
            text, needs = self._expression()
            name = self.random.choice(_NAMES)
            if self.random.random() < 0.2:
                self.lines.append(f"# What `{name}` becomes")
            self.lines.append(f"{name} = {text}")
            self.needs[name] = needs

    def _steps(self) -> None:
        for number in range(self.random.randint(1, 2)):
            tensor = self.random.choice([name for name in self.needs if name not in self.variables])
            loss = f"loss{number}"
            regular = f" + 0.1 * tf.square({self.random.choice(self.variables)})"
            self.lines.append(f"{loss} = tf.reduce_mean(tf.square({tensor} * w0)){regular}")
            self.needs[loss] = set(self.needs[tensor])
            step = self.random.choice([f"train{number}", f"optimizer{number}"])
            self.lines.append(f"{step} = {self.random.choice(_OPTIMIZERS)}.minimize({loss})")
            self.trains[step] = set(self.needs[loss])
        if self.random.random() < 0.5:
            self.lines.append("count = tf.Variable(0.0, trainable=False)")
            self.lines.append("counting = tf.assign_add(count, 2.0)")
            self.variables.append("count")
            self.needs["count"] = set()
            self.trains["counting"] = set()

    def _runs(self) -> None:
        self.lines += ["", "with tf.Session() as sess:", "    sess.run(tf.global_variables_initializer())"]
        for number in range(self.random.randint(2, 4)):
            self._run(f"run{number}")

    def _feed(self, needs: set[str]) -> str:
        fed = {name for name in self.placeholders if name in needs or self.random.random() < 0.3}
        values = {name: f"[{self.random.uniform(-1, 1):.2f}, {self.random.uniform(-1, 1):.2f}]" for name in sorted(fed)}
        return "{" + ", ".join(f"{name}: {value}" for name, value in values.items()) + "}"

    def _run(self, tag: str) -> None:
        tensors = [name for name in self.needs if name not in self.placeholders]
        step = self.random.choice([*self.trains, None])
        if step is not None:
            # TF1 may compute what depends on variables alone before or after their update.
            tensors = [name for name in tensors if self.needs[name] or name in self.variables]
        fetched = self.random.sample(tensors, min(len(tensors), self.random.randint(1, 3)))
        needs = set().union(*(self.needs[name] for name in fetched), self.trains.get(step or "", set()))
        feed = self._feed(needs)
        weighed = (step or "").startswith(("train", "opt")) or "loss" in str(fetched)
        self.run_needs.append(needs | ({"x"} if weighed else set()))
        values = [f"v{index}" for index in range(len(fetched))]
        self.lines.append(f"    for _ in range({self.random.randint(1, 3)}):")
        if step is not None:
            self.lines.append(f"        _, {', '.join(values)} = sess.run([{step}, {', '.join(fetched)}], {feed})")
        elif len(fetched) == 1 and fetched[0] not in self.variables and self.random.random() < 0.5:
            self.lines.append(f"        v0 = {fetched[0]}.eval({feed})")
        else:
            self.lines.append(f"        {', '.join(values)}, = sess.run([{', '.join(fetched)}], {feed})")
        self.lines += [f"        print('{tag}', np.asarray({value}).tolist())" for value in values]


def _dataset(choice: random.Random, names: list[str]) -> str:
    columns = [f"np.float32([{', '.join(f'{choice.uniform(-1, 1):.2f}' for _ in range(5))}])" for _ in names]
    rows = f"({', '.join(columns)})" if len(columns) > 1 else columns[0]
    return f"tf.data.Dataset.from_tensor_slices({rows}).batch({choice.randint(1, 3)})"


def _reading(choice: random.Random, runs: list[str], names: list[str], needs: list[set[str]], kind: str) -> list[str]:
    """Runs that take elements: some are still fed, some loops go on until there are no more."""
    first = {"initializable": ["source.initializer"], "fed": ["source.initializer, {rows: [0.5, -0.25, 1.5]}"]}
    starts = [index for index, line in enumerate(runs) if line.startswith("    for ")]
    lines: list[str] = []
    for needed, start, end in zip(needs, starts, [*starts[1:], len(runs)], strict=True):
        run, *shown = runs[start + 1 : end]
        feed = re.search(r"\{[^{}]*\}", run)
        assert feed is not None
        whole = all(f"{name}:" in feed.group() for name in names)
        fed = choice.random() < 0.3 and (whole or not needed)
        inner = [run if fed else run.replace(feed.group(), "{}"), *shown]
        if kind != "one shot":
            lines.append(f"    sess.run({choice.choice(first.get(kind, ['begin_data', 'begin_other']))})")
        if kind != "one shot" and needed and not fed and "counting" not in run and choice.random() < 0.6:
            ending = ["        except tf.errors.OutOfRangeError:", "            break"]
            lines += ["    while True:", "        try:", *(f"    {line}" for line in inner), *ending]
        else:
            lines += [f"    for _ in range({choice.randint(1, 2)}):", *inner]
    return lines
