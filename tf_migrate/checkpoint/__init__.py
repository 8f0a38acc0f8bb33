"""Looking into checkpoints, and carrying values from one to another; it needs TensorFlow, as parity does."""
