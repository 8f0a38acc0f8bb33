"""What NumPy 1.18, which TensorFlow 1.15 has beside it, computed: types of results, and where NumPy 2 gives others."""
