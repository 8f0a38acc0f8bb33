"""Writes loops.json, what loop_programs.py prints: ``PY1/bin/python -m tests.goldens.make_loops`` with TF 1.15.5."""

import contextlib
import io
import json
import pathlib

import tensorflow as tf

from tests.goldens.loop_programs import KINDS, MODEL, RUNS, SESSION, STEP


def main():
    found = {}
    for kind, code in KINDS.items():
        tf.reset_default_graph()
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(MODEL + code + STEP + SESSION + RUNS, {"__name__": "__main__"})
        found[kind] = [json.loads(line) for line in shown.getvalue().splitlines()]
    text = json.dumps(found, indent=1, sort_keys=True)
    (pathlib.Path(__file__).parent / "loops.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
