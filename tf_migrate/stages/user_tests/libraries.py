"""Libraries outside of the tree: those that build no graphs, and those that are known to build and nothing else."""

from __future__ import annotations

import ast
import sys

from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

FREE = frozenset(sys.stdlib_module_names) | {
    "numpy",
    "scipy",
    "six",
    "absl",
    "mock",
    "wrapt",
    "contextlib2",
    "networkx",
}
"""Libraries that build no graphs."""

DISTRIBUTIONS = "tensorflow_probability.distributions"
"""A library of its own whose objects build parts of the graph, random numbers among them, and nothing else."""

_MODULES = """
AbstractModule AddBias BatchApply BatchFlatten BatchReshape Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D
Conv3DTranspose FlattenTrailingDimensions LayerNorm Linear MergeDims Module RNNCore SelectInput Sequential SliceByDim
TileByDim TrainableVariable nets.MLP
"""
MODULES = frozenset(f"sonnet.{name}" for name in _MODULES.split())
"""Modules of Sonnet 1 that make variables and build with them: they update none."""
_WITHOUT_VARIABLES = """
BatchApply BatchFlatten BatchReshape FlattenTrailingDimensions MergeDims SelectInput SliceByDim TileByDim
"""
MODULES_WITHOUT_VARIABLES = frozenset(f"sonnet.{name}" for name in _WITHOUT_VARIABLES.split())
"""Those among them that make none of their own."""
DRAWING_MODULE = "sonnet.nets.MLP"
"""The one among them that draws random numbers where it is told to drop out."""


def symbol_of(module: Module, node: ast.Name) -> str | None:
    """What a name that is imported from one of these libraries means, the attributes that are read of it included."""
    whole: ast.AST = node
    while isinstance(whole, ast.Name | ast.Attribute):
        name = callee(whole, module) or ""
        if f"{name}.".startswith(f"{DISTRIBUTIONS}."):
            return DISTRIBUTIONS
        if name in MODULES:
            return name
        whole = module.parents[whole]
    return None
