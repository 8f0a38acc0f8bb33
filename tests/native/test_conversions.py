"""Single points of the conversion, each with what it must come out as."""

from __future__ import annotations

from tests.native.native import made_native, printed, rewritten

MODEL = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
y = x * w
loss = tf.reduce_sum(y)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""


def native(code: str) -> str:
    result = made_native(MODEL + code)
    return result.text


def test_what_is_not_fetched_does_not_run() -> None:
    text = native("unused = tf.assign(w, 100.0)\nprint(sess.run(y, {x: [3.0]}))\n")
    assert "100.0" not in text
    assert printed(text) == "[6.]\n"


def test_a_graph_that_is_thrown_away_before_there_is_anything_in_it() -> None:
    imports, rest = MODEL.split("\n", 1)
    private = "from tensorflow.python.framework import ops\nops.reset_default_graph()\n"
    for reset in ("tf.reset_default_graph()\n", private):
        result = made_native(f"{imports}\n{reset}{rest}print(sess.run(y, {{x: [3.0]}}))\n")
        assert printed(result.text) == "[6.]\n"


def test_several_results_of_an_operation() -> None:
    code = "mean, _ = tf.nn.moments(y, [0])\nfirst = tf.unstack(y, num=2)[0]\n"
    text = native(f"{code}m, f = sess.run([mean, first], {{x: [1.0, 2.0]}})\nprint(m, f)\n")
    assert printed(text) == "3.0 2.0\n"


def test_all_results_of_an_operation_as_one() -> None:
    code = "both = tf.split(y, 2)\nprint([part.tolist() for part in sess.run(both, {x: [1.0, 2.0]})])\n"
    code += "mean, variance = sess.run(tf.nn.moments(y, [0]), {x: [1.0, 2.0]})\nprint(mean, variance)\n"
    code += "print(sess.run(tf.unique([1, 2, 1])).y.tolist())\n"
    code += "print(type(sess.run([loss, both], {x: [1.0, 2.0]})[1]).__name__)\n"
    assert printed(native(code)) == "[[2.0], [4.0]]\n3.0 1.0\n[1, 2]\nlist\n"


def test_results_of_one_operation_or_another() -> None:
    code = "def f(t, n):\n    if n:\n        t = tf.split(t, 2)\n    else:\n        t = t * 2.0\n    return t\n"
    code += "z = f(y, len(np.ones(2)))\nprint([part.tolist() for part in sess.run(z, {x: [1.0, 2.0]})])\n"
    assert printed(native("import numpy as np\n" + code)) == "[[2.0], [4.0]]\n"


def test_a_script_without_functions_shows_what_it_is_by_its_values() -> None:
    code = "import tensorflow as tf\nw = tf.Variable(1.0)\nwith tf.Session() as sess:\n"
    code += "    sess.run(tf.global_variables_initializer())\n    print(sess.run(w))\n"
    text = rewritten(code).text
    assert text == "import tensorflow as tf\nw = tf.Variable(1.0)\nprint(w.numpy())\n"


def test_losses_of_gradients_that_are_expressions() -> None:
    code = "opt = tf.train.GradientDescentOptimizer(0.1)\npairs = opt.compute_gradients(loss * 0.5)\n"
    code += "step = opt.apply_gradients([(2.0 * g, v) for g, v in pairs])\ngrads = tf.gradients(loss + w, [w])\n"
    code += "sess.run(step, {x: [1.0]})\nprint(w.eval(session=sess), sess.run(grads, {x: [3.0]})[0])\n"
    assert printed(native(code)) == "1.9 4.0\n"


def test_python_values_that_depend_on_a_condition() -> None:
    code = "data = [1.0 if v == 'a' else 0.0 for v in 'aba']\nprint(sess.run(loss, {x: data}))\n"
    assert printed(native(code)) == "4.0\n"


def test_losses_that_are_expressions() -> None:
    """As a GAN writes them: `minimize(-loss)`, for two optimizers."""
    more = "up = tf.train.GradientDescentOptimizer(0.1).minimize(-loss)\n"
    more += "half = tf.train.GradientDescentOptimizer(0.1).minimize(loss / 2)\n"
    text = native(
        f"{more}sess.run(up, {{x: [1.0]}})\nprint(sess.run(w))\n"
        "sess.run(half, {x: [1.0]})\nprint(sess.run(w))\nsess.run([up, half], {x: [2.0]})\nprint(sess.run(w))\n"
    )
    assert [round(float(line), 4) for line in printed(text).split()] == [2.1, 2.05, 2.15]


def test_one_graph_after_another() -> None:
    """The second graph's names are counted anew, and its optimizer knows its own variables only."""
    again = MODEL.split("\n", 1)[1].replace('name="w"', "dtype=tf.float32")
    text = native(
        f"_, a = sess.run([train, loss], {{x: [1.0]}})\ntf.reset_default_graph()\n{again}"
        "_, b = sess.run([train, loss], {x: [1.0]})\nprint(a, b, sess.run(w))\n"
    )
    assert printed(text) == "2.0 2.0 1.9\n"
    assert "Variable_1" not in text


