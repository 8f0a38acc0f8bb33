"""Classes of tests: each test has a store of its own, where TensorFlow 1 gave it a graph."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.values import Class, External
from tf_migrate.names.case_classes import CASE
from tf_migrate.report.model import Reason
from tf_migrate.semantics.test_cases import has_graph
from tf_migrate.steps.part import Part

_BASE = "compat.test.StoreTestCase"
_DECORATOR = "compat.test.with_store"


class TestClasses(Part):
    """Gives the tests of a program stores: by their base, or where that is of another program by a decorator."""

    __test__ = False

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for cls in self.facts.recorder.cases:
            if cls.node in self.facts.owners and has_graph(cls) and not self._have_stores(cls):
                assert cls.node is not None
                self.plan_of(cls.node).decorated[cls.node] = _DECORATOR
        return self.reasons

    def _have_stores(self, cls: Class) -> bool:
        """Whether a class has what gives tests stores among its bases, once these are replaced."""
        found = False
        for one in cls.mro:
            if one.node is not None and one.node in self.facts.owners:
                for base in self._bases(one):
                    self.plan_of(base).replaced[base] = _BASE
                    found = True
        return found

    def _bases(self, cls: Class) -> list[ast.expr]:
        """The expressions of a class's bases that are TensorFlow's own class of tests."""
        assert cls.node is not None
        values = [base.origin if isinstance(base, External) else "" for base in cls.bases]
        if len(values) != len(cls.node.bases):
            return []  # `object` is left out of them
        return [node for node, origin in zip(cls.node.bases, values, strict=True) if origin == CASE]
