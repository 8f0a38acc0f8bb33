"""Prints how many names of TF 1.15.5 have a row, and how many rows are verified by value.

    python -m tf_migrate.facts.generate.coverage [--list] [USAGE.tsv]

A core row is verified when a snippet of tests/facts/snippets calls the symbol, under any of its names: each was
recorded under TF 1.15.5, is rewritten by the tool and compared by tests/facts/test_values.py. `--list` names the
core symbols without a snippet; USAGE.tsv (symbol, count) adds the share of the 300 most used ones.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path

from tf_migrate.facts import lookup
from tf_migrate.facts.missing import read_usage

TESTS = Path(__file__).parents[3] / "tests" / "facts"
# Not callable by themselves, or not TensorFlow 1's own API: flags come from absl, raw ops are the kernels.
OUTSIDE = ("tf.contrib", "tf.raw_ops", "tf.keras", "tf.estimator", "tf.flags", "tf.app.flags", "tensorflow.")


def names() -> dict[str, str]:
    """Every public name of TF 1.15.5, with the first name of the same object."""
    lines = (Path(__file__).parent / "names_of_tf1.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def snippets() -> set[str]:
    """The symbols that a snippet is about."""
    found: set[str] = set()
    for path in sorted((TESTS / "snippets").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
                found.update(key.split(" / ")[0] for key in keys if isinstance(key, str) and key.startswith("tf."))
    return found


def is_core_call(symbol: str) -> bool:
    """Whether a symbol is a function or class of the core."""
    fact = lookup(symbol)
    return fact is not None and fact.kind in ("function", "class") and not symbol.startswith(OUTSIDE)


def share(part: int, whole: int) -> str:
    """`3 of 4 (75.0 %)`."""
    return f"{part} of {whole} ({100 * part / max(whole, 1):.1f} %)"


def main(*arguments: str) -> None:
    """Print the shares."""
    every = names()
    verified = {every[symbol] for symbol in snippets() if symbol in every}
    calls = [symbol for symbol in every if is_core_call(symbol)]
    actions = Counter(fact.action for fact in map(lookup, every) if fact is not None)
    print(f"names with a disposition: {share(sum(actions.values()), len(every))}")
    print(*(f"  {action}: {count}" for action, count in sorted(actions.items())), sep="\n")
    by_hand = {symbol for symbol in calls if (fact := lookup(symbol)) and fact.action == "manual"}
    print(f"callable core names verified by value: {share(sum(every[s] in verified for s in calls), len(calls))}")
    print(
        f"  of those that are not manual: {share(sum(every[s] in verified for s in calls), len(calls) - len(by_hand))}"
    )
    usage = next((argument for argument in arguments if argument != "--list"), None)
    counts = read_usage(usage) if usage else Counter()
    used = [symbol for symbol, _ in counts.most_common() if symbol in every and is_core_call(symbol)][:300]
    if used:
        print(f"of the 300 most used: {share(sum(every[symbol] in verified for symbol in used), len(used))}")
    if "--list" in arguments:
        open_ones = sorted({s for s in calls if every[s] not in verified} - by_hand, key=lambda s: (-counts[s], s))
        print("not verified:", *(f"  {counts[s]:5d} {s} ({lookup(s).action})" for s in open_ones), sep="\n")  # type: ignore[union-attr]


if __name__ == "__main__":
    main(*sys.argv[1:])
