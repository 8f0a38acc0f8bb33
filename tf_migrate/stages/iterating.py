"""Iterators of a script: where each begins, and under which name code finds it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.iterators import ITERATORS
from tf_migrate.stages.queues import FILES
from tf_migrate.stages.runs import Run, analyse_start
from tf_migrate.stages.targets import Targets
from tf_migrate.stages.values import Iteration, Refused, Stage, Start, Value, container, flatten

_ONE_NAME = "give each iterator and each dataset a name of its own"


class Begun(NamedTuple):
    """A statement that begins iterators."""

    statement: ast.stmt
    starts: tuple[Start, ...]


class Iterating(Targets):
    """Keeps account of iterators: `starting` are the runs that begin some."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.runs: list[Run] = []
        self.starting: list[Begun] = []
        self.late: set[ast.Call] = set()
        self.iterated = 0
        self.seeded: Start | Iteration | None = None

    def begin(self, site: RunSite, statement: ast.stmt, parts: Sequence[Value]) -> list[Value]:
        """Takes the initializers of iterators out of what a run initializes."""
        starts = tuple(part.start for part in parts if part.start is not None)
        if not starts:
            return list(parts)
        for start in starts:
            self._require_start(site, start)
        if not (isinstance(statement, ast.Expr) and statement.value is site.node):
            raise Refused(site.node, "an iterator begins inside an expression", "begin it in a statement of its own")
        self.starting.append(Begun(statement, starts))
        if any(start.pipeline.fed for start in starts):
            if len(starts) > 1:
                raise Refused(site.node, "one run begins several iterators that are fed", "begin them one by one")
            self.runs.append(analyse_start(self.evaluator, site, statement, self.depth, starts[0]))
        elif self._is_fed(site):
            raise Refused(site.node, "a run feeds what the iterator that it begins does not need", "drop the feeds")
        return [part for part in parts if part.start is None and part.stage is not Stage.FEED]

    def _is_fed(self, site: RunSite) -> bool:
        words = {keyword.arg for keyword in site.node.keywords}
        return len(site.node.args) > (site.kind == "Session.run") or "feed_dict" in words

    def _require_start(self, site: RunSite, start: Start) -> None:
        if self._is_apart(site, start):
            return
        if isinstance(start.dataset, ast.Name) and self.evaluator.env.get(start.dataset.id) is not start.made:
            raise Refused(site.node, f"`{start.dataset.id}` is another dataset here", _ONE_NAME)
        if start.pipeline.seeded and not start.pipeline.fed:
            if self.seeded is not None or self.depth or self.evaluator.running:
                step = "shuffle with `reshuffle_each_iteration=False`, or leave the seed out"
                raise Refused(site.node, "TF1 shuffled in the same order for this seed each time", step)
            self.seeded = start

    def _is_apart(self, site: RunSite, start: Start) -> bool:
        """Whether a method begins an iterator that another one keeps in the object."""
        module, call = self.evaluator.module, start.iteration.call
        home, here = module.function_of(call), module.function_of(site.node)
        if home is here:
            return False
        parent = module.parents[call]
        kept = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Attribute)
        owners = [self.evaluator.methods.get(item) for item in (home, here) if isinstance(item, ast.FunctionDef)]
        if not kept or len(owners) != 2 or owners[0] is None or owners[0] is not owners[1]:
            where = "an iterator begins in another function than the one that makes it"
            raise Refused(site.node, where, "begin it where it is made")
        if start.iteration.kind != "initializable" or (start.pipeline.seeded and not start.pipeline.fed):
            step = "keep the dataset as it is, without a seed, in an initializable iterator"
            raise Refused(site.node, "what an iterator of another method begins with is not known", step)
        return True

    def takes(self, site: RunSite) -> None:
        """A run may take elements of queues, which nothing fills behind the end of the threads."""
        if self.evaluator.stopped:
            self.late.add(site.node)

    def iterates(self, node: ast.Assign, value: Value) -> Value:
        """What a statement binds that makes an iterator, or takes the elements of one."""
        value = elements(node.targets[0], value)
        self._require_iterator(node, value)
        return value

    def _require_iterator(self, node: ast.Assign, value: Value) -> None:
        iteration = value.iteration
        if iteration is None or iteration.call not in ast.walk(node):
            if value.stage is Stage.ITERATOR:
                raise Refused(node, "an iterator gets a second name", _ONE_NAME)
            return
        if self.depth:
            raise Refused(node, "an iterator is made inside a loop or a condition", "make it where the graph is built")
        target = node.targets[0] if len(node.targets) == 1 else None
        if value.stage is Stage.ITERATOR and (target is None or self.evaluator.key_of(target) is None):
            raise Refused(node, "an iterator has no name", "bind it to a name")
        if iteration.pipeline.fed and iteration.kind != "initializable":
            raise Refused(iteration.call, "this kind of iterator cannot be fed", "make an initializable iterator")
        if value.stage is Stage.PLACEHOLDER and not iteration.is_shown:
            raise Refused(node, "an iterator that has to be initialized has no name", "bind it to a name")
        if value.stage is Stage.ITERATOR and not self._is_alone(target):
            raise Refused(node, "the name of an iterator is bound more than once", _ONE_NAME)
        if iteration.is_shown and iteration.pipeline.seeded:
            if self.seeded is not None:
                raise Refused(node, "two iterators shuffle by a seed", "leave the seeds out")
            self.seeded = iteration

    def _is_alone(self, target: ast.expr | None) -> bool:
        """Whether a name means one iterator, or one in each graph, of which only the last one that began is left."""
        if not isinstance(target, ast.Name):
            return True
        bound = self.evaluator.module.scope_of(target).bindings.get(target.id, ())
        known = self.evaluator.env.get(target.id)
        left = known is None or known.value.stage is Stage.LEFT
        makers = all(isinstance(item, ast.expr) and self._makes_iterator(item) for item in bound)
        return len(bound) == 1 or (left and makers and self.home is None)

    def _makes_iterator(self, node: ast.expr) -> bool:
        method = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        return method in ITERATORS

    def is_key(self, name: str, value: Value) -> bool:
        """Whether a name is that of the key of a record, which nothing can read."""
        return value.stage is Stage.PLACEHOLDER and self.evaluator.env[name].value.stage is Stage.QUEUE

    def fills_queues(self, node: ast.stmt, value: Value) -> bool:
        """Whether a statement only kept queues full, or stopped what did: datasets need nothing of it."""
        if value.stage is not Stage.QUEUE or value.symbol == FILES:
            return False
        if self.depth and not isinstance(node, ast.Expr):
            raise Refused(node, "a queue is filled inside a loop or a condition", "fill it at the top")
        return True

    def require_one_session(self, sessions: int) -> None:
        """Refuses iterators of a graph that several sessions run: each session has its own position in them."""
        own = self.evaluator.iterations[self.iterated :]
        module, names = self.evaluator.module, self.evaluator.names
        made = [call for call in module.calls if names.resolve(call.func) in ("tf.Session", "tf.InteractiveSession")]
        if own and (sessions > 1 or any(isinstance(module.parents[call], ast.Attribute) for call in made)):
            raise Refused(own[0].call, "several sessions take elements of an iterator", "use one session")
        self.iterated = len(self.evaluator.iterations)


def begins_later(value: Value) -> bool:
    """Whether a value is an iterator that a run begins."""
    return value.stage is Stage.ITERATOR and value.iteration is not None and not value.iteration.is_shown


def initializes_variables(value: Value) -> bool:
    """Whether an initializer is of something else than iterators."""
    return any(part.start is None for part in flatten([value]))


def elements(target: ast.expr, value: Value) -> Value:
    """What `get_next()` gives to the targets that unpack it."""
    if value.stage is not Stage.PLACEHOLDER or value.iteration is None:
        return value
    if not isinstance(target, ast.Tuple | ast.List):
        if value.parts is not None:
            raise Refused(target, "what a queue gives is not unpacked", "give each tensor a name of its own")
        return value
    if value.iteration.queue is not None and len(value.parts or ()) != len(target.elts):
        raise Refused(target, "a queue gives another number of tensors", "give each tensor a name of its own")
    if not all(isinstance(item, ast.Name | ast.Attribute) for item in target.elts):
        raise Refused(target, "an element is unpacked into parts of parts", "unpack it in two steps")
    if value.parts is not None:
        return value
    part = replace(value, several=True)
    return replace(container((part,) * len(target.elts)), node=value.node, iteration=value.iteration)
