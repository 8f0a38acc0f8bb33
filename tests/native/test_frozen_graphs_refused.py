"""What keeps a program that runs a frozen graph on the bridge: each with its reason."""

from __future__ import annotations

import pytest

from tests.native.frozen_programs import CLASS, CLASSIFY, DETECTION, IMAGE, LOAD, LOADER, SCRIPT
from tests.native.native import refuses

MORE = "is used for more than to run it"
AGAIN = "the default graph may get the import again"
REFUSED = {
    "a graph is built beside it": (SCRIPT, "with tf.Session", "z = tf.add(1, 2)\nwith tf.Session", "`tf.add` is used"),
    "two graphs": (SCRIPT, "\nwith tf.S", "tf.import_graph_def(graph_def)\nwith tf.S", "in several places"),
    "it is given inputs": (SCRIPT, 'name="")', 'name="", input_map={"x": 1})', "the import gives the graph inputs"),
    "a name that is computed": (SCRIPT, 'name="")', "name=str(1))", "the name of the import is not written out"),
    "in a loop": (
        SCRIPT,
        '    tf.import_graph_def(graph_def, name="")',
        '    for _ in range(2):\n        tf.import_graph_def(graph_def, name="")',
        "the graph is imported in a loop",
    ),
    "the default graph again": (CLASSIFY, "    run_inf", "    for _ in [1, 2]:\n        run_inf", AGAIN),
    "two objects of the default graph": (
        CLASS,
        "        self.graph = tf.Graph()\n        with self.graph.as_default():\n",
        "        self.graph = tf.get_default_graph()\n        if True:\n",
        AGAIN,
    ),
    "an operation that is run": (SCRIPT, "    # each one", '    sess.run("init")', "asks for an operation"),
    "an operation by its name": (
        SCRIPT,
        "    # each one",
        '    op = sess.graph.get_operation_by_name("init")\n    sess.run(op)',
        "asks for an operation",
    ),
    "its operations are listed": (SCRIPT, "    # each one", "    print(sess.graph.get_operations())", MORE),
    "a tensor is asked for its shape": (SCRIPT, "    # each one", "    print(softmax.shape)", MORE),
    "a tensor is bound anew": (SCRIPT, "predictions = sess", "softmax = sess", "holds something else"),
    "a tensor is deleted": (SCRIPT, "    # each one", "    del softmax", MORE),
    "a session is handed on": (SCRIPT, "    # each one", "    show(sess)", MORE),
    "a tensor is evaluated": (
        SCRIPT,
        "predictions = sess.run(softmax, {",
        "predictions = softmax.eval(feed_dict={",
        "not a run",
    ),
    "two tensors of one name": (
        SCRIPT,
        "    # each one",
        '    if softmax:\n        softmax = sess.graph.get_tensor_by_name("z:0")',
        "holds different parts",
    ),
    "a tensor that a condition names": (
        SCRIPT,
        "    # each one",
        '    if len("x"):\n        z = sess.graph.get_tensor_by_name("z:0")\n        sess.run(z, {"x:0": []})',
        "named in a loop or a condition",
    ),
    "a name that a loop gives": (
        SCRIPT,
        "    # each one",
        '    for name in ["y:0", "z:0"]:\n        sess.run(sess.graph.get_tensor_by_name(name), {"x:0": []})',
        "`name`, of a tensor's name, may change",
    ),
    "fetches that are listed elsewhere": (
        SCRIPT,
        "sess.run(softmax,",
        "sess.run(list([softmax]),",
        "no known tensor",
    ),
    "feeds that are made elsewhere": (SCRIPT, '{"x:0": image}', "dict(x=image)", "what the run feeds is not written"),
    "feeds that are made earlier": (
        SCRIPT,
        '{"x:0": image})',
        "feed)",
        "what the run feeds, is not made right before it",
    ),
    "options of the run": (SCRIPT, "image})", "image}, options=None)", "the run is given more"),
    "options that are computed": (
        SCRIPT,
        "with tf.Session() as",
        "soft = len(graph_def.node) > 1\nconfig = tf.ConfigProto(allow_soft_placement=soft)\n"
        "with tf.Session(config=config) as",
        "an option of the session is computed",
    ),
    "another session": (DETECTION, "tf.Session(graph=detection_graph)", 'tf.Session("")', "more than a graph and"),
    "a session of the default graph": (
        CLASS,
        "tf.Session(graph=self.graph)",
        "tf.Session()",
        "the session is not one of the graph that the program makes",
    ),
    "two graphs are made": (CLASS, "\n\nclass", "\nother = tf.Graph()\n\n\nclass", "several graphs"),
    "imported beside the graph that is made": (
        CLASS,
        "        with self.graph.as_default():\n",
        "        if True:\n",
        "elsewhere than into the one",
    ),
    "the object is asked from outside": (CLASS, "model.close()", "print(model.sess)", "may hold something else"),
    "the graph is asked from outside": (
        CLASS,
        "model.close()",
        "print(model.graph.version)",
        "may hold something else",
    ),
    "a session that is made anew": (
        CLASS,
        "    def close(self):",
        "    def again(self):\n        self.sess = tf.Session(graph=self.graph)\n\n    def close(self):",
        "which session runs this is not known",
    ),
    "a graph without a name": (
        LOADER,
        "graph=graph)",
        'graph=load_graph("PATH"))',
        "the graph of a session has no name",
    ),
    "names that change": (
        LOADER,
        "    with tf.S",
        '    output_name = "y"\n    with tf.S',
        "of a tensor's name, may change",
    ),
    "a name that comes too late": (
        SCRIPT,
        "    # each one",
        '    OUT = "y:0" if len("x") else "z:0"\n    sess.run(sess.graph.get_tensor_by_name(OUT), {"x:0": []})\n'
        '    LATE = "".join(["z:0"])\n    sess.run(sess.graph.get_tensor_by_name(LATE), {"x:0": []})',
        "what is run gets its name behind the run",
    ),
    "names that functions give": (
        LOADER,
        "get_operation_by_name(input_name)",
        "get_operation_by_name(str(input_name))",
        "the name of a tensor is computed",
    ),
    "loaded, and more": (CLASSIFY, 'name="")', 'name="")\n    print(1)', "is not all that `create_graph` does last"),
    "loaded in another function than where it runs": (
        CLASSIFY.replace("    create_graph()\n", ""),
        "    run_inf",
        "    create_graph()\n    run_inf",
        "imported in another function",
    ),
    "the graph is thrown away elsewhere": (
        SCRIPT,
        "    # each one",
        "    tf.reset_default_graph()",
        "the default graph is thrown away elsewhere",
    ),
    "opened beside a file": (
        SCRIPT,
        "with tf.Session() as sess:",
        'with tf.Session() as sess, open("x") as other:',
        "opened beside something else",
    ),
    "the session of another function": (
        LOAD + "\n\ndef start():\n    global sess\n    sess = tf.Session()\n\n\nstart()\n",
        "\n\nstart()\n",
        '\n\nstart()\nprint(sess.run("y:0", {"x:0": [[1, 2]]}))\n',
        "the session was made by another function",
    ),
    "a function that draws numbers beside it": (
        IMAGE,
        "    normalized = ",
        "    resized = tf.random_crop(resized, [1, 2, 2, 3])\n    normalized = ",
        "`tf.random_crop` is used beside a frozen graph",
    ),
    "a function that asks for sizes beside it": (
        IMAGE,
        "    normalized = ",
        "    if image_reader.shape[2] == 1:\n        return None\n    normalized = ",
        "`tf.read_file` is used beside a frozen graph",
    ),
    "a function that opens the graph beside it": (
        IMAGE,
        "    normalized = ",
        "    with tf.Graph().as_default():\n        pass\n    normalized = ",
        "several graphs",
    ),
    "a function that is given what it runs": (
        IMAGE,
        "input_std=255):",
        "input_std=255, normalized=None):",
        "`tf.read_file` is used beside a frozen graph",
    ),
    "a name of the import is read": (
        SCRIPT,
        '    tf.import_graph_def(graph_def, name="")',
        '    none = tf.import_graph_def(graph_def, name="")\n    print(none)',
        "what the import gives is used",
    ),
}


@pytest.mark.usefixtures("as_it_stands")
@pytest.mark.parametrize("name", REFUSED)
def test_stays_on_the_bridge(name: str) -> None:
    code, old, new, reason = REFUSED[name]
    assert old in code
    refuses(code.replace(old, new), reason)


def test_a_graph_that_nothing_loads() -> None:
    code = """\
import tensorflow as tf

def load(path):
    tf.train.import_meta_graph(path)
    tf.import_graph_def(tf.GraphDef(), name="")

x = tf.Variable(1.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        print(sess.run(tf.assign_add(x, tf.layers.dense([[1.0]], 1)[0, 0])))
"""
    refuses(code, "a layer is built in the run itself")
