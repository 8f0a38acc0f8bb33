"""The GPUs that a program ran on, and operations that have no deterministic kernel there."""

from __future__ import annotations

import os
from typing import Any


def watch_devices(recorder: Any) -> None:
    """Tells of the GPUs at the end of a program that is compared on one.

    Where kernels have to be deterministic, TensorFlow asks for a seed of each operation that draws: those of the
    program that have none get one.
    """
    if recorder.settings["device"] != "gpu":
        return

    def tell() -> None:
        recorder.outcome["gpus"] = _names()

    recorder.at_end.append(tell)
    if os.environ.get("TF_DETERMINISTIC_OPS", "").lower() in ("1", "true"):
        _seed_all()


def _names() -> list[str]:
    """The GPUs that TensorFlow sees, and the program has not hidden from it."""
    from tensorflow.python.framework import config

    seen = config.get_visible_devices("GPU")
    if not hasattr(config, "get_device_details"):
        return [str(device.name) for device in seen]
    details = [config.get_device_details(device) for device in seen]
    return [_told(device.name, found) for device, found in zip(seen, details)]


def _told(name: str, details: dict[str, Any]) -> str:
    ability = ".".join(str(part) for part in details.get("compute_capability", ()))
    known = str(details.get("device_name", name))
    return f"{known} (compute capability {ability})" if ability else known


def _seed_all() -> None:
    from tensorflow.python.framework import random_seed

    plain = random_seed.get_seed
    made = [0]

    def get_seed(op_seed: Any) -> Any:
        try:
            return plain(op_seed)
        except RuntimeError:  # neither the operation nor its graph has one
            made[0] += 1
            return plain(made[0])

    random_seed.get_seed = get_seed
