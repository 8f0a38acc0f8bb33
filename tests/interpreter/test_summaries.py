"""Functions that work on data alone: a long program of plain Python is followed to its end, and no effect is lost."""

from __future__ import annotations

import pytest

from tests.interpreter.snippets import after
from tf_migrate.interpreter.values import Instance, Items, Node, Opaque, items_of, options

LIFE = """\
import tensorflow as tf


def neighbours(board, row, column, width):
    found = 0
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if down == 0 and right == 0:
                continue
            r, c = row + down, column + right
            if 0 <= r < width and 0 <= c < width:
                found += board[r][c]
    return found


def evolve(board, width):
    new = []
    for row in range(width):
        line = []
        for column in range(width):
            near = neighbours(board, row, column, width)
            line.append(1 if near == 3 or (board[row][column] and near == 2) else 0)
        new.append(line)
    return new


def history(seed, width=6, steps=8):
    boards = [[[(seed * row * column) % 2 for column in range(width)] for row in range(width)]]
    while len(boards) < steps:
        boards.append(evolve(boards[-1], width))
    return boards


worlds = [history(seed) for seed in range(WORLDS)]
"""
ENOUGH = 16_000
TIRING = LIFE.replace("WORLDS", "2")
"""More than half of what may be executed, as `ENOUGH` statements may."""

GRAMS = """\
import tensorflow as tf

RULES = [("fox", "cat"), ("dog", "wolf"), ("brown", "grey"), ("lazy", "busy"), ("home", "away"), ("runs", "walks")]
SENTENCES = ["the quick brown fox number %d jumps over the lazy dog and runs to its home" % n for n in range(60)]


class Vocabulary:
    def __init__(self, stops):
        self.stops = stops
        self.words = {}

    def clean(self, sentence):
        for old, new in RULES:
            sentence = sentence.replace(old, new)
        parts = []
        for part in sentence.split():
            if part in self.stops:
                continue
            elif part.isdigit():
                parts.append("#")
            else:
                parts.append(part)
        return parts

    def grams(self, parts, n):
        found = []
        for at in range(len(parts) - n + 1):
            gram = []
            for k in range(n):
                gram.append(parts[at + k])
            found.append("_".join(gram))
        return found

    def learn(self, sentences, longest):
        rows = [self.clean(sentence) for sentence in sentences]
        for n in range(1, longest):
            for gram in [gram for row in rows for gram in self.grams(row, n)]:
                self.words.setdefault(gram, len(self.words))
        return self


vocabularies = [Vocabulary(["the", "and", word]).learn(SENTENCES, 5) for word in ("over", "to", "its", "quick")]
"""

SETTINGS = """\
import tensorflow as tf


class Part:
    def __init__(self, **given):
        self.count = 0
        for key, value in given.items():
            setattr(self, key, value)


class Settings:
    def __init__(self):
        self.run = Part(epochs=3, batch_size=32, hidden_units="64-64", name="base")
        self.data = Part(window_length=20, sample_rate=0.5, shuffled=True)

    @property
    def title(self):
        chain = []
        for name in ("run.epochs", "run.batch_size", "run.hidden_units", "data.window_length", "data.sample_rate"):
            part, key = name.split(".")
            value = getattr(getattr(self, part), key)
            initials = "".join([word[0] for word in key.split("_")])
            if value is None:
                continue
            chain.append(initials + str(value))
        return "-".join(chain)

    def folder(self):
        self.run.count += 1
        return "logs/" + self.title


settings = Settings()
"""
SETTINGS += "print(settings.folder())\n" * 800

MODEL = """
size = len(str(vars())) + 1
x = tf.placeholder(tf.float32, [None, 4])
y = x * 2.0
with tf.Session() as sess:
    print(sess.run(y, {x: [[1.0, 2.0, 3.0, 4.0]]}))
"""


@pytest.mark.parametrize("plain", [LIFE.replace("WORLDS", "5"), GRAMS, SETTINGS])
def test_a_long_program_of_plain_python_is_followed_to_its_run(plain: str) -> None:
    known = after(plain + MODEL, ENOUGH)
    assert "budget" not in known.problems
    (seen,) = known.recorder.runs.values()
    assert [leaf for each in seen for leaf in each.fetches.leaves()] == [known.frame.slots["y"]]


def test_what_a_summed_up_function_gives_are_lists_of_each_call_own() -> None:
    known = after(
        TIRING
        + """
def line(width):
    found = []
    for at in range(12):
        found.append(at * width)
        width += 1
    return found


lines = [line(width) for width in range(20)]
first, second = line(5), line(6)
first.append(tf.placeholder(tf.float32))
""",
        ENOUGH,
    )
    first, second = known.frame.slots["first"], known.frame.slots["second"]
    assert isinstance(first, Items) and isinstance(second, Items) and first is not second
    assert [isinstance(item, Opaque) for item in items_of(second)] == [True] * 12
    assert [isinstance(item, Node) for item in items_of(first)] == [*[False] * 12, True]


