"""Deprecated import path of `kit.values.json`: providers of shops import it.

Why: docs/decisions/structure.md#old-import-paths-still-work.
"""

from kit.values.json import JSONObject  # noqa: F401 - read here
