"""What the interpreter knows behind pieces of Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interpreter.execution import executed, known, shown

SNIPPETS = {
    "a search that raises where it finds nothing": (
        """\
import sys
def first():
    for name in ('a', 'b'):
        if name in sys.argv:
            break
    else:
        raise ValueError
    return [name, 7]
found = first()
""",
        "['a' | 'b', 7]",
    ),
    "sorted texts": (
        """\
found = sorted({'b': 1, 'a': 2}) + sorted([3, 1])
""",
        "['a', 'b', 1, 3]",
    ),
    "a container's truth": (
        """\
import sys
found = [bool([]), bool([sys.argv]), bool({})]
""",
        "[False, True, False]",
    ),
    "containers beside constants": (
        """\
keys = [('in', 0), 'out', 'size']
found = [key for key in keys if key[0] == 'in' or key == 'out']
same = ('in', 0) == ('in', 0)
found = [found, same, ('in', 0) != ('in', 1)]
""",
        "[[['in', 0], 'out'], True, True]",
    ),
    "a counter": (
        """\
import collections
class Block(object):
    seen = collections.Counter()
    def __init__(self):
        Block.seen['block'] += 1
        self.title = 'block%d' % Block.seen['block']
found = [Block().title, Block().title]
""",
        "['block1', 'block2']",
    ),
    "members of a class": (
        """\
import inspect
class Settings(object):
    rate, _size = 0.5, 3
class Net(object):
    pass
def adopt(target, settings):
    names = [name for name, _ in inspect.getmembers(settings) if not name.startswith('__')]
    for name in names:
        setattr(target, name.lstrip('_'), getattr(settings, name))
net = Net()
adopt(net, Settings)
found = [net.rate, net.size]
""",
        "[0.5, 3]",
    ),
    "parameters of a class": (
        """\
import inspect
class Net(object):
    def __init__(self, size, rate=0.1):
        self.size, self.rate = size, rate
net = Net(3)
found = {name: getattr(net, name) for name in inspect.signature(type(net)).parameters}
""",
        "{'size': 3, 'rate': 0.1}",
    ),
    "names of a function around a comprehension": (
        """\
def settings(a, b=2):
    return [name for name, value in locals().items()]
found = settings(1)
""",
        "['a', 'b']",
    ),
    "arithmetic": (
        """\
found = 2 ** 3 + len('ab')
""",
        "10",
    ),
    "what only the running program knows": (
        """\
import sys
found = len(sys.argv)
""",
        "?",
    ),
    "text": (
        """\
found = 'w%d' % 3 + '{}'.format(1) + f'{2}'
""",
        "'w312'",
    ),
    "a list that a loop fills": (
        """\
found = []
for n in (1, 2):
    found.append(n * n)
""",
        "[1, 4]",
    ),
    "a list that grows by a condition": (
        """\
import sys
found = [1]
if sys.argv:
    found.append(2)
""",
        "[1, *2]",
    ),
    "a name of two ways": (
        """\
import sys
found = 1
if sys.argv:
    found = 2
""",
        "1 | 2",
    ),
    "a known condition": (
        """\
DEBUG = False
if DEBUG:
    found = 1
else:
    found = 2
""",
        "2",
    ),
    "a loop of nobody knows how many turns": (
        """\
import sys
found = []
for word in sys.argv:
    found.append(3)
""",
        "[*3]",
    ),
    "a return on one way": (
        """\
import sys
def f():
    if sys.argv:
        return 1
    return 2
found = f()
""",
        "1 | 2",
    ),
    "an error is no result": (
        """\
import sys
def f():
    if sys.argv:
        raise ValueError
    return 2
found = f()
""",
        "2",
    ),
    "closures": (
        """\
def outer(n):
    def inner(m):
        return n + m
    return inner
found = outer(1)(2)
""",
        "3",
    ),
    "nonlocal": (
        """\
def f():
    n = 0
    def up():
        nonlocal n
        n += 1
    up()
    up()
    return n
found = f()
""",
        "2",
    ),
    "global": (
        """\
count = 0
def up():
    global count
    count += 1
up()
found = count
""",
        "1",
    ),
    "arguments": (
        """\
