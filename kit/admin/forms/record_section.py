"""The last section of most forms."""

from typing import Any


def record_section(*fields: str) -> tuple[str, dict[str, Any]]:
    """A closed section for what people rarely need: metadata, ids, dates."""
    return "Record", {"fields": fields, "classes": ("collapse",)}
