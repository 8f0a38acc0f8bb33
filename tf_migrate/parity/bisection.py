"""Where a difference begins: the first operation inside a run whose inputs agree and whose result does not.

Both graphs are walked side by side from what differs back to what agrees. As long as the operations are of one kind,
their inputs are compared pair by pair; where the graphs are built in different ways, a tensor agrees if the other
graph holds its value anywhere. Names count for variables only: native code has others than the original's graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tf_migrate.parity.compare import Array, compare_arrays, tolerance_of
from tf_migrate.parity.inside import Inside, Operation
from tf_migrate.parity.result import Bisection

_SLACK = 10  # a difference that is passed on grows from operation to operation
_FEW = 4  # so few values are found anywhere by chance
_COMMUTE = ("Add", "AddN", "Mul", "Maximum", "Minimum", "Equal", "NotEqual", "LogicalAnd", "LogicalOr")
_PLAIN = ("T", "dtype", "N", "seed", "seed2", "use_locking", "validate_shape", "data_format", "out_type", "SrcT")


@dataclass(frozen=True)
class _Origin:
    """Operations at which the graphs part: all inputs of `before` agree, if it is certain."""

    before: Operation
    after: Operation | None
    certain: bool


def bisect(
    before: Inside, after: Inside, results: Iterable[tuple[int, int]], variables: Iterable[str]
) -> Bisection | None:
    """Where two runs part; None where no operation can be blamed.

    Args:
      before: the original's run.
      after: the migrated program's.
      results: positions of the values given that differ, in the original and in the migrated program.
      variables: names of the variables that differ after the run.
    """
    search = _Search(before, after)
    found = list(search.from_results(results)) or list(search.from_variables(set(variables)))
    if not found:
        return None
    first = min(found, key=lambda item: (not item.certain, item.before.number))
    return search.told(first)


@dataclass
class _Search:
    before: Inside
    after: Inside
    seen: set[tuple[str, str]] = field(default_factory=set)
    counterparts: dict[tuple[bool, str], str | None] = field(default_factory=dict)

    def from_results(self, pairs: Iterable[tuple[int, int]]) -> Iterator[_Origin]:
        """Origins of the differences between values that the runs gave."""
        for one, other in pairs:
            if one < len(self.before.results) and other < len(self.after.results):
                want, have = self.before.results[one], self.after.results[other]
                if want is not None and have is not None:
                    yield from self._tensors(want, have, None, None, known=True)

    def from_variables(self, names: set[str]) -> Iterator[_Origin]:
        """Origins of the differences between variables after the runs."""
        for key, before in self.before.updates.items():
            after = self.after.updates.get(key)
            if key[0] not in names:
                continue
            if after is None:
                yield _Origin(before, None, True)
            else:
                yield from self._operations(before, after, known=True)

    def _tensors(
        self, want: str, have: str, reads: Operation | None, also: Operation | None, known: bool
    ) -> Iterator[_Origin]:
        """Origins of the difference between two tensors, which two operations read; is it `known` that they differ?"""
        want, have = self.before.source(want), self.after.source(have)
        if (want, have) in self.seen:
            return
        self.seen.add((want, have))
        before, after = self.before.maker.get(want), self.after.maker.get(have)
        if before is None or after is None:
            return
        if reads is not None and known and self._is_known(want, False) and self._is_known(have, True):
            yield _Origin(reads, also, True)  # both values are in both graphs: the wrong one is read
        elif before.kind == after.kind and len(before.inputs) == len(after.inputs):
            yield from self._operations(before, after, known)
        elif known:
            yield from self._apart(want, have, reads or before, also or after)

    def _operations(self, before: Operation, after: Operation, known: bool) -> Iterator[_Origin]:
        pairs = self._paired(before, after)
        wrong = [pair for pair in pairs if self._same(*pair) is False]
        unknown = [pair for pair in pairs if self._same(*pair) is None]
        found: list[_Origin] = []
        for want, have in wrong or unknown:
            found += self._tensors(want, have, before, after, known=bool(wrong))
        if not found and not wrong and (known or _told_apart(before, after)):
            found = [_Origin(before, after, not unknown or bool(_told_apart(before, after)))]
        yield from found

    def _paired(self, before: Operation, after: Operation) -> list[tuple[str, str]]:
        pairs = list(zip(before.inputs, after.inputs, strict=True))
        if before.kind in _COMMUTE and len(pairs) == 2:
            swapped = list(zip(before.inputs, reversed(after.inputs), strict=True))
            pairs = max(pairs, swapped, key=lambda items: sum(bool(self._same(*item)) for item in items))
        return pairs

    def _apart(self, want: str, have: str, reads: Operation, also: Operation) -> Iterator[_Origin]:
        """Where the graphs are built in different ways: the last values that both have tell where they part."""
        before = sorted(self._last(want, False), key=lambda item: item.number)
        after = sorted(self._last(have, True), key=lambda item: item.number)
        for one in before:
            for other in after:
                if self._is_proof(one, other):
                    yield _Origin(one, other, True)
                    return
        one = before[0] if before else reads
        like = [item for item in after if item.kind == one.kind] or after
        certain = len({item.place for item in before}) <= 1 and all(self._is_known(item, False) for item in one.inputs)
        yield _Origin(one, like[0] if like else also, certain)

    def _is_proof(self, before: Operation, after: Operation) -> bool:
        """Whether two operations of one kind are given the same."""
        if before.kind != after.kind or len(before.inputs) != len(after.inputs) or not before.inputs:
            return False
        return all(self._same(*pair) for pair in self._paired(before, after))

    def _last(self, tensor: str, of_after: bool) -> list[Operation]:
        """The operations before a tensor whose inputs the other graph knows, and whose results it does not."""
        side = self.after if of_after else self.before
        found, waiting, seen = [], [tensor], set()
        while waiting:
            name = waiting.pop()
            operation = side.maker.get(name)
            if name in seen or operation is None or self._is_known(name, of_after):
                continue
            seen.add(name)
            unknown = [item for item in operation.inputs if not self._is_known(item, of_after)]
            waiting += unknown
            if not unknown:
                found.append(operation)
        return found

    def _same(self, want: str, have: str) -> bool | None:
        """Whether two tensors agree; None where it cannot be told."""
        want, have = self.before.source(want), self.after.source(have)
        before, after = self.before.maker.get(want), self.after.maker.get(have)
        if before is not None and after is not None and before.gives_variable and after.gives_variable:
            return before.variable == after.variable
        one, other = self.before.values.get(want), self.after.values.get(have)
        return None if one is None or other is None else _agree(one, other)

    def _is_known(self, tensor: str, of_after: bool) -> bool:
        """Whether the other graph holds a tensor's value."""
        key = (of_after, tensor)
        if key not in self.counterparts:
            self.counterparts[key] = next(self._alike(tensor, of_after), None)
        return self.counterparts[key] is not None

    def _alike(self, tensor: str, of_after: bool) -> Iterator[str]:
        side, other = (self.after, self.before) if of_after else (self.before, self.after)
        tensor = side.source(tensor)
        operation, value = side.maker.get(tensor), side.values.get(tensor)
        if operation is not None and operation.gives_variable:
            yield tensor  # variables are compared after each run, and agreed before this one
        elif value is not None:
            for name in other.by_shape.get((value.shape, value.dtype.name), ()):
                made = other.maker.get(name)
                by_chance = _is_common(value) and getattr(made, "kind", None) != getattr(operation, "kind", None)
                if not by_chance and _agree(value, other.values[name]):
                    yield name

    def told(self, origin: _Origin) -> Bisection:
        """An origin in words and figures."""
        before, after = origin.before, origin.after
        agreeing = sum(
            self._is_known(name, False)
            for name in self.before.values
            if (made := self.before.maker.get(name)) is not None and made.number < before.number
        )
        want, have = self._value(self.before, before), None if after is None else self._value(self.after, after)
        comparable = want is not None and have is not None and want.shape == have.shape
        far = 0.0
        if want is not None and have is not None and comparable:
            far = compare_arrays("", want, have.astype(want.dtype), 0.0, 0.0).absolute
        return Bisection(
            tensor=before.outputs[0] if before.outputs else before.name,
            operation=before.kind,
            original=before.place,
            migrated="?" if after is None else after.place,
            absolute=far,
            agreeing=agreeing,
            certain=origin.certain,
            detail=_detail(before, after, want, have),
        )

    @staticmethod
    def _value(side: Inside, operation: Operation) -> Array | None:
        return next((side.values[name] for name in operation.outputs if name in side.values), None)


