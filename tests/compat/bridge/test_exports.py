"""What bridged programs export, with seeds and without: loaded by compat, by plain TF2 and by real TF 1.15.5.

Three forms (frozen, SavedModel, `.meta` with its checkpoint), three kinds of seeds, three readers. Each reader computes
the outputs without dropout, which have to be those of the program, and twice with it: drawn anew each time, and from
a seed of the operation what TensorFlow 1.15.5 draws.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

FORMS = ["frozen", "saved_model", "meta"]
SEEDS = {"unseeded": (None, None), "of the graph": (42, None), "of the operation": (42, 7)}
DATA = np.random.RandomState(0).normal(size=(2, 6))
TF1_DRAWS = {
    "noise:0": [
        [-0.4527415633201599, -0.3004075288772583, -0.07882861793041229],
        [-0.5042275786399841, 1.3658840656280518, -0.27591007947921753],
    ],
    "picked:0": [[8, 8, 7, 7, 7, 5], [6, 1, 5, 7, 8, 4]],
}
"""What TF 1.15.5 gives for the operations' seed in its first two runs."""


def _build(graph_seed: int | None, seed: int | None) -> None:
    compat.set_random_seed(graph_seed)
    x = compat.placeholder(tf.float32, [None, 6], name="x")
    keep = compat.placeholder_with_default(1.0, [], name="keep")
    w = compat.Variable(np.linspace(-1, 1, 24).reshape(6, 4).astype("float32"), name="w")
    dropped = compat.nn.dropout(tf.matmul(x, w), keep, seed=seed)
    on = compat.cond(keep > 0.9, lambda: dropped, lambda: dropped + tf.random.normal([4], 0.0, 1e-3, seed=seed))
    tf.nn.softmax(on, name="out")
    tf.identity(tf.random.normal([3], seed=seed), name="noise")
    tf.identity(tf.random.categorical(tf.zeros([1, 9]), 6, seed=seed), name="picked")


def _export(form: str, folder: Path, session: compat.Session) -> None:
    names = ["out", "noise", "picked"]
    find = session.graph.get_tensor_by_name
    if form == "frozen":
        frozen = compat.graph_util.convert_variables_to_constants(session, session.graph_def, names)
        (folder / "frozen.pb").write_bytes(frozen.SerializeToString())
    elif form == "saved_model":
        inputs = {name: find(f"{name}:0") for name in ("x", "keep")}
        outputs = {name: find(f"{name}:0") for name in names}
        compat.saved_model.simple_save(session, str(folder / "saved_model"), inputs, outputs)
    else:
        compat.train.Saver().save(session, str(folder / "model"))


@pytest.fixture(params=[(form, seeds) for form in FORMS for seeds in SEEDS], ids=lambda pair: " ".join(pair))
def exported(request: Any, graph: Any, tmp_path: Path) -> tuple[str, str, Path, Any]:
    """(form, kind of seeds, folder, what the program computed)."""
    form, seeds = request.param
    _build(*SEEDS[seeds])
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        wanted = session.run("out:0", {"x:0": DATA})
        _export(form, tmp_path, session)
    return form, seeds, tmp_path, wanted


# What reads: `tf` is TensorFlow with the names of TF 1.15, `run(fetches, feeds)` computes.
READ = """
def load(form, folder, session):
    if form == "frozen":
        with open(folder + "/frozen.pb", "rb") as file:
            definition = tf.GraphDef.FromString(file.read())
        tf.import_graph_def(definition, name="")
    elif form == "saved_model":
        tf.saved_model.loader.load(session, ["serve"], folder + "/saved_model")
    else:
        tf.train.import_meta_graph(folder + "/model.meta").restore(session, folder + "/model")


def read(form, folder, data):
    with tf.Session(graph=tf.Graph()) as session:
        load(form, folder, session)
        outputs = ["out:0", "noise:0", "picked:0"]
        whole = session.run("out:0", {"x:0": data})
        runs = [session.run(outputs, {"x:0": data, "keep:0": 0.5}) for _ in range(2)]
        drawn = {name: [run[place].ravel().tolist() for run in runs] for place, name in enumerate(outputs)}
        return dict(drawn, whole=whole.tolist())
"""


def _judge(seeds: str, got: dict[str, Any], wanted: Any) -> None:
    np.testing.assert_allclose(got["whole"], wanted, atol=1e-6)
    for name in ("out:0", "noise:0", "picked:0"):
        first, second = got[name]
        assert first != second, f"{name} is drawn anew"
        if seeds == "of the operation" and name in TF1_DRAWS:
            np.testing.assert_allclose([first, second], TF1_DRAWS[name], atol=1e-5)


def test_loaded_by_compat(exported: tuple[str, str, Path, Any]) -> None:
    form, seeds, folder, wanted = exported
    names: dict[str, Any] = {"tf": _Names(compat, tf)}
    exec(READ, names)
    _judge(seeds, names["read"](form, str(folder), DATA), wanted)


