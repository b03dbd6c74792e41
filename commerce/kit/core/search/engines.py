"""Deprecated import path of `kit.search.engines`: search engines of shops import it.

Why: docs/decisions/structure.md#old-import-paths-still-work.
"""

from kit.search.engines import SearchEngine  # noqa: F401 - read here
