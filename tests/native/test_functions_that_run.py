"""Functions that build a graph and run it: converted where they are called once, as the top of a script would be."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten

BODY = """\
    x = tf.placeholder(tf.float32, [None])
    w = tf.Variable(2.0, name="w")
    loss = tf.reduce_sum(x * w)
    step = tf.train.GradientDescentOptimizer(rate).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            _, value = sess.run([step, loss], {x: [1.0]})
            print(value)
        print(sess.run(w))
"""
HEAD = "import tensorflow as tf\nrate = 0.5\n"
OUTPUT = "2.0\n1.5\n1.0\n"


def native(code: str) -> str:
    result = made_native(code)
    assert "Session" not in result.text
    assert rewritten(result.text).text == result.text
    return result.text


@pytest.mark.parametrize(
    "call",
    ["train()\n", "if __name__ == '__main__':\n    train()\n", "def main():\n    train()\n\nmain()\n"],
    ids=["a statement", "the main guard", "another function"],
)
def test_a_function_called_once(call: str) -> None:
    text = native(f"{HEAD}\n\ndef train():\n{BODY}\n\n{call}")
    assert "    @tf.function" in text
    assert printed(text) == OUTPUT


@pytest.mark.parametrize("name", ["input", "filter", "unread"])
def test_a_local_name_that_means_something_else_where_nobody_reads_it(name: str) -> None:
    body = BODY.replace("loss = tf.reduce_sum(x * w)", f"{name} = x * w\n    loss = tf.reduce_sum({name})")
    other = f"def other({name}):\n    return {name}\n\n\n"
    text = native(f"{HEAD}unread = 1\n\n\n{other}def train():\n{body}\n\ntrain()\nprint(other(1))\n")
    assert printed(text) == f"{OUTPUT}1\n"


METHOD = """\
class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [])
        self.doubled = self.x * 2.0

    def show(self, sess):
        for sample in range(2):
            print(sample, sess.run(self.doubled, {self.x: sample}))


def sample():
    model = Model()
    with tf.Session() as sess:
        model.show(sess)


sample()
"""


def test_its_name_may_be_a_local_one_elsewhere() -> None:
    assert printed(native(HEAD + METHOD)) == "0 0.0\n1 2.0\n"


def test_its_name_in_a_method_whose_class_has_it_too() -> None:
    """What a class has under a name, no method sees by it: this one gives the function."""
    other = "    sample = None\n\n    def again(self):\n        return sample\n\n    def show"
    site = deciding_site(HEAD + METHOD.replace("    def show", other))
    assert site.tier == "bridge" and "`sample` does more than build" in str(site.reason)


def test_main_that_the_application_runs() -> None:
    code = f"{HEAD}\n\ndef main(_):\n{BODY}\n\nif __name__ == '__main__':\n    tf.app.run()\n"
    text = native(code)
    assert printed(text.replace("compat.app.run()", "main(None)")) == OUTPUT


def test_parameters_hold_python_values() -> None:
    """One of the same name on both sides, one of another name, one by keyword."""
    head = "import tensorflow as tf\n\n\ndef train(rate, begin, n=1):\n    print(begin, n)\n"
    text = native(f"{head}{BODY}\n\nrate = 0.5\ntrain(rate, 'here', n=2)\n")
    assert printed(text) == f"here 2\n{OUTPUT}"


def test_a_helper_inside_the_function() -> None:
    body = BODY.replace("tf.reduce_sum(x * w)", "total(x * w)")
    helper = "    def total(t):\n        return tf.reduce_sum(t)\n\n"
    text = native(f"{HEAD}\n\ndef train():\n{helper}{body}\n\ntrain()\n")
    assert printed(text) == OUTPUT


def test_functions_are_one_blank_line_apart_inside_a_function() -> None:
    text = native(f"{HEAD}\n\ndef train():\n{BODY}        print(sess.run(loss, {{x: [3.0]}}))\n\n\ntrain()\n")
    inner = text[text.index("def train") : text.rindex("train()")].rstrip()
    assert inner.count("    @tf.function") == 2
    assert "\n\n\n" not in inner


CHANGING = "def train(rate, more):\n    rate[0] = 0.5\n{body}\n\nrate = [0.7]\ntrain(rate, 1)\n"


def test_a_parameter_that_changes_before_an_optimizer_is_made_with_it() -> None:
    text = native(HEAD + CHANGING.replace("{body}", BODY.replace("Optimizer(rate)", "Optimizer(rate[0])")))
    assert printed(text) == OUTPUT


def test_a_parameter_that_may_change_and_that_functions_read() -> None:
    body = BODY.replace("tf.reduce_sum(x * w)", "tf.reduce_sum(x * w) * rate[0]").replace(
        "Optimizer(rate)", "Optimizer(0.5)"
    )
    site = deciding_site(HEAD + CHANGING.replace("{body}", body))
    assert site.tier == "bridge" and "may be changed" in str(site.reason)


REFUSED = {
    "called twice": ("def train():\n{body}\ntrain()\ntrain()\n", "not called just once"),
    "called in a loop": ("def train():\n{body}\nfor number in range(2):\n    train()\n", "in a loop or a condition"),
    "its value is used": ("def train():\n{body}\nprint(train())\n", "not called just once"),
    "passed on": ("def train():\n{body}\ncall = train\ncall()\n", "not called just once"),
    "decorated": ("@print\ndef train():\n{body}\ntrain()\n", "is decorated"),
    "a local name that means something outside": (
        "def train():\n{body}\nvalue = 1\ntrain()\nprint(value)\n",
        "`value` means one thing",
    ),
    "a local name that a method reads, whose class has it too": (
        "value = 1\nclass Asked:\n    value = 2\n    def ask(self):\n        return value\n"
        "def train():\n{body}\n    print(Asked().ask())\ntrain()\n",
        "`value` means one thing",
    ),
    "a local name of a builtin that is read outside": (
        "def train():\n    repr = 1\n{body}\ntrain()\nprint(repr(rate))\n",
        "`repr` means one thing",
    ),
    "a local name of a builtin": ("def train():\n    len = 1\n{body}\ntrain()\n", "`len` means one thing"),
    "a global name": ("def train():\n    global rate\n{body}\ntrain()\n", "binds names outside it"),
    "a part of the graph outside": ("v = tf.Variable(1.0)\ndef train():\n{body}\ntrain()\n", "before `train`"),
    "two of them": (
        "def train():\n{body}\ndef again():\n{body}\ntrain()\nagain()\n",
        "before `again`",
    ),
    "a parameter that is a part of the graph": (
        "def train(rate):\n{body}\nrate = tf.constant(0.5)\ntrain(rate)\n",
        "used as a Python value",
    ),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(case: tuple[str, str]) -> None:
    code, reason = case
    site = deciding_site(HEAD + code.replace("{body}", BODY))
    assert site.tier == "bridge"
    assert reason in str(site.reason)
    assert site.next_step
