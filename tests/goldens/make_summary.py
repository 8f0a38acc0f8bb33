"""Records what TF 1.15.5's summary operations give: run with Python 3.7 and TF 1.15.5.

python -m tests.goldens.make_summary        # writes summary.json beside this file
"""

import base64
import json
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
IMAGES = np.linspace(-1, 1, 4 * 3 * 2 * 1).astype(np.float32).reshape(4, 3, 2, 1)
SOUNDS = np.linspace(-1, 1, 2 * 20).astype(np.float32).reshape(2, 20)


def build(summary, name_scope, constant):
    """The same lines run on both sides; `summary` is the module of summary functions."""
    with name_scope("tower"):
        made = {
            "scalar": summary.scalar("loss", constant(0.5)),
            "again": summary.scalar("loss", constant(1.5)),
            "cleaned": summary.scalar("/a b:c%", constant(2, "int32")),
            "family": summary.scalar("loss", constant(0.25), family="losses"),
            "histogram": summary.histogram("weights", constant([0.5, -1.0, 2.0, 2.0])),
            "image": summary.image("digits", constant(IMAGES), max_outputs=2),
            "one_image": summary.image("digit", constant((IMAGES * 100 + 100).astype(np.uint8)), 1, family="pictures"),
            "audio": summary.audio("voice", constant(SOUNDS), 16000, max_outputs=2),
            "text": summary.text("words", constant(["one", "two"])),
            "tensor": summary.tensor_summary("raw", constant([[1.0, 2.0]]), "what it is", display_name="shown"),
        }
        made["merged"] = summary.merge([made["scalar"], made["again"], made["histogram"]])
        made["merged_all"] = summary.merge_all(scope="tower/(loss|weights)")
        made["named"] = summary.merge([made["text"]], name="pair of words")
    return made


def main():
    made = build(tf.summary, tf.name_scope, lambda value, dtype=None: tf.constant(value, dtype))
    with tf.Session() as sess:
        values = sess.run(made)
    record = {
        name: {"op": made[name].op.name, "bytes": base64.b64encode(value).decode()} for name, value in values.items()
    }
    with open(os.path.join(HERE, "summary.json"), "w") as file:
        json.dump(record, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
