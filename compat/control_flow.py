"""Branches and loops as TF 1.15 built them: one that gives a single value in a list gives the value itself."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from . import bodies
from .bridge.result_names import exits

Branch = Callable[[], Any]
_NUMBERS = bool | int | float | complex | str | bytes | np.ndarray | np.generic


def cond(
    pred: Any,
    true_fn: Branch | None = None,
    false_fn: Branch | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Branch | None = None,
    fn2: Branch | None = None,
) -> Any:
    """What `true_fn` gives where the scalar boolean tensor `pred` holds, else what `false_fn` gives; `tf.cond`.

    Both must give the same structure with the same dtypes. Unless `strict`, a list or tuple of one value
    becomes the value. `fn1` and `fn2` are older names of the branches. Raises TypeError where a branch is
    missing, given under both names or cannot be called.

      >>> cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)])
      <tf.Tensor: shape=(), dtype=int32, numpy=1>
    """
    then = _branch("true_fn", true_fn, "fn1", fn1)
    otherwise = _branch("false_fn", false_fn, "fn2", fn2)
    result = _in_graph(lambda pred: tf.cond(pred, bodies.body(then), bodies.body(otherwise), name=name), pred)
    return result if strict else _only(result)


def case(
    pred_fn_pairs: Sequence[tuple[Any, Branch]] | Mapping[Any, Branch],
    default: Branch | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """What the function of the first predicate that holds gives, else what `default` gives; `tf.case`.

    With `exclusive` more than one predicate that holds is an error when the graph runs. Unless `strict`, a list or
    tuple of one value becomes the value. A dictionary may hold references to its predicates (`predicate.ref()`), since
    TF2's tensors are no keys. They are taken in the order of their names, as in TF1; those of an `OrderedDict`, and of
    one that is `exclusive` and evaluated eagerly, as they stand there.

    Raises:
      ValueError: a plain dictionary that is not `exclusive` is evaluated eagerly: its predicates have no names.

      >>> case([(tf.constant(False), lambda: tf.constant(1))], default=lambda: tf.constant(3))
      <tf.Tensor: shape=(), dtype=int32, numpy=3>
      >>> case({tf.constant(True).ref(): lambda: tf.constant(2)}, exclusive=True)
      <tf.Tensor: shape=(), dtype=int32, numpy=2>
    """
    pairs = _in_order(pred_fn_pairs, exclusive) if isinstance(pred_fn_pairs, Mapping) else pred_fn_pairs
    branches = [bodies.body(branch) for _, branch in pairs]
    options = {"default": None if default is None else bodies.body(default), "exclusive": exclusive, "name": name}
    given = [pred for pred, _ in pairs]
    result = _in_graph(lambda *preds: tf.case([*zip(preds, branches, strict=True)], strict=True, **options), *given)
    return result if strict else _only(result)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Sequence[Any],
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """What `loop_vars` are after as many rounds of `body` as `cond` of them holds; `tf.while_loop`.

    The values come in the lists and tuples that `body` gives (that of `loop_vars`, evaluated eagerly without a round).
    Unless `return_same_structure`, one value comes without its list. No gradient flows back without `back_prop`.

      >>> int(while_loop(lambda i: i < 5, lambda i: i + 2, [tf.constant(0)]))
      6
      >>> float(while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, t * t), [0, tf.constant(3.0)])[1])
      81.0
    """
    made: Any = loop_vars

    def step(*values: Any) -> Any:
        nonlocal made
        given = build(*values)
        made = given if isinstance(given, list | tuple) else [given]
        return made

    build = bodies.body(body)
    options = (shape_invariants, parallel_iterations, back_prop, swap_memory, maximum_iterations, name)
    result = _in_graph(lambda: tf.while_loop(cond, step, loop_vars, *options))
    result = exits(result, counted=maximum_iterations is not None)
    values = tf.nest.flatten(result)
    packed = tf.nest.pack_sequence_as(made, values)
    return packed[0] if len(values) == 1 and not return_same_structure else packed


def _in_graph(build: Callable[..., Any], *conditions: Any) -> Any:
    """What `build` builds, in a graph where functions run eagerly: a branch that is not taken has gradients of zero.

    There a condition that is computed of what was passed may be Python's.
    """
    if not tf.config.functions_run_eagerly():
        return _as_tensors(build(*conditions))
    given = [tf.convert_to_tensor(condition) for condition in conditions]
    if not tf.executing_eagerly():
        return build(*given)
    return tf.function(lambda: build(*given), autograph=False).get_concrete_function()()


def _as_tensors(results: Any) -> Any:
    """Results as tensors, which they were in TF1 also where a branch gives numbers of Python's."""
    if not tf.executing_eagerly():
        return results
    return tf.nest.map_structure(lambda each: tf.constant(each) if isinstance(each, _NUMBERS) else each, results)


def _in_order(pairs: Mapping[Any, Branch], exclusive: bool) -> list[tuple[Any, Branch]]:
    """The pairs of a dictionary: as they stand where it keeps an order, else by the names of the predicates."""
    found = [(key.deref() if hasattr(key, "deref") else key, branch) for key, branch in pairs.items()]
    if isinstance(pairs, OrderedDict):
        return found
    if not tf.executing_eagerly():
        return sorted(found, key=lambda pair: str(pair[0].name))
    if not exclusive:
        raise ValueError("A plain dictionary of predicates has no order; give a list of pairs, or say exclusive=True.")
    return found


def _branch(name: str, branch: Branch | None, older: str, older_branch: Branch | None) -> Branch:
    if branch is not None and older_branch is not None:
        raise TypeError(f"cond takes `{name}` or its older name `{older}`, not both")
    chosen = branch if branch is not None else older_branch
    if not callable(chosen):
        raise TypeError(f"`{name}` must be callable, not {chosen!r}")
    return chosen


def _only(result: Any) -> Any:
    return result[0] if isinstance(result, list | tuple) and len(result) == 1 else result
