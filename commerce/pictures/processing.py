"""Deprecated import path of `pictures.processing`: rows of the queue name its task by it.

Why: docs/decisions/structure.md#old-import-paths-still-work.
"""

from pictures.processing import convert  # noqa: F401 - read here
