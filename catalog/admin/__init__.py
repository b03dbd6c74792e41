"""The catalogue's screens."""

from catalog.admin import categories

__all__ = ["categories"]
