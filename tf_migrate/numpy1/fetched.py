"""Numbers that a session gives, and whether they have fractions: `loss` of `_, loss = sess.run([train, net.loss])`.

They are numbers of NumPy's, of float32 as a rule: NumPy 1 computed with them and with Python's numbers in float64.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.eager.imports import dotted
from tf_migrate.names.canonical import Names
from tf_migrate.numpy1.kinds import SMALL
from tf_migrate.numpy1.questions import Answers, asked_once
from tf_migrate.numpy1.shapes import FollowedShapes
from tf_migrate.numpy1.values import Term, Values
from tf_migrate.syntax.own_nodes import returned

_DEPTH = 12
_REDUCTIONS = frozenset(f"tf.reduce_{word}" for word in ("logsumexp", "max", "mean", "min", "prod", "sum"))
_NUMBERS = frozenset(
    {
        *("tf.nn.l2_loss", "tf.losses.get_total_loss", "tf.losses.get_regularization_loss"),
        *("tf.contrib.seq2seq.sequence_loss", "tf.global_norm"),
    }
)
"""What gives one number, with a fraction, whatever it is given."""
_KEEPING = frozenset(
    {
        *("tf.abs", "tf.add", "tf.add_n", "tf.check_numerics", "tf.identity", "tf.maximum", "tf.minimum"),
        *("tf.multiply", "tf.negative", "tf.pow", "tf.square", "tf.stop_gradient", "tf.subtract"),
    }
)
"""What gives as many numbers as it is given, of the same type."""
_FLOATING = frozenset(
    {
        *("tf.div", "tf.divide", "tf.exp", "tf.log", "tf.log1p", "tf.rsqrt", "tf.sigmoid", "tf.sqrt", "tf.tanh"),
        "tf.truediv",
    }
)
_CASTS = frozenset(("tf.to_float", "tf.cast"))
_MAKING = frozenset(
    ("tf.matmul", "tf.ones", "tf.random_normal", "tf.random_uniform", "tf.truncated_normal", "tf.zeros")
)
_TYPED = frozenset(("tf.get_variable", "tf.placeholder", "tf.cast", *_MAKING))
_FAMILIES = ("tf.nn.", "tf.layers.", "tf.contrib.layers.", "tf.contrib.slim.", "tf.losses.", "tf.contrib.losses.")
_OTHERS = ("tf.nn.embedding_lookup", "tf.nn.top_k", "tf.nn.in_top_k", "tf.nn.zero_fraction")


class FetchedNumbers:
    """The numbers among what the sessions of one module give."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.shapes = FollowedShapes.known(names)
        self.values: Values = self.shapes.values
        self.answers: Answers = {}

    @asked_once
    def tensors(self, node: ast.expr, depth: int) -> list[Term]:
        """The tensors of which a value is what a session gave; empty where it may be anything else."""
        if depth > _DEPTH:
            return []
        if isinstance(node, ast.Subscript):
            place = node.slice.value if isinstance(node.slice, ast.Constant) else None
            return self._part(node.value, place) if isinstance(place, int) else []
        if isinstance(node, ast.Call):
            fetched = self.shapes.fetched(node)
            return [] if fetched is None else [(self.values, fetched)]
        bound = self.shapes.bound(node) if isinstance(node, ast.Name | ast.Attribute) else []
        found = [
            self.tensors(value, depth + 1) if place is None else self._part(value, place) for value, place in bound
        ]
        return [*dict.fromkeys(term for terms in found for term in terms)] if found and all(found) else []

    def _part(self, run: ast.expr, place: int) -> list[Term]:
        fetched = self.shapes.fetched(run) if isinstance(run, ast.Call) else None
        listed = fetched.elts if isinstance(fetched, ast.List | ast.Tuple) else []
        whole = all(not isinstance(each, ast.Starred) for each in listed)
        return [(self.values, listed[place])] if whole and -len(listed) <= place < len(listed) else []

    def is_number(self, node: ast.expr) -> bool:
        """Whether a value is one number that a session gave."""
        found = self.tensors(node, 0)
        return bool(found) and all(_is_number(values, tensor, 0) for values, tensor in found)

    def has_fraction(self, node: ast.expr) -> bool:
        """Whether what a session gave is of float32 for certain."""
        found = self.tensors(node, 0)
        return bool(found) and all(_is_float(values, tensor, 0) for values, tensor in found)

    def small_type(self, node: ast.expr) -> str:
        """The type of few bits that one number is of which a session gave; empty where it is of another, or unknown."""
        types = {_small_type(values, tensor, 0) for values, tensor in self.tensors(node, 0)}
        return types.pop() if len(types) == 1 and self.is_number(node) else ""


