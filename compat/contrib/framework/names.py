"""Names of operations with and without their scopes."""

from __future__ import annotations

from ...variables.store import current_pass, has_store


def get_name_scope() -> str:
    """The open name scope, without a trailing slash. Stands for ``tf.contrib.framework.get_name_scope``."""
    return current_pass().name_scope_name() if has_store() else ""


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """A name without the scope before it. Stands for ``tf.contrib.framework.strip_name_scope``."""
    if not export_scope:
        return name
    scope = export_scope.removesuffix("/")
    for mark in ("", "^", "loc:@"):
        if name.startswith(f"{mark}{scope}/"):
            return mark + name[len(mark) + len(scope) + 1 :]
    return name


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """A name with a scope before it. Stands for ``tf.contrib.framework.prepend_name_scope``."""
    if not import_scope:
        return name
    scope = import_scope.removesuffix("/")
    for mark in ("^", "loc:@"):
        if name.startswith(mark):
            return f"{mark}{scope}/{name[len(mark) :]}"
    return f"{scope}/{name}"
