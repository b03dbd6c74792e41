"""Deprecated import path of `kit.search.engines`: search engines of shops import it.

Why: docs/decisions/structure.md#old-import-paths-work-for-one-release.
"""

from kit.search.engines import SearchEngine  # noqa: F401 - read here
