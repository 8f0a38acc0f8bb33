"""Canonical names through everything that real code does, and no further."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tf_migrate.files.source import read
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.names.summary import summarize
from tf_migrate.syntax.module import load, module_name
from tf_migrate.syntax.outline import outline


def names_of(code: str, path: str = "train.py", **others: str) -> Names:
    """The names of a module of a tree; others are given as ``pkg__ops="…"`` for ``pkg/ops.py``, ``pkg___init="…"``."""
    paths = {name: name.replace("__", "/").replace("/_init", "/__init__") + ".py" for name in others}
    texts = {path: code, **{paths[name]: text for name, text in others.items()}}
    modules = [(module_name(name)[0], name.endswith("__init__.py")) for name in texts]
    bare = Index(modules, {})
    sources = [read(name, textwrap.dedent(text).encode()) for name, text in texts.items()]
    exports = {found.name: summarize(found, bare, "compat") for found in map(outline, sources)}
    return Names(load(sources[0]), Index(modules, exports))


def resolved(code: str, path: str = "train.py", **others: str) -> str | None:
    """What the expression of the last statement resolves to."""
    names = names_of(code, path, **others)
    statement = [node for node in ast.walk(names.module.tree) if isinstance(node, ast.Expr)][-1]
    return names.of(statement.value)


@pytest.mark.parametrize(
    ("code", "symbol"),
    [
        ("import tensorflow as tf\ntf.placeholder", "tf.placeholder"),
        ("import tensorflow as T\nT.nn.relu", "tf.nn.relu"),
        ("import tensorflow\ntensorflow.nn.relu", "tf.nn.relu"),
        ("import tensorflow.contrib.slim as slim\nslim.conv2d", "tf.contrib.slim.conv2d"),
        ("import tensorflow.contrib.slim\ntensorflow.contrib.slim.conv2d", "tf.contrib.slim.conv2d"),
        ("from tensorflow.contrib import rnn\nrnn.LSTMCell", "tf.contrib.rnn.LSTMCell"),
        ("from tensorflow.contrib import rnn as r, slim\nr.LSTMCell", "tf.contrib.rnn.LSTMCell"),
        ("from tensorflow import placeholder\nplaceholder", "tf.placeholder"),
        ("from tensorflow import placeholder as ph\nph", "tf.placeholder"),
        ("from tensorflow.python.ops import rnn_cell\nrnn_cell.LSTMCell", "tf.nn.rnn_cell.LSTMCell"),
        ("import tensorflow as tf\ntf.python.ops", "tensorflow.python.ops"),
        ("import tensorflow.compat.v1 as tf\ntf.placeholder", "tf.placeholder"),
        ("import tensorflow as tf\ntf.compat.v1.placeholder", "tf.placeholder"),
        ("from tensorflow.compat import v1\nv1.layers.dense", "tf.layers.dense"),
        ("from tensorflow.compat.v1 import layers\nlayers.dense", "tf.layers.dense"),
        ("import tensorflow.compat.v2 as tf\ntf.Variable", "tf.compat.v2.Variable"),
        ("import tensorflow as tf\nlayers = tf.contrib.layers\nlayers.conv2d", "tf.contrib.layers.conv2d"),
        ("import importlib\ntf = importlib.import_module('tensorflow')\ntf.placeholder", "tf.placeholder"),
        ("from importlib import import_module\ndef f():\n    T = import_module('tensorflow')\n    T.log", "tf.log"),
        ("v1 = __import__('importlib').import_module('json')\nv1.placeholder", None),
        ("backend = __import__('tensorflow')\nnn = backend.nn\nnn.relu", "tf.nn.relu"),
        ("sub = __import__('tensorflow.compat.v1')\nsub.placeholder", None),
        ("import tensorflow as tf\na = b = tf.nn\nb.relu", "tf.nn.relu"),
        ("import tensorflow as tf\na, b = tf.nn, tf.train\nb.Saver", "tf.train.Saver"),
        ("import tensorflow as tf\ndef f():\n    nn = tf.nn\n    def g():\n        nn.relu", "tf.nn.relu"),
        ("import tensorflow as tf\nclass A:\n    nn = tf.nn\n    nn.relu", "tf.nn.relu"),
        ("def f():\n    import tensorflow as tf\n    tf.log", "tf.log"),
        ("try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\ntf.log", "tf.log"),
        (
            "try:\n    import tensorflow.compat.v1 as tf\nexcept ImportError:\n    import tensorflow as tf\ntf.log",
            "tf.log",
        ),
        ("import tensorflow as tf\n[tf.log for x in y]", None),
        ("import tensorflow as tf\ndef f():\n    global g\n    g = tf.nn\ng.relu", "tf.nn.relu"),
        ("from tensorflow import *\nplaceholder", "tf.placeholder"),
        ("from tensorflow import *\nno_such_name", None),
        ("from tensorflow.contrib.layers import *\nfully_connected", "tf.contrib.layers.fully_connected"),
        ("import compat\ncompat.Session", "compat.Session"),
        ("from compat.contrib import slim\nslim.conv2d", "compat.contrib.slim.conv2d"),
    ],
)
def test_symbols(code: str, symbol: str | None) -> None:
    assert resolved(code) == symbol


@pytest.mark.parametrize(
    "code",
    [
        "tf.placeholder",
        "import numpy as tf\ntf.log",
        "import tensorflow as tf\ntf = object()\ntf.log",
        "import tensorflow as tf\ndef f(tf):\n    tf.log",
        "import tensorflow as tf\ndef f(*tf):\n    tf.log",
        "import tensorflow as tf\ndef f():\n    tf = g()\n    tf.log",
        "import tensorflow as tf\nfor tf in x:\n    tf.log",
        "import tensorflow as tf\nwith a as tf:\n    tf.log",
        "import tensorflow as tf\ntry:\n    f()\nexcept E as tf:\n    tf.log",
        "from tensorflow import placeholder\ndef placeholder(): pass\nplaceholder",
        "from tensorflow import placeholder\nclass placeholder: pass\nplaceholder",
        "class A:\n    import tensorflow as tf\n    def f(self):\n        tf.log",
        "import tensorflow as tf\nx = tf.placeholder(1)\nx.shape",
        "import tensorflow_probability as tf\ntf.log",
        "import tensorflowx\ntensorflowx.log",
        "from .tensorflow import log\nlog",
        "import tensorflow as tf\nmatch x:\n    case tf:\n        tf.log",
        "import tensorflow as tf\nself.tf.log",
        "import tensorflow as tf\nx = x\nx.log",
    ],
)
def test_what_is_not_tensorflow(code: str) -> None:
    assert resolved(code) is None


def test_comprehension_variables_shadow_inside_only() -> None:
    names = names_of("import tensorflow as tf\n[tf.log for tf in tf.nn]\n[(tf := 1) for x in y]\n")
    assert [use.symbol for use in names.uses] == []
    names = names_of("import tensorflow as tf\n[tf.log for tf in tf.nn]\ntf.exp\n")
    assert [use.symbol for use in names.uses] == ["tf.nn", "tf.exp"]


def test_defaults_and_decorators_belong_outside() -> None:
    names = names_of(
        "import tensorflow as tf\n@tf.custom_gradient\ndef f(tf, a=tf.nn.relu) -> tf.Tensor:\n    tf.log\n"
    )
    assert {use.symbol for use in names.uses} == {"tf.custom_gradient", "tf.nn.relu", "tf.Tensor"}


OPS = "import tensorflow as tf\nfrom tensorflow.contrib import slim\nlayers = tf.layers\ndef linear(): pass\n_tf = tf\n"


@pytest.mark.parametrize(
    ("code", "symbol"),
    [
        ("from ops import *\ntf.log", "tf.log"),
        ("from ops import *\nslim.conv2d", "tf.contrib.slim.conv2d"),
        ("from ops import *\nlayers.dense", "tf.layers.dense"),
        ("from ops import *\nlinear", None),
        ("from ops import *\n_tf.log", None),
        ("from ops import _tf\n_tf.log", "tf.log"),
        ("from ops import layers as l\nl.dense", "tf.layers.dense"),
        ("import ops\nops.tf.log", "tf.log"),
        ("import ops\nops.linear", None),
        ("from ops import *\ntf = 3\ntf.log", None),
        ("from ops import *\nfrom plain import *\ntf.log", None),
        ("from plain import *\nfrom ops import *\ntf.log", "tf.log"),
        ("from again import *\nlayers.dense", "tf.layers.dense"),
        ("from renamed import nets\nnets.conv2d", "tf.contrib.slim.conv2d"),
    ],
)
def test_through_modules_of_the_tree(code: str, symbol: str | None) -> None:
    others = {
        "ops": OPS,
        "plain": "tf = 1\n",
        "again": "from ops import *\n",
        "renamed": "from ops import slim as nets\n",
    }
    assert resolved(code, **others) == symbol


def test_all_limits_a_star() -> None:
    limited = OPS + "__all__ = ['layers']\n"
    assert resolved("from ops import *\nlayers.dense", ops=limited) == "tf.layers.dense"
    assert resolved("from ops import *\ntf.log", ops=limited) is None


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ("from .ops import *\ntf.log", "pkg/train.py"),
        ("from . import ops\nops.tf.log", "pkg/train.py"),
        ("from ..ops import tf\ntf.log", "pkg/sub/train.py"),
        ("from .. import ops\nops.tf.log", "pkg/sub/train.py"),
        ("import pkg.ops\npkg.ops.tf.log", "main.py"),
        ("import pkg.ops as o\no.tf.log", "main.py"),
        ("from pkg import ops\nops.tf.log", "src/main.py"),
        ("from ops import tf\ntf.log", "pkg/train.py"),
    ],
)
def test_packages(code: str, path: str) -> None:
    assert resolved(code, path, pkg__ops=OPS) == "tf.log"


def test_modules_that_import_each_other() -> None:
    assert resolved("from b import *\nfrom b import x\nx.log", "a.py", b="from a import *\nfrom a import x\n") is None


def test_uses_are_the_longest_expressions_in_order() -> None:
    names = names_of(
        "import tensorflow as tf\nx = tf.nn.relu(tf.log(y).value)\n"
        "slim = tf.contrib.slim\nslim.conv2d(tf.float32.max)\n"
    )
    found = [(use.symbol, use.call is not None) for use in names.uses]
    assert found == [
        ("tf.nn.relu", True),
        ("tf.log", True),
        ("tf.contrib.slim", False),
        ("tf.contrib.slim.conv2d", True),
        ("tf.float32.max", False),
    ]


def test_deeply_nested_code_is_walked() -> None:
    code = "import tensorflow as tf\nx = " + " + ".join(["tf.log"] * 800) + "\n"
    assert len(names_of(code).uses) == 800


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("from tensorflow.models.rnn import rnn as r", "from tensorflow.contrib import rnn as r", "tf.contrib.rnn"),
        ("r = tf.nn.rnn_cell", "r = tf.contrib.rnn", "tf.nn.rnn_cell"),
        ("r = tf.select", "r = tf.where", "tf.where"),
        ("r = tf.nosuch", "r = tf.neither", "tf.nosuch"),
        ("import tensorflow.compat.v2 as r", "import tensorflow as r", "tf.compat.v2"),
    ],
)
@pytest.mark.parametrize("indent", ["", "    "])
def test_of_several_ways_the_one_that_tensorflow_1_15_had_counts(
    first: str, second: str, expected: str, indent: str
) -> None:
    lines = ["try:", f"    {first}", "except (ImportError, AttributeError):", f"    {second}", "print(r)"]
    head = "import tensorflow as tf\n" + ("def f():\n" if indent else "")
    names = names_of(head + "".join(f"{indent}{line}\n" for line in lines))
    assert [use.symbol for use in names.uses if use.root.id == "r"] == [expected]


def test_a_package_that_imports_its_own_module_from_itself() -> None:
    own = {"pkg___init": "from pkg import layers\n", "pkg__layers": OPS}
    assert resolved("from pkg import layers\nlayers.slim.conv2d", **own) == "tf.contrib.slim.conv2d"
    assert resolved("import pkg\npkg.layers.slim.conv2d", **own) == "tf.contrib.slim.conv2d"


def test_a_module_that_has_the_name_of_its_package() -> None:
    """`dnc/dnc.py` means the package by that name, as all others of the package do."""
    own = {"dnc___init": "", "dnc__ops": OPS, "dnc__dnc": "from dnc import ops\n"}
    assert resolved("from dnc import ops\nops.slim.conv2d", path="dnc/run.py", **own) == "tf.contrib.slim.conv2d"
    alone = {**own, "dnc__dnc": "import numpy\n"}
    assert resolved("from dnc import ops\nops.slim.conv2d", path="dnc/run.py", **alone) == "tf.contrib.slim.conv2d"
    bound = {**own, "dnc__dnc": "import tensorflow as ops\n"}
    assert resolved("from dnc import ops\nops.exp", path="dnc/run.py", **bound) == "tf.exp"
    own["dnc__run"] = own.pop("dnc__dnc")
    assert resolved("from dnc import ops\nops.slim.conv2d", path="dnc/dnc.py", **own) == "tf.contrib.slim.conv2d"
