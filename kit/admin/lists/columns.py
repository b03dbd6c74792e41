"""Columns that several screens and tables share, as attributes of a screen."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest


def enter_columns(screen: type[Any]) -> None:
    """Give the screen the methods of its `columns` that it does not have itself, for `list_display` to name."""
    for columns in screen.columns:
        for name in dir(columns):
            if not name.startswith("_") and not hasattr(screen, name):
                setattr(screen, name, getattr(columns, name))


def add_links(every: Iterable[Any], request: HttpRequest, rows: list[Any]) -> None:
    """Let those columns that show other tables read them for the rows."""
    for columns in every:
        if hasattr(columns, "add_links"):
            columns.add_links(request, rows)
