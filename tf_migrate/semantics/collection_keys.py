"""The collections of a graph that hold variables alone: their texts, by the symbols that name them."""

from __future__ import annotations

TRAINABLE, GLOBAL, LOCAL, MODEL = "trainable_variables", "variables", "local_variables", "model_variables"
OF_VARIABLES = {
    "tf.GraphKeys.TRAINABLE_VARIABLES": TRAINABLE,
    "tf.GraphKeys.GLOBAL_VARIABLES": GLOBAL,
    "tf.GraphKeys.VARIABLES": GLOBAL,
    "tf.GraphKeys.LOCAL_VARIABLES": LOCAL,
    "tf.GraphKeys.MODEL_VARIABLES": MODEL,
}
