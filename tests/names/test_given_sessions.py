"""Runs of sessions that functions of the program give are sites, wherever those stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_migrate.files.discover import discover
from tf_migrate.options import HighestTier, Options
from tf_migrate.pipeline import run

RUNNER = """\
import tensorflow as tf

_kept = None


def current():
    global _kept
    if _kept is None:
        _kept = tf.Session()
        _kept.run(tf.global_variables_initializer())
    return _kept


def command(text):
    return open(text)
"""
NETS = """\
import subprocess

import tensorflow as tf
import runner
from runner import command, current

x = tf.placeholder(tf.float32, [None])
y = x * tf.Variable(2.0)


def double(values):
    return current().run(y, {x: values})


def again(values):
    return runner.current().run(y, {x: values})


def other(values):
    command("a").run(values)
    return subprocess.Popen(values).run(y)
"""
AGENT = """\
import tensorflow as tf


class Agent(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [])
        self.y = self.x + 1.0
        self._made = {}

    def where(self, name):
        if name not in self._made:
            self._made[name] = tf.Session()
        return self._made[name] if name else tf.get_default_session()

    def act(self, value):
        return self.where("main").run(self.y, {self.x: value})

    def steps(self):
        return self.plan().run(1)

    def plan(self):
        return self


print(Agent().act(1.0))
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize(
    ("files", "sites"),
    [
        ({"runner.py": RUNNER, "nets.py": NETS}, [("nets.py", 12), ("nets.py", 16), ("runner.py", 10)]),
        ({"agent.py": AGENT}, [("agent.py", 16)]),
    ],
    ids=["a module's function", "a method"],
)
def test_sites(files: dict[str, str], sites: list[tuple[str, int]], tier: HighestTier, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    options = Options(paths=(tmp_path,), jobs=1, tier=tier)
    report = run(discover(options).code, options).report
    assert [(site.path, site.line) for site in sorted(report.sites, key=lambda site: (site.path, site.line))] == sites
