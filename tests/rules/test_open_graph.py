"""Where the graph is opened: in scripts, in modules that build while they are imported, and nowhere else."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated, unchanged

IMPORTS = "import tensorflow as tf\nimport compat\n"


def test_before_the_first_statement_that_builds() -> None:
    becomes(
        """\
        import tensorflow as tf

        RATE = 0.1
        flags = parse()

        # the inputs
        x = tf.placeholder(tf.float32)
        """,
        IMPORTS
        + """\

        RATE = 0.1
        flags = parse()

        compat.open_graph()
        # the inputs
        x = compat.placeholder(tf.float32)
        """.replace("        ", ""),
    )


@pytest.mark.parametrize(
    ("statement", "opens"),
    [
        ("w = tf.Variable([[1.0]], name='w')\nprint(w.shape)", True),
        ("def made(n):\n    return tf.Variable(tf.zeros([n]))\n\n\nprint(made(3).name)", True),
        ("def made(n):\n    return tf.Variable(tf.zeros([n]))", False),
        ("w = tf.Variable(1.0)\nprint((w * 2.0).numpy())", False),
        ("w = tf.Variable(1.0)\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])", False),
    ],
)
def test_variables_alone(statement: str, opens: bool) -> None:
    assert ("open_graph()" in migrated(f"import tensorflow as tf\n\n{statement}\n").text) == opens


def test_a_function_that_builds_is_called() -> None:
    becomes(
        """\
        import tensorflow as tf

        def read():
            return 3

        def net():
            return tf.placeholder(tf.float32)

        def train():
            net()

        read()
        train()
        """,
        """\
        import tensorflow as tf
        import compat

        def read():
            return 3

        def net():
            return compat.placeholder(tf.float32)

        def train():
            net()

        read()
        compat.open_graph()
        train()
        """,
    )


@pytest.mark.parametrize("other", ["net", "net if RATE else None", '{"net": net}["net"]'])
def test_a_function_that_builds_is_called_by_another_name(other: str) -> None:
    code = f"RATE = 0.1\n\n\ndef net():\n    return tf.placeholder(tf.float32)\n\n\nbuild = {other}\nx = build()\n"
    new = code.replace("tf.placeholder", "compat.placeholder").replace("x = ", "compat.open_graph()\nx = ")
    becomes(f"import tensorflow as tf\n\n{code}", f"{IMPORTS}\n{new}")


TWO = """\
import tensorflow as tf


def train(rate=2.0):
    tf.placeholder(tf.float32)


def test(rate=2.0):
    tf.placeholder(tf.float32)


