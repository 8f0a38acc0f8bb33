"""Notebooks: each piece of native code stands in the cell of what it replaces."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from tests.native.native import STEPS, printed
from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options

IMPORTS = "%matplotlib inline\nimport tensorflow as tf\n"
MODEL = """\
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
# The loss
loss = tf.reduce_sum(x * w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)"""
START = "sess = tf.InteractiveSession()\nsess.run(tf.global_variables_initializer())"


def migrated(*cells: str) -> list[str]:
    """The code of the cells after the migration; all runs have become native."""
    outcome, after = _notebook(cells)
    assert {site.tier for site in outcome.report.sites} == {"native"}, [site.reason for site in outcome.report.sites]
    return after


def _notebook(cells: tuple[str, ...], indent: int | None = 1) -> tuple[pipeline.Outcome, list[str]]:
    described = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": code} for code in cells
    ]
    content = json.dumps({"cells": described, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}, indent=indent)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.ipynb"
        path.write_text(content, encoding="utf-8")
        outcome = pipeline.run([TreeFile(path, "train.ipynb")], Options(paths=(path,), ignore=STEPS))
    assert not outcome.report.failed, outcome.report.failed
    again = json.loads(outcome.contents.get("train.ipynb", content.encode()))
    return outcome, ["".join(cell["source"]) for cell in again["cells"]]


def test_functions_stand_where_the_graph_was_built() -> None:
    imports, model, start, run = migrated(IMPORTS, MODEL, START, "for v in [1.0, 2.0]:\n    sess.run(train, {x: [v]})")
    assert imports.startswith("%matplotlib inline\nimport tensorflow as tf\n")
    assert model.startswith("w = tf.Variable") and "def train_step(x):" in model and "# The loss" in model
    assert not model.endswith("\n") and start == ""
    assert run == "for v in [1.0, 2.0]:\n    train_step([v])"


def test_cells_of_a_file_of_one_line_keep_places_of_their_own() -> None:
    scope = "with tf.variable_scope('{0}'):\n    {0} = tf.get_variable('w', [2])"
    scopes = [scope.format(name) for name in ("first", "other")]
    outcome, after = _notebook((IMPORTS, *scopes, START, "print(sess.run(first + other))"), indent=None)
    assert [site.tier for site in outcome.report.sites] == ["native", "native"]
    assert len({(found.line, found.column) for found in outcome.report.findings if found.symbol}) > len(scopes)
    assert not any("tf.variable_scope(" in cell for cell in after)


def test_what_comes_out_runs() -> None:
    cells = migrated(
        IMPORTS,
        MODEL,
        START,
        "for v in [1.0, 2.0]:\n    _, found = sess.run([train, loss], {x: [v]})\n    print(found)",
    )
    assert printed("\n".join(cells).replace("%matplotlib inline", "")) == "2.0\n3.8\n"


def test_a_cell_shows_the_value_that_it_ended_with() -> None:
    shown = migrated(IMPORTS, MODEL, START, "sess.run(loss, {x: [3.0]})")[-1]
    assert shown == "compute_loss([3.0]).numpy()"


def test_the_results_of_an_update_that_a_cell_shows_are_no_waste() -> None:
    shown = migrated(IMPORTS, MODEL, START, "sess.run([train, loss], {x: [3.0]})")[-1]
    assert shown == "[None, train_step([3.0]).numpy()]"
    quiet = migrated(IMPORTS, MODEL, START, "sess.run([train, loss], {x: [3.0]})\nprint('done')")[-1]
    assert quiet == "train_step([3.0])\nprint('done')"


def test_the_graph_of_the_bridge_opens_in_the_cell_that_builds() -> None:
    graph = "# %% the graph\nx = tf.placeholder(tf.float32)\ny = tf.py_func(str, [x], tf.string)"
    outcome, after = _notebook((IMPORTS, "rows = 3\nrows", graph, "sess = tf.Session()\nsess.run(y, {x: 1.0})"))
    (site,) = outcome.report.sites
    assert site.tier == "bridge" and site.reason is not None
    assert site.reason.endswith("(train.ipynb:22)")  # the file's line of what is refused
    assert after[1] == "rows = 3\nrows"
    assert after[2].startswith("compat.open_graph()\n# %% the graph\nx = compat.placeholder")


def test_graphs_of_their_own_beside_others() -> None:
    bridged = "with tf.Session() as sess:\n    print(sess.make_callable(tf.constant(1.0))())"
    cells = (IMPORTS, bridged, "tf.reset_default_graph()\n" + MODEL, START, "sess.run(train, {x: [1.0]})")
    outcome, after = _notebook((*cells, "tf.reset_default_graph()", bridged))
    tiers = [site.tier for site in outcome.report.sites if not site.initializer_only]
    assert tiers == ["bridge", "native", "bridge"]
    assert [("open_graph" in cell, "close_graph" in cell) for cell in after] == [
        (False, False),
        (True, True),
        (False, False),
        (False, False),
        (False, False),
        (True, False),
        (False, False),
    ]
    assert after[4] == "train_step([1.0])"


def test_a_cell_that_is_timed_is_of_the_program() -> None:
    cells = migrated(IMPORTS, MODEL, START, "%%time\nfor v in [1.0, 2.0]:\n    print(sess.run(loss, {x: [v]}))")
    assert cells[-1].startswith("%%time\nfor v in [1.0, 2.0]:\n    print(compute_loss(")


def test_a_first_cell_that_is_captured_keeps_its_first_line() -> None:
    outcome, cells = _notebook(("%%capture\nimport tensorflow as tf\nx = tf.placeholder(tf.float32)", "y = x + 1"))
    assert cells[0] == (
        "%%capture\nimport tensorflow as tf\nimport compat\ncompat.open_graph()\nx = compat.placeholder(tf.float32)"
    )
    assert outcome.report.findings


def test_a_cell_that_runs_many_times_stays_on_the_bridge() -> None:
    outcome, cells = _notebook((IMPORTS, MODEL, START, "%%timeit\nsess.run(train, {x: [1.0]})"))
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert outcome.report.sites[-1].reasons[0].code == "repeated-cell"
    assert cells[-1] == "%%timeit\nsess.run(train, {x: [1.0]})"


def test_colabs_line_for_tensorflow_1_goes_and_what_installs_it_moves() -> None:
    install = "!pip install -q tensorflow-gpu==1.15 pandas"
    outcome, cells = _notebook((f"%tensorflow_version 1.x\n{install}\nimport tensorflow as tf", "x = tf.log(1.0)"))
    assert cells[0].startswith("!pip install -q 'tensorflow>=2.16,<2.22' pandas\nimport tensorflow as tf")
    told = [found.action for found in outcome.report.findings if found.rule == "TFM133"]
    assert told == ["rewritten", "rewritten"]
    other = "!pip install tensorflow==2.16 tensorflow-hub==0.1\n!pip list\n%matplotlib inline\nimport tensorflow as tf"
    assert not [found for found in _notebook((other,))[0].report.findings if found.rule == "TFM133"]


@pytest.mark.parametrize(
    ("words", "moved"),
    [
        (
            "-i https://x.y/z 'tensorflow==1.14.0' \"h5py==2.10.0\" scipy",
            "-i https://x.y/z 'tensorflow>=2.16,<2.22' 'h5py>=3.10' scipy",
        ),
        ("numpy==1.16 tensorflow==1.15 keras==2.2.5 -U", "'numpy>=1.26' 'tensorflow>=2.16,<2.22' 'keras>=3.0' -U"),
        ("tensorflow==1.15 numpy<1.17", None),  # which the shell reads from a file
        ("tensorflow==1.15 && echo done", None),
        ("$EXTRA tensorflow==1.15", None),
        ("tensorflow==1.15 tensorboard==1.15", None),
        ("tensorflow==1.15  # as of old", None),
        ("tensorflow==1.15 \\\n    numpy==1.16", None),
    ],
)
def test_a_line_that_installs_tensorflow_1_moves_where_it_is_plain_words(words: str, moved: str | None) -> None:
    outcome, cells = _notebook((f"%pip install {words}\nimport tensorflow as tf", "x = tf.log(1.0)"))
    assert cells[0].startswith(f"%pip install {moved or words}\n")
    told = [found.action for found in outcome.report.findings if found.rule == "TFM133"]
    assert told == ["manual" if moved is None else "rewritten"]


def test_a_notebook_that_keeps_keras_2_installs_it() -> None:
    model = "x = tf.keras.layers.Input((2,))\ny = tf.keras.layers.Dense(2)(x)\nwith tf.Session() as s:\n    s.run(y)"
    _, cells = _notebook((f"!pip install tensorflow==1.15\nimport tensorflow as tf\n{model}",))
    assert cells[0].startswith("!pip install 'tensorflow>=2.16,<2.22' 'tf_keras>=2.16,<2.22'\n")
