"""The results as JSON, schema version 1: `result.Result`, field by field."""

from __future__ import annotations

import json
import math
from typing import Any

from tf_migrate import __version__
from tf_migrate.parity.result import Result, as_data


def render(results: tuple[Result, ...]) -> str:
    """JSON text; numbers that JSON lacks are text ("inf", "nan")."""
    data = {"tool": {"name": "tf-migrate", "version": __version__}, **as_data(results)}
    return json.dumps(_finite(data), indent=2, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
