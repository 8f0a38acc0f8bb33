"""K-means against TF 1.15.5: initial centres, five steps, the variables at the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compat
from tests.goldens import kmeans_programs as programs

GOLDENS = Path(__file__).resolve().parents[2] / "goldens"

EXPECTED = np.load(GOLDENS / "kmeans.npz")


@pytest.mark.parametrize("name", list(programs.PROGRAMS))
def test_against_tf1(name: str, graph: Any) -> None:
    found = programs.run(compat, name)
    expected = {key.split("/", 1)[1]: EXPECTED[key] for key in EXPECTED.files if key.startswith(f"{name}/")}
    assert sorted(found) == sorted(expected)
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, 1.3e-6, 1e-5, err_msg=key)


def _mini_batches(steps: int) -> np.ndarray:
    """The centres after six batches, by the formula: x += (sum of the k new points - k x) / (n + k)."""
    centers = programs.START.astype(np.float64)
    updated, counts, countdown = centers.copy(), np.ones(3) if steps == 1 else np.zeros(3), steps
    for step in range(6):
        batch = programs.POINTS[step * 4 : step * 4 + 4]
        nearest = np.argmin(((batch[:, None] - centers[None]) ** 2).sum(2), 1)
        if steps > 1 and countdown <= 0:
            countdown, counts, centers = steps - 1, np.zeros(3), updated.copy()
        else:
            countdown -= 1
        for cluster in set(nearest.tolist()):
            new = batch[nearest == cluster]
            counts[cluster] += len(new)
            updated[cluster] += (new.sum(0) - len(new) * updated[cluster]) / counts[cluster]
        if steps == 1:
            centers = updated
    return centers


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_mini_batches_follow_the_formula(steps: int, graph: Any) -> None:
    points = compat.placeholder("float32", [None, 3])
    kmeans = compat.contrib.factorization.KMeans(
        points, 3, programs.START, use_mini_batch=True, mini_batch_steps_per_iteration=steps
    )
    *_, start, train = kmeans.training_graph()
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        session.run(start, {points: programs.POINTS})
        for step in range(6):
            session.run(train, {points: programs.POINTS[step * 4 : step * 4 + 4]})
        found = session.run(compat.global_variables()[0])
    np.testing.assert_allclose(found, _mini_batches(steps), 1e-5)


@pytest.mark.parametrize("method", ["kmeans_plus_plus", "kmc2"])
def test_random_methods_find_the_three_groups(method: str, graph: Any) -> None:
    kmeans = compat.contrib.factorization.KMeans(
        programs.POINTS, 3, initial_clusters=method, random_seed=1, kmc2_chain_length=8
    )
    _, nearest, scores, initialized, start, train = kmeans.training_graph()
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        while not session.run(initialized):
            session.run(start)
        for _ in range(20):
            session.run(train)
        assert len(set(session.run(nearest[0]).tolist())) == 3
        assert session.run(scores[0]).max() < 2.0


def test_wrong_use() -> None:
    with pytest.raises(ValueError, match="initialization algorithm 'other'"):
        compat.contrib.factorization.KMeans([[1.0]], 1, initial_clusters="other")
    with pytest.raises(ValueError, match="distance metric 'other'"):
        compat.contrib.factorization.KMeans([[1.0]], 1, distance_metric="other")
