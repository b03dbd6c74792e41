"""Deprecated import path of `kit.jobs.turns`: rows of the queue name its task by it.

Why: docs/decisions/structure.md#old-import-paths-still-work.
"""

from kit.jobs.turns import take_turn  # noqa: F401 - read here
