"""What closes the session of an earlier run of a notebook's cell goes with the sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

TRIED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
w = tf.Variable(2.0)
y = w * x
# Close existing session if available
try:
    sess.close()
except NameError:
    pass
sess = tf.InteractiveSession()
sess.run(tf.global_variables_initializer())
print(sess.run(y, {x: 3.0}), y.eval({x: 4.0}))
"""

ASKED = """\
import numpy as np
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    total = tf.Variable(np.zeros(2), name="total")
    up = total.assign_add([1.0, 2.0])
if "session" in locals() and session is not None:
    print("Close interactive session")
    session.close()
session = tf.Session(graph=graph)
session.run(tf.variables_initializer([total]))
for _ in range(2):
    print(session.run(up))
session.close()
"""

OF_OTHERS = """\
import tensorflow as tf


class Connection(object):
    open = 0

    def __init__(self):
        Connection.open += 1

    def close(self):
        Connection.open -= 1


def download():
    sess = Connection()
    print("open", Connection.open)
    sess.close()


def never(sess):
    sess.close()


def leaves(session):
    if "session" in locals() and session is not None:
        print("closing")
        session.close()


download()
leaves(Connection())
print("left", Connection.open)
w = tf.Variable(2.0)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
session = tf.Session()
print(sess.run(w * 2.0))
sess.close()
"""


@pytest.mark.parametrize("program", [TRIED, ASKED], ids=["tried", "asked"])
def test_nothing_is_left_to_close(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    assert "close()" not in text and "sess" not in text.replace("session if", "")
    assert said_by(text, tmp_path) == run_legacy(program)


def test_what_does_more_stays(tmp_path: Path) -> None:
    program = ASKED.replace("    session.close()\nsession", "    total.flag = session.close()\nsession")
    outcome = migrated(program, tmp_path)
    assert "Session" in outcome.contents["main.py"].decode()


def test_what_else_has_such_a_name_is_closed(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(OF_OTHERS, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    assert OF_OTHERS[OF_OTHERS.index("class") : OF_OTHERS.index("w = tf")] in text
    assert said_by(text, tmp_path) == run_legacy(OF_OTHERS) == "open 1\nclosing\nleft 0\n4.0\n"
