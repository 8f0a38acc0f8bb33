"""What the comparison says of arrays that agree, and of each way not to agree."""

import numpy as np
import pytest

from tf_migrate.parity.compare import compare


def one(want, got, **tolerances):
    (difference,) = compare({"a": np.asarray(want)}, {"a": np.asarray(got)}, **tolerances)
    return difference


def test_equal_arrays_agree():
    same = np.array([1.0, np.nan, np.inf], np.float32)
    difference = one(same, same.copy())
    assert difference.problem is None and difference.absolute == 0 and difference.values == 3


def test_one_unit_in_the_last_place():
    want = np.array([1.0, 2.0], np.float32)
    difference = one(want, np.nextafter(want, np.float32(3)))
    assert difference.problem is None and difference.ulps == 1


def test_ulps_across_zero():
    smallest = np.float32(1e-45)
    assert one(np.array([-smallest]), np.array([smallest])).ulps == 2


def test_the_worst_element_is_named():
    difference = one(np.zeros((2, 3), np.float32), np.array([[0, 0, 0], [0, 0.5, 0]], np.float32))
    assert difference.index == (1, 1) and difference.absolute == 0.5
    assert difference.problem == "1 of 6 values beyond the tolerance"


def test_tolerances_can_be_widened_but_not_by_chance():
    want, got = np.array([100.0], np.float32), np.array([100.01], np.float32)
    assert one(want, got).problem
    assert one(want, got, rtol=1e-3).problem is None


@pytest.mark.parametrize(
    ("want", "got", "says"),
    [
        (np.zeros(3), np.zeros(4), "float64[3] became float64[4]"),
        (np.zeros(3, np.float32), np.zeros(3), "float32[3] became float64[3]"),
        (np.array([1, 2]), np.array([1, 3]), "1 of 2 values are not equal"),
        (np.array(["a"]), np.array(["b"]), "1 of 1 values are not equal"),
        (np.array([1.0]), np.array([np.nan]), "1 of 1 values beyond the tolerance"),
    ],
)
def test_what_does_not_agree(want, got, says):
    assert one(want, got).problem == says


def test_what_one_side_lacks():
    left, right = compare({"a": np.zeros(1)}, {"b": np.zeros(1)})
    assert left.problem == "missing in the migrated program" and right.problem == "missing in the original"