def f(a, *rest, b=2, **more):
    return [a, list(rest), b, more]
found = f(1, 5, 6, c=7)
""",
        "[1, [5, 6], 2, {'c': 7}]",
    ),
    "stars in calls": (
        """\
def f(a, b, c):
    return [a, b, c]
found = f(*[1, 2], **{'c': 3})
""",
        "[1, 2, 3]",
    ),
    "partial": (
        """\
import functools
def f(a, b=1):
    return [a, b]
found = functools.partial(f, b=5)(2)
""",
        "[2, 5]",
    ),
    "lambda and map": (
        """\
found = list(map(lambda n: n + 1, [1, 2]))
""",
        "[2, 3]",
    ),
    "zip and enumerate": (
        """\
found = [(i, a, b) for i, (a, b) in enumerate(zip('ab', [3, 4]))]
""",
        "[[0, 'a', 3], [1, 'b', 4]]",
    ),
    "zip with data": (
        """\
import sys
found = dict(zip(['a', 'b'], sys.argv))
""",
        "{'a': ?, 'b': ?}",
    ),
    "a dictionary that is updated": (
        """\
found = {'a': 1}
found.update({'b': 2})
found['c'] = 3
""",
        "{'a': 1, 'b': 2, 'c': 3}",
    ),
    "a key on one way": (
        """\
import sys
found = {}
if sys.argv:
    found['a'] = 1
""",
        "{'a': 1 | absent}",
    ),
    "get with a default": (
        """\
found = {'a': 1}.get('b', 5)
""",
        "5",
    ),
    "inheritance": (
        """\
class A(object):
    def name(self):
        return 'a' + self.tail()
class B(A):
    def tail(self):
        return 'b'
    def name(self):
        return super(B, self).name() + '!'
found = B().name()
""",
        "'ab!'",
    ),
    "a mixin's order": (
        """\
class A:
    def f(self):
        return ['a']
class B(A):
    def f(self):
        return ['b'] + super().f()
class C(A):
    def f(self):
        return ['c'] + super().f()
class D(B, C):
    pass
found = D().f()
""",
        "['b', 'c', 'a']",
    ),
    "a property": (
        """\
class A:
    def __init__(self):
        self._n = 4
    @property
    def n(self):
        return self._n
found = A().n
""",
        "4",
    ),
    "what a property's setter stores": (
        """\
class A(object):
    @property
    def n(self):
        return self._n
    @n.setter
    def n(self, value):
        self._n = value + 1
a = A()
a.n = 4
found = a.n
""",
        "5",
    ),
    "what the setter of a property that is called stores": (
        """\
class A(object):
    def get(self):
        return self._n
    def put(self, value):
        self._n = value + 1
    n = property(get, fset=put)
a = A()
a.n = 4
found = a.n
""",
        "5",
    ),
    "a list turned round that grows by a condition": (
        """\
import sys
given = [1]
if sys.argv:
    given.append('a')
found = list(reversed(given))
""",
        "[*'a' | 1]",
    ),
    "what stands behind items that are not known": (
        """\
import sys
given = [1]
if sys.argv:
    given.append(2)
found = [*given, *['a'], 'b']
""",
        "[1, *'a' | 'b' | 2]",
    ),
    "a default for a key that one way sets": (
        """\
import sys
table = {}
if sys.argv:
    table['n'] = 1
first = table.setdefault('n', 2)
found = [first, table['n']]
""",
        "[1 | 2, 1 | 2]",
    ),
    "a lazy property": (
        """\
def lazy(f):
    name = '_' + f.__name__
    @property
    def get(self):
        if not hasattr(self, name):
            setattr(self, name, f(self))
        return getattr(self, name)
    return get
class A:
    @lazy
    def n(self):
        return 7
found = A().n
""",
        "7",
    ),
    "static and class methods": (
        """\
class A:
    k = 2
    @staticmethod
    def s(n):
        return n
    @classmethod
    def c(cls, n):
        return cls.k * n
found = [A.s(1), A.c(3), A().c(4)]
""",
        "[1, 6, 8]",
    ),
    "a registry": (
        """\
MODELS = {}
def model(cls):
    MODELS[cls.__name__] = cls
    return cls
