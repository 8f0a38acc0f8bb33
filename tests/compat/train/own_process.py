"""Programs in a process of their own, which take its devices before they use the first."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests import warm

ROOT = Path(__file__).parents[3]


def result_of(module: str) -> dict[str, Any]:
    """What a module prints in its last line, as JSON."""
    done = warm.run([sys.executable, "-m", module], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result
