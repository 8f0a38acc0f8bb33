"""What ordinary programs have beside their graph and runs: `add_features` gives a random program some of it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Needs = dict[str, set[str]]
"""The placeholders that each tensor, or each step, needs."""

_CHOSEN = ("tf.train.GradientDescentOptimizer(0.05)", "tf.train.AdamOptimizer(0.01)", "tf.train.AdagradOptimizer(0.1)")
_WAITING = (
    "tf.square(loss0)",
    "loss0 * 2.0",
    "tf.add(loss0, 0.5)",
    "tf.add_n([loss0, loss0])",
    "tf.maximum(loss0, 0.0)",
)
_STEP = re.compile(r"(?P<name>\w+) = (?P<optimizer>tf\.train\.\w+\([\d., ]*\))\.minimize\((?P<loss>loss\d)\)")
_FEED = re.compile(r"^(        .*(?:\.run\(\[|\.eval\().*\{)(.*\}.*)$")


def add_features(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """Up to three features more, written into the lines of a program that does not yet stand in a function or class."""
    for feature in choice.sample(_FEATURES, choice.choice([0, 0, 1, 2, 3])):
        feature(choice, lines, needs, trains)


def _optimizer_chosen(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """A condition chooses the optimizer of a step."""
    for index, step in _plain_steps(choice, lines):
        made = [f"    chosen = {choice.choice(_CHOSEN)}", "else:", f"    chosen = {step['optimizer']}"]
        used = f"{step['name']} = chosen.minimize({step['loss']})"
        lines[index : index + 1] = [f"if scale > {choice.choice([0.3, 0.7])}:", *made, used]


def _step_none_first(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """A step is None until a condition makes it: the last step, for no names are counted behind it."""
    for index, step in _plain_steps(choice, lines)[-1:]:
        lines[index : index + 1] = [f"{step['name']} = None", "if scale == 0.5:", f"    {step.group()}"]


def _named_at_once(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """Losses have two names, of which runs ask for either."""
    for index, line in enumerate(lines):
        if line.startswith("loss0 = "):
            lines[index] = f"loss0 = cost = {line.removeprefix('loss0 = ')}"
    needs["cost"] = needs["loss0"]
    for index in _runs(lines):
        if choice.random() < 0.5:
            lines[index] = re.sub(r"\bloss0\b", "cost", lines[index])


def _averages(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """Batch normalization by hand: moments, or their averages, as a placeholder says."""
    place = next(index for index, line in enumerate(lines) if line.startswith("h = layer("))
    decay, least = choice.choice([0.5, 0.9]), choice.choice([0.5, 0.001])
    lines[place : place + 1] = [
        "phase = tf.placeholder(tf.bool, [])",
        "",
        "",
        "def normalized(t, training):",
        "    mean, var = tf.nn.moments(t, [0])",
        f"    averages = tf.train.ExponentialMovingAverage({decay})",
        "",
        "    def moving():",
        "        with tf.control_dependencies([averages.apply([mean, var])]):",
        "            return tf.identity(mean), tf.identity(var)",
        "",
        "    center, spread = tf.cond(training, moving, lambda: (averages.average(mean), averages.average(var)))",
        f"    return (t - center) / tf.sqrt(spread + {least})",
        "",
        "",
        lines[place],
        "h = normalized(h, phase)",
    ]
    for index in _runs(lines):
        lines[index] = _FEED.sub(rf"\1phase: {choice.random() < 0.6}, \2", lines[index])
    needs["phase"] = {"phase"}


def _python_function(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """A Python function prints what a run computes."""
    place = lines.index("with tf.Session() as sess:") - 1
    printing = [
        "",
        "",
        "def note(value):",
        "    print('noted', np.asarray(value).tolist())",
        "    return value",
        "",
        "",
    ]
    lines[place:place] = [*printing, "noted = tf.py_func(note, [loss0], tf.float32)"]
    needs["noted"] = needs["loss0"]
    for index in _runs(lines):
        if choice.random() < 0.4 and "loss0]" in lines[index]:
            lines[index] = lines[index].replace("loss0]", "noted]")


def _assigned(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """A run makes assignments that are built in it; another shows what they did."""
    names = [name for name in ("w0", "w1", "w2") if any(line.startswith(f"{name} = tf.Variable") for line in lines)]
    made = [f"tf.assign({name}, {choice.uniform(-1, 1):.3f})" for name in names]
    made += [f"{choice.choice(names)}.initializer"] if len(names) > 2 else []
    again = f"        sess.run([{', '.join(made)}])"
    lines += ["    for _ in range(1):", again, f"        v0 = sess.run([{', '.join(names)}])"]
    lines.append("        print('assigned', np.asarray(v0).tolist())")


def _counted(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """A step counts in the global step, which is asked of the session."""
    for index, _ in _plain_steps(choice, lines):
        made = ["tf.train.get_or_create_global_step()", "tf.Variable(0, name='global_step', trainable=False)"]
        counting = f"{lines[index].removesuffix(')')}, global_step=steps_done)"
        lines[index : index + 1] = [f"steps_done = {choice.choice(made)}", counting]
        needs["steps_done"] = set()
        asked = choice.choice(["tf.train.global_step(sess, steps_done)", "sess.run(steps_done)"])
        lines += ["    for _ in range(1):", f"        print('steps', {asked})"]


def _waiting(choice: random.Random, lines: list[str], needs: Needs, trains: Needs) -> None:
    """Something that is computed from a loss waits for a step."""
    step = next(name for name in trains if name != "counting")
    place = lines.index("with tf.Session() as sess:") - 1
    lines[place:place] = [f"with tf.control_dependencies([{step}]):", f"    waited = {choice.choice(_WAITING)}"]
    needs["waited"] = trains[step] | needs["loss0"]
    for index in _runs(lines):
        if choice.random() < 0.5 and f"[{step}, " in lines[index]:
            lines[index] = lines[index].replace(f"[{step}, ", "[waited, ")


_FEATURES: tuple[Callable[[random.Random, list[str], Needs, Needs], None], ...] = (
    _optimizer_chosen,
    _step_none_first,
    _named_at_once,
    _averages,
    _python_function,
    _assigned,
    _counted,
    _waiting,
)


def _plain_steps(choice: random.Random, lines: list[str]) -> list[tuple[int, re.Match[str]]]:
    """The place of one step that an optimizer of its own makes; none where there is none."""
    steps = [(index, found) for index, line in enumerate(lines) if (found := _STEP.fullmatch(line))]
    return [choice.choice(steps)] if steps else []


def _runs(lines: list[str]) -> list[int]:
    return [index for index, line in enumerate(lines) if _FEED.match(line)]


def _show(lines: list[str], tag: str, fetched: str) -> None:
    lines += ["    for _ in range(2):", f"        v0 = sess.run({fetched})"]
    lines.append(f"        print('{tag}', np.asarray(v0).tolist())")
