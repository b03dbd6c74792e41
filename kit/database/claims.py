"""The name under which this process claims rows, so that its successor of the same name can free them at once.

Why: docs/decisions/operations.md#what-a-killed-process-had-claimed-is-free-at-once.
"""

from typing import Any

from django.db import models

MAX_LENGTH = 64
_name = ""


def claim_as(name: str) -> None:
    """Claim rows under this name from now on. Without it, the claims of a killed process last until they expire."""
    global _name  # noqa: PLW0603 - one name for all threads of the process
    _name = name


def claimant() -> str:
    """The name; may be empty."""
    return _name


class ClaimantField(models.CharField):  # type: ignore[type-arg]
    """Who has claimed the row; empty if nobody has, or one without a name."""

    def __init__(self, **options: Any) -> None:
        defaults: dict[str, Any] = {
            "max_length": MAX_LENGTH,
            "blank": True,
            "default": "",
            "db_default": "",
            "editable": False,
        }
        super().__init__(**(defaults | options))
