"""The headings of a script's sections stay where its sections are, whatever becomes of the statements below them."""

from __future__ import annotations

from tests.native.native import made_native, printed

SECTIONS = """\
import tensorflow as tf

size = 2
#########
# The model
######
# Two numbers at a time.
x = tf.placeholder(tf.float32, [None, size])
w = tf.Variable(tf.ones([size, 1]))
y = tf.matmul(x, w)

# ---------- The loss ----------
loss = tf.reduce_mean(tf.square(y))
step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

# =====
# Training
# =====
# All variables need values.
sess = tf.Session()
sess.run(tf.global_variables_initializer())
batch = [[1.0, 2.0]]
for _ in range(2):
    print("%.4f" % sess.run([loss, step], {x: batch})[0])

#########
# The result
largest = tf.reduce_max(y)
print("%.4f" % sess.run(largest, {x: batch}))
# ---------
sess.close()
"""
PRINTED = "9.0000\n7.2900\n2.4300\n"  # by TensorFlow 1.15.5
HEADINGS = ("# The model", "# ---------- The loss ----------", "# Training", "# The result")


def test_each_heading_stays_once_and_in_its_place() -> None:
    text = made_native(SECTIONS).text
    lines = [line for line in text.split("\n") if line.strip() in HEADINGS]
    assert lines == list(HEADINGS)  # none of them inside of a function
    assert text.index("# Training\n# =====\nbatch = [[1.0, 2.0]]") > text.index("def train_step(")
    assert "#########\n# The result\n@tf.function(" in text
    assert "# All variables need values." not in text and "# ---------\n" not in text
    assert printed(text) == PRINTED


def test_a_comment_about_a_statement_goes_with_it() -> None:
    code = SECTIONS.replace("# =====\n", "").replace("# Training", "# A session -- of one's own")
    text = made_native(code).text
    assert "A session" not in text and "# The model" in text


def test_a_heading_inside_of_a_scope_goes_with_its_statement() -> None:
    code = SECTIONS.replace(
        "largest = tf.reduce_max(y)\n",
        "with tf.device('/cpu:0'):\n    # -----\n    # Inner\n    largest = tf.reduce_max(y)\n",
    )
    text = made_native(code).text
    assert text.count("# Inner") == 1
    assert printed(text) == PRINTED


def test_in_a_function() -> None:
    inside = "".join(f"    {line}\n" if line else "\n" for line in SECTIONS.split("\n")[2:])
    text = made_native(f"import tensorflow as tf\n\n\ndef main():\n{inside}\n\nmain()\n").text
    assert [line.strip() for line in text.split("\n") if line.strip() in HEADINGS] == list(HEADINGS)
    assert all(line.startswith("    #") for line in text.split("\n") if line.strip() in HEADINGS)
    assert printed(text) == PRINTED
