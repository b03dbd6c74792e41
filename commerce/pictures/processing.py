"""The old address of `pictures.processing`: rows of the queue name its task by it.

Why: docs/decisions/structure.md#old-addresses-stay-for-one-release.
"""

from pictures.processing import convert  # noqa: F401 - read here
