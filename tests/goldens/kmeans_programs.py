"""K-means as TF 1.15.5 and the shim both run it; of mini-batches TF 1.15.5 gave other numbers at each run.

Python 3.7 must read this.
"""

import numpy as np

_random = np.random.RandomState(0)
POINTS = np.concatenate([_random.randn(8, 3) * 0.2 + center for center in ([1, 0, 0], [0, 2, 0], [0, 0, 3])])
POINTS = POINTS.astype(np.float32)[_random.permutation(24)]
START = POINTS[:3]

PROGRAMS = {
    "full_given": {"initial_clusters": START},
    "full_cosine": {"initial_clusters": START, "distance_metric": "cosine"},
    "full_random": {"random_seed": 5},
    "full_cosine_random": {"distance_metric": "cosine", "random_seed": 3},
}


def run(tf1, name):
    """Arrays of five steps: scores, nearest centres, and the variables at the end."""
    points = tf1.placeholder("float32", [None, 3])
    graph = tf1.contrib.factorization.KMeans(points, 3, **PROGRAMS[name]).training_graph()
    all_scores, nearest, scores, initialized, start, train = graph
    arrays = {}
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        # As many centres as there are points come first where they are drawn.
        arrays["complete"] = [session.run(start, {points: fed}) for fed in (POINTS[:2], POINTS, POINTS)]
        arrays["initialized"] = session.run(initialized)
        for step in range(5):
            values = session.run([scores[0], nearest[0], all_scores[0]], {points: POINTS})
            session.run(train, {points: POINTS})
            for what, value in zip(("scores", "nearest", "all_scores"), values):  # noqa: B905 - Python 3.7
                arrays["%s_%d" % (what, step)] = value  # noqa: UP031 - reads the same in both
        for variable in tf1.global_variables():
            arrays[variable.name] = session.run(variable)
    return arrays
