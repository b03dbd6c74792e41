"""Deprecated import path of `payments.requests.intents`: rows of the queue name its tasks by it.

Why: docs/decisions/structure.md#old-import-paths-still-work.
"""

from payments.requests.intents import resume, resume_slowly  # noqa: F401 - read here