def test_a_name_may_be_rebound_by_the_last_run_that_needs_it() -> None:
    assert printed(native("y = sess.run(y, {x: [3.0]})\nprint(y * 2)\n")) == "[12.]\n"


def test_a_loop_variable_may_take_the_name_of_a_tensor() -> None:
    assert printed(native("v = sess.run(y, {x: [3.0]})\nfor y in v:\n    print(float(y))\n")) == "6.0\n"


def test_fetched_values_are_numpy() -> None:
    code = "v = sess.run(loss, {x: [3.0]})\nprint(type(v).__name__, type(sess.run([y], {x: [1.0]})).__name__)\n"
    assert printed(native(code)) == "float32 list\n"


def test_a_tuple_stays_a_tuple_and_a_dictionary_a_dictionary() -> None:
    code = "print(type(sess.run((y, loss), {x: [1.0]})).__name__)\n"
    code += 'print(sorted(sess.run({"b": y, "a": loss}, {x: [1.0]})))\n'
    assert printed(native(code)) == "tuple\n['a', 'b']\n"


def test_a_variable_is_read_after_its_update_and_a_loss_before() -> None:
    code = "_, before, after = sess.run([train, loss, w], {x: [1.0]})\nprint(before, round(float(after), 4))\n"
    assert printed(native(code)) == "2.0 1.9\n"


def test_values_are_cast_to_the_placeholder() -> None:
    code = "import numpy as np\nprint(sess.run(y, {x: np.arange(2)}).dtype, sess.run(y, {x: (1, 2)}).dtype)\n"
    assert printed(native(code)) == "float32 float32\n"


def test_a_feed_dictionary_with_a_name_is_written_out() -> None:
    text = native("for v in ([1.0], [2.0]):\n    feed = {x: v}\n    print(sess.run(loss, feed_dict=feed))\n")
    assert "feed" not in text
    assert printed(text) == "2.0\n4.0\n"


def test_a_value_that_the_run_does_not_need_is_not_passed() -> None:
    text = native("z = tf.placeholder(tf.float32)\nprint(sess.run(loss, {x: [1.0], z: 5.0}))\n")
    assert "5.0" not in text
    assert printed(text) == "2.0\n"


def test_a_step_alone_shares_the_function_of_the_step_with_its_loss() -> None:
    text = native(
        "sess.run(train, {x: [1.0]})\n_, v = sess.run([train, loss], {x: [1.0]})\nprint(round(float(v), 4))\n"
    )
    assert text.count("def ") == 1
    assert printed(text) == "1.9\n"


def test_a_run_with_the_same_text_but_other_values_gets_its_own_function() -> None:
    code = "k = 2.0\nprint(sess.run(y * k, {x: [1.0]}))\nk = 3.0\nprint(sess.run(y * k, {x: [1.0]}))\n"
    assert printed(native(code)) == "[4.]\n[6.]\n"


def test_an_update_built_in_the_run_happens_at_once() -> None:
    code = "for v in range(3):\n    sess.run(tf.assign(w, v))\nprint(sess.run(w))\n"
    text = native(code)
    assert "w.assign(v)" in text
    assert printed(text) == "2.0\n"


def test_assertions_about_shapes_move_along() -> None:
    text = native("assert y.shape.as_list() == x.shape.as_list()\nprint(sess.run(y, {x: [1.0]}))\n")
    assert "    assert y.shape.as_list() == x.shape.as_list()\n" in text


def test_tensors_are_shown_where_they_are_traced() -> None:
    text = native('print("y:", y)\nprint(sess.run(y, {x: [1.0]}))\n')
    assert "shape=(None,)" in printed(text)


def test_unnamed_variables_get_the_names_of_tf1() -> None:
    text = rewritten(
        "import tensorflow as tf\na = tf.Variable(1.0)\nb = tf.Variable(2.0)\nc = tf.Variable(3.0, name='k')\n"
        "d = tf.Variable(4.0, name='k')\nup = a.assign_add(b)\nsess = tf.Session()\n"
        "sess.run(tf.global_variables_initializer())\nprint(sess.run([up, a, b, c, d]))\n"
    ).text
    assert "a = tf.Variable(1.0)\n" in text
    assert 'b = tf.Variable(2.0, name="Variable_1")' in text
    assert 'd = tf.Variable(4.0, name="k_1")' in text


def test_a_function_does_not_retrace() -> None:
    text = native("for n in range(1, 4):\n    sess.run(loss, {x: [1.0] * n})\n")
    text += "print(compute_loss.experimental_get_tracing_count())\n"
    assert printed(text) == "1\n"


