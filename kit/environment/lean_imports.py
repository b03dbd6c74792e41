"""Loads libraries without what they would load only because it is installed, and the shop does not use."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

UNUSED: Mapping[str, object] = {"django.contrib.postgres.fields": None, "yaml": None}
"""PostgreSQL's own types of columns, which on SQLite would load PostgreSQL's driver, and YAML: 8 MB of a process."""


@contextmanager
def imports_finding(modules: Mapping[str, object]) -> Iterator[None]:
    """Within this, imports find these modules, unless they are loaded; None is one that is not installed."""
    loaded: dict[str, Any] = sys.modules
    added = {name: module for name, module in modules.items() if name not in loaded}
    loaded |= added
    try:
        yield
    finally:
        for name in added:
            del loaded[name]
