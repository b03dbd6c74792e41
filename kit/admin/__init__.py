"""Bases of the admin site's screens."""

from kit.environment.lean_imports import UNUSED, imports_finding

with imports_finding(UNUSED):
    import unfold.overrides  # noqa: F401
