"""AutoGraph and the shims: in a `tf.function` of the program it converts the program's code, and nothing of theirs.

The shims ask no tensor for its truth, so there is nothing in them to convert: to find that out took four fifths of the
time in which a network of layers was traced.
"""

from __future__ import annotations

from .private import config


def leave_out(package: str) -> None:
    """Has AutoGraph call the functions of a package, and of all modules in it, as they are.

    It knows other libraries in the same way. What their functions call of others is converted as ever.

    Args:
      package: the dotted name of the package.

    Example:

    >>> leave_out("compat")
    >>> [str(rule) for rule in config.CONVERSION_RULES].count("DoNotConvert rule for compat")
    1
    """
    rule = config.DoNotConvert(package)
    if str(rule) not in map(str, config.CONVERSION_RULES):
        config.CONVERSION_RULES = (rule, *config.CONVERSION_RULES)
