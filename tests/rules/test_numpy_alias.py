"""Names that NumPy took away become what they stood for, wherever they are NumPy's for certain."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

from tests.engine import becomes, migrated, refuses, unchanged
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import run
from tf_migrate.rules import numpy_alias


def body(line: str, head: str = "import numpy as np") -> str:
    return f"{head}\n\ndef f(x, y):\n    return {line}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x.astype(np.float)", "x.astype(float)"),
        ("np.zeros(3, dtype=np.int)", "np.zeros(3, dtype=int)"),
        ("x if y is np.bool else np.object", "x if y is bool else object"),
        ("-np.Inf", "-np.inf"),
        ("np.product(x, axis=0)", "np.prod(x, axis=0)"),
        ("np.reshape(x, newshape=(2, 3), order='F')", "np.reshape(x, (2, 3), order='F')"),
        ("np.reshape(x, newshape = y)", "np.reshape(x, y)"),
        ("np.lib.pad(x, y, 'constant')", "np.pad(x, y, 'constant')"),
        ("np.lib.stride_tricks.as_strided(x), np.lib.unique(y)", "np.lib.stride_tricks.as_strided(x), np.unique(y)"),
        ("np.asscalar(x[0])", "x[0].item()"),
        ("np.percentile(x, 5, interpolation='nearest')", "np.percentile(x, 5, method='nearest')"),
        ("np.nanquantile(x, .5, interpolation=y, axis=0)", "np.nanquantile(x, .5, method=y, axis=0)"),
        ("1 + np.asscalar((x + y)) ** 2", "1 + (x + y).item() ** 2"),
        ("np.asscalar(x.astype(np.float)) if x else np.asscalar(-y)", "x.astype(float).item() if x else (-y).item()"),
        ("np.asscalar(np.asscalar(x))", "x.item().item()"),
        ("x.astype(np.uint8).tostring()", "x.astype(np.uint8).tobytes()"),
        ("[each.tostring(order='F') for each in x]", "[each.tobytes(order='F') for each in x]"),
        ("isinstance(y, np.VisibleDeprecationWarning)", "isinstance(y, np.exceptions.VisibleDeprecationWarning)"),
        ("x.astype(np.int0)", "x.astype(np.intp)"),
        ("np.asfarray(x)[:y]", "np.asarray(x, dtype=float)[:y]"),
        ("np.sum(np.asfarray([y for y in x if y]))", "np.sum(np.asarray([y for y in x if y], dtype=float))"),
    ],
)
def test_names_become_what_they_stood_for(before: str, after: str) -> None:
    becomes(body(before), body(after))


def test_numpy_by_other_names() -> None:
    becomes(body("numpy.float(x)", "import numpy"), body("float(x)", "import numpy"))
    becomes(body("num.unicode_(x)", "import numpy as num"), body("num.str_(x)", "import numpy as num"))


@pytest.mark.parametrize("line", ["x.float", "np.float64(x)", "np.array(x).product", "x.np.bool", "np.boolean"])
def test_other_names_stay(line: str) -> None:
    unchanged(body(line))
    unchanged(body("np.float(x)", "import notnumpy as np"))


def test_a_name_that_may_be_something_else_stays() -> None:
    unchanged("import numpy as np\n\ndef f(np):\n    return np.float(1)\n")


def test_what_has_no_exact_successor_is_told() -> None:
    for name in numpy_alias._GONE:
        refuses(body(f"np.{name}(x)"), f"numpy.{name}")
    refuses("import numpy as np\n\nfloat = print\n\ndef f(x):\n    return np.float(x)\n", "numpy.float")
    for line in ("np.fromstring(x, np.uint8)", "np.reshape(order='C', a=x, newshape=y)"):
        (finding,) = migrated(body(line)).findings
        assert finding.rule == "TFM126" and finding.action == "manual"
    unchanged(body("np.fromstring(x, sep=' ')"))


@pytest.mark.parametrize("line", ["x.ptp()", "y.max().ptp(axis=0)", "x.itemset(0, y)"])
def test_methods_that_arrays_lost_are_told(line: str) -> None:
    (finding,) = migrated(body(line)).findings
    assert (finding.rule, finding.action) == ("TFM126", "manual")


def test_methods_of_other_objects_stay() -> None:
    unchanged(body("ET.tostring(x)", "import numpy as np\nimport xml.etree.ElementTree as ET"))
    unchanged(body("x.tostring(y), x.ptp, x.itemset"))
    unchanged(f"{body('x.tostring()')}\n\nclass Text:\n    def tostring(self):\n        return ''\n")


def test_a_scalar_of_an_array_without_a_call_is_told() -> None:
    refuses(body("map(np.asscalar, x)"), "numpy.asscalar")
    refuses(body("np.asscalar(*x)"), "numpy.asscalar")


def test_functions_of_lib_are_numpys_own() -> None:
    assert all(callable(getattr(np, name)) and not hasattr(np.lib, name) for name in numpy_alias._OF_LIB)


def test_successors_are_in_the_numpy_that_is_here() -> None:
    assert all(attrgetter(name)(np) is not None for name in numpy_alias._SECOND_NAMES.values())


def test_modules_without_tensorflow_are_rewritten_too(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import tensorflow as tf\nimport data\n")
    (tmp_path / "data.py").write_text(body("np.float(x)"))
    (tmp_path / "old.py").write_text("import numpy as np\nprint np.float\n")
    options = Options(paths=(tmp_path,))
    outcome = run(discover(options).code, options)
    assert {file.path: file.status for file in outcome.report.files}["old.py"] == "unchanged"
    assert outcome.contents == {"data.py": body("float(x)").encode()}


def test_numbers_of_arrays_and_padding() -> None:
    becomes(body("np.asscalar(x)"), body("x.item()"))
    becomes(body("np.asscalar(x + 1)"), body("(x + 1).item()"))
    becomes(body("np.lib.pad(x, 1, 'edge')"), body("np.pad(x, 1, 'edge')"))


def test_floats_of_another_type_or_without_a_call_are_told() -> None:
    refuses(body("np.asfarray(x, np.float32)"), "numpy.asfarray")
    refuses(body("list(map(np.asfarray, x))"), "numpy.asfarray")
    refuses("import numpy as np\n\nfloat = str\n\ndef f(x):\n    return np.asfarray(x)\n", "numpy.asfarray")


def rewritten(folder: Path, modules: dict[str, str]) -> dict[str, str]:
    """What becomes of the modules of a tree that change."""
    for name, text in modules.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    options = Options(paths=(folder,))
    return {name: text.decode() for name, text in run(discover(options).code, options).contents.items()}


def test_numpy_that_a_star_import_brings_in(tmp_path: Path) -> None:
    """`from common import *` brings `np` along, where `common` imports it."""
    common = "import os\n\nimport numpy as np\n\n\ndef folder():\n    return os.getcwd()\n"
    head = "import tensorflow as tf\nfrom common import *"
    line = "tf.constant(np.mat([x, y]).transpose()), np.zeros(3, np.bool)"
    after = "tf.constant(np.asmatrix([x, y]).transpose()), np.zeros(3, bool)"
    found = rewritten(tmp_path, {"common.py": common, "train.py": body(line, head)})
    assert found == {"train.py": body(after, head)}


def test_numpy_that_comes_by_several_star_imports(tmp_path: Path) -> None:
    modules = {
        "lib/__init__.py": "",
        "lib/base.py": "import numpy\nfrom numpy import product as times\n",
        "lib/tools.py": "from .base import *\n\nWIDTH = eval('3')\n",
    }
    head = "import tensorflow as tf\nfrom lib.tools import *"
    found = rewritten(tmp_path, {**modules, "use.py": body("numpy.product(times(x)) * WIDTH", head)})
    assert found == {"use.py": body("numpy.prod(times(x)) * WIDTH", head)}


@pytest.mark.parametrize(
    "common",
    [
        "import numpy as np\n\n__all__ = ['width']\nwidth = 3\n",
        "class np:\n    mat = list\n",
        "import numpy as np\nimport mine as np\n",
        "import numpy as np\nglobals().update(np=list)\n",
        "import numpy as np\nfrom _np import np\n",
        "import math\nfrom unknown import *\n",
    ],
)
def test_a_name_by_a_star_import_that_is_not_numpys_for_certain_stays(common: str, tmp_path: Path) -> None:
    own = body("np.mat(x)", "from plain import *\n\nnp = object()")
    use = body("np.mat(x)", "from plain import *\nfrom common import *")
    modules = {"common.py": common, "plain.py": "import numpy as np\n", "use.py": use, "own.py": own}
    assert rewritten(tmp_path, modules) == {}
