"""What TensorFlow's symbols do to a graph: rows of `effects.tsv`, and handlers where a row cannot say it."""
