"""Canonical names: what a name of the program is in TensorFlow 1, and where it lives after the migration."""
