"""Programs that load a frozen graph and run it, as they are found in the wild; `PATH` stands for its file."""

from __future__ import annotations

LOAD = """\
import tensorflow as tf

with tf.gfile.FastGFile("PATH", "rb") as f:
    graph_def = tf.GraphDef()
    graph_def.ParseFromString(f.read())
    tf.import_graph_def(graph_def, name="")
"""
SCRIPT = (
    LOAD
    + """\

with tf.Session() as sess:
    softmax = sess.graph.get_tensor_by_name("y:0")
    # each one
    for image in ([[1, 2]], [[3, 4], [5.5, 6]]):
        predictions = sess.run(softmax, {"x:0": image})
        print(predictions.shape, " ".join("%.4f" % value for value in predictions[0]))
"""
)
CLASSIFY = """\
import numpy as np
import tensorflow as tf

MODEL = "PATH"


def create_graph():
    \"\"\"Creates a graph from a file.\"\"\"
    with tf.gfile.FastGFile(MODEL, "rb") as f:
        graph_def = tf.GraphDef()
        graph_def.ParseFromString(f.read())
        _ = tf.import_graph_def(graph_def, name="")


def run_inference_on_image(image):
    create_graph()

    with tf.Session() as sess:
        softmax_tensor = sess.graph.get_tensor_by_name("y:0")
        predictions = sess.run(softmax_tensor, {"x:0": image})
        for score in np.squeeze(predictions):
            print("%.4f" % score)


def main(_):
    run_inference_on_image([[1, 2]])


if __name__ == "__main__":
    tf.app.run()
"""
DETECTION = """\
import numpy as np
import tensorflow as tf

detection_graph = tf.Graph()
with detection_graph.as_default():
    od_graph_def = tf.GraphDef()
    with tf.gfile.GFile("PATH", "rb") as fid:
        serialized_graph = fid.read()
        od_graph_def.ParseFromString(serialized_graph)
        tf.import_graph_def(od_graph_def, name="")

with detection_graph.as_default():
    with tf.Session(graph=detection_graph) as sess:
        image_tensor = detection_graph.get_tensor_by_name("x:0")
        boxes = detection_graph.get_tensor_by_name("y:0")
        num = detection_graph.get_tensor_by_name("norm:0")
        for image in ([1, 2], [3, 4]):
            (box, n) = sess.run([boxes, num], feed_dict={image_tensor: np.expand_dims(image, axis=0)})
            print(np.round(box, 4), "%.4f" % n)
"""
CLASS = """\
import tensorflow as tf


class Model(object):
    def __init__(self, path):
        self.graph = tf.Graph()
        with self.graph.as_default():
            graph_def = tf.GraphDef()
            with open(path, "rb") as f:
                graph_def.ParseFromString(f.read())
            tf.import_graph_def(graph_def, name="prefix")
        self.x = self.graph.get_tensor_by_name("prefix/x:0")
        self.y = self.graph.get_operation_by_name("prefix/y").outputs[0]
        self.sess = tf.Session(graph=self.graph)

    def predict(self, image):
        return self.sess.run(self.y, feed_dict={self.x: image})

    def close(self):
        self.sess.close()


model, other = Model("PATH"), Model("PATH")
print(model.predict([[1, 2]]).round(4), other.predict([[3, 4]]).round(4))
model.close()
"""
LOADER = """\
import argparse

import numpy as np
import tensorflow as tf


def load_graph(model_file):
    graph = tf.Graph()
    graph_def = tf.GraphDef()

    with open(model_file, "rb") as f:
        graph_def.ParseFromString(f.read())
    with graph.as_default():
        tf.import_graph_def(graph_def)

    return graph


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--input_layer", default="x")
    args = parser.parse_args([])
    input_layer = args.input_layer
    output_layer = "y"

    graph = load_graph("PATH")
    input_name = "import/" + input_layer
    output_name = "import/" + output_layer
    input_operation = graph.get_operation_by_name(input_name)
    output_operation = graph.get_operation_by_name(output_name)

    with tf.Session(graph=graph) as sess:
        results = sess.run(output_operation.outputs[0], {input_operation.outputs[0]: [[1, 2]]})
    print(np.squeeze(results).round(4))
"""
READER = """\
def read_tensor_from_image_file(file_name, input_height=299, input_width=299, input_mean=0, input_std=255):
    file_reader = tf.read_file(file_name, "file_reader")
    if file_name.endswith(".png"):
        image_reader = tf.image.decode_png(file_reader, channels=3, name="png_reader")
    elif file_name.endswith(".gif"):
        image_reader = tf.squeeze(tf.image.decode_gif(file_reader, name="gif_reader"))
    else:
        image_reader = tf.image.decode_jpeg(file_reader, channels=3, name="jpeg_reader")
    float_caster = tf.cast(image_reader, tf.float32)
    dims_expander = tf.expand_dims(float_caster, 0)
    resized = tf.image.resize_bilinear(dims_expander, [input_height, input_width])
    normalized = tf.divide(tf.subtract(resized, [input_mean]), [input_std])
    sess = tf.Session()
    result = sess.run(normalized)

    return result


"""
IMAGE = (
    LOADER.replace("if __name__", f"{READER}if __name__")
    .replace(
        "    with tf.Session(",
        '    t = read_tensor_from_image_file("PATH.png", input_height=4, input_width=4)\n'
        "    print(t.shape, t.dtype, t[0, 0, 0].round(4))\n    with tf.Session(",
    )
    .replace("[[1, 2]]", "t[0, 0, :2, :2]")
)
PROGRAMS = {
    "a script": SCRIPT,
    "classify_image": CLASSIFY.replace("tf.app.run()", "main(None)"),
    "object detection": DETECTION,
    "a class": CLASS,
    "a loader": LOADER,
    "modules of the sources": LOAD.replace(
        "\n\n", "\nfrom tensorflow.core.framework import graph_pb2\nfrom tensorflow.python.platform import gfile\n\n"
    )
    .replace("tf.GraphDef", "graph_pb2.GraphDef")
    .replace("tf.gfile.", "gfile.")
    + 'with tf.Session() as sess:\n    print(sess.run("y:0", {"x:0": [[1, 2]]}).round(4))\n',
    "label_image": IMAGE,
    "the default graph by its name": LOAD
    + 'graph = tf.get_default_graph()\nx = graph.get_tensor_by_name("x:0")\nsess = tf.Session()\n'
    + 'print(sess.run([graph.get_tensor_by_name("y:0")], feed_dict={x: [[1, 2]]})[0].round(4))\nsess.close()\n',
    "return_elements": LOAD.replace(
        "tf.import_graph_def(graph_def, name", "x, y = tf.import_graph_def(graph_def, name"
    ).replace('name=""', 'return_elements=["x:0", "y:0"], name="net"')
    + "with tf.Session() as sess:\n    print(sess.run(y, {x: [[1, 2]]}).round(4))\n",
    "a part that is computed is fed": LOAD
    + 'with tf.Session() as sess:\n    print("%.4f" % sess.run("norm:0", {"z:0": [[3, 4, 0]]}))\n',
    "all in one function": """\
import tensorflow as tf


def predict(path, values):
    with tf.Graph().as_default() as graph:
        graph_def = tf.GraphDef()
        with open(path, "rb") as f:
            graph_def.ParseFromString(f.read())
        tf.import_graph_def(graph_def, name="")
        with tf.Session() as sess:
            y, norm = sess.run(["y:0", "norm:0"], {"x:0": values})
            sess.run("y:0", {"x:0": values})
    return y.round(4), round(float(norm), 3)


for _ in range(2):
    print(predict("PATH", [[1, 2]]))
""",
    "functions that are given the graph": DETECTION.partition("with detection_graph.as_default():\n    with")[0]
    + """\

def run_inference(image, graph):
    with graph.as_default():
        with tf.Session() as sess:
            tensors = sess.run(["z:0", "norm:0"], {"x:0": image})
    return tensors


print([value.tolist() for value in run_inference([[1, 2]], detection_graph)])
print([value.shape for value in run_inference(image=[[3, 4]], graph=detection_graph)])
""",
    "a session that is made before the import": CLASS.replace(
        "        self.sess = tf.Session(graph=self.graph)\n", ""
    ).replace(
        "        with self.graph.as_default():\n",
        "        self.sess = tf.Session(graph=self.graph)\n        with self.graph.as_default():\n",
    ),
    "a method that loads": CLASS.replace(
        "        self.x =",
        "        self._find()\n        self.sess = tf.Session(graph=self.graph)\n\n    def _find(self):\n"
        + "        self.x =",
    ).replace("        self.sess = tf.Session(graph=self.graph)\n\n    def predict", "\n    def predict"),
    "an object of the default graph": """\
import tensorflow as tf


class Model(object):
    def __init__(self, path):
        self.load(path)
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=config)

    def load(self, path):
        with tf.gfile.GFile(path, "rb") as f:
            graph_def = tf.GraphDef()
            graph_def.ParseFromString(f.read())
        tf.import_graph_def(graph_def, name="")

    def predict(self, image):
        feed = {"x:0": image}
        y, norm = self.sess.run(("y:0", "norm:0"), feed)
        return y.round(4), "%.4f" % norm


def main():
    model = Model("PATH")
    print(model.predict([[1, 2]]))


main()
""",
    "names in constants": LOAD.replace("tf\n", 'tf\n\nINPUT, OUTPUT = "x:0", "y:0"\n', 1)
    + "\n\ndef predict(values):\n    with tf.Session() as sess:\n        return sess.run(OUTPUT, {INPUT: values})\n\n\n"
    + "print(predict([[1, 2]]).round(4), predict([[3, 4]]).round(4))\n",
    "results that stay together": LOAD
    + 'sess = tf.InteractiveSession()\nfound = sess.run(("y:0", "norm:0"), {"x:0": [[1, 2]]})\n'
    + 'print(type(found), type(sess.run(["y:0"], {"x:0": [[1, 2]]})), len(found))\n',
    "the graph begins anew": LOAD.replace("\n\n", "\n\ntf.reset_default_graph()\n", 1)
    + 'with tf.Session() as sess:\n    print(sess.run("y:0", {"x:0": [[1, 2]]}).round(4))\n',
}
