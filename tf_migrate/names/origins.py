"""Origins: where a name comes from, as a string.

``tf.contrib.slim`` is TensorFlow's, ``compat.layers`` the shims', and ``@pkg.ops|slim.conv2d`` says "``slim.conv2d`` in
the tree's module ``pkg.ops``", which :class:`~tf_migrate.names.exports.Index` follows to what it really is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from tf_migrate import facts

_V1 = "tf.compat.v1"
# Names inside the package that are no public API: these stay spelled out as they are imported.
_TF1 = re.compile(
    r"\b(?:placeholder\w*|\w*Session|get_variable|variable_scope|contrib|compat\.v1|get_collection|global_variables"
    r"|global_variables_initializer|initialize_all_variables|layers\.dense|layers\.conv\w+|GraphKeys|ConfigProto"
    r"|train\.\w+Optimizer|app\.run|app\.flags|get_default_graph|summary\.FileWriter)\b|\bGraph$"
)
_TF2 = re.compile(r"\btf\.function\b|\b(?:GradientTape|TensorSpec)\b")
_STEPS = re.compile(r"^compat\.(?:builder|building|build|Input|SparseInput|step|run)\b")
_OF_BACKEND = re.compile(r"^keras\.backend(?:\.tensorflow_backend)?\.tf(?=\.|$)")
_SPELLED_OUT = ("python", "core", "examples", "tools", "models", "tensorboard", "compiler")


def canonical(origin: str) -> str:
    """``tf.compat.v1.x`` and private paths mean ``tf.x`` as TensorFlow 1 had it, and ``keras.x`` is ``tf.keras.x``.

    The backend of Keras 2.2.4 had TensorFlow itself as its ``tf``.
    """
    if origin == _V1 or origin.startswith(_V1 + "."):
        return "tf" + origin[len(_V1) :]
    if is_standalone_keras(origin):
        return _OF_BACKEND.sub("tf", origin) if _OF_BACKEND.match(origin) else f"tf.{origin}"
    return facts.public_name(origin) if origin.startswith("tensorflow.") else origin


def is_standalone_keras(origin: str) -> bool:
    """Whether an origin is the package `keras`, or inside of it: TensorFlow's own is `tf.keras`."""
    return origin == "keras" or origin.startswith("keras.")


def first_known(origins: Sequence[str]) -> str | None:
    """Of the ways in which a name is bound (``try: … except ImportError: …``), the first that TensorFlow 1.15 had.

    Where it had none the first one counts, so that it is told of.
    """
    return next(filter(_is_known, origins), origins[0] if origins else None)


def _is_known(origin: str) -> bool:
    symbol = canonical(origin)
    return symbol == "tf" or origin.startswith(("@", "compat", "tf.compat.")) or facts.is_recorded(symbol)


def is_of_either(origin: str) -> bool:
    """Whether an origin, followed into the tree or not, may tell one version of TensorFlow from the other."""
    return any(known.search(origin) is not None for known in (_TF1, _TF2, _STEPS))


def is_of_tf1(origin: str) -> bool:
    """Whether a name of TensorFlow's or the shims' is one by which programs of TensorFlow 1 are known."""
    return not origin.startswith("@") and _TF1.search(origin) is not None


def is_of_tf2(origin: str) -> bool:
    """Whether a name of TensorFlow's is one by which programs of TensorFlow 2 are known."""
    return origin.startswith("tf.") and _TF2.search(origin) is not None


def is_of_steps(origin: str) -> bool:
    """Whether a name of the shims' is one that only programs in the form of steps have."""
    return _STEPS.search(origin) is not None


def is_explicit_v1(origin: str) -> bool:
    """Whether the name was reached through ``tensorflow.compat.v1``."""
    return origin == _V1 or origin.startswith(_V1 + ".")


def join(origin: str, rest: str) -> str:
    """Extends a TensorFlow or compat name; private packages leave the ``tf`` root."""
    if not rest:
        return origin
    if origin == "tf" and rest.partition(".")[0] in _SPELLED_OUT:
        return f"tensorflow.{rest}"
    return f"{origin}.{rest}"


def dotted_names(package: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Every dotted name that an import statement of a module of ``package`` may load a module by."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        parts = package.split(".") if package else []
        parts = parts[: max(0, len(parts) - (node.level - 1))]
        base = ".".join([*parts, *([base] if base else [])])
    yield base
    yield from (f"{base}.{alias.name}" if base else alias.name for alias in node.names if alias.name != "*")