def _is_common(value: Array) -> bool:
    """Whether a value may be found anywhere: few numbers, or all the same."""
    return value.size < _FEW or bool((value == value.ravel()[0]).all())


def _agree(want: Array, got: Array) -> bool:
    """Whether two values inside of a run are the same but for what different kernels do."""
    if want.shape != got.shape or want.dtype != got.dtype:
        return False
    allowed = tolerance_of(want.dtype, _SLACK)
    return compare_arrays("", want, got, allowed.rtol, allowed.atol).problem is None


def _told_apart(before: Operation, after: Operation) -> dict[str, tuple[Any, Any]]:
    """What two operations of one kind were told differently."""
    both = set(before.attributes) & set(after.attributes) - set(_PLAIN)
    pairs = {name: (before.attributes[name], after.attributes[name]) for name in sorted(both)}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _detail(before: Operation, after: Operation | None, want: Array | None, have: Array | None) -> str:
    """What is different about two operations, as far as it can be said in a few words."""
    if after is None:
        return f"the migrated program does not update `{before.variable}` by {before.kind}"
    if before.kind != after.kind:
        return f"{before.kind} became {after.kind}"
    told = [f"{name} {one!r} became {other!r}" for name, (one, other) in _told_apart(before, after).items()]
    if before.is_given and want is not None and have is not None and want.size == have.size == 1:
        told.append(f"{want.item():g} became {have.item():g}" if want.dtype.kind in "fiu" else "")
    if want is not None and have is not None and want.shape != have.shape:
        told.append(f"shape {list(want.shape)} became {list(have.shape)}")
    elif want is not None and have is not None and want.dtype != have.dtype:
        told.append(f"{want.dtype} became {have.dtype}")
    return "; ".join(item for item in told if item)
