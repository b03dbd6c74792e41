"""What pages of a screen do without: scripts that they do not use, and empty fields."""

from collections.abc import Collection, Iterable
from typing import Any

from django.forms import Media

_PREPOPULATING = ("urlify.js", "prepopulate.js", "xregexp.js", "xregexp.min.js")
"""Django's scripts for prepopulated_fields, half of the bytes of a list's scripts."""


def without_prepopulating(media: Media) -> Media:
    """The files without Django's scripts for prepopulated_fields."""
    css, scripts = media._css, media._js  # type: ignore[attr-defined]  # noqa: SLF001 - Media cannot leave a file out
    return Media(css=css, js=[script for script in scripts if script.rpartition("/")[2] not in _PREPOPULATING])


def of_new_row(fieldsets: Iterable[Any], readonly: Iterable[Any]) -> list[Any]:
    """The fieldsets of a new row, which has nothing yet to show in fields that nobody fills in."""
    unset = frozenset(name for name in readonly if isinstance(name, str))
    shown = [(title, {**given, "fields": _without(given["fields"], unset)}) for title, given in fieldsets]
    return [(title, given) for title, given in shown if given["fields"]]


def _without(fields: Iterable[Any], unset: Collection[str]) -> tuple[Any, ...]:
    return tuple(name for name in fields if isinstance(name, tuple | list) or name not in unset)
