"""Imports: modules of the tree are executed when they are first loaded, those of libraries are symbols."""

from __future__ import annotations

import ast

from tf_migrate.files.source import read
from tf_migrate.interpreter.builtins import Builtins
from tf_migrate.interpreter.values import ABSENT, Const, External, Frame, Unknown, Value
from tf_migrate.names.bindings import import_origin, star_origin
from tf_migrate.names.origins import canonical
from tf_migrate.syntax.module import Module, load


class Imports(Builtins):
    """What imports bind."""

    def import_names(self, node: ast.Import | ast.ImportFrom) -> None:
        """Binds what an import brings."""
        module = self.frame.module
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            return
        for alias in node.names:
            if alias.name == "*":
                assert isinstance(node, ast.ImportFrom)
                self._import_star(node)
                continue
            origin = import_origin(module, self.index, node, alias, self.compat_module)
            if isinstance(node, ast.Import) and "." in alias.name:
                found = self.index.find(module.package, alias.name, module.name)
                if found is not None:
                    self.load_module(found)
            name = alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
            value = self._imported(node, alias, origin)
            if isinstance(node, ast.ImportFrom):
                self.note_session(alias, value)
            self.bind(name, value)

    def _imported(self, node: ast.Import | ast.ImportFrom, alias: ast.alias, origin: str | None) -> Value:
        if origin is None:
            if isinstance(node, ast.ImportFrom):
                return External(f"{'.' * node.level}{node.module or ''}.{alias.name}")
            return External(alias.name if alias.asname else alias.name.partition(".")[0])
        if not origin.startswith("@"):
            return External(canonical(origin))
        module, bar, path = origin[1:].partition("|")
        frame = self.load_module(module)
        if frame is None:
            return Unknown(f"the module {module} cannot be read", node)
        if not bar:
            return frame
        found = self.attribute(frame, path, node)
        return Unknown(f"`{path}` of {module} is not known", node) if found is ABSENT else found

    def _import_star(self, node: ast.ImportFrom) -> None:
        origin = star_origin(self.frame.module, self.index, node, self.compat_module)
        frame = self.load_module(origin[1:]) if origin is not None and origin.startswith("@") else None
        if frame is None:
            self.heap.write(self.frame, "*", Unknown("a star import", node))
            return
        public = frame.slots.get("__all__")
        names = None
        if public is not None:
            known, more = self.elements(public, node)
            names = {value.value for value in known if isinstance(value, Const)} if more is None else None
        for name, value in list(frame.slots.items()):
            if isinstance(name, str) and (name in names if names is not None else not name.startswith("_")):
                self.bind(name, value)
        if "*" in frame.slots:
            self.heap.write(self.frame, "*", frame.slots["*"])

    def load_module(self, name: str) -> Frame | None:
        """The frame of a module of the tree, which is executed where it was not."""
        if name in self.modules:
            return self.modules[name]
        module = self.index.tree(name)
        if module is None:
            if not self.index.has(name):
                return None
            module = _empty(name)
        frame = Frame("module", module.tree, module, None, None)
        self.modules[name] = frame
        parent = name.rpartition(".")[0]
        if parent:
            outer = self.load_module(parent)
            if outer is not None:
                self.heap.write(outer, name.rpartition(".")[2], frame)
        stack, self.stack = self.stack, [*self.stack, frame]
        try:
            self.block(module.tree.body)
        finally:
            self.stack = stack
        return frame


def _empty(name: str) -> Module:
    return load(read(name.replace(".", "/") + "/__init__.py", b""))
