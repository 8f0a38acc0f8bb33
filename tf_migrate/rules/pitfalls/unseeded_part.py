"""`tf.random.set_seed` seeds TensorFlow and nothing else: NumPy and Python's `random` draw other numbers in each run.
`tf.keras.utils.set_random_seed` seeds all three, and so does `tf.test.TestCase` before each test.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.rules import Change, Context, Rule

_SEEDS = ("tf.random.set_seed", "tf.set_random_seed", "tf.random.set_random_seed")
_PARTS = {"numpy.random": "NumPy's generator", "random": "Python's `random`"}
_DRAWS = [
    "rand",
    "randn",
    "randint",
    "random",
    "random_sample",
    "uniform",
    "normal",
    "choice",
    "shuffle",
    "permutation",
    "sample",
    "standard_normal",
    "binomial",
    "poisson",
    "beta",
    "gamma",
    "exponential",
    "multivariate_normal",
    "gauss",
    "choices",
    "randrange",
]


def find(context: Context) -> Iterator[Change]:
    """Looks at what draws random numbers in a module that sets a seed."""
    code = context.code
    if not any(True for _ in code.calls_of(*_SEEDS)) or _seeds_elsewhere(context):
        return
    tests = _has_test_case(context)

    def in_tests(call: ast.Call) -> bool:
        return tests and context.module.function_of(call) is not None

    for library, called in _PARTS.items():
        draws = [call for name in _DRAWS for call in code.calls_of(f"{library}.{name}") if not in_tests(call)]
        if draws and not code.calls.get(f"{library}.seed"):
            first = min(draws, key=lambda call: (call.lineno, call.col_offset))
            message = f"TensorFlow is seeded here, and {called} is not: each run gets other numbers"
            step = "call `tf.keras.utils.set_random_seed(seed)`, which seeds all of them"
            yield from context.advise(first, "TFM444", message, step)


def _has_test_case(context: Context) -> bool:
    """Whether the module has tests whose `setUp` is TensorFlow's, which seeds everything."""
    classes = (node for node in context.module.nodes if isinstance(node, ast.ClassDef))
    return any(context.code.name(base) == "tf.test.TestCase" for node in classes for base in node.bases)


def _seeds_elsewhere(context: Context) -> bool:
    """Whether something else is called whose name says that it seeds: it may seed these too."""
    return any("seed" in _last(call.func).lower() for call in context.module.calls if not _is_known(context, call))


def _is_known(context: Context, call: ast.Call) -> bool:
    name = context.code.name(call.func)
    return name in _SEEDS or any(name == f"{library}.seed" for library in _PARTS)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


RULE = Rule(
    id="TFM444",
    name="unseeded-part",
    before="""\
import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
data = np.random.rand(100, 4)
""",
    after="""\
import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
np.random.seed(1)
data = np.random.rand(100, 4)
""",
    find=find,
    advice=True,
)
