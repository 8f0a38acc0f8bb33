"""A DCGAN goes from TF 1.15.5 to here and back: names, samples, checkpoints, further training."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np

import compat
from tests import goldens
from tests.goldens import dcgan_program
from tests.goldens.replay_rnn import TF1

PROGRAM = pathlib.Path(next(iter(goldens.__path__))) / "dcgan_program.py"


def _result(printed: str) -> dict[str, Any]:
    return json.loads(printed[printed.index("RESULT ") + 7 :].splitlines()[0])


def test_there_and_back(run_legacy: Callable[..., str], tmp_path: pathlib.Path) -> None:
    made = _result(run_legacy(PROGRAM.read_text(), "make", str(tmp_path)))
    resumed = _result(run_legacy(PROGRAM.read_text(), "resume", str(tmp_path / "tf1")))

    with compat.Graph().as_default():
        here = dcgan_program.main(TF1, "resume", str(tmp_path / "tf1"))
    assert here["names"] == made["names"]
    np.testing.assert_allclose(here["losses"], resumed["losses"], rtol=1e-5)
    np.testing.assert_allclose(here["sample"], resumed["sample"], rtol=1e-4, atol=1e-5)

    with compat.Graph().as_default(), compat.Session() as session:
        graph = dcgan_program.build(TF1)
        saver = compat.train.Saver()
        saver.restore(session, str(tmp_path / "tf1"))
        np.testing.assert_allclose(dcgan_program.sample(graph, session), made["sample"], rtol=0, atol=1e-6)
        back = saver.save(session, str(tmp_path / "ours"))
    again = _result(run_legacy(PROGRAM.read_text(), "resume", back))
    np.testing.assert_allclose(again["losses"], resumed["losses"], rtol=1e-6)
    np.testing.assert_allclose(again["sample"], resumed["sample"], rtol=0, atol=1e-6)


def test_the_store_makes_the_same_variables() -> None:
    with compat.Graph().as_default():
        dcgan_program.build(TF1)
        expected = [variable.name for variable in compat.global_variables() if "Adam" not in variable.name]
    store = compat.VariableStore()

    def models() -> None:
        noise, images = dcgan_program.inputs(0)
        fake = dcgan_program.generator(TF1, noise, training=True)
        dcgan_program.discriminator(TF1, images)
        dcgan_program.discriminator(TF1, fake, reuse=True)
        dcgan_program.generator(TF1, noise, training=False, reuse=True)

    store.build(models)
    assert [variable.name for variable in store.variables] == [name for name in expected if "power" not in name]
