"""Towers: one model built on each of several devices, whose gradients are averaged."""
