"""The estimators of TF 1.15 that bring their own model: linear, deep, and both together."""
