"""Columns that several screens and tables share, as attributes of a screen."""

from typing import Any


def enter_columns(screen: type[Any]) -> None:
    """Give the screen the methods of its `columns` that it does not have itself, for `list_display` to name."""
    for columns in screen.columns:
        for name in dir(columns):
            if not name.startswith("_") and not hasattr(screen, name):
                setattr(screen, name, getattr(columns, name))
