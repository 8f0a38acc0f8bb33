"""From a module to its plan: each run's slice and effects, and one tier for the graph."""
