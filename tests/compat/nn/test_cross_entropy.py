"""Losses per example that are given by names only, as TF 1.15 took them."""

from __future__ import annotations

import re
from typing import Any

import pytest

import compat

NAMES = ("softmax", "sparse_softmax", "sigmoid")


def loss(name: str) -> Any:
    return getattr(compat.nn, f"{name}_cross_entropy_with_logits")


@pytest.mark.parametrize("name", NAMES)
def test_refuses_what_is_given_by_its_place(name: str) -> None:
    labels = [1] if name == "sparse_softmax" else [[0.0, 1.0]]
    text = f"Only call `{name}_cross_entropy_with_logits` with named arguments (labels=..., logits=..., ...)"
    with pytest.raises(ValueError, match=re.escape(text)):
        loss(name)(labels, [[1.0, 3.0]])
    expected = loss(name)(labels=labels, logits=[[1.0, 3.0]]).numpy().tolist()
    assert loss(name)(None, labels, [[1.0, 3.0]]).numpy().tolist() == expected
