"""Faults of TensorFlow 2 programs, often there since they were moved: told, and mended where that is asked for."""
