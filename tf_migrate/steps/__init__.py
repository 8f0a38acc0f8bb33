"""The general native form: building code stays as and where it was written, and each run becomes a named step."""
