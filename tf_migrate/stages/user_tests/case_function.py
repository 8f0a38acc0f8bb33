"""A test as one function: what moves into it, and what stays around it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tf_migrate.stages.user_tests.cases import Case
from tf_migrate.stages.user_tests.changing import Assigned
from tf_migrate.stages.user_tests.fetching import Fetched, Parameter
from tf_migrate.stages.user_tests.set_up import Built


@dataclass(frozen=True, eq=False)
class Traced:
    """A test as one function.

    `inside` are the statements that move into it, `staying` those that stay before it, `late` those that move behind
    its call, `behind` those that follow: the first of them holds the first run. `built` is what `setUp` builds and the
    function has to repeat, `alike` are the assertions in it that what may be tensors is equal, `renamed` the names that
    have another one in it. `stored` says that it makes variables, `idle` that operations may be fetched that do
    nothing, `guarded` that `setUp` cannot build outside a graph. `kept` are names of the function that are asked behind
    it. `several` says that each run calls the function, which else is called once; `changes` are the assignments
    between them. `updating` says that each run has a function of its own: it may make updates of variables,
    or runs feed different placeholders.
    """

    case: Case
    test: ast.FunctionDef
    fetched: tuple[Fetched, ...]
    parameters: tuple[Parameter, ...]
    staying: tuple[ast.stmt, ...]
    inside: tuple[ast.stmt, ...]
    late: tuple[ast.stmt, ...]
    behind: tuple[ast.stmt, ...]
    built: tuple[Built, ...]
    alike: tuple[ast.Call, ...]
    renamed: tuple[str, ...]
    stored: bool
    idle: bool
    guarded: bool
    kept: tuple[str, ...]
    several: bool
    changes: tuple[Assigned, ...]
    updating: bool
