"""Graphs that other modules build, and that stay on the bridge: what a script does for them stays there with them."""

from __future__ import annotations

import ast

from tf_migrate.names.building import Building
from tf_migrate.names.canonical import Names
from tf_migrate.plan import Plan
from tf_migrate.stages.layer_objects import class_of_layers
from tf_migrate.stages.values import Refused

_STEP = "see why that module stays on the bridge"


def require_own_graph(names: Names, planned: Plan) -> None:
    """Refuses a script which makes objects that build elsewhere, or that only initializes what others build."""
    module, index = names.module, names.index
    left = {name for name in index.imported_by(module.name) if index.holds_tf1(name)} - index.native - {module.name}
    if not left:
        return
    for call in module.calls:
        made = names.definition(call.func)
        if made is not None and made[0] in left and _builds(names, *made):
            what = f"`{ast.unparse(call.func)}` builds its part of the graph in `{made[0]}`, which stays on the bridge"
            raise Refused(call, what, _STEP)
    if all(verdict.site.initializer_only for verdict in planned.verdicts):
        what = f"the script only initializes, and `{min(left)}`, which builds, stays on the bridge"
        raise Refused(planned.verdicts[0].site.node, what, _STEP)


def _builds(names: Names, home: str, name: str) -> bool:
    """Whether a module's class builds a part of a graph, and is none whose objects are called as layers are."""
    module = names.index.tree(home)
    if module is None:
        return True
    own = Names(module, names.index, names.compat_module)
    found = [item for item in module.tree.body if isinstance(item, ast.ClassDef) and item.name == name]
    return any(Building(module, own).reaches(item) and class_of_layers(own, item) is None for item in found)