"""
ASKED = [
    ("", '{"train": train, "test": test}[mode]()'),
    ("", "[train, test][0]()"),
    ("", '(train if mode == "train" else test)()'),
    ("", "(lambda: train())()"),
    ("", "list(map(lambda rate: train(rate), [0.1]))"),
    ("", "for step in (train, test):\n    step()"),
    ("", 'for name, step in {"train": train}.items():\n    step()'),
    ("", "globals()[mode]()"),
    ("import sys\n", "getattr(sys.modules[__name__], mode)()"),
    ("", "eval(mode)()"),
    ("", "eval('train()')"),
    ("steps = {}\nsteps[mode] = train\n", "steps[mode]()"),
    ("steps = [test]\nsteps += [train]\n", "steps[-1]()"),
    ("steps = dict([(mode, train)])\n", "steps[mode]()"),
    ("import functools\n\nstep = functools.partial(train, 0.1)\n", "step()"),
    ("step, other = train, len\n", "step()"),
    ("step: object = train\n", "step()"),
    ("for _ in range(2):\n    step = train\n", "step()"),
    ('with open("rates") as rates:\n    step = train\n', "step()"),
    ("if mode:\n    step = train\nelse:\n    step = len\n", "step()"),
    (
        "steps = {}\n\n\ndef register(step):\n    steps[step.__name__] = step\n    return step\n\n\n"
        "@register\ndef last():\n    train()\n\n\n",
        'steps["last"]()',
    ),
]


@pytest.mark.parametrize(("head", "line"), ASKED)
def test_a_function_that_builds_is_looked_up(head: str, line: str) -> None:
    """`{"train": train}[mode]()`: what is called there may build, whatever it is (its placeholder failed)."""
    text = migrated(f"{TWO}mode = str('train')\n{head}{line}\n").text
    assert text.endswith(f"compat.open_graph()\n{line}\n")
    assert text.count("open_graph") == 1


@pytest.mark.parametrize(
    "line",
    [
        "STEPS = dict([('train', train), ('test', test)])",
        "STEPS = collections.OrderedDict([('train', train)])",
        "step = functools.partial(train, rate=0.1)",
        "STEPS['train'] = train",
        "STEPS += [train]",
    ],
)
def test_what_only_holds_functions_opens_nothing(line: str) -> None:
    head = "import collections\nimport functools\n\nSTEPS = {}\n"
    assert "open_graph" not in migrated(f"{TWO}{head}{line}\n", "steps.py", {"run.py": "import steps\n"}).text


def test_in_the_guard_where_only_that_builds() -> None:
    becomes(
        """\
        import tensorflow as tf

        def main():
            tf.placeholder(tf.float32)

        if __name__ == "__main__":
            main()
        """,
        """\
        import tensorflow as tf
        import compat

        def main():
            compat.placeholder(tf.float32)

        if __name__ == "__main__":
            compat.open_graph()
            main()
        """,
    )


def test_a_guard_on_one_line() -> None:
    result = migrated("import tensorflow as tf\ndef main(): tf.placeholder(1)\nif __name__ == '__main__': main()\n")
    assert result.text.endswith("if __name__ == '__main__': compat.open_graph(); main()\n")


def test_tests_open_graphs_of_their_own() -> None:
    code = (
        "import tensorflow as tf\n\nclass T(tf.test.TestCase):\n    x = 1\n\n"
        "if __name__ == '__main__':\n    tf.test.main()\n"
    )
    assert "open_graph" not in migrated(code).text


@pytest.mark.parametrize("start", ["tf.app.run()", "tf.app.run(main)", "tf.app.run(main=main)"])
def test_programs_that_run_their_main(start: str) -> None:
    code = (
        f"import tensorflow as tf\n\ndef main(_):\n    tf.placeholder(1)\n\nif __name__ == '__main__':\n    {start}\n"
    )
    assert migrated(code).text.endswith(f"    compat.open_graph()\n    {start.replace('tf.', 'compat.')}\n")


def test_a_main_that_builds_nothing() -> None:
    code = "import tensorflow as tf\n\ndef main(_):\n    print(1)\n\nif __name__ == '__main__':\n    tf.app.run()\n"
    assert "open_graph" not in migrated(code).text


def test_main_passed_to_another_starter() -> None:
    code = "import tensorflow as tf\nfrom absl import app\n\ndef main(_):\n    tf.placeholder(1)\n\napp.run(main)\n"
    assert "compat.open_graph()\napp.run(main)\n" in migrated(code).text


def test_a_module_that_others_import_closes_what_it_opens() -> None:
    becomes(
        """\
        import tensorflow as tf
        step = tf.Variable(0)
        def f():
            return step
        """,
        """\
        import tensorflow as tf
        import compat
        compat.open_graph()
        step = compat.Variable(0)
        def f():
            return step
        compat.close_graph()
        """,
        "model.py",
        **{"train.py": "import model\nimport tensorflow as tf\ntf.Session()\n"},
    )


def test_a_package_that_builds_through_its_modules_while_it_is_imported() -> None:
    """As tflearn does, whose `__init__` makes the variable that says whether the model is in training."""
    code = "from net import config\n\nconfig.init_training_mode()\n"
    others = {
        "net/config.py": "import tensorflow as tf\ndef init_training_mode():\n    tf.get_variable('is_training', [])\n",
        "train.py": "import net\n",
    }
    assert migrated(code, "net/__init__.py", others).text == (
        "from net import config\nimport compat\n\n"
        "compat.open_graph()\nconfig.init_training_mode()\ncompat.close_graph()\n"
    )


def test_a_test_whose_parameters_are_modules() -> None:
    """The decorator of a test builds nothing, what it is given may."""
    code = (
        "import tensorflow as tf\nimport net\nfrom absl.testing import parameterized\n\n"
        "class T(tf.test.TestCase, parameterized.TestCase):\n"
        "    @parameterized.parameters((net.Linear(3),))\n    def test_it(self, module):\n        module(1)\n"
    )
    others = {
        "net.py": "import tensorflow as tf\nclass Linear:\n    def __init__(self, n):\n        tf.get_variable('w')\n"
    }
    text = migrated(code, "net_test.py", others).text
    assert "\ncompat.open_graph()\nclass T(" in text
    assert text.endswith("\ncompat.close_graph()\n")


def test_decorators_of_the_tree_open_nothing() -> None:
    code = (
        "import tensorflow as tf\nimport registry\n\n@registry.register('a')\nclass Net:\n"
        "    @registry.cached(3)\n    def build(self):\n        tf.placeholder(1)\n"
    )
    others = {
        "registry.py": "import tensorflow as tf\ndef register(n):\n    return tf.placeholder\ncached = register\n"
    }
    assert "open_graph" not in migrated(code, others=others).text


@pytest.mark.parametrize(
    "read",
    [
        "[event.step for event in tf.train.summary_iterator('events')]",
        "tf.train.NewCheckpointReader('model.ckpt').get_tensor('w')",
        "[tf.train.SequenceExample.FromString(row) for row in tf.python_io.tf_record_iterator('rows')]",
        "tf.make_ndarray(tf.make_tensor_proto([1, 2]))",
    ],
)
def test_what_reads_files_opens_nothing(read: str) -> None:
    code = f"import tensorflow as tf\n\n\ndef read():\n    return {read}\n\n\nprint(read())\n"
    assert "open_graph" not in migrated(code, "plots.py", {"model.py": "import tensorflow as tf\ntf.zeros([])\n"}).text


def test_a_module_of_functions_opens_nothing() -> None:
    code = "import tensorflow as tf\ndef f():\n    return tf.placeholder(1)\nTYPE = tf.float32\n"
    assert "open_graph" not in migrated(code, "model.py", {"train.py": "import model\n"}).text
    assert "open_graph" not in migrated(code, "model.py").text


def test_a_script_that_builds_through_other_modules() -> None:
    code = "from model import Model\n\nmodel = Model()\n"
    others = {"model.py": "import tensorflow as tf\nclass Model:\n    def __init__(self):\n        tf.placeholder(1)\n"}
    assert (
        migrated(code, others=others).text
        == "from model import Model\nimport compat\n\ncompat.open_graph()\nmodel = Model()\n"
    )


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("from pkg import model\n", "model.Model()"),
        ("import pkg.model\n", "pkg.model.Model()"),
        ("import pkg.model as m\n\nMODELS = {'a': m.Model}\n", "MODELS['a']()"),
        ("from pkg import model\n\ndef run(kind):\n    return kind()\n\n", "run(model.Model)"),
        ("import pkg.model\n\nclass Trainer:\n    kind = pkg.model.Model\n\n", "Trainer().kind()"),
    ],
)
def test_a_script_that_builds_through_a_module_of_a_package(head: str, line: str) -> None:
    others = {
        "pkg/__init__.py": "__version__ = '1'\n",
        "pkg/model.py": "import tensorflow as tf\nclass Model:\n    def __init__(self):\n        tf.placeholder(1)\n",
    }
    assert f"compat.open_graph()\n{line}\n" in migrated(head + line + "\n", others=others).text


@pytest.mark.parametrize("line", ["from model import Model", "import model"])
def test_a_script_that_builds_by_a_function_that_imports(line: str) -> None:
    others = {"model.py": "import tensorflow as tf\nclass Model:\n    def __init__(self):\n        tf.placeholder(1)\n"}
    used = "Model" if "from" in line else "model.Model"
    code = f"import sys\n\n\ndef main():\n    {line}\n    {used}()\n\n\nmain()\n"
    assert migrated(code, others=others).text.endswith("\n\ncompat.open_graph()\nmain()\n")


def test_a_script_that_takes_nothing_of_a_package_that_builds() -> None:
    others = {
        "pkg/__init__.py": "",
        "pkg/model.py": "import tensorflow as tf\nclass Model:\n    def __init__(self):\n        tf.placeholder(1)\n",
        "pkg/names.py": "NAMES = ['a']\ndef find(name):\n    return NAMES.index(name)\n",
    }
    code = "from pkg import names\nprint(names.find('a'))\n"
    assert migrated(code, others=others).text == code


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf\nprint(tf.add(1, 2))\n",
        "import tensorflow as tf\nmodel = tf.keras.Sequential()\nmodel.fit(1, 2)\n",
        "import tensorflow as tf\nimport compat\nx = tf.Variable(1.0)\n",
        "import tensorflow as tf\nimport compat\n\ncompat.open_graph()\nx = compat.placeholder(tf.float32)\n",
        "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return x\n\nf(tf.constant(1))\n",
    ],
)
def test_programs_of_tensorflow_2(code: str) -> None:
    unchanged(code)


def test_eager_programs_of_tensorflow_1() -> None:
    result = migrated("import tensorflow as tf\ntf.enable_eager_execution()\nprint(tf.log(1.0))\n")
    assert result.text == "import tensorflow as tf\nprint(tf.math.log(1.0))\n"


@pytest.mark.parametrize("switch", ["tf.enable_eager_execution", "tf.enable_v2_behavior"])
def test_eager_programs_with_variables_tell_compat(switch: str) -> None:
    result = migrated(f'import tensorflow as tf\n{switch}()\nw = tf.get_variable("w", [2])\n')
    told = switch.replace("tf.", "compat.")
    assert result.text == f'import tensorflow as tf\nimport compat\n{told}()\nw = compat.get_variable("w", [2])\n'


def test_eager_programs_by_the_name_of_contrib() -> None:
    code = "import tensorflow.contrib.eager as tfe\ntfe.enable_eager_execution()\nx = tfe.Iterator(data).next()\n"
    assert "\ntfe.enable_eager_execution()\n" in migrated(code).text


@pytest.mark.parametrize(
    "statement",
    [
        "w = initializer([2, 2])",
        "w = table['w']([2, 2])",
        "w = tf.glorot_uniform_initializer(seed=1)([2, 2])",
        "w = made(initializer)",
        "w = made(init=table['w'])",
    ],
)
def test_an_initializer_that_is_called_builds(statement: str) -> None:
    before = f"""\