@asked_once
def _is_number(values: Values, node: ast.expr, depth: int) -> bool:
    """Whether a tensor has no axes."""
    if depth > _DEPTH:
        return False
    if all(kind.form in ("python", "scalar") for kind in values.of(node)):
        return True
    if isinstance(node, ast.UnaryOp):
        return _is_number(values, node.operand, depth + 1)
    if isinstance(node, ast.BinOp):
        return _is_number(values, node.left, depth + 1) and _is_number(values, node.right, depth + 1)
    if isinstance(node, ast.Call):
        symbol, words = _symbol(values, node), {keyword.arg for keyword in node.keywords}
        if symbol in _REDUCTIONS:
            return len(node.args) + ("input_tensor" in words) == 1 and words <= {"input_tensor", "name"}
        if symbol in _NUMBERS:
            return True
        if symbol.startswith("tf.losses."):
            return not {"reduction", None} & words and ".get_" not in symbol and ".compute_" not in symbol
        if symbol in _KEEPING | _FLOATING | _CASTS:
            count = 1 if symbol in _CASTS else None
            given = _parts(node.args[:count])
            return bool(given) and all(_is_number(values, each, depth + 1) for each in given)
        if symbol.startswith("tf."):
            return FollowedShapes.known(values.names).of(node, depth + 1) == ()
    terms = list(_terms(values, node))
    return bool(terms) and all(
        term is not None and term[1] is not node and _is_number(*term, depth + 1) for term in terms
    )


@asked_once
def _is_float(values: Values, node: ast.expr, depth: int) -> bool:
    """Whether a tensor is of float32: the type of whatever it is made of."""
    if depth > _DEPTH:
        return False
    if isinstance(node, ast.UnaryOp):
        return _is_float(values, node.operand, depth + 1)
    if isinstance(node, ast.BinOp):
        return _is_float(values, node.left, depth + 1) or _is_float(values, node.right, depth + 1)
    if isinstance(node, ast.Call):
        symbol = _symbol(values, node)
        asked = _dtype(values, node, symbol)
        if symbol in _TYPED and asked is not None:
            return asked == "float32"
        if symbol in _MAKING or symbol in ("tf.get_variable", "tf.to_float") or symbol in _NUMBERS:
            return True
        if symbol in _KEEPING | _FLOATING | _REDUCTIONS:
            given = _parts(node.args)
            given += [keyword.value for keyword in node.keywords if keyword.arg in ("input_tensor", "x")]
            return any(_is_float(values, each, depth + 1) for each in given)
        if symbol.startswith(_FAMILIES) and symbol not in _OTHERS:
            return True
        if symbol.startswith("tf."):
            return False
    terms = list(_terms(values, node))
    return bool(terms) and all(term is not None and _is_float(*term, depth + 1) for term in terms)


@asked_once
def _small_type(values: Values, node: ast.expr, depth: int) -> str:
    """The type of whole numbers of few bits that a tensor is said to be of, or that is made of one; empty elsewhere."""
    if depth > _DEPTH:
        return ""
    if isinstance(node, ast.Call):
        symbol = _symbol(values, node)
        asked = _dtype(values, node, symbol)
        if symbol in _TYPED and asked is not None:
            return asked if asked in SMALL else ""
        if symbol in _KEEPING | _REDUCTIONS and node.args:
            return _small_type(values, node.args[0], depth + 1)
        if symbol.startswith("tf."):
            return ""
    types = {"" if term is None else _small_type(*term, depth + 1) for term in _terms(values, node)}
    return types.pop() if len(types) == 1 else ""


def _terms(values: Values, node: ast.expr) -> Iterator[Term | None]:
    """What an expression may mean: what its name is bound to, or what the function returns; None for anything else."""
    if isinstance(node, ast.Call):
        for where, function in values.functions(node) or ():
            yield from ((where, each) for each in returned(function) or ())
        return
    if not isinstance(node, ast.Name | ast.Attribute):
        return
    found = values.sources(node)
    if isinstance(node, ast.Attribute) and any(source is None for _, source in found):
        # Of whatever object: what the program calls by this name.
        every = (values, *values.tree.mentioning(node.attr, values.module.name))
        found = [(where, source) for where in every for source in where.bindings.of_attribute(node.attr)]
    for where, source in found:
        plain = source is not None and source.how == "value" and isinstance(source.node, ast.expr)
        none = plain and isinstance(source.node, ast.Constant) and source.node.value is None  # type: ignore[union-attr]
        if not none:
            yield (where, source.node) if plain else None  # type: ignore[union-attr, misc]


def _symbol(values: Values, call: ast.Call) -> str:
    symbol = dotted(values.module, values.names, call.func)
    return symbol.replace("tf.math.", "tf.", 1) if symbol.startswith("tf.math.") else symbol


def _dtype(values: Values, call: ast.Call, symbol: str) -> str | None:
    """The type that a call asks for; None where it asks for none."""
    place = {"tf.placeholder": 0, "tf.cast": 1, "tf.zeros": 1, "tf.ones": 1, "tf.get_variable": 2}.get(symbol, 99)
    named = next((keyword.value for keyword in call.keywords if keyword.arg == "dtype"), None)
    asked = named or (call.args[place] if place < len(call.args) else None)
    if asked is None:
        return None
    text = asked.value if isinstance(asked, ast.Constant) else dotted(values.module, values.names, asked)
    return str(text).rpartition(".")[2]


def _parts(arguments: Sequence[ast.expr]) -> list[ast.expr]:
    """Arguments, with the items of lists in their places."""
    return [part for each in arguments for part in (each.elts if isinstance(each, ast.List | ast.Tuple) else [each])]
