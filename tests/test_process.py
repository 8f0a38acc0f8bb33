"""The program as a process of its own: how it ends, and what it imports."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.test_cli import RENAMED


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_ctrl_c_ends_all_processes_at_once(tmp_path: Path) -> None:
    body = RENAMED + "values = [1.25, 2.5, 'three', None]\n" * 3000
    for number in range(100):
        (tmp_path / f"m{number}.py").write_text(body)
    command = [sys.executable, "-m", "tf_migrate", "rewrite", ".", "--jobs", "2"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(100):
        time.sleep(0.1)
        if workers.exists() and workers.read_text():
            break
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.strip() == "tf-migrate: interrupted; nothing was written"
    assert {path.read_text() for path in tmp_path.iterdir()} == {body}


def test_help_imports_nothing_that_takes_its_time() -> None:
    program = (
        "import sys\n"
        "from tf_migrate.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print('heavy', sorted({'tensorflow', 'libcst', 'numpy', 'rich', 'compat'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "heavy []"
