"""Deprecated import path of `kit.values.money`: providers of shops import it, like their model `by_weight.py`.

Why: docs/decisions/structure.md#old-import-paths-still-work.
"""

from kit.values.money import rounded  # noqa: F401 - read here
