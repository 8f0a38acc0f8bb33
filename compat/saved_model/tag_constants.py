"""`tf.saved_model.tag_constants` of TF 1.15: what a graph of a SavedModel is for."""

SERVING = "serve"
TRAINING = "train"
GPU = "gpu"
TPU = "tpu"
