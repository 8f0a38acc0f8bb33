"""Which programs of a tree can be written in the form of steps, and how."""

from __future__ import annotations

from collections.abc import Mapping

from tf_migrate.names.canonical import Names
from tf_migrate.options import Options
from tf_migrate.steps.plan import ModulePlan


def plan_tree(modules: Mapping[str, Names], options: Options) -> Mapping[str, ModulePlan]:
    """The plans of those modules that become steps; a program's modules are all among them, or none is."""
    return {}