def test_functions_run_eagerly_too() -> None:
    text = native("_, v = sess.run([train, loss], {x: [1.0]})\nprint(v, round(float(sess.run(w)), 4))\n")
    eager = text.replace(
        "import tensorflow as tf\n", "import tensorflow as tf\ntf.config.run_functions_eagerly(True)\n", 1
    )
    try:
        assert printed(eager.replace("[1.0]", "tf.constant([1.0])")) == printed(text)
    finally:
        import tensorflow as tf

        tf.config.run_functions_eagerly(False)


def test_comments_in_the_middle_and_code_around_stay() -> None:
    text = native("# How it ends\nresult = sess.run(y, {x: [1.0]})  # one value\nprint(result)\n")
    assert text.endswith("# How it ends\nresult = compute_y([1.0]).numpy()  # one value\nprint(result)\n")


def test_the_bridge_can_be_asked_for() -> None:
    result = rewritten(MODEL + "sess.run(y, {x: [1.0]})\n", tier="bridge")
    assert {site.tier for site in result.sites} == {"bridge"}
    assert "compat.Session()" in result.text


def test_crlf_newlines_are_kept() -> None:
    result = rewritten((MODEL + "print(sess.run(y, {x: [1.0]}))\n").replace("\n", "\r\n"))
    assert "\n" not in result.text.replace("\r\n", "")


def test_a_function_of_the_script_that_runs_the_session() -> None:
    code = """\
def evaluate(values, times=2):
    \"\"\"Sums the loss over the values.\"\"\"
    total = 0.0
    for _ in range(times):
        feed = {x: values}
        total += sess.run(loss, feed_dict=feed)
    return total


print(evaluate([1.0, 2.0]))
sess.run(train, {x: [1.0]})
print(round(float(evaluate([1.0], times=1)), 4))
"""
    text = native(code)
    assert "        total += float(compute_loss(values).numpy())\n" in text  # as NumPy 1 added
    assert printed(text) == "12.0\n1.9\n"


def test_a_variable_keeps_a_name_when_its_own_comes_to_mean_something_else() -> None:
    text = native("w = sess.run(w)\nprint(w)\nprint(sess.run(loss, {x: [1.0]}))\n")
    assert 'w_variable = tf.Variable(2.0, name="w")' in text
    assert printed(text) == "2.0\n2.0\n"


def test_the_report_says_what_took_the_place_of_each_run() -> None:
    code = "_, v = sess.run([train, loss], {x: [1.0]})\nsess.run([train, loss], {x: [1.0]})\nprint(v, sess.run(w))\n"
    sites = rewritten(MODEL + code).sites
    assert [(site.function, site.fetched) for site in sites] == [
        (None, None),
        ("train_step", (1,)),
        ("train_step", ()),
        (None, None),
    ]


def test_a_builder_that_tries_one_way_and_then_another() -> None:
    """The function stays; which of its ways it takes is Python's affair, then as now."""
    builder = "def pick(t, n):\n    try:\n        first, _ = tf.unstack(t, num=n)\n"
    builder += "    except ValueError:\n        first = tf.reduce_sum(t)\n    return first * 2.0\n"
    head = MODEL.replace("[None]", "[2]")
    result = made_native(f"{head}{builder}a, b = pick(y, 2), pick(y, 3)\nprint(*sess.run([a, b], {{x: [1.0, 2.0]}}))\n")
    assert printed(result.text) == "4.0 12.0\n"


def test_functions_that_call_others_and_read_files_build_nothing() -> None:
    helpers = "def is_there(path):\n    return tf.gfile.Exists(path)\n\n\n"
    helpers += "def count(paths):\n    n = 0\n    for path in paths:\n        n += is_there(path)\n    return n\n\n\n"
    assert printed(native(f"{helpers}print(count(['/no/such']), sess.run(y, {{x: [3.0]}}))\n")) == "0 [6.]\n"


def test_constants_are_shown_where_they_are_printed() -> None:
    assert printed(native("three = tf.constant(3.0)\nprint(three)\nprint(sess.run(y, {x: [1.0]}))\n")).endswith(
        "[2.]\n"
    )


def test_a_run_in_a_comprehension() -> None:
    code = "print([float(sess.run(y, {x: [v]})[0]) for v in (1.0, 2.0)])\n"
    text = native(code)
    assert "for v in (1.0, 2.0)" in text


def test_a_run_inside_of_what_another_is_fed() -> None:
    text = native("print(sess.run(y, {x: [sess.run(y, {x: [k, 1.0]})[0] for k in range(2)]}))\n")
    assert printed(text) == "[0. 4.]\n"


def test_what_functions_share_has_a_name_beside_theirs() -> None:
    code = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
a = x * w
b = a - 1.0
c = b * b
d = tf.abs(c)
loss = tf.reduce_mean(d)
train = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
sess.run(train, {x: [1.0]})
print(sess.run(loss, {x: [1.0]}))
"""
    text = rewritten(code).text
    assert "def loss_of(x):" in text and "loss = loss_of(x)" in text and "def compute_loss(x):" in text
    assert printed(text) == "0.5625\n"
