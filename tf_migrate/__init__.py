"""tf-migrate: moves TensorFlow 1.x programs to TensorFlow 2."""

__version__ = "0.1.0"