BUILDS = """
def layer(name, width):
    total = 0
    for at in range(12):
        total += at * width
        total -= at
    if name == "last":
        return tf.get_variable(name, [width])
    return total


sizes = [layer("size%d" % at, 3) for at in range(20)]
outs = [layer("last", 5)]
"""


def test_a_call_that_builds_is_executed_with_what_it_is_given() -> None:
    known = after(TIRING + BUILDS, ENOUGH)
    outs = known.frame.slots["outs"]
    assert isinstance(outs, Items)
    (out,) = items_of(outs)
    assert isinstance(out, Node) and out.kind == "variable"


CHANGES = """
units = []
settings = {"depth": 1}


class Counter:
    def __init__(self):
        self.seen = []

    def note(self, width):
        for at in range(12):
            width = width * 1
            width = width + 0
        self.seen.append(width)
        return width


def widen(width, into):
    for at in range(12):
        width = width * 1
        width = width + 0
    into.append(width * 2)
    return width


def deepen(depth):
    for at in range(12):
        depth = depth * 1
        depth = depth + 0
    settings["depth"] = depth
    return depth


counter = Counter()
done = [[widen(width, units), counter.note(width), deepen(width)] for width in range(1, 21)]
"""


def test_what_functions_do_to_what_is_theirs_not_is_done_at_each_call() -> None:
    known = after(TIRING + CHANGES, ENOUGH)
    units, counter, settings = (known.frame.slots[name] for name in ("units", "counter", "settings"))
    assert isinstance(units, Items) and isinstance(counter, Instance)
    seen = counter.slots["seen"]
    assert isinstance(seen, Items)
    assert [getattr(each, "value", None) for each in items_of(units)] == [2 * width for width in range(1, 21)]
    assert [getattr(each, "value", None) for each in items_of(seen)] == [*range(1, 21)]
    assert [getattr(each, "value", None) for each in settings.slots.values()] == [20]  # type: ignore[attr-defined]


READS = """
widths = [1, 2]
state = {"mode": "plain"}


def chosen(name):
    total = 0
    for at in range(12):
        total = total + at
        total = total - at
    if state["mode"] == "plain":
        return None
    return widths


plain = [chosen("a%d" % at) for at in range(20)]
state["mode"] = "deep"
widths.append(tf.placeholder(tf.float32))
deep = chosen("b")
"""


def test_what_a_function_reads_of_others_may_change() -> None:
    known = after(TIRING + READS, ENOUGH)
    plain, deep = known.frame.slots["plain"], known.frame.slots["deep"]
    assert isinstance(plain, Items)
    assert {getattr(each, "value", 0) for each in items_of(plain)} == {None}
    assert deep is known.frame.slots["widths"]


OBJECTS = """
class Part:
    pass


class Settings:
    def __init__(self):
        self.run = Part()
        self.run.kind = "flat"
        self.run.made = []

    def kinds(self):
        return [[self.run.kind for _ in range(2)], len(vars(self.run)), getattr(self.run, "depth", None)]


settings = Settings()
flat = settings.kinds()
settings.run.count = 1
same = settings.kinds()
settings.run.kind = tf.placeholder(tf.float32)
settings.run.depth = 3
deep = settings.kinds()
settings.run = Part()
settings.run.kind = "other"
last = settings.kinds()
"""


def test_what_a_function_reads_of_objects_may_change() -> None:
    known = after(TIRING + OBJECTS, ENOUGH)
    found = {}
    for name in ("flat", "same", "deep", "last"):
        value = known.frame.slots[name]
        assert isinstance(value, Items)
        kinds, _, depth = items_of(value)
        assert isinstance(kinds, Items)
        found[name] = [getattr(each, "value", "tensor") for each in (*items_of(kinds), depth)]
    assert found["flat"] == found["same"] == ["flat", "flat", None]
    assert found["deep"] == ["tensor", "tensor", 3]
    assert found["last"] == ["other", "other", None]


KINDS = """
def size(given, scale=None):
    total = 0
    for at in range(12):
        total = total + at
        total = total - at
    if scale is None:
        return 7
    return given


sizes = [size("a%d" % at) for at in range(20)]
seven = size("b")
other = size("b", "c")
"""


def test_what_is_known_of_a_summed_up_function_is_known() -> None:
    known = after(TIRING + KINDS, ENOUGH)
    assert known.constants("seven") == {7}
    assert any(isinstance(option, Opaque) for option in options(known.frame.slots["other"]))
