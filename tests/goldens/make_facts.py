"""Records what the snippets of tests/facts/snippets give under TF 1.15.5.

    PY1/bin/python -m tests.goldens.make_facts        # writes tests/goldens/facts.json

Each snippet runs in a graph of its own; what it returns is fetched by a session after the initializers ran.
"""

import importlib.util
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
HERE = Path(__file__).parent

import tensorflow as tf  # noqa: E402

from tests.facts.values import parts, plain  # noqa: E402

tf.logging.set_verbosity("ERROR")


def load(path):
    """The module of one file of snippets."""
    spec = importlib.util.spec_from_file_location(path.stem, str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fetch(snippet):
    """What a snippet gives, as plain data."""
    with tf.Graph().as_default(), tf.Session() as session:
        structure, leaves = parts(snippet())
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
        runs = {i: leaf for i, leaf in enumerate(leaves) if isinstance(leaf, (tf.Tensor, tf.Variable, tf.Operation))}
        fetched = session.run(runs)
    leaves = [fetched.get(index, leaf) for index, leaf in enumerate(leaves)]
    return {"structure": structure, "leaves": [plain(leaf) for leaf in leaves]}


def main():
    """Record every file of snippets, or those named on the command line, and keep the others."""
    golden = HERE / "facts.json"
    recorded = json.loads(golden.read_text()) if golden.exists() else {}
    failures = []
    for path in sorted((HERE.parent / "facts" / "snippets").glob("*.py")):
        if len(sys.argv) > 1 and path.stem not in sys.argv[1:]:
            continue
        values = {}
        for name, snippet in load(path).SNIPPETS.items():
            try:
                values[name] = fetch(snippet)
            except Exception as error:
                failures.append(f"{path.stem}: {name}: {error}")
        recorded[path.stem] = values
    if failures:
        sys.exit("\n".join(failures))
    lines = []
    for family in sorted(recorded):
        rows = ",\n".join(
            f"  {json.dumps(name)}: {json.dumps(value, sort_keys=True)}"
            for name, value in sorted(recorded[family].items())
        )
        lines.append(f"{json.dumps(family)}: {{\n{rows}\n}}")
    golden.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(sum(map(len, recorded.values())), "values")


if __name__ == "__main__":
    main()