import tensorflow as tf

def made(init):
    return init([2])

initializer = tf.glorot_uniform_initializer(seed=1)
table = {{"w": tf.zeros_initializer()}}
{statement}
with tf.Session() as sess:
    print(sess.run(w))
"""
    text = migrated(before).text
    assert f"compat.open_graph()\n{statement.replace('tf.glorot', 'compat.glorot')}\n" in text


def test_an_initializer_that_is_passed_on_does_not_build_yet() -> None:
    before = """\
import tensorflow as tf

initializer = tf.glorot_uniform_initializer(seed=1)
settings = dict(initializer=initializer)
w = tf.get_variable("w", [2], initializer=initializer)
"""
    assert "compat.open_graph()\nw = " in migrated(before).text


@pytest.mark.parametrize(
    ("more", "opens"), [("", False), ("rows = tf.constant([[1.0, 2.0]])\n", True)], ids=["Keras alone", "a tensor too"]
)
def test_models_of_keras_alone_run_at_once(more: str, opens: bool) -> None:
    before = f"""\
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
{more}model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
    assert ("open_graph" in migrated(before).text) is opens


def test_a_script_that_builds_with_keras_through_a_module() -> None:
    becomes(
        """\
        import model

        net = model.net()
        net.train_on_batch([[1.0]], [[2.0]])
        """,
        """\
        import model
        import compat

        compat.open_graph()
        net = model.net()
        net.train_on_batch([[1.0]], [[2.0]])
        """,
        **{
            "model.py": """\
                from keras import layers, models

                def net():
                    made = models.Sequential([layers.Dense(1, input_shape=(1,))])
                    made.compile("sgd", "mse")
                    return made
                """
        },
    )
