"""Which files of a tree are looked into: those that may have to do with TensorFlow, by what their lines import."""

from __future__ import annotations

import pytest

from tf_migrate.names.nearby import nearby

NET = b"import tensorflow as tf\n"


@pytest.mark.parametrize(
    "importing",
    [
        b"import net\n",
        b"import os, net as n\n",
        b"from pkg import (\n    more,  # (one\n    net,\n)\n",
        b"from pkg.net import *\n",
        b"from . import net\n",
        b"from pkg \\\n    import net\n",
        b"if True:\n    try: import net\n    except ImportError: pass\n",
        b'importlib.import_module(\n    "pkg.net")\n',
        b'{"source": ["import os\\n", "from pkg import (\\n", "    net\\n", ")\\n"]}',
        b'{"source": "x = 1\\nimport os\\nfrom pkg import net\\ny = 2"}',
    ],
)
def test_what_imports_a_file_of_tensorflow_is_near(importing: bytes) -> None:
    assert nearby({"pkg.net": NET, "main": importing, "other": b"import os\n"}, "compat") == {"pkg.net", "main"}


def test_what_such_files_import_is_near() -> None:
    tree = {
        "pkg": b"from .base import Base\n",
        "pkg.base": b"import os\n",
        "pkg.net": b"from . import layers\n" + NET,
        "pkg.layers": b"from pkg.util import shape\n",
        "pkg.util": b"import math\n",
        "tools.plot": b"import matplotlib\nfrom tools import style\n",
        "other": b"import pkg.util\n",
        "tools.style": b"import re\n",
    }
    assert nearby(tree, "compat") == {"pkg", "pkg.base", "pkg.net", "pkg.layers", "pkg.util", "other"}


def test_a_tree_without_tensorflow_is_not_looked_into() -> None:
    tree = {"a": b"import b\n", "b": b"# a tensor flow of contributors\nimport requests\n"}
    assert nearby(tree, "compat") == frozenset()


def test_what_imports_the_shims_is_near() -> None:
    tree = {"a": b"import vendored.shims as tf\n", "b": b"import a\n", "c": b"import os\n"}
    assert nearby(tree, "vendored.shims") == {"a", "b"}
