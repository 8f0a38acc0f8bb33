"""What a module does as TensorFlow 2 code: which functions are traced, what tapes record, where values come from."""