@model
class Net:
    size = 3
found = MODELS['Net']().size
""",
        "3",
    ),
    "attributes by reflection": (
        """\
class A:
    pass
a = A()
a.__dict__.update(n=1)
setattr(a, 'm', 2)
found = [a.n, a.m]
""",
        "[1, 2]",
    ),
    "a named tuple": (
        """\
import collections
T = collections.namedtuple('T', 'a b')
t = T(1, b=2)
found = [t.a, t[1], t._replace(a=5).a]
""",
        "[1, 2, 5]",
    ),
    "a class of a named tuple": (
        """\
import collections
class Pair(collections.namedtuple('Pair', ['first', 'second'])):
    kind = 'pair'
    @property
    def total(self):
        return self.first + self.second
    def times(self, n):
        return [self.first * n, self[1] * n]
class Named(Pair):
    pass
pair = Named(2, second=3)
found = [pair.first, pair.total, pair.times(2), pair._replace(first=5).total, pair.kind, type(pair) is Named]
""",
        "[2, 5, [4, 6], 8, 'pair', True]",
    ),
    "a named tuple that is created with defaults": (
        """\
import collections
class Layer(collections.namedtuple('Layer', 'size name')):
    def __new__(cls, size, name='layer'):
        return super(Layer, cls).__new__(cls, size + 1, name)
class Wide(collections.namedtuple('Wide', 'size')):
    def __new__(cls, size):
        return super().__new__(cls, size * 10)
layer = Layer(4)
found = [layer.size, layer.name, Layer(1, name='b')[1], Wide(3).size]
""",
        "[5, 'layer', 'b', 30]",
    ),
    "an object that is created in two ways": (
        """\
class One(object):
    made = None
    def __new__(cls, n):
        if cls.made is None:
            cls.made = object.__new__(cls)
        return cls.made
class Other(object):
    def __new__(cls, n):
        return super(Other, cls).__new__(cls)
    def __init__(self, n):
        self.n = n
found = [Other(3).n, One(1) is One(2)]
""",
        "[3, True]",
    ),
    "a generator": (
        """\
def g():
    for n in (1, 2):
        yield n
found = list(g())
""",
        "[1, 2]",
    ),
    "a context manager": (
        """\
import contextlib
@contextlib.contextmanager
def m():
    yield 3
with m() as found:
    pass
""",
        "3",
    ),
    "a callable object": (
        """\
class A:
    def __call__(self, n):
        return n + 1
found = A()(1)
""",
        "2",
    ),
    "operators of a class": (
        """\
class A:
    def __add__(self, n):
        return n
found = A() + 5
""",
        "5",
    ),
    "recursion ends": (
        """\
def f(n):
    return 0 if n == 0 else f(n - 1)
found = f(2)
""",
        "0",
    ),
    "unpacking with a star": (
        """\
a, *found = [1, 2, 3]
""",
        "[2, 3]",
    ),
    "a default that is shared": (
        """\
def f(n, seen=[]):
    seen.append(n)
    return seen
f(1)
found = f(2)
""",
        "[1, 2]",
    ),
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_what_is_known(name: str, tmp_path: Path) -> None:
    text, expected = SNIPPETS[name]
    assert known(tmp_path, text) == expected


def test_modules_of_the_tree(tmp_path: Path) -> None:
    files = {
        "main.py": "from nets import build\nimport nets.sizes as sizes\nfound = [build(), sizes.WIDE]\n",
        "nets/__init__.py": "from .small import *\n",
        "nets/small.py": "from . import sizes\ndef build():\n    return sizes.NARROW\n",
        "nets/sizes.py": "NARROW = 1\nWIDE = 2\n",
    }
    _, frame = executed(tmp_path, files)
    assert shown(frame.slots["found"]) == "[1, 2]"


def test_what_a_script_asks_of_its_name_is_told_as_python_does(tmp_path: Path) -> None:
    files = {
        "main.py": "import other\nif __name__ == '__main__':\n    found = other.found\n",
        "other.py": "found = __name__\n",
    }
    _, frame = executed(tmp_path, files)
    assert shown(frame.slots["found"]) == "'other'"
