"""Scenario files: what they say, and what they must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_migrate.options import UsageError
from tf_migrate.parity.scenario import Tolerance, read_scenario


def test_all_that_can_be_said(tmp_path: Path) -> None:
    file = tmp_path / "parity.toml"
    file.write_text(
        'script = "train.py"\narguments = ["--epochs", 2]\nfolder = "src"\nseed = 7\nsteps = "every"\nseconds = 9\n'
        'megabytes = 100\ndevices = ["cpu", "gpu"]\ncheckpoint = "weights/model"\nalign_random = false\n'
        '[environment]\nDATA = 3\n[tolerances]\n"*/Adam" = { rtol = 1e-4, atol = 0 }\n"*" = { rtol = 1, atol = 1 }\n'
    )
    scenario = read_scenario(file)
    assert (scenario.script, scenario.arguments, scenario.folder) == ("train.py", ("--epochs", "2"), "src")
    assert scenario.every_step and not scenario.align_random and scenario.devices == ("cpu", "gpu")
    assert scenario.checkpoint == tmp_path / "weights" / "model" and scenario.environment == {"DATA": "3"}
    assert scenario.tolerance("w/Adam") == Tolerance(1e-4, 0.0) and scenario.tolerance("w") == Tolerance(1.0, 1.0)


@pytest.mark.parametrize("pattern", ["train.py:57", "train_step", "train.py:*", "train.py:57 train_step [[]0]"])
def test_a_runs_tolerance_is_asked_for_by_its_place_or_function(pattern: str, tmp_path: Path) -> None:
    file = tmp_path / "parity.toml"
    file.write_text(f'[tolerances]\n"{pattern}" = {{ rtol = 1, atol = 2 }}\n')
    scenario = read_scenario(file)
    assert scenario.tolerance("train.py:57 train_step [0]") == Tolerance(1.0, 2.0)
    assert scenario.tolerance("w") is None and scenario.tolerance("eval.py:57 evaluate gradient of w") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("script = 3", "`script` cannot be 3"),
        ("seed = true", "`seed` cannot be True"),
        ('steps = "some"', '`steps` is "sampled" or "every"'),
        ('devices = ["tpu"]', "'tpu' is not known"),
        ('[tolerances]\n"w" = { rtol = 1 }', "has to give rtol and atol"),
        ("script = ", "no TOML"),
        ("epochs = 3", "`epochs` means nothing here"),
    ],
)
def test_what_has_no_meaning(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "parity.toml").write_text(text)
    with pytest.raises(UsageError) as error:
        read_scenario(tmp_path / "parity.toml")
    assert said in str(error.value)
