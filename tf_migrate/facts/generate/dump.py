"""Writes down every public name of the TensorFlow that runs this script, with kind, identity and signature.

    python dump.py OUT.tsv [PRIVATE_NAMES.txt]

Runs under Python 3.7 with TF 1.15.5 as well as under any Python with TF 2, so it keeps to what both know.
One row a name: symbol, kind, object, signature. `object` is the first (shortest) name of the same object, so
two names are aliases of each other exactly where their `object` is equal. PRIVATE_NAMES.txt lists dotted
paths outside the public API (`tensorflow.python.ops.array_ops`) to look up as well; of a module all members count.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import sys
import types
import warnings
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
warnings.simplefilter("ignore")

# Python's own objects that modules of TensorFlow happen to import.
FOREIGN = ("__future__", "absl.flags._helpers")
PLAIN = (bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset, type(None))
# Doors into the other version of the API, into the sources and into protobuf definitions.
DOORS = ("compat", "contrib", "core", "examples", "python", "tools", "_api", "distribute")


def normal(name: str) -> str:
    """A module's name as its importers write it."""
    return name.replace("tensorflow_core.", "tensorflow.", 1) if name.startswith("tensorflow_core") else name


def is_public_module(parent: types.ModuleType, module: types.ModuleType) -> bool:
    """Whether `module` is a part of `parent`'s namespace rather than something that `parent` imports."""
    above, own = normal(parent.__name__), normal(module.__name__)
    if ".contrib" in own:
        return own.startswith(above + ".")
    public = ("_api.", ".api._v", "keras.", "tensorflow.python.platform.flags", "tensorflow.experimental")
    return any(part in own for part in public)


class Names:
    """The names found so far, and the objects behind them."""

    def __init__(self) -> None:
        self.objects: dict[str, Any] = {}

    def walk(self, module: types.ModuleType, path: str, above: set[str], doors: tuple[str, ...] = ()) -> None:
        """Collect the public names of `module`, which is reached as `path`, and of its public submodules."""
        for name in sorted(dir(module)):
            if name.startswith("_") or name in doors:
                continue
            try:
                value = getattr(module, name)
            except Exception:  # lazily loaded parts that need packages that are not there
                continue
            if isinstance(value, types.ModuleType) and is_there(value):
                inside = is_public_module(module, value)
                if inside and normal(value.__name__) not in above:
                    self.objects[path + "." + name] = value
                    self.walk(value, path + "." + name, above | {normal(value.__name__)})
            elif getattr(type(value), "__module__", "") not in FOREIGN:
                self.objects[path + "." + name] = value

    def add_path(self, path: str) -> None:
        """Collect one dotted path; those that do not exist here, and members of classes, are left out."""
        parts = ("tensorflow." + path[3:] if path.startswith("tf.") else path).split(".")
        for cut in range(len(parts), 0, -1):
            try:
                value: Any = importlib.import_module(".".join(parts[:cut]))
            except ImportError:
                continue
            for part in parts[cut:]:
                if inspect.isclass(value) or not hasattr(value, part):
                    return
                value = getattr(value, part)
            self.objects[path] = hiding(parts[:cut], value) if cut == len(parts) else value
            if isinstance(value, types.ModuleType):
                self.add_members(value, path)
            return

    def add_members(self, module: types.ModuleType, path: str) -> None:
        """Collect what a module of the sources holds, but not the modules that it imports.

        Other people's objects count where TensorFlow offers them as its own: `tf.flags` are absl's.
        """
        known = {id(value) for public, value in self.objects.items() if not is_inner(public)}
        for name, value in sorted(vars(module).items()):
            own = str(getattr(value, "__module__", "tensorflow")).startswith("tensorflow") or id(value) in known
            if not name.startswith("_") and own and not isinstance(value, (types.ModuleType, *PLAIN)):
                self.objects.setdefault(path + "." + name, value)

    def first_names(self) -> dict[str, str]:
        """For each name the first name of the same object; plain values are nobody's alias."""
        first: dict[int, str] = {}
        order = sorted(self.objects, key=lambda name: (is_inner(name), len(name), name))
        for name in order:
            first.setdefault(id(self.objects[name]), name)
        return {name: name if isinstance(value, PLAIN) else first[id(value)] for name, value in self.objects.items()}


def hiding(parts: list[str], module: Any) -> Any:
    """What a package gives under a module's name: the function `arg_scope` hides the module that it comes from."""
    package = sys.modules.get(".".join(parts[:-1]))
    return getattr(package, parts[-1], module)


def is_inner(name: str) -> int:
    """Sort key: native names come before those of `tf.compat.v1`, contrib and the sources."""
    return name.startswith(("tensorflow.", "tf.compat.v", "tf.contrib")) + (".python." in name)


def is_there(module: types.ModuleType) -> bool:
    """False for the stand-ins by which TF 2 refuses parts that need Keras 2."""
    try:
        return bool(dir(module))
    except (AttributeError, ImportError):
        return False


def kind_of(value: Any) -> str:
    """function, class, module or constant."""
    if isinstance(value, types.ModuleType):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if inspect.isroutine(value) or isinstance(value, functools.partial) else "constant"


def signature_of(value: Any) -> str:
    """The parameters as text: `x, name=None, *args`; `?` where Python cannot say."""
    target = value.__init__ if inspect.isclass(value) else value
    if inspect.isclass(value) and issubclass(value, tuple):
        target = value.__new__
    try:
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return "?"
    if inspect.isclass(value):
        parameters = parameters[1:]
    return ", ".join(parameter_text(parameter) for parameter in parameters)


def parameter_text(parameter: inspect.Parameter) -> str:
    """One parameter: its stars, name and default."""
    if parameter.kind == parameter.VAR_POSITIONAL:
        return "*" + parameter.name
    if parameter.kind == parameter.VAR_KEYWORD:
        return "**" + parameter.name
    text = parameter.name if parameter.kind != parameter.KEYWORD_ONLY else parameter.name + "!"
    return text if parameter.default is parameter.empty else text + "=" + default_text(parameter.default)


def default_text(value: Any) -> str:
    """A default as one word that does not change from run to run."""
    if isinstance(value, PLAIN):
        return repr(value).replace(", ", ",").replace("\t", "\\t")
    name = getattr(value, "name", None) or getattr(value, "__name__", None) or type(value).__name__
    return "<" + str(name) + ">"


def main(out: str, private: str | None = None) -> None:
    """Write the table of the TensorFlow at hand to `out`."""
    tf: Any = importlib.import_module("tensorflow")

    names = Names()
    names.walk(tf, "tf", {"tensorflow"}, doors=DOORS)
    names.walk(tf.distribute, "tf.distribute", {"tensorflow.distribute"})
    names.walk(tf.compat, "tf.compat", {"tensorflow.compat"}, doors=("v1", "v2"))
    if tf.__version__.startswith("1."):
        names.walk(importlib.import_module("tensorflow.contrib"), "tf.contrib", {"tensorflow.contrib"})
    else:
        names.walk(tf.compat.v1, "tf.compat.v1", {"tensorflow.compat.v1"}, doors=(*DOORS, "keras"))
    if private:
        with open(private) as paths:
            for path in paths.read().split():
                names.add_path(path)
    first = names.first_names()
    with open(out, "w") as table:
        table.write("symbol\tkind\tobject\tsignature\n")
        for name in sorted(names.objects):
            value = names.objects[name]
            kind = kind_of(value)
            signature = signature_of(value) if kind in ("function", "class") else ""
            table.write("\t".join([name, kind, first[name], signature]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
