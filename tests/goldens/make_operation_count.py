"""Records how many operations TF 1.15.5 made in front of what is drawn behind snippets, and behind further programs.

    PY1/bin/python -m tests.goldens.make_operation_count        # writes tests/goldens/operation_count.json

The number is the second seed of a `tf.random_normal` made there, in a graph that has a seed.
"""

import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
HERE = Path(__file__).parent

import tensorflow as tf  # noqa: E402

from tests.goldens.make_facts import load  # noqa: E402


def second_seed(build):
    """That of numbers drawn behind what `build` makes; None where it runs no further without a session."""
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        try:
            build()
        except AttributeError:
            return None
        tf.random_normal([1])
        return [each for each in graph.get_operations() if each.type == "RandomStandardNormal"][-1].get_attr("seed2")


def main():
    """Record every snippet and case."""
    tables = {path.stem: load(path).SNIPPETS for path in sorted((HERE.parent / "facts" / "snippets").glob("*.py"))}
    cases = load(HERE / "operation_count_cases.py")
    tables["cases"] = cases.CASES
    tables["keras"] = load(HERE / "keras_operation_count_cases.py").CASES
    recorded = {
        family: {name: second_seed(build) for name, build in table.items() if name not in cases.ONCE}
        for family, table in tables.items()
    }
    (HERE / "operation_count.json").write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n")
    print(sum(map(len, recorded.values())), "numbers")


if __name__ == "__main__":
    main()
