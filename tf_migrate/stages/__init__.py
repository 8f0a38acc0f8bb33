"""The binding-time analysis: which part of a program builds the graph, which part runs it, and with what."""