def test_loaded_by_a_session_of_tf2(exported: tuple[str, str, Path, Any], request: pytest.FixtureRequest) -> None:
    form, seeds, folder, wanted = exported
    if seeds == "of the operation":
        request.getfixturevalue("cpu")  # A GPU draws other numbers.
    names: dict[str, Any] = {"tf": tf.compat.v1}
    exec(READ, names)
    _judge(seeds, names["read"](form, str(folder), DATA), wanted)


def test_loaded_by_tf2_functions(exported: tuple[str, str, Path, Any]) -> None:
    form, _, folder, wanted = exported
    if form == "meta":
        pytest.skip("TF2 reads .meta files in sessions only")
    compat.close_graph()
    try:
        given = {"x": tf.constant(DATA, tf.float32), "keep": tf.constant(0.5)}
        if form == "saved_model":
            run = tf.saved_model.load(str(folder / "saved_model")).signatures["serving_default"]
        else:
            run = _frozen_function((folder / "frozen.pb").read_bytes())
        whole = run(**dict(given, keep=tf.constant(1.0)))["out"].numpy()
        drawn = [run(**given) for _ in range(2)]
    finally:
        compat.open_graph()
    np.testing.assert_allclose(whole, wanted, atol=1e-6)
    for name in ("out", "noise", "picked"):
        assert drawn[0][name].numpy().tolist() != drawn[1][name].numpy().tolist()


@pytest.mark.tf1
def test_loaded_by_tf1(exported: tuple[str, str, Path, Any], run_legacy: Callable[..., str]) -> None:
    form, seeds, folder, wanted = exported
    program = (
        "import json, sys\nimport tensorflow as tf\n" + READ + "\nprint(json.dumps(read(*json.loads(sys.argv[1]))))"
    )
    printed = run_legacy(program, json.dumps([form, str(folder), DATA.tolist()]))
    _judge(seeds, json.loads(printed.splitlines()[-1]), wanted)


class _Names:
    """Names of TF 1.15: those of compat, else those of TF2."""

    def __init__(self, *modules: Any) -> None:
        self._modules = modules

    def __getattr__(self, name: str) -> Any:
        return next(getattr(module, name) for module in self._modules if hasattr(module, name))


def _frozen_function(serialized: bytes) -> Callable[..., Any]:
    definition = tf.compat.v1.GraphDef.FromString(serialized)

    @tf.function(input_signature=[tf.TensorSpec([None, 6], tf.float32), tf.TensorSpec([], tf.float32)])
    def run(x: Any, keep: Any) -> Any:
        given = {"x:0": x, "keep:0": keep}
        results = tf.graph_util.import_graph_def(definition, given, ["out:0", "noise:0", "picked:0"], name="")
        return dict(zip(("out", "noise", "picked"), results, strict=True))

    return lambda x, keep: run(x, keep)


def _reading_nodes(graph_def: Any) -> list[tuple[str, str, list[str]]]:
    wanted = ("w", "w/read", "bag", "bag/read", "rows", "out")
    return [(node.name, node.op, list(node.input)) for node in graph_def.node if node.name in wanted]


@pytest.mark.parametrize("outputs", [["out"], ["rows", "w/read"], ["bag"]])
def test_a_frozen_graph_reads_variables_by_the_names_of_tf1(outputs: list[str]) -> None:
    # As TF 1.15.5 writes it, but for the axis of the gather.
    with compat.Graph().as_default(), compat.Session() as session:
        w = compat.get_variable("w", initializer=[[1.0], [2.0]])
        bag = compat.Variable([[0.5], [0.25]], name="bag")
        rows = tf.gather(bag, [1, 0], name="rows")
        tf.multiply(w, rows, name="out")
        session.run(compat.global_variables_initializer())
        frozen = compat.graph_util.convert_variables_to_constants(session, session.graph_def, outputs)
    expected = {
        "w": ("Const", []),
        "w/read": ("Identity", ["w"]),
        "bag": ("Const", []),
        "bag/read": ("Identity", ["bag"]),
        "rows": ("GatherV2", ["bag/read", "rows/indices"]),
        "out": ("Mul", ["w/read", "rows"]),
    }
    kept = {"bag": ["bag"], "out": list(expected)}.get(outputs[0], [name for name in expected if name != "out"])
    found = {name: (op, inputs[:2]) for name, op, inputs in _reading_nodes(frozen)}
    assert found == {name: expected[name] for name in kept}


def test_what_a_variable_is_read_by_can_be_asked_for_and_fed() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        x = compat.placeholder(tf.float32, [None, 2], name="x")
        tf.matmul(x, compat.Variable([[1.0], [2.0]], name="scope/w"), name="out")
        session.run(compat.global_variables_initializer())
        frozen = compat.graph_util.convert_variables_to_constants(session, session.graph_def, ["out"])
    with compat.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(frozen, name="")
        with compat.Session(graph=graph) as session:
            assert session.run("scope/w/read:0").tolist() == [[1.0], [2.0]]
            assert session.run("out:0", {"x:0": [[1, 1]], "scope/w/read:0": [[5], [6]]}).tolist() == [[11.0]]
