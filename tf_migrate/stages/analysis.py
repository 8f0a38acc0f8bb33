"""From a module, or one test of it, to the program that it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from tf_migrate.names.building import main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Users
from tf_migrate.names.run_sites import RunSite, find_given, find_sites
from tf_migrate.stages.program import Program, with_scopes
from tf_migrate.stages.replaced import require_functions
from tf_migrate.stages.savers import saves_all, saves_trainable
from tf_migrate.stages.section_walk import SectionWalk
from tf_migrate.stages.sections import Section
from tf_migrate.stages.user_tests.case_walk import CaseWalk
from tf_migrate.stages.user_tests.cases import Case
from tf_migrate.stages.walk import Walk
from tf_migrate.syntax.module import Module


def analyse(module: Module, names: Names, users: Users | None = None, *, stored: bool = False) -> Program:
    """Analyses a script, or a module that others use; raises Refused with the place where it is not sure.

    If `stored`, functions make every variable that is trained, and not the script.
    """
    require_functions(module, names)
    walk = Walk(module, names, (*find_sites(module, names), *find_given(module, names)), users)
    walk.evaluator.stores_all = stored
    walk.block(module.tree.body, ())
    walk.made_by_others()
    walk.finish()
    walk.require_seen()
    return program_of(walk)


def analyse_test(module: Module, names: Names, sites: Sequence[RunSite], case: Case, test: ast.FunctionDef) -> Program:
    """Analyses one test of a class as a script of its own; `sites` are all runs of the module."""
    require_functions(module, names)
    walk = CaseWalk(module, names, tuple(sites), case, test)
    # What a test runner starts is no part of a test.
    walk.block([node for node in module.tree.body if main_guard(node) is None], ())
    walk.read_test()
    walk.finish()
    own = set(ast.walk(test))
    return replace(program_of(walk), case=case.owner, sites=tuple(site for site in sites if site.node in own))


def analyse_section(module: Module, names: Names, section: Section) -> Program:
    """Analyses one section of a script as a script of its own."""
    require_functions(module, names)
    walk = SectionWalk(module, names, (*find_sites(module, names), *find_given(module, names)), section)
    walk.read()
    walk.finish()
    walk.require_seen()
    program = program_of(walk)
    return replace(program, sites=tuple(site for site in program.sites if section.holds(site.node)))


def program_of(walk: Walk) -> Program:
    """What a walk found."""
    savers = [call for unit in walk.units for call in unit.savers]
    return Program(
        module=walk.module,
        names=walk.names,
        sites=tuple(site for site in walk.sites.values() if site.is_of_session),
        units=tuple(with_scopes(walk.units)),
        runs=tuple(walk.runs),
        dissolved=tuple(walk.dissolved),
        scopes=tuple(walk.scoped),
        devices=tuple(walk.devices),
        dropped=tuple(item for item in walk.dropped if getattr(item, "value", None) not in walk.evaluator.staying),
        staying=frozenset(walk.evaluator.staying),
        variables=tuple(walk.variables),
        refusals=walk.refusals,
        listed=walk.evaluator.listed,
        final=dict(walk.evaluator.env),
        resolved=walk.evaluator.resolved,
        merged=walk.evaluator.merged,
        graphs=tuple(walk.evaluator.graphs),
        resets=tuple(walk.graphs),
        finals=tuple(walk.finals),
        returning=tuple(walk.returning),
        inputs=walk.inputs,
        bound=walk.evaluator.bound,
        entered=walk.entered,
        ends=walk.ends,
        handed=tuple(dict.fromkeys((*walk.handed, *walk.evaluator.handings))),
        objects=tuple(walk.made_objects),
        whole=frozenset(call for call in savers if saves_all(walk.evaluator, call)),
        trainable=frozenset(call for call in savers if saves_trainable(walk.evaluator, call)),
        freed=tuple(dict.fromkeys(walk.evaluator.freed)),
        outside={function: tuple(names) for function, names in walk.evaluator.handed.items()},
        options=walk.evaluator.options.values,
        said=walk.evaluator.options.said,
        begun=tuple(walk.starting),
        batches=walk.evaluator.batches,
        stops=tuple(walk.evaluator.stops),
        restarts=tuple(walk.restarts),
        late=frozenset(walk.late),
        built=frozenset(walk.evaluator.built),
        monitor=walk.evaluator.monitor,
        asked=tuple(walk.evaluator.asked),
        taken=walk.decisions.taken,
        used_locally=tuple(walk.evaluator.used_locally),
        related=frozenset(walk.related),
        held=walk.held,
        given=tuple(walk.given),
        calls=tuple(walk.calls()),
    )
