"""Comparing on a GPU: deterministic kernels where there are some, and what the report says of it.

Without a GPU these programs run on the CPU: there TensorFlow obeys the demand for deterministic kernels too, and its
`Timestamp` is an operation that has none.
"""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.parity.test_command import run, trees
from tf_migrate.parity.record import Record

pytestmark = pytest.mark.usefixtures("as_v1_graph")


@pytest.fixture
def a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs say that they ran on a GPU."""
    monkeypatch.setattr(Record, "gpus", property(lambda record: ("GPU of a test (compute capability 9.0)",)))


SEEDLESS = """\
import tensorflow as tf
with tf.Graph().as_default(), tf.Session() as sess:
    x = tf.placeholder(tf.float32, [None])
    w = tf.Variable(tf.random_normal([3]), name="w")
    y = tf.reduce_sum(w * x + tf.random_uniform([3]))
    sess.run(tf.global_variables_initializer())
    for i in range(2):
        print("y", sess.run(y, {x: [1.0, 2.0, 3.0]}))
"""


@pytest.mark.usefixtures("a_gpu")
def test_kernels_are_deterministic_and_the_reports_say_so(tmp_path: Path) -> None:
    """TensorFlow then asks for a seed of each operation that draws: the program has none."""
    legacy, new = trees(tmp_path, SEEDLESS)
    files = [tmp_path / f"report{suffix}" for suffix in (".json", ".xml", ".md", ".html")]
    options = [part for file in files for part in ("--report", file)]
    status, output = run(legacy, new, "--device", "gpu", *options, "--", "train.py")
    assert status == 0, output
    told = "GPU of a test (compute capability 9.0), TF32 off, deterministic kernels"
    assert output.startswith("train.py on gpu: parity: ") and f"\n  on {told}\n" in output
    (result,) = json.loads(files[0].read_text())["results"]
    assert result["gpu"] == {"names": ["GPU of a test (compute capability 9.0)"], "tf32": False, "deterministic": True}
    assert result["notes"] == []
    (told_there,) = ET.parse(files[1]).getroot()[0].findall("properties/property")
    assert told_there.attrib == {"name": "gpu", "value": told}
    assert f"| train.py | gpu: {told} | tf.compat.v1 graph | parity |" in files[2].read_text()
    assert f"<td>gpu: {told}</td>" in files[3].read_text()


@pytest.mark.usefixtures("a_gpu")
def test_a_scenario_decides_on_kernels_and_tf32(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, SEEDLESS)
    variables = 'TF_DETERMINISTIC_OPS = "0"\nNVIDIA_TF32_OVERRIDE = "1"'
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(f'script = "train.py"\ndevices = ["gpu"]\n[environment]\n{variables}\n')
    status, output = run(legacy, new, "--scenario", scenario)
    assert status == 0 and ", TF32 on, kernels that may not be deterministic\n" in output, output


def test_on_the_cpu_nothing_is_said_of_a_gpu(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, SEEDLESS)
    status, output = run(legacy, new, "--report", tmp_path / "report.json", "--", "train.py")
    assert status == 0 and "TF32" not in output, output
    (result,) = json.loads((tmp_path / "report.json").read_text())["results"]
    assert result["gpu"] is None


STAMPED = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
moment = x + 0.0 * tf.cast(tf.timestamp(), tf.float32)
sess = tf.Session()
print("x", sess.run(moment, {x: 2.0}))
"""
CAUGHT = (
    STAMPED.replace("print(", "try:\n    print(").rstrip() + "\nexcept tf.errors.OpError:\n    raise SystemExit(3)\n"
)
WRAPPED = CAUGHT.replace(" tf.errors.OpError:", " tf.errors.OpError as error:").replace(
    "raise SystemExit(3)", "raise ValueError('no result') from error"
)


@pytest.mark.parametrize(
    ("program", "named"),
    [
        (STAMPED, "`Timestamp` (train.py:5)"),
        (WRAPPED, "`Timestamp` (train.py:8)"),
        (CAUGHT, "something that the program does"),
    ],
)
@pytest.mark.usefixtures("a_gpu")
def test_an_operation_without_a_deterministic_kernel(program: str, named: str, tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, program)
    status, output = run(legacy, new, "--device", "gpu", "--", "train.py")
    assert status == 0, output
    assert f"note: TensorFlow has no deterministic kernel on the GPU for {named}: compared are runs without" in output
    assert "TF32 off, kernels that may not be deterministic\n" in output


EAGER = """\
import tensorflow as tf


@tf.function
def moment(x):
    return x + 0.0 * tf.cast(tf.timestamp(), tf.float32)


print("x", {called}.numpy())
"""


@pytest.mark.parametrize(
    ("called", "named"),
    [("moment(tf.constant(2.0))", "Timestamp"), ("(2.0 + 0.0 * tf.cast(tf.timestamp(), tf.float32))", "Timestamp")],
)
@pytest.mark.usefixtures("a_gpu")
def test_one_of_the_migrated_program_alone(called: str, named: str, tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, STAMPED.replace("tf.timestamp()", "1.0"), EAGER.format(called=called))
    _, output = run(legacy, new, "--device", "gpu", "--", "train.py")
    assert f"no deterministic kernel on the GPU for `{named}` (train.py:9)" in output, output


@pytest.mark.usefixtures("a_gpu")
def test_what_fails_with_any_kernels_is_no_matter_of_determinism(tmp_path: Path) -> None:
    program = STAMPED.replace("tf.timestamp()", "tf.reshape(x, [2])")
    legacy, new = trees(tmp_path, program)
    status, output = run(legacy, new, "--device", "gpu", "--", "train.py")
    assert status == 1 and "original failed" in output and "no deterministic kernel" not in output, output
    assert "TF32 off, deterministic kernels\n" in output


def test_a_comparison_that_finds_no_gpu_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    legacy, new = trees(tmp_path, SEEDLESS)
    status, output = run(legacy, new, "--device", "cpu,gpu", "--", "train.py")
    assert status == 1 and "train.py on cpu: parity: " in output, output
    assert "train.py on gpu: no device: TensorFlow sees no GPU in the original program, which ran on the CPU" in output


def test_an_original_in_tensorflow_1_that_finds_no_gpu(
    tmp_path: Path, legacy_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows the GPUs of its time alone."""
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(legacy_python))
    monkeypatch.setattr(
        Record, "gpus", property(lambda record: ("One",) if record.folder.parent.name == "migrated" else ())
    )
    legacy, new = trees(tmp_path, SEEDLESS)
    status, output = run(legacy, new, "--device", "gpu", "--", "train.py")
    assert status == 0, output
    assert "note: the original ran on the CPU: TensorFlow 1.15.5 sees no GPU\n" in output


@pytest.mark.usefixtures("gpu")
def test_on_a_gpu(tmp_path: Path) -> None:
    """`Bincount` has no deterministic kernel there."""
    counted = SEEDLESS.replace("w * x", "w * x + tf.cast(tf.bincount([1, 2, 2], 3, 3), tf.float32)")
    for folder, program in (("plain", SEEDLESS), ("counted", counted)):
        (tmp_path / folder).mkdir()
        legacy, new = trees(tmp_path / folder, program)
        status, output = run(legacy, new, "--device", "gpu", "--", "train.py")
        assert status == 0 and "(compute capability " in output, output
        assert ("no deterministic kernel on the GPU for" in output) == (folder == "counted"), output
