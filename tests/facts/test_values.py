"""Snippets of TF 1.x, rewritten by the tool, give eagerly and in a tf.function what they gave under TF 1.15.5."""

import importlib.util
import tempfile

import pytest

tf = pytest.importorskip("tensorflow")

import compat  # noqa: E402
from tests.facts.conftest import all_snippets  # noqa: E402
from tests.facts.values import difference, parts, plain  # noqa: E402

GRAPH = (tf.Tensor, tf.Variable, tf.Operation)
SNIPPETS = all_snippets()
# What is recorded of these is that TensorFlow 1.15.5 saw no GPU, what its CPU draws or has a kernel for.
OF_A_CPU = (
    *("tf.test.is_gpu_available", "tf.test.gpu_device_name", "tf.config.experimental.set_visible_devices"),
    *("tf.random.stateless_categorical", "tf.bincount"),
)
STATEFUL = ("state", "layers", "training", "data", "programs", "settings", "tools", "running")


@pytest.fixture(scope="module")
def modules(rewritten, tmp_path_factory):
    """The rewritten files, imported; the folders that they name are this process's own."""
    loaded = {}
    shared, tempfile.tempdir = tempfile.tempdir, str(tmp_path_factory.mktemp("files"))
    for path in sorted(rewritten[0].glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"rewritten_{path.stem}", path)
        loaded[path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded[path.stem])
    yield loaded
    tempfile.tempdir = shared


def eager(snippet):
    """What the snippet gives when it is called as it stands."""
    structure, leaves = parts(snippet())
    return structure, [plain(to_python(leaf)) for leaf in leaves]


def traced(snippet):
    """What the snippet gives inside a tf.function; leaves that are no tensors come from the trace."""
    seen = {}

    @tf.function
    def run():
        seen["structure"], seen["leaves"] = parts(snippet())
        return [leaf for leaf in seen["leaves"] if tf.is_tensor(leaf)]

    fetched = iter(run())
    leaves = [next(fetched) if tf.is_tensor(leaf) else leaf for leaf in seen["leaves"]]
    return seen["structure"], [plain(to_python(leaf)) for leaf in leaves]


def bridged(snippet):
    """What the snippet gives in a graph of the bridge, fetched by a session after the initializers ran."""
    with compat.Graph().as_default(), compat.Session() as session:
        structure, leaves = parts(snippet())
        starts = (compat.global_variables_initializer, compat.local_variables_initializer, compat.tables_initializer)
        session.run([start() for start in starts])
        runs = {index: leaf for index, leaf in enumerate(leaves) if isinstance(leaf, GRAPH)}
        fetched = session.run(runs)
    return structure, [plain(fetched.get(index, leaf)) for index, leaf in enumerate(leaves)]


def to_python(leaf):
    """A tensor's value; operations give nothing."""
    if isinstance(leaf, tf.Operation):
        return None
    return leaf.numpy() if hasattr(leaf, "numpy") else leaf


def ways():
    """Each snippet with the ways to run it: state needs a graph; other names of the symbol run in one way only."""
    for snippet in SNIPPETS:
        other_name = snippet.symbol != snippet.name.split(" / ")[0]
        if snippet.family in STATEFUL:
            yield pytest.param(snippet, bridged, id=f"{snippet.key}-bridge")
            continue
        yield pytest.param(snippet, traced, id=f"{snippet.key}-function")
        if not other_name:
            yield pytest.param(snippet, eager, id=f"{snippet.key}-eager")
            yield pytest.param(snippet, bridged, id=f"{snippet.key}-bridge")


@pytest.mark.parametrize(("snippet", "way"), list(ways()))
def test_values_are_those_of_tf1(snippet, way, modules, goldens, request):
    if snippet.symbol in OF_A_CPU:
        request.getfixturevalue("cpu")
    expected = goldens[snippet.family][snippet.name]
    structure, leaves = way(modules[snippet.family].SNIPPETS[snippet.key])
    assert structure == expected["structure"]
    differences = [difference(got, want) for got, want in zip(leaves, expected["leaves"], strict=True)]
    assert differences == [None] * len(differences)
