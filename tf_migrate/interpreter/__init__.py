"""Executes a program once over abstract values, without TensorFlow and without the user's data.

It knows Python: functions, classes, containers, modules. What TensorFlow's symbols do is asked of `semantics`.
"""
