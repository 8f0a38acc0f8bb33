"""Hyperparameters: types, text and refusals; the cases are what TF 1.15.5 does."""

from __future__ import annotations

from typing import Any

import pytest

from compat.contrib.training import HParams, parse_values


def hparams() -> HParams:
    return HParams(rate=0.5, layers=[64, 32], name="a", flag=True, steps=10, nothing=None)


def test_parse_sets_by_type() -> None:
    h = hparams().parse("rate=1,layers=[1,2,3],name=some/path.txt,flag=false,steps=-3")
    assert (h.rate, h.layers, h.name, h.flag, h.steps) == (1.0, [1, 2, 3], "some/path.txt", False, -3)
    assert isinstance(h.rate, float)
    assert hparams().parse("").values() == hparams().values()


def test_reading_values() -> None:
    h = hparams()
    assert h.get("rate") == 0.5 and h.get("missing", 7) == 7 and h.get("steps", 3) == 10
    assert "rate" in h and "missing" not in h
    assert str(h) == "rate=0.5,layers=[64, 32],name=a,flag=True,steps=10,nothing=None"
    assert HParams(b=1, a=2).to_json(sort_keys=True) == '{"a": 2, "b": 1}'
    assert h.parse_json('{"rate": 2, "layers": [5]}').layers == [5]
    assert h.override_from_dict({"steps": 4}).steps == 4
    h.add_hparam("new", 1.5)
    h.del_hparam("rate")
    assert h.new == 1.5 and not hasattr(h, "rate")


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda h: h.parse("rate"), "Malformed hyperparameter value: rate"),
        (lambda h: h.parse("other=1"), "Unknown hyperparameter type for other"),
        (lambda h: h.parse("steps=1.5"), "Could not parse hparam 'steps' of type 'int' with value '1.5'"),
        (lambda h: h.parse("steps=1,steps=2"), "Multiple assignments to variable 'steps'"),
        (lambda h: h.parse("layers=1"), "Must pass a list for multi-valued parameter: layers"),
        (lambda h: h.parse("steps=[1]"), "Must not pass a list for single-valued parameter: steps"),
        (lambda h: h.set_hparam("steps", 1.5), "Could not cast hparam 'steps'"),
        (lambda h: h.set_hparam("flag", 1), "Could not cast hparam 'flag'"),
        (lambda h: h.set_hparam("name", 1), "Could not cast hparam 'name'"),
        (lambda h: h.add_hparam("rate", 1), "Hyperparameter name is reserved: rate"),
        (lambda h: h.add_hparam("values", 1), "Hyperparameter name is reserved: values"),
        (lambda h: h.add_hparam("empty", []), "Multi-valued hyperparameters cannot be empty: empty"),
        (lambda h: h.get("rate", "x"), "Could not cast hparam 'rate'"),
        (lambda h: h.get("layers", 1), "incompatible with default=1"),
    ],
)
def test_refusals(action: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        action(hparams())


def test_parse_values_with_indices() -> None:
    kinds = {"x": int, "l": int, "a": int, "b": bool}
    assert parse_values("x=5,l=[1,2],a[1]=3,a[0]=2,b=true", kinds) == {
        "x": 5,
        "l": [1, 2],
        "a": {1: 3, 0: 2},
        "b": True,
    }
    assert parse_values("x=5,y=1", kinds, ignore_unknown=True) == {"x": 5}
    with pytest.raises(ValueError, match="Assignment of a list to a list index"):
        parse_values("a[0]=[1]", kinds)
    with pytest.raises(ValueError, match=r"Multiple assignments to variable 'a\[1\]'"):
        parse_values("a[1]=1,a[1]=2", kinds)
