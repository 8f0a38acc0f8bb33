"""What the function of a run gives back, and in which form."""

from __future__ import annotations

import ast

from tf_migrate.plan import Form
from tf_migrate.stages import runs
from tf_migrate.stages.program import Program
from tf_migrate.stages.runs import Fetch, Leaf, Run, Sequence
from tf_migrate.stages.slices import close
from tf_migrate.stages.values import Refused, Stage, Value


def results_of(run: Run, kept: tuple[int, ...] | None, dropped: bool) -> tuple[tuple[Leaf, ...], Form]:
    if dropped:
        return (), "none"
    if kept is not None:
        leaves = tuple(run.leaves[index] for index in kept)
        return leaves, "none" if not leaves else "single" if len(leaves) == 1 else "tuple"
    if isinstance(run.fetches, Leaf) and run.fetches.is_dropped:
        return (), "none"
    valued = tuple(leaf for leaf in run.leaves if not leaf.is_dropped)
    if valued and valued != run.leaves and _nones_stand_outside(run.fetches):
        return valued, "single" if len(valued) == 1 else "tuple"
    for leaf in run.leaves:
        if any(part.stage is Stage.EFFECT and part.grouped for part in leaf.value.parts or ()):
            raise Refused(leaf.node, "the None that an operation's fetch gives is used", "fetch it in a run of its own")
    form = _form(run.fetches)
    return run.leaves, form if valued == run.leaves else "nested"


def watched_beside(program: Program, run: Run, kept: tuple[int, ...] | None, dropped: bool) -> tuple[Leaf, ...]:
    """What hooks ask for and the run does not give to the program under a name."""
    beside = tuple(leaf for leaf in run.watched if name_of_watched(program, run, kept, leaf) is None)
    if beside and kept is None and not dropped:
        what = f"a hook asks for `{ast.unparse(beside[0].node)}`, which has no name behind the run"
        raise Refused(run.site.node, what, "unpack what the run gives, each value to a name")
    if beside:
        _require_own_elements(program, run)
    return beside


def _require_own_elements(program: Program, run: Run) -> None:
    """Refuses a hook that takes elements of a dataset, which it did in some runs only."""
    own = close(program, [run.fetched, *(update.reads for update in run.updates)])[1]
    for unit in close(program, [run.reads])[1]:
        if unit.value.iteration is not None and unit not in own:
            raise Refused(run.site.node, "a hook takes elements that the run does not", "fetch the tensor in the run")


def name_of_watched(program: Program, run: Run, kept: tuple[int, ...] | None, watched: Leaf) -> str | None:
    """The name under which the program gets what a hook asks for."""
    statement = run.statement
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    for index, leaf in enumerate(run.leaves):
        known = program.resolved.get(leaf.node)
        if known is None or known.node is not watched.node:
            continue
        if isinstance(run.fetches, Leaf) and isinstance(target, ast.Name):
            return target.id
        if kept is not None and index in kept and isinstance(target, ast.Tuple | ast.List):
            item = target.elts[index]
            return item.id if isinstance(item, ast.Name) else None
    return None


def with_watched(results: tuple[Leaf, ...], form: Form, watched: tuple[Leaf, ...]) -> tuple[tuple[Leaf, ...], Form]:
    """The results of a function that gives what hooks ask for as well."""
    every = (*results, *watched)
    return (every, form) if not watched else (every, "single" if len(every) == 1 else "tuple")


def _nones_stand_outside(fetches: Fetch) -> bool:
    """Whether a list holds arrays side by side, with the None of operations before and behind them only."""
    if not isinstance(fetches, Sequence) or not all(isinstance(item, Leaf) for item in fetches.items):
        return False
    leaves = [item for item in fetches.items if isinstance(item, Leaf)]
    kinds = [leaf.is_dropped for leaf in leaves]
    first, last = kinds.index(False), len(kinds) - kinds[::-1].index(False)
    return not any(kinds[first:last]) and not any(_is_nested(leaf.value) for leaf in leaves)


def _form(fetches: Fetch) -> Form:
    if isinstance(fetches, Leaf):
        return "nested" if _is_nested(fetches.value) else "single"
    plain = all(isinstance(item, Leaf) and not _is_nested(item.value) for item in fetches.items)
    if isinstance(fetches, runs.Mapping):
        if not plain or not all(isinstance(key, ast.Constant) for key in fetches.node.keys):
            raise Refused(fetches.node, "a dictionary of fetches with keys or parts known only later", "spell them out")
        return "dict"
    if not plain:
        return "nested"
    return "single" if len(fetches.items) == 1 else "tuple"


def _is_nested(value: Value) -> bool:
    """Whether fetching a value gives several arrays: those of a container, or the results of one operation."""
    return value.parts is not None or value.several


def kept_targets(program: Program, run: Run) -> tuple[int, ...] | None:
    """The targets that stay where a run's list of results is unpacked; None where it is not."""
    statement, fetches = run.statement, run.fetches
    if not (isinstance(statement, ast.Assign) and statement.value is run.site.node and len(statement.targets) == 1):
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(fetches, Sequence):
        return None
    if len(target.elts) != len(fetches.items) or any(isinstance(item, ast.Starred) for item in target.elts):
        return None
    if not all(isinstance(item, Leaf) for item in fetches.items):
        return None
    kept = []
    for index, (item, leaf) in enumerate(zip(target.elts, run.leaves, strict=True)):
        unread = isinstance(item, ast.Name) and not program.module.loads.get(item.id)
        if leaf.is_dropped and not unread:
            raise Refused(item, "the None that an operation's fetch gives is used", "call the target `_`")
        if not unread or not (leaf.is_dropped or ast.unparse(item) == "_"):
            kept.append(index)
    return tuple(kept)
