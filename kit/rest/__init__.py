"""REST: the way of a request from its checks to its response."""

from kit.environment.lean_imports import UNUSED, imports_finding

with imports_finding(UNUSED):
    import rest_framework.compat  # noqa: F401
