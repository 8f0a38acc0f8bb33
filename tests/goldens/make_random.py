"""Records what seeded random operations of real TF 1.15.5 give in three runs: tests/goldens/random.json."""

import json
import os

import tensorflow as tf

assert tf.__version__ == "1.15.5", tf.__version__
SEEDS = {"seed": 11, "seed2": 22}
with tf.Session() as session:
    operations = {
        "RandomUniform": tf.raw_ops.RandomUniform(shape=[5], dtype=tf.float32, **SEEDS),
        "RandomStandardNormal": tf.raw_ops.RandomStandardNormal(shape=[5], dtype=tf.float32, **SEEDS),
        "TruncatedNormal": tf.raw_ops.TruncatedNormal(shape=[5], dtype=tf.float64, **SEEDS),
        "RandomUniformInt": tf.raw_ops.RandomUniformInt(shape=[5], minval=-9, maxval=1000, **SEEDS),
    }
    values = {name: [session.run(op).tolist() for _ in range(3)] for name, op in operations.items()}
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "random.json"), "w") as file:
    json.dump(values, file, indent=1, sort_keys=True)
    file.write("\n")
